"""A folder with a small model made here, read by the real library where it is installed."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ferrule.adapters.embeddings.static_model import StaticModel
from ferrule.bridge.values import Accepted
from ferrule.errors import Code, StoreError
from ferrule.interfaces.cli.entry import run
from ferrule.session.source import SOURCE_PROFILE, SourceSession
from ferrule.wiring.critic import memory_of
from ferrule.wiring.home import open_home
from ferrule.wiring.meaning import meaning_of

LIBRARY = importlib.util.find_spec("model2vec") is not None
WITH_LIBRARY = pytest.mark.skipif(not LIBRARY, reason="the extra `embeddings` (model2vec) is not installed")
# Words of one topic lie in one direction.
TOPICS = {"invoice": 0, "bill": 0, "payment": 0, "parser": 1, "grammar": 1, "harbour": 2, "ferry": 2, "ship": 2}


def put_model(folder: Path, *, scale: float = 1.0) -> Path:
    """A model of eight words and three dimensions, in the library's own form."""
    numpy = importlib.import_module("numpy")
    tokenizers = importlib.import_module("tokenizers")
    words = {"[UNK]": 0, **{word: at for at, word in enumerate(TOPICS, start=1)}}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    rows = numpy.zeros((len(words), 3), dtype="float32")
    for word, topic in TOPICS.items():
        rows[words[word], topic] = scale
    model = importlib.import_module("model2vec").StaticModel(rows, tokenizer, normalize=True)
    model.save_pretrained(folder)
    return folder


@WITH_LIBRARY
def test_the_real_library_reads_a_folder_and_tells_what_is_similar(tmp_path: Path) -> None:
    """R35: vectors of unit length, their likeness, and a digest over every byte that decides them."""
    model = StaticModel(put_model(tmp_path / "model"))
    ship, bill, ferry, nothing = model.vectors(["a ship", "bill", "the ferry", "unheard"])
    near, far, none = model.likeness(ship, [ferry, bill, nothing])
    assert near == pytest.approx(1)
    assert (far, none) == (0, 0)
    assert len(model.digest) == 64
    assert StaticModel(tmp_path / "model").digest == model.digest
    assert StaticModel(put_model(tmp_path / "other", scale=2.0)).digest != model.digest


@WITH_LIBRARY
def test_a_search_uses_it_from_the_setting_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R35: `embeddings` in settings.toml, and nothing else to do."""
    place = tmp_path / "home"
    with open_home(place) as home:
        home.store.put_session(SourceSession("desk:one", SOURCE_PROFILE))
        text = 'prototype HarbourHost : Host\n{\n\tHostName = "harbour.example.org";\n}\n'
        assert isinstance(memory_of(home).write("desk:one", text), Accepted)

    def rows() -> list[dict[str, Any]]:
        assert run(["memory", "search", "ship", "--json", "--home", str(place)]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert rows() == []
    (place / "settings.toml").write_text(f"embeddings = '{put_model(tmp_path / 'model')}'\n", encoding="utf-8")
    (found,) = rows()
    assert (found["name"], found["matched"][0]["by"]) == ("HarbourHost", "meaning")
    assert found["why"].startswith("similar in meaning (")
    (place / "settings.toml").write_text("embeddings = 'nowhere'\n", encoding="utf-8")
    assert run(["memory", "search", "ship", "--home", str(place)]) != 0
    assert "config.json" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_folder_without_a_model_is_one_clear_line(tmp_path: Path, missing: str) -> None:
    """R41: what is not there is asked for nowhere else."""
    for name in {"config.json", "tokenizer.json", "model.safetensors"} - {missing}:
        (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(StoreError, match=missing) as told:
        StaticModel(tmp_path).vectors(["x"])
    assert told.value.code is Code.IO_FAILED
    assert "settings.toml" in str(told.value)


@pytest.mark.parametrize(
    ("name", "text"), [("config.json", "no"), ("tokenizer.json", "[]"), ("model.safetensors", "{}")]
)
def test_a_damaged_folder_is_one_clear_line(tmp_path: Path, name: str, text: str) -> None:
    """R41: whatever the library would say of it."""
    for one in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / one).write_text(text if one == name else "{}", encoding="utf-8")
    with pytest.raises(StoreError) as told:
        StaticModel(tmp_path).vectors(["x"])
    assert told.value.code is Code.IO_FAILED
    assert "\n" not in str(told.value)


def test_without_the_library_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R41: one line, with what to do."""
    for one in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / one).write_text("{}", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(StoreError, match=r"pip install 'ferrule\[embeddings\]'"):
        StaticModel(tmp_path).vectors(["x"])


def test_nothing_of_it_is_loaded_while_it_is_off(tmp_path: Path) -> None:
    """R35: no setting, no cost: neither adapter nor libraries are imported by a search."""
    script = (
        "import sys\n"
        "from ferrule.interfaces.cli.entry import run\n"
        f"home = {str(tmp_path / 'home')!r}\n"
        "from ferrule.wiring.home import open_home\n"
        "from ferrule.session.source import SOURCE_PROFILE, SourceSession\n"
        "with open_home(home) as opened:\n"
        "    opened.store.put_session(SourceSession('desk:one', SOURCE_PROFILE))\n"
        "assert run(['memory', 'search', 'x', '--home', home]) == 0\n"
        "loaded = {name.partition('.')[0] for name in sys.modules} & {'model2vec', 'numpy', 'tokenizers'}\n"
        "loaded |= {name for name in sys.modules if name.startswith('ferrule.adapters.embeddings')}\n"
        "print(sorted(loaded))\n"
    )
    told = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FERRULE_WORKER": "off"},
    )
    assert told.stdout.splitlines()[-1] == "[]"


def test_the_setting_is_a_path_beside_the_file(tmp_path: Path) -> None:
    """DEC-D5: relative to the home, never an address that something would fetch."""
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "home" / "settings.toml").write_text(f"embeddings = {json.dumps('models/small')}\n", encoding="utf-8")
    with open_home(tmp_path / "home") as home:
        assert home.settings.embeddings == (tmp_path / "home" / "models" / "small").resolve()
        meaning = meaning_of(home)
        assert meaning is not None
        with pytest.raises(StoreError, match=r"config\.json"):
            meaning.catch_up("desk:one")
