"""The cases of the reliability group for secrets in handles, each by its number."""

from collections.abc import Sequence

import pytest

from ferrule.referents.secrets.detect import find_secrets, looks_secret, scrub

KEY = b"a key of this test"
WORD = "Hq7" + "vR2mXw9"
RUN = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d"
HEX = "3f786850e387550fdab836ed7e6dc881de23001b"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx3Zk9Qw2\n-----END RSA PRIVATE KEY-----"
SIGNED = f"https://files.quay.example/a.zip?X-Amz-Credential=x%2F20260101&X-Amz-Signature={HEX}{HEX[:24]}"

REFUSED = {
    "D01": [("https://user:p4ss@host/x", "p4ss"), (f"see https://ann:{WORD}@git.quay.example/a.git", WORD)],
    "D03": [
        (f"https://h.example/x?token={WORD}", WORD),
        (f"https://h.example/x?api_key={WORD}", WORD),
        (f"https://h.example/x?sig={WORD}", WORD),
        (SIGNED, HEX),
    ],
    "D05": [
        ("mysql -u root -phunter2", "hunter2"),
        ("login --password hunter2", "hunter2"),
        (f"PGPASSWORD={WORD} psql", WORD),
    ],
    "D07": [
        ("postgres://u:p@h/db", ":p@"),
        (f"Server=db;User Id=sa;Password={WORD};", WORD),
        (f"jdbc:postgresql://h/db?user=ann&password={WORD}", WORD),
        (f"redis://:{WORD}@h", WORD),
    ],
    "D08": [
        (PEM, "MIIEpAIBAAKCAQEAx3Zk9Qw2"),
        ("AKIA" + "Z7QWERTYUIOPASDF", "Z7QWERTYUIOPASDF"),
        (f"aws_secret_access_key = {RUN}", RUN),
        ("gh" + "p_" + RUN[:36], RUN[:36]),
        ("xo" + f"xb-123456789012-{RUN[:24]}", RUN[:24]),
        (f"eyJ{RUN[:20]}.eyJ{RUN[:24]}.{RUN[5:38]}", RUN[5:38]),
    ],
}
ALLOWED = {
    "D10": ["PROD_DB_PASSWORD", "kv/prod/db", "the secret is PROD_DB_PASSWORD in kv/prod/db", "vault read kv/prod/db"],
    "D11": [
        'password = os.environ["X"]',
        f"commit {HEX}",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "AKIAIOSFODNN7EXAMPLE",
    ],
    "D16": ["https://peer:9077 refused ai:x@host"],
}


def rows(table: dict[str, list[tuple[str, str]]] | dict[str, list[str]]) -> Sequence[object]:
    """A parameter a case, named by its number and its place."""
    return [pytest.param(case, id=f"{name}-{at}") for name, cases in table.items() for at, case in enumerate(cases)]


@pytest.mark.parametrize("case", rows(REFUSED))
def test_a_secret_in_a_handle_is_refused_and_scrubbed(case: tuple[str, str]) -> None:
    """R28, CASE-D01, CASE-D03, CASE-D05, CASE-D07, CASE-D08: each input of the case, the value gone."""
    text, value = case
    assert looks_secret(text) is not None
    clean = scrub(text, KEY)
    assert value not in clean
    assert "[secret:" in clean


@pytest.mark.parametrize("text", rows(ALLOWED))
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    """R27, CASE-D10, CASE-D11, CASE-D16: names, references, digests, documentation values, an `@` after a URL."""
    assert find_secrets(text) == ()
    assert scrub(text, KEY) == text
