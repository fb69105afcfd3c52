# Everything a newcomer needs: `make demo` and `make test` do all the set-up themselves.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
UV     := $(BIN)/uv
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test test-real test-claude check format lint types layers bench prove fuzz cover mutate lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

$(VENV)/.core: pyproject.toml requirements/core.txt
	@$(PYTHON) -c 'import sys; sys.exit("Ferrule needs Python 3.11 or newer, this is %s" % sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(UV) || $(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	@VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/core.txt
	@VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.core requirements/dev.txt
	@VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/dev.txt
	@touch $@

demo: $(VENV)/.core ## review the bundled sample and show what an agent would get back
	@$(BIN)/python scripts/demo.py

test: $(VENV)/.dev ## all tests that need only Python packages
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not real" $(ARGS)

test-real: $(VENV)/.dev ## tests against real processes, clients, servers; each skipped with its reason
	@$(BIN)/python -m pytest -m real $(ARGS)

test-claude: $(VENV)/.dev ## the same in Claude Code too, which npm brings; its licence is not free, so only on your word
	@FERRULE_TEST_CLAUDE=1 $(BIN)/python -m pytest -m real tests/real $(ARGS)

check: format-check lint types layers test ## format, lint, types, layers, tests

format: $(VENV)/.dev ## format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

.PHONY: format-check
format-check: $(VENV)/.dev
	@$(BIN)/ruff format --check .

lint: $(VENV)/.dev ## ruff with nearly everything on
	@$(BIN)/ruff check .

types: $(VENV)/.dev ## mypy --strict on source and tests
	@$(BIN)/mypy

layers: $(VENV)/.dev ## the layer table of the design, as import contracts
	@$(BIN)/lint-imports --no-logo 2>/dev/null || $(BIN)/lint-imports

bench: $(VENV)/.dev ## measure every figure in docs/benchmarks.md
	@$(BIN)/python -m benchmarks $(ARGS)

prove: $(VENV)/.dev ## try to break the promise: property tests with many examples, then twelve campaigns
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not real" --hypothesis-profile=prove $(ARGS)
	@$(BIN)/python -m proofs $(PROOFS)

fuzz: $(VENV)/.dev ## change ProtoScript texts at random for an hour: read, printed, formatted, nothing lost
	@$(BIN)/python -m proofs fuzz $(FUZZ)

# Of the tests those that ask these four packages for something themselves: the rest would run the same lines through
# a command line or a server, for ten times as long, and assert other things.
COVERED := tests/protoscript tests/referents tests/bridge tests/memory tests/ontology tests/contracts \
	tests/wiring/test_projects.py tests/e2e/test_promote.py

cover: $(VENV)/.dev ## branch coverage of protoscript, referents, bridge and memory: fails below 100 %
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not real" -q --cov --cov-report=term $(COVERED) $(ARGS)

mutate: $(VENV)/.dev ## change rules and referents one small change at a time, and see whether a test notices
	@nice -n 10 $(BIN)/python scripts/mutate.py $(ARGS)

lock: $(VENV)/.core ## pin what pyproject.toml asks for
	@$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url -o requirements/core.txt pyproject.toml
	@$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --group dev -o requirements/dev.txt pyproject.toml

clean: ## remove what the targets made
	@rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
