"""Every command of `ferrule`, as data: what it is called, what it takes, and where its function is.

Owns the vocabulary of the command line; help texts, parsing and the test of completeness are all made from it. Standard
library only, so that `ferrule --help` costs one interpreter start. Knows nothing of what a command does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["COMMANDS", "GROUPS", "Command", "Option", "command_named"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option or positional argument; `settings` go to argparse as they are."""

    flags: tuple[str, ...]
    help: str
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `name` in words, its function as `module:function` below `ferrule.interfaces.cli`."""

    name: str
    group: str
    summary: str
    target: str
    options: tuple[Option, ...] = ()
    detail: str = ""


def _flag(name: str, text: str) -> Option:
    return Option((name,), text, {"action": "store_true"})


def _value(name: str, metavar: str, text: str, **settings: object) -> Option:
    return Option((name,), text, {"metavar": metavar, **settings})


def _word(name: str, text: str, **settings: object) -> Option:
    return Option((name,), text, {"metavar": name.upper(), **settings})


CLIENTS = ("claude-code", "codex")
HOME = _value("--home", "PATH", "the Ferrule home folder (default: $FERRULE_HOME, else your user data folder)")
JSON = _flag("--json", "one JSON object per line instead of text for people")
SESSION = _value("--session", "KEY", "session key, a unique prefix of one, or `last`", default="last")
ONTOLOGY = _value(
    "--ontology",
    "PATH",
    "a .pts file or a folder of them instead of the shipped base ontology (repeatable, in order)",
    action="append",
    default=[],
)
SOURCE = _word("source", "session key, a unique prefix of one, or `last`", nargs="?", default="last")
SOURCE_NEEDED = _word("source", "session key, a unique prefix of one, or `last`")
NAMED = _word("session", "session key, a unique prefix of one, or `last`")
FILES = _word("file", "a .pts file, or - for standard input", nargs="+")
AS_CRITIC = _value("--as-critic", "TURN", "judge as a critic's write on that turn: rules 8-12 bind too")
TURN = _word("turn", "turn key or ordinal")
FROM = _value(
    "--from", "FILE", "the transcript or neutral turn that holds the turn's text; - for standard input", dest="handed"
)
CLIENT = _word("client", "claude-code or codex")
CONFIG_DIR = _value("--config-dir", "PATH", "the folder of the client's configuration, if it is not the usual one")
DRY = _flag("--dry-run", "only show what would change")
YES = _flag("--yes", "do it; without it the command only shows what would change")

GROUPS = (
    ("start", "Start here"),
    ("follow", "Follow a session"),
    ("read", "Read what is remembered"),
    ("write", "Change it yourself"),
    ("agents", "For agents"),
    ("tools", "Tools"),
)

COMMANDS: tuple[Command, ...] = (
    Command(
        "try",
        "start",
        "review your newest local agent session without writing anything",
        "trying:run_try",
        (_value("--client", "NAME", "only this client", choices=CLIENTS), ONTOLOGY),
    ),
    Command(
        "install",
        "start",
        "put Ferrule into a client: hook, context at session start, memory search",
        "installing:run_install",
        (
            CLIENT,
            _value("--attach", "MODE", "auto (default): follow every session; manual: only after a thumbs-up"),
            _flag("--no-mcp", "without the memory search for the agent"),
            _flag("--status-line", "also show what is remembered in the client's status line"),
            CONFIG_DIR,
            YES,
            DRY,
        ),
        "Shows the change first. Everything else in the client's files stays byte for byte; `uninstall` takes it back.",
    ),
    Command(
        "uninstall",
        "start",
        "take Ferrule out of a client again; memory stays",
        "installing:run_uninstall",
        (CLIENT, CONFIG_DIR, YES, DRY),
    ),
    Command(
        "doctor",
        "start",
        "find what keeps a client, a hook or a worker from doing its part, and say the fix",
        "doctor:run_doctor",
        (_word("client", "only this client: claude-code or codex", nargs="?"), CONFIG_DIR),
    ),
    Command(
        "review",
        "start",
        "review the completed turns of a transcript and remember what deserves it",
        "reviewing:run_review",
        (
            _word("path", "transcript file, folder of transcripts, or - for standard input"),
            _value("--turn", "TURN", "only this turn: its key, or its ordinal from 1"),
            _flag("--dry-run", "decide, but write nothing"),
            ONTOLOGY,
        ),
        "Reads Claude Code sessions, Codex rollouts and the neutral one-turn JSON. A turn reviewed before is not "
        "reviewed again.",
    ),
    Command(
        "attach",
        "follow",
        "review one completed turn, and from now on every next one",
        "attaching:run_attach",
        (
            _word("source", "session key, a unique prefix of one, or `last` (default)", nargs="?"),
            _word("turn", "turn key or ordinal (default: the newest completed turn)", nargs="?"),
            FROM,
            _value("--reviewer", "NAME", "who reviews (default: embedded)"),
            _value("--provider", "NAME", "provider of the reviewer's model"),
            _value("--model", "NAME", "the reviewer's model"),
            _value("--reasoning", "LEVEL", "the model's reasoning level"),
            _value("--delivery", "MODE", "how the next turns' events come: local, queue-input, webhook"),
            _value("--ttl", "SECONDS", "take events for so long only (default: until detached)", type=float),
        ),
        "Returns at once; a worker reviews. Older turns are never looked at. With --from the source is the file's: a "
        "single word is then the turn. What is left out stays as it was chosen before.",
    ),
    Command(
        "detach",
        "follow",
        "stop reviewing a session; its memory stays",
        "attaching:run_detach",
        (SOURCE,),
        "Turns that wait for a review are withdrawn. Attaching again takes the same companion.",
    ),
    Command(
        "pause",
        "follow",
        "let a session's reviews rest; its turns go on queueing",
        "attaching:run_pause",
        (SOURCE,),
    ),
    Command(
        "resume",
        "follow",
        "let a session's reviews go on",
        "attaching:run_resume",
        (SOURCE, _flag("--parked", "also review again what was given up after too many attempts")),
    ),
    Command(
        "feedback",
        "follow",
        "say what you think of a turn: up attaches, neutral and down only keep it",
        "attaching:run_feedback",
        (SOURCE_NEEDED, TURN, _word("value", "up, neutral or down"), FROM),
    ),
    Command(
        "thumbs-up",
        "follow",
        "the same as `feedback SOURCE TURN up`",
        "attaching:run_thumbs_up",
        (SOURCE_NEEDED, TURN, FROM),
    ),
    Command(
        "dispatch",
        "agents",
        "hand in one session event: a completed turn is queued for review",
        "dispatching:run_dispatch",
        (
            _word("file", "the event's JSON envelope, - for standard input", nargs="?", default="-"),
            FROM,
            _value("--road", "MODE", "how it came: local (default), queue-input, webhook"),
            _value("--signature", "TEXT", "the X-Ferrule-Signature that came with it (webhook)"),
        ),
        "Envelope: {EventId, EventType, SourceSessionKey, TargetSessionKey, OccurredUtc, Data: {TurnKey}}. The turn's "
        "text was imported before, or comes with --from. The same event again changes nothing. A webhook's signature "
        "is sha256= and the hex HMAC-SHA256 of the raw bytes; its key is the text of webhook.key in the home.",
    ),
    Command(
        "call",
        "agents",
        "call a platform action by its name, with JSON parameters",
        "dispatching:run_call",
        (
            _word(
                "action", "such as ToAttachOnlineSessionMemoryCriticToSession; without one they are listed", nargs="?"
            ),
            _word("parameters", "a JSON object, - for standard input (default: none)", nargs="?", default="{}"),
            _value("--session", "KEY", "the session that calls, for actions that need one"),
        ),
    ),
    Command(
        "worker",
        "follow",
        "review what is queued, in this process, until nothing is left to do",
        "working:run_worker_here",
        (
            _value("--idle", "SECONDS", "wait so long for more before leaving (default: 60)", type=float),
            _flag("--once", "leave as soon as nothing is due"),
        ),
        "Usually nobody types it: what queues a turn starts a worker. A home has one at a time.",
    ),
    Command(
        "status",
        "follow",
        "how a session and its companion stand, and what to do next",
        "standing:run_status",
        (SOURCE, _flag("--all", "every session in a table, attached ones first")),
    ),
    Command(
        "catch-up",
        "follow",
        "review the stored turns that nobody reviewed, oldest first",
        "catching_up:run_catch_up",
        (
            _word("source", "session key, a unique prefix of one, or `last` (default)", nargs="?"),
            _value(
                "--from",
                "PATH",
                "first take the turns of this transcript, folder of transcripts, or - for standard input",
                dest="transcripts",
            ),
            _flag("--next", "only the next turn"),
            _flag("--reset", "forget the batch: what still waits of it is taken out, reviews stay"),
            _flag("--dry-run", "only show what would be reviewed, and why not the rest"),
            ONTOLOGY,
        ),
        "Never happens by itself. Stopped anywhere, it goes on where it was; new turns that come meanwhile wait in the "
        "same lane.",
    ),
    Command(
        "sessions list",
        "read",
        "list the sessions that Ferrule knows",
        "sessions:run_list",
        (_flag("--hidden", "companions too"),),
    ),
    Command(
        "sessions show",
        "read",
        "show one session: where it belongs, and what became of its turns",
        "sessions:run_show",
        (
            NAMED,
            _flag("--hidden", "its companion too"),
            _value("--limit", "N", "the newest so many turns (default 20)", type=int, default=20),
        ),
    ),
    Command(
        "sessions archive",
        "write",
        "let a session rest: nothing of it is reviewed, its memory stays",
        "sessions:run_archive",
        (NAMED,),
    ),
    Command("sessions unarchive", "write", "bring an archived session back", "sessions:run_unarchive", (NAMED,)),
    Command(
        "memory list",
        "read",
        "list the memories of a session",
        "memory_reading:run_list",
        (SESSION, ONTOLOGY),
    ),
    Command(
        "memory show",
        "read",
        "show one memory: values, handles, origin, definition",
        "memory_reading:run_show",
        (_word("name", "the name of the memory"), SESSION, ONTOLOGY),
    ),
    Command(
        "memory search",
        "read",
        "search by handle, name, alias or words",
        "memory_reading:run_search",
        (
            _word("words", "what to look for", nargs="+"),
            _value("--limit", "N", "at most so many (default 10)", type=int, default=10),
            SESSION,
            ONTOLOGY,
        ),
    ),
    Command(
        "memory export",
        "read",
        "print a session's memory as ProtoScript",
        "memory_reading:run_export",
        (SESSION, _value("--out", "FILE", "write to this file instead of standard output"), ONTOLOGY),
    ),
    Command(
        "explain",
        "read",
        "tell why something was, or was not, remembered",
        "explaining:run_explain",
        (
            SOURCE,
            _word("turn", "turn key or ordinal (default: every reviewed turn)", nargs="?"),
            _value("--about", "WORDS", "only what is called so, or whose evidence says so"),
        ),
    ),
    Command("log", "read", "one line per reviewed turn", "explaining:run_log", (SOURCE,)),
    Command(
        "memory check",
        "write",
        "judge a definition without writing it",
        "memory_writing:run_check",
        (FILES, SESSION, AS_CRITIC, ONTOLOGY),
    ),
    Command(
        "memory write",
        "write",
        "write a memory of your own into a session",
        "memory_writing:run_write",
        (FILES, SESSION, AS_CRITIC, ONTOLOGY),
    ),
    Command(
        "memory forget",
        "write",
        "forget memories, and do not learn them again",
        "memory_writing:run_forget",
        (_word("name", "names of memories", nargs="*"), _flag("--all", "forget all of them"), SESSION, YES),
    ),
    Command(
        "memory unforget",
        "write",
        "lift the ban on learning something again",
        "memory_writing:run_unforget",
        (_word("name", "name of the memory, or its identity key"), SESSION, YES),
    ),
    Command(
        "context",
        "agents",
        "the text that tells an agent what its session remembers",
        "context:run_context",
        (
            SESSION,
            _value("--client", "NAME", "answer this client's SessionStart on standard input", choices=CLIENTS),
            ONTOLOGY,
        ),
        "With --client it never fails and never waits long: it prints the client's own JSON, or nothing.",
    ),
    Command(
        "mcp",
        "agents",
        "serve memory to an agent over MCP (stdio; read only)",
        "serving:run_mcp",
        (_value("--session", "KEY", "serve only this session"), ONTOLOGY),
    ),
    Command(
        "check",
        "tools",
        "check ProtoScript files: diagnostics and canonical tree",
        "checking:run_check",
        (FILES,),
    ),
    Command(
        "bench",
        "tools",
        "review benchmark turns in isolation, write predictions and figures",
        "benching:run_bench",
        (
            _value("--turns", "FILE", "one completed turn per line", required=True),
            _value("--labels", "FILE", "gold labels, one line per turn", required=True),
            _value("--out", "DIR", "folder for predictions and figures", required=True),
            _value("--threshold", "X", "how sure the embedded reviewer must be, above 0 and below 1", type=float),
            ONTOLOGY,
        ),
    ),
)


def command_named(words: list[str]) -> tuple[Command, list[str]] | None:
    """The command that the words start with and the words after it, or None. Longer names win."""
    for size in (2, 1):
        name = " ".join(words[:size])
        found = next((command for command in COMMANDS if command.name == name), None)
        if found is not None:
            return found, words[size:]
    return None
