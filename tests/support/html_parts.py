"""A page taken apart by the standard parser, which must find every element closed where it should be.

Owns the parts and the check of nesting. Knows nothing of what the page should hold.
"""

from dataclasses import dataclass, field
from html.parser import HTMLParser

__all__ = ["Element", "parts_of"]

_VOID = frozenset({"meta", "input", "br", "link", "img", "hr"})


@dataclass(slots=True)
class Element:
    """One element: its tag, attributes and text, everything inside included."""

    tag: str
    attributes: dict[str, str]
    within: tuple[str, ...]
    text: str = ""


@dataclass(slots=True)
class _Parts(HTMLParser):
    found: list[Element] = field(default_factory=list)
    opened: list[Element] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self, convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        within = tuple(element.tag for element in self.opened)
        element = Element(tag, {name: value or "" for name, value in attrs}, within)
        if len(element.attributes) != len(attrs):
            self.odd.append(f"an attribute twice in {tag}")
        self.found.append(element)
        if tag not in _VOID:
            self.opened.append(element)

    def handle_endtag(self, tag: str) -> None:
        if not self.opened or self.opened[-1].tag != tag:
            self.odd.append(f"</{tag}> after {[element.tag for element in self.opened[-3:]]}")
        else:
            self.opened.pop()

    def handle_data(self, data: str) -> None:
        for element in self.opened:
            element.text += data

    def handle_comment(self, data: str) -> None:
        self.odd.append(f"comment {data[:40]}")

    def handle_pi(self, data: str) -> None:
        self.odd.append(f"instruction {data[:40]}")

    def unknown_decl(self, data: str) -> None:
        self.odd.append(f"declaration {data[:40]}")


def parts_of(page: str) -> list[Element]:
    """Every element in order; fails where one is not closed, or something stands there that is no element."""
    parser = _Parts()
    parser.feed(page)
    parser.close()
    assert not parser.odd, parser.odd[:5]
    assert not parser.opened, [element.tag for element in parser.opened]
    return parser.found
