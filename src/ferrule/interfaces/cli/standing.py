"""`ferrule status`: one source or all of them, what their companions did last, and what to do next.

Owns the command's words and output. Knows nothing of stores or workers.
"""

import shlex
from argparse import Namespace
from datetime import UTC, datetime

from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page, Span
from ferrule.interfaces.cli.visible import excerpt
from ferrule.interfaces.cli.wording import ago, counted, share, within
from ferrule.session.events import StoredEvent
from ferrule.wiring.standing import AttachmentState, HomeStanding, Standing, WorkerStanding, standing

__all__ = ["run_status"]

REASON = 200
SHORT_REASON = 48
TITLE = 32
LABEL = 11
NO_SESSION = "No session yet. Start with: ferrule try, or ferrule review FILE"
STATE_STYLE = {
    AttachmentState.ATTACHED: "green",
    AttachmentState.EXPIRED: "yellow",
    AttachmentState.DETACHED: "yellow",
    AttachmentState.NEVER: "dim",
}


def run_status(arguments: Namespace) -> int:
    """Show one source with everything that is known of it, or all of them in a table.

    Raises:
        UsageError: no such session, or no home yet.
    """
    with opened(arguments, make=False) as home:
        found = standing(home, None if arguments.all else arguments.source)
    if arguments.json:
        rows = (_json(row, found) for row in found.sources)
        last: dict[str, object] = {"worker": _worker_json(found.worker)}
        print_json(*rows, last | {"detector": found.detector} if found.detector else last)
        return 0
    page = Page()
    if not found.sources:
        page.line(NO_SESSION)
    elif arguments.all:
        _table(page, found)
    else:
        _show(page, found.sources[0], found)
    if found.detector:
        told = (f"texts are scrubbed by Ferrule's own rules alone: {found.detector}", "yellow")
        page.line((f"{'secrets':<{LABEL}}", "cyan"), "  ", told, indent=2, hang=4 + LABEL)
    return 0


def _show(page: Page, row: Standing, found: HomeStanding) -> None:
    title = excerpt(row.session.title, TITLE)
    page.line(
        (row.session.key, "bold"), f"  {row.session.cwd}" if row.session.cwd else "", f"  {title}" if title else ""
    )
    off = found.off.get(row.session.key)
    if off is not None:
        page.line(
            (f"{'capture':<{LABEL}}", "cyan"), "  ", (f"none any more: {off}", "yellow"), indent=2, hang=4 + LABEL
        )
    for label, spans in _facts(row, found.at):
        page.line((f"{label:<{LABEL}}", "cyan"), "  ", *spans, indent=2, hang=4 + LABEL)
    page.line((f"{'worker':<{LABEL}}", "cyan"), "  ", _worker_words(found.worker, found.at), indent=2, hang=4 + LABEL)
    page.line((f"{'next':<{LABEL}}", "dim"), "  ", (_next(row, found), "dim"), indent=2, hang=4 + LABEL)


def _facts(row: Standing, now: float) -> list[tuple[str, list[Span]]]:
    lane = row.lane
    facts: list[tuple[str, list[Span]]] = [
        ("companion", _attached(row, now)),
        ("reviewer", [_reviewer(row)]),
        ("reviewed", _reviewed(row)),
    ]
    if lane.last_turn:
        when = _when(lane.last_at, now)
        facts.append(("last", [f"turn {lane.last_ordinal}: {lane.last_outcome}{f', {when}' if when else ''}"]))
    if lane.reviewing:
        by = f" (worker {lane.holder})" if lane.holder else ""
        facts.append(("reviewing", [f"turn {row.reviewing or lane.reviewing}{by}"]))
    facts.append(("waiting", _waiting(row, now)))
    if lane.parked:
        facts.append(("given up", [(f"{counted(lane.parked, 'turn')}, after too many attempts", "red")]))
    if lane.last_error:
        where = f"turn {row.failed or lane.last_error_turn}: " if lane.last_error_turn else ""
        facts.append(("last error", [(f"{where}{excerpt(lane.last_error, REASON)}", "red")]))
    if row.stuck:
        facts.append(("events", _stuck(row)))
    return facts


