"""What an agent's client runs at the end of a turn: one file of the standard library, which spools and leaves.

The file itself always exits with 0. An interpreter that does not find it (Ferrule was removed, its entry was not) exits
with 2, which Claude Code and Codex take for a hook that blocks: the turn would go on, again and again. So whoever
writes the command into a client's configuration ends the shell's line with `|| :`.
"""
