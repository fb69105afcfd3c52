"""A secret is told by the program that takes it: its own flag, what is piped into it, a statement of a database.

Owns the commands. Standard library only; every pattern is matched at an anchor and bounded.
"""
# ruff: noqa: E501 - a pattern a line

import re
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.innocent import is_innocent

__all__ = ["PROGRAMS", "programs", "statement"]

Hit = tuple[str, int, int]

_Q = r"\\{0,4}[\"']?"
_V = rf"{_Q}(?P<b>[^\s\"'`|;&\x00\\<>(){{}}-][^\s\"'`|;&\x00\\<>(){{}}]{{1,200}})"
_LINE = r"[^\n|;&\x00]{0,300}?"
_USER = r"[\w.@%+-]{1,100}"


def _rows(*rows: tuple[str, str]) -> dict[str, tuple[re.Pattern[str], ...]]:
    table: dict[str, tuple[re.Pattern[str], ...]] = {}
    for anchors, pattern in rows:
        for anchor in anchors.split("|"):
            table[anchor] = (*table.get(anchor, ()), expression(pattern, re.IGNORECASE))
    return table


# By anchor; what stands before it may be asked for too, at most `_BEFORE` letters back.
_AFTER = _rows(
    ("mysql|mariadb", rf"(?:mysql[a-z_]{{0,12}}|mariadb[a-z-]{{0,12}})\b{_LINE}[ \t](?-i:-p){_V}"),
    ("sshpass|docker login|podman login|registry login|nerdctl login|buildah login|oras login", rf"(?:sshpass|[a-z]{{1,12}} login)\b{_LINE}[ \t](?-i:-p)[ \t]{{0,3}}{_V}"),
    ("az login", rf"az login\b{_LINE}[ \t]-p[ \t]{{1,3}}{_V}"),
    ("redis-cli", rf"redis-cli\b{_LINE}[ \t](?:-a|--pass)[ \t=]{{1,3}}{_V}"),
    ("curl", rf"curl\b[^\n|;\x00]{{0,300}}?[ \t](?:-u|--user|-U|--proxy-user)[ \t=]{{0,3}}{_Q}[^\s:\"'\\]{{1,100}}:(?P<b>[^\s\"'`|;\x00\\<>]{{1,200}})"),
    ("curl", rf"curl\b[^\n|;\x00]{{0,300}}?[ \t](?:-b|--cookie)[ \t=]{{1,3}}{_Q}[\w.-]{{1,60}}=(?P<b>[^\s\"'`|;\x00\\<>]{{8,400}})"),
    ("http -a |https -a |xh -a |http --auth ", rf"(?:https?|xh) (?:-a|--auth)[ \t=]{{1,3}}{_Q}[^\s:\"'\\]{{1,100}}:{_V}"),
    ("sqlcmd|unzip|zip -p|isql|osql|tsql", rf"(?:sqlcmd|unzip|zip|[ot]?sql|isql)\b{_LINE}[ \t](?-i:-P)[ \t]{{0,3}}{_V}"),
    ("7z |7za |unrar |rar ", rf"(?:7za?|(?:un)?rar)[ \t]{{1,3}}[a-z]{{1,2}}\b{_LINE}[ \t]-h?p{_V}"),
    ("openssl", rf"openssl\b{_LINE}[ \t](?:(?:-pass(?:in|out)?|-passwd)[ \t]{{1,3}}{_Q}pass:|-(?-i:[kK])[ \t]{{1,3}}){_V}"),
    ("smbclient|rpcclient|smbmap", rf"(?:smbclient|rpcclient|smbmap)\b{_LINE}[ \t]-U[ \t]{{0,3}}{_Q}[\w.\\/-]{{1,80}}%{_V}"),
    ("htpasswd", rf"htpasswd[ \t]{{1,3}}-[a-z]{{0,4}}b[a-z]{{0,4}}[ \t]{{1,3}}(?:(?<!n[ \t])[^\s-]\S{{0,100}}[ \t]{{1,3}})?{_USER}[ \t]{{1,3}}{_V}"),
    ("net use", rf"net user[ \t]{{1,3}}{_USER}[ \t]{{1,3}}(?!/){_V}"),
    ("net use", rf"net use[ \t]{_LINE}/user:[^\s/]{{1,80}}[ \t]{{1,3}}{_V}"),
    ("net use", rf"net use[ \t]{{1,3}}[A-Z*]:?[ \t]{{1,3}}\\{{2,8}}\S{{1,100}}[ \t]{{1,3}}(?!/){_V}[ \t]{{1,3}}/user:"),
    ("securestring", rf"securestring[ \t]{{1,3}}(?:-String[ \t]{{1,3}})?\\{{0,4}}[\"']{_V}"),
    ("/pass:", rf"/pass:{_V}"),
    ("identified by", rf"identified by[ \t]{{1,3}}\\{{0,4}}[\"']{_V}"),
    ("identified with", rf"identified with[ \t]{{1,3}}\w{{1,40}}[ \t]{{1,3}}by[ \t]{{1,3}}\\{{0,4}}[\"']{_V}"),
    ("storepass|keypass|srcstorepass|deststorepass", rf"(?:srcstore|deststore|store|key)pass[ \t=]{{1,3}}{_V}"),
    ("sqlplus", rf"sqlplus[ \t]{{1,3}}(?:-\w{{1,10}}[ \t]{{1,3}}){{0,3}}{_Q}{_USER}/(?P<b>[^\s\"'@/\\]{{1,100}})@"),
    ("oracle:thin:", rf"oracle:thin:{_USER}/(?P<b>[^\s\"'@/\\]{{1,100}})@"),
    ("secret set", rf"secret set[ \t]{{1,3}}{_LINE}(?:--body|-b)[ \t=]{{1,3}}{_V}"),
    ("wpa_passphrase ", rf"wpa_passphrase[ \t]{{1,3}}{_Q}[\w.-]{{1,40}}{_Q}[ \t]{{1,3}}{_V}"),
    ("nmcli", rf"nmcli\b{_LINE}[ \t]password[ \t]{{1,3}}{_V}"),
    ("psk=", rf"psk={_V}"),
    ("wifi:", r"wifi:[^\s\"']{0,100}?(?<=[:;])P:(?P<b>[^\s;\"'\\]{4,100});"),
    ("chpasswd", rf"chpasswd[ \t]{{0,3}}<<<[ \t]{{0,3}}{_Q}{_USER}:{_V}"),
    ("sudo -s", rf"sudo -S\b{_LINE}<<<[ \t]{{0,3}}{_V}"),
)  # fmt: skip
_ECHO = rf"(?:echo|printf)[ \t]{{1,3}}(?:-[neE]{{1,3}}[ \t]{{1,3}})?(?:{_Q}%s(?:\\{{1,4}}n)?{_Q}[ \t]{{1,3}})?"
_PIPED = expression(rf"{_ECHO}{_V}{_Q}[ \t]{{0,3}}\|[^|\n]{{0,160}}\Z", re.IGNORECASE)
_PIPED_PAIR = expression(rf"{_ECHO}{_Q}{_USER}:{_V}{_Q}[ \t]{{0,3}}\|[^|\n]{{0,60}}\Z", re.IGNORECASE)
_SQL_LEAD = expression(
    r"(?:\b(?:user|role|login|account)\b[^\n;]{1,120}|\b(?:with|encrypted|set)[ \t]{1,3})\Z", re.IGNORECASE
)
_SQL = expression(
    r"password(?:[ \t]{1,3}for[ \t]{1,3}[^\s=]{1,80})?(?:[ \t]{1,3}|[ \t]{0,3}=[ \t]{0,3})(?:password\()?\\{0,4}'(?P<b>[^'\\\n]{3,200})\\{0,4}'",
    re.IGNORECASE,
)
_BEFORE, _AHEAD = 300, 460
# The flag without which no row of a program matches: looked for first, in one go.
_PASSWORD_FLAG = expression(r"[ \t]-[aApP-]")
_FLAGS = {
    **dict.fromkeys(("mysql", "mariadb", "sshpass", "docker login", "podman login", "sqlcmd", "unzip", "redis-cli"), _PASSWORD_FLAG),
    "curl": expression(
        rf"[ \t]-(?:(?:u|-user|-proxy-user)[ \t=]{{0,3}}{_Q}[^\s:\"'\\]{{1,100}}:|(?:b|-cookie)[ \t=]{{1,3}}{_Q}[\w.-]{{1,60}}=)", re.IGNORECASE
    ),
}  # fmt: skip
_SHORTEST = 3
_NOT_FLAGS = ("assword", "ort", "rotocol", "ipe", "ull", "ublish")
_PIPES = ("chpasswd", "sudo -s", "password-stdin", "--with-token", "passwd --stdin")
PROGRAMS = (*_AFTER, *(anchor for anchor in _PIPES if anchor not in _AFTER))


