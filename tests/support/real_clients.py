"""Real clients at work in a throw-away place: their own homes, a project under git, a scripted model, Ferrule's home.

Owns how each client is run without a person (an empty environment, no standard input, an outer time limit), how its
hooks are trusted, and what its configuration is. What a client says to its model is the model's to tell. How Codex is
brought to trust a hook: it keeps a digest per hook in `config.toml` under `hooks.state`, and gets it there through its
own app server (`hooks/list`, `config/batchWrite`), which is what its dialog does; nothing here computes that digest.
"""

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from real_processes import LONG, Ran, bounded
from scripted_model import Model

__all__ = ["COMPACT_TOKENS", "RealClaude", "RealClient", "RealCodex", "place_of"]

TURN_SECONDS, FERRULE_SECONDS = 90, 60
STUB_GH = "#!/bin/sh\necho https://git.example/harbor/kestrel/pull/41\n"
GIT_PERSON = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Sam"), ("EMAIL", "sam@example.invalid"))
}
COMPACT_TOKENS = 5000
"""A model that says that the conversation takes more makes Codex ask for a summary before the next turn."""

ALLOWED = "Bash,mcp__ferrule__search"
OWN_HOOKS = """\
{"hooks": {
   "Stop": [ {"hooks": [{"type": "command", "command": "COMMAND"}]} ]
}}
"""
CODEX_CONFIG = """\
# Kept by a person: nothing but what Ferrule writes may change here.
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
model_auto_compact_token_limit = {limit}

[features]
plugins = false  # it would look for some in the network

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
"""


@dataclass
class RealClient:
    """A client in its place.

    Attributes:
        command: the words that start it.
        place: a folder of its own, with `user` (the HOME), `project`, `bin` and `ferrule` (the home) in it.
        model: what it talks to.
        extra: more of its environment.
        around: a command that runs it.
    """

    name = ""

    command: Sequence[str]
    place: Path
    model: Model
    extra: dict[str, str] = field(default_factory=dict)
    around: Sequence[str] = ()

    @property
    def user(self) -> Path:
        """The HOME of the person."""
        return self.place / "user"

    @property
    def project(self) -> Path:
        """Where the client works."""
        return self.place / "project"

    @property
    def home(self) -> Path:
        """Ferrule's home."""
        return self.place / "ferrule"

    def environment(self) -> dict[str, str]:
        """All that the client's process gets."""
        path = f"{self.place / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.user), "PYTHONDONTWRITEBYTECODE": "1", **self.own(), **self.extra}

    def own(self) -> dict[str, str]:
        """What of the environment is this client's own."""
        return {}

    def configuration(self) -> dict[str, bytes]:
        """The files of its configuration by name, byte for byte."""
        return {str(path.relative_to(self.user)): path.read_bytes() for path in self.configured() if path.is_file()}

    def configured(self) -> Sequence[Path]:
        """Which files those are."""
        return ()

    def installs(self, *words: str) -> Ran:
        """`ferrule install` for this client, then the person's trust where the client asks for that."""
        ran = self.ferrule("install", self.name, "--yes", *words)
        assert ran.code == 0, ran.out + ran.err
        self.trusts()
        return ran

    def turn(self, prompt: str, *, resume: bool = False) -> Ran:
        """One turn, in a new session or in the last one; what it prints is the final answer."""
        raise NotImplementedError

    def prepared(self) -> Self:
        """With a configuration that a person could have, a hook of their own in it that keeps what it is given."""
        raise NotImplementedError

    def forgets(self) -> None:
        """Bring the client to make its conversation short, before its next turn at the latest."""

    @property
    def kept(self) -> Path:
        """Where the person's own hook keeps what it was given at the end of a turn, one a line."""
        return self.place / "payloads.jsonl"

    def payload(self) -> dict[str, Any]:
        """The newest of these."""
        lines = [line for line in self.kept.read_text(encoding="utf-8").splitlines() if line]
        found: dict[str, Any] = json.loads(lines[-1])
        return found

    def own_hooks(self) -> str:
        """The person's own hooks, written as a person would."""
        keeping = f"(cat; echo) >> {self.kept}"
        return OWN_HOOKS.replace("COMMAND", json.dumps(keeping)[1:-1])

    def session(self) -> str:
        """The key of the newest session."""
        raise NotImplementedError

    def trusts(self) -> None:
        """The person says that the client may run the hooks that stand in its configuration."""

    def ferrule(self, *words: str) -> Ran:
        """A command of Ferrule, in the client's surroundings."""
        command = [sys.executable, "-m", "ferrule", *words, "--home", str(self.home)]
        return bounded(command, environment=self.environment(), folder=self.project, seconds=FERRULE_SECONDS)

    def runs(self, words: Sequence[str]) -> Ran:
        """The client's process, to its end.

        Raises:
            AssertionError: it did not end in time.
        """
        words = [*self.around, *self.command, *words]
        return bounded(words, environment=self.environment(), folder=self.project, seconds=TURN_SECONDS)


