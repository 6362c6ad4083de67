"""Reads the documents: their links, anchors, code, and the samples that are taken from files or made by commands."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.journal import Journal
from tests.fakes.clock import FixedClock
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
PICTURES = DOCS / "pictures"

READMES = tuple(ROOT / name for name in ("README.md", "README.fr.md", "README.ja.md"))
HISTORY = ROOT / "CHANGELOG.md"
PAGES = (
    *READMES,
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    HISTORY,
    ROOT / "hardware/boards/README.md",
    *sorted(DOCS.rglob("*.md")),
    *sorted((ROOT / ".github").rglob("*.md")),
    *sorted((ROOT / "tests/transcripts").glob("*/README.md")),
)

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SAMPLE = re.compile(r"(?<=^<!-- )([\w/.-]+)(?:: ([\w, ]+))?( -->\n```\w+\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def links(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text(page))))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as git hosts make them."""
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def code(page: Path) -> Iterator[str]:
    """Yield the lines of a page's code: in blocks, and between backquotes."""
    whole = text(page)
    for _language, block in _FENCE.findall(whole):
        yield from block.splitlines()
    rest = _FENCE.sub("", whole)
    yield from re.findall(r"^ {4,}(.*)$", rest, re.MULTILINE)
    yield from re.findall(r"`([^`\n]+)`", rest)


def _definitions(file: Path, wanted: str) -> str:
    """Return the source of some functions, classes or constants of a module."""
    source = text(file)
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
            case ast.AnnAssign(target=ast.Name(id=constant)):
                found[constant] = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    return "\n\n\n".join(found[each.strip()] for each in wanted.split(",")) + "\n"


def with_samples(page: str) -> str:
    """Return a page with the code that its comments name, as it stands in the files now."""

    def sample(found: re.Match[str]) -> str:
        path, wanted, between, _old = found.groups()
        content = text(ROOT / path) if wanted is None else _definitions(ROOT / path, wanted)
        return f"{path}{'' if wanted is None else f': {wanted}'}{between}{content}"

    return _SAMPLE.sub(sample, page)


def with_output(page: str) -> str:
    """Return a page with what the commands of its console blocks print; they are run in a copy of the examples."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "examples"
        shutil.copytree(EXAMPLES, place)
        return _CONSOLE.sub(lambda block: _run(block[1], place), page)


def _run(block: str, place: Path) -> str:
    written = []
    for line in block.splitlines():
        if line.startswith("$ "):
            program, *words = shlex.split(line[2:])
            assert program == "companion", line
            command = [sys.executable, "-m", "tests.docs.with_examples", *words]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            environment.pop("XDG_RUNTIME_DIR", None)
            done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            written.append(f"{line}\n{done.stdout}")
    return "".join(written)


def picture(scene: str) -> Image.Image:
    """Return a scene of the panel, or the first question of a new box, four times as large."""
    if scene == "first-question":
        clock = FixedClock()
        box = Box(Journal(), Outputs(MemoryPanel(), clock), clock, language=None)
    else:
        box = box_at(next(each for each in SCENES if each.name == scene))
    small = box.picture
    return small.resize((4 * small.width, 4 * small.height), Image.Resampling.NEAREST)


def refresh(change: Callable[[str], str]) -> list[str]:
    """Change all pages, and return the names of those that are different now."""
    changed = []
    for page in sorted(DOCS.rglob("*.md")):
        before, after = text(page), change(text(page))
        if after != before:
            page.write_text(after, encoding="utf-8")
            changed.append(name(page))
    return changed
