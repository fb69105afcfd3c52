"""Cases and their texts: what counts as one, what is shown of a turn, and what is marked in it."""

from html_parts import parts_of
from report_cases import a_metrics

from ferrule.evaluation.report.cases import cases_of, handle_values, ranked, shown_value
from ferrule.evaluation.report.highlight import Term, highlighted
from ferrule.evaluation.report.texts import text_of
from ferrule.evaluation.report.views import views_of
from ferrule.session.turn import ToolCall, Turn


def marks(text: str, *terms: tuple[str, str]) -> list[tuple[str, str]]:
    """What is marked, and how."""
    found = parts_of(highlighted(text, [Term(value, kind, "says") for value, kind in terms]))
    return [(element.text, element.attributes["class"]) for element in found if element.tag == "mark"]


def turn(*calls: ToolCall, user: str = "please", outcome: str = "done") -> Turn:
    """A turn with these calls."""
    return Turn("t", "s", 1, user, outcome, calls=calls)


def call(tool: str = "Bash", arguments: object = None, result: str | None = "", *, ok: bool | None = True) -> ToolCall:
    """A call of a tool."""
    given = arguments if isinstance(arguments, str | dict) else {}
    return ToolCall("c", tool, given, result, ok)


def test_a_turn_is_a_case_by_what_went_wrong_in_any_lane() -> None:
    """Missed and of wrong modality by entity type; false and forbidden by handle kind; failed as such."""
    metrics = a_metrics()
    cases = {case.name: case for case in cases_of(metrics, views_of(metrics))}
    told = {name: {(f.lane, f.fault, f.subject) for f in case.faults} for name, case in cases.items()}
    assert told["t0"] >= {
        (0, "missed", "SourceFile"),
        (1, "false", "filesystem-path"),
        (1, "forbidden", "filesystem-path"),
    }
    assert (0, "modality", "SourceFile") in told["t13"]
    assert told["t23"] == {(0, "failed", ""), (1, "failed", "")}
    alone = a_metrics(lanes=1)
    names = [case.name for case in cases_of(alone, views_of(alone))]
    assert "t2" not in names
    assert names == sorted(names, key=lambda name: int(name[1:]))


def test_the_gravest_cases_come_first() -> None:
    """Forbidden before false before missed before the rest."""
    metrics = a_metrics(lanes=1)
    order = [case.faults[0].fault for case in ranked(cases_of(metrics, views_of(metrics)))]
    known = ["forbidden", "false", "missed", "modality", "failed"]
    assert [known.index(fault) for fault in order] == sorted(known.index(fault) for fault in order)
    assert {"missed", "failed"} <= set(order)


def test_a_secret_in_a_property_is_a_forbidden_write_without_a_handle() -> None:
    """R28: it shows in the account of the turn only."""
    metrics = a_metrics(lanes=1)
    lane = metrics["lanes"]["careful"]
    lane["turns"][2]["forbidden"] = ["x"]
    faults = next(case.faults for case in cases_of(metrics, views_of(metrics)) if case.name == "t2")
    assert [(fault.fault, fault.subject) for fault in faults] == [("forbidden", "")]
    assert "log/run2.txt" in handle_values(next(c for c in cases_of(metrics, views_of(metrics)) if c.name == "t2"))


def test_values_that_are_secrets_are_shown_by_their_length() -> None:
    """R28: by what the label says, or by what they look like."""
    assert shown_value("src/a.py") == "src/a.py"
    assert shown_value("correct horse", "secret: a passphrase") == "[secret of 13 characters]"
    assert shown_value("ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8").startswith("[secret of")


def test_mentions_are_marked_by_value_and_files_by_their_name_too() -> None:
    """Whole values before names, longer before shorter, the first of equal ones."""
    text = "Change src/ui/app.ts and app.ts, not app.ts.bak or myapp.ts; see main and domain."
    assert marks(text, ("src/ui/app.ts", "m-missed"), ("main", "m-hit")) == [
        ("src/ui/app.ts", "m-missed"),
        ("app.ts", "m-missed"),
        ("main", "m-hit"),
    ]
    assert marks("v1.2 v1.2.3", ("v1.2", "a"), ("v1.2.3", "b")) == [("v1.2", "a"), ("v1.2.3", "b")]
    assert marks("x x", ("x", "a")) == []
    assert marks("使用main分支", ("main", "a")) == [("main", "a")]


def test_marks_keep_the_text_and_are_few() -> None:
    """R94: escaped inside and outside of marks; an endless text has a bounded number of them."""
    text = "<b> a&b/c.py <b> a&b/c.py " * 400
    made = highlighted(text, [Term("a&b/c.py", "m", '"><script>')])
    assert "<b>" not in made
    assert "<script" not in made
    assert 50 < made.count("<mark") < 200
    assert "".join(e.text for e in parts_of(f"<p>{made}</p>")[:1]) == text


def test_long_words_keep_their_beginning_and_their_end() -> None:
    """And how much stood between them."""
    said = text_of(turn(user="start " + "x" * 9000 + " end", outcome="short"), [])
    assert said.outcome == "short"
    assert len(said.user) < 3000
    assert said.user.startswith("start")
    assert said.user.endswith("end")
    assert "characters …]" in said.user


def test_calls_that_mention_what_the_turn_is_about_go_before_others() -> None:
    """A dozen at most, in the order of the turn, each around the first mention."""
    calls = [call("Read", {"file_path": f"/w/f{n}"}, "nothing") for n in range(30)]
    calls[25] = call("Bash", {"command": "make it"}, "noise " * 90 + "wrote out/plan.md at last", ok=False)
    said = text_of(turn(*calls), ["out/plan.md"])
    assert len(said.calls) == 12
    assert said.more_calls == 18
    last = said.calls[-1]
    assert (last.tool, last.asked, last.ok) == ("Bash", "make it", False)
    assert last.told.startswith("… ")
    assert "out/plan.md" in last.told
    assert [one.asked for one in said.calls[:2]] == ["/w/f0", "/w/f1"]


def test_arguments_without_a_plain_one_are_told_as_json() -> None:
    """Also text arguments, missing results, and objects inside."""
    said = text_of(turn(call("T", {"items": [1, {"a": "ü"}]}, None, ok=None), call("U", "raw words", "x")), [])
    assert [(one.asked, one.told, one.ok) for one in said.calls] == [
        ('{"items": [1, {"a": "ü"}]}', "", None),
        ("raw words", "x", True),
    ]


def test_marks_of_scrubbed_secrets_lose_their_digest() -> None:
    """DEC-D13: a digest tells nothing here, and a page that somebody is given need not hold it."""
    said = text_of(turn(call(result="key [secret:bearer:0a1b2c3d] used"), user="[secret:aws-key:ffffffff]"), ["used"])
    assert said.user == "[secret:aws-key]"
    assert "[secret:bearer]" in said.calls[0].told
