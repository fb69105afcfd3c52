"""The shipped tables are read lazily and once.

Owns where the data files lie. Knows nothing of what they mean.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

__all__ = ["table"]


@cache
def table(name: str) -> Mapping[str, object]:
    """The parsed content of `<name>.toml` in this package. Treat it as read-only."""
    text = resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
