"""Slips of fingers in a real browser: double taps, double presses, quick honest ones, several people at once.

A log that differs from the game that was meant has an entry that nobody meant.
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.ports import SystemClock
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.prompt import DetailLevel, LayCard, Prompt
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.games import GAMES
from companion.ui.keys import TWICE, AnswerCodes, Key, answer_name, parse
from companion.ui.screens.phones import Role
from companion.web.access import COOKIE
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS
from tests.waiting import until
from tests.web.paired_page import PairedPage
from tests.web.tapped_evening import as_shown, set_up
from tests.web.test_evening import simulating

from .log_to_taps import taps_of

if TYPE_CHECKING:
    from tests.web.browser import Browser

SETTLED = 0.55  # seconds after which every button counts
SLOWEST = 0.45  # seconds between the two taps of a double tap, at most
SEEN = 0.3  # seconds that people take to find the next card in a grid that they know
PLACE = """
const asked = [...document.querySelectorAll(`[data-choice="${arguments[0]}"]`)].find((one) => one.offsetParent);
if (!asked) return null;
asked.scrollIntoView({ block: "nearest" });
const { left, top, width, height } = asked.getBoundingClientRect();
return { x: left, y: top, width, height, waits: asked.ariaDisabled === "true" };
"""


LEAD = 0.6  # seconds after which several people answer at once
AT_ONCE = 0.12  # the most seconds that one of them may be late
TAP_LATER = """
const [x, y, at] = arguments;
window.late = undefined;
setTimeout(() => {
  window.late = Date.now() - at;
  document.elementFromPoint(x, y)?.closest("button")?.click();
}, Math.max(0, at - Date.now()));
"""
NOTE_ANSWERS = """
window.answers = [];
const usual = window.fetch;
window.fetch = async (address, options) => {
  const reply = await usual(address, options);
  if (address === '/table/tap') window.answers.push((await reply.clone().json()).why);
  return reply;
};
"""
TYPE_NUMBER = """
const form = document.querySelector("form.number");
form.querySelector("input").value = arguments[0];
form.requestSubmit();
"""
NOTE_TAPS = """
window.tapTimes = [];
addEventListener("pointerup", (event) => { window.tapTimes.push(event.timeStamp); }, true);
"""
NOTE_KEYS = """
window.keyTimes = [];
addEventListener("keydown", (event) => { window.keyTimes.push(event.timeStamp); }, true);
"""


class NotAskedError(Exception):
    """A choice of the game that was meant is not there: something else was entered."""


class Counts:
    """What was tried, and what went wrong, by kind."""

    def __init__(self) -> None:
        self.tried = 0
        self.late = 0  # how many were not as quick as they should be, because the machine was busy; they do not count
        self.wrong: list[str] = []

    def __str__(self) -> str:
        return f"{self.tried} tried, {len(self.wrong)} wrong, {self.late} too late to count" + "".join(
            f"\n  {each}" for each in self.wrong[:5]
        )


def dealt_games(seed: int) -> Iterator[Dealt]:
    """Yield honest games without end, each game in turn."""
    while True:
        for game in GAMES:
            yield deal(game, seed, **HABITS)
        seed += 1


@contextmanager
def entered_lines(dealt: Dealt) -> Iterator[tuple[str, Path]]:
    """Yield the address of the simulator with a game begun, and the folder of its journal."""
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder), dealt)
        with simulating(Path(folder)) as url:
            yield url, Path(folder)


def saved(folder: Path) -> list[bytes]:
    """Return the lines of the only game in a journal's folder, without the header."""
    (file,) = (folder / "games").glob("*.jsonl")
    return [row for row in file.read_bytes().split(b"\n")[1:] if row.strip(b"\0 ")]


def taps(browser: Browser, most: int, seed: int, *, twice: bool) -> Counts:
    """Tap games, with each tap doubled by a slip, or honest and quick."""
    counts, chance = Counts(), random.Random(seed)
    for dealt in dealt_games(seed):
        with entered_lines(dealt) as (url, folder):
            browser.open_table(url)
            browser.run(NOTE_TAPS)
            session = Session(decode_header(json.dumps(dealt.header)))
            for written in map(as_shown, dealt.lines):
                line = decode_line(json.dumps(written), session.header)
                try:
                    for choice, _taps in taps_of(session, line):
                        _tap(browser, choice, chance, counts, twice=twice)
                except NotAskedError as error:
                    counts.wrong.append(f"{dealt.header['game']} {dealt.seed}: {error} is not asked any more")
                    break
                session = session.add(line)
                entered = session.head.number
                until(lambda: len(saved(folder)) >= entered, "the entry")  # noqa: B023  # called at once
                if len(saved(folder)) > entered:
                    if twice and browser.run("return tapTimes.at(-1) - tapTimes.at(-2)") > 1000 * SLOWEST:
                        counts.late += 1
                        break
                    counts.wrong.append(f"{dealt.header['game']} {dealt.seed}: an entry more after {written}")
                    break
                if counts.tried >= most:
                    return counts
    raise AssertionError


