"""A card shows one turn that went wrong: what was said and done, what was expected, what each lane wrote, and why.

Owns the markup of a card. Knows nothing of which turns are shown or how they are filtered.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from ferrule.evaluation.report.cases import FAULTS, Case, accounts_by_lane, shown_value
from ferrule.evaluation.report.highlight import Term, highlighted
from ferrule.evaluation.report.markup import Html, joined, listed, tag
from ferrule.evaluation.report.reading import Row, figure, many, rows, shown, text, texts
from ferrule.evaluation.report.texts import CallText, TurnText
from ferrule.evaluation.report.views import View

__all__ = ["card"]

_MOST_REASON = 500
_TAG = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}")
_MOST_HANDLES = 8
_MOST_UNNEEDED = 12
_WENT: Mapping[bool | None, str] = {True: "worked", False: "failed", None: "outcome unknown"}


def card(case: Case, views: Sequence[View], said: TurnText | None, tokens: str) -> Html:
    """One turn, folded; `tokens` is what the filter of the page reads."""
    lanes = accounts_by_lane(case, views)
    summary = tag("summary", tag("h3", case.name), " ", _badges(case, views))
    terms = _terms(case)
    body = tag(
        "div",
        _facts(case, lanes),
        None if said is None else tag("div", _said(said, terms), lang=_language(case)),
        tag("h4", "Expected"),
        _expected(case, lanes),
        tag("h4", "Written"),
        *(_written(view, account, alone=len(views) == 1) for view, account in lanes),
        _forbidden(case),
        class_="body",
    )
    return tag("details", summary, body, class_="case", id=case.anchor, data_f=tokens)


def _language(case: Case) -> str | None:
    """Of the turn's words, so that they are read out as such; nothing where it is no language tag."""
    found = text(case.turn, "language")
    return found if _TAG.fullmatch(found) else None


def _badges(case: Case, views: Sequence[View]) -> Html:
    found = []
    for lane, view in enumerate(views):
        for fault, words in FAULTS.items():
            number = sum(item.lane == lane and item.fault == fault for item in case.faults)
            if number:
                letter = "" if len(views) == 1 else f"{view.letter} "
                found.append(tag("span", f"{letter}{number} {words}", class_=f"badge {fault}"))
    return tag("span", joined(found, " "), class_="badges")


def _facts(case: Case, lanes: Sequence[tuple[View, Row]]) -> Html:
    turn = case.turn
    told = [f"{name} {text(turn, name)}" for name in ("format", "repository", "language", "session") if turn.get(name)]
    for view, account in lanes:
        spent = figure(account, "cpu_ms")
        time = f", {spent:.1f} ms of CPU" if spent else ""
        code = f" [{text(account, 'code')}]" if text(account, "code") else ""
        letter = "" if len(lanes) == 1 else f"{view.letter}: "
        told.append(f"{letter}{text(account, 'outcome')}{code}{time}")
    return tag("p", "; ".join(told), class_="soft")


def _terms(case: Case) -> list[Term]:
    """What is marked in the text, the gravest first."""
    terms = [
        Term(value, "m-forbidden", f"forbidden: {text(row, 'why')}")
        for row in rows(case.turn, "forbidden")
        if (value := text(row, "value"))
    ]
    for account in case.accounts:
        for memory in rows(account, "written"):
            if text(memory, "verdict") == "false":
                terms += _of(memory, "m-false", f"written wrongly: {text(memory, 'prototype')}")
    for place, entity in enumerate(rows(case.turn, "entities")):
        verdicts = {text(one[place], "verdict") for a in case.accounts if len(one := rows(a, "entities")) > place}
        kind = "missed" if "missed" in verdicts else "hit" if verdicts & {"hit"} else "other"
        words = {"missed": "missed", "hit": "found", "other": "acceptable"}[kind]
        terms += _of(entity, f"m-{kind}", f"{words}: {text(entity, 'type')} {text(entity, 'label')}")
    return terms


def _of(row: Row, kind: str, says: str) -> list[Term]:
    return [Term(value, kind, says) for handle in rows(row, "handles") if (value := text(handle, "value"))]


def _said(said: TurnText, terms: Sequence[Term]) -> Html:
    where = " on ".join(part for part in (said.folder, said.branch) if part)
    steering = [tag("blockquote", highlighted(words, terms), class_="said", dir="auto") for words in said.steering]
    return joined(
        [
            tag("p", f"in {where}", class_="soft") if where else None,
            tag("h4", "User"),
            tag("blockquote", highlighted(said.user, terms), class_="said", dir="auto"),
            *([tag("h4", "User, in between"), *steering] if steering else []),
            tag("h4", "Outcome"),
            tag("blockquote", highlighted(said.outcome, terms), class_="said", dir="auto"),
            _calls(said, terms),
        ]
    )


def _calls(said: TurnText, terms: Sequence[Term]) -> Html | None:
    if not said.calls:
        return None
    items = [_call(call, terms) for call in said.calls]
    if said.more_calls:
        items.append(tag("span", f"and {many(said.more_calls, 'call')} more", class_="soft"))
    return joined([tag("h4", "Tool calls"), listed(items, class_="calls")])


