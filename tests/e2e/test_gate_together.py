"""Hosts, a worker with two hands and a person, all at once over one home: every lock is taken in one order."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from companion_cases import event
from door_cases import SOURCE, the_turn
from gate_cases import until
from gated_homes import Held, a_home, critic_with, joined, watched

from ferrule.adapters.laptop.bell import EventBell
from ferrule.bridge.values import Accepted
from ferrule.companion.answers import Attached, Queued
from ferrule.companion.attaching import attach
from ferrule.companion.dispatching import dispatch
from ferrule.companion.working import Ended, Hours, Worker, Workshop
from ferrule.errors import Code
from ferrule.session import gate as gating
from ferrule.session.keys import child_key
from ferrule.session.source import Origin
from ferrule.session.subscriptions import Delivery
from ferrule.wiring.critic import memory_of, projected
from ferrule.wiring.home import Home

NOW = 2_000_000_000.0
SOURCES = tuple(f"desk:{name}" for name in ("north", "east", "south", "west"))
TURNS = 6


def host(home: Home, ring: Callable[[], object], key: str) -> None:
    """Evaluate a source turn by turn, each turn delivered and told of inside its evaluation."""
    for ordinal in range(1, TURNS + 1):
        turn = the_turn(ordinal, key)
        with home.gate.evaluating(key) as evaluation:
            assert evaluation.source == key
            home.store.put_turns([turn])
            if ordinal == 1:
                assert isinstance(attach(home.store, key, turn.key, Origin.MANAGEMENT, now=NOW), Attached)
            else:
                facts = {"SourceSessionKey": key, "TargetSessionKey": child_key(key)}
                raw = event(f"{key} {ordinal}", turn.key, **facts)
                assert isinstance(dispatch(home.store, raw, road=Delivery.LOCAL, now=NOW), Queued)
            ring()


def person(home: Home, kept: dict[str, set[str]]) -> None:
    """Write to every source's memory, forget every second thing, and have one of them back."""
    memory = memory_of(home)
    for number in range(12):
        key, name = SOURCES[number % len(SOURCES)], f"Card{number}"
        text = f'prototype {name} : Document\n{{\n\tDocumentPath = @"/srv/cards/{number}.md";\n}}\n'
        assert isinstance(memory.write(key, text), Accepted)
        if number % 2:
            assert len(memory.forget(key, [name])) == 1
            assert memory.unforget(key, name) >= 1
        else:
            kept[key].add(name)


def test_hosts_a_worker_and_a_person_never_wait_in_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R78, R84, INV-I4, CASE-M07, CASE-M12: every turn once and in order, nothing lost, no lock held at a reviewer."""
    monkeypatch.setattr(gating, "WAIT_SECONDS", 60.0)  # on a busy machine, too, only a circle would end the waiting
    with a_home(tmp_path / "home", ()) as home, watched(home) as dog:
        for key in SOURCES:
            home.store.put_session(replace(SOURCE, key=key))
        reviewer, bell, told = Held(home), EventBell(), list[str]()
        reviewer.let.set()
        shop = Workshop(
            critic_with(home, reviewer), bell, settled=lambda source: projected(home, source), tell=told.append
        )
        worker, ended = Worker(shop, Hours(parallel=2)), list[Ended]()
        kept: dict[str, set[str]] = {key: set() for key in SOURCES}
        threads = [threading.Thread(target=host, args=(home, bell.ring, key), name=key) for key in SOURCES]
        threads.append(threading.Thread(target=person, args=(home, kept), name="person"))
        working = threading.Thread(target=lambda: ended.append(worker.run()), name="worker")
        for thread in (working, *threads):
            thread.start()
        joined(*threads)
        until(lambda: sum(lane.reviewed for lane in home.store.lanes()) == TURNS * len(SOURCES), str(told))
        worker.stop()
        joined(working)
        assert ended == [Ended.STOPPED]
        assert reviewer.locks == [()] * len(reviewer.locks)
        assert dog.edges == {("gate", "store")}
        for key in SOURCES:
            reviewed = dict.fromkeys(receipt.turn for receipt in home.store.receipts(key) if receipt.turn)
            assert list(reviewed) == [f"t{ordinal}" for ordinal in range(1, TURNS + 1)]
            assert set(home.store.layer(key).names()) == {"ParserNotes", "StyleGuide"} | kept[key]
            projected(home, key)
            assert memory_of(home).verify(key).ok
        assert all(Code.INTERNAL not in line for line in told)
