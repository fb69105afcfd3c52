"""The agents' own programs: which files of theirs Ferrule writes into, and how without touching the rest."""
