"""The man page and the completion for bash are those of today's commands; the documents name every command."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from companion.cli.commands import COMMANDS
from tools.command_documents import made

ROOT = Path(__file__).parents[2]
COMPLETION = ROOT / "debian/completions/companion"


def test_man_page_and_completion_are_made_from_the_parsers_of_today() -> None:
    for name, text in made().items():
        assert (ROOT / name).read_text("utf-8") == text, "run: .venv/bin/python -m tools.command_documents"


def test_the_documents_name_every_command() -> None:
    text = (ROOT / "docs/commands.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"`companion {name}" not in text] == []


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("companion re", "replay rescore remove restore"),
        ("companion --v", "--version"),
        ("companion game ", "add list remove hide show new"),
        ("companion game add ", ""),
        ("companion game add --", "--help --data --yes"),
        ("companion press --tracking ", "full quick round"),
        ("companion press keys --te", "--text"),
        ("companion club en", "enrol"),
        ("companion club enrol --re", "--remove"),
        ("companion update --b", ""),
    ],
)
def test_the_completion_offers_what_may_follow(typed: str, offered: str) -> None:
    *words, last = typed.split(" ")
    line = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _companion; echo "${COMPREPLY[*]}"'
    command = ["bash", "-c", line, str(COMPLETION), *words, last]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == (offered, "")
