# One command runs Clarion, one command tests it. `make` prints the menu.
#
# Needs python3.11 or newer and make; everything else is installed into .venv.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help install install-dev services lab bundle run demo test one check bench soak train shots film docs release lock audit clean

# Some machines forbid bytecode; with it a start takes half as long.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
ARGS ?=
WORKERS ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

help:  ## show this menu
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install:  ## make .venv with everything that Clarion needs to run
	@scripts/install.sh run

install-dev:
	@scripts/install.sh dev

services:
	@scripts/services.sh

run: install  ## start Clarion here, on SQLite, with no configuration
	@exec $(BIN)/clarion serve $(ARGS)

demo: install  ## start Clarion with an evening full of reminders to look at
	@exec $(BIN)/clarion demo $(ARGS)

test: install-dev services lab  ## run every test; installs what is missing (ARGS="-k word" picks)
	@$(BIN)/pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal -m "not alone and not browser" $(ARGS)
	@$(BIN)/pytest -n 2 --dist worksteal -m browser $(or $(ARGS),tests/browser) || test $$? -eq 5  # with ARGS maybe none
	@$(BIN)/pytest -m alone $(or $(ARGS),tests/faults) || test $$? -eq 5
	@scripts/console.sh test

one: install-dev  ## run one test file, in seconds (ARGS=tests/stories/test_pill_confirmed.py)
	@$(BIN)/pytest -q $(ARGS)

check: install-dev  ## lint, types, import rules and tidiness, in seconds
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy
	@scripts/console.sh check
	@$(BIN)/pytest -q tests/test_tidy.py

bench: install-dev services  ## measure Clarion and its peers; writes benchmarks/RESULTS.md
	@scripts/peers.sh
	@$(BIN)/python -m benchmarks.results $(ARGS)

soak: install-dev services  ## live through a long, seeded run of crashes and clock jumps
	@$(BIN)/python -m tests.soak $(ARGS)

train: install-dev  ## make the weights of the language models from their corpora
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m clarion.language.learned.models $(ARGS)
	@$(BIN)/python -m clarion.language.parts.train

shots: install-dev services  ## picture every view of the console and let axe look at it (shots/)
	@$(BIN)/python -m scripts.shots $(ARGS)

film: install-dev services  ## make the film of README and the pictures of docs/console.md from the real thing
	@$(BIN)/python -m pip install -q --disable-pip-version-check pillow
	@$(BIN)/python -m scripts.film

docs: install  ## write docs/settings.md and docs/licences.md from the code and the pins
	@$(BIN)/clarion check --docs > docs/settings.md
	@$(BIN)/python -m scripts.sbom > docs/licences.md

release: install-dev  ## the wheel, its bill of materials (CycloneDX) and licences, in dist/
	@$(BIN)/pip wheel -q --no-deps --no-build-isolation -w dist .
	@$(BIN)/python -m scripts.sbom dist

lab: install-dev
	@scripts/lab.sh

bundle: install  ## write server.json and dist/clarion.mcpb, for registries and hosts
	@$(BIN)/python -m scripts.bundle

lock: install-dev  ## pin the newest versions that pyproject.toml allows, with hashes
	@scripts/lock.sh

audit: install-dev  ## ask whether a pinned package is known to be weak; offline, what was answered last
	@$(BIN)/python -m scripts.audit $(ARGS)

clean:  ## remove .venv and caches; your data stays
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find clarion tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
