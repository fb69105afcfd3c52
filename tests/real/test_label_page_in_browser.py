"""A person labels in a real browser: by mouse and by keys, in the light and in the dark, on a phone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium_pipe import NoBrowser, Tab, tab
from label_cases import NOTHING, Asking, desk_at, serving

from ferrule.wiring.labelling import LABELS

pytestmark = pytest.mark.real

AT = "Number(document.querySelector('#jump').value) ==="
WHY = "document.querySelector('[data-where=why] textarea')"
SAID = "document.querySelector('[data-role=user]').firstChild"
EXPECTED = ("422", "409")
"""What a browser says by itself about an answer that is a refusal."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    """One browser for the tests of this module."""
    try:
        with tab() as found:
            yield found
    except NoBrowser as none:
        pytest.skip(str(none))


@pytest.fixture
def page(browser: Tab, tmp_path: Path) -> Iterator[tuple[Tab, Asking]]:
    """The page, opened by its address; afterwards it has asked nobody else and complained of nothing."""
    browser.requests.clear()
    browser.complaints.clear()
    browser.looks(width=1280, height=900)
    with serving(desk_at(tmp_path)) as ask:
        browser.open(ask.server.url)
        browser.until("document.querySelector('article.outcome')")
        yield browser, ask
        assert {url for url in browser.requests if not url.startswith(ask.server.url)} <= {"about:blank"}
        assert [line for line in browser.complaints if not any(code in line for code in EXPECTED)] == []
        browser.open("about:blank")


def labels(folder: Path) -> list[dict[str, Any]]:
    """What was saved."""
    return [json.loads(line) for line in (folder / LABELS).read_text(encoding="utf-8").splitlines()]


def click(page: Tab, words: str) -> None:
    """Click the button with these words."""
    page.value(
        f"[...document.querySelectorAll('button')].find((b) => b.textContent.includes({json.dumps(words)})).click()"
    )


def test_a_label_is_made_by_clicks_and_its_faults_are_told(page: tuple[Tab, Asking], tmp_path: Path) -> None:
    """R89: from what the turn mentions to a saved line; the next turn comes by itself."""
    tab_, _ = page
    tab_.press("c")
    tab_.until("document.querySelector('.chip')")
    click(tab_, "src/tide.rs")
    tab_.until("document.querySelector('.entity .spots button')")
    tab_.press("Enter", ctrl=True)
    tab_.until("document.querySelector('#faults')?.innerText.includes('say in one sentence why')")
    tab_.value(f"{WHY}.focus()")
    tab_.type("The file carries it.")
    tab_.press("Enter", ctrl=True)
    tab_.until(f"{AT} 1")
    tab_.until("document.querySelector('#notice').innerText.startsWith('Saved.')")
    (label,) = labels(tmp_path)
    assert label["why"] == "The file carries it."
    assert label["entities"][0]["modality"] == "changed"
    assert {handle["role"] for handle in label["entities"][0]["handles"]} == {"outcome", "tool"}


def test_keys_alone_do_it(page: tuple[Tab, Asking], tmp_path: Path) -> None:
    """Nothing here, next, back, and the list of keys."""
    tab_, _ = page
    tab_.press("n")
    tab_.until(f"{AT} 1")
    tab_.press("j")
    tab_.until(f"{AT} 2")
    tab_.press("k")
    tab_.until(f"{AT} 1")
    tab_.press("?")
    tab_.until("document.querySelector('dialog').open")
    assert tab_.value("document.activeElement.closest('dialog') !== null")
    click(tab_, "Close")
    tab_.until("!document.querySelector('dialog').open")
    assert [label["expect"] for label in labels(tmp_path)] == ["nothing"]


def test_a_label_is_taken_away_again(page: tuple[Tab, Asking], tmp_path: Path) -> None:
    """By its button, and only when the person means it."""
    tab_, _ = page
    tab_.press("n")
    tab_.until(f"{AT} 1")
    tab_.press("k")
    tab_.until(f"{AT} 0")
    for answer in ("Stay", "Take it away"):
        click(tab_, "Take this label away")
        tab_.until("document.querySelector('dialog').open")
        assert len(labels(tmp_path)) == 1
        click(tab_, answer)
        tab_.until("!document.querySelector('dialog').open")
    tab_.until("document.querySelector('#notice').innerText === 'The label is taken away.'")
    assert labels(tmp_path) == []
    assert tab_.value("document.querySelector('#count').innerText") == "0 of 3 labelled"


def test_a_question_right_after_another_is_a_question_of_its_own(page: tuple[Tab, Asking], tmp_path: Path) -> None:
    """The first one's end, told by the browser a moment later, does not answer the second."""
    tab_, _ = page
    tab_.press("n")
    tab_.until(f"{AT} 1")
    tab_.press("k")
    tab_.until(f"{AT} 0")
    tab_.value(
        "((words) => words.forEach((word) => [...document.querySelectorAll('button')]"
        ".find((b) => b.textContent.includes(word)).click()))(['Take this', 'Stay', 'Take this'])"
    )
    click(tab_, "Take it away")
    tab_.until("document.querySelector('#notice').innerText === 'The label is taken away.'")
    assert labels(tmp_path) == []


