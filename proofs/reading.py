"""What must hold for every text that is read, whatever it is.

Owns the judgements of the fuzz campaign: no exception, nothing lost, places inside of the text, a bounded number of
findings and of steps; and what is read without error is printed, formatted and coloured without a change of meaning.
Knows nothing of where a text comes from.
"""

import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType

from ferrule.protoscript.formatting import format_source
from ferrule.protoscript.highlighting import stretches
from ferrule.protoscript.lossless import leaves
from ferrule.protoscript.lossless import text as text_of
from ferrule.protoscript.printer import print_file
from ferrule.protoscript.reading import Parsed, parse
from ferrule.protoscript.summary import summarise
from ferrule.protoscript.tokens import END
from ferrule.protoscript.walking import children, walk
from proofs.meanings import meaning

__all__ = ["comments", "costly", "judged", "wrong"]

_MOST = 201
_NODES_A_TOKEN = 3
_CALLS_A_TOKEN = 120
_CALLS = 2_000
_COMMENT = re.compile(r"(?://|#)[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/")


def wrong(source: str) -> str:
    """The first thing that does not hold, as a short stable sentence; "" when all does."""
    return judged(source)[0]


def judged(source: str) -> tuple[str, Parsed | None]:
    """The same, with what was read; None when reading itself raised.

    Any exception is a finding: it is caught here so that the campaign goes on, and named by its type and place.
    """
    parsed = None
    try:
        parsed = parse(source)
        return next(_wrong(source, parsed), ""), parsed
    except Exception as error:  # noqa: BLE001 - every exception of the code under test is a finding
        return f"{type(error).__name__} in {_place(error)}", parsed


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code if trace is not None else None
    return f"{code.co_filename.rpartition('/')[2]}:{code.co_name}" if code else "nowhere"


def _wrong(source: str, parsed: Parsed) -> Iterator[str]:
    yield from _lost(source, parsed)
    yield from _misplaced(parsed)
    if "".join(stretch.text for stretch in stretches(source)) != source:
        yield "colours lose text"
    summary = summarise(parsed.tree)
    if parsed.ok:
        yield from _printed(parsed)
        yield from _formatted(parsed, summary)
    elif format_source(source).text != source:
        yield "formatting changes what is wrong"


def _lost(source: str, parsed: Parsed) -> Iterator[str]:
    if text_of(parsed) != source:
        yield "the tree loses text"
    if list(leaves(parsed, parsed.tree)) != list(parsed.tokens):
        yield "a token is reached twice or never"


def _misplaced(parsed: Parsed) -> Iterator[str]:
    size = len(parsed.source.text)
    if len(parsed.diagnostics) > _MOST:
        yield "too many findings"
    for found in parsed.diagnostics:
        if not 0 <= found.span.start <= found.span.end <= size:
            yield f"{found.code} stands outside of the text"
        if parsed.source.position(found.span.start) != (found.line, found.column):
            yield f"{found.code} tells another line than its place"
        if found.severity == "error" and not (found.message and found.hint and found.render()):
            yield f"{found.code} has no hint"
    count = 0
    for node in walk(parsed.tree):
        count += 1
        at = node.span.start
        for child in children(node):
            if not at <= child.span.start <= child.span.end <= node.span.end:
                yield f"{type(child).__name__} stands outside of its {type(node).__name__}"
            at = child.span.end
    if count > _NODES_A_TOKEN * parsed.tokens.kinds.index(END) + len(parsed.source.text) + 2:
        yield "more nodes than the text has tokens for"


def _printed(parsed: Parsed) -> Iterator[str]:
    printed = print_file(parsed.tree)
    again = parse(printed)
    if not again.ok:
        yield "what is printed is not read"
    if meaning(again.tree) != meaning(parsed.tree):
        yield "what is printed means something else"
    if print_file(again.tree) != printed:
        yield "printing again changes the text"


def _formatted(parsed: Parsed, summary: object) -> Iterator[str]:
    done = format_source(parsed.mark + parsed.source.text)
    if done.kept:
        yield "the formatter's own check failed"
    again = parse(done.text)
    if not again.ok or summarise(again.tree) != summary:
        yield "what is formatted means something else"
    if comments(again) != comments(parsed):
        yield "formatting loses a comment"
    if format_source(done.text).text != done.text:
        yield "formatting again changes the text"


def comments(parsed: Parsed) -> list[str]:
    """Every comment of a text, in order, without blanks behind it."""
    return [found.rstrip() for token in parsed.tokens for found in _COMMENT.findall(token.trivia)]


def costly(source: str) -> str:
    """What is wrong with reading a text again, and with how many calls it takes; "" when nothing. No clock decides."""
    parsed, again = parse(source), parse(source)
    if _exactly(parsed) != _exactly(again):
        return "read twice, it is read otherwise"
    tokens = parsed.tokens.kinds.index(END)
    for work in (parse, format_source):
        if _calls(work, source) > _CALLS + _CALLS_A_TOKEN * tokens:
            return f"{work.__name__} takes more calls than its tokens allow"
    return ""


def _exactly(parsed: Parsed) -> tuple[object, ...]:
    """All of a reading, flat: comparing the nodes themselves would recurse as deep as they nest."""
    spans = [node.span for node in walk(parsed.tree)]
    return meaning(parsed.tree), spans, parsed.tokens, parsed.diagnostics, parsed.mark


def _calls(work: Callable[[str], object], source: str) -> int:
    count = 0

    def see(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        work(source)
    finally:
        sys.setprofile(before)
    return count
