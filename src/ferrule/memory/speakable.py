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
    if text.isascii():
        return text[:MAX_SAID]
    return text[:MAX_SAID].encode("utf-8", "replace").decode("utf-8")


def speakable(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A JSON value whose texts hold no secret and no half of a surrogate pair."""
    # A review holds hundreds of short texts and hardly ever a secret: all of them together are looked through first.
    texts: list[str] = []
    _gather(value, texts)
    together = "\n".join(texts)
    if _sound(together) and not find_secrets(together):
        return value
    return _cleaned(value)


def _sound(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _gather(value: Any, texts: list[str]) -> None:  # noqa: ANN401 - any JSON value
    """All texts of a value in their order."""
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, str):  # most are: no call for each
                texts.append(item)
            elif item:
                _gather(item, texts)


def _cleaned(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode("utf-8")
        for secret in reversed(find_secrets(text)):
            text = text[: secret.start] + _LEFT_OUT + text[secret.end :]
        return text
    if isinstance(value, dict):
        return {key: _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value
