"""The label page answers its own page only: token, Host, Origin, sizes; and it keeps what two writers wrote."""

import json
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from label_cases import DRAFT, NOTHING, TOKEN, Asking, desk_at, serving

from ferrule.interfaces.labelpage.guard import MOST_BYTES
from ferrule.interfaces.labelpage.server import LabelServer
from ferrule.wiring.labelling import LABELS, TURNS

SAVE = f"/{TOKEN}/api/save"


def saving(number: int, draft: object, revision: str = "") -> bytes:
    """The body of a save."""
    return json.dumps({"n": number, "revision": revision, "draft": draft}).encode()


def test_the_page_and_its_parts_come_with_headers_that_keep_it_to_itself(tmp_path: Path) -> None:
    """R94: no inline script, nothing from elsewhere, no address passed on."""
    with serving(desk_at(tmp_path)) as ask:
        for name in ("", "page.css", "page.js", "elements.js", "turn.js", "form.js"):
            status, headers, body = ask.raw("GET", f"/{TOKEN}/{name}")
            assert (status, bool(body)) == (200, True)
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cache-control"] == "no-store"
            assert "access-control-allow-origin" not in headers
        assert b"<script>" not in body
        assert headers["content-type"].startswith("text/javascript")


ELSEWHERE: dict[str, str | None] = {"Sec-Fetch-Site": "cross-site"}
REFUSED: list[tuple[str, str, str, dict[str, str | None], int]] = [
    ("no token", "GET", "/", {}, 404),
    ("a wrong token", "GET", "/t0ken-for-tests-onlx/", {}, 404),
    ("the token without its slash", "GET", f"/{TOKEN}", {}, 404),
    ("a token beyond ASCII", "GET", "/t%C3%B6ken/", {}, 404),
    ("a name of another host", "GET", f"/{TOKEN}/", {"Host": "evil.example"}, 421),
    ("localhost, which is another name", "GET", f"/{TOKEN}/", {"Host": "localhost:1"}, 421),
    ("another port", "GET", f"/{TOKEN}/", {"Host": "127.0.0.1:1"}, 421),
    ("no host", "GET", f"/{TOKEN}/", {"Host": None}, 421),
    ("another site that frames the page", "GET", f"/{TOKEN}/", {**ELSEWHERE, "Sec-Fetch-Dest": "iframe"}, 403),
    ("another site that loads a part", "GET", f"/{TOKEN}/page.js", {**ELSEWHERE, "Sec-Fetch-Dest": "script"}, 403),
    ("a page of another port in the browser", "GET", f"/{TOKEN}/api/overview", {"Sec-Fetch-Site": "same-site"}, 403),
    ("another site in the browser", "GET", f"/{TOKEN}/api/turn?n=0", {"Sec-Fetch-Site": "cross-site"}, 403),
    ("a foreign origin", "POST", SAVE, {"Origin": "https://evil.example"}, 403),
    ("no origin", "POST", SAVE, {"Origin": None}, 403),
    ("the null origin", "POST", SAVE, {"Origin": "null"}, 403),
    ("the kind that a form may send", "POST", SAVE, {"Content-Type": "text/plain"}, 415),
    ("no kind", "POST", SAVE, {"Content-Type": None}, 415),
    ("no length", "POST", SAVE, {"Content-Length": None}, 411),
    ("a length that is none", "POST", SAVE, {"Content-Length": "-1"}, 411),
    ("pieces instead of a length", "POST", SAVE, {"Transfer-Encoding": "chunked"}, 411),
    ("too much", "POST", SAVE, {"Content-Length": str(MOST_BYTES + 1)}, 413),
    ("far too much", "POST", SAVE, {"Content-Length": "9" * 30}, 413),
    ("a save with a wrong token", "POST", "/t0ken/api/save", {}, 404),
    ("a save of another name", "POST", SAVE, {"Host": "evil.example"}, 421),
]


@pytest.mark.parametrize("row", REFUSED, ids=[row[0] for row in REFUSED])
def test_who_may_not_ask_gets_words_and_changes_nothing(
    tmp_path: Path, row: tuple[str, str, str, dict[str, str | None], int]
) -> None:
    """R89."""
    _, method, path, headers, status = row
    with serving(desk_at(tmp_path)) as ask:
        body = saving(0, DRAFT) if method == "POST" else None
        found, told, said = ask.raw(method, path, body=body, headers=headers)
        assert (found, told["connection"]) == (status, "close")
        assert TOKEN.encode() not in said
        assert list(tmp_path.iterdir()) == []


def test_a_link_may_open_the_page(tmp_path: Path) -> None:
    """A terminal in a browser is another site; the token is what counts."""
    with serving(desk_at(tmp_path)) as ask:
        assert ask.raw("GET", f"/{TOKEN}/", headers={**ELSEWHERE, "Sec-Fetch-Dest": "document"})[0] == 200


@pytest.mark.parametrize("path", ["api/save", "api/save?n=0&draft={}", "api/end", "api/spots?n=0&value=x"])
def test_a_get_changes_nothing_and_ends_nothing(tmp_path: Path, path: str) -> None:
    """R89: whatever an image or a link of another page can make a browser ask."""
    with serving(desk_at(tmp_path)) as ask:
        assert ask.raw("GET", f"/{TOKEN}/{path}")[0] == 404
        assert ask.get("api/overview")["turns"][0]["state"] == "open"
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"])
def test_no_other_method_is_known(tmp_path: Path, method: str) -> None:
    """R89: a preflight gets no leave."""
    with serving(desk_at(tmp_path)) as ask:
        status, headers, _ = ask.raw(method, SAVE)
        assert status == 501
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"n": true}', b'{"n": "0"}', b'{"n": 99}']
)
def test_a_body_that_is_none_of_ours_is_answered_in_words(tmp_path: Path, body: bytes) -> None:
    """R89: and the server goes on."""
    with serving(desk_at(tmp_path)) as ask:
        status, _, said = ask.raw("POST", SAVE, body=body)
        assert status in {400, 404}
        assert "error" in json.loads(said)
        assert ask.get("api/turn?n=0")["user"] == "Mend the tide table."


