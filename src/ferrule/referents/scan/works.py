"""What the work is about: pull requests, issues, tickets, sessions, commits, branches.

Owns the contexts that tell a branch from a folder, a commit from a number and a pull request from an issue.
Knows nothing of forges' data.
"""
# ruff: noqa: E501, PLR2004, SIM905 - patterns, thresholds and word lists are the data here

import re
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import Found, HandleKind
from ferrule.referents.scan.places import after, before, with_lead
from ferrule.referents.scan.words import context_before

__all__ = ["branches", "commits", "qualified_numbers", "session_keys", "tasks", "tickets", "uuids", "worded_numbers"]

_SIGNED = expression(r"#[0-9]{1,7}(?![\w/])")
_SLUG_LEAD = expression(r"(?<![\w/.:@-])[A-Za-z0-9_.-]{1,60}/[A-Za-z0-9_.-]{1,80}/?\Z")
_ROUTED = expression(r"(?<![\w.:@-])(?:pulls?|issues)/[0-9]{1,7}(?![\w/])")
_ROUTES = ("pull/", "pulls/", "issues/")
_PULL_WORD = r"[Pp]ull[ -][Rr]equests?|PRs?|prs?|Prs?|[Mm]erge [Rr]equests?|MRs?|pulls?"
_ISSUE_WORD = r"[Ii]ssues?|ISSUES?|[Bb]ugs?|[Tt]icket"
_WORDED = expression(
    rf"(?<![\w./-])(?:(?P<pull>{_PULL_WORD})|(?P<issue>{_ISSUE_WORD}))(?P<gap>[ \t]{{0,2}}(?:number |no\.? |[:/(`*]{{1,2}})?[ \t]?)(?P<sign>[#!]?)(?P<n>[0-9]{{1,6}})(?![\w%]|[.,][0-9]|[ ]?(?:%|[a-z]{{4,12}}s\b))"
)
_WORDS = ("PR", "MR", "pr ", "prs ", "pr#", "Pr ", "ISSUE")
_SECOND_LETTERS = ("ull ", "ull-", "ulls ", "ull/", "ulls/", "erge ", "ssue", "ug ", "ugs ", "ug #", "icket")
_BARE = expression(r"(?P<sign>[#!])(?<![\w/#&=.\"-].)(?P<n>[0-9]{1,6})(?![\w;]|[.,-][0-9])")
_NOT_NUMBERS = expression(
    r"\b(?:steps?|phases?|options?|findings?|items?|tests?|cases?|points?|questions?|sections?|challenges?|problems?|lines?|rounds?|attempts?"
    r"|iterations?|comments?|tasks?|rules?|colou?r|background|page|chapter|part|number|rank|the|version|level|figure|table|players?"
    r"|priority|example|column|row|slide|reason|idea|note|suggestion|requirement|fix|change|thread|is)\s?[:(`*]{0,2}\Z"
)
_NEAR_PULL = expression(rf"\b(?:{_PULL_WORD})\b", re.IGNORECASE)
_NEAR_ISSUE = expression(rf"\b(?:{_ISSUE_WORD}|fix(?:es|ed)?|close[sd]?|resolve[sd]?)\b", re.IGNORECASE)
_LETTER = r"[^\W\u2e80-\ud7ff]"  # scripts that write without spaces hold no token together
_TICKET = expression(rf"-[1-9][0-9]{{0,5}}(?!{_LETTER}|-|\.[0-9])")
_TICKET_LEAD = expression(rf"(?<!{_LETTER})(?<![/.-])[A-Z][A-Z0-9]{{1,9}}\Z")
_NOT_TICKETS = frozenset(
    "UTF UCS SHA MD ISO RFC GPT HTTP AES RSA COVID CVE CWE X86 H GHSA TLS SSL IEEE ECMA ES PEP BCP STD WCAG TODO MIT BSD GPL LGPL AGPL CC MPL"
    " ARM MP MPEG DDR USB PCI CP KOI WINDOWS RTX GTX LATIN ASCII BASE64 Q STEP PHASE OPTION V PART TOP GLM GEMINI CLAUDE LLAMA QWEN AB XSS OWASP COMP"
    " RS DIN ANSI IPV P S R T C D E F G I J K L M N O U W Y Z B A".split()
)  # fmt: skip
_UUID_TAIL = expression(r"-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![\w-])")
_HEX = expression(r"[0-9a-fA-F]{1,64}")
_TASK = expression(r"(?<![\w/-])[Tt]ask[ ]?#?[0-9]{1,5}(?![\w.]\w|[0-9])")
_TASK_WORDS = ("ask ", "ask: ", "ead ", "ead: ", "eads ", "bd ", "ssue ", "ssue: ", "icket ")
_TASK_ID = expression(r"(?:id )?`(?P<v>[a-z]{2,10}-[a-z0-9]{3,6})`")
_BEAD = expression(r"`(?P<v>[a-z]{2,6}-[a-z0-9]{3,5}(?:\.[0-9]{1,3}){0,3})`")
_TASK_FLAG = expression(r"[A-Za-z0-9-]{1,40}")
_SESSION_WORD = expression(r"(?P<v>(?:ses|sess|thread|conv)_[A-Za-z0-9]{8,40})(?!\w)")
_SESSION_NAME = r"[`\"](?P<v>[A-Za-z][A-Za-z0-9]{0,40}(?:[-_:#][A-Za-z0-9]{1,40}){1,8})[`\"]"
_SESSION_AFTER = expression(r"(?:[ _-]?(?:[Kk]ey|[Ii][Dd]|[Nn]ame))?(?: is|:|=)?[ \t]{1,2}" + _SESSION_NAME)
_SESSION_BEFORE = expression(_SESSION_NAME + r"\Z")
_SESSION_NEAR = expression(r"session|thread|conversation|resume|rollout|transcript|chat|\bfork\b", re.IGNORECASE)
_OTHER_NEAR = expression(
    r"(?:document|page|sheet|note|request|trace|run|job|user|account|tenant|device)s?(?: id)?[:= `\"']{1,3}\Z"
)
_COMMIT = expression(r"[0-9a-f]{7,40}+(?![\w/@+\\-]|:\S|\.[0-9a-zA-Z])")
_COMMIT_RANGE = expression(r"(?P<a>[0-9a-f]{7,40}+)\.{2,3}(?P<b>[0-9a-f]{7,40}+)(?!\w)")
_STRONG_COMMIT_WORD = expression(
    r"(?:\b(?:commit|commits|sha|revision|cherry-pick|revert)\s?[:=(`*\[]{0,3}\s?|\[[\w./-]{1,80} )\Z"
)
_MD5 = 32
_NAME = r"[A-Za-z0-9_](?:[A-Za-z0-9_.#/+-]{0,120}[A-Za-z0-9_])?"
_QUOTED_NAME = rf"[`'\"*]{{1,3}}(?P<v>{_NAME})[`'\"*]{{1,3}}"
_BRANCH_AFTER = expression(
    rf"(?:es)?(?: named| called| name| is|:|=)?[ \t]{{1,2}}(?:{_QUOTED_NAME}|(?P<w>[A-Za-z0-9_.-]{{1,60}}/{_NAME}))"
)
_BRANCH_BEFORE = expression(_QUOTED_NAME + r"(?: feature| local| remote| release)?\Z")
_ON_BRANCH = expression(rf"[Oo]n branch (?P<v>{_NAME})")
_GIT = expression(
    r"git(?<![\w/.-]git) (?:-C \S{1,200} )?(?:"
    r"(?:checkout|switch|branch|merge|rebase)(?: -[a-zA-Z-]{1,16}){0,3} (?P<v>" + _NAME + r")(?![\w./])"
    r"|(?:push|pull|fetch)(?: -[a-zA-Z=-]{1,24}){0,4} (?:origin|upstream) (?:HEAD:)?(?P<w>" + _NAME + r")"
    r"|worktree add [^\n]{0,200}? ?-[bB] (?P<x>" + _NAME + r"))"
)
_BRANCH_FLAG = expression(rf"(?P<v>{_NAME})")
_REF = expression(rf"(?<![\w./-])(?P<v>(?:refs/(?:heads|remotes)|remotes/origin|origin|upstream)/{_NAME})(?![\w/])")
_USUAL = (
    "feat/",
    "feature/",
    "fix/",
    "bugfix/",
    "hotfix/",
    "chore/",
    "refactor/",
    "perf/",
    "dependabot/",
    "renovate/",
    "copilot/",
    "codex/",
    "claude/",
    "cursor/",
)
_TICKED = expression(rf"(?<=[`*])(?P<v>[a-z]{{3,10}}/{_NAME})[`*]")
_NOT_BRANCH = frozenset(
    "head file files the a an and or of is was name names coverage protection to from in it this that main.go".split()
)
_FILE_END = expression(r"\.(?:py|go|ts|tsx|js|jsx|md|mdx|json|toml|ya?ml|rs|java|cs|cpp|c|h|sh|rb|txt|html|css)\Z")


