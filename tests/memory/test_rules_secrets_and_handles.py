"""Rules 7, 8 and 12: no secret, no memory without a handle, nothing that does not last."""

import base64

import pytest
from rule_cases import FILE, Critic, Person, a_turn, code, refusals

from ferrule.memory.submission import Written

# Look-alikes made for these tests; none was ever issued.
CLOUD = "AKIA" + "J4TQ7ZK2VX5WN3RB"
PHRASE = "hunter2-Harbor9x"
TOKEN = "ghp_" + "a8Fk2LmQ9xZ7rT4vB1nC6yW3sD5gH0jKpEuR"
SECRETS = {
    "userinfo": f"https://user:{PHRASE}@host.example/x",
    "parameter": f"https://host.example/x?token={TOKEN}",
    "flag": f"mysql -u root --password {PHRASE} quay",
    "assignment": f"PGPASSWORD={PHRASE} psql quay",
    "connection": f"postgres://quay:{PHRASE}@db.example/quay",
    "cloud key": f"aws_access_key_id = {CLOUD}",
    "token": TOKEN,
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7c1f\n-----END RSA PRIVATE KEY-----",
    "encoded": base64.b64encode(f"password={PHRASE}".encode()).decode(),
}


@pytest.mark.parametrize("value", SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("prop", ["Notes", "Aliases", "HostUrl"])
def test_a_secret_value_is_refused_wherever_it_stands(prop: str, value: str) -> None:
    """R28, CASE-D01, CASE-D03, CASE-D05, CASE-D07, CASE-D08, INV-I6: and the refusal says nothing of the value."""
    doubled = value.replace('"', '""')
    verdict = Person().judge(f'prototype Buoy : Host {{ HostName = @"buoy"; {prop} = @"{doubled}"; }}')
    assert code(verdict) == "SECRET_VALUE"
    for refusal in refusals(verdict):
        shown = refusal.message + refusal.remedy + refusal.property
        assert not any(part in shown for part in (CLOUD, PHRASE, TOKEN, value))


@pytest.mark.parametrize(
    "text",
    [
        f'prototype Buoy : Host {{ HostName = @"b"; String Password = @"{PHRASE}"; }}',
        f'prototype Buoy : Host {{ HostName = @"b"; }} // {TOKEN}',
        f'/* {TOKEN} */ prototype Buoy : Host {{ HostName = @"b"; }}',
        f'prototype {TOKEN} : Host {{ HostName = @"b"; }}',
        f'prototype Buoy : Host {{ HostName = @"b"; String {TOKEN} = @"x"; }}',
        f'prototype Buoy : Host {{ HostName = @"b"; Collection Parts = [@"{TOKEN[:12]}", @"{TOKEN[12:]}"]; }}',
        f'prototype Buoy : Host {{ HostName = @"b"; String A = @"{TOKEN[:12]}"; String B = @"{TOKEN[12:]}"; }}',
        f'prototype Buoy : Host {{ HostName = @"b"; Notes = "{TOKEN[:12]}\\u{ord(TOKEN[12]):04x}{TOKEN[13:]}"; }}',
        'prototype Buoy : Host { HostName = @"[secret:token:0a1b2c3d]"; }',
    ],
    ids=["by name", "comment", "comment before", "prototype", "property", "list", "two members", "escaped", "mark"],
)
def test_names_comments_pieces_and_escapes_are_looked_at_too(text: str) -> None:
    """R28, DEC-D13: every place of the text, decoded and joined forms included."""
    assert code(Person().judge(text)) == "SECRET_VALUE"


@pytest.mark.parametrize(
    "text",
    [
        f"prototype {TOKEN} : Host {{ }} prototype {TOKEN}",
        f"prototype {TOKEN} {{ }}",
        f"prototype Buoy : {TOKEN} {{ }}",
        f'prototype Buoy : Host {{ {TOKEN} = @"x"; }}',
        f"prototype Buoy : Host {{ Notes = {TOKEN}; }}",
        f"prototype Buoy : Host {{ {TOKEN} Notes; }}",
        f'prototype Buoy : Host {{ HostName = @"b" {TOKEN} }}',
        f'prototype {TOKEN} : {TOKEN} {{ String {TOKEN} = @"x"; }}',
    ],
)
def test_no_earlier_rule_tells_a_secret_either(text: str) -> None:
    """R28, R89, INV-I6: what is wrong is said, the word that looks like a secret is left out."""
    found = refusals(Person().judge(text))
    assert found
    for refusal in found:
        assert TOKEN not in refusal.message + refusal.remedy + refusal.property


@pytest.mark.parametrize(
    "text",
    [
        'prototype Mail : SecretReference { SecretKey = @"Billing.ApiKey"; }',
        'prototype Mail : SecretReference { SecretKey = @"PROD_DB_PASSWORD"; }',
        'prototype Mail : SecretReference { String VaultPath = @"kv/prod/db"; }',
        'prototype Mail : Service { ServiceUrl = @"https://m.example"; String BearerTokenSecretKey = @"Mail.Token"; }',
        'prototype Fix : Commit { CommitSha = @"3f786850e387550fdab836ed7e6dc881de23001b"; }',
        'prototype Run : Task { TaskId = @"123e4567-e89b-12d3-a456-426614174000"; }',
        'prototype Peer : Host { HostUrl = @"https://peer.example:9077"; Notes = @"refused ai:x@host"; }',
    ],
)
def test_a_secret_name_and_ordinary_ids_pass(text: str) -> None:
    """R27, CASE-D10, CASE-D11, CASE-D16, DEC-D6: a name is a handle, a hash is none of our business."""
    assert code(Person().judge(text)) == "accepted"


HANDLES = {
    "filesystem-path": ("Directory", 'DirectoryPath = @"/srv/quay"'),
    "repository-root": ("Repository", 'RepositoryRoot = @"/srv/quay"'),
    "repository-id": ("Repository", 'RepositoryId = @"harbor/quay"'),
    "url": ("WebSite", 'SiteUrl = @"https://quay.example"'),
    "package-id": ("Package", 'PackageId = @"harbor-quay"'),
    "site-id": ("WebSite", 'SiteId = @"quay-site-7"'),
    "session-key": ("Session", 'SessionKey = @"claude-code:4be1c09a"'),
    "secret-name": ("SecretReference", 'SecretKey = @"QUAY_TOKEN"'),
    "commit-sha": ("Commit", 'CommitSha = @"4be1c09"'),
    "command": ("Command", 'CommandLine = @"make nightly"'),
    "prompt-path": ("PromptFile", 'PromptPath = @"prompts/tide.md"'),
    "branch": ("Branch", 'BranchName = @"fix/tide-rounding"'),
    "tag": ("Release", 'TagName = @"v2.4.1"'),
    "pull-request": ("PullRequest", 'PullRequestNumber = @"#212"'),
    "issue": ("Issue", 'IssueNumber = @"#77"'),
    "task-id": ("Task", 'TaskId = @"QUAY-77"'),
    "document-id": ("Document", 'DocumentId = @"1AbCdEfGhIjK"'),
    "host": ("Host", 'HostName = @"quay-01.example"'),
    "database-id": ("Database", 'DatabaseId = @"tides"'),
    "other-id": ("Model", 'ModelId = @"tide-model-7b"'),
}


@pytest.mark.parametrize(("kind", "case"), HANDLES.items(), ids=HANDLES)
def test_each_kind_of_handle_alone_is_enough(kind: str, case: tuple[str, str]) -> None:
    """R26, DEC-D6: no warning for a person, and the handle is read with its kind."""
    base, assignment = case
    verdict = Person().judge(f"prototype Thing : {base} {{ {assignment}; }}")
    assert isinstance(verdict, Written), refusals(verdict)
    assert verdict.warnings == ()
    assert kind in [handle.kind.value for handle in verdict.write.handles]


WITHOUT = {
    "nothing": "",
    "a path in Notes": f'Notes = @"see {FILE}";',
    "a path as EntityName": f'EntityName = @"{FILE}";',
    "a path as alias": f'Aliases = @"{FILE}";',
    "a path as Description": f'Description = @"{FILE}";',
    "a path in other free text": f'String Summary = @"{FILE}"; String Details = @"{FILE}"; String Comment = @"{FILE}";',
    "an architecture noun": 'EntityName = @"the coordinator layer";',
    "a port": "Int Port = 8080;",
    "a state": 'LifecycleState = @"planned";',
    "a link to a type": "SemanticEntityBase Like = Repository;",
    "a link to itself": "SemanticEntityBase Twin = Thing;",
}


@pytest.mark.parametrize("text", WITHOUT.values(), ids=WITHOUT)
def test_free_text_and_empty_links_are_no_handles(text: str) -> None:
    """R24, R29, R30, DEC-D4, CASE-A15: refused for the critic, a warning for a person (DEC-D5)."""
    definition = f"prototype Thing : SemanticEntityBase {{ {text} }}"
    assert code(Critic().judge(definition)) == "NO_HANDLE"
    verdict = Person().judge(definition)
    assert isinstance(verdict, Written)
    assert [warning.code.value for warning in verdict.warnings] == ["NO_HANDLE"]


def test_a_path_or_address_counts_under_any_name() -> None:
    """R26: path, URL, commit and session key are recognised whatever the property is called."""
    for value in (FILE, "https://quay.example/x"):
        verdict = Person().judge(f'prototype Thing : SemanticEntityBase {{ String Entity = @"{value}"; }}')
        assert isinstance(verdict, Written)
        assert verdict.warnings == ()


def test_a_typed_link_needs_a_handle_at_its_other_end() -> None:
    """R25, DEC-D3: one hop, and two empty things that point at each other have nothing."""
    hand = Person()
    hand.write('prototype Quay : Repository { RepositoryRoot = @"/srv/quay"; }')
    hand.write('prototype Empty : SemanticEntityBase { EntityName = @"Empty"; }')
    assert hand.write("prototype Linked : Worktree { Repository = Quay; }").warnings == ()
    far = hand.write("prototype Far : SemanticEntityBase { Worktree Via = Linked; }")
    assert [warning.code.value for warning in far.warnings] == ["NO_HANDLE"]
    hollow = hand.write("prototype Hollow : SemanticEntityBase { SemanticEntityBase Other = Empty; }")
    assert [warning.code.value for warning in hollow.warnings] == ["NO_HANDLE"]
    back = hand.write("partial prototype Empty { SemanticEntityBase Back = Hollow; }")
    assert [warning.code.value for warning in back.warnings] == ["NO_HANDLE"]


def test_an_augmentation_may_rest_on_the_handle_that_is_there() -> None:
    """R38: the prototype as it would stand is what must carry a handle."""
    critic = Critic()
    critic.write(f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; }}')
    assert code(critic.judge('partial prototype TideGauge { Aliases = @"water clock"; }', "TideGauge")) == "accepted"


