"""Every trap of Aider's chat history, one by one."""

import pytest
from agent_chats import AIDER, blanks

from ferrule.adapters.transcripts.reader import read_text
from ferrule.session.imported import ImportedSession

START = "\n# aider chat started at 2026-03-01 10:00:00\n\n> Aider v0.86.0¶\n"
ASK = "\n#### Make the cart add up¶\n"
BLOCK = "\nsrc/a.py\n```python\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"
SENT = "\n> Tokens: 2k sent, 30 received.¶\n"


def read(*parts: str) -> ImportedSession:
    """The one session of a history that starts once."""
    (session,) = read_text(blanks(START + "".join(parts)), scrub=str)
    return session


def told(session: ImportedSession) -> list[tuple[str, str]]:
    """The words and outcomes of the turns."""
    return [(turn.user, turn.outcome) for turn in session.turns]


def rows(session: ImportedSession) -> list[tuple[str, str, bool | None]]:
    """What the turns did: verb, target, outcome."""
    return [(str(row.verb), row.target, row.ok) for turn in session.turns for row in turn.actions]


def test_a_prompt_with_its_answer_and_reports_is_a_turn() -> None:
    """R15, R18: files in the chat are read, an applied edit and a commit are done, the block is no word."""
    (session,) = read_text(AIDER, scrub=str)
    assert told(session) == [("Make the cart add up", "I change the sum:\n\nsrc/shop/cart.py")]
    assert rows(session) == [
        ("read", "src/shop/cart.py", True),
        ("edited", "src/shop/cart.py", True),
        ("committed", "1a2b3c4", True),
    ]
    assert session.session.key.startswith("aider:2026-03-01T10-00-00-")
    edits = session.turns[0].calls[1].arguments
    assert isinstance(edits, dict)
    assert edits["edits"] == [{"old_string": "total = 0", "new_string": "total = sum(prices)"}]


@pytest.mark.parametrize(
    ("reports", "done"),
    [
        ("", []),
        ("> Did not apply edit to src/a.py (--dry-run)¶\n", []),
        ("> Applied edit to src/a.py¶\n", [("edited", "src/a.py", True)]),
        (
            "> src/a.py¶\n> Create new file? (Y)es/(N)o [Yes]: y¶\n> Applied edit to src/a.py¶\n",
            [("created", "src/a.py", True)],
        ),
        ("> src/a.py¶\n> Create new file? (Y)es/(N)o [Yes]: n¶\n", []),
        (
            "> make all¶\n> Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: y¶\n> Running make all¶\n",
            [("ran", "make all", None)],
        ),
        ("> make all¶\n> Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: n¶\n", []),
        ("> Added 12 lines of output to the chat.¶\n", []),
        ("> b.py¶\n> Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: y¶\n", [("read", "b.py", True)]),
        ("> b.py¶\n> Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: s¶\n", []),
    ],
)
def test_only_what_is_reported_was_done(reports: str, done: list[tuple[str, str, bool | None]]) -> None:
    """D10: a SEARCH/REPLACE block is a proposal until aider says that it was applied."""
    assert rows(read(ASK, BLOCK, SENT, reports)) == done


def test_blocks_that_did_not_fail_are_applied() -> None:
    """R18: aider names the one that failed and counts the others; what its report quotes is no answer."""
    report = (
        "> # 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to "
        "exactly match lines in src/a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n\n"
        "# The other 1 SEARCH/REPLACE blocks were applied successfully.\nJust reply with fixed versions.¶\n"
    )
    session = read(ASK, "\nBoth:\n", BLOCK, BLOCK.replace("a.py", "b.py"), SENT, report, "\nSorry.\n", SENT)
    assert rows(session) == [("edited", "src/b.py", True)]
    assert told(session) == [("Make the cart add up", "Sorry.")]


def test_an_answer_to_aiders_question_is_no_prompt() -> None:
    """R94: some versions write it where a person's words stand; the next answer belongs to the turn that was asked."""
    question = "Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]:"
    asked = f"> b.py¶\n\n#### {question} all¶\n> {question} a¶\n"
    session = read(ASK, "\nAdd b.py, please.\n", SENT, asked, "\nNow I see.\n", SENT)
    assert told(session) == [("Make the cart add up", "Now I see.")]
    assert rows(session) == [("read", "b.py", True)]


