"""From a transcript to memory that an agent can use: the real command line on transcripts in a real format."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from slice_cases import CREATED, handles, work

from ferrule.interfaces.cli import output, reviewing


def state_of(ferrule: Callable[..., Any], home: Path, session: str = "last") -> tuple[Any, ...]:
    """What a home remembers of a session, as readers and the projection show it."""
    shown = ferrule("memory", "list", "--json", "--home", str(home), "--session", session).out
    text = ferrule("memory", "export", "--home", str(home), "--session", session).out
    log = ferrule("log", session, "--json", "--home", str(home)).out
    return sorted(shown.splitlines()), sorted(text.splitlines()), log


def test_a_planned_thing_becomes_created(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """R20, R45, R47: planned stays planned until written; the old state stands, the current view shows the new."""
    script = work(transcript)
    told = ferrule("review", str(script.written(tmp_path)), "--json")
    assert told.code == 0
    (report,) = told.rows()
    assert report["session"] == f"claude-code:{script.session}"
    first, second = report["reviews"][:2]
    planned = next(row for row in first["written"] if "policy.py" in json.dumps(row["handles"]))
    assert planned["modality"] == "planned"
    grown = next(row for row in second["written"] if row["prototype"] == planned["prototype"])
    assert (grown["modality"], grown["action"]) == ("created", "augmented")
    shown = ferrule("memory", "show", planned["prototype"], "--json").rows()[0]
    state = next(prop for prop in shown["properties"] if prop["name"] == "LifecycleState")
    assert (state["value"], state["was"]) == ("created", ["planned"])


def test_the_shape_of_a_report_is_the_documented_one(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """Design section 8: every member of `review --json`, with its type."""
    (report,) = ferrule("review", str(work(transcript).written(tmp_path)), "--json").rows()
    assert set(report) == {"session", "skipped", "reviews"}
    outcomes = set()
    for review in report["reviews"]:
        assert {"turn", "outcome", "candidates", "written", "refused", "calls", "usage"} <= set(review)
        assert set(review["turn"]) == {"key", "ordinal"}
        assert set(review["usage"]) == {"requests", "input_tokens", "output_tokens", "cpu_ms"}
        outcomes.add(review["outcome"])
        for candidate in review["candidates"]:
            assert {"label", "aliases", "disposition", "reason", "evidence"} <= set(candidate)
            assert all({"role", "excerpt", "start", "end"} <= set(evidence) for evidence in candidate["evidence"])
        for written in review["written"]:
            assert {"prototype", "bases", "action", "properties", "handles", "modality", "definition"} <= set(written)
            assert all(set(handle) == {"kind", "value", "property"} for handle in written["handles"])
        assert all({"id", "pass", "tool", "candidate", "ok"} <= set(call) for call in review["calls"])
    assert outcomes == {"wrote", "nothing"}


def test_reviewing_twice_changes_nothing(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """INV-I4, R92: the second time every turn comes back as already reviewed with what it wrote then."""
    path = work(transcript).written(tmp_path)
    first = ferrule("review", str(path), "--json").rows()[0]["reviews"]
    before = state_of(ferrule, home), (home / "receipts.head").read_bytes()
    again = ferrule("review", str(path), "--json").rows()[0]["reviews"]
    assert (state_of(ferrule, home), (home / "receipts.head").read_bytes()) == before
    assert all(review["already"] is True for review in again)
    assert [review["written"] for review in again] == [review["written"] for review in first]
    assert "0 memories written" in ferrule("review", str(path)).out


@pytest.mark.parametrize("lines", [2, 3, 6, 8])
def test_half_and_then_the_whole_ends_as_the_whole_at_once(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any], lines: int
) -> None:
    """INV-I4: a transcript that has grown is reviewed from where it was left, wherever it was cut."""
    script = work(transcript)
    half, whole = tmp_path / "half", tmp_path / "whole"
    assert ferrule("review", str(script.written(tmp_path, lines=lines)), "--home", str(half)).code == 0
    path = str(script.written(tmp_path))
    assert ferrule("review", path, "--home", str(half)).code == 0
    assert ferrule("review", path, "--home", str(whole)).code == 0
    assert state_of(ferrule, half) == state_of(ferrule, whole)


def test_one_turn_can_be_reviewed_alone(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """`--turn` takes an ordinal or a key, and reviews nothing else (R75)."""
    path = str(work(transcript).written(tmp_path))
    (report,) = ferrule("review", path, "--turn", "3", "--json").rows()
    assert [review["turn"]["ordinal"] for review in report["reviews"]] == [3]
    key = report["reviews"][0]["turn"]["key"]
    (again,) = ferrule("review", path, "--turn", key, "--json").rows()
    assert again["reviews"][0]["already"] is True
    assert len(ferrule("log", "--json").rows()) == 1


def test_a_dry_run_writes_nothing(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """Nothing of it stays, not even a home."""
    told = ferrule("review", str(work(transcript).written(tmp_path)), "--dry-run")
    assert told.code == 0
    assert "none written" in told.out
    assert "policy.py" in told.out
    assert not home.exists()


def test_small_talk_writes_nothing(tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]) -> None:
    """R14, R71: no referent, no memory, and the page says so in one line."""
    script = transcript().user("Good morning! How are you?").says("Very well, thank you. What shall we do today?")
    script.user("Nothing yet, just saying hello.").says("Hello then!")
    told = ferrule("review", str(script.written(tmp_path)))
    assert "Turns 1-2  nothing to remember" in told.out
    assert "2 turns reviewed, 0 memories written" in told.out
    assert ferrule("memory", "list", "--json").out == ""
    assert ferrule("context").out == ""


def test_a_huge_dump_is_not_remembered(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """R61, R62, CASE-I01: a tool's flood leaves at most what was named outside it."""
    dump = "\n".join(f"/var/log/app/{n:05d}.log https://node{n}.example.org:8080/x{n} {n:040x}" for n in range(20_000))
    script = transcript().user("What do the logs say?").call("Bash", dump, command="cat /var/log/app/all.log")
    script.says("Nothing unusual: only routine entries.")
    (report,) = ferrule("review", str(script.written(tmp_path)), "--json").rows()
    values = {handle["value"] for row in report["reviews"][0]["written"] for handle in row["handles"]}
    assert not {value for value in values if "node" in value or value.endswith("0.log")}
    assert len(values) <= 1


