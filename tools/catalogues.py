"""Reads and compiles the catalogues of translations, by Babel. The build loads this file by itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

CATALOGUES = Path(__file__).parents[1] / "companion" / "ui" / "translations"
CONTEXT = "\x04"
"""What gettext puts between a template's context and the template."""

PLURAL = "\0"
"""What separates the forms of a template, and those of a translation: for one thing, for more."""

MADE = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in every compiled catalogue: the same source gives the same bytes."""


def read(source: Path) -> dict[str, str]:
    """Return the translation of each template in a ``.po``; empty where it has none."""
    from babel.messages.pofile import read_po  # it takes a tenth of a second

    with source.open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    return {
        f"{message.context}{CONTEXT}{_joined(message.id)}" if message.context else _joined(message.id): _joined(
            message.string
        )
        for message in catalogue
        if message.id
    }


def _joined(forms: str | Sequence[str] | None) -> str:
    """Return the forms of a template or translation as one text; most have one."""
    if forms is None or isinstance(forms, str):
        return forms or ""
    return PLURAL.join(forms) if any(forms) else ""


def compile_all(catalogues: Path = CATALOGUES, into: Path | None = None) -> list[tuple[Path, Path]]:
    """Compile every ``.po`` whose ``.mo`` is missing or older.

    Args:
        catalogues: The folder of the catalogues.
        into: Where the ``.mo`` go; None is beside the ``.po``.

    Returns:
        Each ``.mo``, and its place within the folder of catalogues.
    """
    made = []
    for source in sorted(catalogues.glob("*/LC_MESSAGES/*.po")):
        place = source.relative_to(catalogues).with_suffix(".mo")
        target = (into or catalogues) / place
        if not target.exists() or target.stat().st_mtime <= source.stat().st_mtime:
            _compile(source, target)
        made.append((target, place))
    return made


def _compile(source: Path, target: Path) -> None:
    from babel.messages.mofile import write_mo  # as above
    from babel.messages.pofile import read_po

    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_suffix(f".{os.getpid()}")
    with source.open("rb") as file, half.open("wb") as out:
        catalogue = read_po(file, abort_invalid=True)
        catalogue.creation_date = MADE  # Babel would write the present minute
        write_mo(out, catalogue)
    half.replace(target)  # in one step: somebody may be reading it
