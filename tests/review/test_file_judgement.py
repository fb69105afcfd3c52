"""Which file a turn is about, though nobody may name it: each signal of files and folders, for and against."""

from dataclasses import dataclass

import pytest
from critic_cases import Said, bash, said_view, write

from ferrule.review.embedded.judging import kept, scene, weigh
from ferrule.review.embedded.pathclass import is_passing, is_support
from ferrule.review.embedded.ranker import explain, shipped_weights

_NOTHING = ("several small signs speak for it", "nothing in the turn singles it out")


def look(path: str) -> Said:
    """A file read."""
    return ("Read", {"file_path": path}, "text", True)


def signals(user: str, outcome: str, calls: tuple[Said, ...], value: str) -> dict[str, float]:
    """The signals of the thing that has a value ending so."""
    found = scene(said_view(user, outcome, *calls))
    for item in weigh(found):
        if any(spelled.endswith(value) for spelled in found.things[item.index].values):
            return dict(item.signals)
    return {}


@dataclass(frozen=True)
class Case:
    """A turn where a signal holds for a path, and one that differs in the point that matters."""

    name: str
    path: str
    holds: tuple[str, str, tuple[Said, ...]]
    fails: tuple[str, str, tuple[Said, ...]]


CASES = [
    Case(
        "plan_user",
        "docs/plans/berths.md",
        (
            "Read docs/plans/berths.md and tell me what you think.",
            "It is sound.",
            (look("/srv/quay/docs/plans/berths.md"),),
        ),
        ("Write docs/plans/berths.md for me.", "Written.", (write("/srv/quay/docs/plans/berths.md"),)),
    ),
    Case(
        "plan_first",
        "specs/mooring.md",
        ("Is the worker done?", "Yes: it wrote `specs/mooring.md` and `docs/words.md`.", ()),
        ("Is the worker done?", "Yes: it wrote `docs/words.md`, as `specs/mooring.md` says.", ()),
    ),
    Case(
        "shown_diff",
        "src/crane.ts",
        ("Add a json option to crane", "Read file: src/crane.ts\n\n```diff\n+ json\n```", ()),
        ("Add a json option to crane", "I looked at src/crane.ts and would add an option there.", ()),
    ),
    Case(
        "ordered",
        "README.md",
        ("Shall we update the readme?", "Yes, a section on berths is missing.", (look("/srv/quay/README.md"),)),
        ("What does the readme say?", "It tells of berths.", (look("/srv/quay/README.md"),)),
    ),
    Case(
        "answers_where",
        "modules/bastion/main.tf",
        ("Which module makes the bastion?", "It is `modules/bastion/main.tf`.", ()),
        ("Does the bastion start?", "It does: `modules/bastion/main.tf` has its size.", ()),
    ),
    Case(
        "saved",
        "tables/tides_2025.parquet",
        (
            "Clean the tide table.",
            "Saved the rows as `tables/tides_2025.parquet`.",
            (bash("python clean.py", "done"),),
        ),
        ("Clean the tide table.", "It was read from `tables/tides_2025.parquet`.", (bash("python clean.py", "done"),)),
    ),
    Case(
        "claimed",
        ".quay/harness.sh",
        ("ok, works", "The fix is ready. Changes made to `.quay/harness.sh`: a new id.", ()),
        ("ok, works", "The fix is ready. It was `.quay/harness.sh` that failed.", ()),
    ),
    Case(
        "called_folder",
        "berths/",
        ("Put all this into the berths directory.", "I shall write to `berths/` next.", ()),
        ("Put all this into berths and go on.", "I shall write to `berths/` next.", ()),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_signal_holds_for_its_file_and_not_for_its_neighbour(case: Case) -> None:
    """R4, R71: the rule behind each number, in two turns that differ in what matters."""
    assert signals(*case.holds, case.path).get(case.name, 0.0) > 0
    assert signals(*case.fails, case.path).get(case.name, 0.0) == 0


def test_a_temporary_twin_does_not_stand_beside_its_file() -> None:
    """R64: an outcome that also names a backup names only one file that may last."""
    found = signals(
        "try by hand", "Ran `cp rules/tide.mdc rules/tide.mdc.bak`; `rules/tide.mdc` is edited.", (), "tide.mdc"
    )
    assert found["outcome_only"] == 1.0


def test_a_specification_in_words_is_no_test() -> None:
    """R71: `specs/` holds tests in one repository and plans in the next; the ending tells."""
    assert not is_support("specs/mooring.md")
    assert is_support("specs/mooring.spec.ts")
    assert is_support("spec/mooring_spec.rb")


def test_an_agents_own_notes_last_though_its_transcripts_pass() -> None:
    """R64: transcripts are logs; the notes beside them are written to be read again."""
    assert is_passing("/home/ann/.claude/projects/-srv-quay/8b1f.jsonl")
    assert not is_passing("/home/ann/.claude/projects/-srv-quay/memory/MEMORY.md")


def test_three_changed_files_are_kept_and_of_many_first_what_git_cannot_list() -> None:
    """R71: a sweep's rest stays out; a host comes before a file when there is no room for both."""
    files = [(index, "file") for index in range(5)]
    assert kept((0, 1, 2, 3, 4), files) == (0, 1, 2)
    assert kept((), [*files, (9, "other")]) == (9, 0, 1, 2, 3, 4)


def test_every_heavy_signal_has_its_sentence() -> None:
    """R36: what can decide alone can be told."""
    for group, weights in shipped_weights().items():
        for name, weight in weights.weights.items():
            if abs(weight) >= 1.0:
                assert not explain(weights, {name: 1.0}, worth=weight > 0).startswith(_NOTHING), (group, name)
