"""What a file includes is read too, inside of what was named and nowhere else; what cannot be followed is told."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from ferrule.errors import Code
from ferrule.ontology.loading import Loaded, load_permanent


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Files with these texts, by their paths."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def started(folder: Path, files: Mapping[str, str]) -> Loaded:
    """An ontology that begins with `main.pts`."""
    put(folder, files)
    return load_permanent([folder / "main.pts"])


FOLLOWED = {
    "quoted": ('include "sub/b.pts";', ["B"]),
    "bare": ("include sub/b.pts;", ["B"]),
    "verbatim, with a backslash": (r'include @"sub\b.pts";', ["B"]),
    "up and down again": ('include "sub/../sub/./b.pts";', ["B"]),
    "twice": ('include "sub/b.pts"; include "./sub/b.pts";', ["B"]),
    "a pattern": ('include "sub/*.pts";', ["B", "C"]),
    "part of a pattern": ('include "s*b/b.pts"; include "sub/?.pts";', ["B", "C"]),
    "a pattern of all folders": ('include recursive "*.pts";', ["B", "C", "D"]),
    "a pattern in pieces": ('include recursive "sub/*e*p*.pts";', ["D"]),
    "a pattern of nothing": ('include "sub/x*.pts";', []),
    "lazily": ('include lazy "sub/c.pts";', ["C"]),
}


@pytest.mark.parametrize(("text", "names"), FOLLOWED.values(), ids=FOLLOWED)
def test_files_are_found_from_the_file_that_includes_them(tmp_path: Path, text: str, names: list[str]) -> None:
    """R89: in the order of the statements, each once."""
    loaded = started(
        tmp_path,
        {
            "main.pts": f"{text} prototype A;",
            "sub/b.pts": "prototype B;",
            "sub/c.pts": "prototype C;",
            "sub/low/deep.pts": "prototype D;",
            "sub/note.txt": "prototype Note;",
        },
    )
    assert sorted(loaded.layer.names()) == sorted(["A", *names])
    told = [problem.message for problem in loaded.problems]
    assert told == (["A `*` stands in the name of a file, not in that of a folder."] if "s*b" in text else [])


def test_a_circle_of_includes_ends_and_each_is_seen_from_its_own_folder(tmp_path: Path) -> None:
    """R89: a file that includes itself, and two that include each other."""
    loaded = started(
        tmp_path,
        {
            "main.pts": 'include "main.pts"; include "sub/b.pts"; prototype A;',
            "sub/b.pts": 'include "../main.pts"; include "low/c.pts"; prototype B : A;',
            "sub/low/c.pts": 'include "../b.pts"; partial prototype B : C; prototype C;',
        },
    )
    assert (loaded.problems, loaded.layer.names()) == ((), ("A", "B", "C"))
    found = loaded.layer.get("B")
    assert found is not None
    assert found.bases == ("A", "C")


NOT_FOLLOWED = {
    'include "../secret.pts";': "leads out of the folders",
    'include "sub/../../secret.pts";': "leads out of the folders",
    r'include "..\secret.pts";': "leads out of the folders",
    'include "../o/../secret.pts";': "leads out of the folders",
    'include "../*.pts";': "leads out of the folders",
    'include recursive "../*.pts";': "leads out of the folders",
    'include "{outside}/secret.pts";': "names another place",
    r'include "\\host\share\secret.pts";': "names another place",
    'include "C:/secret.pts";': "names another place",
    'include "file:///secret.pts";': "names another place",
    'include "https://host.example/secret.pts";': "names another place",
    'include "~/secret.pts";': "names another place",
    'include "link.pts";': "leads out of the folders",
    'include "below/secret.pts";': "leads out of the folders",
    'include "below/*.pts";': "leads out of the folders",
    'include "lin*.pts";': "leads out of the folders",
    'include "pipe.pts";': "There is no file pipe.pts.",
    'include "sub";': "There is no file sub.",
    'include "none.pts";': "There is no file none.pts.",
    'include "none/*.pts";': "There is no folder",
    'include "note.txt";': "note.txt is no .pts file.",
    'include "";': "The path of the include is none.",
    'include "a\x00b.pts";': "The path of the include is none.",
}


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes")
@pytest.mark.parametrize(("text", "says"), NOT_FOLLOWED.items(), ids=[ascii(text) for text in NOT_FOLLOWED])
def test_what_leaves_the_folder_is_told_at_its_statement_and_never_opened(tmp_path: Path, text: str, says: str) -> None:
    """CASE-B04, INV-I5: by its text, through a link, or as something that is no file at all."""
    folder = tmp_path / "o"
    put(tmp_path, {"secret.pts": "prototype Secret;", "o/sub/b.pts": "prototype B;", "o/note.txt": "prototype N;"})
    (folder / "link.pts").symlink_to(tmp_path / "secret.pts")
    (folder / "below").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.pts")
    loaded = started(folder, {"main.pts": f"prototype A;\n  {text.replace('{outside}', str(tmp_path))}"})
    (problem,) = loaded.problems
    assert says in problem.message
    assert (problem.line, problem.column, problem.code) == (2, 3, Code.IO_FAILED)
    assert problem.hint
    assert loaded.layer.names() == ("A",)


def test_another_folder_that_was_named_may_be_included(tmp_path: Path) -> None:
    """R89: its files are read anyway, and once."""
    put(tmp_path, {"core/a.pts": "prototype A;", "mine/b.pts": 'include "../core/a.pts"; prototype B : A;'})
    loaded = load_permanent([tmp_path / "core", tmp_path / "mine"])
    assert (loaded.problems, loaded.layer.names()) == ((), ("A", "B"))
    alone = load_permanent([tmp_path / "mine"])
    assert "leads out of the folders" in alone.problems[0].message


def test_a_link_inside_of_the_folder_is_followed_once(tmp_path: Path) -> None:
    """CASE-B04: where it leads is what counts."""
    put(tmp_path, {"real/b.pts": "prototype B;"})
    (tmp_path / "way").symlink_to(tmp_path / "real")
    loaded = started(tmp_path, {"main.pts": 'include "way/b.pts"; include "real/b.pts"; prototype A : B;'})
    assert (loaded.problems, loaded.layer.names()) == ((), ("A", "B"))


def test_a_file_that_differs_in_case_alone_is_named(tmp_path: Path) -> None:
    """R94: who wrote it on a disk that folds case hears what to write."""
    loaded = started(tmp_path, {"main.pts": 'include "Core.pts";', "core.pts": "prototype Core;"})
    if (tmp_path / "CORE.PTS").exists():
        assert loaded.problems == ()
    else:
        assert [problem.hint for problem in loaded.problems] == ["Did you mean core.pts?"]


def test_a_hostile_pattern_is_tried_in_linear_time(tmp_path: Path) -> None:
    """CASE-I04: hundreds of stars against a long name."""
    put(tmp_path, {f"{'a' * 200}.pts": "prototype B;"})
    loaded = started(tmp_path, {"main.pts": f'include "{"a*" * 100}b.pts"; include "{"a*" * 50}.pts"; prototype A;'})
    assert (loaded.problems, sorted(loaded.layer.names())) == ((), ["A", "B"])
