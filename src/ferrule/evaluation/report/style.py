"""The page's own style and script, and the policy under which nothing else can act on it.

Owns reading both from the package and the hashes that admit them. Knows nothing of the page's content.
"""

import base64
import hashlib
from functools import cache
from importlib import resources

__all__ = ["policy", "script", "style"]


@cache
def _packaged(name: str) -> str:
    text = resources.files("ferrule.evaluation.report").joinpath(name).read_text("utf-8").replace("\r\n", "\n")
    if "</" in text:  # nothing in it may end the element it stands in
        raise ValueError(name)
    return text


def style() -> str:
    """The style sheet, to stand in `style` as it is."""
    return _packaged("report.css")


def script() -> str:
    """The script, to stand in `script` as it is."""
    return _packaged("report.js")


def policy() -> str:
    """The Content-Security-Policy: this style and this script, and nothing from anywhere."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src 'sha256-{_hash(style())}'",
            f"script-src 'sha256-{_hash(script())}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
