# Needs Python 3.11 or newer and nothing else; every target sets up what it uses.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: help setup run test fast golden bench docs build
.DEFAULT_GOAL := help

help:  ## these lines
	@sed -n 's/^\([a-z]*\):.*  ## /\1\t/p' Makefile

setup: $(READY)  ## the environment in .venv, at the versions of constraints.txt

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[train,dev]'
	touch $(READY)

run: $(READY)  ## the main job: compile, check, smoke and train examples/arithmetic
	$(BIN)/python examples/arithmetic/run.py

test: $(READY)  ## all tests and checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/pytest -n 2 -m 'not slow'
	$(BIN)/pytest -m slow

fast: $(READY)  ## the tests that train nothing
	$(BIN)/pytest -m 'not slow'

golden: $(READY)  ## write the expected outputs and examples anew; review the diff
	$(BIN)/pytest --update tests/test_cases.py

bench: $(READY)  ## the ratios that the README names
	$(BIN)/python tests/bench/run.py

docs: $(READY)  ## docs/spec.md from the models
	$(BIN)/python -c 'from compiler.reference import spec_reference as page; print(page(), end="")' > docs/spec.md

build: $(READY)  ## the sdist and the wheel in dist/
	$(BIN)/python -m build --no-isolation