def _stuck(row: Standing) -> list[Span]:
    """Events that came before their turn's text, and those whose turn never came, by the newest one's reason."""
    ended = [event for event in row.stuck if event.outcome]
    waiting = len(row.stuck) - len(ended)
    words: list[Span] = [f"{counted(waiting, 'event')} waiting to be dispatched" if waiting else ""]
    if ended:
        told = f"{'; ' if waiting else ''}{counted(len(ended), 'event')} came to nothing, the newest: "
        words.append((told + excerpt(ended[0].reason, REASON), "yellow"))
    return words


def _attached(row: Standing, now: float) -> list[Span]:
    words = "never attached" if row.attachment is AttachmentState.NEVER else row.attachment.value
    state: Span = (words, STATE_STYLE[row.attachment])
    subscription = row.subscription
    more = ""
    if subscription is not None and row.attachment is AttachmentState.ATTACHED:
        more = f", events come by {subscription.delivery.value}, from turn {subscription.first_ordinal} on"
        if subscription.expires is not None:
            more += f", for {within(subscription.expires - now).removeprefix('in ')} more"
    elif subscription is not None and subscription.expires is not None and row.attachment is AttachmentState.EXPIRED:
        more = f" {ago(now - subscription.expires)}"
    return [state, more, (f"; not reviewed: {_why_not(row)}", "yellow") if row.declined else ""]


def _why_not(row: Standing) -> str:
    """The sentence behind the kind of reason."""
    return row.declined.partition(": ")[2] or row.declined


def _reviewer(row: Standing) -> str:
    if row.companion is None:
        return "embedded"
    chosen = (row.companion.provider, row.companion.model, row.companion.reasoning)
    more = " ".join(part for part in chosen if part)
    return f"{row.companion.reviewer}{f' ({more})' if more else ''}"


def _reviewed(row: Standing) -> list[Span]:
    if not row.turns:
        return ["no turn is stored"]
    done = row.caught_up == 1
    state: Span = (
        f" ({share(row.caught_up)}, {'caught up' if done else 'not caught up'})",
        "green" if done else "yellow",
    )
    return [f"{row.reviewed:,} of {counted(row.turns, 'stored turn')}", state]


def _waiting(row: Standing, now: float) -> list[Span]:
    lane = row.lane
    if not lane.waiting:
        return ["none", (", paused", "yellow") if lane.paused else ""]
    words = counted(lane.waiting, "turn")
    if lane.paused:
        return [words, (", paused", "yellow")]
    if lane.due is None:
        return [words, (", resting", "yellow")]
    return [words, "" if lane.reviewing else f", due {within(lane.due - now)}"]


def _next(row: Standing, found: HomeStanding) -> str:
    """The one thing to do next; every state has one, the first that applies counts."""
    key, lane, off = shlex.quote(row.session.key), row.lane, found.off.get(row.session.key)
    at_work = found.worker.running or bool(lane.reviewing)
    steps = (
        (row.session.archived, f"ferrule sessions unarchive {key}"),
        (
            row.session.hidden,
            f"ferrule status {shlex.quote(row.session.parent or '')} shows the session that it reviews",
        ),
        (off is not None, f"ferrule on {shlex.quote(row.session.cwd or '')} lets its next turns be captured again"),
        (bool(row.declined), "nothing: such a session is not reviewed"),
        (not row.turns, "nothing to review yet: bring turns in with ferrule review FILE"),
        (lane.paused, f"ferrule resume {key}"),
        (lane.parked > 0, f"ferrule resume {key} --parked tries again what was given up"),
        (lane.waiting > 0 and at_work, "nothing: what waits is reviewed when it is due"),
        (lane.waiting > 0, "nobody looks at what waits until another turn comes; here and now: ferrule worker"),
        (row.attachment is not AttachmentState.ATTACHED, f"ferrule attach {key} reviews its next turns"),
        (row.caught_up < 1, f"ferrule catch-up {key} reviews the older turns"),
    )
    return next((words for applies, words in steps if applies), "nothing: the next turns are reviewed as they come")


