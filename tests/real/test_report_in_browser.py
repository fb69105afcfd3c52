"""The page of a run in a real browser: its filters work, nothing is asked of anybody, and it can be read."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_pipe import Browser, NoBrowser, browser
from report_cases import a_run, hostile_run

from ferrule.evaluation.report.page import page_of

pytestmark = pytest.mark.real

_SHOWN = "[...document.querySelectorAll('details.case')].filter((c) => !c.hidden).length"
_CHOOSE = """(([name, value]) => {
  const field = document.getElementById('filter-' + name);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
})(%s)"""
# Contrast as WCAG 2 computes it, of every element that has text of its own, against the first ground behind it.
_CONTRAST = """(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = rgb(getComputedStyle(at).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255];
  };
  document.querySelectorAll('details').forEach((element) => { element.open = true; });
  const poor = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ink = rgb(element.closest('svg') ? style.fill : style.color);
    const [high, low] = [light(ink), light(ground(element))].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) poor.push(`${element.tagName}.${element.getAttribute('class')} ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
})()"""
# What a machine can check of names: fields, buttons, drawings, summaries, regions.
_NAMELESS = """[...document.querySelectorAll('select, input, button, svg, summary, section, nav, [role=region], form')]
  .filter((e) => !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.textContent.trim()
    && !document.getElementById(e.getAttribute('aria-labelledby')))
  .map((e) => e.outerHTML.slice(0, 80))"""
_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def page() -> Iterator[Browser]:
    """A browser; skipped where there is none."""
    try:
        with browser() as found:
            yield found
    except NoBrowser as absent:
        pytest.skip(str(absent))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run, in a file."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page_of(a_run()).html, encoding="utf-8")
    return path


def choose(page: Browser, name: str, value: str) -> int:
    """Set a field of the filter; how many cases are shown then."""
    page.run(_CHOOSE % json.dumps([name, value]))
    return int(page.run(_SHOWN))


def test_the_filters_work_together_and_are_undone(page: Browser, report: Path) -> None:
    """By fault, lane, type and text; the count is told."""
    page.show(report)
    every = int(page.run(_SHOWN))
    assert every > 15
    assert page.run("document.getElementById('filter').hidden") is False
    forbidden = choose(page, "fault", "forbidden")
    assert 0 < forbidden < every
    assert choose(page, "lane", "0") == 0
    assert choose(page, "lane", "1") == forbidden
    assert choose(page, "text", "SRC/F12.PY") == 1
    assert page.run("document.getElementById('filter-count').textContent") == f"1 of {every} turns shown"
    page.run("new Promise((done) => { document.querySelector('#filter [type=reset]').click(); setTimeout(done, 50); })")
    assert page.run(_SHOWN) == every
    subject = page.run("[...document.querySelectorAll('#filter-subject option')].at(-1).value")
    assert 0 < choose(page, "subject", str(subject)) < every
    assert page.complaints() == []


def test_an_anchor_opens_its_card_also_when_a_filter_hides_it(page: Browser, report: Path) -> None:
    """From the list by fault, from disagreements, or from an address that somebody was sent."""
    page.show(report, "#case-13")
    assert page.run("document.getElementById('case-13').open") is True
    choose(page, "text", "no such words anywhere")
    assert page.run(_SHOWN) == 0
    page.run(
        "new Promise((done) => { addEventListener('hashchange', () => setTimeout(done)); location.hash = '#case-2'; })"
    )
    assert page.run("document.getElementById('case-2').open && !document.getElementById('case-2').hidden") is True


@pytest.mark.parametrize("hostile", [False, True])
def test_it_asks_nobody_and_complains_of_nothing(page: Browser, tmp_path: Path, hostile: bool) -> None:  # noqa: FBT001
    """R94: only the file itself is read, whatever the turns say; no script of theirs ever runs."""
    path = tmp_path / "report.html"
    path.write_text(page_of(hostile_run() if hostile else a_run()).html, encoding="utf-8")
    page.show(path)
    assert page.requests() == [path.as_uri()]
    assert page.complaints() == []
    assert (
        page.run("document.scripts.length + document.querySelectorAll('[onmouseover], iframe, img, link').length") == 1
    )
    added = (
        "document.body.appendChild(Object.assign(document.createElement('script'), {textContent: 'window.bad = 1'}))"
    )
    page.run(f"{added}; 0")
    assert page.run("typeof window.bad") == "undefined"  # the policy holds for whatever comes in by another way


@pytest.mark.parametrize("dark", [False, True])
def test_texts_stand_out_from_their_ground(page: Browser, report: Path, dark: bool) -> None:  # noqa: FBT001
    """At least 4.5 to 1, by light and dark."""
    page.screen(1200, 900, dark=dark)
    page.show(report)
    assert page.run(_CONTRAST) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1200])
def test_nothing_sticks_out_of_a_screen_of_any_width(page: Browser, report: Path, width: int) -> None:
    """Wide tables scroll by themselves; also with every card open and hostile words in it."""
    path = report.with_name("hostile.html")
    path.write_text(page_of(hostile_run()).html, encoding="utf-8")
    page.screen(width, 800)
    for file in (report, path):
        page.show(file)
        page.run("document.querySelectorAll('details').forEach((element) => { element.open = true; })")
        assert page.run(_WIDE) <= 0


def test_everything_that_can_be_reached_has_a_name(page: Browser, report: Path) -> None:
    """Fields, buttons, drawings, regions; the first thing that Tab reaches leads past the links."""
    page.screen(1200, 900)
    page.show(report)
    assert page.run(_NAMELESS) == []
    for kind in ("rawKeyDown", "keyUp"):
        page.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert page.run("document.activeElement.className") == "skip"


def test_on_paper_figures_are_whole_and_the_filter_is_gone(page: Browser, report: Path) -> None:
    """Light, whatever the screen is."""
    page.screen(800, 1000, dark=True, media="print")
    page.show(report)
    assert page.run("getComputedStyle(document.getElementById('filter')).display") == "none"
    assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.run("document.getElementById('figures').checkVisibility()") is True
    assert len(page.ask("Page.printToPDF")["data"]) > 10_000
