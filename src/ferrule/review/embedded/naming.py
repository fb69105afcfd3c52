"""A thing is called as the user or the outcome calls it, and its prototype is named after that (R16, R33).

Owns labels, aliases and prototype names, each with the place where its words stand. Knows nothing of what is known:
a name that is taken is another form's turn.
"""

import re
from collections.abc import Iterator, Sequence

from ferrule.bridge.evidence import spans_of
from ferrule.bridge.values import Evidence, Mention, MentionRef, Proves, Role, SpanRef, TurnView
from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.review.definition import identifier
from ferrule.review.embedded.commands import command_words
from ferrule.review.embedded.cues import NAMING
from ferrule.review.embedded.things import PATHS, Thing
from ferrule.review.embedded.words import is_plain, spoken_aliases, stem_words
from ferrule.review.prospect import NameForm, TextFact

__all__ = ["aliases_of", "forms_of", "given_name", "name_of"]

_NUMBER_WORDS = {
    "PullRequest": expression(r"\b(?:PR|pull request|MR|merge request) ?[#!]?\d{1,9}\b", re.IGNORECASE),
    "Issue": expression(r"\b(?:issue|bug|ticket|bead) ?#?\d{1,9}\b", re.IGNORECASE),
}
_URL_NUMBER = expression(r"/(?:pulls?|issues?|merge_requests|work_items|commit|advisories)/([\w-]{1,60})")
_BARE_NUMBER = expression(r"(?:^|[#! ])(\d{1,9}|[0-9a-f]{7,40})$")
_SPOKEN = (Role.INTENT, Role.OUTCOME, Role.ACTION)
_LEADING_NUMBERS = expression(r"^(?:\d{1,8}[-_. ]){1,6}(?=[A-Za-z])")  # the date before a note's name
_MAX_LABEL = 60
_DEEPEST = 4
# An alias that carries marks, or only a label before the handle itself.
_STRAY = expression(
    r"[`*\[\](){}<>=|\n]|\w:\s|^\W|^(?:commit|sha|hash|branch|tag|pr|issue)\b\W{0,4}[0-9a-f]{7,40}$", re.IGNORECASE
)
_TYPE_SUFFIXED = frozenset(
    {
        "Branch",
        "Commit",
        "Session",
        "Host",
        "Database",
        "Service",
        "WebSite",
        "Package",
        "Repository",
        "Directory",
        "Worktree",
        "Release",
        "Task",
        "Issue",
        "PullRequest",
        "Command",
        "SecretReference",
        "Environment",
        "Api",
    }
)


def name_of(thing: Thing, type_: str, view: TurnView) -> TextFact:
    """EntityName with its evidence: the user's own word for it, else the words of its handle as written."""
    given = given_name(thing, view)
    if given is not None:
        return given
    for maker in (_numbered_name, _path_name, _command_name, _address_name):
        fact = maker(thing, type_, view)
        if fact is not None:
            return fact
    mention = _best_mention(thing)
    return TextFact(_clip(_written(view, mention)), (_cite(mention),))


def _cite(mention: Mention) -> Evidence:
    return Evidence(MentionRef(mention.id), Proves.NAME)


def _best_mention(thing: Thing) -> Mention:
    spoken = thing.within(*_SPOKEN)
    return spoken[0] if spoken else thing.mentions[0]


def _written(view: TurnView, mention: Mention) -> str:
    text = view.text(mention.text)
    return text.text[mention.start : mention.end] if text else mention.value


