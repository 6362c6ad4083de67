"""Checks a newly built version before the box chooses it: ``companion doctor --quick``.

It reads every file of the program and imports every module, plays a sample game of each kind, and draws screens. It
needs no device, journal, settings or network, writes nothing, and runs as any user.
"""

from __future__ import annotations

import csv
import importlib.util
import os
import sys
import traceback
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator
from hashlib import new as new_hash
from importlib import metadata
from pathlib import Path

from companion.app.terminal import say
from hardware.findings import Finding, Verdict

SITE = Path(__file__).parents[2]  # the folder in which the packages are
PACKAGES = ("companion", "hardware")
LATER = (
    "gpiod.line",
    "gpiozero.tones",
    "grapheme",
    "h11",
    "luma.core.interface.serial",
    "openskill.models.weng_lin.plackett_luce",
    "platformdirs",
    "segno",
    "smbus2",
    "uvicorn.protocols.http.h11_impl",
)
"""Modules of others that the program imports only when it needs them."""

NAMED = 3  # maximum files or errors named in a line; the rest is counted


def main() -> int:
    """Print the result of each check, and return the exit status: 0 if nothing is wrong, else 1."""
    sys.dont_write_bytecode = True
    wrong = False
    for finding in check():
        say(finding)
        wrong |= finding.status is Verdict.WRONG
    return int(wrong)


def check() -> Iterator[Finding]:
    """Run all checks. Without modules to import, the others are left out."""
    recorded = [*_recorded_files()]
    right = "all are there, as they were packed" if recorded else "all can be read; there is no list of them"
    yield _judged("Files", right, _files(recorded or _found()))
    modules = _judged("Modules", "all can be imported", _modules())
    yield modules
    if modules.status is Verdict.OK:
        yield _judged("Games", "a sample game of each kind ends as it should", _carefully(_games))
        yield _judged("Screens", "all samples are drawn as they should be", _carefully(_screens))
        yield _judged("Panel", "a picture is prepared for every controller", _carefully(_panels))
        yield _judged("Keys", "every board can be used", _carefully(_boards))
        yield _judged("Page", "every page can be made", _carefully(_pages))


def _judged(topic: str, right: str, faults: Iterable[str]) -> Finding:
    """Return the finding for a list of faults; the same fault counts once."""
    found = [*dict.fromkeys(faults)]
    if not found:
        return Finding(Verdict.OK, f"{topic}: {right}.")
    more = f"; and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return Finding(Verdict.WRONG, f"{topic}: {'; '.join(found[:NAMED])}{more}.")


def _carefully(check: Callable[[], Iterable[str]]) -> Iterator[str]:
    """Yield the faults that a check finds; an exception is one more."""
    try:
        yield from check()
    except Exception as error:  # whatever is wrong with the program, the check goes on
        yield _why(error)


# Files and modules


def _files(files: Iterable[tuple[Path, str, str]]) -> Iterator[str]:
    """Read files, and compare those whose kind and value of hash are known."""
    for file, kind, digest in files:
        try:
            content = file.read_bytes()
        except OSError as error:
            yield f"{_named(file)}: {(error.strerror or str(error)).lower()}"
            continue
        if kind and urlsafe_b64encode(new_hash(kind, content).digest()).rstrip(b"=").decode() != digest:
            yield f"{_named(file)} is not as it was packed"


def _recorded_files() -> Iterator[tuple[Path, str, str]]:
    """Yield the installed files with kind and value of their hashes; none if the program runs from its sources.

    The list is read here, because `files` of importlib.metadata leaves out what is missing, from Python 3.12 on.
    """
    try:
        installed = metadata.distribution("tabletop-companion")
    except metadata.PackageNotFoundError:
        return
    for name, hashed, _size in csv.reader((installed.read_text("RECORD") or "").splitlines()):
        place = Path(str(installed.locate_file(name)))
        kind, _equals, digest = hashed.partition("=")
        if digest and name.split("/")[0] in PACKAGES and place.is_relative_to(SITE):
            yield place, kind, digest


def _found() -> Iterator[tuple[Path, str, str]]:
    """Yield the files that are there, without hashes."""
    for package in PACKAGES:
        for folder, _folders, files in os.walk(SITE / package):
            if not folder.endswith("__pycache__"):
                yield from ((Path(folder, file), "", "") for file in files)


def _modules() -> Iterator[str]:
    """Import every module of the program, and those of others that it imports later."""
    files = (file for file, _kind, _digest in _found() if file.suffix == ".py" and file.stem != "__main__")
    own = {".".join(file.relative_to(SITE).with_suffix("").parts).removesuffix(".__init__") for file in files}
    if importlib.util.find_spec("psycopg") is None:  # without the extra club
        own = {name for name in own if not name.startswith("companion.club.")}
    for name in (*sorted(own), *LATER):
        try:
            importlib.import_module(name)
        except (Exception, SystemExit) as error:
            yield _why(error)


def _why(error: BaseException) -> str:
    """Return where an exception came from, and what it says."""
    if isinstance(error, SyntaxError):
        return f"{_named(Path(error.filename or '?'))}, line {error.lineno}: {error.msg}"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{_named(Path(error.filename))}: {(error.strerror or str(error)).lower()}"
    message = f"{type(error).__name__}: {error}".rstrip(": ")
    frames = (frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename)
    place = [*frames][-1]
    return message if place.filename == __file__ else f"{_named(Path(place.filename))}, line {place.lineno}: {message}"


def _named(file: Path) -> str:
    return str(file.relative_to(SITE) if file.is_relative_to(SITE) else file)


# What the program does


def _games() -> Iterator[str]:
    from .recorded_samples import (  # after the modules one by one: to name what fails
        games_with_sample,
        plays_as_before,
    )

    for game in games_with_sample():
        try:
            if not plays_as_before(game):
                yield f"the sample game of {game} ends in another state than it should"
        except Exception as error:  # a game that fails does not hide another
            yield f"the sample game of {game}: {_why(error)}"


def _screens() -> Iterator[str]:
    """Look for the glyphs that screens need, and draw screens."""
    from hardware.own_version_checks import fonts

    from .recorded_samples import changed_screens

    lacking = fonts()
    if lacking.status is Verdict.WRONG:  # nothing can be drawn then
        yield lacking.what.removeprefix("Fonts: ").rstrip(".")
    elif changed := changed_screens():
        yield f"drawn otherwise than they should be: {', '.join(changed)}"


def _panels() -> Iterator[str]:
    """Show a picture on every controller; no bus is opened."""
    from luma.core.interface.serial import noop

    from companion.ui.pictures import hello
    from hardware.panel import CONTROLLERS, LumaPanel, pages
    from hardware.panel_bus import PanelSpec

    for chip in CONTROLLERS:
        LumaPanel(PanelSpec(chip), noop).show(hello())
    if not any(pages(hello())):
        yield "the picture for the panel is empty"


def _boards() -> Iterator[str]:
    from hardware import board

    boards = sorted(board.BOARDS.glob("*.toml"))
    if not boards:
        yield f"there is no board in {_named(board.BOARDS)}"
    for file in boards:
        try:
            board.load(file.stem)
        except board.BoardError as fault:
            yield str(fault)


def _pages() -> Iterator[str]:
    """Compile every template, and read every file of the page."""
    from companion.web.page_templates import compile_all
    from companion.web.site import FILES, PAGE

    compile_all()
    for name, _kind in FILES.values():
        if not (PAGE / name).read_bytes():
            yield f"{_named(PAGE / name)} is empty"
