"""Secrets and settings that a command line stores with a service: by their names, never by their values (R27).

Owns those command shapes as data. Knows nothing of files in which settings may lie.
"""

import re

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import parse
from ferrule.session.ledger.steps import Step
from ferrule.session.turn import Verb

__all__ = ["setting_steps"]

# program -> words that may stand before the name, and whether what is stored is a secret
_STORES: dict[str, tuple[tuple[tuple[str, ...], bool], ...]] = {
    "vercel": ((("env", "add"), False),),
    "netlify": ((("env:set",), False),),
    "fly": ((("secrets", "set"), True),),
    "flyctl": ((("secrets", "set"), True),),
    "heroku": ((("config:set",), False),),
    "wrangler": ((("secret", "put"), True),),
    "supabase": ((("secrets", "set"), True),),
    "doppler": ((("secrets", "set"), True),),
    "gcloud": ((("secrets", "create"), True), (("secrets", "versions", "add"), True)),
    "railway": ((("variables", "set"), False),),
    "pulumi": ((("config", "set"), False),),
    "firebase": ((("functions:secrets:set",), True),),
    "dotenvx": ((("set",), False),),
}
_GONE = {"rm", "remove", "delete", "unset", "config:unset", "env:unset", "destroy"}
_NAME = expression(r"[A-Za-z][\w.-]{1,80}")
_SECRET = expression(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|PRIVATE|DSN", re.IGNORECASE)
_VALUES = ("-a", "--app", "-e", "--env", "-p", "--project", "-c", "--config", "--stack", "-s", "--data-file", "--name")
_MOST = 10


def setting_steps(command: Command) -> list[Step]:
    """The names that a command stores or removes; empty when it stores none."""
    options = parse(command.words[1:], _VALUES)
    operands = options.operands
    if command.program == "aws" and operands[:1] == ("secretsmanager",):
        stores = any(word.startswith(("create", "put")) for word in operands[1:2])
        return _steps((options.value("--name"),), Verb.CONFIGURED, secret=True) if stores else []
    for words, secret in _STORES.get(command.program, ()):
        if operands[: len(words)] == words:
            return _steps(operands[len(words) :], Verb.CONFIGURED, secret=secret)
        if (
            len(words) > 1
            and operands[: len(words) - 1] == words[:-1]
            and operands[len(words) - 1 :][:1]
            and (operands[len(words) - 1] in _GONE)
        ):
            return _steps(operands[len(words) :], Verb.DELETED, secret=secret)
    return []


def _steps(names: tuple[str, ...], verb: Verb, *, secret: bool) -> list[Step]:
    found = []
    for word in names[:_MOST]:
        name = word.partition("=")[0]
        if _NAME.fullmatch(name) and ("=" in word or name.isupper() or len(names) == 1 or word is names[0]):
            kind = HandleKind.SECRET_NAME if secret or _SECRET.search(name) else HandleKind.OTHER_ID
            found.append(Step(verb, name, kind, detail="setting"))
    return found if len(found) < 2 or any("=" in word for word in names) else found[:1]  # noqa: PLR2004 - `NAME VALUE`
