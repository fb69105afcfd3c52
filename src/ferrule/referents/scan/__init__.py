"""The named functions behind the rows of the recogniser table, for what a regular expression alone cannot tell."""
