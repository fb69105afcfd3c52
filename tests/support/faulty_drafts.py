"""Definitions with faults planted on purpose, each with what must be told of it and how its remedy is followed.

A draft is what a critic is about to propose: name, base, lines, what it claims, what it looked up. A fault spoils one
thing of it; `mend` does what the refusal's remedy says, and nothing that the remedy does not say.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from rule_cases import FILE, Critic, declared

from ferrule.bridge.values import Call, Modality, Refusal
from ferrule.memory.submission import Verdict
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped

NAME = "EntityName"
PATH = "FilePath"
LOG = "12:00:01 INFO tide\n12:00:02 INFO tide\n12:00:03 INFO tide\n12:00:04 INFO tide"


@dataclass
class Draft:
    """What a critic proposes and what it looked up for it."""

    name: str = "TideGauge"
    base: str = "SourceFile"
    target: str | None = None
    lines: dict[str, str] = field(
        default_factory=lambda: {NAME: f'{NAME} = @"Tide gauge";', PATH: f'{PATH} = @"{FILE}";'}
    )
    modality: Modality = Modality.EXISTING
    unsearched: set[str] = field(default_factory=set)
    uninspected: set[str] = field(default_factory=set)

    @property
    def text(self) -> str:
        """The definition, a member a line."""
        head = f"partial prototype {self.name}" if self.target else f"prototype {self.name} : {self.base}"
        return "\n".join((f"{head} {{", *self.lines.values(), "}"))

    def record(self, critic: Critic) -> tuple[Call, ...]:
        """The door's record: everything was looked up but what the fault left out."""
        calls = critic.searched(self.text, self.target)
        asked = [dict(call.arguments) for call in calls]
        return tuple(
            call
            for call, what in zip(calls, asked, strict=True)
            if what.get("query") not in self.unsearched and call.tool not in self.uninspected
        )

    def judge(self, critic: Critic) -> Verdict:
        """The verdict on it as it is now."""
        critic.modality, critic.record = self.modality, self.record(critic)
        return critic.judge(self.text, self.target)

    def drop(self, key: str) -> None:
        """Leave a line out."""
        self.lines.pop(key, None)


