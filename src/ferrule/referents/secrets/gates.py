"""Most words that could announce a secret announce none: what must follow one before anybody reads on.

Owns, for the words that stand in every text about software (`token`, `api key`, `://`), an expression that sorts out
what cannot matter. Each is wider than what the readers of `announced` and `carriers` ask for, and none decides. Knows
nothing of what a secret looks like. Standard library only; every pattern is matched at one place and bounded.
"""
# ruff: noqa: E501 - a pattern a line

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ferrule.referents.expressions import expression

__all__ = ["GATES", "Gate", "is_foldable"]

Gate: TypeAlias = Callable[[str, int, int], bool]
"""Whether an anchor that stands from one position to another of a text in lower case (`?` for what is not ASCII) may announce a secret there."""

_REST = r"[\w.-]{0,48}+"  # of the name that the anchor begins: longer than any reader allows
_LINKED = rf"{_REST}(?:[?!:=\\\"'`\]&>(*]|[ \t]{{1,40}}[?!:=])"
_SAID = r"(?:[ -]key)?s?(?: (?:for|of|to|on|at) |[ \t]{1,2}(?:is|was|are|will be|should be|to|=|:|->)[ \t:])"
_LISTED = rf"{_REST}[\s,+>#|][\s,+>#|0-9\\nrt?]{{0,420}}+(?:[\"'`&]|value|default|content)"
_NOISE = r"[^\n\x00]{0,37}?(?<![a-z0-9+/_-])[a-z0-9+/_-]{20}"
_NAME = expression(rf"{_LINKED}|{_SAID}|{_LISTED}")
_NOISY_NAME = expression(rf"{_LINKED}|{_SAID}|{_LISTED}|{_NOISE}")
_FLAG = expression(rf"{_REST}[ \t]")
_USERINFO = expression(r"[^\s@\"'`<>\x00]{0,602}@")
_ODD = "\u0130\u0131\u017f\u212a"  # letters that a caseless expression takes for ASCII ones


def is_foldable(text: str) -> bool:
    """Whether a text in lower case holds what caseless expressions see in the text itself."""
    return text.isascii() or not any(letter in text for letter in _ODD)


def _name(low: str, at: int, end: int) -> bool:
    return _NAME.match(low, end) is not None or _may_be_flag(low, at, end)


def _noisy_name(low: str, at: int, end: int) -> bool:
    return _NOISY_NAME.match(low, end) is not None or _may_be_flag(low, at, end)


def _may_be_flag(low: str, at: int, end: int) -> bool:
    """`--some-token x`, `config set a.token x`: something stands directly before the name, or a word for setting."""
    before = low[at - 1 : at] if at else ""
    glued = before.isalnum() or before in {"_", ".", "/", ":", "-", "?"} or low.startswith("set ", max(0, at - 4))
    return glued and _FLAG.match(low, end) is not None


def _address(low: str, _at: int, end: int) -> bool:
    return _USERINFO.match(low, end) is not None


def _header(low: str, _at: int, end: int) -> bool:
    return low[end : end + 1] in {" ", "\t", ":", "=", "\\", '"', "'", "`"}


_NOISY = ("secret", "token", "apikey", "api_key", "api-key", "api key", "credential", "access key", "access_key")
_PLAIN = (
    "accesskey", "access-key", "signing_key", "signingkey", "encryption_key", "encryptionkey", "accountkey", "account_key", "auth_key", "authkey",
    "master_key", "client_key", "storage_key", "deploy_key", "service_key", "license_key", "hmac_key", "aes_key", "webhook_key", "server_key", "admin_key",
)  # fmt: skip
GATES: Mapping[str, Gate] = {
    **dict.fromkeys(_NOISY, _noisy_name),
    **dict.fromkeys(_PLAIN, _name),
    **dict.fromkeys(("bearer", "authorization"), _header),
    "://": _address,
}