COMMANDS = [
    ("\n#### /add b.py¶\n> Added b.py to the chat¶\n", "ui-command"),
    ("\n#### /mv a.py b.py¶\n> Invalid command: /mv¶\n", "ui-command"),
    ("\n#### /run make all¶\n> make: ok¶\n", "user-shell"),
    ("\n#### !ls¶\n> Added 12 lines of output to the chat.¶\n", "user-shell"),
    ("\n#### /ask¶\n", "ui-command"),
    (ASK + "> litellm.APIConnectionError: no route¶\n", "api-error"),
    (ASK + "> ^C again to exit¶\n", "interrupted"),
    (ASK + "\nI beg\n\n> ^C again to exit¶\n", "interrupted"),
    (ASK, "open"),
]


@pytest.mark.parametrize(("part", "reason"), COMMANDS)
def test_a_command_or_an_unanswered_prompt_is_no_turn(part: str, reason: str) -> None:
    """R76: a command of aider's own renames nothing, whatever it is called."""
    session = read(part)
    assert [one.reason for one in session.skipped] == [reason]
    assert not session.turns


def test_what_a_command_adds_is_there_for_the_next_prompt() -> None:
    """R18: and only for that."""
    more = "\n#### And the tax¶\n\nDone.\n"
    session = read("\n#### /add b.py¶\n> Added b.py to the chat¶\n", ASK, "\nDone.\n", SENT, more, SENT)
    assert [len(turn.calls) for turn in session.turns] == [1, 0]
    assert [turn.ordinal for turn in session.turns] == [2, 3]


def test_a_question_behind_a_command_is_a_prompt() -> None:
    """R15."""
    assert told(read("\n#### /ask Why 0?¶\n\nNo prices.\n", SENT)) == [("Why 0?", "No prices.")]


def test_a_commit_that_is_taken_back_takes_its_turn_along() -> None:
    """R76: what was done there is undone."""
    done = "> Applied edit to src/a.py¶\n> Commit 1a2b3c4 fix: sum¶\n"
    session = read(ASK, BLOCK, SENT, done, "\n#### /undo¶\n> Removed: 1a2b3c4 fix: sum¶\n")
    assert [one.reason for one in session.skipped] == ["rolled-back", "ui-command"]


def test_headings_and_quotations_of_the_model_are_its_answer() -> None:
    """R94: aider and the person end their lines in two blanks."""
    answer = "\n#### Why\n\n> The sum is 0\n\nSo it is.\n"
    assert told(read(ASK, answer, SENT)) == [("Make the cart add up", answer.strip())]


def test_a_history_without_trailing_blanks_is_read_all_the_same() -> None:
    """R89: an editor may have taken them off."""
    (session,) = read_text(AIDER.replace("  \n", "\n"), scrub=str)
    assert [row[0] for row in rows(session)] == ["read", "edited", "committed"]


def test_each_start_is_a_session_and_one_without_a_prompt_is_none() -> None:
    """R75."""
    text = blanks(START + START.replace("10:00", "11:00") + ASK + "\nDone.\n" + START.replace("10:00", "12:00") + ASK)
    sessions = read_text(text, scrub=str)
    assert [(len(one.turns), len(one.skipped)) for one in sessions] == [(1, 0), (0, 1)]


def test_a_whole_file_is_an_edit_of_the_file_before_it() -> None:
    """R18: the format in which aider's model gives a file whole."""
    session = read(ASK, "\nHere:\n\nsrc/a.py\n```\nnew\n```\n", SENT, "> Applied edit to src/a.py¶\n")
    assert session.turns[0].outcome == "Here:\n\nsrc/a.py"
    arguments = session.turns[0].calls[0].arguments
    assert isinstance(arguments, dict)
    assert arguments["edits"] == [{"old_string": "", "new_string": "new"}]
