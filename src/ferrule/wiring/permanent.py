"""The permanent layer of a run: the shipped base or what replaces it, and the user's own folders on top.

Owns which folders are read. A wrong file is one clear sentence with its place, never half an ontology. A project's own
`.ferrule/ontology` comes as texts, once it is trusted. Knows nothing of the language.
"""

from collections.abc import Sequence
from pathlib import Path

from ferrule.errors import Code, UnreadableInput, UsageError
from ferrule.ontology.layer import PrototypeLayer
from ferrule.ontology.loading import NamedText, base_folder, load_permanent, load_shipped
from ferrule.referents.kinds import Place

__all__ = ["permanent_layer"]


def permanent_layer(
    replacing: Sequence[Path | str],
    added: Sequence[Path | str],
    texts: Sequence[NamedText] = (),
    places: Sequence[Place] = (),
) -> PrototypeLayer:
    """Read the permanent layer: `replacing` instead of the shipped base when given, then `added`, each in order.

    `texts` are a trusted project's own files, already read; their relative paths stand in `places`.

    Raises:
        UsageError: a file or folder that is not there.
        UnreadableInput: a file is wrong: the first problem with its place, and how many there are.
    """
    base = [Path(path).expanduser() for path in replacing]
    more = [Path(path).expanduser() for path in added]
    missing = next((path for path in (*base, *more) if not path.exists()), None)
    if missing is not None:
        raise UsageError(f"no such ontology file or folder: {missing}", code=Code.IO_FAILED)
    shipped = not (base or more or texts)
    loaded = load_shipped() if shipped else load_permanent([*(base or [base_folder()]), *more], texts, places)
    if loaded.problems:
        first, others = loaded.problems[0], len(loaded.problems) - 1
        rest = f" ({others} more)" if others else ""
        hint = f" {first.hint}" if first.hint else ""
        place = f"{first.file}:{first.line}:{first.column}"
        raise UnreadableInput(f"{place}: {first.message}{hint}{rest}", code=first.code)
    return loaded.layer
