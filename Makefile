# make help    this list
# make run     the simulator, on http://127.0.0.1:8080 (PORT=8090 for another; HOST=0.0.0.0 for phones, too; DATA=FOLDER for
#              other games); if it runs already, its page is opened
# make club    an evening of a club on this computer, whose phones tell results (TABLES=8: with boxes), until Ctrl-C
# make test    the tests
# make accept   writes box and scenes in tests/transcripts anew, with the words that the panel shows today: read git diff then
# make coverage  the share of core, games, history, journal and ui that the tests reach
# make check   what CI runs: lint, types, layers, tests
# make bench   the figures (PARTS="process keys" for a part; WRITE=1 writes docs/figures.md)
# make bench-club  lines lost or doubled while programs of a club's hub are killed (TABLES=40 SECONDS=600)
# make stress  every promise tried hard, about half an hour (CHAPTERS="crash damage" for a part of it)
# make mutants  faults put into the rules, one at a time: do the tests notice?
# make arm      the Debian packages that a box needs, looked up for each system
# make virtual-pi  the box on a virtual Pi, where there is one (CHAPTERS="round cuts" for a part of it)
# make lock    the lock files in debian/locks, made again with the newest versions
# make words   the list of every word people read, for translators
# make release the source archive and the wheel, built and checked, in dist
# make screens a picture of every screen, in build/screens
# make deb      the Debian packages, in dist (ARCH="arm64" for one of arm64 and amd64), for Debian 12 and 13; needs python3.11 and 3.13
# make repository  a repository of the packages in dist, signed with the release key: for a USB drive, or an address
# make sbom     the bill of materials of the package for each Python, in dist (CycloneDX)
# make install on a Raspberry Pi, with sudo: makes the package for it, and installs it (make uninstall keeps games and settings)

