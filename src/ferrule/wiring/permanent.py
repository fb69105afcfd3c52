"""Stub until the ontology loader lands."""

from collections.abc import Sequence
from pathlib import Path

import ferrule.ontology
from ferrule.ontology.build import prototype_of
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.layers import InMemoryLayer
from ferrule.ontology.values import LayerName
from ferrule.protoscript.reading import parse


def permanent_layer(replacing: Sequence[Path | str], added: Sequence[Path | str]) -> PrototypeLayer:
    """Stub."""
    layer = InMemoryLayer()
    base = Path(ferrule.ontology.__file__).parent / "base"
    for file in sorted(base.glob("*.pts")):
        for tree in parse(file.read_text(encoding="utf-8")).tree.prototypes:
            layer.add(prototype_of(tree, LayerName.PERMANENT))
    return layer
