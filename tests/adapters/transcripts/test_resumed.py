"""Copied history across files."""

from claude_lines import Talk, read_lines, reasons, said

from ferrule.adapters.transcripts.resumed import without_copied_history


def test_a_copied_turn_stays_with_the_session_that_had_it_first() -> None:
    """R92: old versions copy the history into a new file with a new session id."""
    first = Talk("5b1e5b5e-0000-4000-8000-000000000001")
    first.user("go")
    first.text("gone")
    resumed = Talk("5b1e5b5e-0000-4000-8000-000000000002")
    resumed.lines = [{**line, "sessionId": resumed.session} for line in first.lines]
    resumed.last = first.last
    resumed.user("more")
    resumed.text("ok")
    copy, original = without_copied_history([resumed.read(), first.read()])
    assert said(original) == [("go", "gone")]
    assert said(copy) == [("more", "ok")]
    assert reasons(copy) == ["duplicate"]


def test_sessions_that_begin_with_the_same_words_are_no_copies() -> None:
    """R92: a key derived from ordinal and text tells nothing across sessions."""
    sessions = []
    for number in (1, 2):
        talk = Talk(f"5b1e5b5e-0000-4000-8000-00000000000{number}")
        talk.user("hello")
        talk.text("hi")
        for line in talk.lines:
            del line["uuid"]
        sessions.append(read_lines(talk.lines))
    assert [len(session.turns) for session in without_copied_history(sessions)] == [1, 1]
