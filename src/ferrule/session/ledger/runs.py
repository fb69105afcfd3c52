"""Which commands test, build, deploy or just run something: the command itself is the handle.

Owns the names of runners, builders and task programs as data. Knows nothing of files, git or hosts.
"""

import re
from collections.abc import Mapping

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import names, parse
from ferrule.session.ledger.steps import Scene, Step, is_path_like, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["run_steps"]

_TESTERS = names(
    "pytest py.test tox nox jest vitest mocha ava karma rspec phpunit ctest cypress playwright bats gotestsum nextest "
    "behave nosetests nose2 tap stryker cucumber minitest xctest"
)
_BUILDERS = names(
    "tsc webpack rollup esbuild vite ninja cmake msbuild xcodebuild bazel buck pyinstaller goreleaser gcc g++ clang "
    "clang++ cc rustc javac wasm-pack tsup swc parcel hugo mkdocs sphinx-build electron-builder vsce"
)
_DEPLOYERS = names("terraform tofu pulumi fly flyctl vercel netlify wrangler serverless sls cdk ansible-playbook")
_RUNNER_PREFIXES = names("npx bunx pnpx uvx dlx")
_RUN_WORDS = frozenset({"run", "exec", "run-script", "--", "x", "dlx"})
_TASK_PROGRAMS = names(
    "npm pnpm yarn bun make gmake just task mise rake gradle gradlew mvn mvnw cargo go dotnet swift deno uv poetry "
    "pipenv hatch pdm bundle nx turbo lerna rush invoke inv tox ant sbt mix composer php rails django-admin"
)
_PROGRAM_WORDS: Mapping[str, Verb] = {
    "test": Verb.TESTED,
    "tests": Verb.TESTED,
    "t": Verb.TESTED,
    "spec": Verb.TESTED,
    "check": Verb.TESTED,
    "verify": Verb.TESTED,
    "e2e": Verb.TESTED,
    "nextest": Verb.TESTED,
    "bench": Verb.TESTED,
    "build": Verb.BUILT,
    "compile": Verb.BUILT,
    "package": Verb.BUILT,
    "dist": Verb.BUILT,
    "bundle": Verb.BUILT,
    "assemble": Verb.BUILT,
    "deploy": Verb.DEPLOYED,
    "start": Verb.STARTED,
    "dev": Verb.STARTED,
    "serve": Verb.STARTED,
    "preview": Verb.STARTED,
    "release": Verb.RELEASED,
}
_SILENT = names(
    "echo printf true false sleep export set source . pwd wait read test [ [[ exit return local type which date clear "
    "alias unset shift trap kill ps env whoami sort uniq cut tr awk jq column diff history jobs fg bg declare yes seq "
    "basename dirname realpath readlink stat file du df id uname hostname cd pushd popd let shopt ulimit tee-output "
    "xxd od hexdump md5sum sha256sum shasum base64 comm paste rev fold fmt nproc free top uptime pgrep pkill lsof "
    "netstat ss command hash continue break : write-host write-output start-sleep get-date select-object where-object "
    "foreach-object format-table measure-object out-string get-process get-command set-location break done"
)
_INTERPRETERS = expression(
    r"(?:python|python3|python3\.\d{1,2}|node|ruby|perl|php|deno|bun|tsx|ts-node|bash|sh|zsh|pwsh)"
)
_TASK_VALUES = ("--filter", "-F", "-C", "--dir", "--prefix", "-w", "--workspace", "--cwd", "-f", "-p", "--package")
_MANY_TASKS = frozenset({"make", "gmake", "mvn", "mvnw", "gradle", "gradlew", "just", "nx", "turbo"})
_SENTENCE = expression(r"[A-Z][a-z]{1,20}(?: [A-Za-z,.'/-]{1,30}){2,40}")
_PIECE = expression(r"[:_.\-/]")


