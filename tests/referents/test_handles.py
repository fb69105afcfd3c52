"""What counts as the handle of a property: name, then value."""

import pytest

from ferrule.referents.handles import handle_kind, handle_of
from ferrule.referents.kinds import HandleKind, Place

K = HandleKind

CARRIES = [
    ("SourcePath", "src/a.py", K.FILESYSTEM_PATH),
    ("SourcePath", "D:\\work\\tool\\a.go", K.FILESYSTEM_PATH),
    ("NotePath", "Night Notes/week 2/plan.md", K.FILESYSTEM_PATH),
    ("ModulePath", "modules/web", K.FILESYSTEM_PATH),
    ("RootDirectory", "/srv/tool", K.REPOSITORY_ROOT),
    ("RepositoryId", "ann/tool", K.REPOSITORY_ID),
    ("ServerUrl", "https://example.org/x", K.URL),
    ("RemoteUrl", "git@github.com:ann/tool.git", K.URL),
    ("PackageId", "@ann/tool@1.2.3", K.PACKAGE_ID),
    ("SiteId", "site-12", K.SITE_ID),
    ("SessionKey", "codex:0a1b2c3d", K.SESSION_KEY),
    ("SessionKey", "Alpha Desk 6-1", K.SESSION_KEY),
    ("ApiTokenSecretKey", "Billing.ApiKey", K.SECRET_NAME),
    ("DbSecretKey", "PROD_DB_PASSWORD", K.SECRET_NAME),
    ("DbSecretKey", "kv/prod/db", K.SECRET_NAME),
    ("CommitSha", "3ff9b78", K.COMMIT_SHA),
    ("RunCommand", "dotnet build", K.COMMAND),
    ("RunCommand", "minsky session start --task 8", K.COMMAND),
    ("RunCommand", "./tool", K.COMMAND),
    ("PromptPath", "prompts/critic.md", K.PROMPT_PATH),
    ("BranchName", "fix/parser", K.BRANCH),
    ("ReleaseTag", "v1.2.0-rc.1", K.TAG),
    ("PullRequest", "#12", K.PULL_REQUEST),
    ("PullRequest", "https://github.com/ann/tool/pull/12", K.PULL_REQUEST),
    ("IssueNumber", "7581", K.ISSUE),
    ("IssueKey", "OPS-7", K.ISSUE),
    ("TaskId", "task#008", K.TASK_ID),
    ("DocumentId", "438a134b-7cde-47ae-85b3-c4057bd2551e", K.DOCUMENT_ID),
    ("HostName", "db01.example.org:5432", K.HOST),
    ("DatabaseId", "shop_production", K.DATABASE_ID),
    ("ModelId", "gpt-x.1", K.OTHER_ID),
    ("LatestPathAtTurn4", "src/b.py", K.FILESYSTEM_PATH),
    ("Entrance", "https://example.org", K.URL),
    ("Entrance", "/srv/tool/main.py", K.FILESYSTEM_PATH),
    ("Entrance", "src/main.py", K.FILESYSTEM_PATH),
    ("Entrance", "3ff9b78c", K.COMMIT_SHA),
    ("Entrance", "8d1b0b56-370e-47c4-b992-58ef6f0c4c50", K.SESSION_KEY),
]

CARRIES_NOT = [
    ("Description", "/srv/tool/main.py"),
    ("Notes", "https://example.org"),
    ("Aliases", "src/a.py"),
    ("EntityName", "src/a.py"),
    ("Summary", "#12"),
    ("SourcePath", ""),
    ("SourcePath", "the folder where we keep the things of the week / and more"),
    ("ServerUrl", "the server"),
    ("CommitSha", "the last one"),
    ("CommitSha", "3ff9"),
    ("RunCommand", "always run the tests first"),
    ("RunCommand", "the coordinator layer"),
    ("BranchName", "the branch of the fix"),
    ("PullRequest", "the open one"),
    ("TaskId", "soon"),
    ("HostName", "our database server"),
    ("PackageId", "a package of ours"),
    ("ServerUrl", "https://[secret:url-userinfo:0a1b2c3d]@example.org"),
    ("Entrance", "the coordinator layer"),
    ("Entrance", "coordinator"),
    ("Owner", "12345678"),
    ("Ratio", "1/2 of it all"),
]


@pytest.mark.parametrize(("name", "value", "kind"), CARRIES)
def test_a_value_that_fits_its_name_is_a_handle(name: str, value: str, kind: HandleKind) -> None:
    """R24, R26, R27, DEC-D6, CASE-D10."""
    assert handle_kind(name, value) is kind


@pytest.mark.parametrize(("name", "value"), CARRIES_NOT)
def test_prose_and_free_text_carry_no_handle(name: str, value: str) -> None:
    """R24, R29, R30, DEC-D4, DEC-D13, CASE-A15."""
    assert handle_kind(name, value) is None


def test_a_handle_knows_its_key_and_its_property() -> None:
    """R26."""
    place = Place(cwd="/srv/tool", root="/srv/tool", repository="github.com/ann/tool")
    handle = handle_of("SourcePath", "src/a.py", place)
    assert handle is not None
    assert (handle.kind, handle.value, handle.property) == (K.FILESYSTEM_PATH, "src/a.py", "SourcePath")
    assert handle.key == "path:github.com/ann/tool:src/a.py"
    assert handle_of("Notes", "src/a.py", place) is None
