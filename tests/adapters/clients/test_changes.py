"""Files change wholly or not at all, and keep what is not their content."""

import os
import stat
from pathlib import Path

import pytest

from ferrule.adapters.clients.changes import MAX_FILE_BYTES, Change, apply, read_file, target_of
from ferrule.errors import UnreadableInput, UsageError


def change(path: Path, after: bytes | None) -> Change:
    """From what is there now."""
    return Change(target_of(path), read_file(target_of(path)), after, path)


def listing(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_mode_and_links_stay(tmp_path: Path) -> None:
    """A dotfile that is a link into a repository stays one; the file behind it keeps its mode."""
    real = tmp_path / "repository" / "settings.json"
    real.parent.mkdir()
    real.write_bytes(b"{}")
    real.chmod(0o640)
    link = tmp_path / "settings.json"
    link.symlink_to(Path("repository") / "settings.json")
    apply([change(link, b'{"a": 1}')])
    assert link.is_symlink()
    assert real.read_bytes() == b'{"a": 1}'
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(listing(tmp_path)) == ["repository/settings.json", "settings.json"]


def test_a_link_to_nothing_yet_gets_its_file(tmp_path: Path) -> None:
    """The link stays; its target is made."""
    link = tmp_path / "a.json"
    link.symlink_to(tmp_path / "real" / "a.json")
    apply([change(link, b"{}")])
    assert link.is_symlink()
    assert (tmp_path / "real" / "a.json").read_bytes() == b"{}"


def test_links_in_a_circle_are_told(tmp_path: Path) -> None:
    """CASE-K12: one line instead of a traceback."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(UsageError, match=r"links|cannot be read"):
        read_file(target_of(tmp_path / "a"))


def test_new_files_and_folders_are_private_and_told(tmp_path: Path) -> None:
    """What was made is returned, outermost first, so that it can go again."""
    made = apply([change(tmp_path / "a" / "b" / "c.json", b"{}")])
    assert made == (tmp_path / "a", tmp_path / "a" / "b")
    assert stat.S_IMODE((tmp_path / "a" / "b" / "c.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_a_file_that_was_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    """Nothing at all is written then, to no file."""
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"2")
    planned = [change(tmp_path / "one", b"11"), change(tmp_path / "two", b"22"), change(tmp_path / "new", b"3")]
    (tmp_path / "two").write_bytes(b"theirs")
    with pytest.raises(UsageError, match="two was changed meanwhile"):
        apply(planned)
    assert listing(tmp_path) == {"one": b"1", "two": b"theirs"}


def test_a_file_that_came_meanwhile_is_left_alone(tmp_path: Path) -> None:
    """Planned as new, and there when it is to be written."""
    planned = [change(tmp_path / "new", b"3")]
    (tmp_path / "new").write_bytes(b"theirs")
    with pytest.raises(UsageError, match="changed meanwhile"):
        apply(planned)
    assert listing(tmp_path) == {"new": b"theirs"}


def test_a_read_only_file_is_told_and_nothing_written(tmp_path: Path) -> None:
    """As on systems that generate dotfiles: what to do is said."""
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"2")
    (tmp_path / "two").chmod(0o444)
    with pytest.raises(UsageError, match="two is read-only; make it writable"):
        apply([change(tmp_path / "one", b"11"), change(tmp_path / "two", b"22")])
    assert listing(tmp_path) == {"one": b"1", "two": b"2"}


def test_a_second_name_is_not_parted_from_its_file(tmp_path: Path) -> None:
    """A rename would leave the other name with the old text."""
    (tmp_path / "one").write_bytes(b"1")
    os.link(tmp_path / "one", tmp_path / "other")
    with pytest.raises(UsageError, match="second name"):
        apply([change(tmp_path / "one", b"11")])


@pytest.mark.parametrize("kind", ["change", "new", "remove"])
def test_a_failure_in_the_middle_takes_back_what_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """CASE-K10: the last file cannot be put into its place: the others are as they were, and no trace is left."""
    first, last = tmp_path / "first", tmp_path / "last"
    last.write_bytes(b"last")
    if kind != "new":
        first.write_bytes(b"1")
        first.chmod(0o604)
    before = listing(tmp_path)
    planned = [change(first, None if kind == "remove" else b"11"), change(tmp_path / "deep" / "er", b"new")]
    planned.append(change(last, b"other"))
    rename = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target == last:
            raise OSError(28, "No space left on device", str(target))
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(UsageError, match="last cannot be written: No space left on device; everything is as it was"):
        apply(planned)
    assert listing(tmp_path) == before
    assert not (tmp_path / "deep").exists()
    if kind != "new":
        assert stat.S_IMODE(first.stat().st_mode) == 0o604


def test_an_interruption_takes_back_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, or a signal, between two files."""
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(b"before")
    planned = [change(tmp_path / "one", b"1"), change(tmp_path / "two", b"2")]
    rename = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        if target.name == "two":
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        apply(planned)
    assert listing(tmp_path) == {"one": b"before", "two": b"before"}


def test_what_is_no_plain_file_or_far_too_large_is_told(tmp_path: Path) -> None:
    """A FIFO does not hang us; a huge file is not read."""
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(UsageError, match="no plain file"):
        read_file(tmp_path / "fifo")
    with pytest.raises(UsageError, match="no plain file"):
        read_file(tmp_path)
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(UnreadableInput, match="larger than"):
        read_file(tmp_path / "huge")
