"""What stands where a secret could stand and is none: names, references, placeholders, expressions, types.

Owns the policy for documentation values (stated in docs/reliability.md): a value that holds `EXAMPLE`, a run of one
letter, `<…>`, `your-…`, `changeme` and their like is a placeholder and passes. Standard library only.
"""
# ruff: noqa: E501, PLR2004 - patterns, thresholds and word lists are the data here

import base64
import binascii
import math
import re
from collections import Counter

from ferrule.referents.expressions import expression

__all__ = ["begins_word", "entropy", "is_basic", "is_documented", "is_innocent", "is_jumbled", "is_random"]

_REFERENCE = (
    r"\$[A-Za-z_{(].*|%[A-Za-z_][\w]*%|\{\{?.*|<.*|\[.*|@[A-Za-z].*|#\{.*|~.*|\\?\$.*|\*.*|=.*|:.*"
    r"|(?:os\.|process\.|import\.meta|env[.\[(]|ENV[.\[(]|getenv|System\.|config|self\.|this\.|cls\.|settings|secrets\.|vars\.|std::|std\.|ctx\.|request\.|req\.|args\.|opts\.|options\.|params\.|props\.|"
    r"data\.|state\.|user\.|kwargs|vault:|op:|keyring|Environment\.|Deno\.|Bun\.|core\.|github\.|inputs\.|steps\.|needs\.|matrix\.|builder\.|Configuration|var\.|local\.|each\.|func|lambda|new |await |async |return |if |not |f[\"']|![A-Z][A-Za-z:]{0,20}\Z|!vault|(?:bao|op|vault|kms|ssm|aws|gcp|sm)://).*"
)
_CALL = r"[A-Za-z_][\w.:>-]{0,120}[(\[].*"
_ATTRIBUTE = r"[A-Za-z_]\w{0,60}(?:\??\.[A-Za-z_]\w{0,60}){1,8}"
_UPPER_NAME = r"[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,12}"
_PATH = r"(?:[~.]{0,2}/|[A-Za-z]:\\|[a-z][a-z0-9.-]{0,40}/)(?:[a-zA-Z0-9_.-]{1,60}[/\\]){0,12}[a-zA-Z0-9_.-]{0,60}"
_PLACEHOLDER = (
    r"(?:(?:your|my|the|some|a|an|any|our|insert|enter|put|replace|add|paste|use|set|new|old|example|sample|dummy|fake|mock|demo|foo|bar|test|testing|local|dev|default)[-_ .]{0,1}"
    r"(?:[a-z0-9]{1,16}[-_ .]){0,5}(?:api|key|apikey|token|secret|password|passwd|pwd|pass|passphrase|value|here|string|me|this|it|credential|credentials|id|in)s?(?:[-_ .](?:here|goes|value|string|name|in|production)){0,3})"
    r"|change[-_ ]?(?:me|it|this)(?:[-_!. ].{0,30})?|(?:example|sample|dummy|fake|mock|placeholder|redacted|removed|hidden|masked|censored|todo|tbd|fixme|none|null|nil|undefined|nan|true|false|yes|no|empty|unset"
    r"|optional|required|missing|invalid|pwd|pass|string|str|bytes|text|char|varchar|number|int|integer|bool|boolean|any|object|void|never|unknown|option|secretstr|password|passwd|secret|token|key|apikey|value|credentials?"
    r"|passphrase|user|username|admin_password|bearer|basic|oauth2?|jwt|n/?a|foo|bar|baz|test|testing|not[-_ ]?(?:set|configured|defined|provided|found|required|needed)|(?:expected|actual|wrong|bad|good|any|other|stored|cached)[-_ ]?(?:token|password|secret|key|value)|hashed|encrypted|plaintext|plain|stdin|prompt|file|env|literal|type|name|auto|default|disabled|enabled|inherit|read|write|ci)"
)
_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_DOC = expression(
    r"EXAMPLE|example[-_.]|[-_.]example|PLACEHOLDER|REDACTED|xxxx|XXXX|[_-][xX]{3}|\*\*\*|\.\.\.|…|\[secret:|\x00"
)
_HASHED = r"(?:sha(?:1|256|384|512)|md5|blake[23]b?)[-:=].*|\$(?:2[aby]|argon2\w{0,3}|pbkdf2|6|5)\$.*|pbkdf2_sha256\$.*"
# What matters in lower case alone, and the rest: two calls, where most values end at the first letters of each.
_LOW = expression(rf"{_PLACEHOLDER}|{_UUID}|{_HASHED}")
_CASED = expression(
    rf"{_UPPER_NAME}|{_PATH}|{_ATTRIBUTE}|(?s:{_REFERENCE}|{_CALL}|(?P<one>.)(?P=one){{2,}}(?:[-_.](?P<two>.)(?P=two)*)*|[xX*•.…_#?0-]{{3,}})"
)
_REFERRED = expression(_REFERENCE, re.DOTALL)
_FOLDED = str.maketrans("\u017f\u0130\u0131\u212a", "siik")  # letters that a caseless expression takes for ASCII ones
_DIGITS = expression(r"[0-9]")
_LETTER = expression(r"[^\W\d_]")
_FEW = 3
_WORDY = 160
_JUMBLE = 12


def entropy(value: str) -> float:
    """Bits a letter (Shannon) of a value."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values()) if size else 0.0


def is_documented(value: str) -> bool:
    """Whether the value says itself that it is none: an example, a redaction, a mask, a mark."""
    return _DOC.search(value) is not None


def begins_word(text: str, at: int) -> bool:
    """Whether a word begins here: no letter stands before, or only the one of a written escape for a line."""
    before = text[at - 1 : at] if at else ""
    return not (before.isalnum() or before == "_") or (before in "nrt" and text[at - 2 : at - 1] == "\\")


def is_innocent(value: str) -> bool:
    """Whether a value that stands in a secret's place is a name, a reference, an expression or a placeholder."""
    text = value.strip().strip("\"'`").rstrip("!?;,").strip()
    if not text or _DOC.search(text) or (len(text) > _FEW and len(set(text)) <= _FEW):
        return True
    if len(text) > _WORDY:
        return _REFERRED.fullmatch(text) is not None
    low = (text if text.isascii() else text.translate(_FOLDED)).lower()
    return _CASED.fullmatch(text) is not None or _LOW.fullmatch(low) is not None


def is_random(value: str, *, length: int = 8) -> bool:
    """Whether a value looks drawn at random rather than chosen as a word, a number, a version or an identifier."""
    value = value[:_WORDY]
    if len(value) < length or value.isdigit():
        return False
    digits = len(_DIGITS.findall(value))
    if not _LETTER.search(value):
        return False
    mixed = value != value.lower() and value != value.upper()
    if digits >= 2 or (digits and mixed):
        return entropy(value) > 2.2
    return mixed and len(value) >= 20 and entropy(value) > 3.8 and not _camel(value)


def is_jumbled(value: str) -> bool:
    """Whether letters alone change their case as no word or name does."""
    if len(value) < _JUMBLE or not value.isalpha() or not value.isascii():
        return False
    pieces = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", value)
    return len(pieces) >= 5 and len(value) / len(pieces) <= 3


def _camel(value: str) -> bool:
    words = re.findall(r"[A-Z]?[a-z]+", value)
    return bool(words) and sum(map(len, words)) / len(words) > 3.5


def is_basic(value: str) -> bool:
    """Whether base64 holds `user:password`, the password being none that stands for another."""
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return (
        b":" in plain
        and all(32 <= byte < 127 for byte in plain)
        and not is_innocent(plain.split(b":", 1)[1].decode("ascii"))
    )
