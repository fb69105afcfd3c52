"""The five tools by which an agent reads its session's memory; none of them can write (design.md section 7).

Owns their names, words, arguments and answers. Every tool takes the session key that the context text tells; without
one it serves only the permanent layer. A session that does not exist and one that is not served give the same error
(CASE-O12). Every answer is a short local read. Knows nothing of stores or of the protocol.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ferrule.bridge.door import SourceReader
from ferrule.bridge.values import Details
from ferrule.errors import FerruleError, StoreError
from ferrule.interfaces.shapes import brief, full, origin, schema_rows

__all__ = ["TOOLS", "Argument", "ReaderOf", "Reading", "Refused", "Tool"]

ReaderOf: TypeAlias = Callable[[str | None], SourceReader]
"""Gives the reader of a session, or of the permanent layer alone; raises FerruleError for a session that is unknown."""

T = TypeVar("T")
Row: TypeAlias = dict[str, object]
Given: TypeAlias = Mapping[str, object]

MAX_RESULTS, FEW = 50, 10
MAX_QUERY, MAX_NAME, MAX_SESSION = 500, 200, 300
REFUSAL = "no such session is served here"
UNREADABLE = "the memory cannot be read now; try again later"
NEITHER = f"query is a text of 1 to {MAX_QUERY} characters; with a type it may be left out"
UNKNOWN = "nothing of that name is known; use search"


class Refused(Exception):
    """A call gets no answer; the text is for the agent."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a tool: a text of 1 to `most` characters, or where `default` is a number, one of 1 to `most`."""

    text: str
    most: int
    needed: bool = False
    default: int | None = None

    def schema(self) -> Row:
        """As JSON Schema."""
        if self.default is not None:
            bounds = {"type": "integer", "minimum": 1, "maximum": self.most, "default": self.default}
            return {**bounds, "description": self.text}
        return {"type": "string", "minLength": 1, "maxLength": self.most, "description": self.text}

    def value(self, name: str, given: Given) -> str | int | None:
        """What was given.

        Raises:
            Refused: it is missing, of another type or out of its bounds.
        """
        value = given.get(name)
        if value is None and not self.needed:
            return self.default
        if self.default is not None:
            if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= self.most:
                return value
            raise Refused(f"{name} is a whole number from 1 to {self.most}")
        if isinstance(value, str) and 1 <= len(value) <= self.most:
            return value
        raise Refused(f"{name} is a text of 1 to {self.most} characters")


@dataclass(frozen=True, slots=True)
class Reading:
    """What may be read: `bound` restricts it to one session, which is then the default."""

    reader_of: ReaderOf
    bound: str | None = None

    def ask(self, session: str | None, question: Callable[[SourceReader], T]) -> T:
        """The answer of that session's reader.

        Raises:
            Refused: the session is not served, or the memory cannot be read.
        """
        key = self.bound if session is None else session
        if self.bound is not None and key != self.bound:
            raise Refused(REFUSAL)
        try:
            return question(self.reader_of(key))
        except StoreError as error:
            raise Refused(f"{UNREADABLE} ({error.code.value})") from None
        except FerruleError:
            raise Refused(REFUSAL) from None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call asks for: the words of a query or a name, how many answers, and of which type alone."""

    words: str
    limit: int
    kind: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; what answers with rows has them under `result`."""

    name: str
    text: str
    answer: Callable[[SourceReader, "Asked"], Row | list[Row]]
    arguments: Mapping[str, Argument]

    def described(self) -> Row:
        """As `tools/list` gives it."""
        return {
            "name": self.name,
            "description": self.text,
            "inputSchema": {
                "type": "object",
                "properties": {name: argument.schema() for name, argument in self.arguments.items()},
                "required": [name for name, argument in self.arguments.items() if argument.needed],
            },
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }

    def call(self, reading: Reading, given: Given) -> Row:
        """The answer as one JSON object.

        Raises:
            Refused: an argument is not what it should be, or there is nothing to answer with.
        """
        values = {name: argument.value(name, given) for name, argument in self.arguments.items()}
        session, limit = values.get("session"), values.get("limit")
        asked = Asked(
            words=str(values.get("query") or values.get("name") or ""),
            limit=limit if isinstance(limit, int) else FEW,
            kind=str(values.get("type") or ""),
            after=str(values.get("after") or ""),
        )
        key = session if isinstance(session, str) else None
        found = reading.ask(key, lambda reader: self.answer(reader, asked))
        return {"result": found} if isinstance(found, list) else found


def _known(reader: SourceReader, name: str) -> Details:
    memory = reader.details(name)
    if not memory.known:
        raise Refused(UNKNOWN)
    return memory


def _search(reader: SourceReader, asked: Asked) -> Row:
    if not asked.words and not asked.kind:
        raise Refused(NEITHER)
    if asked.kind:
        found = reader.under(asked.kind, query=asked.words, limit=asked.limit, after=asked.after)
    else:
        found = reader.find(asked.words, limit=asked.limit)
    return {"result": [brief(memory) for memory in found.answers], "revision": found.revision}


def _show(reader: SourceReader, asked: Asked) -> Row:
    return full(_known(reader, asked.words))


def _list(reader: SourceReader, asked: Asked) -> list[Row]:
    return [brief(memory) for memory in reader.list(limit=asked.limit)]


def _schema(reader: SourceReader, asked: Asked) -> list[Row]:
    rows = reader.schema(asked.words)
    if not rows:
        raise Refused(UNKNOWN)
    return schema_rows(rows)


def _explain(reader: SourceReader, asked: Asked) -> Row:
    memory = _known(reader, asked.words)
    review = reader.review_of(memory.turn) if memory.turn else None
    return {**brief(memory), "origin": origin(review, memory.name) if review else None}


_SESSION = Argument("The session key from the <ferrule-memory> text; without it only shared knowledge.", MAX_SESSION)
_QUERY = Argument("A path, number, URL, name, alias or words; may be left out with a type.", MAX_QUERY)
_TYPE = Argument("Only what is of this type, its subtypes included; without a query all of it, by name.", MAX_NAME)
_AFTER = Argument("With a type and no query: the last name of the page before.", MAX_NAME)
_NAME = Argument("The exact name, as search or list gives it.", MAX_NAME, needed=True)
_FEW = Argument("At most so many answers.", MAX_RESULTS, default=FEW)
_MANY = Argument("At most so many answers.", MAX_RESULTS, default=MAX_RESULTS)
_ONE = {"name": _NAME, "session": _SESSION}

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "search",
            "Find remembered things; best matches first, each with why it was found.",
            _search,
            {"query": _QUERY, "type": _TYPE, "after": _AFTER, "session": _SESSION, "limit": _FEW},
        ),
        Tool("show", "Everything known about one remembered thing.", _show, _ONE),
        Tool("list", "What the session remembers, newest first.", _list, {"session": _SESSION, "limit": _MANY}),
        Tool("schema", "Which properties a type or thing has, inherited ones too.", _schema, _ONE),
        Tool("explain", "Why a thing was remembered: its turn and the evidence.", _explain, _ONE),
    )
}
