"""The cost of phones at the table: processor time and memory of the box, time until all see a tap, weight of the page.

The phones are eight plain HTTP clients in this process; the box is another process. The first picture is painted by
Chromium with a slow processor and a slow network.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from statistics import median

from companion.app.box import SURPRISE
from companion.cli.log_to_keys import LogToKeys
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.games import GAMES
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS, LAID
from tests.harness.taps.figures import taps_a_card
from tests.harness.taps.log_to_taps import taps_of
from tests.needed import missing
from tests.web.browser import Browser, started

from .phone_clients import PageBox, PhoneClient, page_box, shown
from .table import Limit, Row

PHONES = 8

WARM = 10
"""Taps or keys before those that are measured."""

WAKES = 0.1
"""The most wake-ups a second: one for each heartbeat is 0.07."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        tries: How often taps and keys are sent.
        pairs: Cards with their undo that are sent in a try.
        idle: Seconds that an idle box is watched, after `settled`; there are three heartbeats in 45.
        settled: Seconds until connections that are no longer used have been closed: 12.
        paints: How often the page is opened.
        seeds: The games whose taps are counted.
    """

    tries: int
    pairs: int
    idle: float
    settled: float
    paints: int
    seeds: range


WHOLE = Size(5, 50, 45.0, 12.0, 5, range(40))
SHORT = Size(1, 5, 2.0, 12.0, 1, range(1))  # watched before the first heartbeat, after 15 seconds

SHARED = "a tap costs little more than a key: both draw the same pages"
AT_ONCE = "people see an answer within a tenth of a second as at once"
ROOM = "a Pi Zero 2 has 512 MB"
ASLEEP = "phones that only look do not wake the box"
LIGHT = "it loads at once over a slow network"
PAINT = "people wait a second without another thought"
TAPPED = "most cards are one tap"

TAPS = {"eternity": 1.15, "gear": 1.1, "hipparchus": 1.0, "east-rune": 1.2}
"""The most taps of a card."""

PROCESSOR = 4.0
"""How many times slower than this computer's the processor of a phone is."""

LATENCY, DOWN, UP = 150.0, 1.6e6 / 8, 750e3 / 8
"""Fast 3G: milliseconds, and bytes a second."""

LINKS = re.compile(r'(?:<link rel="(?:icon|stylesheet)" href=|<script[^>]* src=|from |import )"([^":]+)"')
"""What a page loads before it is shown: not what a phone asks for when the page is put on its home screen."""
GZIP = b"\x1f\x8b"

