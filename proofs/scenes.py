"""A deed in one state of a home, prepared once, tried from a fresh copy each time.

Owns the copies and what the deed changes when nothing disturbs it: the home before, after, and the calls in between.
Knows nothing of faults.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ferrule.adapters.sqlite.backing_up import check_sound, read_manifest
from ferrule.adapters.sqlite.home import Head
from ferrule.errors import FerruleError
from proofs.children import Brood
from proofs.deeds import SOURCE, Bench, deed_of, prepared
from proofs.judging_homes import Held, held
from proofs.tracing import Call
from proofs.trials import Trial, trial
from proofs.world import fast_folder

__all__ = ["Scene", "staged_scenes", "workshop"]


@dataclass(frozen=True, slots=True)
class Scene:
    """One deed on one kind of home.

    Attributes:
        deed: its name.
        state: of the home before.
        base: the prepared folder, which is never touched.
        before: what the home holds then.
        after: what it holds when the deed is done.
        calls: what the deed called in the home's folder and beside it.
        texts: digests of readable files that are right as well: none at all, and one that caught up before the deed.
    """

    deed: str
    state: str
    base: Path
    before: Held
    after: Held
    calls: tuple[Call, ...]
    texts: frozenset[str] = frozenset({""})

    @contextmanager
    def fresh(self) -> Iterator[Path]:
        """A home of its own in this state; gone when the block ends."""
        folder = self.base.with_name("at-work")
        shutil.copytree(self.base, folder)
        try:
            yield folder / "home"
        finally:
            shutil.rmtree(folder)

    def is_after(self, home: Path) -> bool:
        """Whether the deed stands; a readable file may follow later."""
        if self.deed == "backup":
            return Bench(home).copy.exists()
        now = held(home)
        changes = self.before.rows != self.after.rows
        return now.rows == self.after.rows if changes else now.text == self.after.text

    def third(self, home: Path, *, acked: bool) -> Iterator[str]:
        """What the home holds that it must not: neither before nor after, or before although it was acknowledged."""
        now = held(home)
        if now.rows != self.after.rows and (acked or now.rows != self.before.rows):
            yield f"the store is not as after{' though acknowledged' if acked else ', nor as before'}"
        if now.text != self.after.text and (acked or now.text not in {self.before.text, *self.texts}):
            yield f"the readable file is not as after{' though acknowledged' if acked else ', nor as before'}"
        yield from _backups(Bench(home), must=acked and self.deed == "backup")


def _backups(bench: Bench, *, must: bool) -> Iterator[str]:
    """What bears the name of a backup is a whole one, with its manifest."""
    if not bench.copy.exists():
        if must:
            yield "acknowledged, and there is no backup"
        return
    try:
        manifest = read_manifest(bench.copy)
        if manifest is None:
            yield "a backup without its manifest"
            return
        check_sound(bench.copy, Head(manifest.receipts, manifest.head), "the backup")
    except FerruleError as error:
        yield str(error)


@contextmanager
def workshop(name: str) -> Iterator[Path]:
    """A folder for the scenes of a campaign, in memory where there is room; nothing of it is left."""
    folder = Path(tempfile.mkdtemp(prefix=f"ferrule-{name}-", dir=fast_folder()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def staged_scenes(family: Brood, folder: Path, names: tuple[str, ...], states: tuple[str, ...]) -> Iterator[Scene]:
    """Each deed in each of the states in which it can be done, played once without a fault.

    Raises:
        RuntimeError: the deed fails without any fault.
    """
    for state in states:
        base = folder / state
        prepared(base, state)
        for name in names:
            if state in deed_of(name).states:
                yield _played(family, Scene(name, state, base, Held("", ""), Held("", ""), ()))


def _played(family: Brood, scene: Scene) -> Scene:
    with scene.fresh() as home:
        before = held(home)
        bench = Bench(home)
        bench.memory.project(SOURCE.key)
        bench.close()
        texts = frozenset({"", held(home).text})
    with scene.fresh() as home:
        done = _done(family, home, scene.deed)
        after = held(home)
        own = tuple(call for call in done.calls if f"{home.parent}/" in call.text or f"{home.parent}>" in call.text)
    return Scene(scene.deed, scene.state, scene.base, before, after, own, texts)


def _done(family: Brood, home: Path, name: str) -> Trial:
    done = trial(family, home, name)
    if not done.acked or done.exit:
        raise RuntimeError(f"{name} fails without a fault: {done}")
    return done