LOG = "\n".join(f"2026-05-0{day} 10:00:00 INFO tide rising" for day in range(1, 6))
FLEETING = {
    "log lines": f'Notes = @"{LOG}";',
    "levels": 'Notes = @"INFO start\nWARN slow\nERROR stop";',
    "stack trace": 'Notes = @"Traceback (most recent call last):\n  File x";',
    "JSON dump": 'Notes = "{\\"a\\": 1, \\"b\\": 2, \\"c\\": 3, \\"d\\": 4}";',
    "table dump": 'Notes = @"|a|b|\n|1|2|\n|3|4|";',
    "blob": f'Notes = @"{"AbC1" * 110}";',
    "long text": f'Notes = @"{"the tide goes up and down again " * 45}";',
    "many lines": f'Notes = @"{"a line of it" + chr(10)}{"another line" + chr(10)}{("more" + chr(10)) * 20}";',
    "result marker": 'Notes = @"ONLINE_MEMORY_CRITIC_RESULT x";',
    "critic key": 'String SessionKey = @"quay:1-online-memory-critic";',
    "watcher key": 'String SessionKey = @"quay-level-two";',
    "lane id": 'String LaneId = @"omcbench:run:lane:0001";',
}
WRAPPERS = {
    "RoundingDecision": "",
    "TideBlocker": "",
    "BuildFailure": "",
    "GaugeFact": "",
    "TurnSummary": "",
    "Gauge": 'EntityName = @"Summary of the turn";',
    "Session4": 'EntityName = @"session recap";',
}