def qualified_numbers(text: str) -> Iterator[Found]:
    """`owner/name#12`, `pull/12`, `owner/name/issues/12` outside a URL."""
    for match in _SIGNED.finditer(text):
        lead = _SLUG_LEAD.search(text, max(0, match.start() - 142), match.start())
        if lead and not lead.group().endswith("/"):
            pull = _nearest(context_before(text, lead.start())) is HandleKind.PULL_REQUEST
            yield _numbered(text, lead.start(), match.end(), pull=pull)
    for match in with_lead(text, _ROUTES, _ROUTED, 0):
        lead = _SLUG_LEAD.search(text, max(0, match.start() - 142), match.start())
        if lead and lead.group().endswith("/"):
            yield _numbered(text, lead.start(), match.end(), pull=match.group()[0] == "p")
        elif text[match.start() - 1 : match.start()] != "/":
            yield _numbered(text, match.start(), match.end(), pull=match.group()[0] == "p")


def _numbered(text: str, start: int, end: int, *, pull: bool) -> Found:
    return Found(HandleKind.PULL_REQUEST if pull else HandleKind.ISSUE, text[start:end], start, end)


def worded_numbers(text: str) -> Iterator[Found]:
    """Numbers of pull requests and issues: named by a word, or `#12` whose kind the text itself tells elsewhere."""
    kinds: dict[str, HandleKind] = {}
    taken: set[int] = set()
    for match in _worded(text):
        kind = HandleKind.PULL_REQUEST if match["pull"] else HandleKind.ISSUE
        glued = bool(match["sign"]) and not match["gap"]
        start = match.start() if glued or match["gap"].endswith("/") else match.start("sign")
        # A single digit without a sign is a count or an ordinal.
        if not match["sign"] and match["gap"].strip() in {"", "("} and len(match["n"]) == 1:
            continue
        kinds.setdefault(match["n"], kind)
        taken.add(match.start("sign"))
        yield Found(kind, text[start : match.end()], start, match.end())
    if "#" not in text and "!" not in text:
        return
    for match in _BARE.finditer(text):
        before = context_before(text, match.start())
        if match.start() in taken or _NOT_NUMBERS.search(before) or not _plausible(match["sign"], match["n"], before):
            continue
        kind = kinds.get(match["n"]) or _nearest(before) or HandleKind.ISSUE
        if match["sign"] == "!":
            kind = HandleKind.PULL_REQUEST
        yield Found(kind, match.group(), match.start(), match.end())


