"""Memory served to agents over MCP: reading tools, never the write door."""
