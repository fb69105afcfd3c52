"""Settings are read once, and a wrong one is a sentence."""

from pathlib import Path

import pytest

from ferrule.errors import UsageError
from ferrule.session.eligibility import declined
from ferrule.session.imported import ImportedSession
from ferrule.wiring.home import open_home
from ferrule.wiring.reading import read_file, sessions_at
from ferrule.wiring.settings import Settings, read_settings, surroundings

SAMPLES = Path(__file__).parents[2] / "src" / "ferrule" / "samples"


def test_a_home_without_settings_has_the_defaults(tmp_path: Path) -> None:
    """DEC-D13: turn text is kept for fourteen days unless the user says otherwise."""
    assert read_settings(tmp_path) == Settings(retention_days=14.0, ontology=())


def test_retention_and_ontology_folders_are_read(tmp_path: Path) -> None:
    """Folders are relative to the home."""
    text = 'retention_days = 0\nontology = ["mine"]\nthreshold = 0.5\n'
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    assert read_settings(tmp_path) == Settings(0.0, ((tmp_path / "mine").resolve(),), 0.5)


def test_a_home_says_which_clients_are_sources(tmp_path: Path) -> None:
    """R9, R10: added to the shipped table for this home alone; its own transcripts are read by it."""
    text = '[profiles.codex]\nmain = "off"\n[profiles.desk]\nmain = "buffaly-agent"\nsubagent = "desk-helper"\n'
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    profiles = read_settings(tmp_path).profiles
    assert [profiles.of("codex"), profiles.of("claude-code")] == ["off", "buffaly-agent"]
    assert [profiles.of("desk"), profiles.of("desk", subagent=True)] == ["buffaly-agent", "desk-helper"]
    assert Settings().profiles.of("codex") == "buffaly-agent"


@pytest.mark.parametrize("sample", ["claude-code-small-talk.jsonl", "codex-corrected-name.jsonl"])
def test_a_client_that_was_taken_out_is_imported_and_not_observed(tmp_path: Path, sample: str) -> None:
    """R9: through the reader of each client, from a file and from standard input."""
    text = '[profiles.claude-code]\nmain = "off"\n[profiles.codex]\nmain = "off"\n'
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    with open_home(tmp_path) as home:
        (of_file,) = read_file(home, SAMPLES / sample)
        with (SAMPLES / sample).open("rb") as stream:
            (of_stream,) = sessions_at(home, "-", stream, progress=lambda _: None)
    assert isinstance(of_stream, ImportedSession)
    assert [of_file.session.profile, of_stream.session.profile] == ["off", "off"]
    assert declined(of_file.session) == "profile: off is not buffaly-agent"


def test_a_worker_works_as_it_is_told(tmp_path: Path) -> None:
    """R2: how many sources at once, how long it waits for more, how long a lane waits after a crash."""
    usual = read_settings(tmp_path)
    assert (usual.parallel, usual.idle_seconds, usual.lease_seconds) == (2, 60.0, 30.0)
    (tmp_path / "settings.toml").write_text("parallel = 4\nidle_seconds = 0\nlease_seconds = 120.5\n", encoding="utf-8")
    own = read_settings(tmp_path)
    assert (own.parallel, own.idle_seconds, own.lease_seconds) == (4, 0.0, 120.5)


@pytest.mark.parametrize(
    "text",
    [
        "retention_days = -1",
        "retention_days = true",
        'retention_days = "x"',
        "ontology = 3",
        "ontology = [1]",
        "threshold = 0",
        "threshold = true",
        "threshold = 1.5",
        "parallel = 0",
        "parallel = 17",
        "parallel = 1.5",
        "parallel = true",
        "idle_seconds = -1",
        "idle_seconds = true",
        "idle_seconds = inf",
        "idle_seconds = nan",
        "lease_seconds = 0.5",
        'attach = "always"',
        "attach = true",
        'lease_seconds = "30"',
        "profiles = 3",
        "[profiles]\ncodex = 3",
        '[profiles.codex]\nmain = ""',
        '[profiles.codex]\nreview = "x"',
        '[profiles.codex]\nsubagent = "buffaly-agent"',
        "= 3",
        "\x00",
    ],
)
def test_a_wrong_setting_is_one_sentence(tmp_path: Path, text: str) -> None:
    """Never a silent default for something the user did set."""
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"settings\.toml"):
        read_settings(tmp_path)


def test_the_environment_names_home_and_clients() -> None:
    """FERRULE_HOME, CLAUDE_CONFIG_DIR and CODEX_HOME win over the user's folder; an empty one is unset."""
    around = surroundings({"HOME": "/h", "FERRULE_HOME": "/f", "CLAUDE_CONFIG_DIR": "", "CODEX_HOME": "/c"})
    assert (around.home, around.claude_code, around.codex) == ("/f", Path("/h/.claude"), Path("/c"))


def test_attaching_is_by_itself_unless_the_file_says_manual(tmp_path: Path) -> None:
    """R73: what a client's first reported turn leads to is the user's choice."""
    assert read_settings(tmp_path).attach == "auto"
    (tmp_path / "settings.toml").write_text('attach = "manual"\n', encoding="utf-8")
    assert read_settings(tmp_path).attach == "manual"
