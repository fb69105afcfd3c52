"""What a pattern of folders covers, and what is no pattern."""

import pytest

from ferrule.session.silence import MAX_PATTERN, Silence, Silencer, covering, fault_of

USER = "/home/ada"
COVERED = [
    ("~/private/**", "/home/ada/private"),
    ("~/private/**", "/home/ada/private/deep/er"),
    ("~/private", "/home/ada/private/notes"),
    ("~", "/home/ada/anything"),
    ("/srv/*/secret", "/srv/shop/secret"),
    ("/srv/*/secret", "/srv/shop/secret/src"),
    ("/srv/**/secret", "/srv/secret"),
    ("/srv/**/secret", "/srv/a/b/secret/c"),
    ("**/clients", "/w/x/clients/acme"),
    ("/w/client-?", "/w/client-a"),
    ("/w/[ab]*", "/w/beta/src"),
    ("/w/**/a/**/b", "/w/a/a/x/b"),
]
NOT_COVERED = [
    ("~/private/**", "/home/ada/privateer"),
    ("~/private", "/home/ada"),
    ("/srv/*/secret", "/srv/shop/team/secret"),
    ("/srv/**/secret", "/srv/secrets"),
    ("~ada/private", "/home/ada/private"),
    ("/w/client-?", "/w/client-ab"),
    ("/W/shop", "/w/shop"),
]


@pytest.mark.parametrize(("pattern", "place"), COVERED)
def test_a_pattern_covers_a_folder_and_what_is_in_it(pattern: str, place: str) -> None:
    """A star stays between two slashes; two stand for any number of folders, none included."""
    assert covering(["/nowhere", pattern], [place], USER) == pattern


@pytest.mark.parametrize(("pattern", "place"), NOT_COVERED)
def test_nothing_beside_it_is_covered(pattern: str, place: str) -> None:
    """Names are compared whole and as they are written."""
    assert covering([pattern], [place], USER) is None


def test_a_hostile_pattern_over_a_deep_place_is_soon_answered() -> None:
    """Every part is looked at once for each part of the pattern: no backtracking."""
    pattern = "/" + "/".join(["**", "a*a*a*a*b"] * 30)
    assert covering([pattern], ["/" + "/".join(["a" * 200] * 60)], USER) is None


@pytest.mark.parametrize(
    "pattern",
    [
        *("private", "./x", "", "~ada/x", "/a\nb", "~/../x/**", "/work/./x"),
        *("/" + "x" * MAX_PATTERN, "/" + "*a" * 9, "/a" * 65),
    ],
)
def test_what_is_no_pattern_says_what_is_wrong(pattern: str) -> None:
    """A relative one would mean something else in each folder, one by `..` would mean none, one without end is none."""
    assert fault_of(pattern)


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in COVERED])
def test_a_pattern_is_taken(pattern: str) -> None:
    """Those that cover something are patterns."""
    assert fault_of(pattern) == ""


def test_each_silence_says_who_says_so() -> None:
    """Three ways to be off, three sentences."""
    said = {str(Silence(by, "/w/shop")) for by in Silencer}
    assert len(said) == len(Silencer)
    assert all("/w/shop" in sentence for sentence in said)
