"""A folder with a static embedding model, read by the optional library `model2vec`, is a model of meanings.

Owns loading it, late and once, and its digest over every byte that decides a vector. Whatever is wrong with the folder
is one sentence. Knows nothing of memories.
"""

import hashlib
import importlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ferrule.errors import Code, StoreError
from ferrule.memory.meaning import MeaningModel

__all__ = ["StaticModel"]

_FILES = ("config.json", "tokenizer.json", "model.safetensors")
_MOST_BYTES = 2 * 1024**3
_LIBRARY = "model2vec"


class StaticModel(MeaningModel):
    """The model in one folder; nothing is read before the first question.

    Args:
        folder: where `config.json`, `tokenizer.json` and `model.safetensors` are.

    Raises:
        StoreError: `IO_FAILED`, at the first question: the library is not installed, or the folder holds no model.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def digest(self) -> str:
        """Over the bytes of the model's files."""
        together = hashlib.sha256()
        for name in _FILES:
            file = self._folder / name
            try:
                if file.stat().st_size > _MOST_BYTES:
                    raise self._wrong(f"{name} is too large")
                with file.open("rb") as stream:
                    together.update(hashlib.file_digest(stream, "sha256").digest())
            except OSError as error:
                raise self._wrong(f"{name}: {error.strerror or error}") from error
        return together.hexdigest()

    def vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
        """The vector of each text: unit length, four bytes a number; a text of unknown words has one of zeros."""
        encoded = self._model.encode(list(texts), use_multiprocessing=False)
        rows = self._numbers.asarray(encoded, dtype="<f4")
        lengths = self._numbers.linalg.norm(rows, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        return [row.tobytes() for row in rows / lengths]

    def likeness(self, query: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        """The cosine between the query's vector and each other one."""
        asked = self._numbers.frombuffer(query, dtype="<f4")
        rows = self._numbers.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1)
        return [float(score) for score in rows @ asked]

    @cached_property
    def _numbers(self) -> Any:  # noqa: ANN401 - a library that need not be there
        return importlib.import_module("numpy")

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401 - a library that need not be there
        self._check()
        try:
            library = importlib.import_module(_LIBRARY)
            unsafe: type[Exception] = importlib.import_module("safetensors").SafetensorError
        except ImportError as error:
            raise self._wrong("reading it needs the extra: pip install 'ferrule[embeddings]'") from error
        try:
            return library.StaticModel.from_pretrained(str(self._folder), force_download=False)
        except (OSError, ValueError, KeyError, TypeError, unsafe) as error:
            raise self._wrong(" ".join(f"{error}".split())[:200]) from error

    def _check(self) -> None:
        """The files are there and are what their names say: what is not there, the library would look for elsewhere."""
        assert self.digest  # noqa: S101 - reads every file, and says which is missing
        for name in _FILES[:2]:
            try:
                found = json.loads((self._folder / name).read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise self._wrong(f"{name} is no JSON") from error
            if not isinstance(found, dict):
                raise self._wrong(f"{name} is no JSON object")

    def _wrong(self, what: str) -> StoreError:
        line = f"{self._folder}: {what}; mend `embeddings` in settings.toml or take it out"
        return StoreError(line, code=Code.IO_FAILED)
