"""The shipped tables are read lazily and once.

Owns where the data files lie. Knows nothing of what they mean.
"""

import errno
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from ferrule.errors import StoreError

__all__ = ["table"]


@cache
def table(name: str) -> Mapping[str, object]:
    """The parsed content of `<name>.toml` in this package. Treat it as read-only.

    Raises:
        StoreError: it cannot be read now, for want of descriptors for one; the next call reads it (CASE-K07).
    """
    try:
        text = resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    except OSError as error:
        cause = errno.errorcode.get(error.errno or 0, "EIO")
        raise StoreError(
            f"cannot read Ferrule's own table {name}: {(error.strerror or 'failed').lower()} ({cause})"
        ) from error
    return tomllib.loads(text)