SECRET = "ghp_" + "9fQ2mX7tLw4Kc8Rz1Vb6Nh3Yp5Jd0Gs2Ta7E"


def forms(secret: str) -> dict[str, bytes]:
    """A secret as it might lie around."""
    raw = secret.encode()
    coded = [base64.b64encode(b"x" * pad + raw + b"yy")[4:-4] for pad in range(3)]
    found = {f"base64+{pad}": code for pad, code in enumerate(coded)}
    return found | {
        "plain": raw,
        "url": quote(secret, safe="").replace("_", "%5F").encode(),
        "utf-16": secret.encode("utf-16-le"),
        "hex": raw.hex().encode(),
        "reversed": raw[::-1],
    }


def test_a_pasted_secret_is_in_no_byte_of_the_home(
    tmp_path: Path, home: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """INV-I6, R28, DEC-D13: pasted by the user, echoed by a tool, repeated in the outcome: nowhere at rest or told."""
    script = transcript()
    script.user(f"Use the token {SECRET} to push docs/deploy.md, its name is DEPLOY_TOKEN.")
    script.call("Bash", f"remote: ok {SECRET}", command=f"git push https://bot:{SECRET}@github.com/acme/shop.git main")
    script.call("Write", CREATED.format("/w/shop/docs/deploy.md"), file_path="/w/shop/docs/deploy.md", content=SECRET)
    script.says(f"Pushed with `Authorization: Bearer {SECRET}` and wrote docs/deploy.md.")
    told = [ferrule("review", str(script.written(tmp_path / "in")), "--json")]
    told += [ferrule(*words) for words in (["explain"], ["log"], ["memory", "list"], ["memory", "export"], ["context"])]
    told.append(ferrule("memory", "search", SECRET))
    assert all(one.code == 0 for one in told)
    said = "".join(one.out + one.err for one in told[:-1]).encode()
    stored = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert len(stored) >= 4
    leaks = [
        (str(where), name)
        for where, data in [*stored.items(), ("output", said)]
        for name, form in forms(SECRET).items()
        if form in data
    ]
    assert not leaks
    assert "[secret:" in json.dumps(told[0].rows()) or "deploy.md" in said.decode()


def test_explain_says_why_and_why_not(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """R95, R36: candidates with disposition and reason, evidence in its role, and the searches that were executed."""
    ferrule("review", str(work(transcript).written(tmp_path)))
    page = ferrule("explain", "last", "3").out
    assert "looked at:" in page
    assert "searches were executed" in page
    assert "outcome" in page
    (review,) = ferrule("explain", "last", "3", "--json").rows()
    assert all(candidate["reason"] for candidate in review["candidates"])
    only = ferrule("explain", "--about", "policy.py", "--json").rows()
    assert only
    assert all("policy.py" in json.dumps(row) for review in only for row in review["candidates"])
    assert "Nothing like 'zebra'" in ferrule("explain", "--about", "zebra").out
    assert ferrule("explain", "last", "17").code == 2
    assert ferrule("explain", "nosuch").code == 2


def test_a_forgotten_thing_stays_forgotten(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """DEC-D14, R97: shown first, gone with --yes, not learned again by a later turn, liftable."""
    script = work(transcript)
    half = str(script.written(tmp_path, lines=2))
    ferrule("review", half)
    (name,) = [row["name"] for row in ferrule("memory", "list", "--json").rows()]
    assert "--yes" in ferrule("memory", "forget", name).out
    assert len(ferrule("memory", "list", "--json").rows()) == 1
    assert ferrule("memory", "forget", name, "--yes").code == 0
    ferrule("review", str(script.written(tmp_path)))
    assert not any(value.endswith("policy.py") for value in handles(ferrule("memory", "list", "--json").rows()))
    assert ferrule("memory", "unforget", name, "--yes").code == 0
    assert ferrule("memory", "unforget", name, "--yes").code == 2


def test_a_folder_is_reviewed_file_by_file(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """One object per session; sessions stay apart (INV-I7)."""
    for number in (1, 2):
        script = transcript(f"5f1c0b7e-0000-4000-8000-00000000001{number}", f"/w/shop{number}")
        script.user(f"Write docs/plan{number}.md").call(
            "Write",
            CREATED.format(f"/w/shop{number}/docs/plan{number}.md"),
            file_path=f"/w/shop{number}/docs/plan{number}.md",
            content="x",
        )
        script.says(f"Wrote docs/plan{number}.md.").written(tmp_path / "in" / str(number))
    told = ferrule("review", str(tmp_path / "in"), "--json")
    keys = [row["session"] for row in told.rows()]
    assert len(keys) == 2
    assert len(ferrule("sessions", "list", "--json").rows()) == 2
    own = ferrule("memory", "search", "plan2.md", "--session", keys[0], "--json").rows()
    assert not any("plan2" in json.dumps(row) for row in own)
    assert ferrule("memory", "list", "--session", "claude-code:5f1c").code == 2


def test_a_session_that_is_no_source_is_declined(tmp_path: Path, ferrule: Callable[..., Any]) -> None:
    """R9-R12: a specialised agent's session is told why it is not reviewed; nothing is stored for it."""
    turn = {
        "session_key": "s1",
        "profile": "level-2-watcher",
        "turn_key": "k1",
        "user": {"text": "write a.md"},
        "outcome": {"text": "wrote a.md"},
    }
    path = tmp_path / "watcher.jsonl"
    path.write_text(json.dumps(turn), encoding="utf-8")
    told = ferrule("review", str(path))
    assert told.code == 0
    assert 'Turn 1  "write a.md"  not reviewed: ' in told.out
    assert "0 turns reviewed, 0 memories written, 1 declined" in told.out
    assert ferrule("review", str(path), "--json").rows()[0]["reviews"][0]["outcome"] == "declined"
    assert ferrule("sessions", "list", "--json").out == ""


def test_an_interrupted_review_keeps_what_was_finished_and_goes_on(
    tmp_path: Path,
    home: Path,
    *,
    ferrule: Callable[..., Any],
    transcript: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CASE-J09: exit 130 after the first turn; the same command then ends as if it had never been interrupted."""
    path = str(work(transcript).written(tmp_path))

    class Impatient(output.Progress):
        def __call__(self, what: str) -> None:
            if "reviewed 1 of" in what:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(reviewing, "Progress", Impatient)
        told = ferrule("review", path)
    assert (told.code, told.err) == (130, "ferrule: interrupted; what was finished is kept\n")
    assert len(ferrule("log", "--json").rows()) == 1
    assert ferrule("review", path).code == 0
    assert ferrule("review", path, "--home", str(tmp_path / "other")).code == 0
    assert state_of(ferrule, home) == state_of(ferrule, tmp_path / "other")


def test_a_resumed_session_is_told_what_its_origin_learned(
    tmp_path: Path, ferrule: Callable[..., Any], transcript: Callable[..., Any]
) -> None:
    """Design section 7: one conversation in two files is one lineage; nothing is learned twice, all of it is told."""
    first = work(transcript)
    assert ferrule("review", str(first.written(tmp_path))).code == 0
    second = transcript("5f1c0b7e-0000-4000-8000-000000000002")
    second.lines += first.lines
    second.user("Now write docs/retry.md about it.")
    second.call("Write", CREATED.format("/w/shop/docs/retry.md"), file_path="/w/shop/docs/retry.md", content="x")
    second.says("I wrote `docs/retry.md`.")
    assert ferrule("review", str(second.written(tmp_path))).code == 0
    key = "claude-code:5f1c0b7e-0000-4000-8000-000000000002"
    own = handles(ferrule("memory", "list", "--session", key, "--json").rows())
    told = ferrule("context", "--session", key).out
    assert any(value.endswith("docs/retry.md") for value in own)
    assert not any(value.endswith("policy.py") for value in own)
    assert "docs/retry.md" in told
    assert "src/retry/policy.py" in told
    assert told.count("policy.py") == 1
