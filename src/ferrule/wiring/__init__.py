"""The composition root: alone it sees both a port and its adapter, alone it reads the environment."""
