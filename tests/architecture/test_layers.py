"""The layer table of the design is kept by import-linter, also inside `make test`."""

from importlinter.cli import lint_imports


def test_every_layer_contract_is_kept() -> None:
    """R52: `review`, `companion` and `recall` cannot reach protoscript, ontology or memory, not even transitively."""
    assert lint_imports(no_cache=True) == 0