def _call(call: CallText, terms: Sequence[Term]) -> Html:
    went = tag("span", _WENT[call.ok], class_="went " + {True: "good", False: "bad", None: "soft"}[call.ok])
    told = tag("span", highlighted(call.told, terms), class_="told") if call.told else None
    return joined([tag("b", call.tool), " ", went, " ", tag("code", highlighted(call.asked, terms)), told])


def _handles(row: Row) -> Html:
    found = rows(row, "handles")
    told: list[Html | str] = [
        joined([tag("span", text(handle, "kind"), class_="soft"), " ", tag("code", shown_value(text(handle, "value")))])
        for handle in found[:_MOST_HANDLES]
    ]
    if len(found) > _MOST_HANDLES:
        told.append(f"and {len(found) - _MOST_HANDLES} more")
    return joined(told, "; ") if told else tag("span", "no handle", class_="soft")


def _expected(case: Case, lanes: Sequence[tuple[View, Row]]) -> Html:
    items, unneeded = [], []
    for place, entity in enumerate(rows(case.turn, "entities")):
        verdicts = [(view, found[place]) for view, a in lanes if len(found := rows(a, "entities")) > place]
        if all(text(verdict, "verdict") == "unneeded" for _, verdict in verdicts):
            unneeded.append(f"{text(entity, 'type')} {text(entity, 'label')}")
            continue
        told = list(_verdicts(verdicts, alone=len(lanes) == 1))
        about = f"{text(entity, 'grade')}, {text(entity, 'modality')}"
        items.append(
            joined(
                [tag("b", f"{text(entity, 'type')}: {text(entity, 'label')}"), f" ({about}) ", _handles(entity), *told]
            )
        )
    rest = f" and {len(unneeded) - _MOST_UNNEEDED} more" if len(unneeded) > _MOST_UNNEEDED else ""
    also = f"Acceptable and not written: {'; '.join(unneeded[:_MOST_UNNEEDED])}{rest}"
    return joined(
        [
            listed(items, class_="entities") if items else tag("p", "Nothing is required."),
            tag("p", also, class_="soft") if unneeded else None,
        ]
    )


def _verdicts(verdicts: Sequence[tuple[View, Row]], *, alone: bool) -> Iterator[Html]:
    """A line per verdict; lanes that say the same share one."""
    letters: dict[tuple[str, str, str], list[str]] = {}
    for view, row in verdicts:
        score = figure(row, "score")
        modality = ", modality wrong" if row.get("modality_ok") is False else ""
        told = (text(row, "verdict") + modality, text(row, "why"), "" if score is None else f" (score {shown(score)})")
        letters.setdefault(told, []).append(view.letter)
    for (verdict, why, scored), members in letters.items():
        word = verdict.partition(",")[0]
        kind = "modality" if word == "hit" and "," in verdict else word
        head = verdict if alone else f"{', '.join(members)}: {verdict}"
        yield tag("div", tag("span", head, class_=f"badge {kind}"), f" {_bounded(why)}{scored}", class_="verdict")


def _written(view: View, account: Row, *, alone: bool) -> Html:
    memories = rows(account, "written")
    words = tag("p", _bounded(text(account, "reason")), class_="soft") if text(account, "reason") else None
    head = None if alone else tag("h5", f"{view.letter}  {view.name}")
    if not memories:
        return joined([head, tag("p", "Nothing."), words])
    # With memories the words for the whole turn only repeat those for each.
    return joined([head, listed([_memory(memory) for memory in memories], class_="entities")])


def _memory(memory: Row) -> Html:
    score = figure(memory, "score")
    forbidden = [shown_value(value) for value in texts(memory, "forbidden")]
    verdict = text(memory, "verdict")
    badges = [tag("span", verdict, class_=f"badge {verdict if verdict.isalpha() else ''}")]
    badges += [tag("span", "forbidden", class_="badge forbidden")] if forbidden else []
    told = f" {_bounded(text(memory, 'why'))}{'' if score is None else f' (score {shown(score)})'}"
    return joined(
        [
            tag("b", text(memory, "prototype")),
            f" ({text(memory, 'modality')}) ",
            _handles(memory),
            tag("div", joined(badges, " "), told, class_="verdict"),
        ]
    )


def _forbidden(case: Case) -> Html | None:
    found = rows(case.turn, "forbidden")
    if not found:
        return None
    broken = {value for account in case.accounts for value in texts(account, "forbidden")}
    items = []
    for row in found:
        value, why = text(row, "value"), text(row, "why")
        written = tag("span", "was written", class_="badge forbidden") if value in broken else None
        items.append(joined([tag("code", shown_value(value, why)), f" {why} ", written]))
    return joined([tag("h4", f"Must not be written ({len(items)})"), listed(items, class_="soft")])


def _bounded(words: str) -> str:
    return words if len(words) <= _MOST_REASON else words[:_MOST_REASON] + "…"
