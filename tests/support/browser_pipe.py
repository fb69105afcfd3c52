"""A real browser without a window, asked over a pipe: what its page shows, says to the console and asks the network.

Owns starting Chromium, its DevTools messages, and its end. Knows nothing of what is tested.
"""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Browser", "NoBrowser", "browser"]

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# The pipe is read from descriptor 3 and written to 4; a child of this process has other numbers for them.
_TRAMPOLINE = (
    "import os,sys; os.dup2(int(sys.argv[1]),3); os.dup2(int(sys.argv[2]),4); os.execvp(sys.argv[3],sys.argv[3:])"
)
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--remote-debugging-pipe",
    "about:blank",
)
_ENDING_SECONDS = 10
_PATIENCE_SECONDS = 60.0


class NoBrowser(Exception):
    """No browser is installed, or it does not start; says why."""


class Browser:
    """One page of one browser."""

    def __init__(self, asked: int, told: int) -> None:
        self._asked = os.fdopen(asked, "wb", buffering=0)
        self._told = told
        self._heard = bytearray()
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """The answer to one command; what happens in between is kept in `events`."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        try:
            self._asked.write(json.dumps(message).encode() + b"\0")
        except BrokenPipeError as ended:
            raise NoBrowser("the browser ended") from ended
        while (answer := self._next()).get("id") != self._number:
            self.events.append(answer)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        found: dict[str, Any] = answer["result"]
        return found

    def _next(self) -> dict[str, Any]:
        while (end := self._heard.find(b"\0")) < 0:
            if not select.select([self._told], [], [], _PATIENCE_SECONDS)[0]:
                raise AssertionError(f"the browser said nothing for {_PATIENCE_SECONDS} seconds")
            part = os.read(self._told, 1 << 16)
            if not part:
                raise NoBrowser("the browser ended")
            self._heard += part
        found: dict[str, Any] = json.loads(self._heard[:end])
        del self._heard[: end + 1]
        return found

    def close(self) -> None:
        """Close the pipe: the browser ends with it."""
        self._asked.close()
        os.close(self._told)

    def wait(self, method: str) -> dict[str, Any]:
        """The next event of that name, also one that came already since the last `show`."""
        for event in self.events:
            if event.get("method") == method:
                return event
        while True:
            event = self._next()
            self.events.append(event)
            if event.get("method") == method:
                return event

    def show(self, path: Path, anchor: str = "") -> None:
        """Load a file from disk, wholly."""
        self._load("about:blank")  # a page that differs only in its anchor would not be loaded anew
        self._load(path.resolve().as_uri() + anchor)

    def _load(self, address: str) -> None:
        self.events.clear()
        self.ask("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def run(self, script: str) -> Any:  # noqa: ANN401 - whatever the page answers
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def complaints(self) -> list[str]:
        """What the console and the log of the browser said since the last `show`."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"]))
            if event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in {"error", "warning"}:
                found.append(str(parameters["args"]))
            if event.get("method") == "Log.entryAdded":
                found.append(str(parameters["entry"]))
        return found

    def requests(self) -> list[str]:
        """Every address that the page asked for since the last `show`, its own included."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]

    def screen(self, width: int, height: int, *, dark: bool = False, media: str = "") -> None:
        """The size of the screen, its colours, and `print` instead of a screen."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.ask("Emulation.setEmulatedMedia", media=media, features=scheme)
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def picture(self, path: Path, *, top: int = 0, width: int = 1200, height: int = 1000) -> None:
        """A screenshot of part of the page."""
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        answer = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(answer["data"]))


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a profile of its own, gone afterwards.

    Raises:
        NoBrowser: there is none here.
    """
    command = next((found for name in NAMES if (found := shutil.which(name))), None)
    if command is None or sys.platform == "win32":
        raise NoBrowser("no Chromium is installed")
    with tempfile.TemporaryDirectory(prefix="ferrule-browser-", ignore_cleanup_errors=True) as folder:
        read_end, asked = os.pipe()
        told, write_end = os.pipe()
        arguments = (str(read_end), str(write_end), command, f"--user-data-dir={folder}", *_FLAGS)
        process = subprocess.Popen(  # noqa: S603 - the browser that is tested with
            [sys.executable, "-c", _TRAMPOLINE, *arguments],
            pass_fds=(read_end, write_end),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_end)
        os.close(write_end)
        try:
            with contextlib.closing(Browser(asked, told)) as made:
                yield made
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(_ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
