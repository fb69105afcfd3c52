"""Here the authors of Ferrule may change its files while tests run: their look is left out of what makes an index."""

from collections.abc import Iterator

import pytest

from ferrule.adapters.ontologies import manifest


@pytest.fixture(autouse=True)
def _resting_code(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    manifest.maker.cache_clear()
    monkeypatch.setattr(manifest, "_CODE", ())
    yield
    manifest.maker.cache_clear()
