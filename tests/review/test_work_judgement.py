"""Pull requests, issues, tasks, folders, commands, hosts, secrets: what a colleague goes by where no file changed."""

# ruff: noqa: E501 - a row of the table is one line

import pytest
from critic_cases import bash, said_view

from ferrule.referents.kinds import Place
from ferrule.review.embedded.judging import scene, weigh

NOWHERE = Place()
BOX = Place(cwd="/workspace")

# user, outcome, calls, place -> signal, value of the thing that has it
SHOWN: list[tuple[str, str, tuple[object, ...], Place | None, str, str]] = [
    # work that is ordered, in several languages
    ("continue with task#012 please", "I looked at it.", (), None, "ordered", "task#012"),
    ("implement OPS-77", "Started.", (), None, "ordered", "OPS-77"),
    ("Bitte arbeite an OPS-77 weiter", "Gut.", (), None, "ordered", "OPS-77"),
    ("travaille sur OPS-77", "D'accord.", (), None, "ordered", "OPS-77"),
    ("OPS-77 を進めて", "了解", (), None, "ordered", "OPS-77"),
    ("Mach einen PR auf, Thema ist Vorgang NL-77.", "Offen.", (), None, "tracked", "NL-77"),
    ("les accents sortent mal (fiche AT-209)", "Je regarde.", (), None, "tracked", "AT-209"),
    ("YUM-53の件、直してください", "了解", (), None, "tracked", "YUM-53"),
    ("draft PR, title with the number of the issue (#340)", "Done.", (), None, "tracked", "#340"),
    ("put NL-77 on a branch", "Done.", (bash("git checkout -b nl-77-tides", "Switched to a new branch 'nl-77-tides'"),), None, "tracked", "NL-77"),
    ("review MR !58", "Looks fine.", (), None, "ordered", "!58"),
    ("take 902", "Fixed #902.", (), None, "numbered", "#902"),
    ("what became of the PR?", "It was bundled into PR #231.", (), None, "asked_kind", "#231"),
    ("open a merge request", "Opened https://git.example.org/harbor/quay/-/merge_requests/7.", (), None, "claimed", "harbor/quay#7"),
    ("which issues block the release?", "Two do:\n\n- #871 tiles flip\n- #902 crash on start", (), None, "triaged", "#871"),
    ("file it", "Beads created: parent `qy-a1b`, children `qy-a1b.1` and `qy-a1b.2`.", (), None, "parent", "qy-a1b"),
    (
        "anything stale?",
        "Open:\n- #11 x\n- #12 y\n- #13 z\n- #14 w\n\n" + "Some more words on each of them follow here. " * 4 + "I would merge #12 first.",
        (), None, "singled_out", "#12",
    ),
    # folders by their names
    ("put the notes into the specs directory", "I will add `specs/overview.md` to `specs/`.", (), None, "called_kind", "specs/"),
    ("I uploaded a repository in the directory tidepool__v2.", "Done.", (bash("ls /workspace/tidepool__v2", "src"),), BOX,
     "called_kind", "/workspace/tidepool__v2"),
    ("does tide-pool run in the browser?", "No.", (bash("ls /srv/tide-pool", "src"),), None, "called_name", "/srv/tide-pool"),
    ("explain how this repository works", "It serves tides.", (bash("ls /srv/quay", "src"),), None, "about_place", "/srv/quay"),
    ("Repo path: /srv/other/dock", "Seen.", (), None, "placed", "/srv/other/dock"),
    ("give me the commands to start it", "```bash\ncd /srv/other/dock\nmake serve\n```", (), NOWHERE, "entered_asked", "/srv/other/dock"),
    ("give me the git commands for a worktree", "Run:\n```sh\ngit worktree add ../quay-pr7 pr-7\n```", (), NOWHERE, "to_be_made", "../quay-pr7"),
    # commands
    ("the release hangs", "Publish it with:\n\n```bash\ngh workflow run Publish --ref main -f tag=v1\n```", (), None,
     "introduced_whole", "gh workflow run Publish --ref main -f tag=v1"),
    ("make the migration", "Listo. Cuando quieras: `npm run migrate -- --to 57`", (), None, "led_up", "npm run migrate -- --to 57"),
    ("what do I run to deploy?", "```bash\ncd /srv/quay\nmake deploy ENV=prod\n```", (), None, "asked_command", "make deploy ENV=prod"),
    ("I get this:\n\n$ quayctl sync --all\nerror: no lock\nerror: giving up\n", "Fixed. Try `quayctl sync --all` again.", (), None,
     "pasted", "quayctl sync --all"),
    ("it failed", "Fixed. Try `quayctl sync --all` again.", (), None, "rerun", "quayctl sync --all"),
    ("why does `quayctl sync` hang?", "Because of the lock.", (), None, "user_idle", "quayctl sync"),
    ("how do you run the tests here?", "They need a port unless told so:\n\n```\nFAKE_PORT=1 cargo nextest run -p tide --profile ci\n```",
     (bash("FAKE_PORT=1 cargo nextest run -p tide --profile ci", "ok"),), None, "asked_how", "FAKE_PORT=1 cargo nextest run -p tide --profile ci"),
    ("Wie lasse ich die Tests laufen?", "So:\n\n`make probe TIDE=1`", (bash("make probe TIDE=1", "ok"),), None, "asked_how", "make probe TIDE=1"),
    ("tu me redonnes la commande des tests ?", '`dotnet test --filter "Quai!=oui"`', (), None, "asked_how", 'dotnet test --filter "Quai!=oui"'),
    ("run the tests", "The lock was missing. What works:\n\n`SKIP_GUI=1 TZ=UTC bin/rails test test/models`",
     (bash("bin/rails test:all", "Error: no display", ok=False), bash("SKIP_GUI=1 TZ=UTC bin/rails test test/models", "9 runs")), None,
     "found_out", "SKIP_GUI=1 TZ=UTC bin/rails test test/models"),
    ("what will you do?", "Nothing yet. After the break:\n\n`scripts/flash.sh pier@host1`", (), None, "led_up", "scripts/flash.sh pier@host1"),
    # sessions, containers, images: known by what a call did, named as plain words
    ("go on in the terminal", "It runs in window quay:3 now.", (bash("tmux send-keys -t quay:3 Enter"),), None, "outcome_said", "quay:3"),
    ("ship it", "Pushed ghcr.io/harbor/quay:2.1.0.", (bash("docker push ghcr.io/harbor/quay:2.1.0"),), None, "made_named",
     "ghcr.io/harbor/quay:2.1.0"),
    # branches
    ("push it", "Pushed `fix/tide`.", (bash("git push -u origin fix/tide", "To git.example:harbor/quay.git\n * [new branch]      fix/tide -> fix/tide"),),
     None, "published", "fix/tide"),
    ("update from the branch `feat/base`", "Done.", (bash("git merge feat/base", "Merge made"),), None, "handled_user", "feat/base"),
    # hosts, databases, settings, secrets
    ("ssh into deploy@web1.tide.dev and look", "Fine.", (), None, "reached", "web1.tide.dev"),
    ("the service listens on tide.example.org:4242", "I see.", (), None, "reached", "tide.example.org:4242"),
    ("connect to tide.example.org", "Connected.", (), None, "reached", "tide.example.org"),
    ("is it the local DB?", "Yes, `postgres://db.example.org:5432/quay`.", (), None, "asked_kind", "postgres://db.example.org:5432/quay"),
    ("why TIDE_BSAE_URL?", "`TIDE_BASE_URL` tells where the API is.", (), None, "corrects", "TIDE_BASE_URL"),
    ("it is in the secret QUAY_DEPLOY_TOKEN", "Read.", (), None, "called_secret", "QUAY_DEPLOY_TOKEN"),
    ("токен лежит в секрете QUAY_DEPLOY_TOKEN", "Да.", (), None, "called_secret", "QUAY_DEPLOY_TOKEN"),
    ("now the pier machine, it is pier-pi.tide.example, user quay", "Ok.", (), None, "called_host", "pier-pi.tide.example"),
    ("Der Mailserver ist neu, mail.tide.example, Port 587", "Gut.", (), None, "called_host", "mail.tide.example"),
    ("le serveur s'appelle quai.tide.example", "Bien.", (), None, "called_host", "quai.tide.example"),
    ("put the key in TIDE_API_KEY, not into a file", "Ok.", (), None, "handed_in", "TIDE_API_KEY"),
    ("Auf dem Server liegt es als TIDE_SMTP_PASSWORT", "Gut.", (), None, "handed_in", "TIDE_SMTP_PASSWORT"),
    ("設定には書かず、TIDE_DATABASE_URLで渡してください", "了解", (), None, "handed_in", "TIDE_DATABASE_URL"),
    ("from now on use https://pre.example.org", "Ok.", (), None, "keep", "https://pre.example.org"),
    ("以后都用 https://pre.example.org 吧", "好的", (), None, "keep", "https://pre.example.org"),
    ("a partir de ahora usa https://pre.example.org", "Vale.", (), None, "keep", "https://pre.example.org"),
    ("the old one at mail.example.org is gone", "Ok.", (), None, "superseded", "mail.example.org"),
]  # fmt: skip

