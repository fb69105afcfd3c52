"""Everything that is a Document, its subtypes' things too, in every layer at once, a page at a time.

Owns that question over the layers. A thing of the session may be of a type of the session, of the lineage or of the
permanent layer; a permanent one only of permanent types. Types themselves are no answers. Knows nothing of who asks.
"""

from ferrule.ontology.resolve import Ontology

__all__ = ["under"]


def under(ontology: Ontology, kind: str, limit: int, after: str = "") -> tuple[str, ...]:
    """Names of everything that is of this kind, in the order of names, the first ones behind `after`."""
    found: set[str] = set()
    for layer in ontology.layers[:-1]:
        reached = [base for base in layer.bases() if ontology.is_a(base, kind)]
        found.update(layer.under((kind, *reached), limit, after))
    found.update(ontology.layers[-1].under((kind,), limit, after))
    return tuple(sorted(found)[: max(0, limit)])
