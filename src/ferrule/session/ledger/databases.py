"""What commands did with databases: which one, on which host, and whether they made or dropped it.

Owns the clients as data. Never looks at a password; an address with one is left to those who take it off. Knows nothing
of schemas.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from ferrule.referents.expressions import expression
from ferrule.referents.kinds import HandleKind
from ferrule.session.ledger.commands import Command
from ferrule.session.ledger.options import Parsed, parse
from ferrule.session.ledger.steps import Scene, Step, is_path_like, path_step, usable
from ferrule.session.turn import Verb

__all__ = ["DATABASE_PROGRAMS"]

_STATEMENT = expression(
    r"\b(create|drop)\s{1,4}database\s{1,4}(?:if\s{1,4}(?:not\s{1,4})?exists\s{1,4})?[\"'`\[]?([A-Za-z_][\w$-]{0,62})",
    re.IGNORECASE,
)

_Steps = Iterator[Step | None]


def _postgres(command: Command, scene: Scene) -> _Steps:
    options = parse(
        command.words[1:], ("-d", "--dbname", "-h", "--host", "-U", "-p", "-c", "-f", "-v", "--username", "-o")
    )
    yield from _database(options, options.value("-d", "--dbname") or (options.operands[0] if options.operands else ""))
    yield from _script(options.value("-f"), scene)


def _mysql(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-h", "--host", "-u", "-P", "-e", "-D", "--database", "--user"))
    yield from _database(
        options, options.value("-D", "--database") or (options.operands[0] if options.operands else "")
    )


def _database(options: Parsed, name: str) -> _Steps:
    host = options.value("-h", "--host")
    if host and usable(host):
        yield Step(Verb.RAN, host, HandleKind.HOST, detail="database")
    if name and usable(name) and "://" not in name:
        yield Step(Verb.RAN, name, HandleKind.DATABASE_ID)
    for found in _STATEMENT.finditer(options.value("-c", "-e", "--eval")[:2000]):
        verb = Verb.CREATED if found[1].lower() == "create" else Verb.DELETED
        yield Step(verb, found[2], HandleKind.DATABASE_ID)


def _script(path: str, scene: Scene) -> _Steps:
    if path:
        yield path_step(Verb.RAN, path, scene)


def _created_database(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-h", "-U", "-O", "-p", "-E", "-T", "--host", "--owner"))
    if options.operands and usable(options.operands[0]):
        verb = Verb.CREATED if command.program == "createdb" else Verb.DELETED
        yield Step(verb, options.operands[0], HandleKind.DATABASE_ID)


def _sqlite(command: Command, scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-cmd", "-init", "-separator", "-nullvalue"))
    if options.operands and is_path_like(options.operands[0]):
        yield path_step(Verb.RAN, options.operands[0], scene, detail="database")


def _mongo(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("--host", "--port", "-u", "-p", "--eval", "-d", "--db", "--file", "--out"))
    yield from _database(options, options.value("-d", "--db") or (options.operands[0] if options.operands else ""))


def _redis(command: Command, _scene: Scene) -> _Steps:
    options = parse(command.words[1:], ("-h", "-p", "-n", "-a", "-u", "--user"))
    host = options.value("-h")
    if host and usable(host):
        yield Step(Verb.RAN, host, HandleKind.HOST, detail="database")


def _server(command: Command, _scene: Scene) -> _Steps:
    options = parse(
        command.words[1:], ("-S", "-d", "-U", "-P", "-Q", "-q", "-i", "-h", "--host", "--database", "--query")
    )
    host, name = options.value("-S", "-h", "--host"), options.value("-d", "--database")
    if host and usable(host):
        yield Step(Verb.RAN, host, HandleKind.HOST, detail="database")
    if name and usable(name):
        yield Step(Verb.RAN, name, HandleKind.DATABASE_ID)


DATABASE_PROGRAMS: Mapping[str, Callable[[Command, Scene], _Steps]] = {
    "psql": _postgres,
    "pg_dump": _postgres,
    "pg_restore": _postgres,
    "createdb": _created_database,
    "dropdb": _created_database,
    "mysql": _mysql,
    "mariadb": _mysql,
    "mysqldump": _mysql,
    "sqlite3": _sqlite,
    "duckdb": _sqlite,
    "mongosh": _mongo,
    "mongo": _mongo,
    "mongodump": _mongo,
    "mongorestore": _mongo,
    "redis-cli": _redis,
    "sqlcmd": _server,
    "clickhouse-client": _server,
}
