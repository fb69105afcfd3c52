"""A command is called by its program and what it works on: `python -m pytest tests/retry.py` is "pytest retry".

Owns the few words that name a command. Knows nothing of whether it deserves memory.
"""

from ferrule.referents.expressions import expression

__all__ = ["command_words"]

_RUNNERS = frozenset(
    ("python", "python3", "py", "sudo", "npx", "bunx", "uvx", "env", "time", "exec", "bash", "sh", "node", "then")
)
_JOINTS = frozenset(("|", "||", "&&", ";", ">", ">>", "<", "2>&1", "\\"))
_PATH = expression(r"(?:.*[/\\])?([^/\\]+?)(?:\.[A-Za-z]{1,5})?[/\\]?")
_QUOTED = expression(r"\"[^\"]{0,400}\"|'[^']{0,400}'")
_MAX = 4
_MAX_WORD = 40


def command_words(command: str) -> str:
    """Up to four telling words: program, subcommand, and the last part of what it works on; flags are left out.

    A test's own name stands for its file. The words of the first command of a chain count.
    """
    words: list[str] = []
    for token in _QUOTED.sub(" ", command).split():
        if token in _JOINTS and words:
            break
        word = _telling(token)
        if word and word.casefold() not in (known.casefold() for known in words):
            words.append(word)
    while len(words) > 1 and words[0].casefold() in _RUNNERS:
        words.pop(0)
    return " ".join(words[:_MAX])


def _telling(token: str) -> str:
    """The part of a token that tells something, or nothing for a flag, an assignment or a quoted text."""
    if token[0] in "-<>|&\\'\"$(" or ("=" in token and not token.startswith("/")):
        return ""
    last = token.rstrip(";").rsplit("::", 1)[-1]
    found = _PATH.fullmatch(last[-_MAX_WORD:]) if "/" in last or "." in last else None
    return found.group(1) if found else last[:_MAX_WORD]
