# Two commands: `make certify` does the main job, `make test` runs the tests.
# Only Python 3.11+ and make are needed; everything else is installed here, pinned.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TEST := .venv-test
TESTBIN := $(TEST)/bin
SITE := .venv-site

SOURCES := $(shell find magicert verify search compact z3models functions tables -type f -not -name '*.pyc') \
           tools/build_hook.py pyproject.toml README.md LICENSE

PYTHONS ?= python3.11 python3.12 python3.13

.PHONY: archive certify frontier submit evidence functions long toolchains research all-tests test sources lint types layers check slow mutants proved dist site clean lock benchmark
.DELETE_ON_ERROR:

certify: $(VENV)/installed
	$(BIN)/magicert verify tables/published
	@echo
	@echo "And one that is broken, as it should say (exit status 1):"
	@$(BIN)/magicert verify tables/broken/olah_bad_4425a97.toml; test $$? -eq 1

.PHONY: help
help:
	@echo "make            same as make certify"
	@echo "make certify    set up .venv, certify all published tables, show how a broken one is refused"
	@echo "make test       set up .venv-test, and run what a change must pass: sources and check"
	@echo
	@echo "  sources       lint, types and layers"
	@echo "  lint          ruff: check and format"
	@echo "  types         mypy"
	@echo "  layers        which module may import which (lint-imports)"
	@echo "  check         the tests, against the built wheel"
	@echo "  slow          tests that take minutes each"
	@echo "  long          of lists of many alike, what the gate leaves out"
	@echo "  functions     all tests of the proof of compiled functions"
	@echo "  toolchains    tests that want other compilers, Node.js or a browser"
	@echo "  research      the tests of finished research"
	@echo "  all-tests     test, long, toolchains, research and slow"
	@echo "  mutants       break the code on purpose, and see whether tests notice (hours)"
	@echo "  proved        check the Coq proofs, and all leaves by the proved checker (wants Coq and OCaml)"
	@echo
	@echo "  site          the documents as a site: build/site/index.html"
	@echo "  dist          sdist and wheel, built twice to the same bytes, and tried alone"
	@echo "  archive       all data as one archive"
	@echo "  lock          renew the pinned requirements (wants uv)"
	@echo "  clean         remove environments, dist and build"
	@echo
	@echo "  submit        FILE=found.toml [ATLAS=tables/atlas_black.toml]: enter a magic into the atlas"
	@echo "  evidence      FILES=...: enter recounts and settled cells into the atlas"
	@echo "  frontier      measure all ways to compute attacks (ten minutes), and renew the tables in the documents"
	@echo "  benchmark     run the scripts in benchmarks/"

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than 3.11: use make PYTHON=python3.12, for example"; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/locked: $(VENV)/created requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/installed: $(VENV)/locked $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	@touch $@

# The tests run in an environment of their own against the built wheel, beside what only reads the sources.
test: $(TEST)/installed
	@$(MAKE) --no-print-directory -j2 check sources

sources: lint types layers

$(TEST)/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than 3.11: use make PYTHON=python3.12, for example"; exit 2; }
	$(PYTHON) -m venv --clear $(TEST)
	@touch $@

