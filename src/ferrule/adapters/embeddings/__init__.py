"""Models of meaning that lie in a folder of this machine; nothing is ever downloaded."""
