# Needs Python 3.11 or newer and nothing else; every target sets up what it uses.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
# One thread for a model this small: two that wait for each other on a shared machine take far longer.
TRAIN := PATH="$(CURDIR)/$(BIN):$$PATH" OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1

.PHONY: help setup run test slow unsloth golden bench gpu docs build pins fields
.DEFAULT_GOAL := help

help:  ## these lines
	@sed -n 's/^\([a-z]*\):.*  ## /\1\t/p' Makefile

setup: $(READY)  ## the environment in .venv, at the versions of constraints.txt

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[train,dev]'
	touch $(READY)

run: $(READY)  ## the main job: the arithmetic example from its spec to a trained model
	rm -rf build/arithmetic
	$(BIN)/trainspec check examples/arithmetic/task.toml
	$(BIN)/trainspec compile examples/arithmetic/task.toml --into build/arithmetic
	cp examples/arithmetic/prepare.py build/arithmetic
	cd build/arithmetic && $(TRAIN) python prepare.py && $(TRAIN) bash run.sh

test: $(READY)  ## all tests and checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/pytest -n 2 -m 'not heavy and not slow'
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadfile -m 'heavy and not slow'

slow: $(READY)  ## the example learns with three seeds; what takes longer than a commit should wait
	$(BIN)/pytest -m slow

unsloth: $(READY)  ## the scripts of Unsloth against the package itself, on a CPU; in build/unsloth
	test -x build/unsloth/bin/python || $(PYTHON) -m venv build/unsloth
	build/unsloth/bin/python -m pip install --quiet --requirement tests/unsloth/requirements.txt
	build/unsloth/bin/python -m pip install --quiet --no-deps unsloth==2026.10.9 unsloth_zoo==2026.10.9
	$(BIN)/pytest tests/unsloth

golden: $(READY)  ## write the expected outputs and examples anew; review the diff
	$(BIN)/pytest --update tests/test_cases.py tests/test_examples.py tests/machines -k 'findings or committed'

bench: $(READY)  ## the compiler and a project beside named peers, as ratios
	$(BIN)/python tests/bench/run.py

gpu: $(READY)  ## memory and time of real plans on the GPU at hand, into docs/measured.md
	$(BIN)/python -m tests.gpu.measure

docs: $(READY)  ## docs/spec.md from the models
	$(BIN)/python -c 'from compiler.reference import spec_reference as page; print(page(), end="")' > docs/spec.md

build: $(READY)  ## the sdist and the wheel in dist/
	$(BIN)/python -m build --no-isolation

pins: $(READY) build/uv/bin/uv  ## the version sets, resolved on the package index; writes compiler/stack/locks
	$(BIN)/python tests/stack/resolve_pins.py --uv build/uv/bin/uv

build/uv/bin/uv:
	$(PYTHON) -m venv build/uv
	build/uv/bin/python -m pip install --quiet uv

fields: build/fields-vllm/ready build/fields-unsloth/ready  ## the config fields of the sets with vLLM and Unsloth
	build/fields-vllm/bin/python tests/stack/extract_fields.py --variant vllm
	build/fields-unsloth/bin/python tests/stack/extract_fields.py --variant unsloth

# Neither vLLM nor Unsloth: the fields are those of the TRL and transformers that they are used with.
build/fields-%/ready: compiler/stack/locks/trl-1.16-%.txt
	$(PYTHON) -m venv build/fields-$*
	build/fields-$*/bin/python -m pip install --quiet --constraint $< accelerate datasets peft pytest torch transformers trl
	touch $@
