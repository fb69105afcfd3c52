"""The page on which a person labels turns: a small server on the loopback address and what it shows."""
