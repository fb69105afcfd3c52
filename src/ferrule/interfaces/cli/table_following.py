"""The commands that put Ferrule into a client and follow a session, as data.

Owns their names, words and options; each says where its function is. Knows nothing of what they do.
"""

from ferrule.interfaces.cli.vocabulary import (
    ANYWAY,
    CLIENT,
    CLIENTS,
    CONFIG_DIR,
    DRY,
    FROM,
    HERE,
    ONTOLOGY,
    SOURCE,
    SOURCE_NEEDED,
    TURN,
    YES,
    Command,
    flag,
    value,
    word,
)

__all__ = ["FOLLOWING"]

PATH = word("path", "a folder of the project (default: this one)", nargs="?", default=".")
PROJECT = value("--project", "PATH", "every session of this folder's repository, later ones too")

FOLLOWING: tuple[Command, ...] = (
    Command(
        "try",
        "start",
        "review your newest local agent session without writing anything",
        "trying:run_try",
        (value("--client", "NAME", "only this client", choices=CLIENTS), ONTOLOGY),
    ),
    Command(
        "install",
        "start",
        "put Ferrule into a client: hook, context at session start, memory search",
        "installing:run_install",
        (
            CLIENT,
            value("--attach", "MODE", "auto (default): follow every session; manual: only after a thumbs-up"),
            flag("--no-mcp", "without the memory search for the agent"),
            flag("--status-line", "also show what is remembered in the client's status line"),
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
        (word("client", "only this client: claude-code or codex", nargs="?"), CONFIG_DIR),
    ),
    Command(
        "review",
        "start",
        "review the completed turns of a transcript and remember what deserves it",
        "reviewing:run_review",
        (
            word("path", "transcript file, folder of transcripts, or - for standard input"),
            value("--turn", "TURN", "only this turn: its key, or its ordinal from 1"),
            value("--format", "NAME", "what the file is, where its shape alone does not tell"),
            flag("--dry-run", "decide, but write nothing"),
            ANYWAY,
            ONTOLOGY,
        ),
        "Reads the sessions of many clients and frameworks, found by their shape, and the neutral "
        "one-turn JSON. A turn reviewed before is not reviewed again.",
    ),
    Command(
        "attach",
        "follow",
        "review one completed turn, and from now on every next one",
        "attaching:run_attach",
        (
            word("source", "session key, a unique prefix of one, or `last` (default)", nargs="?"),
            word("turn", "turn key or ordinal (default: the newest completed turn)", nargs="?"),
            FROM,
            value("--reviewer", "NAME", "who reviews (default: embedded)"),
            value("--provider", "NAME", "provider of the reviewer's model"),
            value("--model", "NAME", "the reviewer's model"),
            value("--reasoning", "LEVEL", "the model's reasoning level"),
            value("--delivery", "MODE", "how the next turns' events come: local, queue-input, webhook"),
            value("--ttl", "SECONDS", "take events for so long only (default: until detached)", type=float),
            *HERE,
            ANYWAY,
        ),
        "Returns at once; a worker reviews. Older turns are never looked at. With --from the source is the file's: a "
        "single word is then the turn. What is left out stays as it was chosen before.",
    ),
    Command(
        "detach",
        "follow",
        "stop reviewing a session; its memory stays",
        "attaching:run_detach",
        (SOURCE, *HERE),
        "Turns that wait for a review are withdrawn. Attaching again takes the same companion.",
    ),
    Command(
        "pause",
        "follow",
        "let a session's reviews rest, or a project's; turns go on queueing",
        "attaching:run_pause",
        (SOURCE, PROJECT, *HERE),
    ),
    Command(
        "resume",
        "follow",
        "let a session's reviews go on, or a project's",
        "attaching:run_resume",
        (SOURCE, flag("--parked", "also review again what was given up after too many attempts"), PROJECT, *HERE),
    ),
    Command(
        "off",
        "follow",
        "capture nothing of a project any more",
        "quieting:run_off",
        (PATH,),
        "Goes by the folder's repository, its linked worktrees included; kept in settings.toml. What is remembered "
        "stays. The same say: an empty file .ferrule/off in the repository, and patterns in settings.toml: "
        'ignore = ["~/private/**"].',
    ),
    Command("on", "follow", "let a project be captured again", "quieting:run_on", (PATH,)),
    Command(
        "feedback",
        "follow",
        "say what you think of a turn: up attaches, neutral and down only keep it",
        "attaching:run_feedback",
        (SOURCE_NEEDED, TURN, word("value", "up, neutral or down"), FROM, ANYWAY),
    ),
    Command(
        "thumbs-up",
        "follow",
        "the same as `feedback SOURCE TURN up`",
        "attaching:run_thumbs_up",
        (
            word("source", "session key, a unique prefix of one, or `last`", nargs="?"),
            word("turn", "turn key or ordinal (with --here default: the newest completed turn)", nargs="?"),
            FROM,
            *HERE,
            ANYWAY,
        ),
    ),
    Command(
        "dispatch",
        "agents",
        "hand in one session event: a completed turn is queued for review",
        "dispatching:run_dispatch",
        (
            word("file", "the event's JSON envelope, - for standard input", nargs="?", default="-"),
            FROM,
            value("--road", "MODE", "how it came: local (default), queue-input, webhook"),
            value("--signature", "TEXT", "the X-Ferrule-Signature that came with it (webhook)"),
            ANYWAY,
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
            word(
                "action", "such as ToAttachOnlineSessionMemoryCriticToSession; without one they are listed", nargs="?"
            ),
            word("parameters", "a JSON object, - for standard input (default: none)", nargs="?", default="{}"),
            value("--session", "KEY", "the session that calls, for actions that need one"),
        ),
    ),
    Command(
        "worker",
        "follow",
        "review what is queued, in this process, until nothing is left to do",
        "working:run_worker_here",
        (
            value("--idle", "SECONDS", "wait so long for more before leaving (default: 60)", type=float),
            flag("--once", "leave as soon as nothing is due"),
        ),
        "Usually nobody types it: what queues a turn starts a worker. A home has one at a time.",
    ),
    Command(
        "status",
        "follow",
        "how a session and its companion stand, and what to do next",
        "standing:run_status",
        (SOURCE, flag("--all", "every session in a table, attached ones first"), *HERE),
    ),
    Command(
        "catch-up",
        "follow",
        "review the stored turns that nobody reviewed, oldest first",
        "catching_up:run_catch_up",
        (
            word("source", "session key, a unique prefix of one, or `last` (default)", nargs="?"),
            value(
                "--from",
                "PATH",
                "first take the turns of this transcript, folder of transcripts, or - for standard input",
                dest="transcripts",
            ),
            flag("--next", "only the next turn"),
            flag("--reset", "forget the batch: what still waits of it is taken out, reviews stay"),
            flag("--dry-run", "only show what would be reviewed, and why not the rest"),
            ANYWAY,
            ONTOLOGY,
        ),
        "Never happens by itself. Stopped anywhere, it goes on where it was; new turns that come meanwhile wait in the "
        "same lane.",
    ),
)