# Notes when the first card is on the page and laid out, before the frame that paints it.
WATCH_CARDS = """
(function look() {
  const card = document.querySelector('#ask .card');
  if (card && card.getBoundingClientRect().height) window.cardsAt = performance.now();
  else requestAnimationFrame(look);
})();
"""
PAINTED = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game at which one key enters the next card, and so does one tap.

    Attributes:
        dealt: The game.
        keys: The keys that lead to it, of each entry.
        key: The key of the next card.
        choice: The same card as a tap.
    """

    dealt: Dealt
    keys: tuple[str, ...]
    key: str
    choice: str


def a_moment(game: str = "eternity", after: int = 10) -> Moment:
    """Return the first such moment of a game after some entries."""
    dealt = deal(game, 4, seats=4, **HABITS) if game == "eternity" else deal(game, 4, **HABITS)
    session, spelt = Session(decode_header(json.dumps(dealt.header))), list[str]()
    for written in dealt.lines:
        line = decode_line(json.dumps(written), session.header)
        keys = LogToKeys(session).spell(line)
        choices = list(taps_of(session, line))
        if len(spelt) >= after and isinstance(line, LAID) and len(keys) == len(choices) == 1:
            return Moment(dealt, tuple(spelt), keys, choices[0][0])
        spelt.append(keys)
        session = session.add(line)
    raise AssertionError(f"there is no such moment in {game}")


# Taps and keys: one card and its undo, again and again


def begun(box: PageBox, moment: Moment) -> PageBox:
    """Press the keys that lead to a moment, and return the box."""
    for keys in moment.keys:
        box.press(keys)
    return box


async def sent(box: PageBox, moment: Moment, pairs: int, *, taps: bool) -> tuple[float, list[float]]:
    """Let all phones listen and send in turn.

    Args:
        box: The box.
        moment: The game's moment.
        pairs: How many cards are sent, each with its undo.
        taps: Whether they tap on the table's page; otherwise they press keys of the drawn device.

    Returns:
        The processor time of one tap or key, and the seconds until all phones had seen each.
    """
    if not taps:
        await asyncio.sleep(SURPRISE)  # a key just after a tap was meant for the question before
    async with AsyncExitStack() as stack:
        stream = "/table/events" if taps else "/events"
        phones = [await stack.enter_async_context(PhoneClient(box.port, each, stream).open()) for each in box.secrets]
        times, before = list[float](), 0.0
        for place in range(-WARM, 2 * pairs):
            if place == 0:
                times, before = [], box.processor
            sender = phones[place % len(phones)]
            if taps:
                message: object = {"number": sender.number, "choice": "undo" if place % 2 else moment.choice}
            else:
                message = {"key": "*" if place % 2 else moment.key}
            times.append(await shown(phones, sender, "/table/tap" if taps else "/key", message))
        return (box.processor - before) / len(times), times


async def both_idle(listened_to: PageBox, alone: PageBox, size: Size) -> tuple[float, float]:
    """Return the wake-ups of a second of a box to which all phones listen, and of one alone, at the same time."""
    return await asyncio.gather(idle(listened_to, size, listening=True), idle(alone, size, listening=False))


async def idle(box: PageBox, size: Size, *, listening: bool) -> float:
    """Return the wake-ups of a second of a box that does nothing, while all phones listen or none does."""
    async with AsyncExitStack() as stack:
        for secret in box.secrets if listening else ():
            await stack.enter_async_context(PhoneClient(box.port, secret, "/table/events").open())
        await asyncio.sleep(size.settled)
        before = box.wakes
        await asyncio.sleep(size.idle)
        return (box.wakes - before) / size.idle


def costs(size: Size) -> Iterator[Row]:
    """Measure taps beside keys, memory and wake-ups."""
    moment = a_moment()
    with page_box(moment.dealt, PHONES) as box:
        begun(box, moment)
        times, ours, theirs = list[float](), list[float](), list[float]()
        for _try in range(size.tries):
            cost, seen = asyncio.run(sent(box, moment, size.pairs, taps=True))
            ours.append(cost * 1e3)
            times += seen
            theirs.append(asyncio.run(sent(box, moment, size.pairs, taps=False))[0] * 1e3)
        limit = Limit(1.5, SHARED, ratio=True)
        yield Row("tap, eight phones, processor", min(ours), "ms", "a key, eight listening", min(theirs), (limit,))
        yield Row("tap until all eight show it", median(times) * 1e3, "ms", limits=(Limit(100, AT_ONCE),))
        yield Row("  the worst", max(times) * 1e3, "ms")
    with page_box(moment.dealt, PHONES) as box, page_box(moment.dealt, PHONES) as alone:
        begun(alone, moment)
        for keys in (moment.key, "*") * size.pairs:
            alone.press(keys)
        memory = asyncio.run(remembered(begun(box, moment), moment, size.pairs))
        yield Row("memory for eight phones", memory - alone.memory, "MB", limits=(Limit(8, ROOM),))
        wakes, none = asyncio.run(both_idle(box, alone, size))
        yield Row("wake-ups for eight phones, idle", wakes - none, "/s", limits=(Limit(WAKES, ASLEEP),))


async def remembered(box: PageBox, moment: Moment, pairs: int) -> float:
    """Return the memory of a box in megabytes while all phones listen, after taps."""
    async with AsyncExitStack() as stack:
        for secret in box.secrets:
            await stack.enter_async_context(PhoneClient(box.port, secret, "/table/events").open())
        await sent(box, moment, pairs, taps=True)
        return box.memory


# The page


async def loaded(box: PageBox) -> tuple[int, int]:
    """Return the bytes sent for the page with everything that it loads, and those of the stream's first message."""
    async with PhoneClient(box.port, box.secrets[0], "/table/events").open() as phone:
        bodies: dict[str, bytes] = {}
        waiting = ["/table"]
        while waiting:
            path = waiting.pop()
            sent = bodies[path] = await phone.ask("GET", path)
            linked = LINKS.findall((gzip.decompress(sent) if sent.startswith(GZIP) else sent).decode())
            waiting += [link for link in linked if link not in bodies and link not in waiting]
        return sum(map(len, bodies.values())), phone.first


def weights() -> Iterator[Row]:
    """Weigh the page in each game."""
    for game in GAMES:
        moment = a_moment(game)
        with page_box(moment.dealt, 1) as box:
            page, message = asyncio.run(loaded(begun(box, moment)))
        yield Row(f"page of {game}", page / 1e3, "kB", limits=(Limit(60, LIGHT),))
        yield Row("  and the stream's first message", message / 1e3, "kB")


def paints(count: int) -> Iterator[Row]:
    """Measure the first paint on a phone's processor and network; nothing where there is no browser."""
    if missing("browser") is not None:
        return
    moment = a_moment()
    with page_box(moment.dealt, 1) as box, started() as browser:
        begun(box, moment)
        browser.go(box.link)
        browser.before_each_page(WATCH_CARDS)
        browser.limit_network(latency=LATENCY, down=DOWN, up=UP)
        browser.slow_down(PROCESSOR)
        found = [painted(browser, f"http://127.0.0.1:{box.port}/") for _try in range(count + 1)][1:]
    first, cards = (median(times) for times in zip(*found, strict=True))
    yield Row("first paint, phone, fast 3G", first, "ms", limits=(Limit(1000, PAINT),))
    yield Row("  until the cards are there", cards, "ms", limits=(Limit(1000, PAINT),))


def painted(browser: Browser, url: str) -> tuple[float, float]:
    """Open the page, and return the milliseconds until something was painted, and until the cards were there."""
    browser.open_table(url)
    browser.until(lambda: browser.run(PAINTED) is not None, "the first paint")
    return browser.run(PAINTED), browser.run("return window.cardsAt")


def rows(size: Size) -> Iterator[Row]:
    yield from costs(size)
    yield from weights()
    yield from paints(size.paints)
    for game, most in TAPS.items():
        yield Row(f"{game}: taps of a card", taps_a_card(game, size.seeds), "taps", limits=(Limit(most, TAPPED),))
