"""A path is told from prose by its form: a root, a folder, an extension, or ticks around it.

Owns path forms of every platform, spaces included, and what looks like one and is none (routes, fractions, media types,
code). Reads no disk; durability is another's business.
"""
# ruff: noqa: E501, PLR2004, SIM905 - patterns, thresholds and word lists are the data here

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import Found, HandleKind
from ferrule.referents.scan.no_paths import is_attribute, is_mail, is_no_path, is_selector
from ferrule.referents.scan.places import with_lead
from ferrule.referents.scan.words import context_before, vocabulary
from ferrule.referents.spellings import plain_spelling

__all__ = ["is_path", "paths"]

_TOKEN = expression(
    r"(?<![\w.~/\\@$%+#&=:-])(?:[A-Za-z]:(?=[\\/]))?[\w~@$%+#&=!-]{0,255}+(?:\.{1,2}(?=[/\\])|\.(?=\w)|[/\\])"
    r"(?:[\w.~/\\@$%+#&=!,:-]|\[[\w.]{1,60}\]|\([\w-]{1,40}\)(?=/)){0,1000}"
)
_QUOTED = expression(
    r"`(?P<a>[^`\n]{3,400})`|\"(?P<b>[^\"\n]{3,400})\"|'(?P<c>[^'\n]{3,400})'|\]\((?P<d>[^()\n]{3,400})\)"
)
_CONTINUED = expression(r"(?: [A-Z][\w.-]{0,60}){0,3} [A-Z0-9][\w.-]{0,60}/[\w./-]{1,400}")
_LINE = expression(
    r"(?::[0-9]{1,7}(?:[:-][0-9]{1,7})*|#L[0-9]{1,7}(?:-L?[0-9]{1,7})?|:L?[0-9]{1,7}(?:-L?[0-9]{1,7})?)\Z"
)
_ENDING = expression(r"[^\w]")
_DRIVE = expression(r"[A-Za-z]:[\\/]")
_PLAIN_END = expression(r"(?:ile|OWNERS)(?![\w/\\-]|[.]\w)")
_PLAIN_LEAD = expression(r"(?<![\w./\\-])[A-Za-z]{1,14}\Z")
_NO_PATH = expression(r"[*?<>|\"{}$`;=\n]|://")
_SPOTS = expression(r"[_.-]")
_DOTFILE = expression(r"\.[a-z][\w-]{1,40}(?:\.[A-Za-z0-9]{1,12}){0,3}")
_DOTFILES = frozenset(
    ".gitignore .gitattributes .gitmodules .env .npmrc .nvmrc .editorconfig .dockerignore .bashrc .zshrc .profile .prettierrc .eslintrc .babelrc"
    " .clang-format .python-version .tool-versions .mailmap .flake8 .pylintrc .coveragerc .yarnrc .envrc .htaccess .gitkeep .vimrc .git-blame-ignore-revs".split()
)
_COMPONENT = expression(r"[^\\/:*?\"<>|]{1,255}")
_WORDS_ONLY = expression(r"[A-Za-z]{1,30}(?:/[A-Za-z]{1,30}){1,3}")
_DIGITS = expression(r"[0-9.,:%xX-]{1,40}(?:/[0-9.,:%xX-]{1,40})+")
_ROUTE = expression(r"\b(?:get|post|put|patch|delete|head|options|route|endpoint)[ \t`'\"]{1,3}\Z")
_ESCAPES = expression(r"\\[ntrsdwbDSWB0](?![A-Za-z])")
_USUAL = 300  # longer words are not remembered
_NEVER_BEFORE = frozenset("<})*{")
_NEVER_AFTER = frozenset("*{")
_TRAILING = ".,;:!?'\"*_)&=\\~"
_ESCAPED = expression(r"(?<![\w.~/\\@$%+#&=:-])[\w.~/@+-][\w.~/@+,-]{0,255}(?:\\[ ()&'\[\]][\w.~/@+,-]{0,255}){1,12}")
_EMPHASIS = expression(r"(?<![\w/\\.*])\*{1,3}\Z")  # Markdown's stars, not those of a pattern
_PROMPT_HOME = expression(
    r"(?:\A|[\\/])(?:prompts|\.claude[\\/](?:commands|agents|skills)|\.codex[\\/]prompts|\.cursor[\\/]rules|\.github[\\/](?:prompts|instructions|chatmodes)|\.gemini[\\/]commands"
    r"|\.opencode[\\/](?:agents?|commands?)|skills[\\/][^\\/]{1,80})[\\/][^\\/]{1,200}\Z|(?:\A|[\\/])SKILL\.md\Z|\.prompt(?:\.md)?\Z"
)