def run_steps(command: Command, scene: Scene) -> list[Step]:
    """The steps of a command that no other family knows: it tested, built, deployed, started or ran something."""
    if not command.words or command.program in _SILENT or not _is_program(command.words[0]):
        return []
    words = _without_prefix(list(command.words))
    if _SENTENCE.fullmatch(command.text):
        return []
    verb = _verb(words)
    kind = None if _is_one_off(command, words) else HandleKind.COMMAND
    steps = [Step(verb, command.text, kind)] if len(command.text) <= 400 else []  # noqa: PLR2004 - a command to keep is short
    script = _script(words)
    if script:
        step = path_step(Verb.RAN, script, scene)
        steps += [step] if step is not None else []
    return steps


def _is_one_off(command: Command, words: list[str]) -> bool:
    """Whether a command is code written for once: a handle must be worth running again."""
    inline = _INTERPRETERS.fullmatch(_base(words[0])) and {"-c", "-e", "-p", "--eval", "-", "-Command"} & set(words[1:])
    fed = any(redirect.sign.startswith("<<") for redirect in command.redirects)
    return bool(inline) or fed or "\n" in command.text


def _is_program(word: str) -> bool:
    return usable(word) and re.fullmatch(r"[A-Za-z_@.~/][\w@.+~/\\:-]{0,300}", word) is not None


def _without_prefix(words: list[str]) -> list[str]:
    """The words of the program that a runner such as `npx`, `uv run` or `bundle exec` starts."""
    for _ in range(3):
        program = _base(words[0])
        if program in _RUNNER_PREFIXES:
            rest = words[1:]
        elif (
            program in {"uv", "poetry", "pipenv", "hatch", "pdm", "bundle", "mise", "pnpm", "yarn"}
            and words[1:2]
            and (words[1] in {"run", "exec", "x"})
        ):
            rest = words[2:]
            if program == "mise" and words[1] in {"run", "r"}:
                return ["mise", *rest]
            if program in {"pnpm", "yarn"} and words[1] == "run":
                return [program, *rest]
        elif re.fullmatch(r"python[\d.]{0,5}", program) and words[1:2] == ["-m"]:
            rest = words[2:]
        else:
            return words
        while rest and rest[0].startswith("-"):
            rest = rest[1:]
        if not rest:
            return words
        words = rest
    return words


def _base(word: str) -> str:
    return re.split(r"[\\/]", word)[-1].lower().removesuffix(".exe").removesuffix(".cmd")


def _verb(words: list[str]) -> Verb:
    program = _base(words[0])
    if program in _TESTERS or program == "unittest":
        return Verb.TESTED
    if program in _BUILDERS:
        return Verb.BUILT
    if program in _DEPLOYERS:
        deploying = {"deploy", "apply", "up", "publish"}.intersection(words[1:])
        return Verb.DEPLOYED if deploying or program == "ansible-playbook" else Verb.RAN
    if program not in _TASK_PROGRAMS:
        return Verb.RAN
    operands = parse(words[1:], _TASK_VALUES)
    given = (*operands.operands, *operands.after_dashes)
    tasks = [word for word in given if "=" not in word and word not in _RUN_WORDS]
    for task in tasks[: 3 if program in _MANY_TASKS else 1]:
        for piece in () if is_path_like(task) else _PIECE.split(task.lower()):
            if piece in _PROGRAM_WORDS:
                return _PROGRAM_WORDS[piece]
    return Verb.BUILT if program in {"make", "gmake"} and not tasks else Verb.RAN


def _script(words: list[str]) -> str:
    """The script file that an interpreter runs, or the program itself where it is written as a path."""
    if _INTERPRETERS.fullmatch(_base(words[0])):
        at = 1
        while at < len(words) and words[at].startswith("-"):
            if words[at] in {"-c", "-e", "-m", "-p", "--eval"}:
                return ""
            if words[at].lower() == "-file":
                return words[at + 1] if at + 1 < len(words) else ""
            at += 1
        return words[at] if at < len(words) and is_path_like(words[at]) else ""
    return words[0] if words[0].startswith(("./", "../", "/", "~/")) and "bin/" not in words[0] else ""
