"""A Gemini CLI file is folded into the messages that stand at its end: later lines replace or take back earlier ones.

Owns replaced ids, rewinds, and the list of messages that the client sets when it prunes what the model sees. Knows
nothing of turns.

`$set` with `messages` tells what the model is given from then on, which after a compaction is a summary and the latest
messages: what is missing there was said all the same. Only a list that is the beginning of what stands takes back its
end. `$rewindTo` takes back its message and all after it; an unknown one takes back everything, as the client does.
"""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ferrule.adapters.transcripts.fields import objects_at, text_at
from ferrule.adapters.transcripts.lines import Record

__all__ = ["Entry", "Log", "folded"]

_MAX_FACTS = 100
_MAX_WALKED = 2_000_000  # messages: each compaction costs a walk through the session


@dataclass(slots=True)
class Entry:
    """One message as it stands at the end; `gone` when it was taken back."""

    value: Mapping[str, Any]
    line: int
    gone: bool = False


@dataclass(slots=True)
class Log:
    """A session's facts and messages; messages that were taken back stay, marked."""

    facts: dict[str, Any] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)


def folded(records: Iterable[Record]) -> Log:
    """Fold the objects of a file, which may be one document or many lines."""
    folding = _Folding()
    for record in records:
        folding.take(record.value, record.line)
    return folding.log


class _Folding:
    """The log so far, and where each live message stands in it."""

    def __init__(self) -> None:
        self.log = Log()
        self._live: dict[str, Entry] = {}
        self._walked = 0

    def take(self, value: Mapping[str, Any], line: int) -> None:
        """Apply one line."""
        if "$rewindTo" in value:
            self._rewind(text_at(value, "$rewindTo"))
        elif text_at(value, "id") and "sessionId" not in value:
            self._put(value, line)
        else:
            patch = value.get("$set") if "$set" in value else value
            if isinstance(patch, dict):
                self._facts(patch)
                if isinstance(patch.get("messages"), list):
                    self._set([row for row in objects_at(patch, "messages") if text_at(row, "id")], line)

    def _facts(self, patch: Mapping[str, Any]) -> None:
        for key, item in patch.items():
            if key != "messages" and (key in self.log.facts or len(self.log.facts) < _MAX_FACTS):
                self.log.facts[key] = item

    def _put(self, value: Mapping[str, Any], line: int) -> None:
        entry = self._live.get(text_at(value, "id"))
        if entry is not None:
            entry.value = value
            return
        entry = Entry(value, line)
        self._live[text_at(value, "id")] = entry
        self.log.entries.append(entry)

    def _rewind(self, target: str) -> None:
        while self._live:
            identity, entry = self._live.popitem()
            entry.gone = True
            if identity == target:
                return

    def _set(self, rows: list[dict[str, Any]], line: int) -> None:
        wanted = [text_at(row, "id") for row in rows]
        if len(wanted) < len(self._live) and list(itertools.islice(self._live, len(wanted))) == wanted:
            # A list without an answer is what a client starts with, also when it takes up a session again.
            if not any(text_at(row, "type") == "gemini" for row in rows):
                return
            while len(self._live) > len(wanted):
                self._live.popitem()[1].gone = True
        elif any(identity not in self._live for identity in wanted):
            self._insert(rows, line)

    def _insert(self, rows: list[dict[str, Any]], line: int) -> None:
        """Put unknown messages before the known one that follows them, else at the end; known ones stay as they are."""
        before: dict[str, list[Entry]] = {}
        waiting: list[Entry] = []
        added: dict[str, Entry] = {}
        for row in rows:
            identity = text_at(row, "id")
            if identity in self._live:
                before.setdefault(identity, []).extend(waiting)
                waiting = []
            elif identity not in added:
                added[identity] = Entry(row, line)
                waiting.append(added[identity])
        if not any(before.values()) or self._walked > _MAX_WALKED:
            self.log.entries += [*itertools.chain.from_iterable(before.values()), *waiting]
            self._live.update(added)
            return
        self._walked += len(self.log.entries)
        entries: list[Entry] = []
        live: dict[str, Entry] = {}
        for entry in self.log.entries:
            identity = text_at(entry.value, "id")
            if not entry.gone:
                for one in before.pop(identity, ()):
                    entries.append(one)
                    live[text_at(one.value, "id")] = one
                live[identity] = entry
            entries.append(entry)
        self.log.entries = [*entries, *waiting]
        self._live = {**live, **{text_at(one.value, "id"): one for one in waiting}}
