"""A real browser that opens the page and presses its keys as people do."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.needed import BROWSERS, DRIVER, need
from tests.waiting import until

HELD_FOR = 0.75
"""Seconds after which a key that is down counts as held."""

# The page's timers for keys wait until `let_pass`, and an answer may take as long as it takes.
TIME = """
const [begin, end] = [window.setTimeout, window.clearTimeout];
const planned = new Map();
let passed = 0;
let last = 0;
window.setTimeout = (act, ms = 0, ...more) => {
  if (ms < 100 || ms > 1000) return begin(act, ms, ...more);
  last -= 1;
  planned.set(last, { act, due: passed + ms });
  return last;
};
window.clearTimeout = (timer) => { if (!planned.delete(timer)) end(timer); };
window.letPass = (ms) => {
  passed += ms;
  for (const [timer, { act, due }] of [...planned]) if (due <= passed && planned.delete(timer)) act();
};
AbortSignal.timeout = undefined;
// between two presses of a key there is always time enough, however fast the machine is
let stamped = 0;
Object.defineProperty(Event.prototype, 'timeStamp', { get: () => { stamped += 200; return stamped; } });
"""

# Looks at the middle of each drawn pixel: what people see, not what the script believes.
SAMPLE = """
const canvas = document.querySelector('canvas.panel');
const pen = canvas.getContext('2d');
const [width, height] = [128, 64];
const size = canvas.width / width;
if (!Number.isInteger(size) || canvas.height !== height * size) return null;
const {data} = pen.getImageData(0, 0, canvas.width, canvas.height);
let rows = '';
for (let y = 0; y < height; y += 1) {
  for (let x = 0; x < width; x += 1) {
    const at = 4 * (Math.floor((y + .5) * size) * canvas.width + Math.floor((x + .5) * size));
    rows += (data[at] + data[at + 1] + data[at + 2]) / 3 * data[at + 3] / 255 > 100 ? '1' : '0';
  }
}
return rows;
"""
CLOSED = "body:not(.with-pairs) .singles .pair"
"""The rows of pairs while they are behind their button."""
BOXES = """
return [...document.querySelectorAll('.key, canvas.panel')].map((element) => {
  const box = element.getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom];
});
"""


class Browser:
    """One browser with one window; its methods wait until the thing asked for is there."""

    def __init__(self, driver: webdriver.Chrome, real_time: bool = False) -> None:
        self._driver = driver
        if not real_time:
            self._command("Page.addScriptToEvaluateOnNewDocument", {"source": TIME})

    def open(self, url: str, width: int = 1280, height: int = 800, scale: float = 1.0) -> None:
        """Open a page and wait until it shows a frame."""
        self.resize(width, height, scale)
        self._driver.get(url)
        self.until(lambda: self.panel_pixels() is not None, "the panel is drawn")

    def open_table(self, url: str, width: int = 390, height: int = 844) -> None:
        """Open the table's page as a phone does, and wait until it shows a question and listens."""
        self.be_a_phone(width, height)
        self._driver.get(f"{url}table")
        self.listen()

    def open_table_on_laptop(self, url: str) -> None:
        """Open the table's page as a computer with a keyboard and a mouse does, and wait as for a phone."""
        self.be_a_laptop()
        self._driver.get(f"{url}table")
        self.listen()

    def be_a_phone(self, width: int = 390, height: int = 844) -> None:
        """Emulate a phone's screen and touch."""
        self._command("Emulation.setTouchEmulationEnabled", {"enabled": True})
        metrics = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True}
        self._command("Emulation.setDeviceMetricsOverride", metrics)

    def be_a_laptop(self, width: int = 1366, height: int = 768) -> None:
        """Emulate the screen of a computer with a mouse."""
        self._command("Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.resize(width, height)

    def listen(self) -> None:
        """Wait until the table's page shows a question and listens."""
        self.until(lambda: self.run("return document.body?.dataset.listening"), "the stream")

    def before_each_page(self, script: str) -> None:
        """Run a script before those of every page that is opened from now on."""
        self._command("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def limit_network(self, offline: bool = False, latency: float = 0.0, down: float = -1.0, up: float = -1.0) -> None:
        """Emulate a network.

        Args:
            offline: Whether there is none.
            latency: Milliseconds added to each request.
            down: Bytes a second to the browser; -1 is no limit.
            up: Bytes a second from the browser; -1 is no limit.
        """
        self._command("Network.enable", {})
        conditions = {"offline": offline, "latency": latency, "downloadThroughput": down, "uploadThroughput": up}
        self._command("Network.emulateNetworkConditions", conditions)

    def slow_down(self, times: float) -> None:
        """Emulate a processor that is so many times slower, and forget what the browser has kept of pages."""
        self._command("Emulation.setCPUThrottlingRate", {"rate": times})
        self._command("Network.enable", {})
        self._command("Network.setCacheDisabled", {"cacheDisabled": True})

    def go(self, url: str) -> None:
        """Open any address."""
        self._driver.get(url)

    def tap(self, selector: str, held: bool = False) -> None:
        """Tap an element with a finger, once it counts; ``held`` keeps the finger down for a moment."""
        self.let_pass(0.5)
        element = self.find(selector)
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        self._touch(element, held)

    def tap_at(self, rect: dict[str, float]) -> None:
        """Tap the place where an element was, at once."""
        x, y = rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2
        left, top = self.run("return [scrollX, scrollY]")
        self._touch((round(x - left), round(y - top)))

    def _touch(self, where: WebElement | tuple[int, int], held: bool = False) -> None:
        if held:
            self.run("addEventListener('pointerdown', () => letPass(600), { once: true })")
        source: Any = PointerInput  # selenium says nothing of its types here
        builder = ActionBuilder(self._driver, mouse=source(interaction.POINTER_TOUCH, "finger"), duration=0)
        pointer: Any = builder.pointer_action
        pointer = pointer.move_to_location(*where) if isinstance(where, tuple) else pointer.move_to(where)
        pointer.pointer_down().pointer_up()
        builder.perform()

    def choose(self, choice: str) -> int:
        """Tap a choice of the table's page, and wait for the next question. Return how many taps it took."""
        number = self.number
        taps = 1
        button = self.button_of(choice)
        if not self.run("return document.querySelector(arguments[0]) !== null", button):
            button = self.button_of(choice.removesuffix(" aside"))
            taps += 1
            self.tap(".mode")
        elif self.run("return document.querySelector(arguments[0]).closest(arguments[1])", button, CLOSED):
            taps += 1
            self.tap("button.pairs")
        self.tap(button)
        self.until_number_is_not(number)
        return taps

    def button_of(self, choice: str) -> str:
        """Return the selector of a choice: of two buttons with one name, that beside the others is seen."""
        button = f'[data-choice="{choice}"]'
        beside = self.run("return document.querySelector(arguments[0]) !== null", f".beside {button}")
        return f".beside {button}" if beside else button

    def until_number_is_not(self, number: int) -> None:
        """Wait until the table's page shows another question."""
        self.until(lambda: self.number != number, f"the question after {number}")

    @property
    def number(self) -> int:
        """Return the number of the question that the table's page shows."""
        return int(self.run("return document.body.dataset.number"))

    def status_text(self) -> str:
        """Return the sentence on what went wrong, or was done, on the table's page."""
        return str(self.run("return document.querySelector('#status').textContent"))

    def choices(self) -> dict[str, str]:
        """Return the label of everything that can be tapped now, by its name."""
        return dict(
            self.run(
                "return [...document.querySelectorAll('[data-choice]')].filter((one) => one.offsetParent)"
                ".map((one) => [one.dataset.choice, one.textContent.trim()])"
            )
        )

    def resize(self, width: int, height: int, scale: float = 1.0) -> None:
        """Resize the page, in CSS pixels, on a screen with ``scale`` dots to each of them."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self._command("Emulation.setDeviceMetricsOverride", metrics)

    def press(self, key: str, held: bool = False, touch: bool = False) -> None:
        """Press a key of the page with the mouse or a finger, and release it; ``held`` makes it a hold."""
        if held:
            self.run("addEventListener('pointerdown', () => letPass(arguments[0]), { once: true })", 1000 * HELD_FOR)
        kind = interaction.POINTER_TOUCH if touch else interaction.POINTER_MOUSE
        source: Any = PointerInput  # selenium says nothing of its types here
        builder = ActionBuilder(self._driver, mouse=source(kind, "finger" if touch else "mouse"), duration=0)
        pointer: Any = builder.pointer_action
        pointer.move_to(self._key(key)).pointer_down().pointer_up()
        builder.perform()

    def type(self, *keys: str) -> None:
        """Press keys of the computer's keyboard one after the other; each may be one of selenium's ``Keys``."""
        ActionChains(self._driver, duration=0).send_keys(*keys).perform()

    def type_keys(self, keys: str, gaps: Sequence[float]) -> None:
        """Press keys of the computer's keyboard, with the seconds that pass after each."""
        chain = ActionChains(self._driver, duration=0)
        for key, gap in zip(keys, gaps, strict=True):
            chain.send_keys(key).pause(gap)
        chain.perform()

    def tap_twice(self, rect: dict[str, float], gap: float) -> None:
        """Tap a place of the window twice, with some seconds between."""
        source: Any = PointerInput  # selenium says nothing of its types here
        builder = ActionBuilder(self._driver, mouse=source(interaction.POINTER_TOUCH, "finger"), duration=0)
        pointer: Any = builder.pointer_action
        x, y = round(rect["x"] + rect["width"] / 2), round(rect["y"] + rect["height"] / 2)
        pointer.move_to_location(x, y).pointer_down().pointer_up().pause(gap).pointer_down().pointer_up()
        builder.perform()

    def cookie(self, name: str, value: str) -> None:
        """Give the browser a cookie of the page that is open."""
        self._driver.add_cookie({"name": name, "value": value})

    def chord(self, modifier: str, key: str) -> None:
        """Press a key of the computer's keyboard while another is down."""
        ActionChains(self._driver, duration=0).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def hold(self, key: str, code: str, repeats: int = 0, seconds: float = 0.0) -> None:
        """Keep a key of the keyboard down for a while, with the repeats a computer adds."""
        event = {"key": key, "code": code, "text": key if len(key) == 1 else ""}
        self._command("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        for _ in range(repeats):
            self._command("Input.dispatchKeyEvent", {"type": "keyDown", "autoRepeat": True, **event})
        self.let_pass(seconds)
        self._command("Input.dispatchKeyEvent", {"type": "keyUp", "key": key, "code": code})

    def panel_pixels(self) -> Image.Image | None:
        """Return the picture on the drawn panel; None while nothing is drawn."""
        rows = self.run(SAMPLE)
        if rows is None:
            return None
        picture = Image.new("1", (128, 64))
        picture.putdata([255 * int(pixel) for pixel in rows])
        return picture

    def shows(self, picture: Image.Image) -> None:
        """Wait until the panel shows exactly this picture."""
        wanted = picture.tobytes()
        self.until(lambda: (seen := self.panel_pixels()) is not None and seen.tobytes() == wanted, "the picture")

    def label(self, key: str) -> str:
        """Return the label of a key; ``h#`` is # held."""
        part = ".held" if key.startswith("h") else ".does"
        return str(self.run("return arguments[0].querySelector(arguments[1]).textContent", self._key(key[-1]), part))

    def spoken(self, key: str) -> str:
        """Return what a screen reader says for a key."""
        return str(self._key(key).get_attribute("aria-label"))

    def words(self) -> tuple[str, ...]:
        """Return the lines that a screen reader announces when the picture changes."""
        return tuple(self.run("return [...document.querySelectorAll('.words p')].map((line) => line.textContent)"))

    def lamp(self) -> tuple[int, int, int] | None:
        """Return the lamp's colour; None when it is dark."""
        if not self.run("return document.querySelector('.lamp').classList.contains('lit')"):
            return None
        colour = self.run(
            "return getComputedStyle(document.querySelector('.lamp'), '::before').backgroundColor.match(/\\d+/g)"
        )
        red, green, blue = map(int, colour[:3])
        return red, green, blue

    def status(self) -> str:
        """Return the sentence in the status line; empty when there is none."""
        return str(self.run("return document.querySelector('.status').textContent"))

    def without_scrolling(self, keys: int = 16) -> bool:
        """Return whether the panel and every key lie wholly inside the window, and nothing can be scrolled."""
        width, height = self.run("return [innerWidth, innerHeight]")
        still = self.run(
            "const page = document.documentElement;"
            "return page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth"
        )
        boxes = self.run(BOXES)
        inside = all(
            left >= 0 and top >= 0 and right <= width and bottom <= height for left, top, right, bottom in boxes
        )
        return bool(still) and len(boxes) == keys + 1 and inside

    def smallest_key(self) -> float:
        """Return the shorter side of the smallest key in CSS pixels."""
        return min(float(min(key.rect["width"], key.rect["height"])) for key in self._all(".key"))

    def screenshot(self, path: str | Path, width: int, height: int, scale: float = 1.0) -> None:
        """Save a screenshot of a window of this size."""
        self.resize(width, height, scale)
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self._driver.save_screenshot(str(path))

    @contextmanager
    def another_tab(self) -> Iterator[None]:
        """Switch to an empty tab within the block, and back to the page."""
        page = self._driver.current_window_handle
        self._driver.switch_to.new_window("tab")
        try:
            yield
        finally:
            self._driver.close()
            self._driver.switch_to.window(page)

    @contextmanager
    def still(self) -> Iterator[None]:
        """Emulate a browser that prefers reduced motion."""
        with self.preferring("prefers-reduced-motion", "reduce"):
            yield

    @contextmanager
    def preferring(self, feature: str, value: str) -> Iterator[None]:
        """Emulate a browser with a preference, such as dark colours."""
        self._command("Emulation.setEmulatedMedia", {"features": [{"name": feature, "value": value}]})
        try:
            yield
        finally:
            self._command("Emulation.setEmulatedMedia", {"features": [{"name": feature, "value": ""}]})

    def console(self) -> list[str]:
        """Return the browser's console messages since the last call: script errors, refused styles, missing files."""
        return [str(entry["message"]) for entry in self._driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def let_pass(self, seconds: float) -> None:
        """Advance the page's timers for keys that are down."""
        self.run("window.letPass?.(arguments[0])", 1000 * seconds)

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until a condition holds."""
        until(condition, what)

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script in the page and return what it returns."""
        return self._driver.execute_script(script, *arguments)

    def find(self, selector: str) -> WebElement:
        """Return the first element that a CSS selector finds."""
        return self._all(selector)[0]

    def quit(self) -> None:
        """Close the browser."""
        self._driver.quit()

    def _key(self, key: str) -> WebElement:
        return self.find(f'[data-key="{key}"]')

    def _all(self, selector: str) -> list[WebElement]:
        return self._driver.find_elements(By.CSS_SELECTOR, selector)

    def _command(self, name: str, parameters: dict[str, Any]) -> None:
        self._driver.execute_cdp_cmd(name, parameters)


@contextmanager
def started(*arguments: str, real_time: bool = False) -> Iterator[Browser]:
    """Start a separate browser and quit it afterwards.

    Args:
        arguments: Further arguments for Chromium.
        real_time: Whether the pages' timers run by the clock, and not by `Browser.let_pass`.
    """
    need("browser")
    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, BROWSERS)))
    options.set_capability("goog:loggingPrefs", {"browser": "WARNING"})
    with tempfile.TemporaryDirectory(prefix="companion-browser-", ignore_cleanup_errors=True) as profile:
        for argument in (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
            *arguments,
        ):
            options.add_argument(argument)
        browser = Browser(webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER)), real_time)
        try:
            yield browser
        finally:
            browser.quit()
