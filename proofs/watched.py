"""`python -m proofs.watched HOME CANARY PORT COUNT SEED [PLANT]`: hostile definitions are handled under watch.

Owns the watch (INV-I5): a hook of the interpreter that cannot be taken out again, so it needs a process of its own.
Each definition is checked, written and restored, all are shown, searched and told; it prints as JSON what happened.
Knows nothing of the verdict.
"""

import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from ferrule.errors import Code, FerruleError
from ferrule.memory import admission, nlmemory
from ferrule.memory.submission import AdmissionView, Submission, Verdict
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import Home, open_home
from ferrule.wiring.recalling import reader_of, recall
from proofs.payloads import definitions, payloads

KEY = "desk:alpha"
# Whatever starts, loads, compiles or reaches out.
_RUNS = (
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.spawn",
    "os.startfile",
    "ctypes.",
    "compile",
    "exec",
    "import",
    "marshal.",
    "pickle.",
    "code.",
    "socket.",
    "urllib.",
    "http.",
    "ftplib.",
    "smtplib.",
    "webbrowser.",
    "sqlite3.enable_load_extension",
    "sqlite3.load_extension",
)
_MOST_TOLD = 20


class Watch:
    """What happened while it was on."""

    def __init__(self, home: Path) -> None:
        self.home = os.path.realpath(home)
        self.on = False
        self.events: Counter[str] = Counter()
        self.outside: list[str] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """The hook."""
        if not self.on:
            return
        self.events[event] += 1
        told = ""
        if event in {"open", "sqlite3.connect"} and isinstance(arguments[0], str | bytes | os.PathLike):
            told = self._place(os.fsdecode(arguments[0]))
        elif event.startswith(_RUNS):
            told = repr(arguments)[:160]
        if told and len(self.outside) < _MOST_TOLD:
            self.outside.append(f"{event}: {told}")

    def _place(self, name: str) -> str:
        path = os.path.realpath(name.removeprefix("file://").partition("?")[0])
        # A name without a folder is opened below a folder of the home that is open already.
        return "" if path.startswith(self.home) or os.sep not in name else name


def texts_of_tests() -> Iterator[str]:
    """The texts of the hostile critic's cases, where the repository's tests are."""
    tests = Path(__file__).parents[1] / "tests"
    sys.path[:0] = [str(tests / "support"), str(tests / "hostile")]
    for path in sorted((tests / "hostile").glob("test_*_attacks.py")):
        try:
            module = import_module(path.stem)
        except ImportError:
            continue
        for value in vars(module).values():
            yield from _texts(value, 0)


def _texts(value: object, depth: int) -> Iterator[str]:
    text = getattr(value, "text", None)
    if isinstance(text, str):
        yield text
    elif isinstance(value, list | tuple) and depth < 3:  # noqa: PLR2004 - a table, its rows, their cells
        for one in value:
            yield from _texts(one, depth + 1)
    elif hasattr(value, "values") and isinstance(getattr(value, "values", None), tuple):
        yield from _texts(value.values, depth + 1)


def handled(home: Home, texts: list[str], words: tuple[str, ...]) -> Counter[str]:
    """Check, write and restore each; show, search and tell all; what was answered."""
    answers: Counter[str] = Counter()
    memory = memory_of(home, KEY)
    for text in texts:
        for ask in (memory.check, memory.write):
            answers[_answered(ask, text)] += 1
    for at in range(0, len(texts), 50):
        answers[f"restored: {_answered(memory.restore, chr(10).join(texts[at : at + 50]))}"] += 1
    memory.project(KEY)
    memory.verify(KEY)
    reader = reader_of(home, KEY)
    for word in words:
        reader.find(word)
    for details in reader.list():
        reader.details(details.name)
        reader.schema(details.name)
    recall(home, KEY)
    return answers


def _answered(ask: Callable[[str, str], object], text: str) -> str:
    try:
        return type(ask(KEY, text)).__name__
    except FerruleError as error:
        return f"INTERNAL: {error}"[:200] if error.code is Code.INTERNAL else f"{error.code}"


def _plant(canary: str) -> None:
    """A parser that opens what a definition names: the watch must see it."""
    whole = admission.admit

    def reads(submission: Submission, view: AdmissionView) -> Verdict:
        if canary in submission.text:
            Path(canary).read_bytes()
        return whole(submission, view)

    nlmemory.admit = reads  # type: ignore[attr-defined]


def main(words: list[str]) -> None:
    """Handle the texts and print what happened."""
    place, canary, port, count, seed = Path(words[0]), words[1], int(words[2]), int(words[3]), int(words[4])
    texts = [*definitions(count, seed, canary, port), *texts_of_tests()]
    watch = Watch(place)
    sys.addaudithook(watch)
    with open_home(place) as home:
        home.store.put_session(SourceSession(key=KEY, profile=SOURCE_PROFILE, client="desk"))
        handled(home, texts[:60], payloads(canary, port))  # whatever is loaded on first use is loaded now
        if words[5:]:
            _plant(canary)
        watch.on = True
        answers = handled(home, texts, payloads(canary, port))
        watch.on = False
        remembered = len(home.store.layer(KEY).names())
    known = {"texts": len(texts), "remembered": remembered, "events": watch.events.total()}
    print(json.dumps({**known, "answers": answers, "outside": watch.outside, "network": _network()}))


def _network() -> bool:
    """Whether this process has any road out."""
    return any(name != "lo" for _, name in socket.if_nameindex())


if __name__ == "__main__":
    main(sys.argv[1:])
