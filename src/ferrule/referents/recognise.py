"""Every handle in a text is found in one pass, in order, with its verbatim span.

Owns the engine: which recogniser runs, who wins where two claim one span, what may nest. The recognisers themselves are
rows of `tables/recognisers.toml`; where a regular expression does not suffice, named functions of `scan/`.
Knows nothing of roles, turns or durability: a temporary path is recognised as well as any other.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from operator import attrgetter

from ferrule.errors import InternalError
from ferrule.referents.kinds import Found, HandleKind
from ferrule.referents.scan import commands, names, paths, places, webs, works
from ferrule.referents.secrets.mark import placeholder_spans
from ferrule.referents.shapes import accepts
from ferrule.referents.tables.reader import table

__all__ = ["Recogniser", "accepts", "recognise", "recognisers"]

Scan = Callable[[str], Iterator[Found]]
_ADDRESSES = frozenset({HandleKind.URL, HandleKind.DATABASE_ID})
_PASSING = frozenset({HandleKind.COMMAND, HandleKind.PROMPT_PATH})
_FUNCTIONS: Mapping[str, Scan] = {
    "web_addresses": webs.web_addresses,
    "git_remotes": webs.git_remotes,
    "hosts": webs.hosts,
    "installed_packages": names.installed_packages,
    "pinned_packages": names.pinned_packages,
    "upper_names": names.upper_names,
    "stored_names": names.stored_names,
    "qualified_numbers": works.qualified_numbers,
    "worded_numbers": works.worded_numbers,
    "tickets": works.tickets,
    "tasks": works.tasks,
    "uuids": works.uuids,
    "session_keys": works.session_keys,
    "commits": works.commits,
    "branches": works.branches,
    "paths": paths.paths,
    "commands": commands.commands,
}


@dataclass(frozen=True, slots=True)
class Recogniser:
    """One row of the table, ready to run."""

    name: str
    kind: HandleKind
    scan: Scan
    needs: tuple[str, ...]
    positives: tuple[tuple[str, str], ...]
    near_misses: tuple[str, ...]


@cache
def recognisers() -> tuple[Recogniser, ...]:
    """The rows of the table in order of precedence, compiled once."""
    rows = table("recognisers")["recogniser"]
    if not isinstance(rows, list):
        raise InternalError("the table of recognisers is not a list of rows")
    return tuple(_row(row) for row in rows)


def recognise(text: str, *, limit: int = 4000, kinds: AbstractSet[HandleKind] | None = None) -> tuple[Found, ...]:
    """All handles of a text, ordered by start, at most `limit`; with `kinds`, only rows of those kinds look.

    `text[found.start:found.end]` is verbatim; `value` is that text or, for a URL or command that carries a secret or
    its placeholder, the part without it (D9, D13). Spans overlap only where one contains the other: a URL the number or
    commit that it points at, a path an id, a command the handles in it; a prompt file is also a path.
    """
    found: list[Found] = []
    claimed = bytearray(len(text))
    for start, end in placeholder_spans(text):
        claimed[start:end] = b"\x01" * (end - start)
    ran: set[Scan] = set()
    for row in recognisers():
        if row.scan in ran or (kinds is not None and row.kind not in kinds):
            continue
        if row.needs and not any(map(text.__contains__, row.needs)):
            continue
        ran.add(row.scan)
        _collect(row.scan(text), found, claimed)
    found.sort(key=attrgetter("start", "end"))
    return tuple(found[:limit])


def _collect(hits: Iterator[Found], found: list[Found], claimed: bytearray) -> None:
    """Keep the hits whose span nobody claimed, and what an address of the same scan points at."""
    outer: Found | None = None
    for hit in hits:
        address = hit.kind in _ADDRESSES
        if hit.kind in _PASSING or (
            outer is not None and not address and outer.start <= hit.start and hit.end <= outer.end
        ):
            found.append(hit)
        elif address or _free(claimed, hit):
            claimed[hit.start : hit.end] = b"\x01" * (hit.end - hit.start)
            outer = hit if address else None
            found.append(hit)


def _free(claimed: bytearray, hit: Found) -> bool:
    """Whether nobody claimed the span. A path may hold an id, a ticket or a date inside; it may not begin with one."""
    if hit.kind is HandleKind.FILESYSTEM_PATH:
        return not claimed[hit.start]
    return claimed.find(1, hit.start, hit.end) < 0


def _row(row: Mapping[str, object]) -> Recogniser:
    kind = HandleKind(str(row["kind"]))
    function, pattern = row.get("function"), row.get("pattern")
    scan = _FUNCTIONS[str(function)] if function else _pattern_scan(str(pattern), kind, row)
    needs, positives, misses = (row.get(name, []) for name in ("needs", "positives", "near_misses"))
    if not (isinstance(needs, list) and isinstance(positives, list) and isinstance(misses, list)):
        raise InternalError(f"the row {row.get('name')!r} of the recognisers is malformed")
    words = [word for field in ("at", "after", "before") for word in _words(row, field)]
    return Recogniser(
        name=str(row["name"]),
        kind=kind,
        scan=scan,
        needs=tuple(needs or words),
        positives=tuple((str(text), str(value)) for text, value in positives),
        near_misses=tuple(str(text) for text in misses),
    )


def _words(row: Mapping[str, object], field: str) -> tuple[str, ...]:
    words = row.get(field, [])
    return tuple(str(word) for word in words) if isinstance(words, list) else ()


def _pattern_scan(source: str, kind: HandleKind, row: Mapping[str, object]) -> Scan:
    """The scan of a row with a pattern: everywhere, or only at, behind and before the row's words."""
    at, after, before = (_words(row, field) for field in ("at", "after", "before"))
    pattern = re.compile(source)
    ending = re.compile(f"(?:{source})\\Z") if before else pattern
    groups = tuple(pattern.groupindex)

    def matches(text: str) -> Iterator[re.Match[str]]:
        if not (at or after or before):
            yield from pattern.finditer(text)
        yield from places.with_lead(text, at, pattern, 0)
        yield from places.after(text, after, pattern)
        yield from places.before(text, before, ending)

    def scan(text: str) -> Iterator[Found]:
        for match in matches(text):
            group = next((name for name in groups if match[name] is not None), 0)
            value = match[group].rstrip(".,;:!?/-" if kind is not HandleKind.URL else ".,;:!?")
            start = match.start(group)
            hit = Found(kind, value, start, start + len(value))
            yield hit
            if kind is HandleKind.URL:
                yield from webs.nested(hit)

    return scan
