"""A project's own ontology is read after a person has looked at it, exactly as it was looked at."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from project_cases import STAGING, checkout, ontology, worktree

SESSION = "claude-code:5f1c0b7e-0000-4000-8000-000000000001"


@pytest.fixture
def root(ferrule: Callable[..., Any], transcript: Callable[..., Any], tmp_path: Path) -> Path:
    """A repository with a reviewed session in it and one definition of its own."""
    place = checkout(tmp_path / "shop")
    told = transcript(cwd=str(place)).user("What is there?").says("Nothing yet.")
    assert ferrule("review", str(told.written(tmp_path / "transcripts"))).code == 0
    ontology(place, Staging=STAGING)
    return place


def known(ferrule: Callable[..., Any], *words: str) -> list[str]:
    """What the session finds."""
    return [row["name"] for row in ferrule("memory", "search", *words, "--json").rows()]


def test_nothing_is_read_before_it_is_trusted_and_all_of_it_after(root: Path, ferrule: Callable[..., Any]) -> None:
    """R65: shown first; then known to every session that works there, as permanent."""
    assert known(ferrule, "staging.example.org") == []
    shown = ferrule("trust", str(root))
    assert shown.code == 0
    assert "entity StagingHost : Host" in shown.out
    assert "HostName staging.example.org" in shown.out
    assert "do it with --yes" in shown.out
    assert known(ferrule, "staging.example.org") == []
    assert "trusted as shown" in ferrule("trust", str(root / ".ferrule" / "ontology"), "--yes").out
    (row,) = ferrule("memory", "search", "staging", "--json").rows()
    assert (row["name"], row["layer"]) == ("StagingHost", "permanent")
    assert ferrule("trust", "--list", "--json").rows()[0]["state"] == "trusted"


def test_a_later_turn_finds_what_the_project_knows_and_does_not_learn_it_again(
    root: Path, tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """R65, DEC-D7: the same file by the session's own spelling is the project's, existing-sufficient."""
    run = "python -m pytest tests/test_retry.py -q"

    def review(number: int) -> dict[str, Any]:
        told = transcript(f"5f1c0b7e-0000-4000-8000-00000000001{number}", str(root))
        told.user("Run the retry test").call("Bash", "1 passed", command=run).says(f"Run it with `{run}`. It passes.")
        row: dict[str, Any] = ferrule("review", str(told.written(tmp_path / "later")), "--json").rows()[0]["reviews"][0]
        (tmp_path / "later" / f"{told.session}.jsonl").unlink()
        return row

    assert [one["handles"][0]["value"] for one in review(1)["written"]] == [run]
    ontology(root, Run=f'prototype RetryRun : Command {{ EntityName = "Retry run"; CommandLine = "{run}"; }}\n')
    assert ferrule("trust", str(root), "--yes").code == 0
    after = review(2)
    assert after["written"] == []
    assert [one["target"] for one in after["candidates"] if one["disposition"] == "existing-sufficient"] == ["RetryRun"]


def test_a_change_takes_trust_back_until_somebody_looks(root: Path, ferrule: Callable[..., Any]) -> None:
    """R94: told wherever it would have been read, with the way out; the diff is shown."""
    ferrule("trust", str(root), "--yes")
    ontology(root, Staging=STAGING.replace("staging.example", "evil.example"))
    told = ferrule("memory", "search", "staging")
    assert "Nothing found" in told.out
    assert f"ferrule trust {root}" in told.err
    shown = ferrule("trust", str(root))
    assert '-    HostName = @"staging.example.org";' in shown.out
    assert '+    HostName = @"evil.example.org";' in shown.out
    assert ferrule("trust", "--list", "--json").rows()[0]["state"] == "changed"
    ontology(root, Staging=STAGING, More='prototype OtherHost : Host { HostName = "o.example.org"; }\n')
    assert known(ferrule, "staging") == []
    (root / ".ferrule" / "ontology" / "More.pts").unlink()
    assert known(ferrule, "staging") == ["StagingHost"]


def test_trust_is_taken_back_by_hand_and_the_files_stay(root: Path, ferrule: Callable[..., Any]) -> None:
    """DEC-D8: also of a project whose folder is gone."""
    ferrule("trust", str(root), "--yes")
    assert ferrule("untrust", str(root)).code == 0
    assert known(ferrule, "staging") == []
    assert (root / ".ferrule" / "ontology" / "Staging.pts").read_text() == STAGING
    assert ferrule("untrust", str(root)).code == 2
    ferrule("trust", str(root), "--yes")
    (root / ".ferrule" / "ontology" / "Staging.pts").unlink()
    assert "was trusted" in ferrule("memory", "search", "staging").err


def test_another_project_and_another_home_know_nothing_of_it(
    root: Path, tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """INV-I7, R87: trust is for the sessions of that repository."""
    ferrule("trust", str(root), "--yes")
    told = (
        transcript("5f1c0b7e-0000-4000-8000-000000000002", str(checkout(tmp_path / "farm"))).user("Hi").says("Hello.")
    )
    ferrule("review", str(told.written(tmp_path / "transcripts")))
    assert known(ferrule, "staging") == []
    assert known(ferrule, "staging", "--session", SESSION) == ["StagingHost"]


def test_a_worktree_with_the_same_content_is_trusted_with_its_checkout(
    root: Path, tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """R87: word for word the same, or not at all."""
    ferrule("trust", str(root), "--yes")
    tree = worktree(root, tmp_path / "shop-retry")
    told = transcript("5f1c0b7e-0000-4000-8000-000000000002", str(tree)).user("Hi").says("Hello.")
    ferrule("review", str(told.written(tmp_path / "transcripts")))
    assert known(ferrule, "staging") == []
    ontology(tree, Staging=STAGING)
    assert known(ferrule, "staging") == ["StagingHost"]
    ontology(tree, Staging=STAGING + "// mine\n")
    assert known(ferrule, "staging") == []


HOSTILE = {
    "bidi": ('prototype X : Host { HostName = "a\u202eb.example.org"; }', "a direction mark in line 1"),
    "secret": ('prototype X : Host { HostName = "https://bot:hunter2pass99@x.example.org/"; }', "looks like a secret"),
    "huge": ("// " + "x" * 300_000, "larger than 256 KB"),
    "deep": ("prototype X : Host { String A = " + "[" * 3000 + "]" * 3000 + "; }", "levels deep"),
    "broken": ("prototype {", "no ProtoScript"),
    "nul": ("prototype X\0 : Host;", "a control character"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_text_is_told_and_never_read(root: Path, ferrule: Callable[..., Any], case: str) -> None:
    """R94, INV-I6: beside a sound file, which is still read; the secret is nowhere in the output."""
    text, reason = HOSTILE[case]
    ontology(root, Bad=text)
    shown = ferrule("trust", str(root), "--yes")
    assert shown.code == 0
    assert "not read: Bad.pts: " in shown.out
    assert reason in shown.out
    assert "hunter2" not in shown.out
    assert known(ferrule, "staging") == ["StagingHost"]
    assert known(ferrule, "X") == []
    ontology(root, Bad=text + "\n")
    assert known(ferrule, "staging") == (["StagingHost"] if case == "huge" else [])  # what is never opened is no change


def test_links_pipes_and_depths_are_told_and_never_followed(
    root: Path, tmp_path: Path, ferrule: Callable[..., Any]
) -> None:
    """CASE-E05, CASE-E07: nothing blocks, nothing outside of the folder is read."""
    outside = ontology(tmp_path / "outside", Other='prototype OutsideHost : Host { HostName = "o.example.org"; }\n')
    place = root / ".ferrule" / "ontology"
    (place / "file.pts").symlink_to(outside / "Other.pts")
    (place / "folder").symlink_to(outside)
    os.mkfifo(place / "pipe.pts")
    (place / "a" / "b" / "c" / "d").mkdir(parents=True)
    (place / "latin.pts").write_bytes(b"// caf\xe9\n")
    (place / "handles.toml").write_text("[kinds]\n")
    shown = ferrule("trust", str(root), "--yes", "--json").rows()[0]
    assert {row["file"]: row["reason"] for row in shown["unread"]} == {
        "a/b/c/d/": "deeper than 4 folders",
        "file.pts": "a link, which is not followed",
        "folder": "a link, which is not followed",
        "handles.toml": "only .pts files of a project are read",
        "latin.pts": "no UTF-8 text (byte 6)",
        "pipe.pts": "no ordinary file",
    }
    assert known(ferrule, "staging") == ["StagingHost"]
    assert "OutsideHost" not in known(ferrule, "OutsideHost")


@pytest.mark.parametrize("swapped", [".ferrule", ".ferrule/ontology"])
def test_a_folder_that_became_a_link_is_no_longer_read(
    root: Path, tmp_path: Path, ferrule: Callable[..., Any], swapped: str
) -> None:
    """CASE-E05: even where the same words stand behind the link."""
    ferrule("trust", str(root), "--yes")
    (root / swapped).rename(tmp_path / "moved")
    (root / swapped).symlink_to(tmp_path / "moved")
    assert known(ferrule, "staging") == []
    assert "a link, which is not followed" in ferrule("trust", str(root)).out


def test_what_would_run_elsewhere_is_shown_as_odd_and_never_runs(root: Path, ferrule: Callable[..., Any]) -> None:
    """R94: functions, annotations, directives and statements are data that nobody looks at again."""
    ontology(
        root,
        Odd='include "/etc/passwd";\n[Run("rm")]\nprototype OddHost : Host\n{\n\tHostName = "odd.example.org";\n'
        "\tfunction Go() : void { System.Exit(1); }\n}\n",
    )
    shown = ferrule("trust", str(root), "--yes").out
    for words in ("a directive, not followed", "an annotation, never made", "a function, never run"):
        assert words in shown
    assert known(ferrule, "odd.example.org") == ["OddHost"]


def test_what_does_not_fit_together_cannot_be_trusted(root: Path, ferrule: Callable[..., Any]) -> None:
    """R86: said with file, line and reason; nothing is read by half."""
    ontology(root, Bad='prototype X : Nothing { HostName = "x.example.org"; }\n')
    told = ferrule("trust", str(root), "--yes")
    assert told.code == 1
    assert "Bad.pts:1:" in told.out
    assert known(ferrule, "staging") == []
    assert ferrule("trust", "--list", "--json").rows() == []


def test_a_forged_or_damaged_record_trusts_nothing(root: Path, home: Path, ferrule: Callable[..., Any]) -> None:
    """R94: a record that does not check out decides nothing, and breaks nothing."""
    ferrule("trust", str(root), "--yes")
    (record,) = home.glob("projects/*/trust.json")
    assert record.stat().st_mode & 0o077 == 0
    whole = record.read_text()
    for damaged in (whole[:-20], "[]", whole.replace("staging.example", "evil.example"), "[" * 100_000):
        record.write_text(damaged)
        assert known(ferrule, "staging") == []
        assert ferrule("trust", "--list", "--json").rows() == []


@pytest.mark.parametrize("words", [(), ("--list", "."), ("/nowhere/at/all",)])
def test_a_mistake_is_one_clear_line(root: Path, ferrule: Callable[..., Any], words: tuple[str, ...]) -> None:
    """R89: exit 2."""
    assert root.exists()
    told = ferrule("trust", *words)
    assert (told.code, told.err.count("\n")) == (2, 1)
