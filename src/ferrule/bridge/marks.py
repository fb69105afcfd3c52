"""Marks by which text that nobody typed is known: recalled context, client reminders, boot files (R16, PEER-D02).

Owns the words and tags, as data. `recall` writes its context between `RECALL_OPEN` and `RECALL_CLOSE`, the cutter finds
it again by the same two constants, so that a memory never learns from itself. Knows nothing of how a text is cut.
"""

import re

from ferrule.referents.expressions import expression

__all__ = [
    "BOOT_LINE",
    "FOREIGN_MESSAGE",
    "FOREIGN_TAGS",
    "FOREIGN_TAG_WORDS",
    "RECALL_CLOSE",
    "RECALL_OPEN",
    "REFERENCED_END",
    "REFERENCED_START",
    "USERS_TAGS",
    "attributions",
    "recall_open",
]

RECALL_OPEN = '<ferrule-memory session="'
RECALL_CLOSE = "</ferrule-memory>"

# Tags that clients put around what they add to a prompt. Found anywhere; without a closing tag they run to the end.
FOREIGN_TAGS = frozenset(
    [
        "ferrule-memory",
        "system-reminder",
        "system_reminder",
        "environment_context",
        "environment_details",
        "uploaded_files",
        "user_instructions",
        "instructions",
        "local-command-stdout",
        "local-command-stderr",
        "local-command-caveat",
        "bash-stdout",
        "bash-stderr",
        "task-notification",
        "teammate-message",
        "user-prompt-submit-hook",
        "session-start-hook",
        "ide_opened_file",
        "ide_selection",
        "ide_diagnostics",
        "attached_files",
        "attachment",
        "attachments",
        "additional_data",
        "open_and_recently_viewed_files",
        "cursor_rules",
        "user_info",
        "project_layout",
        "git_status",
        "workspace_info",
        "editorcontext",
        "reminderinstructions",
        "collaboration_mode",
        "skill",
        "skills_instructions",
        "permissions",
        "turn_aborted",
        "subagent_notification",
        "issue_description",
        "tool_use_error",
        "new-diagnostics",
        "pull_request_description",
        "hook_additional_context",
        "recalled_memory",
        "memory_context",
    ]
)

# A tag on a line of its own, outside that table, is foreign when one word of its name says that it holds material.
FOREIGN_TAG_WORDS = frozenset(
    [
        "file",
        "files",
        "document",
        "documents",
        "context",
        "reminder",
        "stdout",
        "stderr",
        "output",
        "log",
        "logs",
        "environment",
        "result",
        "results",
        "attachment",
        "transcript",
        "history",
        "content",
        "contents",
        "diff",
        "patch",
        "snippet",
        "trace",
        "traceback",
        "dump",
        "response",
        "memory",
        "memories",
        "selection",
        "page",
        "webpage",
        "article",
        "email",
        "excerpt",
        "source",
        "code",
        "data",
        "payload",
        "rules",
        "caveat",
        "notification",
    ]
)

# Tags around what the user did type.
USERS_TAGS = frozenset(
    ["user_query", "user_request", "query", "task", "request", "prompt", "command-args", "command-name", "bash-input"]
)

# Gemini CLI expands @file references in place.
REFERENCED_START = "--- Content from referenced files ---"
REFERENCED_END = "--- End of content ---"

# A line that opens machine-made text which runs to the end of the message.
FOREIGN_MESSAGE = expression(
    r"\[(?:Session User State|label:|timeline-label:|Request interrupted by user|SYSTEM NOTIFICATION)"
    r"|Caveat: The messages below were generated"
    r"|Operation stopped by hook:"
    r"|This session is being continued from a previous conversation"
    r"|Base directory for this skill:",
    re.IGNORECASE,
)

# A line that opens the text of an agent's boot file (AGENTS.md, CLAUDE.md and their like).
BOOT_LINE = expression(
    r"#{1,3} {1,3}"
    r"(?:[\w.~/\\-]{0,200}(?:AGENTS|CLAUDE|GEMINI|QWEN|COPILOT|copilot-instructions|cursorrules)\.?(?:md)?\b"
    r"|Repository Guidelines\b|Project Instructions\b|Agent Instructions\b"
    r"|Instructions for (?:AI|coding) (?:agents|assistants)\b)"
    r"|Contents of [^\n]{1,200}\.md\b"
    r"|This file provides guidance to [^\n]{1,80}when working with"
    r"|As you answer the user's questions, you can use the following context",
    re.IGNORECASE,
)

# The outcome says that its next words are somebody else's. English first, a few others; extend by data, not by code.
# In lower case, with the first letters told before: most words are refused at once.
_ATTRIBUTION = expression(
    r"(?=[pswdrfctiemloabh页网文输工])(?:"
    r"\b(?:page|site|website|web page|document|docs|documentation|readme|file|comment|issue|ticket|email|mail|message"
    r"|log|output|tool|result|response|error|article|post|text|banner|snippet|header|author|reviewer|prompt)"
    r"(?: (?:also|itself|then|only|just|literally|now))?"
    r" (?:says|said|states|stated|reads|tells|told|instructs|instructed|asks|asked|claims|claimed)\b"
    r"[^\n:.\"“«「'`]{0,60}"
    r"|\baccording to the (?:page|site|website|document|docs|documentation|readme|output|tool|log|article)\b"
    r"[^\n:.\"“«「'`]{0,40}"
    r"|\b(?:die seite|das dokument|die ausgabe|das werkzeug) (?:sagt|lautet|meldet|behauptet)\b[^\n:.\"“«„`]{0,40}"
    r"|\b(?:la page|le document|la sortie|l'outil) (?:dit|indique|affirme)\b[^\n:.\"“«`]{0,40}"
    r"|\b(?:la página|el documento|la salida|la herramienta) (?:dice|indica|afirma)\b[^\n:.\"“«`]{0,40}"
    r"|(?:页面|网页|文档|输出|工具)(?:上)?(?:说|写道|显示|称))"
)
_ASCII_LOWER = {code: code + 32 for code in range(65, 91)}


def attributions(text: str) -> list[tuple[int, int]]:
    """Spans of the words by which a text puts what follows into another mouth, left to right (CASE-A03)."""
    low = text.lower()
    low = low if len(low) == len(text) else text.translate(_ASCII_LOWER)
    return [match.span() for match in _ATTRIBUTION.finditer(low)]


def recall_open(session: str) -> str:
    """The line that opens recalled context of that session (double quotes in a key are dropped: it is a marker)."""
    return f'{RECALL_OPEN}{session.replace(chr(34), "")}">'
