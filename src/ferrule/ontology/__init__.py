"""What is known: prototypes, inheritance, layers, schema, current view and search."""
