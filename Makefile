# make demo        install into .venv and show naively at work
# make test        install with the development extra and run the tests
# make test-all    the slow tests as well
# make check       ruff, mypy, import-linter
# make sanitize    run the tests of the kernels and of what stands on them with every address
#                  and every undefined operation checked (gcc; a build of its own; minutes)
# make bench       measure what the documents claim (minutes), and write docs/benchmarks.md
# make bench-quick the same on smaller data, where nothing is kept
# make bench-instructions   count the instructions of every kernel under valgrind and compare
#                  them with bench/instructions.json; ARGS=--update keeps the new ones
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

.PHONY: demo test test-all check sanitize bench bench-quick bench-instructions
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

# The checked module stands in an environment of its own, which takes all other packages from
# the ordinary one. The sanitizers' library comes first, and libstdc++ right after it: what is
# thrown is looked for when the first library is loaded. Leaks are the interpreter's own.
CHECKED := build/sanitize/venv
SANITIZED := tests/test_kernels.py $(addprefix tests/,kernels models laws numerics data \
	estimators statistics factors families persist)
SANITIZERS = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1 \
	UBSAN_OPTIONS=print_stacktrace=1

sanitize: $(CHECKED)/installed
	$(SANITIZERS) $(CHECKED)/bin/python -m pytest -p no:cacheprovider $(or $(ARGS),$(SANITIZED))

bench: .venv/installed-bench
	.venv/bin/python bench/run.py $(ARGS); status=$$?; .venv/bin/python bench/page.py; exit $$status

bench-quick: .venv/installed-bench
	.venv/bin/python bench/run.py --quick $(ARGS)

bench-instructions: .venv/installed-dev
	.venv/bin/python bench/instructions.py $(ARGS)

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

$(CHECKED)/installed: .venv/installed-dev
	"$(PYTHON)" -m venv $(CHECKED)
	.venv/bin/python -c 'import site; print(site.getsitepackages()[0])' > \
		"$$($(CHECKED)/bin/python -c 'import site; print(site.getsitepackages()[0])')/others.pth"
	$(CHECKED)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e . \
		-C build-dir='build/sanitize/{wheel_tag}' -C cmake.define.NAIVELY_SANITIZE=ON \
		-C install.strip=false
	@touch $@

.venv/bin/python:
	@"$(PYTHON)" -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(VENV)
