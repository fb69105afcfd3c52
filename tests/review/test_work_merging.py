"""Two names of one command, worktree, checkout or image; and what only looks alike."""

import pytest
from critic_cases import Said, bash, said_view

from ferrule.referents.kinds import Place
from ferrule.review.embedded.judging import scene

NOWHERE = Place()
QUAY = Place(cwd="/srv/quay", repository="git.example/harbor/quay")

# user, outcome, calls, place, one spelling, another spelling, whether they are one thing
CASES: list[tuple[str, str, tuple[Said, ...], Place, str, str, bool]] = [
    ("call `curl https://api.tide.dev/v1/now`", "https://api.tide.dev/v1/now answers.", (), QUAY,
     "curl https://api.tide.dev/v1/now", "https://api.tide.dev/v1/now", True),
    ("call `curl https://api.tide.dev/v1/now | jq .`", "https://api.tide.dev/v1/now answers.", (), QUAY,
     "curl https://api.tide.dev/v1/now | jq .", "https://api.tide.dev/v1/now", False),
    ("a worktree please", "Run `git worktree add ../quay-pr7 pr-7`: it lies in /srv/quay-pr7 then.", (), NOWHERE,
     "../quay-pr7", "/srv/quay-pr7", True),
    ("push", "Pushed harbor/quay.", (bash("git push", "To git.example:harbor/quay.git\n * [new branch]      x -> x"),
     bash("ls /srv/quay", "src")), QUAY, "/srv/quay", "git.example:harbor/quay", True),
    ("the repository moved", "origin is ssh://git@git.new.dev/harbor/quay.git now.",
     (bash("git remote set-url origin ssh://git@git.new.dev/harbor/quay.git"), bash("ls /srv/quay", "src")), QUAY,
     "/srv/quay", "git.example/harbor/quay", False),
    ("which private repository?", "Private `harbor/secret-quay` has it.",
     (bash("git ls-remote https://github.com/harbor/secret-quay.git", "1a2b3c4\tHEAD"),), QUAY,
     "harbor/secret-quay", "https://github.com/harbor/secret-quay.git", True),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_spellings_of_one_thing_meet(case: tuple[str, str, tuple[Said, ...], Place, str, str, bool]) -> None:
    """R33, R34: merged where the turn proves it, apart where it only looks alike."""
    user, outcome, calls, place, one, other, together = case
    things = scene(said_view(user, outcome, *calls, place=place)).things
    owners = [{i for i, thing in enumerate(things) if value in thing.values} for value in (one, other)]
    assert owners[0], [thing.values for thing in things]
    assert bool(owners[0] & owners[1]) is together
