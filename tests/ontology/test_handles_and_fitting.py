"""Handles are read from prototypes by name, type and form; values fit their types or do not."""

import pytest

from ferrule.ontology.fitting import fits, said, suggestion
from ferrule.ontology.handles import handles_of, has_handle, keys_of, linked_handle, lookup_keys
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.loading import load_shipped
from ferrule.ontology.resolve import Ontology
from ferrule.ontology.values import LayerName, Property, Prototype, Ref, Value
from ferrule.referents.kinds import HandleKind, Place

PLACE = Place(cwd="/srv/quay", root="/srv/quay", repository="git.example/a/quay")


def thing(name: str, base: str, **values: Value) -> Prototype:
    """A memory of one of the shipped types."""
    properties = tuple(Property(key, "", value, declares=False, assigned=bool(value)) for key, value in values.items())
    return Prototype(name, (base,), properties, LayerName.SESSION)


def kinds(prototype: Prototype, *others: Prototype) -> list[tuple[str, str]]:
    """Kind and value of every handle."""
    known = Ontology(load_shipped().layer, InMemoryLayer([prototype, *others]))
    return [(handle.kind.value, handle.value) for handle in handles_of(prototype, known)]


CASES: list[tuple[str, dict[str, Value], list[tuple[str, str]]]] = [
    ("SourceFile", {"FilePath": "src/a.py"}, [("filesystem-path", "src/a.py")]),
    ("SourceFile", {"FilePathAtTurn9": "src/b.py"}, [("filesystem-path", "src/b.py")]),
    ("SourceFile", {"FilePath": ""}, []),
    ("PullRequest", {"PullRequestNumber": "#12"}, [("pull-request", "#12")]),
    ("PullRequest", {"PullRequestNumber": 12}, [("pull-request", "12")]),
    ("Worktree", {"Repository": Ref("Quay")}, [("typed-reference", "Quay")]),
    ("Environment", {"Hosts": (Ref("A"), Ref("B"))}, [("typed-reference", "A"), ("typed-reference", "B")]),
    ("Package", {"Version": "1.2.3"}, []),
    ("Service", {"Notes": "/srv/quay", "EntityName": "https://quay.example", "Aliases": "/srv/x"}, []),
    ("Service", {"Owner": "/srv/quay/owners.txt"}, [("filesystem-path", "/srv/quay/owners.txt")]),
    ("Service", {"Colour": "grey"}, []),
    ("Service", {"Ready": True}, []),
]


@pytest.mark.parametrize(("base", "values", "expected"), CASES)
def test_handles_come_from_the_property_and_its_value(
    base: str, values: dict[str, Value], expected: list[tuple[str, str]]
) -> None:
    """R24, R26, R29, DEC-D4: name first, then the recogniser; free text never."""
    assert kinds(thing("Thing", base, **values)) == expected


def test_keys_follow_the_place_and_leave_out_what_names_nothing() -> None:
    """DEC-D9: relative and absolute are one key in one place; references and bare numbers give none."""
    known = Ontology(load_shipped().layer)
    here = thing("A", "SourceFile", FilePath="tide/a.py", RunId="42", Repository=Ref("Quay"))
    assert keys_of(handles_of(here, known, PLACE)) == ("path:git.example/a/quay:tide/a.py",)
    assert lookup_keys(HandleKind.FILESYSTEM_PATH, "tide/a.py", PLACE) == (
        "path:git.example/a/quay:tide/a.py",
        "path:/srv/quay/tide/a.py",
    )
    assert lookup_keys(HandleKind.BRANCH, "main", PLACE, "branch:x:main") == (
        "branch:x:main",
        "branch:git.example/a/quay:main",
    )


def test_a_short_and_a_full_commit_meet() -> None:
    """DEC-D6, R66: seven digits are enough to find the commit again, in either direction."""
    full = "3f786850e387550fdab836ed7e6dc881de23001b"
    known = Ontology(load_shipped().layer)
    stored = {
        sha: keys_of(handles_of(thing("C", "Commit", CommitSha=sha), known)) for sha in (full, full[:7], full[:10])
    }
    for keys in stored.values():
        for other in stored:
            assert set(keys) & set(lookup_keys(HandleKind.COMMIT_SHA, other))


def test_a_link_counts_when_its_target_has_a_handle_of_its_own() -> None:
    """R25, DEC-D3: one hop, not to itself, not to a type."""
    quay = thing("Quay", "Repository", RepositoryRoot="/srv/quay")
    near, far = thing("Near", "Worktree", Repository=Ref("Quay")), thing("Far", "Session", Worktree=Ref("Near"))
    own = thing("Own", "Session", ParentSession=Ref("Own"))
    known = Ontology(load_shipped().layer, InMemoryLayer([quay, near, far, own]))
    assert has_handle(quay, known)
    assert not has_handle(near, known)
    assert linked_handle(near, known)
    assert not linked_handle(far, known)
    assert not linked_handle(own, known)


@pytest.mark.parametrize(
    ("value", "declared", "fit"),
    [
        (None, "Int", True),
        ("", "String", True),
        ("", "Int", False),
        ((), "String", False),
        (2**31 - 1, "Int", True),
        (2**31, "Integer", False),
        (True, "Int", False),
        (1, "Bool", False),
        (1, "Double", True),
        (float("inf"), "Double", False),
        ((1, ("x", Ref("Quay"))), "Collection", True),
        ((2**31,), "Collection", False),
        (Ref("SourceFile"), "ProjectFile", True),
        (Ref("Host"), "ProjectFile", False),
        (Ref("Host"), "Prototype", True),
        (Ref("Host"), "String", False),
        ("Host", "Host", False),
    ],
)
def test_a_value_fits_its_type_or_it_does_not(value: Value, declared: str, fit: bool) -> None:  # noqa: FBT001
    """CASE-G09: nothing is converted."""
    known = Ontology(load_shipped().layer)
    assert fits(value, declared, known) is fit
    assert said(value)


@pytest.mark.parametrize(("name", "meant"), [("string", "String"), ("int?", "Int"), ("str[]", "String"), ("Buoy", "")])
def test_a_misspelt_type_is_answered_with_the_right_one(name: str, meant: str) -> None:
    """R89: lower-case and foreign spellings."""
    assert suggestion(name) == meant
