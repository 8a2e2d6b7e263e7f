# make demo        install into .venv and show naively at work
# make test        install with the development extra and run the tests
# make test-all    the slow tests as well
# make check       ruff, mypy, import-linter
# make bench       measure what the documents claim (minutes), and write docs/benchmarks.md
# make bench-quick the same on smaller data, where nothing is kept
#
# Every path is relative, so that the folder may have a space in its name.

PYTHON ?= python3
ARGS ?=
UV := $(shell command -v uv 2>/dev/null)
SOURCES := pyproject.toml CMakeLists.txt $(wildcard native/*)
IN_VENV := .venv/bin/python -m

# One thread of BLAS a process: on shared machines more of them wait for each other.
export OPENBLAS_NUM_THREADS ?= 1

ifdef UV
VENV := uv venv --quiet --python "$(PYTHON)" .venv
INSTALL := uv pip install --quiet --python .venv/bin/python
else
VENV := "$(PYTHON)" -m venv .venv
INSTALL := $(IN_VENV) pip install --quiet --disable-pip-version-check
endif

.PHONY: demo test test-all check bench bench-quick
.NOTPARALLEL:
.DELETE_ON_ERROR:

demo: .venv/installed
	.venv/bin/naively demo

test: .venv/installed-dev
	$(IN_VENV) pytest -n auto $(ARGS)

test-all: .venv/installed-dev
	$(IN_VENV) pytest -n auto -m "" $(ARGS)

check: .venv/installed-dev
	$(IN_VENV) ruff check
	$(IN_VENV) ruff format --check
	$(IN_VENV) mypy
	.venv/bin/lint-imports

bench: .venv/installed-bench
	.venv/bin/python bench/run.py $(ARGS); status=$$?; .venv/bin/python bench/page.py; exit $$status

bench-quick: .venv/installed-bench
	.venv/bin/python bench/run.py --quick $(ARGS)

# The package is installed in place: Python files take effect at once, and these stamps
# say when the native module must be built again.
.venv/installed: $(SOURCES) | .venv/bin/python
	$(INSTALL) -e .
	@touch $@

.venv/installed-dev: $(SOURCES) | .venv/bin/python
	$(INSTALL) -e '.[dev]'
	@touch .venv/installed $@

.venv/installed-bench: .venv/installed-dev
	$(INSTALL) -e '.[dev,bench]'
	@touch $@

.venv/bin/python:
	@"$(PYTHON)" -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(VENV)
