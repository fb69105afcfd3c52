"""Sessions of the OpenAI Agents SDK: lists of Responses items, or its SQLite database."""
