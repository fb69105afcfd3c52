"""`ferrule explain`: why something was, or was not, remembered (R95).

Owns the command's words and output. Knows nothing of how it was decided.
"""

import json
from argparse import Namespace

from ferrule.interfaces.cli.command import opened
from ferrule.interfaces.cli.output import print_json
from ferrule.interfaces.cli.page import Page
from ferrule.interfaces.cli.report import print_review, turn_name
from ferrule.interfaces.cli.rows import Row, rows, text, texts
from ferrule.interfaces.cli.visible import excerpt
from ferrule.wiring.explaining import reviews_of

__all__ = ["run_explain"]

EXCERPT = 160
NOT_SEEN = "Nothing like {!r} was looked at: no turn says it in a way that carries a handle."
NAMES = 80


def run_explain(arguments: Namespace) -> int:
    """Every candidate of a turn with its disposition, reason and evidence; refusals with remedies; searches.

    Raises:
        UsageError: no such session, or no such reviewed turn.
    """
    with opened(arguments, make=False) as home:
        found = reviews_of(home, arguments.source, arguments.turn)
    words = (arguments.about or "").casefold()
    reviews = [_about(review, words) for review in found.reviews] if words else list(found.reviews)
    reviews = [review for review in reviews if not words or rows(review, "candidates")]
    if arguments.json:
        print_json(*({"session": found.session, **review} for review in reviews))
        return 0
    page = Page()
    page.line((found.session, "bold"))
    for review in reviews:
        print_review(page, review, found.titles)
        _candidates(page, review)
        _searches(page, review)
        page.blank()
    if not reviews:
        page.line(NOT_SEEN.format(arguments.about) if found.reviews else "No turn of it was reviewed yet.")
    return 0


def _about(review: Row, words: str) -> Row:
    """The review with nothing in it but the candidates that carry the words, and what became of them."""
    kept = [row for row in rows(review, "candidates") if words in json.dumps(row, ensure_ascii=False).casefold()]
    labels = {text(row, "label") for row in kept}
    others = {
        name: [row for row in rows(review, name) if text(row, "candidate") in labels]
        for name in ("written", "refused", "calls")
    }
    return {**review, "candidates": kept, **others}


def _candidates(page: Page, review: Row) -> None:
    found = rows(review, "candidates")
    if not found:
        page.line((f"{turn_name(review)}: there was nothing in it that could have been remembered.", "dim"), indent=2)
        return
    page.line((f"{len(found)} looked at:", "dim"), indent=2)
    for candidate in found:
        aliases = texts(candidate, "aliases")
        also = "  (" + excerpt(f"also {', '.join(aliases)}", NAMES) + ")" if aliases else ""
        page.line(
            (text(candidate, "label"), "bold"), also, (f"  {text(candidate, 'disposition')}", "cyan"), indent=4, hang=8
        )
        page.line(text(candidate, "reason"), indent=8, hang=8)
        said = [(text(row, "role"), excerpt(text(row, "excerpt"), EXCERPT)) for row in rows(candidate, "evidence")]
        for role, words in dict.fromkeys(said):
            page.line((f"{role:<11} ", "dim"), f'"{words}"', indent=8, hang=20)


def _searches(page: Page, review: Row) -> None:
    calls = [call for call in rows(review, "calls") if text(call, "tool") == "search"]
    if not calls:
        return
    failed = sum(call.get("ok") is False for call in calls)
    asked = ", ".join(dict.fromkeys(text(call, "candidate") for call in calls if text(call, "candidate")))
    page.line(
        (f"{len(calls)} searches were executed{f', {failed} failed' if failed else ''}", "dim"),
        (f" for: {asked}" if asked else "", "dim"),
        indent=2,
        hang=4,
    )