def _tap(browser: Browser, choice: str, chance: random.Random, counts: Counts, *, twice: bool) -> None:
    number, known = browser.number, browser.run(PLACE, choice)
    if known is None and choice.startswith("number "):
        time.sleep(SETTLED)
        browser.run(TYPE_NUMBER, choice.removeprefix("number "))
        browser.until_number_is_not(number)
        return
    if known is None and not browser.run("return document.querySelector('.mode') !== null"):
        raise NotAskedError(choice)
    if known is None:  # a pledge whose mode is switched on first
        time.sleep(SETTLED)
        browser.run("document.querySelector('.mode').click()")
        choice = choice.removesuffix(" aside")
    place = browser.run(PLACE, choice)
    if twice or place["waits"]:
        time.sleep(SETTLED)
    else:
        time.sleep(chance.uniform(0.15, SEEN))
    place = browser.run(PLACE, choice)
    counts.tried += 1
    if twice:
        browser.tap_twice(place, chance.uniform(0.02, SLOWEST))
    else:
        browser.run("document.elementFromPoint(...arguments).closest('button').click()", *_middle(place))
    try:
        until(lambda: browser.number != number, "the next question")
    except AssertionError:
        counts.wrong.append(f"{choice} was not taken: {browser.status_text()}")
        time.sleep(SETTLED)
        browser.choose(choice)
    if twice:
        time.sleep(0.05)


def _middle(place: dict[str, float]) -> tuple[float, float]:
    return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


def presses(browser: Browser, most: int, seed: int, *, twice: bool) -> Counts:
    """Press the keys of games, with the last key of each entry doubled by a slip, or honest and quick."""
    counts, chance = Counts(), random.Random(seed)
    for dealt in dealt_games(seed):
        with entered_lines(dealt) as (url, folder):
            browser.open(url)
            browser.run(NOTE_KEYS)
            session = Session(decode_header(json.dumps(dealt.header)))
            for written in dealt.lines:
                line = decode_line(json.dumps(written), session.header)
                keys = LogToKeys(session, DetailLevel.FULL).spell(line)
                if "h" in keys:
                    break
                gaps = [0.2 if one == other else chance.uniform(0.03, 0.12) for one, other in pairwise(keys + keys[-1])]
                if twice:
                    keys, gaps[-1] = keys + keys[-1], chance.uniform(0.02, 0.14)
                    gaps.append(0.2)
                browser.type_keys(keys, gaps)
                if twice and browser.run("return keyTimes.at(-1) - keyTimes.at(-2)") >= 1000 * TWICE:
                    counts.late += 1
                    break
                counts.tried += 1
                session = session.add(line)
                entered = session.head.number
                until(lambda: len(saved(folder)) >= entered, "the entry")  # noqa: B023  # called at once
                if len(saved(folder)) > entered or (twice and _half_typed(browser)):
                    counts.wrong.append(f"{dealt.header['game']} {dealt.seed}: more than {written}")
                    break
                if counts.tried >= most:
                    return counts
    raise AssertionError


def _half_typed(browser: Browser) -> bool:
    """Return whether the box holds a key that was typed; it then says "back" for *, and else "undo"."""
    return browser.label("*") == "back"


