"""Addresses on a network: web, forge and database addresses, hosts.

Owns where such an address ends in running text, and what a forge address points at.
Contacts nothing.
"""
# ruff: noqa: E501, PLR2004, SIM905 - patterns, thresholds and word lists are the data here

import re
import unicodedata
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import NOWHERE, Found, HandleKind
from ferrule.referents.remotes import FORGES, ForgeLink, forge_link, number_of, repository_of
from ferrule.referents.scan.places import with_lead
from ferrule.referents.scan.words import context_before, vocabulary
from ferrule.referents.secrets.reduce import without_secret

__all__ = ["git_remotes", "hosts", "nested", "web_addresses"]

_DATABASES = "postgres|postgresql|mysql|mariadb|mongodb|mongodb+srv|redis|rediss|sqlite|sqlserver|cockroachdb|clickhouse|cassandra|neo4j|bolt"
_DATABASE_SCHEMES = frozenset(_DATABASES.split("|"))
_SCHEME = expression(r"(?<![A-Za-z0-9+.-])[a-z][a-z0-9+]{1,14}\Z")
_ADDRESS = expression(
    r"://(?:\[secret:[a-z0-9-]{1,40}:[0-9a-f]{8}\]|\[[0-9a-fA-F:]{2,45}\]"
    r"|[^\s<>\"'`{}|\\^\[\]\u2026\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff08\uff09\u300c-\u3011\u201d\u2019\u00bb\u203a]){1,2000}"
)
_REMOTE = expression(r":[A-Za-z0-9_.~-]{1,60}/[A-Za-z0-9_./-]{1,100}")
_REMOTE_HOST = expression(
    r"(?<![\w@./:-])(?:[A-Za-z0-9_.-]{1,40}@[A-Za-z0-9.-]{3,80}|(?:github|gitlab|bitbucket|codeberg)\.(?:com|org))\Z"
)
_SCHEMES = frozenset(
    "http https ftp ftps sftp ws wss ssh git file s3 gs az hdfs dbfs oci vscode svn rsync svn+ssh git+ssh git+https chrome app".split()
)
# A sentence goes on without a blank: after a mark, or with a particle right behind a Latin letter or a digit.
_SPOKEN_ON = expression(r"[,;!?](?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|(?<=[A-Za-z0-9])(?=[\u3040-\u309f])")
_END = ".,;:!?*_~$-&=…"
_IP_TAIL = expression(r"\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?P<port>:[0-9]{2,5})?(?![\w.]\w|[0-9/])")
_IP_LEAD = expression(r"(?<![\w@./\\$:#+-])[0-9]{1,3}\Z")
_LOCAL = expression(r"localhost:[0-9]{2,5}(?![0-9/])")
_DOMAIN_END = expression(r"\.(?P<end>[a-z]{2,8})(?P<port>:[0-9]{2,5})?(?![\w/(=\\@$-]|[.]\w)")
_DOMAIN_LEAD = expression(
    r"(?<![\w@./\\$:#+-])[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){0,5}\Z"
)
_HOST_WORD = expression(
    r"(?:\b(?:host|hostname|server|domain|ssh|nc|ncat|ping|dig|node|box|machine|vm|site|at|from|telnet|nslookup)[:=]?[ \t]{1,2}[`'\"*]{0,3}|@)\Z"
)
_LOGIN_REACH = 100
_LOGIN_LEAD = expression(
    r"\b(?:ssh|sftp|mosh|rsync|scp|log(?:ged)? ?in(?:to)?|connect(?:ed|ing)?|server|host|box|machine|vm|deploy(?:ed)?|serveur|servidor"
    r"|сервер\w?)(?:[ \t]{1,2}(?:in|to|into|on|onto|at|is|as|via|auf|à|en|na|на)){0,2}[ \t`'\"(:]{1,4}(?:-\w[ \t]{1,2}\S{1,40}[ \t]{1,2}){0,2}"
    r"(?P<u>[\w.-]{1,40})\Z",
    re.IGNORECASE,
)
_LOGIN_HOST = expression(r"(?P<h>[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){1,5})(?![\w@/-])")
_NO_HOST = ("%", "*", "your-", "your.", "yourdomain", "yoursite", "my-domain", "example-domain", "some-host")
_TEMPLATE = expression(r"\$[A-Za-z_{(]")
_BYTE = 255


def _trim(raw: str) -> str:
    """An address without the punctuation of the sentence around it; a closing bracket stays when it was opened."""
    raw = _SPOKEN_ON.split(raw, maxsplit=1)[0]
    while raw and _is_stray(raw):
        raw = raw[:-1]
    return raw


def _is_stray(raw: str) -> bool:
    """Whether the last character is no part of the address."""
    unopened = raw[-1] == ")" and raw.count("(") < raw.count(")")
    foreign = not raw[-1].isascii() and unicodedata.category(raw[-1])[0] == "P"
    return unopened or foreign or (raw[-1] in _END and not raw.endswith("="))


def _addresses(text: str) -> Iterator[tuple[str, str, int]]:
    for match in _ADDRESS.finditer(text):
        scheme = _SCHEME.search(text, max(0, match.start() - 16), match.start())
        if scheme is None:
            continue
        raw = _trim(scheme.group() + match.group())
        after = text[match.end() : match.end() + 1]
        rest = raw.partition("://")[2]
        if after in {"<", "{"} or not rest.strip("/") or rest.startswith(_NO_HOST) or _TEMPLATE.search(rest):
            continue
        if rest.endswith("/") and (after == "\u2026" or match.group().endswith(("/...", "/\u2026"))):
            continue  # left open: nobody gets anywhere with it
        yield scheme.group(), raw, scheme.start()


