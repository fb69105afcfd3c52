"""The action ledger: each tool call as verb, target and outcome, by tool name and argument shape, never by client."""