PYTHON ?= python3
PORT ?= 8080
HOST := 127.0.0.1
VENV ?= .venv
DATA ?=
ONLY ?=
# Kept between runs, whatever the shell says: compiling and rewriting the tests' asserts is most of a worker's start.
BYTECODE := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX='$(CURDIR)/build/bytecode'
BIN := $(VENV)/bin
PACKAGING := build/packaging
PUBLISHING := build/publishing
WORDS := $(wildcard companion/ui/translations/*/LC_MESSAGES/*.po)

.PHONY: help run club test accept coverage check lint bench bench-club stress mutants arm virtual-pi lock words release screens deb repository sbom install uninstall clean

help:
	@sed -n 's/^# \(make .*\)/\1/p; s/^#  \( .*\)/  \1/p' Makefile

run: $(VENV)/.run
	@$(BIN)/companion simulate --host $(HOST) --port $(PORT) --open $(if $(DATA),--data '$(DATA)') || { \
	  echo "Another port or folder: make run PORT=8090 DATA=FOLDER" >&2; exit 1; }

club: $(VENV)/.club
	@$(BIN)/python -m tests.harness.club $(if $(TABLES),--tables $(TABLES))

test: $(VENV)/.dev
	$(BYTECODE) $(BIN)/python -m pytest -n auto --dist worksteal $(if $(ONLY),-m '$(ONLY)')

accept: $(VENV)/.dev
	$(BIN)/python -m tests.app.box_transcripts
	$(BIN)/python -m tests.ui.test_scenes_as_text
	$(BIN)/python -m tests.games.game_transcripts
	$(BIN)/python -m tests.line_tables
	$(BIN)/python -m tests.cli.command_transcripts

coverage: $(VENV)/.dev
	$(BYTECODE) $(BIN)/python -m pytest -q -n auto --dist worksteal --cov -m 'not unmeasured'

check: lint test

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m tests.harness.bench $(PARTS) $(if $(WRITE),--write)

bench-club: $(VENV)/.dev
	$(BIN)/python -m tests.harness.club.killed $(if $(TABLES),--tables $(TABLES)) $(if $(SECONDS),--seconds $(SECONDS))

stress: $(VENV)/.dev
	$(BIN)/python -m tests.harness.stress $(CHAPTERS)

mutants: $(VENV)/.dev
	$(BIN)/python -m tests.harness.mutants $(MODULES)

arm: $(VENV)/.dev
	$(BIN)/python -m tests.harness.arm

virtual-pi: $(VENV)/.dev
	$(BIN)/python -m tests.harness.virtual_pi $(CHAPTERS)

# Everything that a box or the build needs, in its newest version, with the hashes of all its files on PyPI. A box needs no
# setuptools: the metadata of colorzero names it, but nothing imports it, and it takes 7 MB.
LOCK = $(PUBLISHING)/bin/uv pip compile --no-config --quiet --upgrade --generate-hashes --custom-compile-command 'make lock' \
  --default-index https://pypi.org/simple
BOX := --python-platform aarch64-manylinux_2_36 --extra page --extra pi --extra bridge --no-emit-package setuptools pyproject.toml

lock: $(PUBLISHING)/.made
	printf 'hatchling\nbabel>=2.14\n' | $(LOCK) --python-version 3.11 --output-file debian/locks/build.txt -
	$(LOCK) --python-version 3.11 --output-file debian/locks/python3.11.txt $(BOX)
	$(LOCK) --python-version 3.13 --output-file debian/locks/python3.13.txt $(BOX)

words: $(VENV)/.dev
	$(BIN)/python -m tools.extract_words

release: $(PUBLISHING)/.made
	@[ -z "$$(git status --porcelain)" ] || { echo "there are changes that are not committed" >&2; exit 1; }
	rm -rf build/release
	$(PUBLISHING)/bin/python -m build --outdir build/release
	$(PUBLISHING)/bin/check-wheel-contents --toplevel companion,hardware build/release
	$(PUBLISHING)/bin/twine check --strict build/release/*
	mkdir -p dist
	cp build/release/* dist

screens: $(VENV)/.dev
	$(BIN)/python -m tests.scenes build/screens

deb: $(PACKAGING)/.made
	$(PACKAGING)/bin/python -m tools.debian_package $(ARCH) $(if $(KEYS),--keys '$(KEYS)')

repository:
	$(PYTHON) -m tools.repository $(if $(KEYS),--keys '$(KEYS)') $(if $(KEY),--key '$(KEY)')

sbom: $(PUBLISHING)/.made
	mkdir -p dist
	for python in 3.11 3.13; do $(PUBLISHING)/bin/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible \
	  --output-file dist/tabletop-companion-python$$python.cdx.json debian/locks/python$$python.txt || exit; done

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
	  echo "Tabletop Companion needs Python 3.11 or newer: sudo apt install python3 python3-venv" >&2; \
	  echo "(another one: make PYTHON=python3.12 ...)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing: sudo apt install python3-venv, then the same again" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml $(WORDS) | $(VENV)/bin/python
	@echo "Installing the simulator and what it needs into $(VENV), from PyPI: about 15 MB, 60 MB on the disk; a minute the first time."
	@mkdir -p build
	@$(BIN)/python -m pip install --retries 1 --disable-pip-version-check --editable '.[page]' 2>build/pip.log || { \
	  if grep -qi 'resolution\|getaddrinfo\|NewConnectionError\|unreachable\|timed out\|No matching distribution' build/pip.log; \
	  then echo "PyPI cannot be reached: connect this computer to the internet, then: make run" >&2; \
	  else echo "pip could not install it; build/pip.log says why. Then: make run" >&2; fi; exit 1; }
	@touch $@

$(VENV)/.club: pyproject.toml $(WORDS) | $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bridge,club]'
	@touch $@ $(VENV)/.run

$(VENV)/.dev: pyproject.toml $(WORDS) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.run $(VENV)/.club

# What builds the package, in the versions of its lock.

$(PACKAGING)/.made: debian/locks/build.txt
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(PACKAGING)
	$(PACKAGING)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# What publishes it. Not among the development tools, because of its 160 MB.

$(PUBLISHING)/.made:
	$(PYTHON) -m venv $(PUBLISHING)
	$(PUBLISHING)/bin/python -m pip install --quiet --disable-pip-version-check build check-wheel-contents cyclonedx-bom twine uv
	@touch $@
