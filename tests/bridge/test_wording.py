"""Wishes, proposals and claims, told apart by their wording."""

import pytest

from ferrule.bridge.wording import claimed_deed, claims_done, planned_wording, proposes, wishes_for


def at(text: str) -> tuple[str, int, int]:
    """The text without its marks, and the span between them."""
    before, inside, _ = text.split("|")
    return text.replace("|", ""), len(before), len(before) + len(inside)


WISHES = [
    "Create |docs/plan.md|",
    "Please write a short report to |docs/plan.md|",
    "Write this as `|docs/plan.md|`",
    "add a new script |tools/run.sh|",
    "we need a web module in the end, |src/web.py|",
    "Save the summary as |notes/today.md|",
    "rename src/old.py to |src/new.py|",
    "call it |kestrel|",
    "let's add |src/cache.py|",
    "|src/cache.py| doesn't exist yet",
    "We plan to add a parser in |src/parse.py| next week.",
    "planned: we need a parser in |src/parse.py|.",
    "They are planning to move it into |src/parse.py|",
    "请创建 |src/cache.py|",
    "Erstelle bitte |src/müll.py|",
    "Crée le fichier |src/cache.py|",
]
NO_WISHES = [
    "Fix |src/a.py|",
    "Why does |src/a.py| fail?",
    "add a row to |README.md|",
    "write tests for |src/a.py|",
    "create a function parse in |src/a.py|",
    "make sure |src/a.py| is small",
    "rename |src/old.py| to src/new.py",
    "do not create |src/a.py|",
    "Create a plan. Then read |src/a.py|",
    "Update the plan in |docs/plan.md|",
    "I need a test for |src/a.py|",
    "see |https://example.org/x|",
    "看看 |src/a.py| 有什么问题",
]


@pytest.mark.parametrize("text", WISHES)
def test_a_wish_asks_for_what_is_not_there(text: str) -> None:
    """DEC-D10, R47: such a naming proves no existence."""
    assert wishes_for(*at(text))


@pytest.mark.parametrize("text", NO_WISHES)
def test_naming_a_thing_as_present_is_no_wish(text: str) -> None:
    """DEC-D10: `existing` is also proved by the user naming the thing."""
    assert not wishes_for(*at(text))


PROPOSALS = [
    "I would put it into |src/a.py|",
    "Next steps:\n- |src/a.py|",
    "**What I\u2019ll add**\n- |src/a.py|",
    "## Proposal\n\nA module |src/a.py| with two functions",
    "You'll need a separate |src/a.py|",
    "Run:\n```bash\n|make release|\n```",
    "|src/a.py| should hold the parser",
    "下一步：|src/a.py|",  # noqa: RUF001 - Chinese text has a Chinese colon
]
CLAIMS = [
    "Created |src/a.py|",
    "I updated the parser in |src/a.py|.",
    "Changes:\n- |src/a.py|",
    "I ran and fixed:\n```bash\n|make check|\n```",
    "The bug was in |src/a.py|",
    "✅ |src/a.py|",
]


@pytest.mark.parametrize("text", PROPOSALS)
def test_an_offer_is_a_plan(text: str) -> None:
    """R47, DEC-D10: an unapproved proposal is at most planned."""
    assert proposes(*at(text))


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_is_no_plan(text: str) -> None:
    """R22: what the outcome claims is reported."""
    assert not proposes(*at(text))


DEEDS = [
    ("Created |src/a.py|", "created"),
    ("Added a test to |src/a.py|", "changed"),
    ("Saved the report to |out/r.html|", "created"),
    ("Updated |src/a.py|", "changed"),
    ("Removed |src/a.py|", "deleted"),
    ("I would create |src/a.py|", ""),
    ("The bug is in |src/a.py|", ""),
]


@pytest.mark.parametrize(("text", "deed"), DEEDS)
def test_a_deed_is_claimed_of_the_thing_itself(text: str, deed: str) -> None:
    """DEC-D10: adding to a thing changes it."""
    assert claimed_deed(*at(text)) == deed


def test_done_words_in_the_clause_count_and_others_do_not() -> None:
    """R22."""
    assert claims_done(*at("It was fixed in |src/a.py|"))
    assert not claims_done(*at("It was fixed. See |src/a.py|"))


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("planned: we need a web module", True),
        ("I would move it", True),
        ("Create the docs", True),
        ("The web module runs", False),
        ("", False),
    ],
)
def test_planned_wording_is_heard_anywhere_in_a_short_text(text: str, planned: bool) -> None:  # noqa: FBT001 - table
    """R47, CASE-A09."""
    assert planned_wording(text) is planned
