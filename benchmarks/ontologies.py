"""A permanent ontology of any size as a house would have it, the same one for the same seed.

Owns making folders of `.pts` files: areas with types of their own, entities with handles, links and aliases, parts of
an entity in other files, a table of handle names. Knows nothing of how they are read or measured.
"""

import random
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Made", "make_ontology"]

_AREAS = (
    "billing",
    "harbour",
    "parser",
    "ledger",
    "search",
    "media",
    "queue",
    "archive",
    "fleet",
    "weather",
    "routing",
    "print",
)
_THINGS = (
    "service",
    "module",
    "importer",
    "exporter",
    "gateway",
    "worker",
    "report",
    "scheduler",
    "index",
    "mirror",
    "console",
    "feed",
)
_MARKS = (
    "north",
    "south",
    "amber",
    "cobalt",
    "cedar",
    "basalt",
    "copper",
    "quiet",
    "lateral",
    "inner",
    "outer",
    "upper",
    "lower",
    "linen",
)
_TYPES_OF_FILE = 4
_PARTS_OF_FILE = 6


@dataclass(frozen=True, slots=True)
class Made:
    """What was made: the folder, how many prototypes, and some entities with a handle and an alias to look for."""

    folder: Path
    prototypes: int
    samples: tuple[tuple[str, str, str], ...]


def make_ontology(folder: Path, prototypes: int, files: int, seed: int = 7) -> Made:
    """Write `files` files with so many prototypes in all below `folder`, and a `handles.toml` beside them."""
    chance = random.Random(seed)  # noqa: S311 - the same folder every time is the point
    each, rest = divmod(prototypes, files)
    samples: list[tuple[str, str, str]] = []
    earlier: list[str] = []
    for number in range(files):
        area = _AREAS[number % len(_AREAS)]
        count = each + (number < rest)
        types = [f"{area.title()}Kind{number}x{at}" for at in range(min(_TYPES_OF_FILE, count))]
        blocks = [_type(types, at, area) for at in range(len(types))]
        entities: list[str] = []
        for at in range(len(types), count):
            name, text, sample = _entity(chance, (number, at), area, types=types, earlier=earlier)
            entities.append(name)
            blocks.append(text)
            samples.append(sample)
        blocks += [_part(name, number) for name in chance.sample(earlier, min(_PARTS_OF_FILE, len(earlier)))]
        earlier = (earlier + entities)[-2000:]
        place = folder / area / f"part{number:04d}.pts"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join(blocks), encoding="utf-8")
    (folder / "handles.toml").write_text('[suffixes]\nother-id = ["Mark"]\n', encoding="utf-8")
    return Made(folder, prototypes, tuple(chance.sample(samples, min(200, len(samples)))))


def _type(types: list[str], at: int, area: str) -> str:
    base = types[at - 1] if at % 2 else "SemanticEntityBase"
    return (
        f"// What the {area} people count as one.\n"
        f"prototype {types[at]} : {base}\n{{\n\tString {area.title()}Mark{at};\n\tInt Rank{at} = 1;\n}}\n"
    )


def _entity(
    chance: random.Random, at: tuple[int, int], area: str, *, types: list[str], earlier: list[str]
) -> tuple[str, str, tuple[str, str, str]]:
    thing, mark = chance.choice(_THINGS), chance.choice(_MARKS)
    name = f"{area.title()}{mark.title()}{thing.title()}{at[0]}x{at[1]}"
    kinds = (
        ("Repository", "RemoteUrl", f"https://git.example/{area}/{name.lower()}.git"),
        ("Document", "FilePath", f"docs/{area}/{mark}/{thing}-{at[0]}-{at[1]}.md"),
        ("Service", "ServiceUrl", f"https://{thing}-{at[0]}-{at[1]}.{area}.example/"),
        ("Host", "HostName", f"{thing}-{at[0]}-{at[1]}.{area}.example"),
        (chance.choice(types), "", ""),
    )
    kind, handle, value = chance.choice(kinds)
    if not handle:
        handle, value = "String CasePath", f"cases/{area}/{at[0]}/{at[1]}.md"
    alias = f"{mark} {area} {thing} {at[0]} {at[1]}"
    lines = [
        f'\tEntityName = @"{mark.title()} {area} {thing} {at[0]} {at[1]}";',
        f'\tAliases = @"{alias}; {area} {thing} of lot {at[0]}.{at[1]}";',
        f'\tDescription = @"The {thing} that the {area} people keep for {chance.choice(_MARKS)} weeks.";',
        f'\t{handle} = @"{value}";',
    ]
    if earlier and chance.random() < 0.3:  # noqa: PLR2004 - a third of all link to another one
        other = chance.choice(earlier)
        lines.append(f"\tSemanticEntityBase Follows = {other};")
    head = f'[SemanticEntity("{alias}")]\n' if chance.random() < 0.5 else ""  # noqa: PLR2004 - half carry the phrase
    body = "\n".join(lines)
    return name, f"{head}prototype {name} : {kind}\n{{\n{body}\n}}\n", (name, value, alias)


def _part(name: str, number: int) -> str:
    return f'partial prototype {name}\n{{\n\tString SeenPath{number} = @"notes/{number}/{name.lower()}.md";\n}}\n'
