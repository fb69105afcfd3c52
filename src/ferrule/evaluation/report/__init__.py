"""The page of a run as one self-contained HTML file: figures and texts in, markup out."""
