"""How our entries stand in a client's files: there and right, there in another form, missing, or not to be read.

Owns that look; nothing is written. Knows nothing of what to do about it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ferrule.adapters.clients import json_text
from ferrule.adapters.clients.changes import read_file, target_of
from ferrule.adapters.clients.command_lines import Spoken, spoken
from ferrule.adapters.clients.described import Client, Folders, HookEntry, MemberEntry, TableEntry, TextEntry, Wish
from ferrule.adapters.clients.placing import own_hooks, own_member, own_table
from ferrule.errors import FerruleError

__all__ = ["Standing", "standings"]


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry as it stands.

    Attributes:
        entry: the entry as it should be.
        found: what is there of ours; None when nothing is.
        says: what its command says.
        place: the numbers of group and handler of a hook.
        trouble: why it cannot be told; empty when it can.
    """

    entry: HookEntry | MemberEntry | TableEntry
    found: Mapping[str, object] | None = None
    says: Spoken | None = None
    place: tuple[int, int] | None = None
    trouble: str = ""

    @property
    def is_right(self) -> bool:
        """Whether it is there as it should be; what somebody added to it does not matter."""
        return self.found is not None and all(self.found.get(name) == value for name, value in self._wished.items())

    @property
    def _wished(self) -> Mapping[str, object]:
        match self.entry:
            case HookEntry(handler=handler):
                return handler
            case MemberEntry(value=value):
                return value
            case TableEntry(values=values):
                return values


def standings(client: Client, folders: Folders, wish: Wish) -> tuple[Standing, ...]:
    """Every entry that is written into a file of the client's own, as it stands; never raises."""
    entries = [entry for entry in client.entries(folders, wish) if not isinstance(entry, TextEntry)]
    return tuple(map(_standing, entries))


def _standing(entry: HookEntry | MemberEntry | TableEntry) -> Standing:
    try:
        data = read_file(target_of(entry.file))
        if data is None:
            return Standing(entry)
        return _looked(entry, data.decode("utf-8"))
    except UnicodeDecodeError:
        return Standing(entry, trouble=f"{entry.file}: it is not UTF-8")
    except FerruleError as error:
        told = str(error)
        return Standing(entry, trouble=told if str(entry.file) in told else f"{entry.file}: {told}")


def _looked(entry: HookEntry | MemberEntry | TableEntry, text: str) -> Standing:
    match entry:
        case HookEntry(event=event):
            for _, group, at, handler in own_hooks(json_text.load(text), event):
                return Standing(entry, handler, spoken(handler.get("command")), (group, at))
            return Standing(entry)
        case MemberEntry():
            member = own_member(json_text.load(text), entry)
            return Standing(entry, member, None if member is None else spoken(entry.command(member)))
        case TableEntry():
            table = own_table(text, entry)
            return Standing(entry, table, None if table is None else spoken(_words(table)))


def _words(table: Mapping[str, object]) -> list[object]:
    arguments = table.get("args")
    return [table.get("command"), *(arguments if isinstance(arguments, list) else ())]
