"""Each home has one key that signs events from elsewhere."""

from pathlib import Path

import pytest

from ferrule.errors import StoreError
from ferrule.wiring.scrubkey import KEY_FILE, home_key
from ferrule.wiring.webhookkey import WEBHOOK_KEY_FILE, webhook_key


def test_the_webhook_key_is_kept_private_and_is_not_the_scrub_key(tmp_path: Path) -> None:
    """CASE-E11: mode 0600, made once; whoever may sign events cannot tell what a secret's mark stands for (DEC-D13)."""
    key = webhook_key(tmp_path)
    assert webhook_key(tmp_path) == key
    assert key.decode() != home_key(tmp_path).hex()
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {KEY_FILE: 0o600, WEBHOOK_KEY_FILE: 0o600}


def test_the_key_signs_as_it_stands_in_the_file(tmp_path: Path) -> None:
    """A sender needs no decoder: the text of the file is the key."""
    assert (tmp_path / WEBHOOK_KEY_FILE).exists() is False
    assert webhook_key(tmp_path) == (tmp_path / WEBHOOK_KEY_FILE).read_bytes().strip()


def test_what_is_no_key_signs_nothing(tmp_path: Path) -> None:
    """A damaged key is said and kept, never replaced: replacing it would shut every sender out."""
    (tmp_path / WEBHOOK_KEY_FILE).write_text("secret", encoding="ascii")
    with pytest.raises(StoreError, match="not the key"):
        webhook_key(tmp_path)
