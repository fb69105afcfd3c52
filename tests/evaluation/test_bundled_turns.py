"""The bundled benchmark turns are what their README says: readable, wholly labelled, copied from nowhere."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundled_cases import KEY, Row, grams, in_the_judges_data, rows, strings

import ferrule
from ferrule.adapters.transcripts.reader import read_transcript
from ferrule.evaluation.records import read_labels
from ferrule.evaluation.scoring import same_handle
from ferrule.referents.kinds import HandleKind
from ferrule.referents.secrets.detect import scrub
from ferrule.session.turn import Turn

BENCH = Path(ferrule.__file__).parent / "samples" / "bench"
ROLES = ("user", "outcome", "tool")
KINDS = {kind.value for kind in HandleKind} - {"typed-reference"}
MODALITIES = {"existing", "planned", "created", "changed", "deleted", "reported"}
TYPES = {
    *("Repository", "Worktree", "Directory", "SourceFile", "ConfigFile", "Document", "PromptFile", "Script", "Command"),
    *("WebSite", "WebModule", "Service", "Api", "Package", "Image", "Database", "Dataset", "Model", "Environment"),
    *("Host", "Branch", "PullRequest", "Issue", "Commit", "Release", "SecretReference", "Session", "Tool", "Task"),
}
TRAPS = {
    "a secret": r"^secret ",
    "an injected instruction": r"^injected",
    "an example of a proposal": r"^example name",
    "a log": r"\blog\b",
    "a hit of a search": r"\bhit only",
    "a listing": r"\blisting\b",
    "a temporary file": r"^temporary",
    "created and removed": r"^created and removed",
    "superseded or stale": r"^(?:superseded|stale)",
    "a line reference": r"^line reference",
    "a lookalike": r"^lookalike",
    "build output": r"^build output",
    "an undone commit": r"^commit undone",
    "a pull or push range": r"range$",
    "content of a prompt": r"^content of a prompt",
}


def said(turn: Row) -> dict[str, str]:
    """What each role shows in a raw turn; the working folder and the branch are known from the client, so: tool."""
    tool = [text for row in turn["tool_results"] for text in strings([row["arguments"], row["result"]])]
    place = [turn["cwd"] or "", turn["git_branch"] or ""]
    return {"user": turn["user"]["text"], "outcome": turn["outcome"]["text"], "tool": "\n".join(tool + place)}


def read(turn: Turn) -> dict[str, str]:
    """The same for a turn that was read, so scrubbed."""
    tool = [text for call in turn.calls for text in strings([call.arguments, call.result or ""])]
    place = [turn.place.cwd or "", turn.branch or ""]
    return {"user": turn.user, "outcome": turn.outcome, "tool": "\n".join(tool + place)}


TURNS = rows(BENCH / "turns.jsonl")
LABELS = rows(BENCH / "labels.jsonl")
BY_ID = {turn["id"]: turn for turn in TURNS}


def handles() -> Iterator[tuple[str, Row]]:
    """Every labelled handle with its turn's id."""
    for label in LABELS:
        for entity in label["entities"]:
            for handle in entity["handles"]:
                yield label["id"], handle


def test_there_are_enough_turns_of_many_projects_languages_and_clients() -> None:
    """Breadth, and at least a quarter of turns that deserve nothing."""
    languages = Counter(label["language"] for label in LABELS)
    assert len(TURNS) >= 100
    assert len({label["file"] for label in LABELS}) >= 20
    assert len(languages) >= 14
    assert 0.4 <= languages["en"] / len(LABELS) <= 0.6
    assert sum(label["expect"] == "nothing" for label in LABELS) >= 0.25 * len(LABELS)
    assert len({turn["source"]["format"] for turn in TURNS}) >= 3
    assert sum(count >= 2 for count in Counter(turn["session_key"] for turn in TURNS).values()) >= 20


def test_turns_and_labels_belong_together_one_to_one() -> None:
    """Ids are unique, and a label says of its turn what the turn says of itself."""
    assert len(BY_ID) == len(TURNS)
    assert [label["id"] for label in LABELS] == [turn["id"] for turn in TURNS]
    for label in LABELS:
        source = BY_ID[label["id"]]["source"]
        assert (label["file"], label["turn"], label["language"]) == (
            source["file"],
            source["ordinal"],
            source["language"],
        )