def _worded(text: str) -> Iterator[re.Match[str]]:
    """The worded numbers in order of place."""
    found = (*with_lead(text, _WORDS, _WORDED, 0), *with_lead(text, _SECOND_LETTERS, _WORDED, 1))
    return iter(sorted({match.start(): match for match in found}.values(), key=lambda match: match.start()))


def _plausible(sign: str, number: str, before: str) -> bool:
    if sign == "!":
        return len(number) > 1 or "mr" in before
    return not number.startswith("0") and not before.rstrip().endswith(("color:", "background:"))


def _nearest(before: str) -> HandleKind | None:
    """The kind that the nearest word before a number tells."""
    pulls = [match.end() for match in _NEAR_PULL.finditer(before)]
    issues = [match.end() for match in _NEAR_ISSUE.finditer(before)]
    if not pulls and not issues:
        return None
    return HandleKind.PULL_REQUEST if max(pulls, default=-1) > max(issues, default=-1) else HandleKind.ISSUE


def tickets(text: str) -> Iterator[Found]:
    """Keys of a tracker: `ENT-108`."""
    for match in _TICKET.finditer(text):
        lead = _TICKET_LEAD.search(text, max(0, match.start() - 11), match.start())
        if lead and lead.group() not in _NOT_TICKETS:
            yield Found(HandleKind.TASK_ID, text[lead.start() : match.end()], lead.start(), match.end())


