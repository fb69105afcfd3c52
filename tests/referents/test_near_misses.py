"""What running text brings and nobody can point at is no handle, and what they can point at is one, however it is written."""
# ruff: noqa: E501, RUF001, SIM905 - tables of cases keep one case a line, in the marks of many scripts

import pytest

from ferrule.referents.forms import identity_key
from ferrule.referents.handles import handle_kind
from ferrule.referents.kinds import HandleKind
from ferrule.referents.recognise import recognise

K = HandleKind

# One near-miss a line: alternatives, numbers, units, dates, colours, media types, patterns, escapes, selectors, pointers,
# versions, mail, licences, routes, formats, addresses with a hole in them, code.
NEAR_MISSES = r"""
and/or
10/12
24/7
v1.2
w/o
w/
his/her
s/he
he/she/they
I/O
TCP/IP
N/A
n/a
A/B test
CI/CD
client/server
read/write
on/off
#fff
#ffcc00
#ffcc00aa
color: #123
background: #aabbcc;
16:9
3:2 ratio
1:1
2024-01-02
2024/01/02
01/02/2024
12.05.2024
12:30:45
2024-01-02T12:30:45Z
½/¼
3/4
application/json
text/html; charset=utf-8
image/svg+xml
application/vnd.github.v3+json
multipart/form-data
😀/😃
\frac{a}{b}
$\alpha/\beta$
\begin{figure}
^\d+/\w+$
/^foo\/bar$/g
s/foo/bar/g
[a-z]+/[0-9]+
src/**/*.py
*.py
**/*.{ts,tsx}
{a,b}/c
\x1b[31mred\x1b[0m
ESC[0;31m
^[[0m
#/definitions/User
$ref: '#/components/schemas/Pet'
/a/b~1c
div > p.class
a:hover
.class-name
ul.nav>li.item
.btn.btn-primary
>=1.2,<2.0
^1.2.3
~1.2
1.x
1.2.*
1.2.3 - 2.0.0
ann@example.org
mailto:ann@example.org
<ann@example.org>
12:30
10am/pm
52.5200/13.4050
52.52, 13.40
N 52° 31'
GPL-3.0-or-later
Apache-2.0
MIT/Apache-2.0
BSD-3-Clause
CC-BY-SA-4.0
i7-9700K
x86-64
ARM64/AMD64
M1/M2
GET /users/{id}
POST /api/v1/items
DELETE /users/:id
/users/{id}
/users/:id/posts
/users/<int:id>
/api/users
%s/%d
%05d
%-10s/%s
{0}/{1}
https://<host>/path
https://{host}/path
https://$HOST/path
https://your-domain/...
http://<ip>:8080/
https://example.com/{owner}/{repo}
https://...
km/h
m/s
req/s
tokens/sec
USD/EUR
€/month
1/2 of it all
3.5/5
10/10
5%/10%
p50/p95/p99
before/after
input/output
true/false
yes/no/maybe
Ctrl+C/Ctrl+V
Ctrl/Cmd+K
</div>
<br/>
a/b/c
x/y/z
i.e./e.g.
foo::bar
std::fs::File
java.util.List
console.log
self.path
e.g.
i.e.
etc.
U.S.A.
Mr./Mrs.
...
../..
//
/
\
\n\t
\d+\.\d+
C++
C#
.NET
Node.js
Vue.js/React
TypeScript/JavaScript
UTF-8
utf-8/latin-1
ISO-8601
SHA-256
RFC-2119
COVID-19
H-1B
F-16
X-12
Windows-1252
0x1F
0xdeadbeef
1e10
1_000_000
10k/20k
+1/-1
-1/+1
#hashtag
C:
a:b
key:value
http:
foo:
user@host
@user
@media
@property
@app.route("/x/{id}")
@Component
@/components/Button
O(n/2)
dx/dt
P(A|B)/P(B)
a=b/c
w/h
1/x
"key": "value"
[1/5]
(2/3)
Step 3/7
page 3/10
4K/8K
PS/2
OS/2
TCP/UDP
SSL/TLS
Linux/macOS/Windows
and/or/not
self.config
np.dot
`.btn-primary`
event.key
SELECT * FROM users
`feat: add/remove`
he/she
1080p/60fps
`100ms/200ms`
`$1/$2`
`{{name}}/x`
<div class="a/b">
&nbsp;/&amp;
50/50
9/11
`Ctrl+Shift+P`
`tr/a-z/A-Z/`
`y/abc/xyz/`
`\d+/\d+`
`(?:a|b)/c`
`foo|bar/baz`
`image/png`
`video/mp4;codecs=x`
`font/woff2`
`~=1.4.2`
`==1.2.*`
`1.2.3-beta.4`
`[1.0,2.0)`
`@types`
Q1/Q2
`H1/H2`
`5'/6'`
C/C++
`r/w`
`+x/-x`
@everyone
user@
@ 10:30
T+1
E=mc^2
`::before`
`#main .item > a`
`[data-x="1/2"]`
""".strip("\n").splitlines()


