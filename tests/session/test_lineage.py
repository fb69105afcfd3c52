"""What one conversation remembers stays in its repository."""

import pytest

from ferrule.session.lineage import one_repository
from ferrule.session.source import SOURCE_PROFILE, SourceSession

SHOP, DOCS = "github.com/acme/shop", "github.com/acme/docs"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("/w/shop", SHOP), ("/w/shop", SHOP), True),
        (("/w/shop", None), ("/w/shop/", None), True),
        (("/w/shop", SHOP), ("/w/shop", DOCS), True),
        (("/w/shop", SHOP), ("/w/shop-retry", SHOP), True),
        (("/w/shop", SHOP), ("/w/shop/docs", DOCS), False),
        (("/w/shop", None), ("/w/shop/.claude/worktrees/retry", None), True),
        (("/w/shop", SHOP), ("/w/shop/src", None), True),
        (("/w/shop", None), ("/w/shop-retry", None), False),
        (("/w/shop", SHOP), ("/w/docs", DOCS), False),
        (("/w/shop", None), ("/w/docs", None), False),
        (("C:\\w\\shop", None), ("C:/w/shop/src", None), True),
        ((None, None), ("/w/shop", SHOP), True),
        ((None, SHOP), ("/w/docs", DOCS), False),
    ],
)
def test_a_conversation_is_one_as_long_as_nothing_says_that_it_went_to_another_repository(
    one: tuple[str | None, str | None], other: tuple[str | None, str | None], *, same: bool
) -> None:
    """R87, design section 7: the folder decides, else the remotes, else whether one folder is inside the other."""
    sessions = [
        SourceSession(f"desk:{name}", SOURCE_PROFILE, cwd=cwd, repository=repository)
        for name, (cwd, repository) in (("one", one), ("other", other))
    ]
    assert one_repository(sessions[0], sessions[1]) is same
    assert one_repository(sessions[1], sessions[0]) is same
