# make help       this list
# make run        the simulator, on http://127.0.0.1:8080 (PORT=8090; HOST=0.0.0.0 for phones, too; DATA=FOLDER for other
#                 games); if it runs already, its page is opened
# make club       an evening of a club on this computer, whose phones tell results (TABLES=8: with boxes), until Ctrl-C
# make check      what CI runs: lint, types, layers, tests
# make test       the tests
# make lab        the tests of the programs that measure or torment; the next three run them whole
# make bench      the figures (PARTS="process keys" for a part; WRITE=1: a page, too, in build/lab)
# make stress     every promise tried hard, about half an hour (CHAPTERS="crash damage" for a part)
# make mutants    faults put into the program, one at a time: do the tests notice? (MODULES="companion/journal")
# make coverage   the share of the program that the tests reach
# make accept     writes the transcripts anew, with the words of today: read git diff then
# make words      the list of every word people read, for translators
# make screens    a picture of every screen, in build/screens
# make deb        the Debian packages, in dist (ARCH=arm64 or amd64 for one of both); needs python3.11 and python3.13
# make repository a signed repository of the packages in dist: for a USB drive, or an address
# make release    checks everything; source archive, wheel, packages and bills of materials, in dist
# make lock       the newest versions of all packages that a box, the build and the tests use
# make install    on a Raspberry Pi, with sudo: its package, made and installed (make uninstall keeps games and settings)

PYTHON ?= python3
PORT ?= 8080
HOST := 127.0.0.1
VENV ?= .venv
ONLY ?= not lab
BIN := $(VENV)/bin
# Compiling is most of a worker's start: what was compiled is kept, whatever the shell says.
PYTEST := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX='$(CURDIR)/build/bytecode' \
  $(BIN)/python -m pytest -n auto --dist worksteal
BUILDING := build/packaging
CHANGED := pyproject.toml tests/packages.txt $(wildcard companion/ui/translations/*/LC_MESSAGES/*.po)

.PHONY: help run club check test lab bench stress mutants coverage accept lint words screens deb repository release lock \
  install uninstall clean

help:
	@sed -n 's/^# \(make .*\)/\1/p; s/^#  \( .*\)/  \1/p' Makefile

run: $(VENV)/.run
	@$(BIN)/companion simulate --host $(HOST) --port $(PORT) --open $(if $(DATA),--data '$(DATA)') || { \
	  echo "Another port or folder: make run PORT=8090 DATA=FOLDER" >&2; exit 1; }

club: $(VENV)/.club
	@$(BIN)/python -m tests.harness.club $(if $(TABLES),--tables $(TABLES))

check: lint test

test: $(VENV)/.dev
	$(PYTEST) $(if $(ONLY),-m '$(ONLY)')

lab: $(VENV)/.dev
	$(PYTEST) -m lab

coverage: $(VENV)/.dev
	$(PYTEST) -q --cov -m 'not unmeasured and not lab'

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench stress mutants: $(VENV)/.dev
	$(BIN)/python -m tests.harness.$@ $(PARTS) $(CHAPTERS) $(MODULES) $(if $(WRITE),--write)

accept: $(VENV)/.dev
	for each in app.box_transcripts ui.test_scenes_as_text games.game_transcripts line_tables cli.command_transcripts; do \
	  $(BIN)/python -m tests.$$each || exit; done

words: $(VENV)/.dev
	$(BIN)/python -m tools.extract_words

screens: $(VENV)/.dev
	$(BIN)/python -m tests.scenes build/screens

deb: $(BUILDING)/.made
	$(BUILDING)/bin/python -m tools.debian_package $(ARCH) $(if $(KEYS),--keys '$(KEYS)')

repository:
	$(PYTHON) -m tools.repository $(if $(KEYS),--keys '$(KEYS)') $(if $(KEY),--key '$(KEY)')

release: check deb
	$(PYTHON) -m tools.publish release

lock:
	$(PYTHON) -m tools.publish lock

install:
	@[ "$$(id -u)" = 0 ] || { echo "installing needs root's rights: sudo make install" >&2; exit 1; }
	@$(MAKE) --no-print-directory $(BUILDING)/.made
	rm -rf build/package
	$(BUILDING)/bin/python -m tools.debian_package --own --dist build/package
	apt-get install --yes --reinstall --allow-downgrades --no-install-recommends ./build/package/*.deb

uninstall:
	apt-get remove --yes tabletop-companion
	@echo "Kept: the games in /var/lib/companion and the settings in /etc/companion.toml (apt purge removes the settings, and asks about the games)."

clean:
	rm -rf $(VENV) build dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Virtual environments, made again when what they depend on changes.

$(VENV)/.run: $(CHANGED)
	@tools/environment $(PYTHON) $(VENV)
	@echo "Installing the simulator and what it needs into $(VENV), from PyPI: about 15 MB, 60 MB on the disk; a minute the first time."
	@tools/environment $(PYTHON) $(VENV) page 'make run'
	@touch $@

$(VENV)/.club: $(CHANGED)
	@tools/environment $(PYTHON) $(VENV) bridge,club
	@touch $@ $(VENV)/.run

$(VENV)/.dev: $(CHANGED)
	@tools/environment $(PYTHON) $(VENV) dev
	@touch $@ $(VENV)/.run $(VENV)/.club

$(BUILDING)/.made: debian/locks/build.txt
	@tools/environment $(PYTHON) $(BUILDING)
	@$(BUILDING)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@
