"""A person moves what a session remembers into its project, for everybody who works there (DEC-D8)."""

import os
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from project_cases import REMOTE, checkout, ontology, worktree

from ferrule.memory.receipts import broken_at
from ferrule.wiring.home import open_home

KEY = "claude-code:5f1c0b7e-0000-4000-8000-00000000000{}"
RUN = "python -m pytest tests/test_retry.py -q"
SHOP = 'prototype ShopRepository : Repository {{ RepositoryId = "github.com/acme/shop"; RepositoryRoot = "{root}"; }}'
TEST = 'prototype RetryTest : SourceFile {{ FilePath = "{root}/tests/test_retry.py"; Repository = ShopRepository; }}'


class Terminal(StringIO):
    """A stream that a person sits at."""

    def isatty(self) -> bool:
        """There is one."""
        return True


class Desk:
    """One repository, one home, and a person at the command line."""

    def __init__(self, ferrule: Callable[..., Any], transcript: Callable[..., Any], folder: Path) -> None:
        self.ferrule, self.transcript, self.folder = ferrule, transcript, folder
        self.root = checkout(folder / "shop")

    @property
    def place(self) -> Path:
        return self.root / ".ferrule" / "ontology"

    def session(self, number: int = 1, cwd: Path | None = None) -> str:
        """A reviewed session in the repository; it learns how the retry test is run."""
        told = self.transcript(KEY.format(number).partition(":")[2], str(cwd or self.root))
        told.user("Write the retry test and tell me how to run it").call("Bash", "1 passed", command=RUN)
        told.says(f"Done; run it with `{RUN}`.")
        assert self.ferrule("review", str(told.written(self.folder / "transcripts"))).code == 0
        return KEY.format(number)

    def remember(self, text: str, session: str = "last") -> None:
        """A memory of the person's own."""
        draft = self.folder / "draft.pts"
        draft.write_text(text.format(root=self.root), encoding="utf-8")
        told = self.ferrule("memory", "write", str(draft), "--session", session)
        assert told.code == 0, told.out

    def promote(self, *words: str) -> Any:  # noqa: ANN401 - what the command said
        """The command, as JSON."""
        return self.ferrule("memory", "promote", *words, "--json")

    def receipts(self) -> list[str]:
        """What was attested as promoted, by a chain that is whole."""
        with open_home() as home:
            given = home.store.receipts()
        assert broken_at(given) is None
        return [receipt.prototype for receipt in given if receipt.verdict == "promoted"]


@pytest.fixture
def desk(ferrule: Callable[..., Any], transcript: Callable[..., Any], tmp_path: Path) -> Desk:
    """A person with one reviewed session."""
    made = Desk(ferrule, transcript, tmp_path)
    made.session()
    return made


def test_a_promotion_is_shown_as_a_diff_then_written_whole_and_attested(desk: Desk) -> None:
    """DEC-D8, DEC-D7: complete definitions with the phrase that finds them, paths from the root; memory stays."""
    desk.remember(SHOP)
    desk.remember(TEST)
    before = desk.ferrule("memory", "export").out
    shown = desk.ferrule("memory", "promote", "RetryTest", "ShopRepository")
    assert shown.code == 0
    assert '+[SemanticEntity("retry test")]' in shown.out
    assert "do it with --yes" in shown.out
    assert not (desk.root / ".ferrule").exists()
    row = desk.promote("RetryTest", "ShopRepository", "--yes").rows()[0]
    assert row["done"] is True
    assert [item["verdict"] for item in row["items"]] == ["new", "new"]
    assert len(row["receipts"]) == 2
    assert (desk.place / "RetryTest.pts").read_text() == (
        '[SemanticEntity("retry test")]\nprototype RetryTest : SourceFile\n{\n'
        '\tFilePath = @"tests/test_retry.py";\n\tRepository = ShopRepository;\n}\n'
    )
    assert '\tRepositoryRoot = @".";\n' in (desk.place / "ShopRepository.pts").read_text()
    assert sorted(file.name for file in desk.place.iterdir()) == ["RetryTest.pts", "ShopRepository.pts"]
    assert desk.ferrule("memory", "export").out == before
    assert desk.receipts() == ["RetryTest", "ShopRepository"]
    assert "says all of it already" in desk.ferrule("memory", "promote", "RetryTest", "--yes").out


