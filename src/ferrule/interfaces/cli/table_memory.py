"""The commands that read and change what is remembered, serve agents, and the tools beside them, as data.

Owns their names, words and options; each says where its function is. Knows nothing of what they do.
"""

from ferrule.interfaces.cli.vocabulary import (
    AS_CRITIC,
    CLIENTS,
    FILES,
    HERE,
    NAMED,
    ONTOLOGY,
    SESSION,
    SOURCE,
    YES,
    Command,
    flag,
    value,
    word,
)

__all__ = ["MEMORY"]

MEMORY: tuple[Command, ...] = (
    Command(
        "sessions list",
        "read",
        "list the sessions that Ferrule knows",
        "sessions:run_list",
        (flag("--hidden", "companions too"),),
    ),
    Command(
        "sessions show",
        "read",
        "show one session: where it belongs, and what became of its turns",
        "sessions:run_show",
        (
            NAMED,
            flag("--hidden", "its companion too"),
            value("--limit", "N", "the newest so many turns (default 20)", type=int, default=20),
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
        (
            value("--type", "T", "everything that is a T, in name order: of its lineage and what is permanent too"),
            value("--after", "NAME", "with --type: only what comes behind this name, for the next page"),
            value("--limit", "N", "with --type: at most so many (default 100)", type=int, default=100),
            SESSION,
            *HERE,
            ONTOLOGY,
        ),
    ),
    Command(
        "memory show",
        "read",
        "show one memory: values, handles, origin, definition",
        "memory_reading:run_show",
        (word("name", "the name of the memory"), SESSION, *HERE, ONTOLOGY),
    ),
    Command(
        "memory search",
        "read",
        "search by handle, name, alias or words",
        "memory_reading:run_search",
        (
            word("words", "what to look for; with --type it may be left out", nargs="*"),
            value("--type", "T", "only what is a T, its subtypes' things included"),
            value("--limit", "N", "at most so many (default 10)", type=int, default=10),
            SESSION,
            *HERE,
            ONTOLOGY,
        ),
    ),
    Command(
        "memory export",
        "read",
        "print a session's memory as ProtoScript, JSON or Markdown",
        "memory_reading:run_export",
        (
            SESSION,
            value(
                "--format",
                "FORM",
                "pts (default), json: one object per memory, or md: for reading",
                choices=("pts", "json", "md"),
                default="pts",
            ),
            value("--out", "FILE", "write to this file instead of standard output"),
            ONTOLOGY,
        ),
    ),
    Command(
        "explain",
        "read",
        "tell why something was, or was not, remembered",
        "explaining:run_explain",
        (
            SOURCE,
            word("turn", "turn key or ordinal (default: every reviewed turn)", nargs="?"),
            value("--about", "WORDS", "only what is called so, or whose evidence says so"),
            *HERE,
        ),
    ),
    Command(
        "log",
        "read",
        "one line per reviewed turn; --all: what became of every turn of every session",
        "turn_log:run_log",
        (
            SOURCE,
            flag("--all", "every session, newest last, turns that were not reviewed too"),
            value("--limit", "N", "with --all: the newest so many turns (default 50)", type=int, default=50),
            *HERE,
        ),
    ),
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
        (word("name", "names of memories", nargs="*"), flag("--all", "forget all of them"), SESSION, *HERE, YES),
    ),
    Command(
        "memory unforget",
        "write",
        "lift the ban on learning something again",
        "memory_writing:run_unforget",
        (word("name", "name of the memory, or its identity key"), SESSION, YES),
    ),
    Command(
        "context",
        "agents",
        "the text that tells an agent what its session remembers",
        "context:run_context",
        (
            SESSION,
            value("--client", "NAME", "answer this client's SessionStart on standard input", choices=CLIENTS),
            ONTOLOGY,
        ),
        "With --client it never fails and never waits long: it prints the client's own JSON, or nothing.",
    ),
    Command(
        "status-line",
        "agents",
        "one short line about the session that Claude Code's status names",
        "status_line:run_status_line",
        (),
        "Reads the client's status on standard input; says nothing, with exit code 0, where it knows nothing. "
        "`ferrule install claude-code --status-line` puts a lighter way to the same line in.",
    ),
    Command(
        "mcp",
        "agents",
        "serve memory to an agent over MCP (stdio; read only)",
        "serving:run_mcp",
        (value("--session", "KEY", "serve only this session"), ONTOLOGY),
    ),
    Command(
        "check",
        "tools",
        "check ProtoScript files: diagnostics and canonical tree",
        "checking:run_check",
        (FILES,),
    ),
)
