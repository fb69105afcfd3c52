"""What is found in some hundred short texts; `PYTHONPATH=. python tests/support/found_rows.py` writes it anew.

A change of a recogniser, of a normal form or of what counts as a secret shows as a changed line, to be looked at and
renewed. Secrets are drawn under a seed and stand here by a digest of their text, never themselves.
"""

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.secret_cases.making import Half, harmless, planted

from ferrule.referents.forms import identity_key, normal_form
from ferrule.referents.kinds import NOWHERE, Found, HandleKind, Place
from ferrule.referents.recognise import recognise, recognisers
from ferrule.referents.scan import commands, names, paths, webs, works
from ferrule.referents.secrets import innocent
from ferrule.referents.secrets.detect import find_secrets
from ferrule.referents.secrets.reduce import without_secret
from ferrule.referents.shapes import accepts, free_kind

ROOT = Path(__file__).parents[2]
FOUND = ROOT / "tests/referents/found.tsv"
SECRETS = ROOT / "tests/referents/secret_spans.tsv"
HERE = Place(cwd="/home/ann/work/tool/cli", root="/home/ann/work/tool", repository="github.com/ann/tool")
FRAMES = ("see `{}`, then", '("{}").', "- {}: x", "x{}", "{}x", "  $ {}\n", "**{}**/", "run {} and {}")
_SEED = 20
SCANS: dict[str, Callable[[str], Iterable[Found]]] = {
    scan.__name__: scan
    for module in (commands, names, paths, webs, works)
    for name in sorted(module.__all__)
    if (scan := getattr(module, name)).__annotations__.get("return") == Iterator[Found] and scan is not webs.nested
}
_HOLDS: dict[str, Callable[[str], bool]] = {
    "command": commands.is_command,
    "path": paths.is_path,
    "innocent": innocent.is_innocent,
    "random": innocent.is_random,
    "jumbled": innocent.is_jumbled,
    "basic": innocent.is_basic,
    "documented": innocent.is_documented,
}
_MORE = (
    *(
        "cd /srv/My Notes/a b/c.md now",
        "see /srv/Big Files/A1/x.md",
        "`C:\\my files\\a.txt`",
        '"C:\\my files\\a.txt"',
        "#x",
    ),
    *(
        "go install x/y",
        "go get tool",
        "go add a",
        "A=1 B=2 make all",
        "@x",
        "curl -p[secret:token:0123abcd] x",
        "md5 abc1234",
    ),
    *(
        "index abc1234..def5678",
        "etag abc1234",
        "commit abc1234",
        "echo a-p[secret:token:0123abcd]",
        "mysql -pHarbor9x quay",
    ),
    *(
        "$ w",
        "$ ls",
        "```python\nx = 1\n```",
        '{"cmd": "frobnicate all"}',
        '{"command": "a \\"b\\" c"}',
        "$ export A_TOKEN=hunter2x9",
    ),
    *("https://example.org/x/…", "https://example.org/x/...", "see https://example.org/x/ there", "see ://example.org"),
    *(
        "ping foo.toml",
        "host foo.lock",
        "host foo.dev",
        "host foo-bar.io",
        "x/pull/12 y",
        "ann/tool/issues/3",
        "pulls/3",
    ),
    *(
        "https://github.com/ann/tool/pull/new",
        "https://github.com/ann/tool/releases",
        "/pull/12",
        "issues/7 and pull/8",
    ),
    *("https://github.com/ann/tool/releases/tag/v1", "https://gitlab.com/a/b/c/-/merge_requests/4", '" /a b/c.txt"'),
    *("https://github.com/ann/tool/issues/none", "https://gitlab.com/a/b/c/-/tree/main/x", "xses_01abcdef23456789"),
    *("ses_01abcdef23456789 and -ses_01abcdef23456789", 'the "quay-one" session', 'the "quay-one" sessionx', "`a b`"),
    *(
        "Zk3vQ8mT1xR7bN5cW2yL",
        "zkvqmtxrbnwyldfh",
        "aVeryLongCamelCaseWordThatSomebodyWrote1",
        "aaaaaaaa",
        "<your-token>",
    ),
    *(
        "correct horse battery staple",
        "0123456789abcdef0123456789abcdef",
        "YWJjZGVmZ2hpamtsbW5vcA==",
        "ann:secret",
        "changeme",
    ),
)
_OTHERS = ("test_near_misses.py", "test_recognise.py", "test_forms.py", "test_handles.py", "test_odd_spellings.py")
_LONGEST = 300


def texts() -> Iterator[str]:
    """The recognisers' positives and near-misses as they are and in a frame, and what other tests speak of."""
    seen: set[str] = set(_MORE)
    yield from _MORE
    for path in _OTHERS:
        for node in ast.walk(ast.parse((ROOT / "tests/referents" / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for text in node.value.splitlines():
                    if 3 <= len(text) <= _LONGEST and text not in seen and not find_secrets(text):
                        seen.add(text)
                        yield text
    for row in recognisers():
        for text in (*(text for text, _ in row.positives), *row.near_misses):
            frame = FRAMES[int(digest_of(text), 16) % len(FRAMES)]  # by the text, so that no other row changes it
            for framed in (text, frame.format(text, text)):
                if framed not in seen:
                    seen.add(framed)
                    yield framed


def found_in(text: str) -> str:
    """Kind, place, value, and its normal form and keys where they say more."""
    told: list[object] = [free_kind(text), [kind for kind in HandleKind if accepts(kind, text)]]
    told.append([name for name, holds in _HOLDS.items() if holds(text)])
    for name, scan in SCANS.items():
        hits = [[hit.kind.value, hit.start, hit.end, hit.value] for hit in scan(text)]
        told += [[name, *hits]] if hits else []
    for one in recognise(text):
        normal = normal_form(one.kind, one.value, HERE)
        keys = {identity_key(one.kind, one.value, place)[0] for place in (HERE, NOWHERE)}
        told.append([one.kind.value, one.start, one.end, one.value, normal, *sorted(keys)])
    return json.dumps(told, ensure_ascii=False)


def secret_texts() -> Iterator[str]:
    """Drawn secrets and look-alikes in their surroundings."""
    drawn = [case.text for half in Half for case in planted(_SEED, half, contexts=1)]
    yield from dict.fromkeys((*drawn, *(case.text for case in harmless(_SEED, Half.LEARNING))))


def digest_of(text: str) -> str:
    """Tells one text from another, and nothing of what is in it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def secrets_in(text: str) -> str:
    """Kind and place of each secret, and a digest of what a command or an address is without them."""
    spans = " ".join(f"{one.kind}:{one.start}-{one.end}" for one in find_secrets(text))
    reduced = "\n".join(without_secret(kind, text) for kind in (HandleKind.COMMAND, HandleKind.URL))
    return f"{spans}\t{digest_of(reduced)}"


def main() -> None:
    """Write both files anew."""
    FOUND.write_text("".join(f"{json.dumps(text)}\t{found_in(text)}\n" for text in texts()), encoding="utf-8")
    lines = (f"{digest_of(text)}\t{secrets_in(text)}\n" for text in secret_texts())
    SECRETS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