$(TEST)/locked: $(TEST)/created requirements-dev.lock requirements-proofs.lock
	@# pip would compile on one core, and all of it.
	$(TESTBIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements-dev.lock
	@# What no test imports is half of it.
	$(TESTBIN)/python -m compileall -qq -j 2 -x '/(pandas|tests?|pip|setuptools)/' $(TEST)/lib || true
	@# The checker of solvers' proofs wants a C compiler; without it its tests are skipped.
	$(TESTBIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-proofs.lock \
	  || echo "no C compiler, or another system: the tests of solvers' proofs are skipped"
	@touch $@

$(TEST)/installed: $(TEST)/locked $(SOURCES)
	rm -rf dist
	$(TESTBIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .
	$(TESTBIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/magicert-*.whl
	@touch $@

lint: $(TEST)/locked
	$(TESTBIN)/ruff check .
	$(TESTBIN)/ruff format --check .

types: $(TEST)/locked
	$(TESTBIN)/mypy

layers: $(TEST)/locked
	$(TESTBIN)/lint-imports

# Rewriting each assert for its message is half of the time that collecting takes: only what has failed
# is run again with it.
check: $(TEST)/installed
	MAGICERT_TEST_WHEEL=1 $(TESTBIN)/pytest -n 2 --dist worksteal --assert=plain || \
	  { MAGICERT_TEST_WHEEL=1 $(TESTBIN)/pytest --last-failed --last-failed-no-failures=none; exit 1; }

# Of lists of many alike the gate takes the first of each kind; these are the others (CONTRIBUTING.md).
long: $(TEST)/installed
	MAGICERT_TEST_WHEEL=1 $(TESTBIN)/pytest -n 2 --dist worksteal -m long

# The proof of compiled functions, whole: for those who work on it. Its part of `long` is among it.
functions: $(TEST)/installed
	MAGICERT_TEST_WHEEL=1 $(TESTBIN)/pytest -n 2 --dist worksteal -m "not slow and not toolchain" tests/functions

# What is emitted, by the compilers that are here (Java, Go, Zig, C#, Node.js, clippy), the packages, and
# pages in Node.js and in a browser. The gate runs C, C++, Rust and Python.
toolchains: $(TEST)/installed
	MAGICERT_TEST_WHEEL=1 $(TESTBIN)/pytest -n 2 --dist worksteal -m toolchain

# The tests of finished research, which the gate does not run (research/README.md).
research: $(TEST)/installed
	PYTHONPATH=$(CURDIR) $(TESTBIN)/pytest -n 2 --dist worksteal research

# Everything: the gate, the rest of its lists, what takes minutes, what wants compilers, and research.
all-tests: test long toolchains research slow

# Tests that take minutes each, one after another.
slow: $(TEST)/installed
	MAGICERT_TEST_WHEEL=1 $(TESTBIN)/pytest -m slow
	PYTHONPATH=$(CURDIR) $(TESTBIN)/pytest -m slow research

# A magic that was found enters the atlas that ships, and every text that follows from it.
ATLAS ?= tables/atlas.toml
submit: $(TEST)/installed
	$(TESTBIN)/python -P -m magicert atlas --submit $(FILE) --atlas $(ATLAS) --output $(ATLAS)
	PYTHONPATH=. $(TESTBIN)/python tools/texts.py

# What was counted again or settled enters the atlas that ships (research/atlas/evidence.py says what FILES are).
evidence: $(TEST)/installed
	PYTHONPATH=. $(TESTBIN)/python -m research.atlas.evidence $(FILES)

# Break the code on purpose, and see whether the tests notice (hours; by hand).
mutants: $(TEST)/locked
	$(TESTBIN)/python -P tools/mutants.py

# The proof of the cover rule (proofs/README.md), and the checker extracted from it: all shipped leaves,
# all forgeries of the tests, and mutants of the proof. Wants Coq and OCaml; it says so.
PROVED := build/proved
proved:
	sh proofs/build.sh $(PROVED)
	$(PROVED)/magicert-proved --leaves-only tables/certificates/*.cover.xz
	$(MAKE) --no-print-directory $(TEST)/installed
	MAGICERT_TEST_WHEEL=1 MAGICERT_PROVED=$(PROVED) $(TESTBIN)/pytest tests/proved

# The sdist and the wheel, built twice to the same bytes, and whether the wheel works alone on each
# Python that is here.
dist: $(TEST)/locked
	rm -rf dist build/wheel-alone
	$(TESTBIN)/python tools/reproducible.py dist
	@for python in $(PYTHONS); do \
	  $$python -c '' 2> /dev/null || { echo "no $$python here"; continue; }; \
	  rm -rf build/wheel-alone; $$python -m venv build/wheel-alone || exit 1; \
	  build/wheel-alone/bin/python -m pip install --quiet --disable-pip-version-check dist/magicert-*.whl || exit 1; \
	  (cd build && wheel-alone/bin/magicert --version && wheel-alone/bin/magicert verify shakmaty) || exit 1; \
	done

# All data as one archive, ready to be deposited.
archive: $(TEST)/locked
	PYTHONPATH=$(CURDIR) $(TESTBIN)/python tools/data_archive.py dist

# The site, from the documents and the program: build/site/index.html. Building needs no network.
site: $(SITE)/locked
	$(SITE)/bin/python site/build.py build/site
	@echo "build/site/index.html"

$(SITE)/locked: requirements-site.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than 3.11: use make PYTHON=python3.12, for example"; exit 2; }
	$(PYTHON) -m venv --clear $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Measure all ways for ten minutes (best on a machine that does nothing else), and write what follows from it.
frontier: $(TEST)/installed
	PYTHONPATH=. $(TESTBIN)/python -m research.frontier measure --budget 10m -o tables/frontier.json
	PYTHONPATH=. $(TESTBIN)/python site/pictures.py
	PYTHONPATH=. $(TESTBIN)/python tools/texts.py

benchmark: $(TEST)/installed
	for file in benchmarks/bench_*.py; do $(TESTBIN)/python -P $$file || exit 1; done

# Renew the locks (needs uv); commit what it writes.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate -o requirements.lock pyproject.toml requirements.build.in
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate --extra all --group dev -o requirements-dev.lock pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate --group site -o requirements-site.lock pyproject.toml

clean:
	rm -rf $(VENV) $(TEST) $(SITE) dist build
