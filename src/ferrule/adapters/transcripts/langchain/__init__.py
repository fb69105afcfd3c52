"""Message lists of LangChain and LangGraph, in each of the three shapes in which they are written down."""
