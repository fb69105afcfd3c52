"""What shell calls become in the action ledger."""

# ruff: noqa: E501, FBT001, FBT003 - a row of the table is one line, and an outcome is a plain bool

import pytest

from ferrule.referents.kinds import HandleKind, Place
from ferrule.session.ledger.ledger import ledger
from ferrule.session.turn import Action, ToolCall

HERE = Place(cwd="/w")

PUSHED = "To github.com:larkspur/atlas.git\n * [new branch]      fix -> fix\n"
COMMIT = "[fix 1a2b3c4] Say it\n 1 file changed\n create mode 100644 docs/new.md\n"
PR = "https://github.com/larkspur/atlas/pull/7"

# command, output, ok of the call -> rows as "verb kind ok target" (+ " < was")
ROWS: list[tuple[str, str, bool | None, list[str]]] = [
    # git
    ("git commit -m 'Say it'", COMMIT, True, ["committed commit-sha True 1a2b3c4", "committed branch True fix",
     "created filesystem-path True /w/docs/new.md"]),
    ("git commit -m 'Say it' | tail -1", "[main (root-commit) 1a2b3c4] Say it", None, ["committed commit-sha True 1a2b3c4",
     "committed branch True main"]),
    ("git commit -qm 'Say it'", "", True, ["committed - True "]),
    ("git commit -qm 'Say it' && git rev-parse --short HEAD", "1a2b3c4", True, ["committed commit-sha True 1a2b3c4"]),
    ("git commit -qam x && git log -1 --format=%h", "1a2b3c4", None, ["committed commit-sha True 1a2b3c4"]),
    ("git commit -qam x; git rev-parse HEAD", "fatal: nothing to commit\n1a2b3c4", False, ["committed - False "]),
    ("git commit -m x", "error: pathspec 'x' did not match", None, ["committed - False "]),
    ("git commit -m a && git commit -m b", "[m 1111111] a\n[m 2222222] b", True, ["committed commit-sha True 1111111",
     "committed branch True m", "committed commit-sha True 2222222", "committed branch True m"]),
    ("git push -u origin fix", PUSHED, None, ["pushed branch True fix", "pushed repository-id None github.com:larkspur/atlas"]),
    ("git push origin fix", "", True, ["pushed branch True fix"]),
    ("git push", " ! [rejected]        fix -> fix (fetch first)\nerror: failed to push some refs", False, ["pushed branch False fix"]),
    ("git push origin v1", "To x.org:a/b.git\n * [new tag]         v1 -> v1", None, ["pushed tag True v1", "pushed repository-id None x.org:a/b"]),
    ("git push origin --delete old", "To x.org:a/b.git\n - [deleted]         old", None, ["deleted branch True old", "pushed repository-id None x.org:a/b"]),
    ("git checkout -b fix", "Switched to a new branch 'fix'", None, ["branched branch True fix"]),
    ("git switch -c fix main", "", True, ["branched branch True fix"]),
    ("git checkout main", "Switched to branch 'main'", None, ["switched branch True main"]),
    ("git checkout -- a.py", "", True, ["edited filesystem-path True /w/a.py"]),
    ("git checkout src/a.py", "", True, ["edited filesystem-path True /w/src/a.py"]),
    ("git branch -D old", "Deleted branch old (was 1a2b3c4).", None, ["deleted branch True old"]),
    ("git branch -m a b", "", True, ["moved branch True b < a"]),
    ("git branch --show-current", "fix\n", True, ["viewed branch True fix"]),
    ("git branch -a", "* main", True, []),
    ("git worktree add -b fix ../atlas-fix main", "Preparing worktree (new branch 'fix')", None,
     ["branched branch True fix", "created filesystem-path True /atlas-fix"]),
    ("git stash -q && git worktree add ../atlas-fix -b fix && cd ../atlas-fix && git stash pop -q", "Preparing worktree (new branch 'fix')", True,
     ["branched branch True fix", "created filesystem-path True /atlas-fix"]),
    ("git worktree remove ../atlas-fix", "", True, ["deleted filesystem-path True /atlas-fix"]),
    ("git mv a.py b.py", "", True, ["moved filesystem-path True /w/b.py < /w/a.py"]),
    ("git mv a.py b.py lib/", "", True, ["moved filesystem-path True /w/lib/a.py < /w/a.py", "moved filesystem-path True /w/lib/b.py < /w/b.py"]),
    ("git rm -r old", "", True, ["deleted filesystem-path True /w/old"]),
    ("git rm --cached .env", "", True, []),
    ("git tag -a v1.2 -m 'Release'", "", True, ["tagged tag True v1.2"]),
    ("git clone https://github.com/larkspur/atlas.git", "", True,
     ["cloned url True https://github.com/larkspur/atlas.git", "cloned repository-root True /w/atlas"]),
    ("git merge origin/main", "", True, ["merged branch True origin/main"]),
    ("git remote add up git@x.org:a/b.git", "", True, ["configured repository-id True git@x.org:a/b.git"]),
    ("git init atlas", "Initialized empty Git repository in /w/atlas/.git/", None, ["created repository-root True /w/atlas"]),
    ("git -C ../other add a.py", "", True, ["other filesystem-path True /other/a.py"]),
    ("git show 1a2b3c4", "", True, ["viewed commit-sha True 1a2b3c4"]),
    ("git status --short", "", True, []),
    ("git status -sb", "## fix.1...origin/fix.1\n M a.py", True, ["viewed branch True fix.1"]),
    ("git status", "On branch main\nnothing to commit", None, ["viewed branch True main"]),
    ("git worktree list", "/w/atlas      1a2b3c4 [main]\n/w/atlas-fix  9d8e7f6 [fix]\n", True, ["viewed repository-root True /w/atlas", "viewed repository-root True /w/atlas-fix"]),
    ("git checkout v1.2.0", "", True, ["switched tag True v1.2.0"]),
    ("git log --oneline -2", "1a2b3c4 (HEAD -> main) Say it\n9d8e7f6 Before", True, ["viewed commit-sha True 1a2b3c4"]),
    # forges and trackers
    ("bd update at-x7k2 --status done", "", True, ["edited issue True at-x7k2", "ran command True bd update at-x7k2 --status done"]),
    ("jira issue view ATL-7", "", True, ["viewed issue True ATL-7", "ran command True jira issue view ATL-7"]),
    ("bd show at-xkcd", "at-xkcd: Say it\nOwner: mira", True, ["viewed issue True at-xkcd", "ran command True bd show at-xkcd"]),
    ("chart show my-chart", "a chart", True, ["ran command True chart show my-chart"]),
    ("npm view left-pad", "", True, ["ran command True npm view left-pad"]),
    ("gh pr create --draft -t 'Say it' -b '...'", PR + "\n", True, [f"opened pull-request True {PR}"]),
    ("gh pr create -t x", "pull request create failed: no commits", False, ["opened - False "]),
    ("gh pr view 7 --repo larkspur/atlas --json title", "{}", True, ["viewed pull-request True larkspur/atlas#7"]),
    ("gh pr merge 7 --squash", "", True, ["merged pull-request True #7"]),
    ("gh pr comment 7 --body hi", "", True, ["commented pull-request True #7"]),
    ("gh issue create -t x", "https://github.com/larkspur/atlas/issues/9", True, ["opened issue True https://github.com/larkspur/atlas/issues/9"]),
    ("gh issue close 9", "", True, ["closed issue True #9"]),
    ("gh release create v1.2 --notes x", "https://github.com/larkspur/atlas/releases/tag/v1.2", True,
     ["released tag True v1.2", "released url True https://github.com/larkspur/atlas/releases/tag/v1.2"]),
    ("gh repo clone larkspur/atlas", "", True, ["cloned repository-id True larkspur/atlas", "cloned repository-root True /w/atlas"]),
    ("gh run view 123 --log", "", True, ["viewed other-id True 123"]),
    ("gh api repos/larkspur/atlas/pulls/7/comments", "[]", True, ["viewed pull-request True larkspur/atlas/pulls/7"]),
    ("gh api repos/larkspur/atlas/pulls/7/comments/99/replies -f body=Done", "{}", True, ["commented pull-request True larkspur/atlas/pulls/7"]),
    ("gh api -X PATCH repos/larkspur/atlas/issues/9 -f state=closed", "", None, ["edited issue None larkspur/atlas/issues/9"]),
    ("glab mr create", "https://gitlab.com/larkspur/atlas/-/merge_requests/3", True,
     ["opened pull-request True https://gitlab.com/larkspur/atlas/-/merge_requests/3"]),
    ("gh pr view --json number,url,body", '{"body":"after https://github.com/larkspur/atlas/pull/6","number":7,"url":"' + PR + '"}', True, [f"viewed pull-request True {PR}"]),
    ("gh secret set DEPLOY_KEY --repo larkspur/atlas", "", True, ["configured secret-name True DEPLOY_KEY"]),
    ("gh variable set REGION --body eu", "", False, ["configured other-id False REGION"]),
    ("tea pr create --title x", "#7 Say it (open)\nhttps://git.example.org/larkspur/atlas/pulls/7", True,
     ["opened pull-request True https://git.example.org/larkspur/atlas/pulls/7"]),
    ("tea pulls close 7", "", None, ["closed pull-request None #7"]),
    ("hub pull-request -m x", PR, True, [f"opened pull-request True {PR}"]),
    ("az repos pr update --id 12 --status completed", "", True, ["edited pull-request True #12"]),
    ("az boards work-item show --id 31", "{}", True, ["viewed issue True #31"]),
    ("az webapp up --name atlas", "", True, ["ran command True az webapp up --name atlas"]),
    ("bd create 'Say it' -p 1", "Created issue: at-9x2k", True, ["opened issue True at-9x2k", "ran command True bd create 'Say it' -p 1"]),
    ("bd create 'Say it'", "Created issue: at-wxyz — Say it", None, ["opened issue True at-wxyz", "ran command None bd create 'Say it'"]),
    ("bd create 'Say it'", "Error: no database", False, ["ran command False bd create 'Say it'"]),
    ("jira issue create -s x", "Issue created\nhttps://larkspur.example.org/browse/ATL-8", True,
     ["opened issue True ATL-8", "ran command True jira issue create -s x"]),
    ("linear issue start ATL-9", "", True, ["edited issue True ATL-9", "ran command True linear issue start ATL-9"]),
    ("bd close at-x7k2", "at-x7k2 closed, status: done", True, ["closed issue True at-x7k2", "ran command True bd close at-x7k2"]),
    ("task add Say it", "Created task 12.", True, ["opened task-id True task 12", "ran command True task add Say it"]),
    ("task 12 done", "Completed task 12 'Say it'.", True, ["closed task-id True 12", "ran command True task 12 done"]),
    ("task build", "", True, ["built command True task build"]),
    # secrets and settings by name
    ("fly secrets set API_KEY=x REGION=y -a atlas", "", True, ["configured secret-name True API_KEY", "configured secret-name True REGION", "ran command True fly secrets set API_KEY=x REGION=y -a atlas"]),
    ("vercel env add SITE_URL production", "", True, ["configured other-id True SITE_URL", "ran command True vercel env add SITE_URL production"]),
    ("wrangler secret put SIGNING_KEY", "", False, ["configured secret-name False SIGNING_KEY", "ran command False wrangler secret put SIGNING_KEY"]),
    ("wrangler secret delete SIGNING_KEY", "", True, ["deleted secret-name True SIGNING_KEY", "ran command True wrangler secret delete SIGNING_KEY"]),
    ("aws secretsmanager create-secret --name atlas/db", "", None, ["ran command None aws secretsmanager create-secret --name atlas/db"]),
    # releases
    ("npm publish --access public", "+ @larkspur/atlas@1.2.0", True, ["released command True npm publish --access public", "released package-id True @larkspur/atlas"]),
    ("npm publish --dry-run", "+ @larkspur/atlas@1.2.0", True, ["tested command True npm publish --dry-run"]),
    ("npm version minor", "v1.2.0", True, ["tagged tag True v1.2.0"]),
    ("cargo publish", "   Uploading atlas v1.2.0\n   Published atlas v1.2.0 at registry", True, ["released command True cargo publish", "released package-id True atlas"]),
    ("twine upload dist/*", "Uploading atlas-1.2.0-py3-none-any.whl", True, ["released command True twine upload dist/*", "released package-id True atlas"]),
    ("goreleaser release --snapshot", "", True, ["tested command True goreleaser release --snapshot"]),
    ("mvn -q deploy", "", False, ["released command False mvn -q deploy"]),
    ("pip install httpx[http2]==0.27 uvicorn", "", True, ["installed package-id True httpx", "installed package-id True uvicorn"]),
    # packages
    ("npm install --save-dev left-pad@1.3.0 ./local", "", True, ["installed package-id True left-pad"]),
    ("pnpm --filter web add zod", "", True, ["installed package-id True zod"]),
    ("pip install -r requirements.txt httpx", "", True, ["installed package-id True httpx"]),
    ("python3 -m pip install -e .", "", True, ["installed command True python3 -m pip install -e ."]),
    ("uv add --group dev ruff", "", True, ["installed package-id True ruff"]),
    ("cargo publish", "", True, ["released command True cargo publish"]),
    ("sudo apt-get install -y jq", "", True, ["installed package-id True jq"]),
    # files
    ("mkdir -p a/b && touch a/b/c.txt", "", True, ["created filesystem-path True /w/a/b", "created filesystem-path True /w/a/b/c.txt"]),
    ("mv a.txt b.txt", "", True, ["moved filesystem-path True /w/b.txt < /w/a.txt"]),
    ("cp -r a b/", "", True, ["copied filesystem-path True /w/b/a < /w/a"]),
    ("rm -rf dist build", "", True, ["deleted filesystem-path True /w/dist", "deleted filesystem-path True /w/build"]),
    ("sed -i 's/a/b/' x.py", "", True, ["edited filesystem-path True /w/x.py"]),
    ("sed -n '1,20p' x.py", "", True, ["read filesystem-path True /w/x.py"]),
    ("echo hi > out.txt; echo ho >> log.txt", "", True, ["created filesystem-path None /w/out.txt", "edited filesystem-path True /w/log.txt"]),
    ("make 2>/dev/null", "", True, ["built command True make"]),
    ("cat README.md | head -3", "", True, ["read filesystem-path None /w/README.md"]),
    ("ls -la src", "", True, ["listed filesystem-path True /w/src"]),
    ("rg -n 'a b' src/x.py", "", True, ["searched filesystem-path True /w/src/x.py"]),
    ("rm $TMP/x *.log", "", True, []),
    ("ln -s /opt/tool bin/tool", "", True, ["created filesystem-path True /w/bin/tool"]),
    # runs
    ("pytest -q tests/a.py", "1 passed", True, ["tested command True pytest -q tests/a.py"]),
    ("uv run pytest -q", "", False, ["tested command False uv run pytest -q"]),
    ("npm test", "", True, ["tested command True npm test"]),
    ("npm run test:unit", "", True, ["tested command True npm run test:unit"]),
    ("pnpm --filter web run build", "", True, ["built command True pnpm --filter web run build"]),
    ("go test ./...", "", True, ["tested command True go test ./..."]),
    ("cargo build --release", "", True, ["built command True cargo build --release"]),
    ("mise run test:ci", "", True, ["tested command True mise run test:ci"]),
    ("make lint", "", True, ["ran command True make lint"]),
    ("wrangler deploy", "", True, ["deployed command True wrangler deploy"]),
    ("python scripts/load.py --all", "", True, ["ran command True python scripts/load.py --all", "ran filesystem-path True /w/scripts/load.py"]),
    ("./run.sh", "", True, ["ran command True ./run.sh", "ran filesystem-path True /w/run.sh"]),
    ("echo hello", "hello", True, []),
    ("python -c 'print(1)'", "1", True, ["ran - True python -c 'print(1)'"]),
    ("wsl -e bash -lc 'cd /mnt/w && go test ./...'", "ok", True, ["tested command True go test ./..."]),
    ("Read the notes of the team", "", None, []),
    # hosts and services
    ("ssh -p 2222 mira@host.example.org uptime", "", True, ["ran host True host.example.org"]),
    ("scp a.txt mira@host.example.org:/srv/", "", True, ["copied host True host.example.org"]),
    ("tmux new-session -d -s build", "", True, ["started session-key True build"]),
    ("tmux send-keys -t build:3 Enter", "", True, ["ran session-key True build:3"]),
    ("docker build -t atlas:dev .", "", True, ["built other-id True atlas:dev"]),
    ("docker compose -f dev.yml up -d db", "", True, ["started filesystem-path True /w/dev.yml", "started other-id True db"]),
    ("kubectl apply -f k8s/web.yaml", "", True, ["deployed filesystem-path True /w/k8s/web.yaml"]),
    ("docker push ghcr.io/larkspur/atlas:1.2", "", True, ["released package-id True ghcr.io/larkspur/atlas:1.2"]),
    ("docker push ghcr.io/larkspur/atlas:1.2", "denied: permission", False, ["released package-id False ghcr.io/larkspur/atlas:1.2"]),
    ("docker tag atlas:dev larkspur/atlas:1.2", "", True, ["tagged package-id True larkspur/atlas:1.2"]),
    ("docker volume create atlas-db", "atlas-db", True, ["created other-id True atlas-db"]),
    ("docker compose exec web bash -c ls", "", True, ["ran other-id True web"]),
    ("docker compose exec web ls src", "", True, ["ran other-id True web"]),
    ("docker compose -f ci.yml run --rm -e A=1 php vendor/bin/phpunit --testsuite unit", "", True,
     ["ran filesystem-path True /w/ci.yml", "ran other-id True php",
      "tested command True docker compose -f ci.yml run --rm -e A=1 php vendor/bin/phpunit --testsuite unit"]),
    ("docker exec -it web bundle exec rspec spec/a_spec.rb", "", True, ["ran other-id True web",
     "tested command True docker exec -it web bundle exec rspec spec/a_spec.rb"]),
    ("docker run --rm -v /w:/w node:20 npm test", "", True, ["started other-id True node:20",
     "tested command True docker run --rm -v /w:/w node:20 npm test"]),
    ("docker compose run --rm phpunit --testdox", "", True, ["ran other-id True phpunit",
     "tested command True docker compose run --rm phpunit --testdox"]),
    ("docker run -d --name db postgres:17", "", True, ["started other-id True db"]),
    ("kubectl rollout restart deployment/web -n shop", "", True, ["deployed other-id True deployment/web"]),
    ("kubectl rollout status deploy web", "", None, ["viewed other-id None deploy/web"]),
    ("kubectl scale deployment web --replicas=3", "", True, ["configured other-id True deployment/web"]),
    ("kubectl set image deployment/web app=atlas:2", "", True, ["configured other-id True deployment/web"]),
    ("kubectl create secret generic atlas-db --from-literal=a=b", "", True, ["created secret-name True atlas-db"]),
    ("kubectl delete pod web-1", "", False, ["deleted other-id False pod/web-1"]),
    ("kubectl logs web-1", "", True, ["viewed other-id True web-1"]),
    ("helm upgrade --install web ./chart", "", True, ["deployed other-id True web"]),
    ("tmux rename-session -t old night", "", True, ["moved session-key True night < old"]),
    ("zellij -s night", "", None, ["started session-key None night"]),
    ("zellij attach night", "", True, ["viewed session-key True night"]),
    ("crontab ops/cron.txt", "", True, ["configured filesystem-path True /w/ops/cron.txt"]),
    ("crontab -l", "", True, []),
    ("rsync -a dist/ mira@host.example.org:/srv/", "", None, ["copied host None host.example.org"]),
    ("mysql -e 'CREATE DATABASE IF NOT EXISTS loans'", "", True, ["created database-id True loans"]),
    ("psql -c 'drop database loans'", "", False, ["deleted database-id False loans"]),
    ("createdb loans", "", True, ["created database-id True loans"]),
    ("mongosh --host db.example.org loans", "", True, ["ran host True db.example.org", "ran database-id True loans"]),
    ("redis-cli -h cache.example.org ping", "PONG", True, ["ran host True cache.example.org"]),
    ("sqlcmd -S db.example.org -d loans -Q x", "", True, ["ran host True db.example.org", "ran database-id True loans"]),
    ("alembic upgrade head", "", False, ["ran command False alembic upgrade head"]),
    ("terraform apply -auto-approve", "", True, ["deployed command True terraform apply -auto-approve"]),
    ("psql -h db.example.org -d loans -c 'select 1'", "", True, ["ran host True db.example.org", "ran database-id True loans"]),
    ("sqlite3 data/loans.db .tables", "", True, ["ran filesystem-path True /w/data/loans.db"]),
    ("curl -sS https://api.example.org/v1", "{}", True, ["fetched url True https://api.example.org/v1"]),
    ("curl -X POST -d a https://api.example.org/v1", "", True, ["other url True https://api.example.org/v1"]),
    ("wget -O a.tgz https://example.org/a.tgz", "", True, ["fetched url True https://example.org/a.tgz", "created filesystem-path True /w/a.tgz"]),
]  # fmt: skip