def fleeting(name: str, extra: str) -> str:
    """A definition with a handle, so that only its durability is in question."""
    return f'prototype {name} : SemanticEntityBase {{ String FilePath = @"{FILE}"; {extra} }}'


@pytest.mark.parametrize("extra", FLEETING.values(), ids=FLEETING)
def test_logs_dumps_and_critic_mechanics_are_not_durable(extra: str) -> None:
    """R61, R62, R68: by their shape; for a person a warning (DEC-D5)."""
    verdict = Person().judge(fleeting("Gauge", extra))
    assert isinstance(verdict, Written), refusals(verdict)
    assert {warning.code.value for warning in verdict.warnings} == {"NOT_DURABLE"}


@pytest.mark.parametrize(("name", "extra"), WRAPPERS.items(), ids=WRAPPERS)
def test_facts_decisions_and_summaries_are_not_things(name: str, extra: str) -> None:
    """R67, R70: what belongs on an entity is not wrapped into one of its own."""
    verdict = Person().judge(fleeting(name, extra))
    assert isinstance(verdict, Written)
    assert [warning.code.value for warning in verdict.warnings] == ["NOT_DURABLE"]


@pytest.mark.parametrize(
    "text",
    [
        f'prototype RoundingDecision : Document {{ FilePath = @"{FILE}"; }}',
        'prototype Summary : Document { EntityName = @"session-summary.md"; FilePath = @"doc/session-summary.md"; }',
        'prototype MenuLevel2 : Branch { EntityName = @"feature/menu-level-2"; BranchName = @"feature/menu-level-2"; }',
        f'prototype FactSheet : Document {{ FilePath = @"{FILE}"; }}',
        'prototype Nightly : Command { CommandLine = @"make build && make test && make nightly && make publish"; }',
        'prototype Critic : Directory { DirectoryPath = @"/srv/online-memory-critic/src"; }',
        f'prototype Gauge : SourceFile {{ FilePath = @"{FILE}"; Notes = @"Reads the level. Two lines\nare fine."; }}',
    ],
)
def test_real_things_with_such_words_are_durable(text: str) -> None:
    """R4, R70: a decision record is a document, and a project may be about critics."""
    verdict = Person().judge(text)
    assert isinstance(verdict, Written), refusals(verdict)
    assert verdict.warnings == ()


