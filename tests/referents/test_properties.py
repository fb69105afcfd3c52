"""The kind of a handle by the name of its property."""
# ruff: noqa: E501 - tables of cases keep one case a line

from pathlib import Path

import pytest

from ferrule.errors import UnreadableInput
from ferrule.referents.kinds import HandleKind
from ferrule.referents.properties import is_free_text, kind_of_property, load_suffixes

K = HandleKind

NAMES = [
    ("RootDirectory", K.REPOSITORY_ROOT),
    ("SourcePath", K.FILESYSTEM_PATH),
    ("ConfigFile", K.FILESYSTEM_PATH),
    ("ServerUrl", K.URL),
    ("ServerURL", K.URL),
    ("CommitSha", K.COMMIT_SHA),
    ("HeadCommit", K.COMMIT_SHA),
    ("RunCommand", K.COMMAND),
    ("ApiTokenSecretKey", K.SECRET_NAME),
    ("NpmPackageId", K.PACKAGE_ID),
    ("SiteId", K.SITE_ID),
    ("SiteID", K.SITE_ID),
    ("SessionKey", K.SESSION_KEY),
    ("DefaultBranch", K.BRANCH),
    ("ReleaseTag", K.TAG),
    ("PullRequest", K.PULL_REQUEST),
    ("PRNumber", K.PULL_REQUEST),
    ("IssueNumber", K.ISSUE),
    ("HostName", K.HOST),
    ("DatabaseId", K.DATABASE_ID),
    ("PromptPath", K.PROMPT_PATH),
    ("TaskId", K.TASK_ID),
    ("DocumentId", K.DOCUMENT_ID),
    ("RepositoryId", K.REPOSITORY_ID),
    ("ModelId", K.OTHER_ID),
    ("Branches", K.BRANCH),
    ("root_path", K.REPOSITORY_ROOT),
    ("NotePath", K.FILESYSTEM_PATH),
    ("SourcePathAtTurn12", K.FILESYSTEM_PATH),
]

PROSE = [
    "EntityName", "Aliases", "Description", "Notes", "Details", "Summary", "Comment", "Text", "PathNotes", "ReviewComments",
    "DescriptionAtTurn3", "url_description", "LifecycleState",
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_the_longest_suffix_of_a_name_tells_the_kind(name: str, kind: HandleKind) -> None:
    """R26, R45."""
    assert kind_of_property(name) is kind
    assert not is_free_text(name)


@pytest.mark.parametrize("name", PROSE)
def test_a_name_for_prose_carries_no_handle(name: str) -> None:
    """DEC-D4, R29, CASE-A15."""
    assert kind_of_property(name) is None
    assert is_free_text(name)


@pytest.mark.parametrize("name", ["Owner", "Active", "Homepath", "QueueName", "Coverage", "", "_", "AtTurn5"])
def test_an_unknown_name_tells_nothing(name: str) -> None:
    """R26."""
    assert kind_of_property(name) is None
    assert not is_free_text(name)


def test_a_user_extends_the_table(tmp_path: Path) -> None:
    """R26."""
    extra = tmp_path / "handles.toml"
    extra.write_text(
        '[suffixes]\nsite-id = ["Realm"]\nhost = ["Path"]\n[free-text]\nnames = ["Lore"]\n', encoding="utf-8"
    )
    table = load_suffixes(extra)
    assert kind_of_property("LoginRealm", table) is K.SITE_ID
    assert kind_of_property("SourcePath", table) is K.HOST
    assert is_free_text("OldLore", table)
    assert kind_of_property("ServerUrl", table) is K.URL


@pytest.mark.parametrize(
    "text",
    ["[suffixes", '[suffixes]\nno-kind = ["X"]', "suffixes = 3", '[suffixes]\nhost = "X"', "[suffixes]\nhost = [1]"],
)
def test_a_broken_extension_is_refused_in_words(tmp_path: Path, text: str) -> None:
    """R89."""
    extra = tmp_path / "handles.toml"
    extra.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput, match=r"handles\.toml"):
        load_suffixes(extra)
    with pytest.raises(UnreadableInput):
        load_suffixes(tmp_path / "absent.toml")
