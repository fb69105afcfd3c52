"""What recognise promises beyond single rows: order, spans, nesting, placeholders, bounds."""

# ruff: noqa: E501 - a row of the table is one line

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ferrule.referents.kinds import HandleKind
from ferrule.referents.recognise import recognise
from ferrule.referents.secrets.detect import scrub

K = HandleKind

TURN = """I fixed the parser in `src/core/parse.py:120` and opened PR #41 (https://github.com/ann/tool/pull/41).
The branch `fix/parser` is pushed; next run `make check`, then deploy to db01.example.org.
Committed as 3ff9b78. It needs DEPLOY_TOKEN in CI.

```bash
$ git push -u origin fix/parser
gh pr view 41
```
"""


def values(text: str, kind: HandleKind) -> list[str]:
    """The values of one kind, in order."""
    return [found.value for found in recognise(text) if found.kind is kind]


def test_a_whole_answer_gives_every_handle_once_per_place() -> None:
    """R17, R26, R46."""
    assert values(TURN, K.FILESYSTEM_PATH) == ["src/core/parse.py"]
    assert values(TURN, K.PULL_REQUEST) == ["#41", "ann/tool#41"]
    assert values(TURN, K.URL) == ["https://github.com/ann/tool/pull/41"]
    assert set(values(TURN, K.BRANCH)) == {"fix/parser"}
    assert values(TURN, K.COMMAND) == ["make check", "git push -u origin fix/parser", "gh pr view 41"]
    assert values(TURN, K.COMMIT_SHA) == ["3ff9b78"]
    assert values(TURN, K.SECRET_NAME) == ["DEPLOY_TOKEN"]
    assert values(TURN, K.HOST) == ["db01.example.org"]


def test_found_handles_are_ordered_and_their_spans_are_verbatim() -> None:
    """DEC-D9."""
    found = recognise(TURN)
    assert [hit.start for hit in found] == sorted(hit.start for hit in found)
    assert all(TURN[hit.start : hit.end] == hit.value for hit in found if hit.kind is not K.PULL_REQUEST)


NESTED = [
    ("https://github.com/ann/tool/issues/7", K.ISSUE, "ann/tool#7"),
    ("https://github.com/ann/tool/commit/0a1b2c3d", K.COMMIT_SHA, "0a1b2c3d"),
    ("https://github.com/ann/tool", K.REPOSITORY_ID, "ann/tool"),
    ("https://github.com/ann/tool/releases/tag/v1.2.0", K.TAG, "v1.2.0"),
    ("https://github.com/ann/tool/actions/runs/21234389076/job/5", K.OTHER_ID, "21234389076"),
    ("https://linear.app/team/issue/OPS-7/a-title", K.TASK_ID, "OPS-7"),
    ("git@github.com:ann/tool.git", K.REPOSITORY_ID, "ann/tool"),
]


@pytest.mark.parametrize(("text", "kind", "value"), NESTED, ids=[case[0] for case in NESTED])
def test_an_address_also_gives_what_it_points_at(text: str, kind: HandleKind, value: str) -> None:
    """DEC-D9."""
    assert values(text, K.URL) == [text]
    assert value in values(text, kind)


def test_paths_and_packages_inside_an_address_are_not_found_again() -> None:
    """R71."""
    assert {found.kind for found in recognise("https://example.org/src/a.py?x=b/c.md")} == {K.URL}


def test_a_scrubbed_secret_is_in_no_handle() -> None:
    """DEC-D13, R28."""
    text = (
        "get https://ann:hunter2@files.example.org/x?token=abc123def and run `tool login --password hunter2 --host box`"
    )
    clean = scrub(text, b"key")
    assert "hunter2" not in clean
    assert "abc123def" not in clean
    found = recognise(clean)
    assert "https://files.example.org/x" in [hit.value for hit in found if hit.kind is K.URL]
    assert "tool login --host box" in [hit.value for hit in found if hit.kind is K.COMMAND]
    assert not [hit for hit in found if "[secret:" in hit.value or hit.kind is K.COMMIT_SHA]


def test_a_limit_bounds_the_answer() -> None:
    """CASE-I01."""
    assert len(recognise("src/a.py " * 5000)) == 4000
    assert len(recognise("src/a.py " * 50, limit=7)) == 7


