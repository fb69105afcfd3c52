"""`ferrule sessions list|show|archive|unarchive`: the sessions that a home knows (R1, R98).

Owns the commands' words and output. Knows nothing of stores.
"""

import shlex
from argparse import Namespace

from ferrule.errors import Code, UsageError
from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page, Span
from ferrule.interfaces.cli.visible import excerpt
from ferrule.interfaces.cli.wording import counted
from ferrule.wiring.sessions import Archiving, SessionFacts, SessionRow, TurnRow, archived, facts_of, overview

__all__ = ["run_archive", "run_list", "run_show", "run_unarchive"]

TITLE = 48
SAID = 56
REASON = 100
LABEL = 9
STYLE = {"wrote": "green", "nothing": "dim", "parked": "red", "waiting": "yellow", "claimed": "yellow"}
WORDS = {
    "nothing": "nothing to remember",
    "parked": "given up",
    "claimed": "being reviewed",
    "text gone": "not reviewed",
}


def run_list(arguments: Namespace) -> int:
    """List sessions, newest first, with the numbers of their turns and memories."""
    with opened(arguments, make=False) as home:
        found = overview(home, hidden=arguments.hidden)
    if arguments.json:
        print_json(*map(_row_json, found))
        return 0
    page = Page()
    if not found:
        page.line("No session yet. Start with: ferrule try, or ferrule review FILE")
        return 0
    page.table(
        ("Session", "Turns", "Memories", "Folder", "Title", "State"),
        [
            (
                (row.session.key, "bold"),
                str(row.turns),
                str(row.memories),
                row.session.cwd or "",
                excerpt(row.session.title, TITLE),
                ", ".join(_marks(row)),
            )
            for row in found
        ],
    )
    return 0


def run_show(arguments: Namespace) -> int:
    """Show one session: profile, parent, lineage, companion, and what became of its newest turns.

    Raises:
        UsageError: no such session, or a limit that is none.
    """
    if arguments.limit < 1:
        raise UsageError("--limit is a number from 1", code=Code.BAD_TOOL_ARGS)
    with opened(arguments, make=False) as home:
        found = facts_of(home, arguments.session, hidden=arguments.hidden, limit=arguments.limit)
    if arguments.json:
        print_json(_facts_json(found))
        return 0
    _show(Page(), found)
    return 0


def run_archive(arguments: Namespace) -> int:
    """Archive a session: nothing of it is reviewed until it is brought back; its memory stays."""
    return _archive(arguments, archive=True)


def run_unarchive(arguments: Namespace) -> int:
    """Bring an archived session back: what waited is reviewed now."""
    return _archive(arguments, archive=False)


def _archive(arguments: Namespace, *, archive: bool) -> int:
    with opened(arguments, make=False) as home:
        done = archived(home, arguments.session, archive=archive)
    if arguments.json:
        print_json(
            {
                "session": done.session.key,
                "archived": archive,
                "changed": done.changed,
                "waiting": done.waiting,
            }
        )
        return 0
    Page().line(_archive_words(done, archive=archive))
    return 0


def _archive_words(done: Archiving, *, archive: bool) -> str:
    key = done.session.key
    if not done.changed:
        return f"{key} is {'archived already' if archive else 'not archived'}."
    waiting = counted(done.waiting, "waiting turn")
    if archive:
        rest = f"; {waiting} will rest as long" if done.waiting else ""
        back = f"ferrule sessions unarchive {shlex.quote(key)}"
        return f"Archived: {key}. Nothing of it is reviewed until `{back}`{rest}. Its memory stays."
    again = f" {waiting} can be reviewed again." if done.waiting else ""
    return f"Brought back: {key}.{again}"


def _marks(row: SessionRow) -> list[str]:
    return [word for word, holds in (("archived", row.session.archived), ("hidden", row.session.hidden)) if holds]


def _show(page: Page, found: SessionFacts) -> None:
    session = found.session
    page.line((session.key, "bold"), f"  {excerpt(session.title, TITLE)}" if session.title else "")
    for label, value in _facts(found):
        if value:
            page.line((f"{label:<{LABEL}}", "cyan"), f"  {value}", indent=2, hang=4 + LABEL)
    if not found.turns:
        page.line(("No turn of it is stored.", "dim"), indent=2)
        return
    page.blank()
    if len(found.shown) < found.turns:
        page.line((f"the newest {len(found.shown)} of {found.turns:,} turns; more: --limit N", "dim"), indent=2)
    for row in found.shown:
        page.line(*_turn(row), indent=2, hang=8)


def _facts(found: SessionFacts) -> list[tuple[str, str]]:
    session = found.session
    return [
        ("profile", _profile(found)),
        ("parent", session.parent or ""),
        ("lineage", ", ".join(found.kin)),
        ("companion", found.companion.key if found.companion else ""),
        ("client", session.client),
        ("folder", session.cwd or ""),
        ("state", "archived: nothing of it is reviewed" if session.archived else "hidden" if session.hidden else ""),
        ("memories", f"{found.memories:,}" if found.memories or not session.hidden else ""),
        ("why", f"ferrule explain {shlex.quote(session.key)}" if found.memories else ""),
    ]


def _profile(found: SessionFacts) -> str:
    """The profile's name, and what is known of it."""
    known = found.profile
    told = "" if known is None else ", ".join(filter(None, (known.display, "hidden" if known.hidden else "")))
    return f"{found.session.profile or 'none'}{f' ({told})' if told else ''}"


def _turn(row: TurnRow) -> list[Span]:
    said = excerpt(row.said, SAID)
    reason = excerpt(row.reason, REASON) if row.state not in {"wrote", "nothing"} else ""
    state = WORDS.get(row.state, row.state)
    return [
        (f"{row.ordinal:>4}  ", "bold"),
        (state, STYLE.get(row.state, "")),
        (f": {reason}" if reason else "", "red"),
        f'  "{said}"' if said else ("  (text past its retention)", "dim"),
    ]


def _row_json(row: SessionRow) -> dict[str, object]:
    session = row.session
    return {
        "session": session.key,
        "client": session.client,
        "title": session.title,
        "cwd": session.cwd,
        "turns": row.turns,
        "memories": row.memories,
        "profile": session.profile,
        "parent": session.parent,
        "hidden": session.hidden,
        "archived": session.archived,
    }


def _facts_json(found: SessionFacts) -> dict[str, object]:
    session = found.session
    return {
        **_row_json(SessionRow(session, found.turns, found.memories)),
        "profile_name": found.profile.display if found.profile else None,
        "lineage": session.lineage,
        "kin": list(found.kin),
        "companion": found.companion.key if found.companion else None,
        "repository": session.repository,
        "shown": [
            {"turn": row.key, "ordinal": row.ordinal, "state": row.state, "reason": row.reason} for row in found.shown
        ],
    }