def test_the_neutral_reader_takes_every_turn() -> None:
    """None is refused, all are sessions that a person works in."""
    sessions = read_transcript(BENCH / "turns.jsonl", scrub=lambda text: scrub(text, KEY))
    assert [turn.key for session in sessions for turn in session.turns] == [turn["id"] for turn in TURNS]
    assert not any(session.skipped for session in sessions)


def test_every_handle_stands_where_its_label_says() -> None:
    """R25, DEC-D9: verbatim, in the role it claims, in the turn as written and as read."""
    scrubbed = {
        turn.key: read(turn)
        for session in read_transcript(BENCH / "turns.jsonl", scrub=lambda text: scrub(text, KEY))
        for turn in session.turns
    }
    for name, handle in handles():
        assert handle["value"] in said(BY_ID[name])[handle["role"]], (name, handle)
        assert handle["value"] in scrubbed[name][handle["role"]], (name, handle, "lost to the scrubber")


def test_every_kind_type_modality_and_role_occurs_and_no_other() -> None:
    """R26: the vocabulary of the guide, wholly."""
    entities = [entity for label in LABELS for entity in label["entities"]]
    assert {handle["kind"] for _, handle in handles()} == KINDS
    assert {handle["role"] for _, handle in handles()} == set(ROLES)
    assert {entity["modality"] for entity in entities} == MODALITIES
    assert {entity["type"] for entity in entities} == TYPES
    assert {entity["grade"] for entity in entities} == {"required", "acceptable"}


def test_labels_are_whole() -> None:
    """Each entity has a handle, aliases and forbidden values stand in the turn, `expect` follows the grades."""
    for label in LABELS:
        texts = said(BY_ID[label["id"]]).values()
        required = sum(entity["grade"] == "required" for entity in label["entities"])
        assert label["expect"] == ("write" if required else "nothing")
        assert label["why"].strip().endswith(".")
        assert all(entity["handles"] for entity in label["entities"])
        labelled = {handle["value"] for entity in label["entities"] for handle in entity["handles"]}
        for value in [alias for entity in label["entities"] for alias in entity["aliases"]]:
            assert any(value in text for text in texts), (label["id"], value)
        for item in label["forbidden"]:
            assert any(item["value"] in text for text in texts), (label["id"], item)
            assert item["value"] not in labelled, (label["id"], item)


def test_no_handle_belongs_to_two_entities_nor_to_what_is_forbidden() -> None:
    """Else which memory earns the label would be a matter of order."""
    for label in LABELS:
        named = [(n, h["value"]) for n, entity in enumerate(label["entities"]) for h in entity["handles"]]
        named += [(-1, item["value"]) for item in label["forbidden"]]
        shared = [(a, b) for n, a in named for m, b in named if n < m and same_handle(a, b)]
        assert shared == [], label["id"]


def test_the_package_reads_the_labels() -> None:
    """As the benchmark does."""
    assert [label.id for label in read_labels(BENCH / "labels.jsonl")] == [label["id"] for label in LABELS]


@pytest.mark.parametrize("trap", TRAPS)
def test_every_trap_is_set(trap: str) -> None:
    """R27, R28: what must never be written stands in the turns to be left alone."""
    assert any(re.search(TRAPS[trap], item["why"]) for label in LABELS for item in label["forbidden"])


def test_pasted_secrets_are_gone_once_a_turn_is_read() -> None:
    """R27, DEC-D13: each is fake, and each is caught before the turn exists."""
    sessions = read_transcript(BENCH / "turns.jsonl", scrub=lambda text: scrub(text, KEY))
    texts = {turn.key: "\n".join(read(turn).values()) for session in sessions for turn in session.turns}
    secrets = [
        (label["id"], f["value"]) for label in LABELS for f in label["forbidden"] if f["why"].startswith("secret")
    ]
    assert len(secrets) >= 4
    assert [(name, value) for name, value in secrets if value in texts[name]] == []


def test_no_turn_repeats_another() -> None:
    """No two turns share what the user says, nor a sentence of it."""
    spoken = [grams([turn["user"]["text"], turn["outcome"]["text"]]) for turn in TURNS]
    assert len({turn["user"]["text"] for turn in TURNS}) == len(TURNS)
    counted = Counter(gram for turn in spoken for gram in turn)
    assert [gram for gram, count in counted.items() if count > 1] == []


@pytest.mark.shared
def test_no_sentence_comes_from_the_judges_data() -> None:
    """Written by hand, so not eight words in a row stand in the gold turns, their labels or the corpus."""
    assert in_the_judges_data(text for row in [*TURNS, *LABELS] for text in strings(row)) == set()