class RealCodex(RealClient):
    """Codex: `codex exec`, and `codex exec resume` for what comes later."""

    name = "codex"

    @property
    def folder(self) -> Path:
        """CODEX_HOME."""
        return self.user / ".codex"

    def own(self) -> dict[str, str]:
        """Its home, and the key that its configuration names."""
        return {"CODEX_HOME": str(self.folder), "SCRIPTED_KEY": "none"}

    def configured(self) -> Sequence[Path]:
        """Its two files, and prompts."""
        return [self.folder / "config.toml", self.folder / "hooks.json", *sorted(self.folder.glob("prompts/*"))]

    def prepared(self) -> Self:
        """Hooks and settings; its conversations are made short at a few thousand tokens, as its model counts them."""
        self.folder.mkdir(parents=True)
        (self.folder / "config.toml").write_text(CODEX_CONFIG.format(port=self.model.port, limit=COMPACT_TOKENS))
        (self.folder / "hooks.json").write_text(self.own_hooks())
        return self

    def turn(self, prompt: str, *, resume: bool = False) -> Ran:
        """`codex exec`."""
        return self.runs(["exec", *(["resume", "--last"] if resume else []), "--skip-git-repo-check", prompt])

    def session(self) -> str:
        """The key of the newest session."""
        newest = max(self.folder.glob("sessions/*/*/*/rollout-*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
        with newest.open(encoding="utf-8") as lines:
            return f"codex:{json.loads(next(lines))['payload']['id']}"

    def trusts(self) -> None:
        """What its dialog does when the person chooses to trust all."""
        with app_server(self) as call:
            call("initialize", {"clientInfo": {"name": "test", "title": "test", "version": "0"}})
            hooks = call("hooks/list", {"cwds": [str(self.project)]})["data"][0]["hooks"]
            state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
            edit = {"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}
            call("config/batchWrite", {"edits": [edit]})

    def trust_of_hooks(self) -> dict[str, str]:
        """What Codex itself says of each hook: its event, and `trusted`, `untrusted` or `modified`."""
        with app_server(self) as call:
            call("initialize", {"clientInfo": {"name": "test", "title": "test", "version": "0"}})
            hooks = call("hooks/list", {"cwds": [str(self.project)]})["data"][0]["hooks"]
        return {hook["eventName"]: hook["trustStatus"] for hook in hooks}


class RealClaude(RealClient):
    """Claude Code: `claude -p`, and `claude -c -p` for what comes later."""

    name = "claude-code"

    def own(self) -> dict[str, str]:
        """Where its model is; nothing else of it goes anywhere."""
        quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY")
        url = f"http://127.0.0.1:{self.model.port}"
        return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", **dict.fromkeys(quiet, "1")}

    def configured(self) -> Sequence[Path]:
        """Settings, servers and commands."""
        folder = self.user / ".claude"
        return [folder / "settings.json", self.user / ".claude.json", *sorted(folder.glob("commands/**/*.md"))]

    def prepared(self) -> Self:
        """A hook of the person's own."""
        (self.user / ".claude").mkdir(parents=True)
        (self.user / ".claude" / "settings.json").write_text(self.own_hooks())
        return self

    def turn(self, prompt: str, *, resume: bool = False) -> Ran:
        """`claude -p`, with the tools allowed that the script uses."""
        words = [*(["-c"] if resume else []), "--allowedTools", ALLOWED, "--model", "scripted"]
        return self.runs([*words, "-p", prompt])

    def forgets(self) -> None:
        """Its own command for that."""
        assert self.turn("/compact", resume=True).code == 0

    def session(self) -> str:
        """The key of the newest session."""
        found = (self.user / ".claude" / "projects").glob("*/*.jsonl")
        return f"claude-code:{max(found, key=lambda path: path.stat().st_mtime_ns).stem}"


@contextlib.contextmanager
def app_server(codex: RealCodex) -> Iterator[Callable[[str, object], Any]]:
    """Codex's own server for its dialogs: a function that calls it."""
    process = subprocess.Popen(  # noqa: S603 - the client that is tried
        [*codex.command, "app-server"],
        env=codex.environment(),
        cwd=codex.project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    timer = threading.Timer(TURN_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, process.stdout
    numbers = itertools.count(1)

    def call(method: str, parameters: object) -> Any:  # noqa: ANN401 - whatever the client answers
        number = next(numbers)
        stdin.write(json.dumps({"id": number, "method": method, "params": parameters}).encode() + b"\n")
        stdin.flush()
        for line in stdout:
            answer = json.loads(line)
            if answer.get("id") == number:
                return answer["result"]
        raise AssertionError(f"{method}: it ended")

    try:
        yield call
    finally:
        stdin.close()
        process.terminate()
        process.wait(LONG)
        timer.cancel()
        stdout.close()


def place_of(folder: Path) -> Path:
    """A place for a client: the person's folder, a project under git with a test, and a `gh` that opens nothing."""
    project = folder / "project"
    for made in (folder / "user", project / "tests", folder / "bin"):
        made.mkdir(parents=True)
    gh = folder / "bin" / "gh"
    gh.write_text(STUB_GH)
    gh.chmod(0o755)
    # Codex runs commands in a login shell, which takes PATH from the machine's profile first.
    (folder / "user" / ".profile").write_text(f"PATH={folder / 'bin'}:$PATH\n")
    (project / "tests" / "test_retry.py").write_text("import unittest\n\n\nclass Retry(unittest.TestCase):\n    pass\n")
    around = {"PATH": os.environ["PATH"], "HOME": str(folder / "user"), **GIT_PERSON}
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "A start"]):
        subprocess.run(["git", *words], cwd=project, env=around, check=True, timeout=LONG)  # noqa: S603, S607
    return folder
