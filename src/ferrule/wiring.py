"""The composition root: the only module that sees both a port and its adapter."""
