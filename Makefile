# make demo   install into .venv, learn grammars from the shipped sample, show trees, and score them: a minute or two
# make test   lint, types and the whole test suite
# make test-all   and tests that take minutes, with many random inputs
# make faults   damaged inputs of every kind through every command for MINUTES, and runs that are killed: before a release
# make docs   the pages as a web site in site/, their pictures drawn and their tables written anew
# make browser   Debian's chromium and its driver, with which the tests open the pages that are written; as root
PYTHON ?= python3
BIN := .venv/bin
MINUTES ?= 10

# Else every process of the tests would compile the whole package for itself.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test test-all faults lint docs clean browser

demo: .venv/installed
	$(BIN)/python data/demo.py

test: .venv/installed lint
	$(BIN)/python -m pytest -q -n 2 --dist loadfile

test-all: .venv/installed lint
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "long or not long" --hypothesis-profile long

faults: .venv/installed
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.faults --minutes $(MINUTES)
	$(BIN)/python -m pytest -q -m "long or not long" tests/test_hostile_files.py tests/training/test_faults.py tests/files tests/cli/test_app.py

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: .venv/installed
	cd docs/images && PATH="$(CURDIR)/$(BIN):$$PATH" sh draw.sh
	$(BIN)/python -m benchmarks.results
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

.venv/installed: pyproject.toml constraints.txt hatch_build.py $(wildcard synparse/compiled/*.[ch])
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

browser:
	apt-get update
	apt-get install --yes --no-install-recommends chromium chromium-driver

clean:
	rm -rf .venv demo-output site
