"""A person moves what a session remembers into its project's own ontology: shown first, then written and attested.

Owns which checkout that is, what its folder says already, and the change as a whole: all of it, or nothing (DEC-D8).
The session's memory stays. Knows nothing of how a change is printed.
"""

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ferrule.adapters.projects.ontology import FOLDER
from ferrule.adapters.projects.places import git_root, main_root, origin_of, real
from ferrule.adapters.projects.records import Trusted, put_trusted
from ferrule.adapters.projects.writing import Change, put_files
from ferrule.bridge.values import Receipt
from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.memory.promoting import (
    Objection,
    Permanent,
    Terms,
    addition_text,
    definition_text,
    form_of,
    missing_in,
)
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.resolve import Ontology
from ferrule.referents.kinds import HandleKind
from ferrule.session.place import normal_remote
from ferrule.session.source import SourceSession
from ferrule.wiring.home import Home
from ferrule.wiring.projects import Trust, standing
from ferrule.wiring.trusting import ignored_in, project_root, sifted

__all__ = ["Promotion", "Promotions", "promoted", "promotions"]

_SUFFIX = ".pts"


@dataclass(frozen=True, slots=True)
class Promotion:
    """What becomes of one memory: `verdict` is `new`, `added`, `unchanged` or `refused`.

    `text` is the definition or the addition; `left_out` names properties that stay with the session alone; `known_as`
    is what the project calls the same thing already.
    """

    name: str
    verdict: str
    file: str = ""
    text: str = ""
    left_out: tuple[str, ...] = ()
    objections: tuple[Objection, ...] = ()
    known_as: str = ""


@dataclass(frozen=True, slots=True)
class Promotions:
    """One change of a project's folder, before it is made.

    Attributes:
        session: whose memories they are.
        root: the checkout that is written into.
        items: one for each memory, in the order of their names.
        changes: the files, as they are and as they will be.
        texts: every text of the folder that is read, as it will be.
        ignored: the digests of those that must not be read.
        follows: whether the folder stays trusted: it was, or there was nothing in it.
    """

    session: str
    root: Path
    items: tuple[Promotion, ...]
    changes: tuple[Change, ...]
    texts: Mapping[str, str]
    ignored: Mapping[str, str]
    follows: bool

    @property
    def refused(self) -> bool:
        """Whether something stands against a part of it, and so against all of it."""
        return any(item.objections for item in self.items)

    def diff(self) -> tuple[str, ...]:
        """The change as a unified diff."""
        lines: list[str] = []
        for change in self.changes:
            name = "/".join((*FOLDER, change.name))
            before = "/dev/null" if change.before is None else f"a/{name}"
            old, new = (change.before or "").splitlines(), change.after.splitlines()
            lines += difflib.unified_diff(old, new, before, f"b/{name}", lineterm="")
        return tuple(lines)


def promotions(home: Home, session: SourceSession, names: Sequence[str], to: Path | str | None = None) -> Promotions:
    """What promoting these memories of a session would change.

    Raises:
        UsageError: a name that the session itself does not remember, or no checkout of its repository to write into.
        UnreadableInput: the project's folder as it is cannot be read whole, so that nobody knows what it says.
        StoreError: the home cannot be read.
    """
    layer = home.store.layer(session.key)
    unknown = next((name for name in names if layer.get(name) is None), None)
    if unknown is not None:
        hint = "ferrule memory list shows the names; what another session wrote is promoted with --session"
        raise UsageError(f"{session.key} has no memory named {unknown}; {hint}", code=Code.UNKNOWN_REFERENCE)
    root, terms = _checkout(session, to)
    found = standing(home.path, root)
    folder = sifted(found.folder)
    before = {text.name: text.text for text in folder.texts}
    below, problem = home.projects.with_texts(root, before)
    if problem:
        raise UnreadableInput(f"mend this first: {problem}", code=Code.PARSE)
    ordered = sorted(dict.fromkeys(names))
    formed = {name: _formed(home, session.key, name, _Ground(below, terms)) for name in ordered}
    items = [_item(*formed[name], below, set(before)) for name in ordered]
    items = [_unless_known(home, session.key, item, below) for item in items]
    items = _linked(items, {name: form for name, (form, _) in formed.items()}, Ontology(below), session.key)
    changes = [] if any(item.objections for item in items) else _changes(items, before)
    after = before | {change.name: change.after for change in changes}
    if not any(item.objections for item in items):
        items, changes = _proved(items, changes, home.projects.with_texts(root, after)[1])
    follows = found.trust is Trust.TRUSTED or not before
    return Promotions(session.key, root, tuple(items), tuple(changes), after, ignored_in(found.folder, before), follows)


def promoted(home: Home, change: Promotions) -> tuple[Receipt, ...]:
    """Write it, with a receipt for each definition. A folder that was trusted, or empty, is trusted as it is then.

    Raises:
        StoreError: a link or special file stands in the way, a file is no longer as it was shown, or the disk or the
            home cannot be written. There is no receipt then.
    """
    writes = [(item.name, item.text) for item in change.items if item.text]
    if change.refused or not writes:
        return ()
    with home.store.unit():
        receipts = home.store.attest(change.session, "promoted", writes)
        put_files(change.root, change.changes)
    if change.follows:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        put_trusted(home.path, Trusted(real(change.root), at, change.texts, change.ignored))
    return receipts