class Table:
    """A box with a keypad and two phones, each in a browser of its own."""

    def __init__(self, stack: ExitStack, phones: tuple[Browser, Browser]) -> None:
        self.page = PairedPage(clock=SystemClock())
        self.late = 0.0  # by how much the keys came later than they should
        stack.callback(self.page.stop)
        self.phones = phones
        for name, phone in zip(("Aki", "Bea"), phones, strict=True):
            secret = self.page.do(partial(self._paired, name))
            phone.be_a_phone()
            phone.before_each_page(NOTE_ANSWERS)
            phone.go(f"{self.page.server.local_url}join")
            phone.cookie(COOKIE, secret)

    def _paired(self, name: str) -> str:
        """Pair a phone that scores, and return its secret."""
        pairing = self.page.pairing
        secret = str(pairing.claim(pairing.open(), name))
        phone = pairing.phone_with(secret)
        assert phone is not None
        assert pairing.choose(phone, Role.SCORER) is None
        return secret

    def begin(self, dealt: Dealt, lines: int) -> None:
        """Begin a game with its first lines entered, and look at it with both phones."""
        header = decode_header(json.dumps(dealt.header))
        session = Session(header)
        for written in dealt.lines[:lines]:
            session = session.add(decode_line(json.dumps(written), header))

        def begun() -> None:
            self.page.box.begin(header, DetailLevel.FULL)
            for written in dealt.lines[:lines]:
                line = decode_line(json.dumps(written), header)
                game = self.page.box.game
                assert game is not None
                for key in parse(LogToKeys(game.session, game.tracking).spell(line)):
                    self.page.box.take(PANEL, key)

        self.page.do(begun)
        for phone in self.phones:
            phone.open_table(self.page.server.local_url)

    def session(self) -> Session:
        """Return the game as it is."""
        game = self.page.do(lambda: self.page.box.game)
        assert game is not None
        return game.session

    def collide(self, chance: random.Random) -> str:
        """Let both phones and the keys answer one question at once.

        Return what is wrong with what was entered, or with what somebody was told.
        """
        before = self.session()
        game, state = before.header.game, before.state
        prompt = game.ask(state, DetailLevel.FULL, ())
        if not isinstance(prompt, Prompt):
            return "over"
        answers = [each for each in prompt.answers if not isinstance(each, LayCard) or not each.alternate]
        first, second, typed = (chance.choice(answers) for _ in range(3))
        keys = AnswerCodes(prompt).spell(typed)
        time.sleep(SETTLED)
        begins = time.time() + LEAD
        for phone, answer in zip(self.phones, (first, second), strict=True):
            place = phone.run("answers.length = 0;" + PLACE, answer_name(answer))
            phone.run(TAP_LATER, *(_middle(place) if place else (1, 1)), 1000 * (begins + chance.uniform(0, 0.15)))
        typing = threading.Thread(
            target=self._type, args=(keys, begins + chance.uniform(0, 0.15), [chance.uniform(0.03, 0.08) for _ in keys])
        )
        typing.start()
        typing.join()
        time.sleep(SETTLED)
        late = max(self.late, *(phone.run("return window.late ?? 1e9") / 1000 for phone in self.phones))
        after = self.session()
        counted = [
            answer
            for phone, answer in zip(self.phones, (first, second), strict=True)
            if phone.run("return answers") == [""]
        ]
        wrong = self._wrong(before, after, set(counted) or {typed}) or self._untold(len(counted))
        self._tidy()
        return "late" if late > AT_ONCE else wrong

    def _type(self, keys: str, begins: float, gaps: list[float]) -> None:
        self.late = 0.0
        for key, gap in zip(keys, gaps, strict=True):
            time.sleep(max(0.0, begins - time.time()))
            self.late = max(self.late, time.time() - begins)
            self.page.press(Key(key))
            begins += gap

    @staticmethod
    def _wrong(before: Session, after: Session, meant: set[object]) -> str:
        added = after.head.number - before.head.number
        if added == 0:
            return ""  # the first of several answers, or refused by the game
        made = before.header.game.answers(before.state, after.step(before.head.number + 1).event)  # type: ignore[arg-type]
        if added > 1:
            return f"{added} entries of one question: {after.head.event}"
        return "" if made[0] in meant and len(made) == 1 else f"mixed: {after.head.event}, meant {meant}"

    def _untold(self, counted: int) -> str:
        """Return who was not told that somebody else answered first."""
        if counted > 1:
            return "two phones were told that their answers count"
        silent = [phone for phone in self.phones if phone.run("return answers.at(-1)") and not phone.status_text()]
        if silent:
            return "a phone says nothing of the answer that came too late"
        panel = self.page.do(lambda: self.page.box.state.panel)
        return "the panel says nothing of the keys" if counted and panel.message is None else ""

    def _tidy(self) -> None:
        """Drop what is half entered."""
        for _ in range(6):
            panel = self.page.do(lambda: self.page.box.state.panel)
            if panel.lost is None and getattr(panel.screen, "untouched", True):
                return
            self.page.press(Key("*"))
            time.sleep(0.05)


def collisions(phones: tuple[Browser, Browser], most: int, seed: int) -> Counts:
    """Let three people answer at once, in all games."""
    counts, chance = Counts(), random.Random(seed)
    with ExitStack() as stack:
        table = Table(stack, phones)
        for dealt in dealt_games(seed):
            table.begin(dealt, min(3, len(dealt.lines) - 1))
            for _ in range(25):
                wrong = table.collide(chance)
                if wrong == "over":
                    break
                if wrong == "late":  # the machine was too busy: they were not pressed at once
                    counts.late += 1
                    continue
                counts.tried += 1
                counts.wrong += [wrong] if wrong else []
                if counts.tried >= most:
                    return counts
    raise AssertionError
