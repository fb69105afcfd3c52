"""Whose words an answer and a pasted block are, where the forms end oddly."""

import pytest

from ferrule.bridge.pasted import is_users_block
from ferrule.bridge.segments import cut_outcome, cut_user
from ferrule.bridge.values import Role


def outcome(text: str, *results: str) -> str:
    """What of an answer is outcome."""
    return "".join(text[part.start : part.end] for part in cut_outcome(text, results) if part.role is Role.OUTCOME)


# An answer, what of it stays the agent's word, what it puts into another mouth.
SAID = {
    "a quotation that nobody closed": ('The page says: "make lib/x.py and go on', [], ["make lib/x.py"]),
    "a quotation that ends": ('The page says: "make lib/x.py" but I did not.', ["but I did not."], ["make lib/x.py"]),
    "nothing after the colon": ("The page says:. I made lib/y.py.", ["I made lib/y.py."], []),
    "the end of the answer": ("I made lib/y.py. The page says: ", ["I made lib/y.py."], []),
}


@pytest.mark.parametrize(("text", "own", "foreign"), SAID.values(), ids=SAID)
def test_what_an_answer_attributes_is_not_its_own(text: str, own: list[str], foreign: list[str]) -> None:
    """CASE-A03: the sentence or the quotation after "the page says:" is observation, nothing else is."""
    kept = outcome(text)
    assert all(words in kept for words in own)
    assert not any(words in kept for words in foreign)


QUOTED = "I found this line:\n> the build writes out/report.html every night\nSo be it."


def test_a_quote_is_looked_for_in_as_many_results_as_there_is_room_for() -> None:
    """CASE-A03: a million code points of results are looked through, the first ones first."""
    line = "the build writes out/report.html every night"
    assert line not in outcome(QUOTED, line)
    assert line not in outcome(QUOTED, "x" * 900_000, line)
    assert line in outcome(QUOTED, "x" * 1_000_000, line)
    assert line in outcome(QUOTED, "x" * 999_980 + line)


def test_what_nobody_typed_is_observation() -> None:
    """R16: beyond 256 K code points a message or an answer was not typed; its rest speaks for nobody."""
    text = "go on " * 43_700 + "make lib/x.py"
    assert len(text) > 262_144
    for parts, role in ((cut_outcome(text, ()), Role.OUTCOME), (cut_user(text), Role.INTENT)):
        assert [(part.role, part.start, part.end) for part in parts] == [
            (role, 0, 262_144),
            (Role.OBSERVATION, 262_144, len(text)),
        ]


# The lines of a fenced block, its language, whether it is the user's own word.
BLOCKS = {
    "a command with its output": (["$ make test", "all of it went well"], "", False),
    "a command alone": (["$ make test"], "", True),
    "commands of a shell": (["make all", "make test", "make lint", "make dist"], "sh", True),
    "too many commands": (["make all"] * 13, "sh", False),
    "as many as may be": (["make all"] * 12, "sh", True),
    "four lines of no shell": (["make all", "make test", "make lint", "make dist"], "", False),
    "a line of a program": (["int main() {"], "", False),
    "a path": (["lib/x.py"], "", True),
    "a shell's variable": (["${HOME}"], "", True),
    "long lines": (["word " * 30] * 2, "", False),
    "longer than any command": (["word " * 80] * 2, "sh", False),
}


@pytest.mark.parametrize(("lines", "language", "own"), BLOCKS.values(), ids=BLOCKS)
def test_a_fenced_block_is_the_users_word_by_shape_and_size(lines: list[str], language: str, own: bool) -> None:  # noqa: FBT001 - a row
    """R16: a command, a path or a short script is asked for; output and programs are material."""
    assert is_users_block(lines, language) is own


def test_sentences_of_scripts_without_spaces_end_a_pasted_run() -> None:
    """R16, CASE-A19: what a person writes in Japanese after a log is intent, as it is in English."""
    log = "2026-01-02 10:00:01 ERROR out/x.log\n2026-01-02 10:00:02 ERROR out/y.log\n"
    for asked in ("設定を直してください", "Please mend the settings of it."):
        text = f"{log}{asked}\n{log}"
        intent = [text[part.start : part.end] for part in cut_user(text) if part.role is Role.INTENT]
        assert "".join(intent).strip() == asked
    bridged = f"{log}all of it\n{log}"
    assert [part.role for part in cut_user(bridged)] == [Role.OBSERVATION]
