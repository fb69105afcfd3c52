"""A conversation's memories are told once each, the session's own first."""

from ferrule.bridge.details import Details, HandleView
from ferrule.recall.lineage import with_lineage
from ferrule.referents.kinds import HandleKind


def memory(name: str, *keys: str) -> Details:
    """A memory that carries handles of these identity keys."""
    handles = tuple(HandleView(HandleKind.URL, f"{name} {key}", "Url", key) for key in keys)
    return Details("", name, known=True, handles=handles)


def names(*memories: Details) -> list[str]:
    """Their names in order."""
    return [one.name for one in memories]


def test_the_own_come_first_and_the_nearest_of_the_others_next() -> None:
    """R87: what the others know of the same things is not told again."""
    own = (memory("Own", "a"), memory("Bare"))
    near, far = (memory("Near", "b"),), (memory("Same", "a"), memory("SameNear", "b"), memory("Far", "c"))
    assert names(*with_lineage(own, (near, far))) == ["Own", "Bare", "Near", "Far"]


def test_what_carries_one_new_handle_is_told() -> None:
    """R87: a thing that another session knows by more than this one is not the same news."""
    assert names(*with_lineage((memory("Own", "a"),), ((memory("More", "a", "b"),),))) == ["Own", "More"]


def test_what_the_session_says_of_a_thing_stands_for_what_was_said_before() -> None:
    """R45 R87: a repository that moved in this session is not told once more where it was."""
    moved, before = memory("Atlas", "new"), memory("Atlas", "old")
    assert names(*with_lineage((moved,), ((before, memory("Far", "c")),))) == ["Atlas", "Far"]
    assert names(*with_lineage((), ((moved,), (before,)))) == ["Atlas"]


def test_a_memory_without_handles_is_not_taken_from_elsewhere() -> None:
    """Nothing would reach it."""
    assert with_lineage((), ((memory("Idea"),),)) == ()


def test_handles_without_a_key_are_told_apart_by_their_values() -> None:
    """Older rows may lack the key."""
    one = Details("", "One", known=True, handles=(HandleView(HandleKind.HOST, "h1", "HostName"),))
    two = Details("", "Two", known=True, handles=(HandleView(HandleKind.HOST, "h2", "HostName"),))
    assert names(*with_lineage((one,), ((one, two),))) == ["One", "Two"]
