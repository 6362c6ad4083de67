"""What the documents show is what the program has: code, output, commands, names, pictures."""

from __future__ import annotations

import importlib.util
import pkgutil
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.cli import main
from tests.harness.stress.chapters import SIZES
from tests.harness.virtual_pi.__main__ import CHAPTERS

from .pages import HISTORY, PAGES, PICTURES, ROOT, code, name, picture, text, with_output, with_samples
from .screenshots import SCREENSHOTS, Screenshot, drawn_from

OF_TODAY = tuple(page for page in PAGES if page != HISTORY)
EVERY_PAGE = pytest.mark.parametrize("page", OF_TODAY, ids=map(name, OF_TODAY))
WITH_CONSOLE = tuple(page for page in OF_TODAY if "```console" in text(page))
SCENES = sorted(file.stem for file in PICTURES.iterdir() if file.stem not in {one.name for one in SCREENSHOTS})

TO_BE_MADE = {"LANGUAGE", "de", "table_order.py"}
"""Parts of paths that stand for files a reader is to make."""

COMMAND = re.compile(r"(?:^|\.venv/bin/|sudo |\| )companion (game [a-z]+|club (?:enrol|consume)|[a-z-]+)([^|]*)")
PATH = re.compile(r"(?<![/\w.-])((?:companion|hardware|tests|tools|systemd|docs)/[\w/.-]*\w)")
DOTTED = re.compile(r"(?<![/\w.-])((?:companion|hardware|tests|tools)(?:\.(?!toml\b)\w+)+)")


def options(command: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit) as leaving:
        main([*command.split(), "--help"])
    assert leaving.value.code == 0, f"there is no command {command}"
    return set(re.findall(r"--[a-z]+", capsys.readouterr().out))


@EVERY_PAGE
def test_code_in_a_document_is_the_code_of_its_file(page: Path) -> None:
    assert with_samples(text(page)) == text(page), "python -m tests.docs writes it anew"


@pytest.mark.unmeasured
@pytest.mark.parametrize("page", WITH_CONSOLE, ids=map(name, WITH_CONSOLE))
def test_commands_print_what_a_document_shows(page: Path) -> None:
    assert with_output(text(page)) == text(page), "python -m tests.docs writes it anew"


@EVERY_PAGE
def test_a_command_of_the_program_exists_with_its_options(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in code(page):
        for command, rest in COMMAND.findall(line.removeprefix("$ ")):
            assert set(re.findall(r"--[a-z]+", rest)) <= options(command, capsys), line


@EVERY_PAGE
def test_a_target_of_make_exists(page: Path) -> None:
    rules = re.findall(r"^([a-z -]+):(?!=)", text(ROOT / "Makefile"), re.MULTILINE)
    targets = {target for rule in rules for target in rule.split()}
    assert {
        target for line in code(page) for target in re.findall(r"(?:^|sudo |&& |=\w+ )make ([a-z-]+)", line)
    } <= targets


@EVERY_PAGE
def test_a_chapter_that_is_named_exists(page: Path) -> None:
    named = {
        chapter for line in code(page) for each in re.findall(r'CHAPTERS="(.*?)"', line) for chapter in each.split()
    }
    assert named <= {*SIZES, *CHAPTERS}


@EVERY_PAGE
def test_a_module_that_is_run_exists(page: Path) -> None:
    modules = {module for line in code(page) for module in re.findall(r"python -m ((?:tests|tools)[\w.]+)", line)}
    assert [module for module in modules if importlib.util.find_spec(module) is None] == []


@EVERY_PAGE
def test_a_file_that_is_named_exists(page: Path) -> None:
    named = {path for line in code(page) for path in PATH.findall(line)}
    missing = {path for path in named if not (ROOT / path).exists()}
    assert [path for path in missing if not TO_BE_MADE & set(path.split("/"))] == []


@EVERY_PAGE
def test_a_name_in_the_code_exists(page: Path) -> None:
    for line in code(page):
        for dotted in DOTTED.findall(line):
            pkgutil.resolve_name(dotted)


@pytest.mark.parametrize("scene", SCENES)
def test_a_picture_of_the_panel_is_what_the_program_draws(scene: str) -> None:
    with Image.open(PICTURES / f"{scene}.png") as shown:
        assert ImageChops.difference(shown.convert("L"), picture(scene).convert("L")).getbbox() is None, (
            "python -m tests.docs draws it anew"
        )


@pytest.mark.parametrize("one", SCREENSHOTS, ids=lambda one: str(one.name))
def test_a_picture_of_a_page_was_drawn_from_what_the_page_says_now(one: Screenshot) -> None:
    assert drawn_from(one.name) == one.source(), "python -m tests.docs draws it anew"