def paths(text: str) -> Iterator[Found]:
    """Every path of a text: quoted ones first, for they may hold spaces, then bare tokens, then files without extension.

    A path of a prompt, command, skill or rule of an agent is found as prompt path too.
    """
    for start, value, end in _spans(text):
        yield Found(HandleKind.FILESYSTEM_PATH, value, start, end)
        if _is_prompt(value):
            yield Found(HandleKind.PROMPT_PATH, value, start, end)


def _spans(text: str) -> Iterator[tuple[int, str, int]]:
    """Start, value and end of every path, in an order that lets the whole claim its place before a part of it."""
    yield from _escaped(text) if "\\" in text else ()
    for start, value in _plain(text):
        yield start, value, start + len(value)


def _escaped(text: str) -> Iterator[tuple[int, str, int]]:
    """Paths whose spaces a shell was told of by a backslash; the value is the name without the marks."""
    for match in _ESCAPED.finditer(text):
        raw = match.group().rstrip(_TRAILING)
        value = plain_spelling(raw)
        rooted = value.startswith(("/", "~/", "./", "../"))
        if "/" in value and "//" not in value and (rooted or _known_file(value.rsplit("/", 1)[-1])):
            yield match.start(), value, match.start() + len(raw)


def _plain(text: str) -> Iterator[tuple[int, str]]:
    quoted: set[int] = set()
    for match in _QUOTED.finditer(text):
        group = match.lastgroup or "a"
        raw = match[group]
        if ("/" in raw or "." in raw or "\\" in raw) and (value := _quoted(raw, tick=group in {"a", "d"})):
            start = match.start(group)
            quoted.add(start)
            yield start, value
    at = 0
    for word in text.split():
        if "/" in word or "." in word or "\\" in word:
            # Words before it hold none of these letters, so this is the word and no part of another.
            at = text.index(word, at)
            for token in _tokens(word) if len(word) <= _USUAL else _tokens.__wrapped__(word):
                if at + token.start not in quoted:
                    yield from _bare(token, at, text)
            at += len(word)
    yield from _plain_files(text)


class _Token(NamedTuple):
    """A word's part that may be a path: where it begins, as it stands, and its value with the value's own start."""

    start: int
    raw: str
    value_start: int
    value: str


@lru_cache(maxsize=4096)
def _tokens(word: str) -> tuple[_Token, ...]:
    """The tokens in a word that may be paths. Most with a dot are code; the ending settles them."""
    endings = vocabulary("extensions")
    return tuple(
        _token(match.start(), raw)
        for match in _TOKEN.finditer(word)
        if "/" in (raw := match.group()) or "\\" in raw or raw[0] == "." or _ending(raw) in endings
    )


def _token(start: int, raw: str) -> _Token:
    """The token without a line number, the sentence's punctuation, or what an equals sign puts before it."""
    value, value_start = raw.rstrip(_TRAILING) if raw[-1] in _TRAILING else raw, start
    value = _LINE.sub("", value).rstrip(_TRAILING)
    if "," in value or "=" in value:
        value, value_start = _piece(value, value_start)
    if value.startswith("@") and value.count("@") == 1 and _known_file(value.rsplit("/", 1)[-1].lstrip("@")):
        # `@docs/plan.md`: how people mention a file to an agent.
        value, value_start = value[1:], value_start + 1
    return _Token(start, raw, value_start, value)


@lru_cache(maxsize=4096)
def _quoted(raw: str, *, tick: bool) -> str:
    """The path that a quotation holds, or nothing."""
    value = _unquoted(raw)
    return value if value and _is_quoted_path(value, tick=tick) else ""


def _ending(raw: str) -> str:
    """What follows the last dot, without the sentence's punctuation and a line number."""
    tail = raw[raw.rfind(".") + 1 :]
    return (tail if tail.isalnum() else _ENDING.split(raw.rstrip(_TRAILING).rpartition(".")[2], maxsplit=1)[0]).lower()


