"""The page of a run: whole by itself, inert whatever a turn says, the same bytes for the same run, of bounded size."""

import base64
import hashlib
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from html_parts import Element, parts_of
from report_cases import AMNESIA, HOSTILE, SEQUENCE, a_metrics, a_run, hostile_run

from ferrule.evaluation.report import style
from ferrule.evaluation.report.page import Run, page_of, values_wanted
from ferrule.evaluation.report.texts import TurnText, TurnTexts

ADDRESSED = frozenset({"href", "src", "action", "formaction", "data", "poster", "srcset", "xlink:href", "background"})


@pytest.fixture(scope="module")
def page() -> str:
    """A page with everything on it."""
    return page_of(a_run()).html


@pytest.fixture(scope="module")
def elements(page: str) -> list[Element]:
    """Its elements."""
    return parts_of(page)


@pytest.fixture(scope="module")
def hostile() -> str:
    """A page all of whose texts are hostile."""
    return page_of(hostile_run()).html


def of(elements: list[Element], tag: str) -> list[Element]:
    """Elements of one tag."""
    return [element for element in elements if element.tag == tag]


def test_it_tells_every_part_of_a_run(elements: list[Element]) -> None:
    """What was run, figures, breakdowns, thresholds, agreement, drift, cost, sessions, and the cases."""
    sections = {element.attributes["id"]: element.text for element in of(elements, "section")}
    assert list(sections) == [
        "run", "figures", "referents", "origins", "thresholds", "agreement", "drift", "cost", "sequence", "amnesia",
        "cases",
    ]  # fmt: skip
    for name, words in {
        "run": "/w/turns.jsonl",
        "figures": "not met",
        "referents": "SourceFile",
        "origins": "repo1",
        "thresholds": "nested: best F1",
        "agreement": "careful less rash",
        "drift": "/w/then",
        "cost": "CPU outside a model",
        "sequence": "A beside B",
        "amnesia": "every handle",
        "cases": "log/run1.txt",
    }.items():
        assert words in sections[name], name
    anchors = {element.attributes["href"] for element in of(elements, "a")}
    assert {f"#{name}" for name in sections} <= anchors


def test_it_can_be_read_without_eyes_and_without_a_mouse(elements: list[Element]) -> None:
    """One heading of the first rank, landmarks, no id twice, and everything that is named has a name."""
    assert len(of(elements, "h1")) == 1
    assert {element.tag for element in elements} >= {"header", "nav", "main", "footer"}
    ids = Counter(element.attributes["id"] for element in elements if "id" in element.attributes)
    assert max(ids.values()) == 1
    for name in ("aria-labelledby", "aria-describedby", "for"):
        named = [element.attributes[name] for element in elements if name in element.attributes]
        assert {part for value in named for part in value.split()} <= ids.keys()
    assert {element.attributes["href"][1:] for element in of(elements, "a")} <= ids.keys()
    labels = {element.attributes["for"] for element in of(elements, "label")}
    assert {element.attributes["id"] for element in elements if element.tag in {"select", "input"}} == labels
    (form,) = of(elements, "form")
    assert "hidden" in form.attributes  # until the script shows it; without one the anchors lead to each card
    tables = of(elements, "table")
    assert len(tables) == len(of(elements, "caption")) > 15
    assert all(element.attributes["scope"] in {"col", "row"} for element in of(elements, "th"))
    assert of(elements, "html")[0].attributes["lang"] == "en"


def test_every_drawing_has_a_title_and_tells_in_words_what_it_shows(elements: list[Element]) -> None:
    """No figure is in a drawing only."""
    drawings = of(elements, "svg")
    titles = [element.text for element in of(elements, "title") if "svg" in element.within]
    told = [element.text for element in of(elements, "desc")]
    assert len(drawings) == len(titles) == len(set(titles)) == len(told) >= 12
    assert all(re.search(r"\d", words) for words in told)
    assert all(element.attributes["role"] == "img" for element in drawings)


def test_nothing_on_it_is_loaded_from_anywhere(page: str, elements: list[Element]) -> None:
    """R94: one file; the policy admits its own style and script by their hashes and nothing else."""
    assert not {element.tag for element in elements} & {"link", "img", "iframe", "object", "embed", "base", "image"}
    for element in elements:
        for name in ADDRESSED & element.attributes.keys():
            assert element.attributes[name].startswith("#"), element
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]
    assert "@import" not in page
    assert "url(" not in style.style()
    (policy,) = [e.attributes["content"] for e in of(elements, "meta") if "http-equiv" in e.attributes]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    for kind in ("style", "script"):
        (element,) = of(elements, kind)
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_hostile_texts_are_shown_and_do_nothing(page: str, hostile: str) -> None:
    """R94: ids, labels, reasons, handles, names of lanes and files, the words of turns: all of it text."""
    elements = parts_of(hostile)
    (script,), (sheet,) = of(elements, "script"), of(elements, "style")
    assert (script.text, sheet.text) == (style.script(), style.style())
    assert {element.tag for element in elements} == {element.tag for element in parts_of(page)}
    assert not [name for element in elements for name in element.attributes if name.startswith("on")]
    assert all(element.attributes["href"].startswith("#") for element in of(elements, "a"))
    shown = "".join(element.text for element in of(elements, "body"))
    assert shown.count("<script>alert(1)</script>") > 100
    assert "\\u202e\\u0000 https://evil.example/?a=1&b" in shown
    assert not {"\u202e", "\x00"} & set(hostile)