def test_a_wrapper_and_a_log_of_a_critic_are_refused() -> None:
    """R67, R70, R61: what warns a person binds the critic."""
    turn = a_turn(outcome=f"I changed {FILE}. The rounding decision: 41.\nINFO a\nWARN b\nERROR c")
    critic = Critic(view=turn)
    text = fleeting("RoundingDecision", 'EntityName = @"rounding decision";')
    assert code(critic.judge(text)) == "NOT_DURABLE"
    assert code(critic.judge(fleeting("Gauge", 'Notes = @"INFO a\nWARN b\nERROR c";'))) == "NOT_DURABLE"


def test_what_a_person_made_ferrule_forget_is_not_learned_again() -> None:
    """DEC-D14, R97: by identity key or by name."""
    asked: list[tuple[str, ...]] = []

    def forgotten(marks: tuple[str, ...]) -> tuple[str, ...]:
        asked.append(tuple(marks))
        return tuple(mark for mark in marks if mark.startswith("path:"))

    critic = Critic(extra={"forgotten": forgotten})
    verdict = critic.judge(f'prototype TideGauge : SourceFile {{ FilePath = @"{FILE}"; }}')
    assert code(verdict) == "NOT_DURABLE"
    assert "unforget" in refusals(verdict)[0].remedy
    assert "tidegauge" in asked[0]
