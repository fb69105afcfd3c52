"""What texts at an edge give: each row is there since one small change of `referents` gave another answer.

The texts were found by chance: other tests' texts, edited at random, were kept where a change of `scripts/mutants.py`
showed. They record what is, and say nothing of whether it should be. `PYTHONPATH=. python tests/support/edge_rows.py`
writes the answers anew; the changed lines are to be read before they are committed. A text without a secret stands as
it is, one with a secret as an edit of a text that is drawn under a seed, so that no secret is written down.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from found_rows import found_in, secret_texts

from ferrule.referents.addresses import DATABASE_PORTS, ascii_host, fold_url
from ferrule.referents.forms import identity_key, normal_form, same_commit
from ferrule.referents.kinds import NOWHERE, HandleKind, Place
from ferrule.referents.locations import absolute, fold_path, is_absolute, same_file_tail
from ferrule.referents.properties import family_of, is_free_text, kind_of_property
from ferrule.referents.remotes import forge_link, number_of, repository_of, work_item
from ferrule.referents.renewing import renewed_key, renewed_marks
from ferrule.referents.secrets.detect import find_secrets, looks_secret, scrub
from ferrule.referents.secrets.reduce import without_secret
from ferrule.referents.spellings import plain_spelling
from ferrule.referents.tokens import token_spans

ROWS = Path(__file__).parents[2] / "tests/referents/edges.tsv"
WORD = "Hq7" + "vR2mXw9"
_LONG = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d"
FRAMES: tuple[str, ...] = (
    *(f"@@ {WORD}", f"@@={WORD}", f"@@: {WORD}", f'the @@ is "{WORD}"', f"my @@: {WORD} x", f'"@@": "{WORD}"'),
    *(f"x @@ {_LONG} y", f"@@={_LONG}", f"@@{_LONG}", f"--@@ {WORD}", f"--@@={WORD}", f"tool @@ {WORD} x"),
    *(f"A_@@_B={WORD}", f"https://h.example/x?@@={WORD}", f"https://ann:{WORD}@@@h.example/x", "@@ correct-horse9"),
)
_ISSUED = "gh" + "p_" + _LONG[:36]
FRAMES += (
    *(f'k = "".join(["{_ISSUED[:20]}", "{_ISSUED[20:]}"])@@', f'k = @@"-".join(("{WORD}", "{_LONG}"))'),
    *(f'k = @@"%s%s" % ("{_ISSUED[:20]}", "{_ISSUED[20:]}")', f'x@@ = "{_ISSUED[:9]}" "{_ISSUED[9:]}"'),
    *(f'password@@ = "{WORD[:4]}" + "{WORD[4:]}"', f"password = {WORD}@@", f"my pw @@ {WORD}", f"pw: @@{WORD}"),
    *(f"@@password: {WORD}", f"{{a: 1, @@password: {WORD}}}", f"login ann:{WORD}@@", f"ann:{WORD}@@db.example.org"),
    *(
        f"secret@@ = {_LONG}",
        f"Authorization: @@ {_LONG}",
        f"machine h login ann @@ {WORD}",
        f"mysql -u ann -p{WORD} @@",
    ),
    *(f"{_ISSUED}@@", f"@@{_ISSUED}", "password is @@ plumharbor", "password@@ = plumharbor", "DB_PASSWORD=@@plum"),
    *(f"curl -u ann:{WORD} @@ x", f"echo {WORD} |@@ sudo -S x", f"db.example.org:5432:shop:ann@@:{WORD}"),
)
KEY = b"a key of this test"
PLACES = (
    NOWHERE,
    Place(cwd="/home/ann/work/tool/cli", root="/home/ann/work/tool", repository="github.com/ann/tool"),
    Place(cwd="/c/work/Tool/cli", root="C:\\work\\Tool", repository="gitlab.com/ann/kit/Tool"),
    Place(
        cwd="/home/ann/work/tool/.worktrees/fix",
        root="/home/ann/work/tool/.worktrees/fix",
        repository="root-commit:12ab",
    ),
    Place(root="/home/ann/work/tool", repository="bitbucket.org/ann/tool"),
    Place(cwd="/srv/a"),
)
_Answer = object


def _found(text: str) -> _Answer:
    return json.loads(found_in(text))


def _secrets(text: str) -> _Answer:
    spans = [f"{one.kind}:{one.start}-{one.end}" for one in find_secrets(text)]
    left = [scrub(text, KEY), *(without_secret(kind, text) for kind in (HandleKind.COMMAND, HandleKind.URL))]
    return [*spans, looks_secret(text), hashlib.sha256("\n".join(left).encode("utf-8", "replace")).hexdigest()[:12]]


def _keys(kind: str, value: str) -> _Answer:
    one = HandleKind(kind)
    return [normal_form(one, value, PLACES[1]), *(identity_key(one, value, place) for place in PLACES)]


def _renewed(kind: str, value: str, old: str) -> _Answer:
    marks = [renewed_marks(old, place) for place in PLACES]
    return [*(renewed_key(HandleKind(kind), value, old, place) for place in PLACES), *marks]


def _spelt(value: str) -> _Answer:
    link = forge_link(value)
    told = [plain_spelling(value), fold_path(value), is_absolute(fold_path(value)), number_of(value), ascii_host(value)]
    where = [(absolute(value, place), repository_of(value, place), work_item(value, place)) for place in PLACES]
    return [*told, fold_url(value), fold_url(value, DATABASE_PORTS), repr(link), *where]


def _named(name: str) -> _Answer:
    kind = kind_of_property(name)
    return [kind and kind.value, is_free_text(name), family_of(name)]


def _tokens(text: str, value: str) -> _Answer:
    return [*token_spans(text, value)]


def _paired(one: str, other: str) -> _Answer:
    return [same_file_tail(one, other), same_commit(one, other)]


ASPECTS: Mapping[str, Callable[..., _Answer]] = {
    "found": _found,
    "secrets": _secrets,
    "keys": _keys,
    "renewed": _renewed,
    "spelt": _spelt,
    "named": _named,
    "tokens": _tokens,
    "paired": _paired,
}


@cache
def drawn() -> Mapping[str, str]:
    """What edits are made of: drawn texts and frames, each by the digest of its text."""
    texts = (*secret_texts(), *FRAMES)
    return {hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]: text for text in texts}


def arguments(said: Sequence[object]) -> tuple[str, ...] | None:
    """What is asked; None when the text that was edited is no longer drawn."""
    if len(said) == 4:
        source, start, end, put = said
        text = drawn().get(str(source))
        if text is None or not isinstance(start, int) or not isinstance(end, int):
            return None
        return (text[:start] + str(put) + text[end:],)
    return tuple(map(str, said))


def answer(aspect: str, asked: Sequence[str]) -> str:
    """What the referents say of it."""
    return json.dumps(ASPECTS[aspect](*asked), ensure_ascii=True)


def rows() -> Iterator[tuple[str, str, str]]:
    """Aspect, what is asked and the answer of each row."""
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        aspect, said, told = line.split("\t")
        yield aspect, said, told


def main() -> None:
    """Write the answers anew; a row whose drawn text is gone goes too."""
    kept = []
    for aspect, said, _ in rows():
        asked = arguments(json.loads(said))
        if asked is not None:
            kept.append(f"{aspect}\t{said}\t{answer(aspect, asked)}\n")
    ROWS.write_text("".join(kept), encoding="utf-8")


if __name__ == "__main__":
    main()