@lru_cache(maxsize=2048)
def _is_prompt(value: str) -> bool:
    return _PROMPT_HOME.search(value) is not None


def is_path(value: str) -> bool:
    """Whether the whole value can be a path: no control characters, no URL, and a form that a path has."""
    text = value.strip()
    if not text or len(text) > 2000 or "\n" in text or "://" in text.replace("file://", ""):
        return False
    if text.startswith(("/", "~", "./", "../", "\\\\", "file://")) or _DRIVE.match(text):
        return True
    if "/" in text or "\\" in text:
        return not text.endswith((" ", ".")) and not _prose(text)
    name = text.rsplit("/", 1)[-1]
    return _known_file(name) or bool(re.fullmatch(r"[\w.@+-]{1,255}", text))


def _prose(text: str) -> bool:
    words = re.findall(r"[a-z']+", text.lower())
    return " " in text and sum(word in vocabulary("function_words") for word in words) > 1


def _unquoted(raw: str) -> str:
    value = raw.strip().rstrip(".,;")
    if value != raw[: len(value)]:
        return ""
    return _LINE.sub("", value).rstrip("\\")


def _is_quoted_path(value: str, *, tick: bool) -> bool:
    """Inside ticks or quotes: spaces are allowed in folders, and a lone dot name or slashed pair counts."""
    if _NO_PATH.search(value) or value.startswith(("-", "@", "#", "//")):
        return False
    if " " in value:
        return _is_spaced(value)
    if tick and _DOTFILE.fullmatch(value):
        known = value in _DOTFILES or value in vocabulary("folders")
        return known or not (value[1:].lower() in vocabulary("extensions") or is_selector(value))
    return _classify(value, "", tick=tick)


def _is_spaced(value: str) -> bool:
    first = value.split(" ", 1)[0]
    if (
        first in vocabulary("programs")
        or " -" in value
        or "/" not in value.replace("\\", "/")
        or ", " in value
        or " / " in value
    ):
        return False
    rooted = value.startswith(("/", "~/", "./", "../")) or _DRIVE.match(value) is not None
    # `./tool run x` is a command, `/Users/ann/My Notes/x.md` a path: after the first space a slash or an ending must follow.
    tail = value.replace("\\", "/").rsplit("/", 1)
    first_space = value.index(" ")
    slash_after = "/" in value.replace("\\", "/")[first_space:]
    if rooted:
        return slash_after and not any(part.startswith(("/", "~", "./")) for part in value.split(" ")[1:])
    if _prose(value) or any(part.startswith(("/", "./", "~")) for part in value.split(" ")[1:]):
        return False
    return slash_after and _known_file(tail[1])


def _bare(token: _Token, at: int, text: str) -> Iterator[tuple[int, str]]:
    """The path that a token of the word at this position is, by what stands around it."""
    raw, value, start = token.raw, token.value, at + token.value_start
    end = at + token.start + len(raw)
    before, after = text[at + token.start - 1 : at + token.start], text[end : end + 1]
    told = before == after == "*" and _EMPHASIS.search(text, max(0, start - 4), at + token.start) is not None
    if (not told and (before in _NEVER_BEFORE or after in _NEVER_AFTER)) or (
        after == "<" and raw.endswith(("/", "\\", "."))
    ):
        return
    if not value or (after == "(" and "/" not in value):
        return
    if not _classify(
        value, context_before(text, start, 12) if value[0] == "/" else "", tick=before == "`" and after == "`"
    ):
        return
    if (
        after == " "
        and end == start + len(value)
        and value.startswith(("/", "~/"))
        and "." not in value.rsplit("/", 1)[-1]
    ):
        more = _CONTINUED.match(text, end)
        if more:
            value += more.group().rstrip(".,;:")
    yield start, value


def _piece(value: str, start: int) -> tuple[str, int]:
    """`--out=src/a.py` and `a.py,b.py`: the part after an equals sign, up to a comma."""
    cut = value.rfind("=") + 1
    return value[cut:].split(",", 1)[0].rstrip(_TRAILING), start + cut


