"""Names of things whose own name no identifier can spell."""

import pytest
from critic_cases import Desk, said_turn, write

NAMED_IN_ANY_SCRIPT = [
    ("docs/仕様/スタンプ帳.md", "/srv/quay/docs/仕様/スタンプ帳.md", "DocumentInDocs", "スタンプ帳.md"),
    ("docs/план.md", "/srv/quay/docs/план.md", "DocumentInDocs", "план.md"),
    ("docs/Überblick.md", "/srv/quay/docs/Überblick.md", "UberblickMd", "Überblick.md"),
    ("docs/2024年.md", "/srv/quay/docs/2024年.md", "Document2024Md", "2024年.md"),
]


@pytest.mark.parametrize("row", NAMED_IN_ANY_SCRIPT, ids=[row[0] for row in NAMED_IN_ANY_SCRIPT])
def test_a_file_of_any_script_keeps_its_name_and_gets_a_readable_identifier(
    desk: Desk, row: tuple[str, str, str, str]
) -> None:
    """R33, R46: an identifier is ASCII, the entity name is what people call it."""
    said, path, name, entity = row
    desk.review(said_turn(f"write down the tides in {said}", f"Wrote `{said}`.", write(path)))
    assert not desk.refused
    assert f'EntityName = @"{entity}"' in desk.memory()[name]


def test_two_such_files_of_one_folder_stay_two(desk: Desk) -> None:
    """R34: a name that says only where a thing lies is never taken for the thing."""
    for ordinal, name in enumerate(("潮.md", "風.md", "港.md"), start=1):
        desk.review(
            said_turn(f"write docs/{name}", f"Wrote `docs/{name}`.", write(f"/srv/quay/docs/{name}"), ordinal=ordinal)
        )
        assert not desk.refused
    assert {"DocumentInDocs", "DocumentInQuayDocs", "DocumentInSrvQuayDocs"} <= set(desk.memory())
    desk.review(said_turn("write docs/風.md again", "Wrote `docs/風.md`.", write("/srv/quay/docs/風.md"), ordinal=4))
    assert len(desk.memory()) == 3
