"""Settings are read once, and a wrong one is a sentence."""

from pathlib import Path

import pytest

from ferrule.errors import UsageError
from ferrule.wiring.settings import Settings, read_settings, surroundings


def test_a_home_without_settings_has_the_defaults(tmp_path: Path) -> None:
    """DEC-D13: turn text is kept for fourteen days unless the user says otherwise."""
    assert read_settings(tmp_path) == Settings(retention_days=14.0, ontology=())


def test_retention_and_ontology_folders_are_read(tmp_path: Path) -> None:
    """Folders are relative to the home."""
    text = 'retention_days = 0\nontology = ["mine"]\nthreshold = 0.5\n'
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    assert read_settings(tmp_path) == Settings(0.0, ((tmp_path / "mine").resolve(),), 0.5)


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
