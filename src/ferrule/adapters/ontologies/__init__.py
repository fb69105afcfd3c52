"""A large permanent ontology is read once and then answered from an index: a file that can always be made again."""
