"""The writer makes one raw prototype out of values and reads nothing."""

import pytest

from ferrule.review.definition import DefinedProperty, definition_text, identifier


def test_a_new_prototype_assigns_declared_properties_and_declares_the_rest() -> None:
    """R51: one raw ProtoScript prototype, verbatim strings."""
    text = definition_text(
        "HarborSync",
        "Repository",
        (
            DefinedProperty("EntityName", 'Harbor "sync"'),
            DefinedProperty("RemoteUrl", "https://example.org/x"),
            DefinedProperty("MirrorPath", r"C:\mirror", type="String"),
            DefinedProperty("Branch", "MainBranch", type="Branch", reference=True),
        ),
    )
    assert text == (
        "prototype HarborSync : Repository\n{\n"
        '\tEntityName = @"Harbor ""sync""";\n'
        '\tRemoteUrl = @"https://example.org/x";\n'
        '\tString MirrorPath = @"C:\\mirror";\n'
        "\tBranch Branch = MainBranch;\n"
        "}\n"
    )


def test_an_augmentation_is_partial_and_names_no_base() -> None:
    """R38."""
    text = definition_text("X", "Issue", (DefinedProperty("IssueNumber", "7"),), partial=True)
    assert text.startswith("partial prototype X\n{")


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("release.yml", "ReleaseYml"),
        ("web shop module", "WebShopModule"),
        ("ShopWebModule", "ShopWebModule"),
        ("Größe prüfen", "GroePrufen"),
        ("résumé café", "ResumeCafe"),
        ("README.md", "ReadmeMd"),
        ("API", "API"),
        ("CHANGELOG.md", "ChangelogMd"),
        ("TAP_DB_TOKEN", "TapDbToken"),
        ("日本語", ""),
        ("---", ""),
        ("a b c d e f g h i j", "ABCDEFGH"),
    ],
)
def test_a_phrase_becomes_an_ascii_name(phrase: str, name: str) -> None:
    """R86: names are PascalCase ASCII; what has no letter left gives nothing."""
    assert identifier(phrase) == name
