"""Each home has one private key, made once."""

from pathlib import Path

import pytest

from ferrule.errors import StoreError
from ferrule.wiring.scrubkey import KEY_FILE, home_key


def test_a_home_keeps_its_key(tmp_path: Path) -> None:
    """DEC-D13: the same secret leaves the same mark for the life of a home; another home has another key."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = home_key(tmp_path / "a")
    assert home_key(tmp_path / "a") == first
    assert home_key(tmp_path / "b") != first
    assert len(first) == 32


def test_the_key_is_private_and_alone(tmp_path: Path) -> None:
    """CASE-E11: mode 0600 whatever the umask; nothing else is left behind."""
    home_key(tmp_path)
    assert [(file.name, file.stat().st_mode & 0o777) for file in tmp_path.iterdir()] == [(KEY_FILE, 0o600)]


@pytest.mark.parametrize("content", ["", "abc", "zz" * 32, "ab" * 31])
def test_what_is_no_key_is_said_and_kept(tmp_path: Path, content: str) -> None:
    """A damaged key is never silently replaced."""
    (tmp_path / KEY_FILE).write_text(content, encoding="ascii")
    with pytest.raises(StoreError, match="not the key"):
        home_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text(encoding="ascii") == content


def test_a_link_in_the_place_of_the_key_is_not_followed(tmp_path: Path) -> None:
    """CASE-E07: the key is never read from, or written to, somewhere else."""
    (tmp_path / "elsewhere").write_text("ab" * 32, encoding="ascii")
    (tmp_path / KEY_FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="cannot be used"):
        home_key(tmp_path)
