"""Bring code, output and pictures in the documents up to date: ``python -m tests.docs``. Look at what changed."""

from __future__ import annotations

import re

from tests.docs.pages import PAGES, PICTURES, SCREENSHOTS, picture, refresh, text, with_output, with_samples


def main() -> None:
    """Write them all, and say which pages changed."""
    for page in refresh(lambda page: with_output(with_samples(page))):
        print(page)
    for scene in sorted({scene for page in PAGES for scene in re.findall(r"pictures/([\w-]+)\.png", text(page))}):
        if scene not in SCREENSHOTS:
            picture(scene).save(PICTURES / f"{scene}.png")


if __name__ == "__main__":
    main()
