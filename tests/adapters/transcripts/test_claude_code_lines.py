"""What single lines of Claude Code's session files bring: order, damage, place, plans, secrets."""

import json
import random

from claude_lines import SESSION, Talk, read_lines, said

from ferrule.adapters.transcripts.reader import read_text


def talk(user: str = "do it", answer: str = "done") -> Talk:
    """A session with one completed turn."""
    session = Talk()
    session.user(user)
    session.call("Bash", {"command": "touch a"})
    session.text(answer)
    return session


def test_lines_out_of_order_are_put_in_order() -> None:
    """R82: the transcript is written asynchronously; parents and times tell the order."""
    session = talk()
    session.user("second")
    session.call("Bash", {"command": "touch b"})
    session.text("two")
    lines = list(session.lines)
    random.Random(7).shuffle(lines)  # noqa: S311 - a fixed disorder, no secret
    assert said(read_lines(lines)) == said(session.read()) == [("do it", "done"), ("second", "two")]


def test_glued_truncated_and_foreign_lines_are_warnings() -> None:
    """R57: whatever stands on a line, reading goes on."""
    session = talk()
    lines = [json.dumps(line) for line in session.lines]
    text = "\n".join(["{broken", lines[0] + lines[1], "[1, 2]", "\x80", *lines[2:], lines[0][:40]])
    (read,) = read_text(text, scrub=str)
    assert said(read) == [("do it", "done")]
    assert read.warnings == (
        "unreadable-line 1",
        "unreadable-line 3",
        "unreadable-line 4",
        f"unreadable-line {len(lines) + 3}",
    )


def test_folder_and_branch_come_from_the_turns_own_lines() -> None:
    """R18: both change inside a session; outside git the branch is empty, detached it is HEAD."""
    session = talk()
    session.cwd, session.branch = "/w/.worktrees/fix", "fix"
    session.user("second")
    session.call("Bash", {"command": "touch b"})
    session.text("two")
    session.cwd, session.branch = "/v", "HEAD"
    session.user("third")
    session.text("three")
    first, second, third = session.read().turns
    assert (first.place.cwd, first.branch) == ("/w", "main")
    assert (second.place.cwd, second.place.root, second.branch) == ("/w/.worktrees/fix", "/w/.worktrees/fix", "fix")
    assert [row.target for row in second.actions] == ["/w/.worktrees/fix/b"]
    assert (third.place.cwd, third.branch) == ("/v", None)


def test_a_pull_request_line_is_an_artifact_of_the_running_turn() -> None:
    """R18: an excellent handle that stands in no message; evidence in the observation role."""
    session = talk()
    session.lines.append(
        {
            "type": "pr-link",
            "sessionId": SESSION,
            "prNumber": 7,
            "prUrl": "https://github.com/a/b/pull/7",
            "prRepository": "a/b",
        }
    )
    session.user("thanks")
    session.text("welcome")
    first, second = session.read().turns
    assert [artifact.text for artifact in first.artifacts] == ["https://github.com/a/b/pull/7"]
    assert second.artifacts == ()


def test_an_approved_plan_is_the_prompt_of_its_session() -> None:
    """R16: `planContent` repeats the message and adds nothing."""
    session = Talk()
    session.user("Implement the following plan:\n\n# Plan", planContent="# Plan")
    session.text("done")
    assert said(session.read()) == [("Implement the following plan:\n\n# Plan", "done")]


def test_titles_and_snapshots_are_no_turns() -> None:
    """R15: the last title names the session."""
    session = talk()
    session.lines.insert(0, {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}})
    session.lines.append({"type": "summary", "summary": "Old title", "leafUuid": "elsewhere"})
    session.lines.append({"type": "ai-title", "aiTitle": "New title", "sessionId": SESSION})
    read = session.read()
    assert said(read) == [("do it", "done")]
    assert read.session.title == "New title"


def test_every_string_of_a_turn_is_scrubbed_before_the_turn_exists() -> None:
    """DEC-D13, R28: words, steering, outcome, arguments, keys, results, details and artifacts."""
    session = Talk()
    session.user("use hunter2")
    session.use(
        "Bash", {"command": "login hunter2", "env": {"nested": ["hunter2"], "hunter2-as-a-long-key": 1}}, call="a"
    )
    session.user(
        [{"type": "tool_result", "tool_use_id": "a", "content": "hunter2 ok"}, {"type": "text", "text": "hunter2!"}],
        toolUseResult={"note": "hunter2"},
    )
    session.text("hunter2 is in")
    session.lines.append({"type": "pr-link", "sessionId": SESSION, "prUrl": "https://x.org/hunter2"})
    (turn,) = session.read(lambda text: text.replace("hunter2", "[secret:password:0a1b2c3d]")).turns
    assert "hunter2" not in repr(turn)
    assert turn.user == "use [secret:password:0a1b2c3d]"


def test_a_secret_that_only_its_key_gives_away_is_scrubbed() -> None:
    """DEC-D13: `{"password": "…"}` is shown to the scrubber with its key."""
    session = Talk()
    session.user("go")
    session.use("Login", {"password": "swordfish", "note": "swordfish"})
    session.result("ok")
    session.text("done")
    (turn,) = session.read(lambda text: text.replace("password=swordfish", "password=[secret:password:0a1b2c3d]")).turns
    assert turn.calls[0].arguments == {"password": "[secret:password:0a1b2c3d]", "note": "swordfish"}
