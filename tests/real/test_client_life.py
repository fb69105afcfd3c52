"""A day in a real client: Ferrule is installed, a turn works, is reviewed, and is known after resuming and compaction.

Codex asks its person to trust a hook first; `RealCodex.trusts` does what its dialog does. Without that, and without
the flag that bypasses it, Codex passes over every hook and says nothing (`test_client_mishaps.py`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from client_script import AGAIN, COMMAND, GO_ON, PULL, WORK, worktree
from real_clients import RealClient
from real_processes import Ran, end_worker, reviews, wait_for
from scripted_model import Asked

pytestmark = pytest.mark.real
RECALLED = re.compile(r"<ferrule-memory.*?</ferrule-memory>", re.DOTALL)


@dataclass(frozen=True)
class Day:
    """What happened.

    Attributes:
        client: where it happened.
        before: the client's configuration before Ferrule, and `untouched` after installing and at once uninstalling.
        turns: the client's three turns: work, resumed, after compaction.
        reviewed: how many reviews there were after each.
        memories: what was remembered after the first turn, and after the last.
        asked: what the client put before its model in the second and in the third turn.
        after: its configuration in the end.
    """

    client: RealClient
    before: Mapping[str, bytes]
    untouched: Mapping[str, bytes]
    turns: Sequence[Ran]
    reviewed: Sequence[int]
    memories: Sequence[Sequence[Mapping[str, Any]]]
    asked: Sequence[Sequence[Asked]]
    after: Mapping[str, bytes]


@pytest.fixture(scope="module")
def day(client: RealClient) -> Iterator[Day]:
    """The whole day, once for each client."""
    before = client.configuration()
    client.installs()
    assert client.ferrule("uninstall", client.name, "--yes").code == 0
    untouched = without_trust(client.configuration())
    client.installs()
    turns, reviewed, asked, memories = [], [], [], []
    for number, prompt in enumerate((WORK, AGAIN, GO_ON)):
        if prompt == GO_ON:
            client.forgets()
        known = len(client.model.asked)
        turns.append(client.turn(prompt, resume=number > 0))
        asked.append(tuple(client.model.asked[known:]))
        wait_for(lambda number=number: reviews(client.home) > number, "the review")  # type: ignore[misc]
        wait_for(lambda: not list((client.home / "spool").glob("*.json")), "the spool")
        reviewed.append(reviews(client.home))
        memories.append(rows(client.ferrule("memory", "list", "--session", client.session(), "--json")))
    assert client.ferrule("uninstall", client.name, "--yes").code == 0
    yield Day(client, before, untouched, turns, reviewed, memories, asked, client.configuration())
    end_worker(client.home)


def rows(ran: Ran) -> Sequence[Mapping[str, Any]]:
    """The lines of a command's JSON."""
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def without_trust(configuration: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Codex's own note of what its person trusted is its own and stays; it stands at the end of a file."""
    mark = b"\n[hooks.state]"
    return {name: data.split(mark)[0] if name.endswith("config.toml") else data for name, data in configuration.items()}


def test_a_turn_ends_as_ever(day: Day) -> None:
    """INV-I8: exit 0 and the final answer on standard output, nothing else."""
    work, again, go_on = day.turns
    assert [turn.code for turn in day.turns] == [0, 0, 0]
    assert work.out.strip().endswith(f"I opened {PULL}.")
    assert (again.out.strip(), go_on.out.strip()) == ("It is number 41.", "I go on.")


def test_each_turn_is_reviewed_exactly_once(day: Day) -> None:
    """R79, R84: hook, spool, a worker that the hook started; one review a turn."""
    first, *rest = day.reviewed
    assert first == 1
    assert all(later > earlier for earlier, later in zip(day.reviewed, rest, strict=False))
    log = rows(day.client.ferrule("log", day.client.session(), "--json"))
    assert len({row["turn"] for row in log}) == len(log) == day.reviewed[-1]


def test_the_work_is_remembered_with_its_handles(day: Day) -> None:
    """R82, R84: the pull request that the turn opened, the worktree that it made, the command that it ran."""
    found = {handle["value"]: (row["bases"], row["modality"]) for row in day.memories[0] for handle in row["handles"]}
    assert found[PULL] == (["PullRequest"], "created")
    assert found[COMMAND] == (["Command"], "existing")
    assert found[worktree(day.client.place)][1] == "created"


def test_what_was_recalled_is_not_learned_again(day: Day) -> None:
    """Design section 7: recalled text and answers of our own tools are no news to the critic."""
    assert day.memories[0] == day.memories[1] == day.memories[2]


def test_a_resumed_session_is_told_what_it_knew_and_its_agent_finds_more(day: Day) -> None:
    """R87: the text is in the model's input; the key in it opens the memory over MCP."""
    first, *_, last = day.asked[1]
    (told, *_) = RECALLED.findall(first.text)
    assert PULL in told
    assert f'session="{day.client.session()}"' in told
    assert '"PullRequestUrl"' not in first.text
    answer = json.dumps(last.body).replace("\\", "")
    assert '"name":"PullRequest41"' in answer.replace('": "', '":"')


def test_after_compaction_the_agent_still_knows_its_work(day: Day) -> None:
    """Issue 4: the conversation is gone, the worktree, the pull request and the test command are there."""
    told = day.asked[2][-1].text
    kept = RECALLED.sub("", told)
    assert not any(known in kept for known in (f"I opened {PULL}", f"cd {worktree(day.client.place)}"))
    (*_, newest) = RECALLED.findall(told)
    for known in (PULL, COMMAND, worktree(day.client.place)):
        assert known in newest


def test_uninstalling_leaves_the_configuration_byte_for_byte(day: Day) -> None:
    """Issue 4: the person's own hook and comments are as they were; after use, nothing of ours is left either."""
    assert day.untouched == without_trust(day.before)
    for name, data in day.after.items():
        assert b"hook.py" not in data, name
        assert b'"ferrule"' not in data, name
        assert b"mcp_servers.ferrule" not in data, name
    kept = [name for name in day.before if name.endswith(("hooks.json", "settings.json"))]
    assert [day.after[name] for name in kept] == [day.before[name] for name in kept]