def web_addresses(text: str) -> Iterator[Found]:
    """URLs of the usual schemes, and within them what a forge address points at; addresses of databases.

    Credentials are never part of the value (D13).
    """
    for scheme, raw, start in _addresses(text):
        if scheme in _DATABASE_SCHEMES:
            yield Found(HandleKind.DATABASE_ID, without_secret(HandleKind.URL, raw), start, start + len(raw))
        elif scheme in _SCHEMES:
            value = without_secret(HandleKind.URL, raw) if "@" in raw or "?" in raw or "[" in raw else raw
            hit = Found(HandleKind.URL, value, start, start + len(raw))
            yield hit
            yield from nested(hit)


def git_remotes(text: str) -> Iterator[Found]:
    """`git@host:owner/name.git` and `github.com:owner/name`."""
    for match in _REMOTE.finditer(text):
        lead = _REMOTE_HOST.search(text, max(0, match.start() - 124), match.start())
        if lead:
            value = (lead.group() + match.group()).rstrip(".,/")
            hit = Found(HandleKind.URL, value, lead.start(), lead.start() + len(value))
            yield hit
            yield from nested(hit)


def nested(hit: Found) -> Iterator[Found]:
    """What a forge or tracker address points at: pull request, issue, commit, tag, run, repository, ticket."""
    address = hit.value if "://" in hit.value else f"https://{hit.value}"
    ticket = number_of(address)
    if ticket:
        yield Found(HandleKind.TASK_ID, ticket, hit.start, hit.end)
        return
    link = forge_link(address) or _remote_link(hit.value)
    if link is None:
        return
    slug = link.repository.split("/", 1)[1]
    at = hit.value.lower().find(slug)
    if at < 0 and "_git/" not in hit.value:
        return
    slug, at = (hit.value[at : at + len(slug)], at) if at >= 0 else (slug, 0)
    start = hit.start + at
    kind, value = {
        "repo": (HandleKind.REPOSITORY_ID, slug),
        "pull": (HandleKind.PULL_REQUEST, f"{slug}#{link.value}"),
        "issue": (HandleKind.ISSUE, f"{slug}#{link.value}"),
        "commit": (HandleKind.COMMIT_SHA, link.value),
        "tag": (HandleKind.TAG, link.value),
        "run": (HandleKind.OTHER_ID, link.value),
    }.get(link.what, (None, ""))
    if kind is None or not value:
        return
    tail = hit.value.find(link.value, at) if link.value else -1
    end = hit.start + tail + len(link.value) if tail >= 0 else start + len(slug)
    yield Found(kind, value, start, min(end, hit.end))


def _remote_link(value: str) -> ForgeLink | None:
    repository = repository_of(value, NOWHERE) if "://" not in value and ":" in value else None
    return ForgeLink(repository, "repo", "") if repository else None


def hosts(text: str) -> Iterator[Found]:
    """IP addresses, `localhost:<port>`, and host names by their ending or by the word before them."""
    for match in _IP_TAIL.finditer(text):
        lead = _IP_LEAD.search(text, max(0, match.start() - 4), match.start())
        if lead:
            value = text[lead.start() : match.end()]
            if all(int(part) <= _BYTE for part in value.split(":", 1)[0].split(".")):
                yield Found(HandleKind.HOST, value, lead.start(), match.end())
    for match in with_lead(text, ("localhost:",), _LOCAL, 0):
        if not match.start() or text[match.start() - 1] not in "/@.":
            yield Found(HandleKind.HOST, match.group(), match.start(), match.end())
    yield from _logins(text) if "@" in text else ()
    endings = vocabulary("domains") | vocabulary("shy_domains")
    for match in _DOMAIN_END.finditer(text):
        if match["end"] in endings:
            lead = _DOMAIN_LEAD.search(text, max(0, match.start() - 200), match.start())
            if lead and _is_host(f"{lead.group()}.{match['end']}", text, lead.start()):
                yield Found(HandleKind.HOST, text[lead.start() : match.end()], lead.start(), match.end())


def _logins(text: str) -> Iterator[Found]:
    """`deploy@web1.example.net` where the words before say that somebody logs in there, not that mail is sent."""
    at = text.find("@")
    while at >= 0:
        tail = _LOGIN_HOST.match(text, at + 1)
        lead = _LOGIN_LEAD.search(text, max(0, at - _LOGIN_REACH), at) if tail else None
        if tail and lead:
            yield Found(HandleKind.HOST, tail["h"], lead.start("u"), tail.end("h"))
        at = text.find("@", at + 1)


def _is_host(name: str, text: str, start: int) -> bool:
    labels = name.lower().split(".")
    end = labels[-1]
    if name.lower() in vocabulary("not_files") or labels[0].isdigit() or name.lower() in FORGES:
        return False
    if end in vocabulary("extensions") and end not in vocabulary("domains"):
        return False
    known = end in vocabulary("domains") and name == name.lower()
    shy = end in vocabulary("shy_domains") and name == name.lower()
    named = _HOST_WORD.search(context_before(text, start)) is not None
    if known and (len(labels) > 2 or len(end) > 2 or named):
        return True
    return shy and ((len(labels) > 2 and "_" not in name) or named)