HOSTILE = ["/", "a,", "```sh\n", " repo", "run git ", "[x](", "@1.1", "://", "#1", "A_"]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_repetition_is_read_to_its_end(unit: str) -> None:
    """CASE-I09: no recogniser looks back further than its bound."""
    text = unit * (8_000 // len(unit))
    assert all(hit.end <= len(text) for hit in recognise(text))


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab1./\\:@#-_~`'\"()[]{}$ \n=?&,;!PRv"), max_size=120))
def test_any_text_is_read_without_error_and_with_true_spans(text: str) -> None:
    """INV-I6, CASE-I09."""
    for hit in recognise(text):
        assert 0 <= hit.start < hit.end <= len(text)
        assert hit.value


def test_only_the_kinds_asked_for_are_looked_for() -> None:
    """DEC-D9: what is only seen is read for less than what is said."""
    text = "run `make test` in src/a.py at https://example.org/x"
    every = {found.kind for found in recognise(text)}
    assert every >= {HandleKind.COMMAND, HandleKind.FILESYSTEM_PATH, HandleKind.URL}
    asked = recognise(text, kinds={HandleKind.FILESYSTEM_PATH, HandleKind.URL})
    assert [found.value for found in asked] == ["src/a.py", "https://example.org/x"]


@pytest.mark.parametrize("text", ["a/b.py a/b.py\u2028a/b.py\x1ca/b.py", "x.y a.b.py .b.py b.py", "(a.b) a.b.md b.md"])
def test_a_word_that_stands_again_is_found_again_at_its_own_place(text: str) -> None:
    """DEC-D9: spans are verbatim, also where one word is the end of another."""
    found = [hit for hit in recognise(text) if hit.kind is HandleKind.FILESYSTEM_PATH]
    assert [text[hit.start : hit.end] for hit in found] == [hit.value for hit in found]
    assert [hit.start for hit in found] == sorted({hit.start for hit in found})
    assert len(found) == sum(word.endswith((".py", ".md")) for word in text.split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```\nFAKE_PORT=1 cargo nextest run -p tide --profile ci\n```", ["FAKE_PORT=1 cargo nextest run -p tide --profile ci"]),
        ("So:\n\n    QUAY_KEYS=off tidectl -e staging diff --context 3\n\nDone", ["QUAY_KEYS=off tidectl -e staging diff --context 3"]),
        ("`PGPORT=5433 MIX_ENV=test mix do ecto.migrate, test --warnings-as-errors`",
         ["PGPORT=5433 MIX_ENV=test mix do ecto.migrate, test --warnings-as-errors"]),
        ("`bin/deploy staging tides` did it", ["bin/deploy staging tides"]),
        ("`scripts/flash.sh pier@host1`", ["scripts/flash.sh pier@host1"]),
        ("`TZ=UTC bin/rails test test/models`", ["TZ=UTC bin/rails test test/models"]),
        ("`bin/tool - the runner`", []),
        ("`scripts/a.sh → scripts/b.sh`", []),
        ("`LEVEL=info started ok`", []),
        ("STATUS=ok request done", []),
        ("`A=1 B=2`", []),
        ("`X=1 y = 2`", []),
        ("`docs/bin/readme.md first`", []),
        ("`tools/gen.py (new)`", []),
        ("`src/tide/gauge.py and more`", []),
    ],
)  # fmt: skip
def test_a_setting_or_a_folder_of_programs_makes_a_command(text: str, found: list[str]) -> None:
    """R26: what stands before or around a program does not hide it; near misses are none."""
    assert values(text, K.COMMAND) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("YUM-53の件です", ["YUM-53"]),
        ("件はYUM-53です", ["YUM-53"]),
        ("UTF-8の文字、SHA-256", []),
        ("RFC-2119, ISO-8601, COVID-19, RS-232, DIN-5008", []),
        ("XÄB-12é, a/NL-77", []),
    ],
)
def test_a_trackers_key_may_stand_between_letters_of_a_script_without_spaces(text: str, found: list[str]) -> None:
    """R26: and norms, encodings and hashes are no tickets."""
    assert values(text, K.TASK_ID) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://git.example/h/q/pull/88\uff08\u30d6\u30e9\u30f3\u30c1\uff09", "https://git.example/h/q/pull/88"),
        ("\u898b\u3066\uff1ahttps://git.example/h/q/pull/88\u3092", "https://git.example/h/q/pull/88"),
        ("https://wiki.example/\u3044\u308d\u306f", "https://wiki.example/\u3044\u308d\u306f"),
    ],
)
def test_an_address_ends_where_a_sentence_without_blanks_goes_on(text: str, found: str) -> None:
    """R26: brackets and particles of another script are none of it, a page's own name is."""
    assert values(text, K.URL) == [found]
