"""The secret floor: what a secret looks like and how it leaves a text. Standard library only: a hook carries a copy."""