@pytest.mark.parametrize(
    "damage",
    [
        {"lanes": {"a": {"figures": {"precision": float("nan"), "recall": "1", "f1": True}, "intervals": {"f1": [2]}}}},
        {"lanes": {"a": {}, "b": 3, "c": {"turns": [1, {"id": None, "written": "x"}], "thresholds": {"curve": [7]}}}},
        {"lanes": {"a": {"types": {"File": None}, "cost": {"price": 10**400}, "latency": []}}, "turns": {}},
        {"lanes": {"a": {"turns": [{"id": "t", "outcome": "<b>", "entities": [{"verdict": "missed"}]}]}},
         "turns": [{"id": "t", "entities": [{"handles": 3}]}], "agreement": [{"lanes": ["a", "b"]}], "drift": {"x": 1}},
        {"lanes": {}},
    ],
)  # fmt: skip
def test_a_damaged_or_foreign_file_gives_a_page_all_the_same(damage: dict[str, Any]) -> None:
    """R94: what is not there, or is something else, is not counted."""
    elements = parts_of(page_of(Run(damage, {"figures": 3}, {"contenders": [], "needed": 1})).html)
    assert len(of(elements, "h1")) == 1


def test_the_same_run_gives_the_same_bytes(page: str) -> None:
    """Nothing of the time or place of its making is on it."""
    assert page_of(a_run()).html == page


def test_a_run_without_faults_says_so() -> None:
    """Nothing to show is said."""
    metrics = a_metrics(3, lanes=1)
    metrics["lanes"]["careful"]["turns"] = []
    (cases,) = [e for e in parts_of(page_of(Run(metrics)).html) if e.attributes.get("id") == "cases"]
    assert "Nothing is missed, wrong or forbidden" in cases.text


def test_sessions_alone_make_a_page() -> None:
    """A folder that only holds what whole sessions gave is told too, and so is that nothing could be measured."""
    elements = parts_of(page_of(Run(None, SEQUENCE, {**AMNESIA, "needed": 0})).html)
    assert [element.attributes["id"] for element in of(elements, "section")] == ["sequence", "amnesia"]
    words = of(elements, "body")[0].text
    assert "This folder holds no judged run." in words
    assert "there is nothing to measure" in words


def test_the_gravest_cases_stay_where_not_all_can_be_shown() -> None:
    """How many are left out is said, and how to see them."""
    run = a_run(most_cases=3)
    assert run.metrics is not None
    found = page_of(run)
    assert all(any(fault.fault == "forbidden" for fault in case.faults) for case in found.deck.shown)
    assert len(found.deck.shown) == 3
    assert found.deck.every > 10
    words = next(e.text for e in parts_of(found.html) if e.attributes.get("id") == "cases")
    assert f"{found.deck.every - 3} cases more" in words
    assert "ferrule bench --report DIR --cases 401" in words
    assert len(values_wanted(run.metrics, 3)) == 3


def test_a_page_of_many_turns_with_endless_words_stays_small() -> None:
    """500 turns in two lanes with as much text as a card may hold."""
    metrics = a_metrics(500)
    long = TurnText("word " * 520, "done " * 520)
    texts = TurnTexts({turn["id"]: long for turn in metrics["turns"]})
    found = page_of(Run(metrics, texts=texts, most_cases=400))
    assert len(found.html.encode()) < 3_000_000
    assert len(found.deck.shown) > 200
    assert len(page_of(Run(metrics, most_cases=30)).deck.shown) == 30


def test_many_lanes_keep_the_page_small() -> None:
    """Every lane is in the tables; drawings, anchors and pairs keep to the first ones."""
    metrics = a_metrics(24)
    lane = metrics["lanes"]["rash"]
    metrics["lanes"] |= {f"lane{number}": lane for number in range(30)}
    metrics["agreement"] *= 496
    html = page_of(Run(metrics)).html
    assert len(html.encode()) < 3_000_000
    assert "481 pairs more in metrics.json" in html
    assert "lane29" in html


def test_the_words_of_a_turn_are_in_its_language(elements: list[Element]) -> None:
    """So that they are read out in it."""
    tongues = Counter(element.attributes["lang"] for element in elements if "lang" in element.attributes)
    assert tongues["de"] > 1
    assert set(tongues) == {"en", "de"}


def test_one_endless_case_costs_no_other_its_card() -> None:
    """A card beyond all bounds gives up its text, then its place."""
    run = a_run()
    assert run.metrics is not None
    endless = TurnText("<" * 40_000, "")
    texts = TurnTexts({**run.texts.by_id, "t1": endless})
    shown = page_of(replace(run, texts=texts)).deck
    assert len(shown.shown) == shown.every
    assert "&lt;" * 1000 not in "".join(shown.cards)


def test_secrets_that_labels_name_are_not_on_it() -> None:
    """R28: a label may hold the secret that must not be written; the page does not repeat it."""
    metrics = a_metrics(4)
    secret = "hunter2-and-more"
    metrics["turns"][0]["forbidden"] = [{"value": secret, "why": "secret value"}]
    assert secret not in page_of(Run(metrics)).html


def test_why_there_is_no_text_is_said(page: str) -> None:
    """Figures, verdicts and reasons are there without the turns."""
    run = a_run(texts=TurnTexts(remark="The turns are gone."))
    bare = page_of(run).html
    assert "The turns are gone." in bare
    assert "Please change" in page
    assert "Please change" not in bare
    assert len(of(parts_of(bare), "details")) == len(of(parts_of(page), "details"))


def test_a_text_of_a_turn_never_becomes_a_link(page: str) -> None:
    """R94: no address of a turn can be followed."""
    assert "https://a.example/t1" in page
    assert not re.search(r"<a [^>]*https?:", page)
    assert HOSTILE not in page
