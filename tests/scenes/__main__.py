"""Writes a picture of every kind of screen, and one sheet of them all: ``python -m tests.scenes DIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

from hardware.board import USUAL, load
from tests.scenes.screenshots import contact_sheet, pictures

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.scenes", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--lang", default="en", help="the language (default: en)")
    parser.add_argument("--board", default=USUAL, help=f"the board whose keys they name (default: {USUAL})")
    wanted = parser.parse_args()
    named = list(pictures(wanted.lang, load(wanted.board).keyed()))
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for name, picture in named:
        picture.save(wanted.folder / f"{name}.png")
    contact_sheet(named).save(wanted.folder / "all.png")
    print(f"{len(named)} screens in {wanted.folder}, all of them on {wanted.folder / 'all.png'}")
