"""Which permanent layer a run has, and how a wrong file is told."""

from pathlib import Path

import pytest

from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.wiring.permanent import permanent_layer

BASE = "prototype Thing\n{\n\tString EntityName;\n}\n"


def put(folder: Path, name: str, text: str) -> Path:
    """An ontology file."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_shipped_base_is_the_default() -> None:
    """Without folders of the user's own the base is there."""
    assert permanent_layer([], []).get("SemanticEntityBase") is not None


def test_ontology_replaces_the_base_and_settings_add_to_it(tmp_path: Path) -> None:
    """Design section 8: `--ontology` replaces, folders of the settings add."""
    mine = put(tmp_path / "mine", "a.pts", BASE)
    more = put(tmp_path / "more", "b.pts", "prototype Robot : Thing\n{\n\tString RobotId;\n}\n")
    layer = permanent_layer([mine], [more])
    assert layer.get("Robot") is not None
    assert layer.get("SemanticEntityBase") is None
    house = put(tmp_path / "house", "c.pts", "prototype Robot : SemanticEntityBase;")
    assert permanent_layer([], [house]).get("SemanticEntityBase") is not None


def test_the_same_type_twice_is_an_error_and_a_part_is_none(tmp_path: Path) -> None:
    """A plain redeclaration across folders is an error; a `partial` merges."""
    mine = put(tmp_path / "mine", "a.pts", BASE)
    again = put(tmp_path / "again", "a.pts", BASE)
    part = put(tmp_path / "part", "a.pts", "partial prototype Thing\n{\n\tString Serial;\n}\n")
    with pytest.raises(UnreadableInput, match=r"a\.pts:1:11: Thing is declared a second time") as refused:
        permanent_layer([mine, again], [])
    assert refused.value.code is Code.ALREADY_EXISTS
    merged = permanent_layer([mine], [part]).get("Thing")
    assert merged is not None
    assert merged.own("Serial") is not None


@pytest.mark.parametrize("text", ["prototype X : Nothing;", "prototype {", "prototype X\n{\n\tWidget W;\n}\n"])
def test_a_wrong_file_is_told_with_its_place(tmp_path: Path, text: str) -> None:
    """Never half an ontology."""
    with pytest.raises(UnreadableInput, match=r"a\.pts:\d+:\d+: "):
        permanent_layer([], [put(tmp_path / "mine", "a.pts", text)])


def test_a_missing_folder_is_a_usage_error(tmp_path: Path) -> None:
    """Exit 2, not an empty ontology."""
    with pytest.raises(UsageError, match="no such ontology"):
        permanent_layer([tmp_path / "nowhere"], [])