@pytest.mark.parametrize(
    "query",
    ["", "?n=", "?n=-1", "?n=99", "?n=1e3", "?n=²", "?n=" + "9" * 500, "?n=0&n=7"],
)
def test_a_turn_that_is_not_there_is_a_page_that_is_not_there(tmp_path: Path, query: str) -> None:
    """R89."""
    with serving(desk_at(tmp_path)) as ask:
        assert ask.raw("GET", f"/{TOKEN}/api/turn{quote(query, safe='?=&')}")[0] == 404


def test_a_label_is_saved_shown_and_kept_over_a_restart(tmp_path: Path) -> None:
    """The next server over the folder goes on where this one stopped."""
    with serving(desk_at(tmp_path)) as ask:
        status, told = ask.post("api/save", {"n": 0, "revision": "", "draft": DRAFT})
        assert (status, told["state"], told["turn"]["state"]) == (200, "saved", "write")
        assert told["turn"]["label"]["entities"][0]["handles"][0]["role"] == "outcome"
        assert ask.post("api/save", {"n": 1, "revision": "", "draft": NOTHING})[0] == 200
    assert (tmp_path / TURNS).read_text(encoding="utf-8").count("\n") == 2
    with serving(desk_at(tmp_path)) as ask:
        assert [row["state"] for row in ask.get("api/overview")["turns"]] == ["write", "nothing", "open"]
        assert ask.get("api/turn?n=0")["label"]["why"] == DRAFT["why"]


def test_a_faulty_label_is_told_field_by_field(tmp_path: Path) -> None:
    """R89."""
    with serving(desk_at(tmp_path)) as ask:
        status, told = ask.post("api/save", {"n": 0, "revision": "", "draft": {**DRAFT, "why": ""}})
        assert status == 422
        assert told["faults"] == [{"where": "why", "says": "say in one sentence why"}]
        assert list(tmp_path.iterdir()) == []


def test_two_writers_never_overwrite_each_other_unseen(tmp_path: Path) -> None:
    """Of eight that saw the same label one is taken; the others are shown what stands there now."""
    with serving(desk_at(tmp_path)) as ask:
        drafts = [{**NOTHING, "why": f"Writer {number}."} for number in range(8)]
        answers: list[tuple[int, Any]] = []
        writers = [threading.Thread(target=lambda d=draft: answers.append(_save(ask, d))) for draft in drafts]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(10)
        taken = [told for status, told in answers if status == 200]
        assert sorted(status for status, _ in answers) == [200] + [409] * 7
        why = taken[0]["turn"]["label"]["why"]
        assert {told["turn"]["label"]["why"] for _, told in answers} == {why}
    assert json.loads((tmp_path / LABELS).read_text(encoding="utf-8"))["why"] == why


def _save(ask: Asking, draft: object) -> tuple[int, Any]:
    return ask.post("api/save", {"n": 0, "revision": "", "draft": draft})


def test_calls_spots_and_candidates_are_there_on_demand(tmp_path: Path) -> None:
    """R25, R26: nothing of it comes before it is asked for."""
    with serving(desk_at(tmp_path)) as ask:
        turn = ask.get("api/turn?n=0")
        assert turn["calls"] == [{"tool": "Edit", "about": "/home/lin/spindrift/src/tide.rs", "ok": True, "size": 44}]
        assert "tide.log" not in json.dumps(turn)
        assert "tide.log" in ask.get("api/call?n=0&call=0")["result"]
        assert any(one["handles"][0]["value"] == "src/tide.rs" for one in ask.get("api/candidates?n=0"))
        status, spots = ask.post("api/spots", {"n": 0, "value": "src/tide.rs"})
        assert (status, [spot["role"] for spot in spots]) == (200, ["outcome", "tool"])


def test_the_button_ends_the_server(tmp_path: Path) -> None:
    """R89: the answer still comes."""
    server = LabelServer(desk_at(tmp_path), token=TOKEN, port=0, clock=lambda: 0.0)
    asked: list[bool] = []
    thread = threading.Thread(target=lambda: asked.append(server.serve(0.0)))
    with server:
        thread.start()
        assert Asking(server).post("api/end", {}) == (200, {"done": 0})
        thread.join(10)
    assert asked == [True]


def test_a_page_that_nobody_uses_is_closed(tmp_path: Path) -> None:
    """R89: by the clock, and only requests that are let in count as use."""
    ticks = iter(range(1000))
    with LabelServer(desk_at(tmp_path), token=TOKEN, port=0, clock=lambda: float(next(ticks) * 60)) as server:
        assert server.serve(120.0) is False


def test_two_requests_on_one_connection_are_two_answers(tmp_path: Path) -> None:
    """R89: a body on a question is never taken for the next request."""
    with serving(desk_at(tmp_path)) as ask:
        status, headers, _ = ask.raw("GET", f"/{TOKEN}/api/overview", headers={"Content-Length": "5"})
        assert (status, headers["connection"]) == (200, "close")
