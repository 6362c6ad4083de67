"""Pictures of the pages in a browser, for the documents. Each remembers the page that it was drawn from."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs
from msgspec.structs import replace
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from companion.app.ports import BoxOutput, PageKey
from companion.app.state import PANEL
from companion.ui.screens.phones import THIS_COMPUTER
from companion.web.live_routes import PAGES
from companion.web.page_mirror import PageMirror, encode
from companion.web.server import serve
from companion.web.site import PAGE
from tests.scenes.scenes import FOUR, ROUND_ONE, ROUND_TWO, TRICK, Scene
from tests.scenes.screenshots import box_at
from tests.waiting import LAST_RESORT

from .pages import PICTURES

if TYPE_CHECKING:
    from tests.web.browser import Browser

DRAWN_FROM = "drawn-from"
"""The name of the text in a picture's file that identifies the page it was drawn from."""

PHONE: PageKey = (THIS_COMPUTER.number, "en")
WALL: PageKey = ("wall", "en")

COLOURS = 96
"""How many colours a moving picture has, to be light."""
SHOWN, LAST_SHOWN = 1100, 3500
"""How long each picture of a moving one is shown, and the last one, in milliseconds."""

PLAYED = f"{TRICK} C7 B2"
LATER = "h#51 A3 B9 A4 DB11 9 C5 C7 C2"
"""Keys of a later round: every card, the first trick, two cards of the second."""
NEIGHBOURS = {**FOUR, "players": ["Aki", "Bea", "Cyr", "Dai"]}


class Screenshot(Struct, frozen=True):
    """A picture of a page.

    Attributes:
        name: The file's name, without extension.
        path: The page's path.
        scene: What the page shows.
        size: Width and height of the window.
        colours: The colours that the browser prefers: ``light`` or ``dark``.
        later: The keys that lead from each picture to the next, if it moves.
    """

    name: str
    path: str
    scene: Scene
    size: tuple[int, int]
    colours: str = "light"
    later: tuple[str, ...] = ()

    @property
    def frames(self) -> Iterator[BoxOutput]:
        """What the box shows, picture by picture."""
        for moment in range(len(self.later) + 1):
            keys = " ".join((self.scene.keys, *self.later[:moment]))
            box = box_at(structs.replace(self.scene, keys=keys))
            panel = structs.replace(box.state.panel, number=1)  # a box begins with a random number
            state = box.state.having(PANEL, panel).having(0, structs.replace(panel, phone=THIS_COMPUTER))
            yield replace(box.frame, live_pages=box._live_pages.contents((PHONE, WALL), state, None))

    def source(self) -> str:
        """Return a checksum of everything that the page says, without its styles."""
        said = hashlib.sha256()
        for frame in self.frames:
            if self.path == "":
                said.update(encode(frame) + (PAGE / "index.html").read_bytes())
            else:
                page = next(page for page in PAGES if page.path == f"/{self.path}")
                shown = frame.live_pages[WALL if self.path == "wall" else PHONE]
                said.update(page.render(shown, THIS_COMPUTER).encode())
        return said.hexdigest()


SCREENSHOTS = (
    Screenshot("page", "", Scene("page", PLAYED, NEIGHBOURS), (1000, 760)),
    Screenshot("table-phone", "table", Scene("table", LATER, FOUR, (ROUND_ONE,)), (390, 844)),
    Screenshot("wall", "wall", Scene("wall", LATER, FOUR, (ROUND_ONE, ROUND_TWO)), (1280, 720), "dark"),
    Screenshot(
        "trump-changes",
        "wall",
        Scene("wall", "h#51 A3 B9", NEIGHBOURS, (ROUND_ONE, ROUND_TWO)),
        (800, 450),
        "dark",
        ("A4", "DB11", "9", "C5"),
    ),
)


def drawn_from(name: str) -> str:
    """Return the checksum of the page that a picture was drawn from; empty if there is none."""
    if not (PICTURES / f"{name}.png").exists():
        return ""
    with Image.open(PICTURES / f"{name}.png") as picture:
        return str(picture.info.get(DRAWN_FROM, ""))


def draw_stale() -> list[str]:
    """Draw the screenshots anew whose pages have changed since. Return their names."""
    stale = [one for one in SCREENSHOTS if drawn_from(one.name) != one.source()]
    if stale:
        from tests.web.browser import started  # selenium is for those who have a browser

        with started("--hide-scrollbars", "--lang=en") as browser:
            for one in stale:
                _draw(one, browser)
    return [one.name for one in stale]


def _draw(one: Screenshot, browser: Browser) -> None:
    noted = PngInfo()
    noted.add_text(DRAWN_FROM, one.source())
    first, *others = [_taken(one, frame, browser) for frame in one.frames]
    file = PICTURES / f"{one.name}.png"
    if others:
        first, *others = (taken.quantize(COLOURS) for taken in (first, *others))
        shown = [SHOWN] * len(others) + [LAST_SHOWN]
        first.save(file, pnginfo=noted, save_all=True, append_images=others, duration=shown, loop=0)
    else:
        first.save(file, pnginfo=noted, optimize=True)


def _taken(one: Screenshot, frame: BoxOutput, browser: Browser) -> Image.Image:
    mirror = PageMirror()
    mirror.show(frame)
    server = serve("127.0.0.1", 0, lambda _: True, mirror)
    try:
        with browser.preferring("prefers-color-scheme", one.colours), tempfile.TemporaryDirectory() as folder:
            browser.resize(*one.size)
            browser.go(f"{server.local_url}{one.path}")
            if not one.path:
                browser.until(lambda: browser.panel_pixels() is not None, "the panel is drawn")
            browser.until(lambda: browser.run("return !document.getAnimations().length"), "nothing moves")
            taken = Path(folder) / "taken.png"
            browser.screenshot(taken, *one.size)
            with Image.open(taken) as picture:
                return picture.convert("RGB")
    finally:
        server.stop()
        server.join(LAST_RESORT)
