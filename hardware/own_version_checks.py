"""The doctor's checks of this program itself: its version and the one before, its Python, its fonts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from companion.installation.places import InstallationPaths, version_of
from hardware.findings import Finding, Verdict, answer

ANEW = "install the package again: sudo apt install --reinstall ./tabletop-companion_….deb"
LONGEST = 120  # characters of a line of the log
_SYSTEM_PYTHON = "/usr/bin/python3"
_ASKED = "import sys; print('.'.join(map(str, sys.version_info[:2])))"


def installed_version() -> str | None:
    from importlib import metadata  # slow, and needed only here

    try:
        return metadata.version("tabletop-companion")
    except metadata.PackageNotFoundError:
        return None


def version(places: InstallationPaths, own: str | None) -> Iterator[Finding]:
    """Report the version, the one before, and whether the box went back to it.

    ``own`` is the version of the program that asks; None if it is not installed.
    """
    current, previous = version_of(places.current), version_of(places.previous)
    if current is None:
        what = "it runs from its sources" if own is None else f"{own}, not installed as a package"
        yield Finding(Verdict.UNKNOWN, f"Version: {what}.")
        return
    before = "there is none to go back to" if previous is None else f"before it was {previous}"
    yield Finding(Verdict.OK, f"Version: {current}; {before}.")
    if own is not None and own != current:
        yield Finding(Verdict.UNKNOWN, f"Version: the doctor who asks is of {own}.")
    for mark in sorted(places.failed_versions.glob("[0-9]*")):
        try:
            day, how, *log = mark.read_text("utf-8", "replace").splitlines()
        except (OSError, ValueError):
            continue
        what = f"Version: {mark.name} failed three times in ten minutes on {day} ({how.strip()}), so the box left it."
        last = f"; its last line: {log[-1].strip()[:LONGEST]}" if log else ""
        yield Finding(Verdict.UNKNOWN, what, f"why: {mark}{last}")


def python(places: InstallationPaths, prefix: Path = Path(sys.prefix)) -> Iterator[Finding]:
    """Compare the Python of the version with that of the system; the doctor runs in the environment ``prefix``."""
    own = ".".join(map(str, sys.version_info[:2]))
    system = answer(_SYSTEM_PYTHON, "-I", "-c", _ASKED)
    if system is None or system == own:
        yield Finding(Verdict.OK, f"Python: {own}{'' if system is None else ', as the system has it'}.")
        return
    what = f"Python: {own}; the system's is {system}."
    if not prefix.resolve().is_relative_to(places.versions.resolve()):
        yield Finding(Verdict.OK, what)
        return
    yield Finding(Verdict.UNKNOWN, what, "this Debian has a package of its own: sudo companion update")


def fonts() -> Finding:
    """Load every font and check that it has the glyphs that screens need."""
    import string

    from companion.ui.fonts import ELLIPSIS, FILES, face
    from companion.ui.symbols import GLYPHS

    words = {*string.ascii_letters, *string.digits, ELLIPSIS, *GLYPHS.values()}
    needed = {"text": words, "small": words, "cards": {*string.digits, *GLYPHS.values()}}
    lacking: list[str] = []
    for name in FILES:
        try:
            opened = face(name)
            missing = {sign for sign in needed.get(name, string.digits) if not opened.has(sign)}
            lacking += [f"{name} lacks {len(missing)} signs"] if missing else []
        except Exception as error:  # whatever is wrong with the file, it is unusable
            lacking.append(f"{name} cannot be read ({error})")
    if lacking:
        return Finding(Verdict.WRONG, f"Fonts: {', '.join(lacking)}.", ANEW)
    return Finding(Verdict.OK, f"Fonts: {len(FILES)} faces with every sign.")