@pytest.mark.parametrize("near", NEAR_MISSES)
@pytest.mark.parametrize("around", ["{}", "we saw {} there", "({}),", "see `{}`"])
def test_what_only_looks_like_a_handle_is_none(near: str, around: str) -> None:
    """R30, R71, CASE-D16: alone, in a sentence, in brackets and in ticks."""
    assert [(found.kind.value, found.value) for found in recognise(around.replace("{}", near, 1))] == []


DIGEST = "0a" * 32
HANDLES = [
    # Paths of every system.
    (r"on \\box\share\docs\plan.md now", K.FILESYSTEM_PATH, r"\\box\share\docs\plan.md"),
    (r"`\\box\Team Share\plan.md`", K.FILESYSTEM_PATH, r"\\box\Team Share\plan.md"),
    (r"C:\Users\ann\a.txt, then", K.FILESYSTEM_PATH, r"C:\Users\ann\a.txt"),
    (r"`C:\Program Files\Tool\tool.exe`", K.FILESYSTEM_PATH, r"C:\Program Files\Tool\tool.exe"),
    ("/mnt/c/Users/ann/x", K.FILESYSTEM_PATH, "/mnt/c/Users/ann/x"),
    (r"\\wsl$\Ubuntu\home\ann\a.py", K.FILESYSTEM_PATH, r"\\wsl$\Ubuntu\home\ann\a.py"),
    (r"\\wsl.localhost\Ubuntu\home\ann", K.FILESYSTEM_PATH, r"\\wsl.localhost\Ubuntu\home\ann"),
    ('cd "/home/ann/My Notes/2024"', K.FILESYSTEM_PATH, "/home/ann/My Notes/2024"),
    ('cd "My Notes/plan.md"', K.FILESYSTEM_PATH, "My Notes/plan.md"),
    (r"ls /home/ann/My\ Notes/plan.md", K.FILESYSTEM_PATH, "/home/ann/My Notes/plan.md"),
    (r"cat Night\ Notes/week\ \(1\).md;", K.FILESYSTEM_PATH, "Night Notes/week (1).md"),
    ("**src/a.py** and *src/b.py*", K.FILESYSTEM_PATH, "src/b.py"),
    ("`client/python` and `week-1/day-2`", K.FILESYSTEM_PATH, "client/python"),
    ("the `.claude-plugin` folder", K.FILESYSTEM_PATH, ".claude-plugin"),
    ("`icon@2x.png`", K.FILESYSTEM_PATH, "icon@2x.png"),
    ("`app/[id]/(shop)/page.tsx`", K.FILESYSTEM_PATH, "app/[id]/(shop)/page.tsx"),
    # Addresses.
    ("file:///srv/tool/a.py", K.URL, "file:///srv/tool/a.py"),
    ("https://xn--bcher-kva.example/x", K.URL, "https://xn--bcher-kva.example/x"),
    ("https://bücher.example/x", K.URL, "https://bücher.example/x"),
    ("s3://bucket/key/x.csv", K.URL, "s3://bucket/key/x.csv"),
    ("gs://bucket/x and az://box/y", K.URL, "az://box/y"),
    # Remotes and forges.
    ("git@git.example.org:ann/tool.git", K.URL, "git@git.example.org:ann/tool.git"),
    ("ssh://git@git.example.org:2222/ann/tool.git", K.URL, "ssh://git@git.example.org:2222/ann/tool.git"),
    ("git+ssh://git@github.com/ann/tool.git", K.REPOSITORY_ID, "ann/tool"),
    ("git@ssh.dev.azure.com:v3/org/project/repo", K.URL, "git@ssh.dev.azure.com:v3/org/project/repo"),
    ("https://dev.azure.com/org/project/_git/repo", K.REPOSITORY_ID, "org/project/repo"),
    ("https://dev.azure.com/org/project/_git/repo/pullrequest/12", K.PULL_REQUEST, "org/project/repo#12"),
    ("https://bitbucket.org/ann/tool/pull-requests/12", K.PULL_REQUEST, "ann/tool#12"),
    ("https://codeberg.org/ann/tool/pulls/12", K.PULL_REQUEST, "ann/tool#12"),
    ("https://git.sr.ht/~ann/tool", K.REPOSITORY_ID, "~ann/tool"),
    ("https://gitlab.com/g/s/tool/-/merge_requests/9", K.PULL_REQUEST, "g/s/tool#9"),
    ("https://gitea.example.org/ann/tool/pulls/3", K.PULL_REQUEST, "ann/tool#3"),
    ("fixes ann/tool#12.", K.ISSUE, "ann/tool#12"),
    ("see !12 there", K.PULL_REQUEST, "!12"),
    ("OPS-7 is next", K.TASK_ID, "OPS-7"),
    ("3ff9b78: fix it", K.COMMIT_SHA, "3ff9b78"),
    # Packages and images.
    ("import '@ann/tool'", K.PACKAGE_ID, "@ann/tool"),
    ("npm i @ann/tool@^1.2", K.PACKAGE_ID, "@ann/tool@^1.2"),
    (f"ghcr.io/ann/tool@sha256:{DIGEST}", K.PACKAGE_ID, f"ghcr.io/ann/tool@sha256:{DIGEST}"),
    ("`docker pull ann/tool:1.2`", K.PACKAGE_ID, "ann/tool:1.2"),
    # Names of secrets, however a program reads them.
    ("$env:DEPLOY_TOKEN", K.SECRET_NAME, "DEPLOY_TOKEN"),
    ("${env:DEPLOY_TOKEN}", K.SECRET_NAME, "DEPLOY_TOKEN"),
    ("%DEPLOY_TOKEN%", K.SECRET_NAME, "DEPLOY_TOKEN"),
    ("process.env.DEPLOY_TOKEN", K.SECRET_NAME, "DEPLOY_TOKEN"),
    ("os.environ['DEPLOY_TOKEN']", K.SECRET_NAME, "DEPLOY_TOKEN"),
    # Commands of PowerShell.
    (r"`Get-Item -Path C:\work\a.md`", K.COMMAND, r"Get-Item -Path C:\work\a.md"),
    ("PS C:\\work> Get-ChildItem -Recurse", K.COMMAND, "Get-ChildItem -Recurse"),
    ("```powershell\nRemove-Item -Path .\\dist -Recurse\n```", K.COMMAND, "Remove-Item -Path .\\dist -Recurse"),
    # Cloud, database, registry.
    ("arn:aws:s3:::my-bucket/key", K.OTHER_ID, "arn:aws:s3:::my-bucket/key"),
    (r"HKLM\Software\Tool\Settings", K.OTHER_ID, r"HKLM\Software\Tool\Settings"),
    ("mongodb+srv://db.example.org/shop", K.DATABASE_ID, "mongodb+srv://db.example.org/shop"),
    ("jdbc:postgresql://db.example.org/shop", K.DATABASE_ID, "postgresql://db.example.org/shop"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "value"), HANDLES, ids=[f"{case[1]} {case[0][:50]}" for case in HANDLES])