REFUSED = {
    "outside": ('prototype X : Document {{ FilePath = "/srv/elsewhere/x.md"; }}', "not in the repository"),
    "home": ('prototype X : Document {{ FilePath = "~/x.md"; }}', "not in the repository"),
    "upwards": ('prototype X : Document {{ FilePath = "../other/x.md"; }}', "not in the repository"),
    "a command elsewhere": ('prototype X : Command {{ CommandLine = "cd /home/mira/x && make"; }}', "/home/mira/x"),
    "a command here": ('prototype X : Command {{ CommandLine = "make -C {root} all"; }}', "place of this machine"),
    "notes": ('prototype X : Host {{ HostName = "a.example.org"; Notes = "see ~/notes.md"; }}', "~/notes.md"),
    "drive": ('prototype X : Host {{ HostName = "a.example.org"; Notes = "in C:\\\\work"; }}', "place of this machine"),
    "loopback": ('prototype X : WebSite {{ SiteUrl = "http://localhost:8000/"; }}', "another machine"),
    "worktree": ('prototype X : Worktree {{ WorktreeRoot = "{root}"; }}', "a worktree"),
    "plan": ('prototype X : Script {{ FilePath = "x.py"; LifecycleState = "planned"; }}', "only planned"),
    "gone": ('prototype X : Script {{ FilePath = "x.py"; LifecycleState = "deleted"; }}', "only deleted"),
    "session": ('prototype X : SemanticEntityBase {{ String HelperSessionKey = "codex:0198c0de"; }}', "this machine"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_a_machines_or_a_sessions_alone_is_refused_with_its_reason(desk: Desk, case: str) -> None:
    """DEC-D8: and with it everything else of the command, so that nothing is half done."""
    text, reason = REFUSED[case]
    desk.remember(text)
    told = desk.promote("X", "PytestTestRetryCommand", "--yes")
    assert told.code == 1
    row = told.rows()[0]
    (item,) = (one for one in row["items"] if one["name"] == "X")
    assert reason in " ".join(one["message"] for one in item["refusals"])
    assert (row["done"], row["diff"], row["receipts"]) == (False, [], [])
    assert not (desk.root / ".ferrule").exists()


def test_a_link_within_the_repository_that_leads_out_of_it_is_outside(desk: Desk, tmp_path: Path) -> None:
    """CASE-E10, CASE-E05: the path looks inside; where it leads is asked, never opened."""
    (tmp_path / "outside").mkdir()
    (desk.root / "vendor").symlink_to(tmp_path / "outside")
    desk.remember('prototype X : Document {{ FilePath = "{root}/vendor/x.md"; }}')
    assert "not in the repository" in desk.ferrule("memory", "promote", "X").out


def test_what_links_to_a_memory_that_stays_behind_is_refused_with_the_way_out(desk: Desk) -> None:
    """DEC-D8: a definition stands alone, or goes with what it links to."""
    desk.remember(SHOP)
    desk.remember(TEST)
    told = desk.ferrule("memory", "promote", "RetryTest")
    assert told.code == 1
    assert f"ferrule memory promote RetryTest ShopRepository --session {KEY.format(1)}" in told.out


def test_only_what_is_so_now_is_promoted(desk: Desk) -> None:
    """DEC-D7: the current value under its family's name; earlier ones and states stay with the session."""
    desk.remember('prototype X : Script {{ FilePath = "tools/old.py"; LifecycleState = "planned"; }}')
    desk.remember('partial prototype X {{ FilePathAtTurn1 = "tools/new.py"; LifecycleStateAtTurn1 = "created"; }}')
    row = desk.promote("X", "--yes").rows()[0]
    assert row["done"] is True, row
    text = (desk.place / "X.pts").read_text()
    assert 'FilePath = @"tools/new.py";' in text
    assert "old.py" not in text
    assert "Lifecycle" not in text
    assert set(row["items"][0]["left_out"]) == {"FilePath", "LifecycleState", "LifecycleStateAtTurn1"}


def test_a_memory_of_new_properties_alone_becomes_an_entity_by_its_name(desk: Desk) -> None:
    """DEC-D7: without an inherited assignment it would be read back as a type."""
    desk.remember('prototype BillingTopic : SemanticEntityBase {{ String TopicId = "billing-events"; }}')
    assert desk.promote("BillingTopic", "--yes").rows()[0]["done"] is True
    assert 'EntityName = @"billing topic";' in (desk.place / "BillingTopic.pts").read_text()
    shown = desk.ferrule("trust", str(desk.root), "--json").rows()[0]
    assert [one["what"] for one in shown["files"][0]["declares"]] == ["entity"]


def test_what_the_project_says_is_never_overwritten_and_only_added_to(desk: Desk) -> None:
    """DEC-D7, DEC-D8: another value is refused, a new property goes in as a partial behind what stands there."""
    ontology(desk.root, RetryTest='// ours\nprototype RetryTest : SourceFile { FilePath = "tests/other.py"; }\n')
    desk.remember('prototype RetryTest : SourceFile {{ FilePath = "{root}/tests/test_retry.py"; }}')
    before = (desk.place / "RetryTest.pts").read_text()
    told = desk.ferrule("memory", "promote", "RetryTest", "--yes")
    assert told.code == 1
    assert "says tests/other.py already" in told.out
    assert (desk.place / "RetryTest.pts").read_text() == before
    ontology(desk.root, RetryTest='// ours\nprototype RetryTest : SourceFile { FilePath = "tests/test_retry.py"; }\n')
    desk.remember('partial prototype RetryTest {{ Description = "retries"; }}')
    assert desk.promote("RetryTest", "--yes").rows()[0]["items"][0]["verdict"] == "added"
    after = (desk.place / "RetryTest.pts").read_text()
    assert after.startswith("// ours\nprototype RetryTest")
    assert after.endswith('\n\npartial prototype RetryTest\n{\n\tDescription = @"retries";\n}\n')


def test_a_folder_with_a_strangers_definitions_stays_untrusted(desk: Desk) -> None:
    """DEC-D8: a promotion trusts what it showed, and nothing that lay there before."""
    ontology(desk.root, Theirs='prototype TheirHost : Host { HostName = "h.example.org"; }\n')
    told = desk.ferrule("memory", "promote", "PytestTestRetryCommand", "--yes")
    assert f"ferrule trust {desk.root}" in told.out
    assert desk.ferrule("trust", "--list", "--json").rows() == []


def test_a_folder_that_nobody_can_read_is_mended_first(desk: Desk) -> None:
    """DEC-D8: what it says is unknown, so nothing is put beside it."""
    ontology(desk.root, A="prototype A : Host;", B="prototype A : Host;")
    told = desk.ferrule("memory", "promote", "PytestTestRetryCommand", "--yes")
    assert told.code == 3
    assert "mend this first" in told.err


def swapped_folder(place: Path, outside: Path) -> None:
    """The folder is a link."""
    place.parent.mkdir()
    place.symlink_to(outside)


def swapped_parent(place: Path, outside: Path) -> None:
    """`.ferrule` is a link."""
    place.parent.symlink_to(outside)


def linked_file(place: Path, outside: Path) -> None:
    """The file is a link."""
    place.mkdir(parents=True)
    (place / "PytestTestRetryCommand.pts").symlink_to(outside / "victim")


def dangling_file(place: Path, outside: Path) -> None:
    """The file is a link to nothing."""
    place.mkdir(parents=True)
    (place / "PytestTestRetryCommand.pts").symlink_to(outside / "not-there")


def pipe(place: Path, outside: Path) -> None:
    """The file is a pipe."""
    assert outside.is_dir()
    place.mkdir(parents=True)
    os.mkfifo(place / "PytestTestRetryCommand.pts")


def hard_link(place: Path, outside: Path) -> None:
    """The file has another name outside."""
    place.mkdir(parents=True)
    os.link(outside / "victim", place / "PytestTestRetryCommand.pts")


@pytest.mark.parametrize("trap", [swapped_folder, swapped_parent, linked_file, dangling_file, pipe, hard_link])
def test_a_trap_in_the_files_place_is_left_alone(
    desk: Desk, tmp_path: Path, trap: Callable[[Path, Path], None]
) -> None:
    """CASE-E05, CASE-E07: refused, without a receipt; nothing outside changes and nothing blocks."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim").write_text("// mine\n")
    trap(desk.place, outside)
    told = desk.ferrule("memory", "promote", "PytestTestRetryCommand", "--yes")
    assert told.code == 4
    assert "UNSAFE_PATH" in told.err
    assert desk.receipts() == []
    assert (outside / "victim").read_text() == "// mine\n"
    assert [file.name for file in outside.iterdir()] == ["victim"]


def test_a_session_elsewhere_is_promoted_into_a_checkout_of_its_own_repository_only(desk: Desk, tmp_path: Path) -> None:
    """CASE-E10: a path from another repository's root would be a lie there."""
    tree = worktree(desk.root, tmp_path / "shop-retry")
    key = desk.session(2, tree)
    desk.remember(f'prototype X : SourceFile {{{{ FilePath = "{tree}/src/x.py"; }}}}', key)
    other = checkout(tmp_path / "other", REMOTE.replace("shop", "farm"))
    told = desk.ferrule("memory", "promote", "X", "--session", key, "--to", str(other), "--yes")
    assert told.code == 2
    assert "not known to be the same repository" in told.err
    assert desk.promote("X", "--session", key, "--to", str(desk.root), "--yes").rows()[0]["done"] is True
    assert 'FilePath = @"src/x.py";' in (desk.place / "X.pts").read_text()


def test_what_is_not_remembered_and_where_nothing_is_kept_are_plain_mistakes(desk: Desk, tmp_path: Path) -> None:
    """INV-I7: only the session's own memories; a session without a checkout needs one named."""
    assert "no memory named Nothing" in desk.ferrule("memory", "promote", "Nothing").err
    assert desk.ferrule("memory", "promote").code == 2
    assert desk.ferrule("memory", "promote", "X", "--suggest").code == 2
    (tmp_path / "plain").mkdir()
    key = desk.session(2, tmp_path / "plain")
    told = desk.ferrule("memory", "promote", "PytestTestRetryCommand", "--session", key)
    assert told.code == 2
    assert "--to PATH" in told.err


def test_what_two_sessions_used_is_suggested_and_only_suggested(desk: Desk, tmp_path: Path) -> None:
    """R65, DEC-D8: the same identity key in sessions of one repository; most used first, with the command."""
    assert "is left to promote" in desk.ferrule("memory", "promote", "--suggest").out
    desk.session(2, worktree(desk.root, tmp_path / "shop-retry"))
    elsewhere = desk.session(3, checkout(tmp_path / "farm", REMOTE.replace("shop", "farm")))
    (row,) = desk.promote("--suggest", "--session", KEY.format(1)).rows()
    assert (row["handles"], sorted(row["sessions"])) == ([RUN], [KEY.format(1), KEY.format(2)])
    assert row["command"].startswith("ferrule memory promote ")
    assert not (desk.root / ".ferrule").exists()
    assert desk.promote("--suggest", "--session", elsewhere).rows() == []
    done = desk.ferrule(*row["command"].split()[1:], "--to", str(desk.root), "--yes")
    assert done.code == 0, done.out


def test_a_second_name_for_the_same_thing_is_not_promoted(desk: Desk) -> None:
    """R65: the project reaches it by the same handle already."""
    desk.remember(f'prototype Again : Command {{{{ CommandLine = "{RUN}"; }}}}')
    assert desk.promote("PytestTestRetryCommand", "--yes").rows()[0]["done"] is True
    assert "has PytestTestRetryCommand for it already" in desk.ferrule("memory", "promote", "Again").out


def test_forgetting_stays_the_sessions_own(desk: Desk) -> None:
    """R97: what was promoted is the project's, and is not touched by what a session forgets."""
    desk.promote("PytestTestRetryCommand", "--yes")
    file = desk.place / "PytestTestRetryCommand.pts"
    before = file.read_text()
    assert desk.ferrule("memory", "forget", "--all", "--yes").code == 0
    assert file.read_text() == before
    (row,) = desk.ferrule("memory", "search", RUN, "--json").rows()
    assert (row["name"], row["layer"]) == ("PytestTestRetryCommand", "permanent")


def test_a_person_at_a_terminal_is_asked_before_a_project_changes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """DEC-D8: the diff, then the question; no is no, yes writes and attests."""
    desk.remember(SHOP)
    for answer, done in (("n\n", False), ("y\n", True)):
        screen = Terminal()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdin", Terminal(answer))
            patched.setattr(sys, "stdout", screen)
            code = desk.ferrule("memory", "promote", "ShopRepository").code
        assert (code, "Write this? [y/N]" in screen.getvalue()) == (0 if done else 1, True)
        assert desk.place.exists() == done
    assert desk.receipts() == ["ShopRepository"]
