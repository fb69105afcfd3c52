"""What a critic says beside a definition is kept short, readable and without secrets (INV-I6, D13, PEER-D23).

Owns the cleaning of labels, queries, reasons and markers. Definitions are judged by the rules, not cleaned.
"""

from typing import Any

from ferrule.referents.secrets.detect import find_secrets

__all__ = ["MAX_SAID", "said", "speakable"]

MAX_SAID = 2_000
_LEFT_OUT = "[left out]"


def said(text: str) -> str:
    """At most 2,000 characters, each of which can be stored: half of a surrogate pair becomes a question mark."""
    return text[:MAX_SAID].encode("utf-8", "replace").decode("utf-8")


def speakable(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A JSON value whose texts hold no secret and no half of a surrogate pair."""
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode("utf-8")
        for secret in reversed(find_secrets(text)):
            text = text[: secret.start] + _LEFT_OUT + text[secret.end :]
        return text
    if isinstance(value, dict):
        return {key: speakable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [speakable(item) for item in value]
    return value
