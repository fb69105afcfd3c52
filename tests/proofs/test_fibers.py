"""Fibers run one at a time and die where they stand."""

import pytest
from proofs.fibers import Fiber, Killed


def test_fibers_take_turns_as_they_are_told() -> None:
    """CASE-M10: the order is the scheduler's alone."""
    said: list[str] = []

    def body(fiber: list[Fiber], name: str) -> None:
        for number in range(2):
            said.append(f"{name}{number}")
            fiber[0].cut()

    ends: dict[str, list[Fiber]] = {"a": [], "b": []}
    for name, place in ends.items():
        place.append(Fiber(name, lambda place=place, name=name: body(place, name)))  # type: ignore[misc]
    for name in ("b", "a", "a", "b", "a", "b"):
        ends[name][0].resume()
    assert said == ["b0", "a0", "a1", "b1"]
    assert all(place[0].over for place in ends.values())


def test_a_killed_fiber_does_nothing_more_on_its_way_out() -> None:
    """CASE-J01: `finally` blocks run, but whatever they call is refused, as in a process that is gone."""
    said: list[str] = []

    def body() -> None:
        try:
            fiber.cut()
        finally:
            said.append("on the way out")
            with pytest.raises(Killed):
                fiber.cut()

    fiber = Fiber("victim", body)
    fiber.resume()
    fiber.kill()
    assert (said, fiber.over, fiber.died) == (["on the way out"], True, None)


def test_an_error_that_ends_a_fiber_is_kept() -> None:
    """CASE-M10: an actor that falls over is a finding, not a silence."""

    def body() -> None:
        raise ValueError("fell over")

    fiber = Fiber("clumsy", body)
    fiber.resume()
    assert isinstance(fiber.died, ValueError)
