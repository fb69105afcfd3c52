"""Names of commands: short, readable, without flags."""

import pytest

from ferrule.review.embedded.commands import command_words


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("python -m pytest tests/test_retry.py", "pytest test_retry"),
        ("python -m pytest tests/x.py::test_retry", "pytest test_retry"),
        ("pnpm --filter @acme/worker test", "pnpm worker test"),
        ('git commit -m "feat: a thing"', "git commit"),
        ("make check && make ship", "make check"),
        ("TOKEN=1 cargo test -p core", "cargo test core"),
        ("python -", "python"),
        ("  ", ""),
    ],
)
def test_a_command_is_called_by_its_program_and_what_it_works_on(command: str, words: str) -> None:
    """R86: flags, assignments and quoted texts name nothing."""
    assert command_words(command) == words