def _table(page: Page, found: HomeStanding) -> None:
    columns = ("Session", "Companion", "Reviewed", "Waiting", "Given up", "Last", "Last error", "Title")
    page.table(columns, [_row(row, found.at, off=row.session.key in found.off) for row in found.sources])
    page.blank()
    rows = found.sources
    attached = sum(row.attachment is AttachmentState.ATTACHED for row in rows)
    reviewed, turns = sum(row.reviewed for row in rows), sum(row.turns for row in rows)
    waiting, parked = sum(row.lane.waiting for row in rows), sum(row.lane.parked for row in rows)
    page.line(
        (f"{counted(len(rows), 'session')}, {attached} attached", "bold"),
        f"; {reviewed:,} of {counted(turns, 'turn')} reviewed, {waiting} waiting, {parked} given up",
    )
    page.line("worker: ", _worker_words(found.worker, found.at))


def _row(row: Standing, now: float, *, off: bool) -> list[Span]:
    lane = row.lane
    state = "archived" if row.session.archived else row.attachment.value
    state = f"{state}{', paused' if lane.paused else ''}{', off' if off else ''}"
    last = f"turn {lane.last_ordinal} {lane.last_outcome}, {_when(lane.last_at, now)}" if lane.last_turn else ""
    return [
        (row.session.key, "bold"),
        (state, STATE_STYLE[row.attachment]),
        f"{row.reviewed}/{row.turns} {share(row.caught_up)}" if row.turns else "",
        str(lane.waiting) if lane.waiting else "",
        (str(lane.parked) if lane.parked else "", "red"),
        last,
        (excerpt(lane.last_error, SHORT_REASON), "red"),
        excerpt(row.session.title, TITLE),
    ]


def _when(at: str, now: float) -> str:
    try:
        return ago(now - datetime.fromisoformat(at).timestamp()) if at else ""
    except ValueError:
        return at


def _worker_words(worker: WorkerStanding, now: float) -> Span:
    if worker.trouble:
        return (excerpt(worker.trouble, REASON), "red")
    if not worker.running:
        return "none runs; one starts by itself when a turn is queued"
    since = f" since {ago(now - worker.since).removesuffix(' ago')}" if worker.since else ""
    process = f" (process {worker.pid})" if worker.pid else ""
    return f"running{since}{process}{f', {excerpt(worker.doing, REASON)}' if worker.doing else ''}"


def _worker_json(worker: WorkerStanding) -> dict[str, object]:
    return {
        "running": worker.running,
        "pid": worker.pid or None,
        "since": _utc(worker.since) if worker.since else None,
        "version": worker.version,
        "doing": worker.doing,
        "trouble": worker.trouble,
    }


def _json(row: Standing, found: HomeStanding) -> dict[str, object]:
    lane, order, companion = row.lane, row.subscription, row.companion
    return {
        "session": row.session.key,
        "profile": row.session.profile,
        "archived": row.session.archived,
        "declined": row.declined,
        "attachment": row.attachment.value,
        "attached": row.attachment is AttachmentState.ATTACHED,
        "delivery": order.delivery.value if order else "",
        "first_ordinal": order.first_ordinal if order else None,
        "expires": _utc(order.expires) if order else None,
        "companion": companion.key if companion else "",
        "reviewer": companion.reviewer if companion else "",
        "provider": companion.provider if companion else "",
        "model": companion.model if companion else "",
        "reasoning": companion.reasoning if companion else "",
        "turns": row.turns,
        "reviewed": row.reviewed,
        "caught_up": round(row.caught_up, 4),
        "waiting": lane.waiting,
        "parked": lane.parked,
        "paused": lane.paused,
        "reviewing": lane.reviewing,
        "holder": lane.holder,
        "due": _utc(lane.due),
        "due_seconds": None if lane.due is None else round(max(0.0, lane.due - found.at), 1),
        "last": {
            "turn": lane.last_turn,
            "ordinal": lane.last_ordinal,
            "outcome": lane.last_outcome,
            "at": lane.last_at,
        }
        if lane.last_turn
        else None,
        "last_error": {"turn": lane.last_error_turn, "reason": lane.last_error} if lane.last_error else None,
        "events": [_event_json(event) for event in row.stuck],
        "off": found.off.get(row.session.key),
        "next": _next(row, found),
    }


def _event_json(event: StoredEvent) -> dict[str, object]:
    return {
        "event": event.envelope.id,
        "turn": event.envelope.turn,
        "state": event.state.value,
        "outcome": event.outcome or None,
        "code": event.code or None,
        "reason": event.reason,
        "attempts": event.attempts,
    }


def _utc(seconds: float | None) -> str | None:
    """A time as programs read it; one beyond the calendar, as "never" may be written, is none."""
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return None
