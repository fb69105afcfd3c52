"""Which words announce a secret, and who reads what follows them.

Owns the anchors. Standard library only: a text without an anchor costs a few substring searches.
"""
# ruff: noqa: E501 - patterns, thresholds and word lists are the data here

from collections.abc import Iterator, Mapping

from ferrule.referents.secrets import carriers
from ferrule.referents.secrets.announced import word

__all__ = ["STEMS", "judge"]

# The anchors by a stem that all of them hold: a text without the stem is not searched for them.
STEMS: Mapping[str, tuple[str, ...]] = {
    "pass": ("passw", "passphrase", "passcode", "pass=", "pass:", 'pass"', "_pass ", "requirepass", "sshpass"),
    "pwd": ("pwd",),
    "pw": ("pw:", "pw=", "pw is"),
    "secret": ("secret",),
    "token": ("token",),
    "key": (
        "apikey", "api_key", "api-key", "api key", "accesskey", "access_key", "access-key", "access key", "privatekey", "private_key",
        "signing_key", "signingkey", "encryption_key", "encryptionkey", "accountkey", "account_key", "auth_key", "authkey", "master_key",
        "client_key", "subscription-key", "subscription_key", "session_key=", "?key=", "&key=",
    ),
    "credential": ("credential",),
    "auth": ("authorization", "auth=", "_auth"),
    "bearer": ("bearer",),
    "basic ": ("basic ",),
    "cookie:": ("cookie:",),
    "sig": ("sig=", "signature="),
    "x-amz-": ("x-amz-",),
    "mysql": ("mysql",),
    "mariadb": ("mariadb",),
    "redis-cli": ("redis-cli",),
    "curl": ("curl",),
    "docker login": ("docker login",),
    "pin is": ("pin is",),
    "-----begin ": ("-----begin ",),
    "@": ("://",),
}  # fmt: skip


def judge(text: str, low: str, at: int, anchor: str) -> Iterator[carriers.Hit]:
    """The secrets that the anchor at this position announces."""
    if anchor == "-----begin ":
        yield from carriers.pem(text, low, at)
        return
    reader = _CARRIERS.get(anchor)
    yield from reader(text, at, anchor) if reader else word(text, at, anchor)


_CARRIERS = {
    "://": carriers.userinfo,
    "bearer": carriers.header,
    "basic ": carriers.header,
    "authorization": carriers.header,
    "cookie:": carriers.cookie,
    **dict.fromkeys(("mysql", "mariadb", "sshpass", "redis-cli", "curl", "docker login"), carriers.programs),
    **dict.fromkeys(("sig=", "signature=", "?key=", "&key=", "x-amz-", "auth="), carriers.query),
}
