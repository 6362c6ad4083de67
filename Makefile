# make run     the simulator, on http://127.0.0.1:8080 (PORT=8090 for another; HOST=0.0.0.0 for phones, too)
# make test    the tests, with the coverage of core, games, journal and ui (COVERAGE= without it, in two thirds of the time)
# make check   what CI runs: lint, types, layers, tests
# make bench   the figures (PARTS="process keys" for a part; WRITE=1 writes docs/figures.md)
# make stress  every promise tried hard, about half an hour (CHAPTERS="kills damage" for a part of it)
# make mutants  faults put into the rules, one at a time: do the tests notice?
# make arm      the locked wheels and Debian packages for each machine, looked up
# make virtual-pi  the box on a virtual Pi, where there is one (CHAPTERS="round cuts" for a part of it)
# make lock    the lock files in debian/locks, made again with the newest versions
# make outdated  what is newer than the locks, listed and tried with tests/web (ALL=1 for all tests)
# make words   the list of every word people read, for translators
# make release the source archive and the wheel, checked, and the changelog cut: see tools/release.py
# make screens a picture of every screen, in build/screens
# make deb      the Debian packages, in dist (ARCH="arm64" for one of arm64 and amd64), signed with the release key
# make sbom     the bill of materials of each package in dist, beside it (CycloneDX)
# make install on a Raspberry Pi, with sudo: makes the package for it, and installs it (make uninstall keeps games and settings)

PYTHON ?= python3
PORT ?= 8080
HOST := 127.0.0.1
VENV ?= .venv
COVERAGE ?= --cov
# Kept between runs, whatever the shell says: compiling and rewriting the tests' asserts is most of a worker's start.
BYTECODE := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX='$(CURDIR)/build/bytecode'
BIN := $(VENV)/bin
PACKAGING := build/packaging
LOCKING := build/locking
WORDS := $(wildcard companion/ui/translations/*/LC_MESSAGES/*.po)

.PHONY: run test check lint bench stress mutants arm virtual-pi lock outdated words release screens deb sbom install uninstall clean

run: $(VENV)/.run
	$(BIN)/companion simulate --host $(HOST) --port $(PORT) --open

test: $(VENV)/.dev
	$(BYTECODE) $(BIN)/python -m pytest -n 3 --dist worksteal $(COVERAGE)

check: lint test

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m tests.harness.bench $(PARTS) $(if $(WRITE),--write)

stress: $(VENV)/.dev
	$(BIN)/python -m tests.harness.stress $(CHAPTERS)

mutants: $(VENV)/.dev
	$(BIN)/python -m tests.harness.mutants $(MODULES)

arm: $(VENV)/.dev
	$(BIN)/python -m tests.harness.arm

virtual-pi: $(VENV)/.dev
	$(BIN)/python -m tests.harness.virtual_pi $(CHAPTERS)

lock:
	$(PYTHON) -m venv $(LOCKING)
	$(LOCKING)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOCKING)/bin/python -m tools.locks

outdated: $(VENV)/.dev
	$(BIN)/python -m tools.outdated $(if $(ALL),,tests/web)

words: $(VENV)/.dev
	$(BIN)/python -m tools.extract_words

release: $(VENV)/.dev
	$(BIN)/python -m tools.release

screens: $(VENV)/.run
	$(BIN)/companion screens --out build/screens

deb: $(PACKAGING)/.made
	$(PACKAGING)/bin/python -m tools.debian_package $(ARCH) $(if $(KEY),--key '$(KEY)') $(SIGNERS:%=--signer '%') $(REVOKED:%=--revoked '%')

sbom: $(VENV)/.dev
	$(BIN)/python -m tools.sbom

install:
	@[ "$$(id -u)" = 0 ] || { echo "installing needs root's rights: sudo make install" >&2; exit 1; }
	@$(MAKE) --no-print-directory $(PACKAGING)/.made
	rm -rf build/package
	$(PACKAGING)/bin/python -m tools.debian_package --own --dist build/package
	apt-get install --yes --reinstall --allow-downgrades --no-install-recommends ./build/package/*.deb

uninstall:
	apt-get remove --yes tabletop-companion
	@echo "Kept: the games in /var/lib/companion and the settings in /etc/companion.toml (apt purge removes the settings, and asks about the games)."

clean:
	rm -rf $(VENV) build dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# A virtual environment, made again when pyproject.toml or a catalogue changes. Debian keeps venv in a package of its own.

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Tabletop Companion needs Python 3.11 or newer: sudo apt install python3 python3-venv"; \
	  echo "(another one: make PYTHON=python3.12 ...)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml $(WORDS) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[page]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(WORDS) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.run

# What builds the package, in the versions of its lock.

$(PACKAGING)/.made: debian/locks/build.txt
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(PACKAGING)
	$(PACKAGING)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@