def _checkout(session: SourceSession, to: Path | str | None) -> tuple[Path, Terms]:
    """The checkout to write into, and what the session's paths are relative to."""
    own = git_root(session.cwd)
    if to is None and own is None:
        where = f"{session.cwd} is in no git repository here" if session.cwd else "its folder is not known"
        line = f"{session.key}: {where}; name a checkout of its repository with --to PATH"
        raise UsageError(line, code=Code.UNSAFE_PATH)
    root = project_root(to) if to is not None else real(own or "")
    if to is not None:
        _check_same(session, own, root)
    if root == real(Path("~").expanduser()):
        raise UsageError(f"{root} is your home folder, not a project", code=Code.UNSAFE_PATH)
    shown = (own, real(own), main_root(own)) if own else (Path(session.cwd or root),)
    spelled = dict.fromkeys(str(one) for one in (*shown, root, main_root(root)))
    top = str(root)

    def stays(path: str) -> bool:
        return f"{real(root / path)}/".startswith(f"{top}/")

    return root, Terms(session.cwd or top, tuple(spelled), session.repository or "", stays=stays)


def _check_same(session: SourceSession, own: Path | None, root: Path) -> None:
    """A path from another repository's root would be wrong there, so the target has to be of the same one."""
    if own is not None and main_root(own) == main_root(root):
        return
    here = session.repository or (normal_remote(origin_of(own)) if own else None)
    there = normal_remote(origin_of(root))
    if here and there and here.lower() == there.lower():
        return
    told = f"{session.key} worked in {here or own or session.cwd or 'no known repository'}"
    raise UsageError(f"{told}, and {root} is not known to be the same repository", code=Code.UNSAFE_PATH)


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a memory is judged against: the permanent layer as the folder has it now, and the session's place."""

    below: PrototypeLayer
    terms: Terms


def _formed(home: Home, session: str, name: str, ground: _Ground) -> tuple[Permanent, tuple[Objection, ...]]:
    layer = home.store.layer(session)
    memory = layer.get(name)
    if memory is None:  # forgotten since it was asked for
        raise UsageError(f"{session} has no memory named {name}", code=Code.UNKNOWN_REFERENCE)
    keys = {(one.property, one.value): one.key for one in home.store.handles(session, name)}
    known = Ontology(ground.below, layer, home.store.lineage(session))
    whole = replace(memory, bases=memory.bases or (known.get(name) or memory).bases)
    return form_of(
        whole,
        known,
        replace(ground.terms, keys=keys),
        modality=home.store.turn_of(session, name)[1],
        origins={origin.property: origin for origin in home.store.provenance(session, name)},
        held=ground.below.get(name) is not None,
    )


def _item(form: Permanent, objections: tuple[Objection, ...], below: PrototypeLayer, files: set[str]) -> Promotion:
    name = form.prototype.name
    file = f"{name.replace('#', '-')}{_SUFFIX}"
    if objections:
        return Promotion(name, "refused", objections=objections)
    known = Ontology(below)
    held = known.get(name)
    if held is None:
        alike = next((one for one in (*below.spelled(name), *_alike(file, files)) if one != name), "")
        if alike:
            reason = f"the project has {alike} already, which differs in case alone"
            return Promotion(name, "refused", objections=(Objection("", reason),))
        return Promotion(name, "new", file, definition_text(form), form.left_out)
    if known.is_type(name):
        return Promotion(name, "refused", objections=(Objection("", "a type of that name is permanent already"),))
    text, against = addition_text(form, held)
    if against:
        return Promotion(name, "refused", objections=against)
    return Promotion(name, "added" if text else "unchanged", file if text else "", text, form.left_out)


def _unless_known(home: Home, session: str, item: Promotion, below: PrototypeLayer) -> Promotion:
    """A second name for what the project reaches by the same handles would only part what belongs together."""
    links = HandleKind.TYPED_REFERENCE
    keys = [one.key for one in home.store.handles(session, item.name) if one.kind is not links and one.key]
    if item.verdict != "new" or not keys:
        return item
    carriers = set.intersection(*(set(below.holding(key)) for key in keys))
    if not carriers:
        return item
    known = min(carriers)
    reason = f"the project has {known} for it already"
    return Promotion(item.name, "refused", objections=(Objection("", reason),), known_as=known)


def _alike(file: str, files: set[str]) -> tuple[str, ...]:
    return tuple(one for one in sorted(files) if one != file and one.casefold() == file.casefold())


def _linked(
    items: Sequence[Promotion], forms: Mapping[str, Permanent], permanent: Ontology, session: str
) -> list[Promotion]:
    """What links to a memory that stays behind is refused, and so is what links to that."""
    told = list(items)
    while True:
        along = [item.name for item in told if not item.objections]
        for at, item in enumerate(told):
            missing = () if item.objections else missing_in(forms[item.name].prototype, permanent, along)
            if missing:
                more = " ".join((item.name, *missing))
                links = f"it links to {', '.join(missing)}, which only this session knows"
                reason = f"{links}; promote both: ferrule memory promote {more} --session {session}"
                told[at] = Promotion(item.name, "refused", objections=(Objection("", reason),))
                break
        else:
            return told


def _changes(items: Sequence[Promotion], before: Mapping[str, str]) -> list[Change]:
    """One file for each memory, named after it; an addition goes behind what stands there."""
    changes: list[Change] = []
    for item in items:
        if item.text:
            held = before.get(item.file)
            after = item.text if held is None else f"{held.rstrip(os.linesep)}\n\n{item.text}"
            changes.append(Change(item.file, held, after))
    return changes


def _proved(
    items: Sequence[Promotion], changes: Sequence[Change], problem: str
) -> tuple[list[Promotion], list[Change]]:
    """Nothing is shown as possible that the loader would not read back."""
    if not problem:
        return list(items), list(changes)
    against = (Objection("", f"it would not be read back: {problem}"),)
    return [replace(item, verdict="refused", text="", objections=against) for item in items], []