# user, outcome, calls -> signal that must not be there, value
ABSENT: list[tuple[str, str, tuple[object, ...], str, str]] = [
    ("OPS-77 is just an example", "Ok.", (), "ordered", "OPS-77"),
    ("does the ZX-40 speak RS-485?", "Yes.", (), "tracked", "ZX-40"),
    ("we got TX-88 from ACME", "Fine.", (bash("git checkout -b tx-880", "Switched to a new branch 'tx-880'"),), "tracked", "TX-88"),
    ("there are 902 rows", "See #902.", (), "claimed", "#902"),
    ("what became of the PR?", "PR #231 and PR #232.", (), "asked_kind", "#231"),
    ("please fix src/a.py", "- #871 came up", (), "triaged", "#871"),
    ("does it work with tide?", "Yes.", (bash("ls /srv/tide", "x"),), "called_name", "/srv/tide"),
    ("run it", "I ran it:\n\n```bash\nmake deploy ENV=prod\n```", (bash("make deploy ENV=prod"),), "introduced", "make deploy ENV=prod"),
    ("run the tests", "Red first, green now:\n\n`npm test`", (bash("npm run lint", "x", ok=False), bash("npm test", "ok")), "found_out", "npm test"),
    ("run the tests", "Now it passes:\n\n`tox -e py312 -- tests/tide`",
     (bash("tox -e py312 -- tests/tide", "x", ok=False), bash("tox -e py312 -- tests/tide", "ok")), "found_out", "tox -e py312 -- tests/tide"),
    ("check it", "Checks:\n\n- `ruff check --fix src`\n- `mypy --strict src`\n",
     (bash("flake8 src", "x", ok=False), bash("ruff check --fix src", "ok"), bash("mypy --strict src", "ok")), "found_out", "mypy --strict src"),
    ("run the tests", "All pass.\n\n`make probe TIDE=1`", (bash("make probe TIDE=1", "ok"),), "asked_how", "make probe TIDE=1"),
    ("why?", "Note: first `make one two`, then: `make three four`.", (), "led_up", "make three four"),
    ("tides come from data.tide.example today", "Yes.", (), "called_host", "data.tide.example"),
    ("the server is 127.0.0.1:80", "I see.", (), "called_host", "127.0.0.1:80"),
    ("why is TIDE_API_KEY empty?", "It is not set.", (), "handed_in", "TIDE_API_KEY"),
    ("it listens on 127.0.0.1", "I see.", (), "reached", "127.0.0.1"),
    ("why TIDE_URL_V1_PATH?", "`TIDE_URL_V2_PATH` is used.", (), "corrects", "TIDE_URL_V2_PATH"),
    ("push it", "Pushed `fix/tide`.", (bash("git push", "To x\n   1a2b3c4..5d6e7f8  fix/tide -> fix/tide"),), "published", "fix/tide"),
]  # fmt: skip


def signals(row: tuple[str, str, tuple[object, ...]], place: Place | None, value: str) -> dict[str, float]:
    """The signals of the candidate that has the value."""
    user, outcome, calls = row
    view = said_view(user, outcome, *calls, **({"place": place} if place else {}))  # type: ignore[arg-type]
    found = scene(view)
    hits = [dict(item.signals) for item in weigh(found) if value in found.things[item.index].values]
    assert hits, [thing.values for thing in found.things]
    return hits[0]


@pytest.mark.parametrize("row", SHOWN, ids=[f"{row[4]}:{row[0][:30]}" for row in SHOWN])
def test_a_turn_shows_what_it_is_about(row: tuple[str, str, tuple[object, ...], Place | None, str, str]) -> None:
    """R4, R32: rules for what is no file, in several languages and for several trackers."""
    assert signals(row[:3], row[3], row[5]).get(row[4], 0.0) > 0


@pytest.mark.parametrize("row", ABSENT, ids=[f"{row[3]}:{row[0][:30]}" for row in ABSENT])
def test_a_turn_is_not_overread(row: tuple[str, str, tuple[object, ...], str, str]) -> None:
    """R4, R71: near misses of the same rules."""
    assert not signals(row[:3], None, row[4]).get(row[3])
