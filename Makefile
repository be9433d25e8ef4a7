# make demo | test | test-deep | docs | bench: each sets up .venv by itself.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= 2

.PHONY: all setup format check lint types lit unit test test-deep demo docs bench clean

all: test

setup: $(STAMP)

# Type checkers do not follow an editable install of this layout: they follow the link.
$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,iree]'
	mkdir -p $(VENV)/typing && ln -sfn ../.. $(VENV)/typing/zcir
	touch $@

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/basedpyright

lit: $(STAMP)
	$(BIN)/lit -j $(JOBS) -q test/lit

unit: $(STAMP)
	$(BIN)/pytest -n $(JOBS)

# pytest comes last: its closing line is the last one printed.
test: lint types lit unit

# An empty mark expression takes the deep tests in, which pyproject.toml leaves out.
test-deep: lint types lit
	$(BIN)/pytest -n $(JOBS) -m ""

demo: $(STAMP)
	$(BIN)/python examples/demo.py

bench: $(STAMP)
	$(BIN)/python bench/run.py
	$(BIN)/python bench/replay.py
	$(BIN)/python bench/copies.py
	$(BIN)/python bench/models.py
	$(BIN)/python bench/judge.py
	$(BIN)/python bench/submits.py
	$(BIN)/python bench/throughput.py

docs: $(STAMP)
	$(BIN)/python -m zcir.tools.dialect_docs docs/dialects
	$(BIN)/python -m zcir.tools.pass_docs docs/passes.md
	$(BIN)/python -m zcir.tools.maintenance_table test/data/programs docs/maintenance-table.md

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .ruff_cache .hypothesis