def test_a_real_handle_is_found_as_it_is_written(text: str, kind: HandleKind, value: str) -> None:
    """R26, R27, DEC-D9: and a property of its kind may carry it (R24)."""
    found = [hit for hit in recognise(text) if hit.kind is kind and hit.value == value]
    assert found
    assert identity_key(kind, value)[0]
    name = {K.FILESYSTEM_PATH: "FilePath", K.URL: "PageUrl", K.COMMAND: "RunCommand", K.OTHER_ID: "ResourceId"}.get(
        kind
    )
    assert name is None or handle_kind(name, value) is kind


MARKS = '. , ; : ! ? … 。 ， ； ： ！ ？ 、 」 』 】 》 ） ” ’ » › ། ། ؟ ، ؛ । ॥ ۔ ። ។ ) ] } > " \' ` ). ". 。」 ‽ 〉 ．'.split()
ENDED = [
    "https://example.org/a/b", "src/a.py", "/srv/tool/x", "git@github.com:ann/tool.git", "ann/tool#12", "OPS-7", "3ff9b78",
    "DEPLOY_TOKEN", "db01.example.org", "10.0.4.17", "@ann/tool", "ghcr.io/ann/tool:1.2", "arn:aws:iam::123456789012:role/deploy",
    "s3://b/k", "v1.2.3", "C:\\work\\a.md", "postgres://db.example.org/shop",
]  # fmt: skip


@pytest.mark.parametrize("value", ENDED)
def test_the_mark_behind_a_handle_is_no_part_of_it_in_any_script(value: str) -> None:
    """DEC-D9, CASE-C08: at the end of a text and before the next word."""
    alone = [(found.kind, found.value) for found in recognise(f"in {value}")]
    assert alone
    for mark in MARKS:
        for after in ("", " next"):
            seen = [(found.kind, found.value) for found in recognise(f"in {value}{mark}{after}")]
            assert seen == alone, (mark, after)
