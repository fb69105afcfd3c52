"""Paths by their shape, words by their spelling, weights by their file: the small parts of a judgement."""

import pytest
from critic_cases import edit, said_view
from fake_door import FakeDoor

from ferrule.errors import InternalError
from ferrule.review.embedded.judging import judge, scene, weigh
from ferrule.review.embedded.pathclass import is_passing, is_support, path_type
from ferrule.review.embedded.ranker import GroupWeights, explain, read_weights, shipped_weights
from ferrule.review.embedded.reviewer import EmbeddedReviewer
from ferrule.review.embedded.scenes import GROUPS
from ferrule.review.embedded.words import spoken_aliases, stem_words
from ferrule.review.port import Limits

TYPES = [
    ("src/app.py", "SourceFile"),
    ("docs/plan.md", "Document"),
    ("README", "Document"),
    (".github/workflows/release.yml", "ConfigFile"),
    (".gitignore", "ConfigFile"),
    (".env.example", "ConfigFile"),
    ("Dockerfile", "ConfigFile"),
    ("run.sh", "Script"),
    ("Makefile", "Script"),
    (".git/hooks/pre-commit", "Script"),
    ("AGENTS.md", "PromptFile"),
    (".claude/commands/review.md", "PromptFile"),
    (".cursor/rules/style.mdc", "PromptFile"),
    ("data/app.sqlite3", "Database"),
    ("data/rows.csv", "Dataset"),
    ("weights/small.gguf", "Model"),
    ("packages/core/", "Directory"),
    ("/work/ponyc__0.1", "Directory"),
    ("/srv/quay.worktrees/tide", "Worktree"),
    (r"C:\quay\src\App.cs", "SourceFile"),
]
PASSING = [
    "work/tmp/x.py",
    "node_modules/a/index.js",
    "app/__pycache__/x.pyc",
    "build/report.html",
    "server.log",
    "old/notes.md.bak",
    "/path/to/file.txt",
    "<dir>/x",
    "results/{run}/out.json",
    "~/.claude/projects/-srv-quay/8b1f.jsonl",
    "/dev/null",
]
LASTING = ["src/app.py", "docs/temperature.md", "src/logger.go", "templates/page.html", "/srv/quay", "src/builder/x.go"]


@pytest.mark.parametrize(("path", "type_"), TYPES)
def test_a_path_tells_its_type(path: str, type_: str) -> None:
    """R26: the names of the shipped base ontology."""
    assert path_type(path) == type_


def test_an_edited_path_without_an_ending_is_a_file() -> None:
    """R26: nobody edits a folder."""
    assert path_type("bin/deploy") == "Directory"
    assert path_type("bin/deploy", edited=True) == "Script"
    assert path_type("src/codeowners_list", edited=True) == "SourceFile"


@pytest.mark.parametrize("path", PASSING)
def test_what_passes_is_recognised(path: str) -> None:
    """R61, R64: temporary, generated, logs, transcripts, placeholders."""
    assert is_passing(path)


@pytest.mark.parametrize("path", LASTING)
def test_what_lasts_is_not_taken_for_passing(path: str) -> None:
    """R4: only whole components count."""
    assert not is_passing(path)


def test_a_doubtful_folder_may_hold_work() -> None:
    """R64: `build/` is generated, unless somebody edits there."""
    assert is_passing("build/post.ps1")
    assert not is_passing("build/post.ps1", lenient=True)
    assert is_passing("work/tmp/post.ps1", lenient=True)


@pytest.mark.parametrize("path", ["tests/test_x.py", "src/x.test.ts", "pkg/x_test.go", "package.json", "uv.lock"])
def test_support_files_accompany_the_work(path: str) -> None:
    """R71: tests, manifests and lock files."""
    assert is_support(path)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("modules/ShopWebModule.cs", ("shop", "web", "module")),
        ("CHANGELOG.md", ("changelog",)),
        ("http_server-v2.go", ("http", "server", "v2")),
        (".gitignore", ("gitignore",)),
    ],
)
def test_a_name_falls_into_its_words(value: str, words: tuple[str, ...]) -> None:
    """R33: CamelCase, separators and endings."""
    assert stem_words(value) == words


def test_other_wordings_are_found_in_any_order_and_cited() -> None:
    """R19: "web shop module" for ShopWebModule, with the span where it stands."""
    view = said_view("We need a web shop module.", "Here it is.")
    ((words, span),) = spoken_aliases(("shop", "web", "module"), view.texts)
    assert words == "web shop module"
    text = view.text(span.text)
    assert text is not None
    assert text.text[span.start : span.end] == words


def test_one_word_is_no_other_wording() -> None:
    """R33: a single common word would be everywhere."""
    assert spoken_aliases(("web",), said_view("the web", "a web").texts) == ()


def test_the_shipped_weights_cover_every_group() -> None:
    """R4: weights are data, one row per group of things."""
    assert set(shipped_weights()) == set(GROUPS)
    assert all(row.weights for row in shipped_weights().values())


@pytest.mark.parametrize("text", ["", "{}", '{"groups": {"file": {}}}', '{"groups": {"file": {"bias": "x"}}}', "[]"])
def test_a_broken_weights_file_is_our_bug(text: str) -> None:
    """R89: it is reported as such."""
    with pytest.raises(InternalError):
        read_weights(text)


def test_a_judgement_is_explained_by_the_signals_that_decided() -> None:
    """R36: the reason in words, the strongest first, for and against."""
    weights = GroupWeights(-1.0, 0.5, {"changed": 2.0, "user": 1.0, "silent": -3.0})
    assert explain(weights, {"changed": 1.0, "user": 1.0}, worth=True) == "it was changed, the user names it"
    made = GroupWeights(-1.0, 0.5, {"made_named": 2.0, "made": 1.0, "user": 0.5})
    assert explain(made, {"made_named": 1.0, "made": 1.0, "user": 1.0}, worth=True).endswith(
        "is named, the user names it"
    )
    assert explain(weights, {"changed": 1.0, "silent": 1.0}, worth=False) == "neither user nor outcome names it"
    assert weights.score({"changed": 1.0}) > 0.5 > weights.score({"silent": 1.0})


def test_signals_are_numbers_between_nought_and_one() -> None:
    """R4: every signal can be read off the turn."""
    view = said_view(
        "fix src/a.py and tests", "Fixed `src/a.py`; `src/b.py` was left untouched.", edit("/srv/quay/src/a.py")
    )
    for item in weigh(scene(view)):
        assert all(0.0 < value <= 1.0 for value in item.signals.values()), item.signals


def test_nothing_named_gives_no_candidate() -> None:
    """R14, R30."""
    assert judge(scene(said_view("hello", "Hello! What shall we do?")), shipped_weights()) == ()


@pytest.mark.parametrize(("threshold", "written"), [(0.0, True), (1.0, False)])
def test_the_threshold_says_how_quiet_the_reviewer_is(*, threshold: float, written: bool) -> None:
    """R4, R71: one number between remembering everything and nothing."""
    door = FakeDoor(said_view("fix src/a.py", "Fixed `src/a.py`.", edit("/srv/quay/src/a.py")))
    EmbeddedReviewer(threshold=threshold).review(door, Limits())
    assert bool(door.written) is written
