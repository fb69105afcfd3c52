"""A session is a tree of lines: every line belongs to the prompt above it, and a rewind leaves branches behind.

Owns ancestry: the owner of a line, the branch that counts (the one with the latest leaf), and the order of lines.
Knows nothing of what turns are made of.
"""

from collections.abc import Iterable

from ferrule.adapters.transcripts.claude_code.entries import Entry

__all__ = ["Chain", "opens_turn"]

_MAX_LINKS = 10_000


class Chain:
    """The lines of one session by ancestry. Lines that stand twice under one uuid count once."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._by_uuid: dict[str, Entry] = {}
        self.entries: list[Entry] = []
        for entry in entries:
            if entry.uuid and entry.uuid in self._by_uuid:
                continue
            if entry.uuid:
                self._by_uuid[entry.uuid] = entry
            self.entries.append(entry)
        self.entries = _in_order(self.entries)
        self._owners: dict[str, Entry | None] = {}

    def owners(self) -> list[tuple[Entry, Entry | None]]:
        """Every line with the prompt it belongs to: the nearest one above it, else the nearest one before it."""
        found: list[tuple[Entry, Entry | None]] = []
        before: Entry | None = None
        for entry in self.entries:
            if opens_turn(entry):
                before = entry
            found.append((entry, entry if opens_turn(entry) else self._owner(entry) or before))
        return found

    def _owner(self, entry: Entry) -> Entry | None:
        walked: list[str] = []
        here: Entry | None = entry
        owner: Entry | None = None
        while here is not None and here.uuid not in walked[-1:]:
            if here.uuid in self._owners:
                owner = self._owners[here.uuid]
                break
            if opens_turn(here):
                owner = here
                break
            if here.uuid:
                walked.append(here.uuid)
                self._owners[here.uuid] = None  # a loop of parents ends here
            here = self._by_uuid.get(here.parent or "")
        for uuid in walked:
            self._owners[uuid] = owner
        return owner

    def abandoned(self) -> set[str]:
        """The uuids of prompts on branches that a rewind left behind.

        The branch that counts ends in the latest line. Where it has no parent, an older chain ends before it (a
        compaction, a resumed session), and that one counts too.
        """
        messages = [e for e in self.entries if e.kind in {"user", "assistant"} and e.uuid and not e.sidechain]
        kept: set[str] = set()
        first: Entry | None = None
        for leaf in reversed(messages):
            if leaf.uuid in kept:
                first = leaf
            elif first is None or self._is_root(first):
                path = self._path(leaf)
                if not path & kept:
                    kept |= path
                    first = leaf
        return {e.uuid for e in messages if opens_turn(e) and e.uuid not in kept}

    def message_above(self, entry: Entry) -> Entry | None:
        """The nearest message above a line."""
        here = self._by_uuid.get(entry.parent or "")
        for _ in range(_MAX_LINKS):
            if here is None or here.kind in {"user", "assistant"}:
                return here
            here = self._by_uuid.get(here.parent or "")
        return None

    def _is_root(self, entry: Entry) -> bool:
        return self.message_above(entry) is None

    def _path(self, leaf: Entry) -> set[str]:
        path: set[str] = set()
        here: Entry | None = leaf
        while here is not None and here.uuid not in path:
            path.add(here.uuid)
            here = self._by_uuid.get(here.parent or "")
        return path


def opens_turn(entry: Entry) -> bool:
    """Whether a line opens a turn: a person's prompt, or a notice that starts one without a person."""
    return entry.kind == "user" and entry.prompt is not None and entry.prompt.kind in {"human", "notice"}


def _in_order(entries: list[Entry]) -> list[Entry]:
    """By time where every message has one, else as written; lines of one moment stay as written."""
    messages = [entry for entry in entries if entry.kind in {"user", "assistant"}]
    if not all(entry.stamp for entry in messages):
        return entries
    latest = ""
    for entry in entries:  # a line without time (a title, a link) stays where it stands
        latest = entry.stamp or latest
        entry.stamp = latest
    return sorted(entries, key=lambda entry: (entry.stamp, entry.position))
