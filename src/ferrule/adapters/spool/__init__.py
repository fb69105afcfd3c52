"""The spool of a home: what clients' hooks left there, read strictly, kept until it is durable elsewhere."""
