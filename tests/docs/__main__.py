"""Bring code, output and pictures in the documents up to date: ``python -m tests.docs``. Look at what changed."""

from __future__ import annotations

import re

from tests.docs.pages import PAGES, PICTURES, picture, refresh, text, with_output, with_samples
from tests.docs.screenshots import SCREENSHOTS, draw_stale
from tests.needed import missing


def main() -> None:
    """Write them all, and say what changed."""
    for page in refresh(lambda page: with_output(with_samples(page))):
        print(page)
    in_browser = {one.name for one in SCREENSHOTS}
    for scene in sorted({scene for page in PAGES for scene in re.findall(r"pictures/([\w-]+)\.png", text(page))}):
        if scene not in in_browser:
            picture(scene).save(PICTURES / f"{scene}.png")
    why = missing("browser")
    for name in draw_stale() if why is None else ():
        print(f"docs/pictures/{name}.png")
    if why is not None:
        print(f"Pictures of pages are not drawn. {why}")


if __name__ == "__main__":
    main()