@lru_cache(maxsize=4096)
def _classify(value: str, before: str, *, tick: bool) -> bool:
    """Whether a token without spaces is a path."""
    if value.startswith(("@", "#", "//", "-", "$", "%", "&", "!", "+")) or "//" in value[1:] or "://" in value:
        return False
    if "@" in value and is_mail(value):
        return False
    if "\\" in value or _DRIVE.match(value):
        return len(value) > 3 if _DRIVE.match(value) else _is_backslashed(value)
    if "/" not in value:
        return _known_file(value)
    return _is_slashed(value, before, tick=tick)


def _is_slashed(value: str, before: str, *, tick: bool) -> bool:
    if "%" in value or "$" in value or ":" in value or _DIGITS.fullmatch(value) or is_no_path(value, tick=tick):
        return False
    if value.startswith("/"):
        return _is_rooted(value, before)
    if value.startswith(("~/", "./", "../")):
        return len(value) > 3 or value[-1].isalnum()
    return not value.startswith("~") and _is_relative(value, tick=tick)


def _is_rooted(value: str, before: str) -> bool:
    parts = value.strip("/").split("/")
    if not parts[0] or _ROUTE.search(before):
        return False
    if len(parts) == 1:
        return (
            parts[0] in vocabulary("roots") - {"app", "data", "run", "root", "lib", "bin", "home"}
            or "__" in parts[0]
            or _known_file(parts[0])
        )
    return parts[0] not in {"api", "v1", "v2"} and not parts[0].isdigit() and parts[0] != "dev"


def _is_backslashed(value: str) -> bool:
    if value.startswith("\\\\"):
        return value.count("\\") > 2 and value[2:3].isalnum()
    if value.startswith("\\") or (_ESCAPES.search(value) and not _known_file(value.rsplit("\\", 1)[-1])):
        return False
    parts = [part for part in value.replace("\\\\", "\\").split("\\") if part]
    return (
        len(parts) > 1
        and all(len(part) > 1 and _COMPONENT.fullmatch(part) for part in parts)
        and _known_file(parts[-1])
    )


def _is_relative(value: str, *, tick: bool) -> bool:
    parts = value.rstrip("/").split("/")
    cut = any(part.endswith(".") and part.strip(".") for part in parts)
    foreign = parts[0] in {"github.com", "gitlab.com", "refs", "origin"} or parts[0].startswith("www.")
    if cut or foreign or not all(parts):
        return False
    if _known_file(parts[-1]):
        return True
    if value.endswith("/"):
        return len(parts[0]) > 1 and parts[0].lower() not in {"and", "or", "yes", "no"}
    if parts[0] in vocabulary("folders") or parts[0].startswith("."):
        return not (len(parts) == 2 and _WORDS_ONLY.fullmatch(value) and not tick and parts[1] in vocabulary("folders"))
    if tick:
        return (len(value) > 4 and not _WORDS_ONLY.fullmatch(value)) or len(parts) > 2
    return len(parts) > 2 and not _WORDS_ONLY.fullmatch(value) and _SPOTS.search(value) is not None


def _known_file(name: str) -> bool:
    """A file name by its ending, its dot, or as one of the names that need none."""
    lower = name.lower()
    if lower in vocabulary("not_files"):
        return False
    if name.startswith("."):
        return (
            name in _DOTFILES
            or name.startswith(".env.")
            or (name.count(".") > 1 and lower.rsplit(".", 1)[1] in vocabulary("extensions"))
        )
    stem, dot, ending = lower.rpartition(".")
    if dot and stem:
        return (
            ending in vocabulary("extensions")
            and not is_attribute(stem, ending)
            and (len(ending) > 1 or (len(stem) > 1 and "." not in stem))
            and not stem.endswith(("(", "."))
        )
    return name in vocabulary("plain_files") and name not in {
        "README",
        "LICENSE",
        "NOTICE",
        "WORKSPACE",
        "CHANGELOG",
        "AUTHORS",
        "CONTRIBUTING",
        "COPYING",
    }


def _plain_files(text: str) -> Iterator[tuple[int, str]]:
    """Files without an extension: `Makefile` and its like."""
    names = vocabulary("plain_files")
    for match in with_lead(text, ("ile", "OWNERS"), _PLAIN_END, 0):
        lead = _PLAIN_LEAD.search(text, max(0, match.start() - 16), match.start())
        name = f"{lead.group()}{match.group()}" if lead else ""
        if name in names:
            yield match.end() - len(name), name
