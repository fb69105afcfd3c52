"""A thing that nobody names by its handle may still be called by its words: "the changelog", "the web module".

Owns matching of words to handles, without any dictionary. Knows nothing of worth.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ferrule.bridge.values import SpanRef, TurnText
from ferrule.referents.expressions import expression
from ferrule.review.embedded.merging import path_parts
from ferrule.review.embedded.things import Thing

__all__ = ["generic_nouns", "is_plain", "spoken_aliases", "stem_words", "words_name"]

_TOKEN = expression(r"[^\W_]{1,60}")
_CAMEL = expression(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MIN_STEM = 4
_MAX_TEXT = 20_000
_MAX_PLACES = 200
_MAX_PLAIN = 4_000
_WEAK = frozenset(
    (
        "index",
        "main",
        "test",
        "tests",
        "file",
        "files",
        "code",
        "src",
        "lib",
        "utils",
        "common",
        "config",
        "data",
        "types",
        "readme.md",
        "init",
    )
)


def stem_words(value: str) -> tuple[str, ...]:
    """The lower-case words of a name: CamelCase, separators and the ending split off."""
    parts = path_parts(value)
    spelled = value.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] if parts else value
    stem = spelled.rsplit(".", 1)[0] if "." in spelled.lstrip(".") else spelled
    return tuple(word.casefold() for token in _TOKEN.findall(stem) for word in _CAMEL.split(token) if word)


def words_name(thing: Thing, text: str) -> bool:
    """Whether the words of a stem stand together in the text, in any spelling: `CHANGELOG.md` and "changelog"."""
    words = stem_words(max(thing.values, key=len))
    joined = "".join(words)
    if len(joined) < _MIN_STEM or joined in _WEAK:
        return False
    return any(True for _ in _windows(text[:_MAX_TEXT], words, in_order=True))


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text, CamelCase split, in a row, and where in it each of them is."""

    row: Sequence[str]
    places: Mapping[str, Sequence[int]]


@lru_cache(maxsize=64)
def _folded(text: str) -> str:
    return text.casefold()


@lru_cache(maxsize=64)
def _words_of(text: str) -> _Words:
    row: list[str] = []
    for word in _TOKEN.findall(text):
        if word.islower():
            row.append(word.casefold())
        else:
            row += [piece.casefold() for piece in _CAMEL.split(word)]
    places: dict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(row):
        places[word].append(at)
    return _Words(row, dict(places))


@lru_cache(maxsize=64)
def _spans_of(text: str) -> Sequence[tuple[int, int]]:
    """Where each word of the row stands: apart, for most rows are only asked which words are in them."""
    spans: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(text):
        start, word = token.start(), token.group()
        for piece in (word,) if word.islower() else _CAMEL.split(word):
            spans.append((start, start + len(piece)))
            start += len(piece)
    return spans


def _windows(text: str, words: Sequence[str], *, in_order: bool) -> Iterator[tuple[int, int]]:
    """Spans of consecutive words of the text that are the given words, CamelCase split on both sides."""
    folded = _folded(text)
    if any(word not in folded for word in words):  # a piece of a word stands in it: most texts need not be cut up
        return
    spoken = _words_of(text)
    if any(word not in spoken.places for word in words):
        return
    rarest = min(words, key=lambda word: len(spoken.places[word]))
    wanted = list(words) if in_order else sorted(words)
    size, letters = len(words), sum(map(len, words))
    starts = {at - shift for at in spoken.places[rarest][:_MAX_PLACES] for shift in range(size)}
    for at in sorted(start for start in starts if 0 <= start <= len(spoken.row) - size):
        found = spoken.row[at : at + size]
        if (found if in_order else sorted(found)) == wanted:
            start, end = _spans_of(text)[at][0], _spans_of(text)[at + size - 1][1]
            if end - start <= letters + 4 * size:
                yield start, end


def spoken_aliases(
    words: Sequence[str], texts: Sequence[TurnText], *, limit: int = 3
) -> tuple[tuple[str, SpanRef], ...]:
    """Other wordings of a name of two words or more, in any order: "web shop module" for `ShopWebModule`."""
    if len(words) < 2:  # noqa: PLR2004 - one word is its own spelling
        return ()
    found: dict[str, SpanRef] = {}
    for text in texts:
        for start, end in _windows(text.text[:_MAX_TEXT], words, in_order=False):
            found.setdefault(text.text[start:end], SpanRef(text.id, start, end))
            if len(found) >= limit:
                return tuple(found.items())
    return tuple(found.items())


# Plain nouns by which people mean one file of a kind.
_NOUNS = {
    "Document": frozenset(("doc", "docs", "document", "documentation", "guide", "report", "plan", "spec")),
    "ConfigFile": frozenset(("config", "configuration", "settings", "setting")),
    "Script": frozenset(("script", "hook")),
    "PromptFile": frozenset(("prompt", "skill", "rule", "rules", "instructions")),
}
_TELLING = frozenset(
    (
        *(
            "workflow",
            "readme",
            "changelog",
            "script",
            "config",
            "settings",
            "schema",
            "migration",
            "template",
            "plan",
            "spec",
        ),
        *(
            "hook",
            "dockerfile",
            "manifest",
            "license",
            "guide",
            "tutorial",
            "report",
            "proposal",
            "stylesheet",
            "theme",
        ),
        *("dashboard", "glossary", "roadmap", "makefile", "pipeline", "playbook", "checklist", "fixture", "snapshot"),
    )
)


_STEMS = tuple((noun, noun.removesuffix("s")) for noun in _TELLING)
_UNLIKE = expression(r"[^a-z0-9]+")


def generic_nouns(thing: Thing, type_: str, text: str) -> frozenset[str]:
    """The plain nouns in the text that may mean this file: from its path's own words, or from its type."""
    parts = path_parts(max(thing.values, key=len))[-4:]
    own = {word.removesuffix("s") for part in parts for word in _UNLIKE.split(part)}
    nouns = {noun for noun, stem in _STEMS if stem in own} | _NOUNS.get(type_, frozenset())
    return frozenset(nouns & _plain_words(text[:_MAX_PLAIN])) if nouns else frozenset()


@lru_cache(maxsize=16)
def _plain_words(text: str) -> frozenset[str]:
    spoken = {token.casefold() for token in _TOKEN.findall(text)}
    return frozenset(spoken | {word.removesuffix("s") for word in spoken})


def is_plain(alias: str) -> bool:
    """Whether an alias is one word that means any thing of its kind: "the workflow" finds too much."""
    word = alias.strip("`'\"./").casefold()
    return word in _WEAK or word in _TELLING or any(word in nouns for nouns in _NOUNS.values()) or word in _KINDS


_KINDS = frozenset(
    (
        *("module", "service", "package", "folder", "directory", "repository", "repo", "branch", "commit", "command"),
        *("issue", "task", "session", "server", "secret", "database", "class", "script", "tool", "project", "build"),
    )
)