def _clip(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= _MAX_LABEL:
        return flat
    return flat[:_MAX_LABEL].rsplit(" ", 1)[0]


def given_name(thing: Thing, view: TurnView) -> TextFact | None:
    """What the user says it shall be called, when the thing carries that very word (R16)."""
    given = view.once("given words", lambda: tuple(_given_words(view)))
    stems = {_stem(value) for value in thing.values} if given else frozenset()
    for word, span in given:
        if word.casefold() in stems:
            return TextFact(word, (Evidence(span, Proves.NAME),))
    return None


def _given_words(view: TurnView) -> Iterator[tuple[str, SpanRef]]:
    for text in view.texts:
        if text.role is Role.INTENT:
            for found in NAMING.finditer(text.text):
                yield found.group(1), SpanRef(text.id, found.start(1), found.end(1))


def _stem(value: str) -> str:
    """The last component of a handle without its ending, case folded."""
    last = re.split(r"[/\\:@]", value.rstrip("/\\"))[-1].casefold()
    return last.rsplit(".", 1)[0] if "." in last.lstrip(".") else last


def _numbered_name(thing: Thing, type_: str, view: TurnView) -> TextFact | None:
    """`PR #12` as somebody wrote it, else the type's words and the number of its address."""
    number = _number_of(thing)
    words = {"PullRequest": "pull request", "Issue": "issue", "Commit": "commit"}.get(type_)
    if words is None or not number:
        return None
    wanted = _NUMBER_WORDS.get(type_)
    for text in view.texts if wanted else ():
        if text.role in (Role.INTENT, Role.OUTCOME) and wanted is not None:
            for found in wanted.finditer(text.text):
                if re.sub(r"\D", "", found.group()) == number:
                    return TextFact(found.group(), (Evidence(SpanRef(text.id, *found.span()), Proves.NAME),))
    mention = next((m for m in thing.mentions if number in m.value), _best_mention(thing))
    return TextFact(f"{words} {number}", (_cite(mention),))


def _number_of(thing: Thing) -> str:
    for value in thing.values:
        found = _URL_NUMBER.search(value) or _BARE_NUMBER.search(value)
        if found:
            return found.group(1)
    return ""


def _path_name(thing: Thing, _type: str, _view: TurnView) -> TextFact | None:
    if thing.kind not in PATHS:
        return None
    mention = max(thing.within(*_SPOKEN) or thing.mentions, key=lambda m: len(m.value))
    parts = [part for part in re.split(r"[/\\]", mention.value) if part not in ("", ".", "~")]
    return TextFact(parts[-1], (_cite(mention),)) if parts else None


def _command_name(thing: Thing, _type: str, view: TurnView) -> TextFact | None:
    if thing.kind is not HandleKind.COMMAND:
        return None
    mention = _best_mention(thing)
    return TextFact(_clip(_written(view, mention).replace("\\\n", " ")) or mention.value, (_cite(mention),))


def _address_name(thing: Thing, _type: str, _view: TurnView) -> TextFact | None:
    """The last telling part of an address or repository id: `atlas` for `git@host:team/atlas.git`."""
    mention = next((m for m in thing.mentions if m.kind in (HandleKind.URL, HandleKind.REPOSITORY_ID)), None)
    if mention is None or thing.kind not in (HandleKind.URL, HandleKind.REPOSITORY_ID):
        return None
    plain = re.split(r"[?#]", mention.value.split("://", 1)[-1])[0].rstrip("/").removesuffix(".git")
    parts = [part for part in re.split(r"[/:]", plain) if part]
    if not parts:
        return None
    bare = len(parts) > 1 and re.fullmatch(r"[\d.]+|[0-9a-f-]{16,}", parts[-1])
    return TextFact(" ".join(parts[-2:]) if bare else parts[-1], (_cite(mention),))


def aliases_of(thing: Thing, name: TextFact, view: TurnView) -> tuple[TextFact, ...]:
    """Other wordings in the turn: shortened spellings and the same words otherwise written (R19, R33)."""
    found: dict[str, TextFact] = {}
    for mention in thing.within(Role.INTENT, Role.OUTCOME):
        written = _written(view, mention)
        if len(written) <= _MAX_LABEL and "://" not in written and ";" not in written:
            found.setdefault(written, TextFact(written, (Evidence(MentionRef(mention.id), Proves.ALIAS),)))
    texts = [text for text in view.texts if text.role in (Role.INTENT, Role.OUTCOME)]
    for words, span in spoken_aliases(stem_words(name.value), texts):
        found.setdefault(words, TextFact(words, (Evidence(span, Proves.ALIAS),)))
    own = {name.value.casefold(), *(value.casefold() for value in thing.values)}
    kept = [
        fact
        for fact in found.values()
        if fact.value.casefold() not in own
        and not _STRAY.search(fact.value)
        and not is_plain(fact.value)
        and _whole(fact, view)
    ]
    return tuple(kept[:2])


def _whole(fact: TextFact, view: TurnView) -> bool:
    """Whether the alias stands as a whole token where it is cited (D9)."""
    for evidence in fact.evidence:
        cites = evidence.cites
        text_id = cites.text if isinstance(cites, SpanRef) else _text_of(cites, view)
        text = view.text(text_id)
        if text is not None and any(True for _ in spans_of(text.text, fact.value)):
            return True
    return False


def _text_of(cites: object, view: TurnView) -> str:
    mention = view.mention(cites.mention) if isinstance(cites, MentionRef) else None
    return mention.text if mention else ""


def forms_of(thing: Thing, type_: str, name: TextFact) -> tuple[NameForm, ...]:
    """Names to try: by the entity name, then with the folders before it, last with the words of the handle."""
    forms = [NameForm(identifier_, text) for identifier_, text in _forms(thing, type_, name)]
    return tuple(dict.fromkeys(form for form in forms if form.identifier and not form.identifier[0].isdigit()))


def _forms(thing: Thing, type_: str, name: TextFact) -> Iterator[tuple[str, str]]:
    if thing.kind in PATHS and _is_unspelled(name.value):
        yield from _by_place(thing, type_, name)
        return
    told = command_words(thing.values[0]) if thing.kind is HandleKind.COMMAND else name.value
    plain = identifier(_LEADING_NUMBERS.sub("", told) or told)
    suffix = type_ if type_ in _TYPE_SUFFIXED or plain[:1].isdigit() else ""
    if plain:
        yield _typed(plain, suffix), name.value
        for longer in _with_folders(thing):
            yield _typed(identifier(longer), suffix), longer
    words = " ".join(_handle_words(thing))
    handle = identifier(words)
    if handle:
        yield _typed(handle, type_), words
        yield f"{type_}{handle}", words


def _is_unspelled(name: str) -> bool:
    """Whether no letter of a file's or folder's own name can stand in an identifier, which is ASCII (rule 3)."""
    stem = name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name
    return not identifier(stem) and any(char.isalpha() for char in stem)


def _by_place(thing: Thing, type_: str, name: TextFact) -> Iterator[tuple[str, str]]:
    """`DocumentInDocs`, then with the folders before: the entity name says what it is called, this where it lies."""
    longest = max((m.value for m in thing.mentions if m.kind in PATHS), key=len)
    folders = [word for part in re.split(r"[/\\]", longest)[:-1] if (word := identifier(part)) and not word.isdigit()]
    for depth in range(1, min(len(folders), _DEEPEST) + 1):
        yield f"{type_}In{''.join(folders[-depth:])}", name.value
    ending = identifier(name.value)
    if ending and not ending[0].isdigit():
        yield f"{ending}{type_}", name.value


def _typed(name: str, type_: str) -> str:
    """The name with its type behind it, or before a number; once is enough."""
    if name[:1].isdigit() or re.fullmatch(r"[0-9a-f]{7,40}", name.casefold()):
        return f"{type_ or 'Entity'}{name}"
    number = re.fullmatch(r"(?:PR|MR|PullRequest|MergeRequest|Pull|Issue|Bug|Commit)(\d[\w]*)", name)
    if number:
        return f"{type_}{number.group(1)}"
    if type_ == "SecretReference":
        name = name.removesuffix("Secret")
    return name if not type_ or type_ in (name[-len(type_) :], name[: len(type_)]) else f"{name}{type_}"


def _with_folders(thing: Thing) -> Iterator[str]:
    """The file with one parent folder, then with two, as the longest path spells them."""
    if thing.kind not in PATHS:
        return
    longest = max((m.value for m in thing.mentions if m.kind in PATHS), key=len)
    parts = [part for part in re.split(r"[/\\]", longest) if part not in ("", ".", "~")]
    for depth in (2, 3, 4):
        if len(parts) >= depth:
            yield "/".join(parts[-depth:])


def _handle_words(thing: Thing) -> Sequence[str]:
    return re.findall(r"[A-Za-z0-9]+", thing.values[0])[-4:]
