"""Texts put together by their parts: a lead, a word, what joins it, a value and what follows, each drawn under a seed.

`PYTHONPATH=. python tests/support/drawn_shapes.py` writes what is found in them anew. No secret is written down: a
row tells kinds and places alone. Every part of a family is drawn with many of the others.
"""

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ferrule.referents.recognise import recognise
from ferrule.referents.secrets.detect import find_secrets

ROWS = Path(__file__).parents[2] / "tests/referents/shapes.tsv"
_Parts = Sequence[Sequence[str]]
_W, _L = "Hq7" + "vR2mXw9", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d"
_HEX = "3f786850e387550fdab836ed7e6dc881"
_UUID = "1a2b3c4d-1a2b-4c3d-8e9f-0123456789ab"
_VALUES = (
    _W, _W[:6], _W[:5], _W[:4], _W[:3], "Hq", _L, _L[:20], _L[:19], _L[:12], _L[:11], _L[:8], _HEX, _HEX * 2, _UUID,
    "plumharbor", "harbor", "harbo", "plumharborquay", "PLUMHARBOR", "Plum-Harbor", "plum_harbor.x", "12345678",
    "1234", "none", "true", "string", "<token>", "${X}", "os.environ", "a/b/c1", "correct horse 9 x", "a b c d e f9",
    "x7!", "pl9mha", "pl9mh", "changeme", "********", "ann:" + _W, _W + "/" + _L, _W + "-" + _L, "a,b", "kv/prod/db",
)  # fmt: skip
_KEYS = (
    "password", "Password", "PASSWORD", "passwd", "pwd", "pw", "pass", "PASS", "passphrase", "passcode", "secret",
    "client_secret", "CLIENT_SECRET", "token", "api_key", "apiKey", "API_KEY", "api key", "access key", "access_key",
    "credentials", "credential", "requirepass", "auth", "bearer", "db_password", "DB_PASSWORD", "secret_name",
    "private key", "pin", "password for ann", "tokens", "passwords", "token_type", "kennwort", "clave", "login",
)  # fmt: skip
_LEADS = (
    "", "", "the ", "my ", "use ", "set ", "with ", "--", "-", "  ", "    - ", '"', "'", "{", "{ ", "(", "_", "x",
    "&", "?", "; ", "export ", "a: 1\n  ", "{\n  ", "x,\n  ", "commit ", "sha of ", "digest for ", "remember my ",
    "$", "login ann ", "machine h login ann ", "https://h.example/x?", "https://h.example/x?a=1&", "a=1;", "<", "## ",
    "self.",
)  # fmt: skip
_JOINS = (
    "=", "=", ": ", ": ", ":", " = ", " is ", " is: ", " ", '": "', "': '", "=>", " == ", ":=", " was ", " to ",
    " / ", '="', "='", ": '", "=\n", " -> ", ">", ": ann / ", " for x is ", " set to ", " should be ", "?", " (",
    "_id=",
)  # fmt: skip
_ENDS = (
    "", "", " ", "\n", '"', "'", ".", ",", ";", ")", "(x)", "[0]", " x", "\n}", "\n  b: 1", " # why", "}", "</",
    "&b=2", " and more", "…", "`", "\\n", " == x", "/x", " only",
)  # fmt: skip
_SECRETS: _Parts = (_LEADS, _KEYS, _JOINS, _VALUES, _ENDS)
_PROGRAMS: _Parts = (
    ("", "echo x | ", "$ ", "run `", "sudo ", "A=1 "),
    (
        "mysql", "mysqldump", "mariadb", "sshpass", "docker login", "podman login", "sqlcmd", "unzip", "redis-cli",
        "curl", "chpasswd", "sudo -S x", "psql", "mongosh", "7z a", "openssl enc", "wget", "ldapsearch", "zip",
    ),
    (" ", " -u ann ", " -h db ", " --user ann ", " x "),
    (
        "-p", "-P ", "-P", "-a ", "-p ", "--password ", "--password=", "-u ann:", "--user=ann:", "--pass ", "<<< ",
        "-b sid=", "-k ", "-pass pass:", "--proxy-user ann:", "-w ", "-H 'Authorization: Basic ", "-H 'X-Token: ",
    ),
    _VALUES,
    ("", " quay", "'", "`", " | cat", "\n", ";", " -x"),
)  # fmt: skip
_PIPED: _Parts = (
    ("echo ", "printf ", "printf '%s' ", "echo -n ", "echo 'ann:", "x "),
    _VALUES,
    ("", "'", "\\n"),
    (" | ", "|", " > ", " | tee x | "),
    (
        "sudo -S x", "chpasswd", "docker login --password-stdin", "gh auth login --with-token", "passwd --stdin ann",
        "cat",
    ),
)  # fmt: skip
_CARRIED: _Parts = (
    (
        "https://", "postgres://", "ssh://", "http://", "redis://:", "see https://ann:", "https://ann@",
        "git+ssh://git@", "Authorization: Bearer ", "authorization: ", "Authorization: Basic ", "Bearer ",
        "Cookie: sid=", "cookie: a=1; b=", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN CERTIFICATE-----\n",
        "-----BEGIN RSA PRIVATE KEY-----", "AccountKey=", "Server=db;Uid=ann;Pwd=", "db.example.org:5432:shop:ann:",
        "seed phrase: ", "data:\n  key: ", "kind: Secret\ndata:\n  a: ", '"auth": "', "_auth=",
        "ALTER USER ann WITH PASSWORD '", "X-Amz-Signature=",
    ),
    ("", "ann:", _W + ":", _L[:20] + ":", "a b "),
    _VALUES,
    (
        "@h.example/x", "@h", "", "\n", "'", '"', ";", "; x=1", "\n-----END PRIVATE KEY-----", "-----END", "/x", " y",
        "?token=" + _W, "?X-Amz-Date=1&sig=" + _HEX, "&amp;key=" + _L, "#L3",
    ),
)  # fmt: skip
_CALLS: _Parts = (
    (
        "", "$ ", "> ", "run `", "`", "```sh\n", "```python\n", "```\n$ ", '{"cmd": "', "Run: ", "- `", "use ",
        "PS> ",
    ),
    ("", "", "sudo ", "A=1 ", "A=1 B=2 ", "cd x && ", "time ", "env "),
    (
        "make", "git", "npm", "ls", "python", "./run", "./run.py", "./doc.md", "../run.sh", "~/bin/run",
        "/usr/bin/run", "bin/deploy", "scripts/x.sh", "frobnicate", "frob.x", "Get-Item", "go", "cat", "find", "the",
        "test", "tool.exe", "cargo", "docker", "node", "x", "Make", "pip", "echo", "open", "time", "which", "src/a",
    ),
    (
        "", " ", " -", " -x", " --all", " run", " build", " test", " all", " :=", " =", " failed", " error: x", " $X",
        " 'a b'",
    ),
    (
        "", " x", " src/a.py", " of the file", " is it", " a b c d", " x.y", " a_b", " a:b", " a=b", " a-b", " it.",
        " the?", " --x=1", " | cat", " && ls", "; then", " > x.txt", " # why",
    ),
    ("", "`", "`", "\n```", '"}', ".", "` now", ":"),
)  # fmt: skip
_PATHS: _Parts = (
    ("", "see ", "`", "'", '"', "(", "*", "**", "<", "x", "- ", "--out=", "a=1,", "in ", "[a](", "at:", "/", "# "),
    (
        "/", "~/", "./", "../", "", "C:\\", "c:/", "\\\\box\\", "file:///", "src/", "$HOME/", "/mnt/c/", "@/",
        "~ann/", "https://h.example/", "node_modules/", "tests/", "//",
    ),
    (
        "a", "srv", "src", "My Notes", "a b", "a-b", "[id]", "1", "and", "text", "image", "origin", "x.y", "{a}", "*",
        "%a", "中文", "é", "A1", "v1.2", "..", ".git", "user@h", "lib", "input", "he", "km",
    ),
    ("/", "/", "\\", "", "//", "/.", " ", "."),
    (
        "b", "main.py", "README.md", "x.txt", "a b.md", "or", "html", "png", "3", "page.tsx", "Makefile", ".env",
        "x.", "y.z", "12", "vnd.x", "s", "b.c.d", "x86", "index.js:12", "a.py#L3", "a.py:1:2", "HEAD", "…",
        "x.example",
    ),
    (
        "", " now", "`", "'", '"', ")", "*", "**", ">", ".", ",", ":", " and x", "(x)", "/", " b/c.txt", "\n", "?",
        "=1", "!",
    ),
)  # fmt: skip
_WORKS: _Parts = (
    (
        "", "see ", "fixes ", "PR ", "pull request ", "MR ", "issue ", "Issue ", "task ", "Task ", "step ", "ticket ",
        "bug ", "commit ", "at ", "index ", "md5 ", "etag ", "revert ", "branch ", "on branch ", "git checkout ",
        "git push origin ", "tag ", "release ", "version ", "session ", "thread ", "run ", "build ", "host ", "ping ",
        "ssh ", "on ", "pip install ", "npm i ", "package ", "docker pull ", "FROM ", "image: ", "database ", "doc ",
        "site ", "secret ", "$", "uses: ",
    ),
    (
        "", "#", "!", "`", "'", "**", "ann/tool#", "ann/tool", "v", "refs/heads/", "origin/", "fix/", "@",
        "https://github.com/ann/tool/",
    ),
    (
        "12", "1", "0123456789", "ENT-98", "UTF-8", "abc1234", "1234567", "abcdefa", _HEX, _HEX + "01234567", _UUID,
        "quay-one", "main", "fix-x", "HEAD", "1.2.3", "1.2", "v1.2.3-rc1", "10.0.0.255", "256.1.1.1",
        "h.example.org:80", "localhost:80", "example.org", "foo.toml", "ann/tool", "left-pad", "left-pad@1.2.3",
        "x==1.2", "pull/12", "issues/7", "commit/abc1234", "tree/main/x", "ses_01abcdef23456789", "QUAY_TOKEN",
        "postgres:16", "shop", "abc1234..def5678",
    ),
    (
        "", "`", "'", "**", ".", ",", " and x", "s", "-x", "/y", ":1", ")", " branch", "` package", " session", "...",
        "@v1", "\n", "_",
    ),
)  # fmt: skip
FAMILIES: Mapping[str, tuple[_Parts, int]] = {
    "secrets": (_SECRETS, 3000),
    "programs": (_PROGRAMS, 700),
    "piped": (_PIPED, 300),
    "carried": (_CARRIED, 900),
    "calls": (_CALLS, 1500),
    "paths": (_PATHS, 2000),
    "works": (_WORKS, 2000),
}


@cache
def texts(family: str) -> tuple[str, ...]:
    """What is drawn of a family, each text once, in its order."""
    parts, count = FAMILIES[family]
    chance = random.Random(f"shapes of {family}")  # noqa: S311 - drawn again each time
    return tuple(dict.fromkeys("".join(map(chance.choice, parts)) for _ in range(count)))


def told(text: str) -> str:
    """Kind and place of each handle and of each secret."""
    handles = [f"{one.kind.value}:{one.start}-{one.end}" for one in recognise(text)]
    return " ".join([*handles, "|", *(f"{one.kind}:{one.start}-{one.end}" for one in find_secrets(text))])


def digest_of(text: str) -> str:
    """Tells one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def rows() -> Iterator[tuple[str, str, str]]:
    """Family, digest of the text, and what was found in it."""
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        family, digest, found = line.split("\t")
        yield family, digest, found


def main() -> None:
    """Write the rows anew."""
    lines = (f"{family}\t{digest_of(text)}\t{told(text)}\n" for family in FAMILIES for text in texts(family))
    ROWS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
