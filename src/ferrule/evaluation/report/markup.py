"""Markup is built of escaped texts and closed elements only, so that nothing a turn says becomes markup.

Owns escaping, elements and tables, and how characters that could act on a reader's screen are made visible. Knows
nothing of what is shown.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["Cell", "Html", "joined", "listed", "prose", "section", "table", "tag", "void"]


class Html(str):
    """Markup that this module made; any other text is escaped where it meets markup."""

    __slots__ = ()


Cell = Html | str
Attribute = str | float | bool | None

# Controls but line feed and tab, DEL, soft hyphen, zero-width and bidi characters, line separators, surrogates, BOM,
# tags. Joiners are part of a word or emoji where they stand between two characters beyond ASCII.
_BESIDE = "[^\x00-\x7f\u200b-\u200f]"
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    f"\ufff9-\ufffb\U000e0000-\U000e007f]|(?<!{_BESIDE})[\u200c\u200d]|[\u200c\u200d](?!{_BESIDE})"
)
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:-]*")


def prose(text: str) -> Html:
    """A text as it can stand between tags or in a quoted attribute; U+202E and its like are written out."""
    return Html(escape(_UNSAFE.sub(_escaped, text.replace("\r\n", "\n")), quote=True))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


def joined(parts: Iterable[Cell | None], between: str = "") -> Html:
    """Parts one after the other; texts among them are escaped, None is left out."""
    found = [part if isinstance(part, Html) else prose(part) for part in parts if part is not None]
    return Html(prose(between).join(found))


def tag(name: str, /, *children: Cell | None, **attributes: Attribute) -> Html:
    """An element, closed; texts among the children are escaped.

    `class_` and `for_` lose their last underscore, inner ones become hyphens (`aria_label`). True stands for an
    attribute without value, None and False for none.
    """
    return Html(f"<{name}{_attributes(attributes)}>{joined(children)}</{name}>")


def void(name: str, /, **attributes: Attribute) -> Html:
    """An element that has no end tag, as `meta` and `input`."""
    return Html(f"<{name}{_attributes(attributes)}>")


def _attributes(attributes: dict[str, Attribute]) -> str:
    found = []
    for name, value in attributes.items():
        shown = name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if not _NAME.fullmatch(shown):
            raise ValueError(shown)
        found.append(f" {shown}" if value is True else f' {shown}="{prose(_worded(value))}"')
    return "".join(found)


def _worded(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def listed(items: Iterable[Cell], **attributes: Attribute) -> Html:
    """An unordered list."""
    return tag("ul", *(tag("li", item) for item in items), **attributes)


def section(name: str, title: str, *children: Cell | None) -> Html:
    """A landmark with its heading; `name` is its anchor."""
    heading = f"{name}-title"
    return tag("section", tag("h2", title, id=heading), *children, id=name, aria_labelledby=heading)


def table(caption: str, heads: Sequence[Cell], rows: Iterable[Sequence[Cell]], *, words: int = 1) -> Html:
    """A table that scrolls by itself where the screen is narrow; empty markup when it has no row.

    The first cell of a row is its head; the first `words` columns are text, the others figures.
    """
    made = [_row(cells, words) for cells in rows]
    if not made:
        return Html()
    head = tag("tr", *(tag("th", cell, scope="col", class_=_kind(at, words)) for at, cell in enumerate(heads)))
    whole = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *made))
    return tag("div", whole, class_="scroll", role="region", aria_label=caption, tabindex="0")


def _row(cells: Sequence[Cell], words: int) -> Html:
    first, *rest = cells
    found = [tag("th", first, scope="row")]
    found += [tag("td", cell, class_=_kind(at, words)) for at, cell in enumerate(rest, start=1)]
    return tag("tr", *found)


def _kind(at: int, words: int) -> str | None:
    return None if at < words else "n"