def tasks(text: str) -> Iterator[Found]:
    """Tasks by number (`task#008`, `Task 12`), by a short id in ticks after the word, or by a flag."""
    for match in with_lead(text, ("ask",), _TASK, 1):
        yield Found(HandleKind.TASK_ID, match.group(), match.start(), match.end())
    for match in after(text, _TASK_WORDS, _TASK_ID):
        yield Found(HandleKind.TASK_ID, match["v"], match.start("v"), match.end("v"))
    if "bead" in text or "Bead" in text:
        for match in _BEAD.finditer(text):
            yield Found(HandleKind.TASK_ID, match["v"], match.start("v"), match.end("v"))
    for match in after(text, ("--task ", "--task="), _TASK_FLAG):
        yield Found(HandleKind.TASK_ID, match.group(), match.start(), match.end())


def uuids(text: str) -> Iterator[Found]:
    """Universal ids of which the text does not say what they are."""
    for start, end in _uuid_spans(text):
        yield Found(HandleKind.OTHER_ID, text[start:end], start, end)


def _uuid_spans(text: str) -> Iterator[tuple[int, int]]:
    for match in _UUID_TAIL.finditer(text):
        start = match.start() - 8
        head = text[max(0, start) : match.start()]
        if (
            len(head) == 8
            and _HEX.fullmatch(head)
            and not (start and (text[start - 1].isalnum() or text[start - 1] in "_-"))
        ):
            yield start, match.end()


def session_keys(text: str) -> Iterator[Found]:
    """Session, thread and conversation ids by their form or by the words before them."""
    for start, end in _uuid_spans(text):
        near = context_before(text, start, 80)
        if not _OTHER_NEAR.search(near) and _SESSION_NEAR.search(near):
            yield Found(HandleKind.SESSION_KEY, text[start:end], start, end)
    for match in with_lead(text, ("ses_", "sess_", "thread_", "conv_"), _SESSION_WORD, 0):
        if not match.start() or not (text[match.start() - 1].isalnum() or text[match.start() - 1] in "_-"):
            yield Found(HandleKind.SESSION_KEY, match["v"], match.start(), match.end())
    for match in (*after(text, ("ession",), _SESSION_AFTER), *before(text, (" session",), _SESSION_BEFORE)):
        yield Found(HandleKind.SESSION_KEY, match["v"], match.start("v"), match.end("v"))


def commits(text: str) -> Iterator[Found]:
    """Abbreviated and full SHAs: hex with a letter and a digit, or any hex after a word for a commit."""
    for match in _COMMIT_RANGE.finditer(text) if ".." in text else ():
        if not _glued(text, match.start()) and not context_before(text, match.start(), 8).endswith("index "):
            for group in ("a", "b"):
                yield Found(HandleKind.COMMIT_SHA, match[group], match.start(group), match.end(group))
    for match in _COMMIT.finditer(text):
        value, start = match.group(), match.start()
        if _glued(text, start):
            continue
        mixed = not value.isdigit() and not value.isalpha()
        if not mixed or len(value) == _MD5:
            strong = _STRONG_COMMIT_WORD.search(context_before(text, start))
            if not strong or (value.isalpha() and len(value) < 12):
                continue
        elif context_before(text, start, 8).endswith(("index ", "md5 ", "etag ")):
            continue
        yield Found(HandleKind.COMMIT_SHA, value, start, match.end())


def _glued(text: str, start: int) -> bool:
    """Whether the letter before makes the hex a part of something longer."""
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_#:/@+.\\-")


def branches(text: str) -> Iterator[Found]:
    """Branch names, only where the text says that it is one: the word, a git command, a ref, or a usual prefix in ticks."""
    for match in _branch_matches(text):
        group = match.lastgroup or "v"
        value = match[group].rstrip(".,")
        if (
            value.lower() in _NOT_BRANCH
            or value.endswith("/HEAD")
            or _FILE_END.search(value)
            or ".." in value
            or "//" in value
        ):
            continue
        yield Found(HandleKind.BRANCH, value, match.start(group), match.start(group) + len(value))


def _branch_matches(text: str) -> Iterator[re.Match[str]]:
    if "ranch" in text:
        yield from after(text, ("ranch",), _BRANCH_AFTER)
        yield from before(text, (" branch", " Branch"), _BRANCH_BEFORE)
        yield from with_lead(text, ("n branch ",), _ON_BRANCH, 1)
    if "git " in text:
        yield from _GIT.finditer(text)
    yield from after(
        text, ("--head ", "--head=", "--base ", "--base=", "--branch ", "--branch=", "--ref ", "--ref="), _BRANCH_FLAG
    )
    yield from with_lead(text, ("refs/", "origin/", "upstream/", "remotes/"), _REF, 0)
    if "`" in text or "*" in text:
        yield from with_lead(text, _USUAL, _TICKED, 0)