Mend = Callable[[Draft, Refusal], None]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        told: (rule, code, property) of every refusal that it makes.
        remedy: words that the remedy must say, so that `mend` does no more than it was told.
        hides: rules whose findings rest on what this fault spoils.
        spoils: parts of the draft that only one fault at a time may have.
    """

    id: str
    plant: Callable[[Draft], None]
    told: tuple[tuple[int, str, str], ...]
    remedy: str
    mend: Mend
    hides: tuple[int, ...] = ()
    spoils: tuple[str, ...] = ()


def line(key: str, text: str) -> Callable[[Draft], None]:
    """Add, or put in its place, one line."""
    return lambda draft: draft.lines.update({key: text})


def dropping(key: str) -> Mend:
    """Leave that line out."""
    return lambda draft, _: draft.drop(key)


def rewriting(key: str, text: str) -> Mend:
    """Write that line otherwise."""
    return lambda draft, _: draft.lines.update({key: text})


def setting(**values: object) -> Callable[[Draft], None]:
    """Set what is no line."""

    def plant(draft: Draft) -> None:
        for name, value in values.items():
            setattr(draft, name, value)

    return plant


def followed(**values: object) -> Mend:
    """Set what is no line, as the remedy says."""
    return lambda draft, _: setting(**values)(draft)


def claimed(draft: Draft, refusal: Refusal) -> None:
    """Claim the modality that the remedy names."""
    draft.modality = Modality(refusal.remedy.split()[1].strip(",."))


def stated(draft: Draft, refusal: Refusal) -> None:
    """State the modality that the remedy names."""
    draft.lines["LifecycleState"] = f'LifecycleState = @"{refusal.remedy.split()[1].strip(",.")}";'


FAULTS = (
    Fault("misnamed property", line("größe", 'String größe = @"40";'), ((3, "BAD_IDENTIFIER", "größe"),), "ASCII",
          rewriting("größe", 'String Groesse = @"40";')),
    Fault("member of the host", line("Children", 'String Children = @"40";'), ((3, "RESERVED_NAME", "Children"),),
          "Choose a name", rewriting("Children", 'String Gauging = @"40";')),
    Fault("unknown base", setting(base="Nowhere"), ((4, "UNKNOWN_TYPE", ""),), "a base that exists",
          followed(base="SourceFile"), spoils=("base",)),
    Fault("undeclared", line("Berth", 'Berth = @"40";'), ((5, "UNKNOWN_PROPERTY", "Berth"),), "as in String Berth =",
          rewriting("Berth", 'String Berth = @"40";'), spoils=("base",)),
    Fault("no such type", line("Low", 'string Low = @"40";'), ((5, "UNKNOWN_TYPE", "Low"),), "Write String",
          rewriting("Low", 'String Low = @"40";')),
    Fault("wrong type", line("Deep", 'Int Deep = @"40";'), ((5, "TYPE_MISMATCH", "Deep"),), "a value of type Int",
          rewriting("Deep", "Int Deep = 40;")),
    Fault("twice", line("Twice", 'String Twice = @"40"; Twice = @"40";'), ((5, "TYPE_MISMATCH", "Twice"),),
          "Write it once", rewriting("Twice", 'String Twice = @"40";')),
    Fault("respelt", line("filepath", 'String filepath = @"40";'), ((5, "ALREADY_EXISTS", "filepath"),),
          "or a name of its own", rewriting("filepath", 'String Reading = @"40";'), spoils=("base", "path")),
    Fault("no such thing", line("Home", "Repository Home = Nobody;"), ((5, "UNKNOWN_REFERENCE", "Home"),),
          "or leave the line out", dropping("Home")),
    Fault("secret", line("DoorPassword", 'String DoorPassword = @"Xk9$mQ2vLp7#wR4z";'),
          ((7, "SECRET_VALUE", "DoorPassword"),), "Leave the value out", dropping("DoorPassword")),
    Fault("no handle", lambda draft: draft.drop(PATH), ((8, "NO_HANDLE", ""),), "such as FilePath",
          rewriting(PATH, f'{PATH} = @"{FILE}";'), hides=(10,), spoils=("path",)),
    Fault("a handle from nowhere", line(PATH, f'{PATH} = @"/srv/quay/other.py";'), ((9, "NO_EVIDENCE", PATH),),
          "from a numbered mention", rewriting(PATH, f'{PATH} = @"{FILE}";'), hides=(10,), spoils=("path",)),
    Fault("a value from nowhere", line("Colour", 'String Colour = @"mauve";'), ((9, "NO_EVIDENCE", "Colour"),),
          "or leave it out", dropping("Colour")),
    Fault("an alias from nowhere", line("Aliases", 'Aliases = @"Pier watch";'), ((9, "NO_EVIDENCE", "Aliases"),),
          "or drop it", dropping("Aliases"), spoils=("base",)),
    Fault("a note from nowhere", line("Notes", 'Notes = @"See /etc/elsewhere.conf.";'), ((9, "NO_EVIDENCE", "Notes"),),
          "Leave it out", dropping("Notes"), spoils=("base",)),
    Fault("a name from nowhere", line(NAME, f'{NAME} = @"Zephyr gauge";'), ((9, "NO_EVIDENCE", NAME),),
          "as the user or the outcome does", rewriting(NAME, f'{NAME} = @"Tide gauge";'), spoils=("base", "name")),
    Fault("a prototype named from nowhere", setting(name="ZephyrGauge"), ((9, "NO_EVIDENCE", ""),),
          "after the words", followed(name="TideGauge"), spoils=("name",)),
    Fault("claimed too high", setting(modality=Modality.DELETED), (), "Claim", claimed, spoils=("modality",)),
    Fault("stated too high", line("LifecycleState", 'LifecycleState = @"deleted";'),
          ((10, "MODALITY", "LifecycleState"),), "Claim", stated, spoils=("base", "modality")),
    Fault("handle not searched", setting(unsearched={FILE}), ((11, "NO_SEARCH_PROOF", PATH),), "Search it",
          followed(unsearched=set()), spoils=("path", "search")),
    Fault("values not looked at", setting(uninspected={"details"}), ((11, "NOT_INSPECTED", ""),),
          "details of SourceFile", followed(uninspected=set()), spoils=("base", "search")),
    Fault("log lines", line("Journal", f'String Journal = @"{LOG}";'),
          ((9, "NO_EVIDENCE", "Journal"), (12, "NOT_DURABLE", "Journal")), "", dropping("Journal")),
)  # fmt: skip

STANDING = f'prototype TideGauge : SourceFile {{ {NAME} = @"Tide gauge"; {PATH} = @"{FILE}"; }}'


@cache
def shipped() -> InMemoryLayer:
    """The shipped ontology, read once: no rule changes it."""
    return load_shipped().layer


def a_critic(*, standing: bool) -> Critic:
    """A critic that has seen the turn; the gauge is known already when it stands."""
    critic = Critic(permanent=shipped())
    if standing:
        critic.write(STANDING)
    return critic


def an_addition() -> Draft:
    """An addition to the known gauge."""
    return Draft(target="TideGauge", lines={"Aliases": 'Aliases = @"water clock";'})


def overwriting(draft: Draft) -> Draft:
    """The same with a line that repeats what stands."""
    lines = {**draft.lines, PATH: f'{PATH} = @"/srv/quay/other.py";'}
    return replace(draft, lines=lines)


def properties(draft: Draft) -> list[str]:
    """The properties that it declares or assigns, as far as it can be read."""
    return [prop.name for prop in declared(draft.text).properties]
