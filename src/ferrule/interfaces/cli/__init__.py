"""The command line: a table of commands, one module per family of them, and a page to print on."""
