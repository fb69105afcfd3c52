"""A folder of a thousand prototypes is a permanent layer, and each of them is found by what it is called or carries."""

import json
from pathlib import Path

import pytest
from store_cases import Clock, a_session

from ferrule.adapters.ontologies.layer import IndexedLayer
from ferrule.adapters.sqlite.store import SqliteStore
from ferrule.interfaces.cli.entry import run
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.values import Annotated
from ferrule.wiring.permanent import permanent_layer

FILES, EACH = 40, 25
HEAD = 'include "../types/*.pts";\nimport Harbour.Core Harbour.Berths Berths;\n'
BERTH = """
[SemanticEntity("mooring place {number}")]
prototype Berth{number} : Berth
{{
	EntityName = "North berth {number}";
	Aliases = @"old slip {number}; slip of lot {number}";
	BerthPath = @"docs/berths/{number}.md";
	Keeper = Ask({number});
	function Clear(Int hours) : Bool {{ if (hours > 2) {{ return true; }} return false; }}
}}
"""
PART = 'partial prototype Berth{number} {{ String RemoteUrl = "https://git.example/berths/{number}.git"; }}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A thousand prototypes in forty files, their parts in others, functions and computed values in each."""
    place = tmp_path / "harbour"
    (place / "types").mkdir(parents=True)
    (place / "berths").mkdir()
    kind = "prototype Berth : SemanticEntityBase { String BerthPath; String Keeper = Nobody(); }\n"
    (place / "types" / "berth.pts").write_text(kind, encoding="utf-8")
    for file in range(FILES):
        own = range(file * EACH, (file + 1) * EACH)
        others = range(-file * EACH, (1 - file) * EACH)
        text = HEAD + "".join(BERTH.format(number=number) for number in own)
        text += "".join(PART.format(number=number % (FILES * EACH)) for number in others)
        (place / "berths" / f"b{file:02d}.pts").write_text(text, encoding="utf-8")
    return place


def test_it_is_one_layer_with_all_of_them_in_memory_and_in_an_index(folder: Path, tmp_path: Path) -> None:
    """R65, R89, INV-I5: parts are merged, annotations are data, what would need running is there and not run."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    read, indexed = permanent_layer([], [folder]), permanent_layer([], [folder], home=home)
    assert isinstance(indexed, IndexedLayer)
    for layer in (read, indexed):
        assert sum(name.startswith("Berth") for name in layer.names()) == FILES * EACH + 1
        _asked(layer)
    assert read.get("Berth7") == indexed.get("Berth7")


def _asked(layer: PrototypeLayer) -> None:
    for number in (0, 421, FILES * EACH - 1):
        name = f"Berth{number}"
        found = layer.get(name)
        assert found is not None
        assert found.annotations == (Annotated("SemanticEntity", (f"mooring place {number}",)),)
        keeper = found.own("Keeper")
        assert keeper is not None
        assert (str(keeper.value), keeper.assigned) == ("(computed: call, not run)", True)
        for phrase in (name, f"north berth {number}", f"Old slip {number}", f"mooring place {number}"):
            assert layer.called(phrase) == (name,)
        assert layer.holding(f"repo:git.example/berths/{number}") == (name,)


WAYS = ["Berth421", "North berth 421", "old slip 421", "mooring place 421", "docs/berths/421.md", "berths/421.git"]


def test_each_is_found_by_name_alias_phrase_and_handle(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R35, R65: as a person asks, `ferrule memory search --ontology`; and a computed value is shown as such."""
    home = tmp_path / "home"
    store = SqliteStore(home, Clock())
    session = a_session()
    store.put_session(session)
    store.close()
    base = Path(permanent_layer.__code__.co_filename).parents[1] / "ontology" / "base"
    words = [
        "--session",
        session.key,
        "--home",
        str(home),
        "--ontology",
        str(base),
        "--ontology",
        str(folder),
        "--json",
    ]
    for way in WAYS:
        assert run(["memory", "search", way, *words]) == 0
        first = json.loads(capsys.readouterr().out.splitlines()[0])
        assert first["name"] == "Berth421", way
    assert run(["memory", "show", "Berth421", *words]) == 0
    assert "(computed: call, not run)" in capsys.readouterr().out
