"""Chromium, driven through a pair of pipes: what a page shows a person, without a driver of anybody's.

Owns starting the browser with a profile of its own, the questions of its DevTools protocol, and that it is gone
afterwards. Debian's `chromium` or what `FERRULE_TEST_BROWSER` names. Knows nothing of any page.
"""

import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

__all__ = ["NoBrowser", "Tab", "tab"]

SECONDS = 30.0
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"),
)
# The browser wants its commands on descriptor 3 and answers on 4.
_LAUNCH = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)


class NoBrowser(Exception):
    """There is none on this machine."""


class Tab:
    """One page of one browser. Everything that it asks for or complains about is kept."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.dialogs: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: object) -> Any:  # noqa: ANN401 - the protocol's JSON
        """What the browser answers to one command."""
        number = self._say(method, params)
        while True:
            told = self._next(method)
            if told.get("id") == number:
                assert "error" not in told, (method, told["error"])
                return told["result"]
            self._noted(told)

    def _say(self, method: str, params: Mapping[str, object]) -> int:
        self._number += 1
        command: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        return self._number

    def open(self, url: str) -> None:
        """Go there and wait until it is loaded."""
        self.ask("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:  # noqa: ANN401 - whatever the page says
        """The value of an expression in the page; a promise is waited for."""
        told = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, (expression, told["exceptionDetails"])
        return told["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait in the page until a condition holds; a page that is left meanwhile is asked anew."""
        look = (
            "new Promise((done) => { let left = 500; const look = () => { let met = false;"
            f" try {{ met = Boolean({condition}); }} catch (e) {{ met = false; }}"
            " if (met || --left === 0) done(met); else setTimeout(look, 20); }; look(); })"
        )
        assert self.value(look) is True, (condition, self.value("document.body.innerText")[:2000], self.complaints)

    def press(self, key: str, *, ctrl: bool = False) -> None:
        """Press and let go of one key."""
        text = {} if ctrl or len(key) > 1 else {"text": key}
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, modifiers=2 if ctrl else 0, **text)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.ask("Input.insertText", text=text)

    def looks(self, *, width: int, height: int, scheme: str = "light") -> None:
        """The size of the window and what the person prefers."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def _next(self, method: str) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], SECONDS)
            got = os.read(self._answers, 1 << 16) if ready else b""
            assert got, f"the browser gives no answer to {method}"
            self._rest += got
        line, _, self._rest = self._rest.partition(b"\0")
        told: dict[str, Any] = json.loads(line)
        return told

    def _noted(self, told: dict[str, Any]) -> None:
        params = told.get("params", {})
        match told.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Page.javascriptDialogOpening":  # nothing goes on before it is answered
                self.dialogs.append(params["type"])
                self._say("Page.handleJavaScriptDialog", {"accept": True})
            case "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"].get("exception", params["exceptionDetails"])))
            case "Log.entryAdded" if params["entry"]["level"] in {"error", "warning"}:
                self.complaints.append(params["entry"]["text"])
            case "Runtime.consoleAPICalled" if params["type"] in {"error", "warning"}:
                self.complaints.append(str(params["args"]))
            case _:
                pass


@contextmanager
def tab() -> Iterator[Tab]:
    """A page in a browser that is gone afterwards.

    Raises:
        NoBrowser: there is none.
    """
    named = os.environ.get("FERRULE_TEST_BROWSER")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not found:
        raise NoBrowser("there is no Chromium here; FERRULE_TEST_BROWSER may name one")
    ours_in, theirs_out = _pipe()
    theirs_in, ours_out = _pipe()
    with tempfile.TemporaryDirectory(prefix="ferrule-browser-", ignore_cleanup_errors=True) as profile:
        words = [sys.executable, "-c", _LAUNCH, str(theirs_in), str(theirs_out), found, *_FLAGS]
        process = subprocess.Popen(  # noqa: S603 - a fixed command
            [*words, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            yield Tab(ours_out, ours_in)
        finally:
            os.close(ours_out)
            os.close(ours_in)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


def _pipe() -> tuple[int, int]:
    """Both ends away from the small numbers, which the browser's launcher takes."""
    high = []
    for end in os.pipe():
        high.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 16))
        os.close(end)
    return high[0], high[1]