def programs(text: str, at: int, anchor: str) -> Iterator[Hit]:
    """A password in the own flag of a known program, or piped into it."""
    flags = _FLAGS.get(anchor)
    flagged = flags is None or flags.search(text, at, at + _AHEAD) is not None
    for pattern in _AFTER.get(anchor, ()) if flagged else ():
        match = pattern.match(text, at)
        if match and _is_value(match["b"]):
            yield ("password", match.start("b"), match.end("b"))
    if anchor in _PIPES:
        piped = _PIPED_PAIR if anchor == "chpasswd" else _PIPED
        before = text[max(0, at - _BEFORE) : at]
        start = max(before.rfind("echo"), before.rfind("printf"))
        found = piped.search(text, at - len(before) + start, at) if start >= 0 and "|" in before[start:] else None
        if found and _is_value(found["b"]):
            yield ("password", found.start("b"), found.end("b"))


def statement(text: str, at: int) -> Hit | None:
    """`ALTER USER app WITH PASSWORD '…'`: a password in a database's own words."""
    match = _SQL.match(text, at)
    if match is None or is_innocent(match["b"]) or not _SQL_LEAD.search(text, max(0, at - 160), at):
        return None
    return ("password", match.start("b"), match.end("b"))


def _is_value(value: str) -> bool:
    return len(value) >= _SHORTEST and not is_innocent(value) and not value.lower().startswith(_NOT_FLAGS)
