"""A lane is one reviewer with its settings, written `[NAME=]KIND[:ARGUMENT][,KEY=VALUE…]` on the command line.

Owns the value, its words and its name, which is also the name of its folder. Which kinds exist and which settings they
take is known in `wiring`, where a kind is opened. Knows nothing of reviewers or files.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ferrule.errors import Code, UsageError

__all__ = ["DEFAULT_LANE", "Lane", "parse_lane", "told_apart"]

DEFAULT_LANE = "embedded"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_MOST = 4096
_MOST_LANES = 32


@dataclass(frozen=True, slots=True)
class Lane:
    """One reviewer with its settings.

    Attributes:
        name: how figures and the folder of the lane are called; unique in a run.
        kind: which sort of reviewer (`embedded`, `file` …).
        argument: what the kind is about, where it needs one: a file, a model.
        settings: as given, by name.
        about: facts that `wiring` adds when it opens the lane (`reviewer`, `weights`, a file's digest …); they belong
            to what a run is of.
    """

    name: str
    kind: str
    argument: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)

    def json_form(self) -> dict[str, object]:
        """As it stands in `run.json` and `metrics.json`."""
        return {
            "name": self.name,
            "kind": self.kind,
            "argument": self.argument,
            "settings": dict(sorted(self.settings.items())),
            "about": dict(sorted(self.about.items())),
        }


def parse_lane(text: str) -> Lane:
    """A lane from its words; the kind is not checked here.

    Raises:
        UsageError: the words do not parse, or the name cannot be a folder's.
    """
    if len(text) > _MOST:
        raise UsageError(f"a lane is described in at most {_MOST} characters", code=Code.BAD_TOOL_ARGS)
    head, colon, rest = text.partition(":")
    name, equals, kind = head.rpartition("=")
    if not kind or (equals and not name) or (colon and not rest):
        raise UsageError(
            f"--lane {text}: a lane is [NAME=]KIND[:ARGUMENT][,KEY=VALUE…], as in embedded:threshold=0.5",
            code=Code.BAD_TOOL_ARGS,
        )
    argument, settings = _parts(kind, rest, text)
    name = name or _default_name(kind, argument, settings)
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"--lane {text}: the name of a lane is letters, digits, `.`, `_` and `-`, at most 64 of them",
            code=Code.BAD_TOOL_ARGS,
        )
    return Lane(name, kind, argument, settings)


def _parts(kind: str, rest: str, text: str) -> tuple[str, dict[str, str]]:
    """Argument and settings; a file's name may hold any character, so that it is always the whole rest."""
    if kind == "file":
        return rest, {}
    argument, settings = "", dict[str, str]()
    for place, part in enumerate(rest.split(",") if rest else ()):
        key, equals, value = part.partition("=")
        if not equals and place == 0:
            argument = part
        elif not (equals and key and value) or key in settings:
            raise UsageError(f"--lane {text}: `{part}` is not a setting like threshold=0.5", code=Code.BAD_TOOL_ARGS)
        else:
            settings[key] = value
    return argument, settings


def _default_name(kind: str, argument: str, settings: Mapping[str, str]) -> str:
    """`embedded`, `embedded-threshold-0.5`, `file-other-critic`: readable, and fit for a folder."""
    last = argument.replace("\\", "/").rstrip("/").rpartition("/")[2].removesuffix(".jsonl")
    words = [kind, last, *(word for pair in sorted(settings.items()) for word in pair)]
    return "-".join(filter(None, (_UNFIT.sub("-", word).strip("-") for word in words)))[:64].rstrip("-.")


def told_apart(lanes: Sequence[Lane]) -> tuple[Lane, ...]:
    """The lanes, when their names differ also where upper and lower case are one.

    Raises:
        UsageError: two have the same name, or there are too many.
    """
    if len(lanes) > _MOST_LANES:
        raise UsageError(f"a run has at most {_MOST_LANES} lanes", code=Code.BAD_TOOL_ARGS)
    seen: set[str] = set()
    for lane in lanes:
        if lane.name.casefold() in seen:
            raise UsageError(
                f"two lanes are called {lane.name}; name one with --lane NAME={lane.kind}…", code=Code.BAD_TOOL_ARGS
            )
        seen.add(lane.name.casefold())
    return tuple(lanes)