def shown(row: Action) -> str:
    """A row in one line."""
    was = f" < {row.was}" if row.was else ""
    return f"{row.verb} {row.kind or '-'} {row.ok} {row.target}{was}"


@pytest.mark.parametrize(("command", "output", "ok", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_a_shell_command_becomes_its_rows(command: str, output: str, ok: bool | None, expected: list[str]) -> None:
    """R18, R23: verb, target and outcome of what a command did, whichever client ran it."""
    call = ToolCall("c1", "Bash", {"command": command}, output, ok)
    assert [shown(row) for row in ledger([call], HERE)] == expected


COMPOUND: list[tuple[str, bool, list[bool | None]]] = [
    ("touch a && touch b", True, [True, True]),
    ("touch a && touch b", False, [None, False]),
    ("touch a; touch b", True, [None, True]),
    ("touch a; touch b", False, [None, False]),
    ("touch a || touch b", True, [None, None]),
    ("touch a && touch b | cat", True, [True, None]),
    ("touch a; touch b && touch c", True, [None, True, True]),
]


@pytest.mark.parametrize(("command", "ok", "expected"), COMPOUND)
def test_one_exit_code_says_only_what_it_can(command: str, ok: bool, expected: list[bool | None]) -> None:
    """DEC-D10: success reaches back over `&&` alone; what may have run before a failure is unknown."""
    call = ToolCall("c1", "Bash", {"command": command}, "", ok)
    assert [row.ok for row in ledger([call], HERE)] == expected


def test_proof_in_the_output_beats_an_unknown_exit_code() -> None:
    """R23: a commit line behind a pipe, a pushed ref, an opened URL are shown by the result itself."""
    call = ToolCall(
        "c1", "shell", {"command": ["bash", "-lc", "git commit -m x | cat; true"]}, "[main 1a2b3c4] x", None
    )
    (sha, branch) = ledger([call], HERE)
    assert (sha.ok, sha.exists, branch.ok, branch.exists) == (True, True, True, True)


def test_a_missing_result_is_no_success() -> None:
    """DEC-D10: without a result a row's outcome is unknown."""
    (row,) = ledger([ToolCall("c1", "Bash", {"command": "touch a"}, None, None)], HERE)
    assert row.ok is None


def test_a_calls_own_folder_wins_over_the_turns() -> None:
    """DEC-D9: `workdir` of the call, then the line's cwd, then the turn's."""
    for arguments, cwd in (({"cmd": "touch a", "workdir": "/v"}, None), ({"cmd": "touch a"}, "/v")):
        (row,) = ledger([ToolCall("c1", "exec_command", arguments, "", True, cwd=cwd)], HERE)
        assert row.target == "/v/a"


def test_without_a_folder_a_path_stays_as_written() -> None:
    """DEC-D9: nothing is joined with a guess."""
    (row,) = ledger([ToolCall("c1", "Bash", {"command": "touch src/a.py"}, "", True)], Place())
    assert (row.target, row.kind) == ("src/a.py", HandleKind.FILESYSTEM_PATH)


def test_windows_paths_join_the_windows_way() -> None:
    """DEC-D9: drive and backslashes are kept."""
    call = ToolCall("c1", "Bash", {"command": "touch src/a.py"}, "", True)
    (row,) = ledger([call], Place(cwd="D:\\atlas"))
    assert row.target == "D:\\atlas\\src\\a.py"


def test_a_command_that_went_on_running_ends_where_its_output_was_fetched() -> None:
    """R23: the exit code and the commit line that a later poll brought belong to the command."""
    calls = [
        ToolCall(
            "c1", "exec_command", {"cmd": "git commit -m x"}, "Chunk ID: 1\nProcess running with session ID 77\n", None
        ),
        ToolCall(
            "c2", "write_stdin", {"session_id": 77, "chars": ""}, "Process exited with code 0\n[main 1a2b3c4] x", None
        ),
    ]
    assert [shown(row) for row in ledger(calls, HERE)] == [
        "committed commit-sha True 1a2b3c4",
        "committed branch True main",
    ]


def test_a_huge_result_is_looked_at_from_both_ends_only() -> None:
    """Design section 9: ten megabytes of output cost nothing; the exit code at the end is still seen."""
    output = "x" * (10 * 1024 * 1024) + "\nexited with exit code 0"
    (row,) = ledger([ToolCall("c1", "Bash", {"command": "make test"}, output, None)], HERE)
    assert row.ok is True


def test_an_agents_console_edits_the_file_that_it_shows() -> None:
    """R18: the body of an edit is text, not commands."""
    script = "edit 10:12\nrm -rf /\ngit push\nend_of_edit\n"
    (row,) = ledger([ToolCall("c1", "shell", script, "[File: /w/a.py (40 lines total)]\n10: rm", None)], HERE)
    assert shown(row) == "edited filesystem-path None /w/a.py"


def test_a_moved_checkout_is_a_moved_repository() -> None:
    """R23: git names the new place as a root in the same turn; a moved folder alone stays a path."""
    script = "mv /w/atlas /srv/atlas && git -C /srv/atlas rev-parse --show-toplevel"
    (moved, root) = ledger([ToolCall("c1", "Bash", {"command": script}, "/srv/atlas\n", True)], HERE)
    assert shown(moved) == "moved repository-root True /srv/atlas < /w/atlas"
    assert shown(root) == "viewed repository-root True /srv/atlas"
    (plain,) = ledger([ToolCall("c1", "Bash", {"command": "mv /w/atlas /srv/atlas"}, "", True)], HERE)
    assert plain.kind is HandleKind.FILESYSTEM_PATH
