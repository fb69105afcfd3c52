"""What a review says to people: what was remembered and why, what was refused and how to mend it, what was known.

Owns the wording and order of a review on the page. Quiet turns fold into one line. Knows nothing of how a turn is
reviewed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from ferrule.errors import Code
from ferrule.interfaces.cli.page import Page, Span
from ferrule.interfaces.cli.rows import Row, members, number, rows, text, texts
from ferrule.interfaces.cli.visible import excerpt

__all__ = ["ended_with", "print_review", "print_session", "print_worth", "print_written", "summary", "turn_name"]

TITLE = 64
DETAIL = 200
KNOWN = "already known"
HIDDEN = frozenset({"EntityName", "Aliases", "LifecycleState"})
# A later value of a property that keeps its earlier one (R45).
_AT_TURN = re.compile(r"^(.*)AtTurn[0-9]{1,9}$")
STATE_STYLE = {"planned": "yellow", "reported": "yellow", "deleted": "red"}


def print_session(page: Page, report: Row, titles: Mapping[str, str], heading: str) -> None:
    """One session: a heading, its turns in order, quiet ones folded."""
    page.line((heading, "bold"))
    for note, group in groupby(rows(report, "reviews"), key=_note):
        if note is None:
            for review in group:
                print_review(page, review, titles)
        else:
            _fold(page, list(group), note, titles)


def summary(reports: Sequence[Row], *, dry: bool = False) -> str:
    """One line over all sessions: turns, memories, refusals, skipped turns by reason."""
    reviews = [review for report in reports for review in rows(report, "reviews")]
    written = sum(len(rows(review, "written")) for review in reviews if review.get("already") is not True)
    refused = sum(len(rows(review, "refused")) for review in reviews if review.get("already") is not True)
    before = sum(review.get("already") is True for review in reviews)
    failed = sum(text(review, "outcome") == "failed" for review in reviews)
    reasons = Counter(text(skip, "reason") for report in reports for skip in rows(report, "skipped"))
    declined = sum(len(_declined(report)) for report in reports)
    parts = [
        f"{_count(len(reviews) - declined - failed, 'turn')} reviewed"
        + (f" ({before} of them before)" if before else ""),
        f"{_count(written, 'memory', 'memories')} {'worth writing (dry run: none written)' if dry else 'written'}",
    ]
    if refused:
        parts.append(f"{refused} refused")
    if declined:
        parts.append(f"{declined} declined")
    if failed:
        parts.append(f"{failed} failed")
    if reasons:
        why = ", ".join(reason if len(reasons) == 1 else f"{count} {reason}" for reason, count in reasons.most_common())
        parts.append(f"{reasons.total()} skipped ({why})")
    return ", ".join(parts)


def ended_with(reports: Sequence[Row]) -> int:
    """The exit code of a review: 0, or what the last failed turn failed of: 5 a model, 4 anything else."""
    failed = [row for report in reports for row in rows(report, "reviews") if text(row, "outcome") == "failed"]
    if not failed:
        return 0
    return 5 if text(failed[-1], "code") == Code.MODEL_UNAVAILABLE else 4


def turn_name(review: Row) -> str:
    """How a turn is called on the page: its ordinal."""
    return f"Turn {number(members(review, 'turn'), 'ordinal')}"


def print_worth(page: Page, report: Row, at_most: int) -> int:
    """The memories of a whole session with their reasons, newest turn first; returns how many were shown."""
    found = [(review, written) for review in rows(report, "reviews") for written in rows(review, "written")]
    for review, written in reversed(found[-at_most:]):
        print_written(page, written, why=_why(review, written))
    if len(found) > at_most:
        page.line((f"  and {len(found) - at_most} more", "dim"))
    return min(len(found), at_most)


def print_review(page: Page, review: Row, titles: Mapping[str, str]) -> None:
    """One turn that did something."""
    page.line((turn_name(review), "bold"), *_title(review, titles), *_again(review))
    for written in rows(review, "written"):
        print_written(page, written, why=_why(review, written))
    for refused in rows(review, "refused"):
        _refused(page, refused)
    for known in _with(review, "existing-sufficient"):
        reason = _reason(known)
        told = reason if reason.startswith(KNOWN) else f"{KNOWN}: {reason}"
        page.line("  = ", (text(known, "label"), "bold"), (f"  {told}", "dim"), hang=6)


def print_written(page: Page, written: Row, *, why: str) -> None:
    """One memory: name, type, state; then its handles, other values, and the reason."""
    name = text(written, "prototype")
    augmented = " (added to it)" if text(written, "action") == "augmented" else ""
    kind = ", ".join(texts(written, "bases"))
    state = text(written, "modality")
    spans: list[Span] = ["  + ", (name, "bold green"), f"  {kind}" if kind else ""]
    spans += [(f", {state}", STATE_STYLE.get(state, "green"))] if state else []
    page.line(*spans, (augmented, "dim"), hang=6)
    values = _values(written)
    column = min(max((len(label) for label, _ in (*values, ("why", ""))), default=3), 24)
    for label, value in values:
        page.line((f"{label:<{column}}", "cyan"), f"  {value}", indent=6, hang=8 + column)
    if why:
        page.line((f"{'why':<{column}}  {why}", "dim"), indent=6, hang=8 + column)


def _values(written: Row) -> list[tuple[str, str]]:
    handles = {text(handle, "property"): text(handle, "value") for handle in rows(written, "handles")}
    properties = members(written, "properties")
    others = {name: str(value) for name, value in properties.items() if name not in handles and name not in HIDDEN}
    aliases = str(properties.get("Aliases") or "")
    also = {"also called": aliases} if aliases else {}
    shown = [*handles.items(), *((name, excerpt(value, DETAIL)) for name, value in others.items())]
    return [*((_AT_TURN.sub(r"\1 now", name), value) for name, value in shown), *also.items()]


def _refused(page: Page, refused: Row) -> None:
    refusals = rows(refused, "refusals")
    codes = ", ".join(dict.fromkeys(text(refusal, "code") for refusal in refusals))
    page.line("  x ", (text(refused, "candidate"), "bold"), ("  refused: ", "red"), (codes, "red"), hang=6)
    for refusal in refusals[:3]:
        name, message = text(refusal, "property"), text(refusal, "message")
        place = f"{name}: " if name and not message.startswith(name) else ""
        page.line(f"{place}{message}", indent=6, hang=8)
        if text(refusal, "remedy"):
            page.line((f"to pass: {text(refusal, 'remedy')}", "dim"), indent=6, hang=8)


def _why(review: Row, written: Row) -> str:
    """The reason of the candidate that became this memory."""
    label = text(written, "candidate")
    return next((_reason(row) for row in rows(review, "candidates") if label and text(row, "label") == label), "")


def _reason(candidate: Row) -> str:
    return excerpt(text(candidate, "reason"), DETAIL)


def _with(review: Row, *dispositions: str) -> list[Row]:
    return [row for row in rows(review, "candidates") if text(row, "disposition") in dispositions]


def _note(review: Row) -> tuple[str, str] | None:
    """What to say of a turn in a few words, with a style, or None when there is more to tell."""
    match text(review, "outcome"):
        case "failed":
            return f"not reviewed: {text(review, 'reason') or 'it will be tried again'}", "red"
        case "declined":
            return f"not reviewed: {text(review, 'reason')}", "yellow"
        case _:
            loud = rows(review, "written") or rows(review, "refused") or _with(review, "existing-sufficient")
            return None if loud else ("nothing to remember", "dim")


def _fold(page: Page, group: list[Row], note: tuple[str, str], titles: Mapping[str, str]) -> None:
    """One line for a run of turns of which the same is to be said."""
    words, style = note
    if len(group) == 1:
        page.line((turn_name(group[0]), "bold"), *_title(group[0], titles), (f"  {words}", style))
        return
    first, last = (number(members(review, "turn"), "ordinal") for review in (group[0], group[-1]))
    page.line((f"Turns {first}-{last}", "bold"), (f"  {words}", style))


def _title(review: Row, titles: Mapping[str, str]) -> Iterable[Span]:
    said = excerpt(titles.get(text(members(review, "turn"), "key"), ""), TITLE)
    return (f'  "{said}"',) if said else ()


def _declined(report: Row) -> list[Row]:
    """Turns of a session that is none to be reviewed: a companion, a watcher, a subagent (R9-R12)."""
    return [review for review in rows(report, "reviews") if text(review, "outcome") == "declined"]


def _again(review: Row) -> Iterable[Span]:
    return (("  (reviewed before)", "dim"),) if review.get("already") is True else ()


def _count(number_of: int, one: str, many: str = "") -> str:
    return f"{number_of} {one if number_of == 1 else many or one + 's'}"
