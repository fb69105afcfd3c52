"""Whatever a turn holds, the reviewer ends in a review, and what it writes stands in the turn."""

from critic_cases import said_view
from fake_door import FakeDoor
from hypothesis import given
from hypothesis import strategies as st

from ferrule.bridge.values import Disposition, MentionRef, Proves
from ferrule.review.embedded.reviewer import EmbeddedReviewer
from ferrule.review.port import Limits

PIECES = st.sampled_from(
    (
        *(
            "src/a.py",
            "`b/c.md`",
            "https://git.example/x/y/pull/3",
            "#3",
            "PR #3",
            "issue 4",
            "4be1c09",
            "main",
            "feat/x",
        ),
        *(
            "/srv/x",
            "~/dev/y/",
            r"C:\q\App.cs",
            "make check",
            "run",
            "e.g.",
            "maybe",
            "call it Kestrel",
            "\n",
            "```",
            "> ",
            ":12",
        ),
        *(
            "API_KEY",
            "@scope/pkg",
            "localhost:5173",
            "\uff18",
            "日本語のファイル",
            "\u200b",
            "\x07",
            '"',
            '@"x"',
            "{}",
            "[[",
            "…",
        ),
    )
)
TEXT = st.lists(PIECES | st.text(max_size=12), min_size=1, max_size=30).map(" ".join)
CALL = st.tuples(
    st.sampled_from(("Edit", "Write", "Read", "Bash", "apply_patch", "unknown")),
    st.one_of(
        TEXT,
        st.fixed_dictionaries({"file_path": TEXT, "content": TEXT}),
        st.fixed_dictionaries({"command": TEXT}),
    ),
    st.none() | TEXT,
    st.sampled_from((True, False, None)),
)


@given(TEXT, TEXT.filter(lambda text: bool(text.strip())), st.lists(CALL, max_size=4))
def test_any_turn_ends_in_a_review(user: str, outcome: str, calls: list[object]) -> None:
    """R36, R39, R46, R94: no exception, one decision per candidate, every handle a mention of this turn."""
    view = said_view(user, outcome, *calls)  # type: ignore[arg-type]
    door = FakeDoor(view)
    draft = EmbeddedReviewer().review(door, Limits())
    labels = [decision.candidate for decision in draft.decisions]
    assert labels == [candidate.label for candidate in draft.candidates]
    assert len(labels) == len(set(labels))
    written = [d for d in draft.decisions if d.disposition in (Disposition.NEW_CREATE, Disposition.EXISTING_AUGMENT)]
    assert len(door.written) == len(written) <= 5
    for proposal in door.written:
        for claim in proposal.claims:
            for evidence in claim.evidence:
                if evidence.proves is Proves.HANDLE and isinstance(evidence.cites, MentionRef):
                    mention = view.mention(evidence.cites.mention)
                    assert mention is not None
                    assert mention.value == claim.value
