"""Ferrule remembers the few referents of a completed agent turn that carry a handle.

The package is lazy: importing it loads nothing but this file, so that a hook or `ferrule --help` stays cheap.
"""

__version__ = "0.1.0"
__all__ = ["__version__"]