def test_selected_text_becomes_forbidden(page: tuple[Tab, Asking]) -> None:
    """The value is what stands in the turn; and the browser asks before an unsaved label is left."""
    tab_, _ = page
    tab_.value(f"document.getSelection().setBaseAndExtent({SAID}, 5, {SAID}, 14)")
    tab_.until("document.querySelector('#picked').innerText.includes('Selected')")
    tab_.press("f")
    tab_.until("document.querySelector('[data-where=\"forbidden.0.value\"] textarea')")
    assert tab_.value("document.querySelector('[data-where=\"forbidden.0.value\"] textarea').value") == "the tide"
    tab_.value(f"{WHY}.focus()")
    assert tab_.value("document.title").startswith("1. unsaved")
    tab_.dialogs.clear()
    tab_.open("about:blank")
    assert tab_.dialogs == ["beforeunload"]


def test_what_looks_like_markup_is_shown_as_text(page: tuple[Tab, Asking]) -> None:
    """R94: of a turn's words, a call's arguments and its result nothing becomes an element."""
    tab_, _ = page
    tab_.value("document.querySelector('#jump').value = '2'")
    tab_.value("document.querySelector('#jump').dispatchEvent(new Event('change'))")
    tab_.until("document.querySelector('[data-role=user]')?.innerText.includes('<script>')")
    tab_.value("document.querySelector('#turn details').open = true")
    tab_.until("document.querySelectorAll('#turn pre').length === 2")
    tab_.press("c")
    tab_.until("document.querySelector('#offers, #form .empty')")
    assert tab_.value("document.querySelectorAll('img, main script, iframe').length") == 0
    assert "broken" not in tab_.value("document.title")


def test_a_save_on_top_of_anothers_is_asked_about(page: tuple[Tab, Asking], tmp_path: Path) -> None:
    """R89: the other label stays unless the person says so."""
    tab_, ask = page
    assert ask.post("api/save", {"n": 0, "revision": "", "draft": NOTHING})[0] == 200
    tab_.press("n")
    tab_.until("document.querySelector('dialog').open")
    click(tab_, "Show that label")
    tab_.until(f"{WHY}.value === {json.dumps(NOTHING['why'])}")
    assert labels(tmp_path)[0]["why"] == NOTHING["why"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 820, 1280])
def test_it_fits_and_can_be_read(page: tuple[Tab, Asking], scheme: str, width: int) -> None:
    """Nothing sticks out sideways, ink and paper differ enough, every control has a name."""
    tab_, _ = page
    tab_.looks(width=width, height=800, scheme=scheme)
    tab_.press("c")
    tab_.until("document.querySelector('.chip')")
    click(tab_, "src/tide.rs")
    tab_.until("document.querySelector('.entity')")
    assert tab_.value("document.documentElement.scrollWidth") <= width
    assert tab_.value(CONTRAST) >= 7.0
    assert tab_.value(NAMELESS) == []


CONTRAST = """(() => {
  const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number).map((part) => part / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const style = getComputedStyle(document.body);
  const [high, low] = [light(style.color), light(style.backgroundColor)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
})()"""
NAMELESS = """[...document.querySelectorAll("button, input, select, textarea")]
  .filter((each) => !(each.textContent.trim() && each.tagName === "BUTTON") && !each.getAttribute("aria-label")
    && !each.labels?.length).map((each) => each.outerHTML)"""


def test_the_end_is_told_and_nothing_more_can_be_asked(page: tuple[Tab, Asking]) -> None:
    """R89: a person sees that the server is gone."""
    tab_, _ = page
    click(tab_, "End")
    tab_.until("document.querySelector('#notice').innerText.startsWith('Ended: 0 of 3')")
    assert tab_.value("[...document.querySelectorAll('button')].every((each) => each.disabled)")
