# make demo   install into .venv, train on the shipped sample for three minutes, parse and score the held-out part
# make test   lint, types and the whole test suite
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint clean

demo: .venv/installed
	$(BIN)/python data/demo.py

test: .venv/installed lint
	$(BIN)/python -m pytest -q

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv demo-output
