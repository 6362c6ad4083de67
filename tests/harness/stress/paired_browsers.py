"""A table with paired browsers in three roles, in a network namespace of its own: a whole game of Eternity.

The scorer and each seat tap on pages of their own. Now and then the scorer and a seat answer the same question at once,
a phone loses its network for some entries, and others try what they may not do. It runs in a process of its own.
"""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import zxingcpp
from PIL import Image

from companion.app.rights import ONLY_WATCHES
from companion.core.game import Event
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.journal import Journal
from tests.cli.test_log_to_keys import same
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS, LAID
from tests.harness.taps.log_to_taps import UNDO, taps_of
from tests.harness.taps.tapper import Tapper
from tests.waiting import LAST_RESORT
from tests.web.browser import Browser, started
from tests.web.tapped_evening import set_up

ADDRESS = "192.168.77.1"
"""The table's address; it is in the namespace only."""

NETWORK = (
    "link set lo up",
    "link add table type veth peer name cable",  # a browser with no interface but lo takes itself to be offline
    f"address add {ADDRESS}/24 dev table",
    "link set table up",
    "link set cable up",
)
"""What the program ip is told to make the network."""

SEATS = 4
EVERY = 6
"""Cards from one question that two answer at once to the next, and from one forbidden tap to the next."""

AWAY = range(20, 28)
"""The entries of a whole game during which a phone has no network."""
AWAY_SHORT = range(2, 4)

# Keeps each tap and what it was told. While there is a gate, taps wait there as on a slow network.
RECORDER = """
window.taps = [];
window.gate = null;
const usual = window.fetch;
window.fetch = async (address, options) => {
  if (address !== '/table/tap') return usual(address, options);
  const tap = JSON.parse(options.body);
  window.taps.push(tap);
  await window.gate;
  try {
    const reply = await usual(address, options);
    const copy = reply.clone();
    tap.told = reply.ok ? (await copy.json()).why : await copy.text();
    return reply;
  } catch (error) {
    tap.unsent = true;
    throw error;
  }
};
"""
HOLD = "window.gate = new Promise((open) => { window.openGate = open; })"
RELEASE = "setTimeout(() => { window.gate = null; window.openGate(); }, arguments[0] - Date.now())"
POST = """
return fetch('/table/tap', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ number: Number(document.body.dataset.number), choice: arguments[0] }),
}).then((reply) => reply.json()).then((answer) => answer.why);
"""
SHOWN_CARDS = """
return [...document.querySelectorAll('#ask .card')].filter((one) => one.offsetParent).map((one) => one.dataset.choice);
"""


class PairedPhone:
    """A browser as a paired phone.

    Attributes:
        browser: The browser.
        name: Its name.
        role: Its role, as the page's choice has it.
    """

    def __init__(self, browser: Browser, name: str, role: str) -> None:
        self.browser = browser
        self.name = name
        self.role = role
        browser.before_each_page(RECORDER)
        browser.be_a_phone()

    def join(self, url: str, pin: str, link: str = "") -> None:
        """Join by the link that was read from a QR code, or on the join page with a typed PIN."""
        browser = self.browser
        browser.go(link or f"{url}join")
        if not link:
            browser.find("#pin").send_keys(pin)
        browser.find("#name").send_keys(self.name)
        browser.find("form button").click()
        browser.listen()

    def choose_role(self) -> None:
        """Answer who holds the phone: nothing can be tapped on it before."""
        option = (
            f":nth-child({self.seat + 2})" if self.seat is not None else f'[data-role="{self.role}"]'
        )  # names by seat
        self.browser.until(lambda: self.browser.run("return !document.querySelector('#who').hidden"), "the question")
        self.browser.find(f"#who button{option}").click()
        kind = self.role.split()[0]
        self.browser.until(
            lambda: self.browser.run("return document.body.classList.contains(arguments[0])", f"role-{kind}"), self.role
        )

    @property
    def seat(self) -> int | None:
        return int(self.role.split()[1]) if self.role.startswith("seat") else None

    @property
    def taps(self) -> list[dict[str, Any]]:
        taps: list[dict[str, Any]] = self.browser.run("return window.taps")
        return taps

    @property
    def status(self) -> str:
        return str(self.browser.run("return document.querySelector('#status').textContent"))

    def show(self, number: int) -> None:
        """Wait until it shows a question."""
        self.browser.until(lambda: self.browser.number == number, f"the question for {self.name}")

    def tap(self, selector: str) -> None:
        """Tap a button, and wait until its tap is on the way."""
        before = len(self.taps)
        self.browser.tap(selector)
        self.browser.until(lambda: len(self.taps) > before, "the tap")

    def settle(self) -> None:
        """Wait until every tap has an answer."""
        self.browser.until(
            lambda: self.browser.run(
                "return document.body.dataset.sending === undefined"
                " && taps.every((tap) => tap.unsent || tap.told !== undefined)"
            ),
            "the answer to a tap",
        )

    def choose(self, choice: str) -> int:
        """Tap a choice, and wait until it counts. Return how many taps it took."""
        taps = self.browser.choose(choice)
        self.settle()
        return taps


class Table:
    """The program and its phones.

    Attributes:
        counts: What happened, and how often.
    """

    def __init__(self, url: str, phones: list[PairedPhone], session: Session, chance: random.Random) -> None:
        self.counts = Counter[str]()
        self._url = url
        self._scorer = phones[0]
        self._phones = phones
        self._away: PairedPhone | None = None
        self._session = session
        self._chance = chance

    def play(self, dealt: Dealt, most: int, away: range) -> None:
        """Enter a game; some entries by two phones at once, some while a phone has no network."""
        seated = [phone for phone in self._phones if phone.seat is not None]
        cards = collided = tried = 0
        for place, written in enumerate(dealt.lines[:most]):
            line = decode_line(json.dumps(written), self._session.header)
            choices = list(taps_of(self._session, line))
            laid = isinstance(line, LAID)
            cards += laid
            asked = self._asked()
            if place == away.start:
                self._lose(seated[-1])
            if place == away.stop:
                self._come_back()
            if laid and asked is not None and cards >= tried + EVERY:
                tried = cards
                self._forbidden(asked, choices[0][0])
            own = [phone for phone in seated if phone.seat == asked and phone is not self._away]
            if own and laid and choices[0][1] == 1 and (cards >= collided + EVERY or not collided):
                collided = cards
                self._collide(own[0], choices[0][0])
            else:
                for choice, _taps in choices:
                    self._answer(choice)
            self._session = self._session.add(line)
        if self._away is not None:
            self._come_back()

    def _asked(self) -> int | None:
        seat = self._scorer.browser.run("return document.querySelector('#ask').dataset.seat")
        return int(seat) if seat else None

    def _answer(self, choice: str) -> None:
        """Let the phone of the seat that is asked answer, else the scorer."""
        asked = self._asked()
        own = [phone for phone in self._phones if phone.seat == asked and phone is not self._away]
        phone = own[0] if own and asked is not None else self._scorer
        self.counts[f"taps of {'a seat' if own and asked is not None else 'the scorer'}"] += phone.choose(choice)
        self._together()

    def _together(self) -> None:
        """Wait until every phone that has a network shows the same question."""
        number = self._scorer.browser.number
        for phone in self._phones:
            if phone is not self._away:
                phone.show(number)

    def _collide(self, own: PairedPhone, meant: str) -> None:
        """Let the scorer and a seat lay different cards at once; if the wrong one counts, the scorer takes it back."""
        number = self._scorer.browser.number
        others = [card for card in self._scorer.browser.run(SHOWN_CARDS) if card != meant]
        both = [(self._scorer, meant), (own, self._chance.choice(others))]
        if self._chance.random() < 0.5:
            both = [(self._scorer, both[1][1]), (own, meant)]
        for phone, card in both:
            phone.browser.run(HOLD)
            phone.tap(phone.browser.button_of(card))
        at = float(self._scorer.browser.run("return Date.now()")) + 80
        self._chance.shuffle(both)
        for phone, _card in both:
            phone.browser.run(RELEASE, at)
        for phone, _card in both:
            phone.settle()
        told = [(phone, card, phone.taps[-1]["told"]) for phone, card in both]
        counted = [(phone, card) for phone, card, why in told if why == ""]
        assert len(counted) == 1, f"two answered at once, and were told {[why for *_, why in told]}"
        first, entered_card = counted[0]
        too_late = f"{first.name} answered first"
        late = [phone for phone, _card, why in told if why.startswith(too_late)]
        assert len(late) == 1, f"two answered at once, and were told {[why for *_, why in told]}"
        late[0].browser.until(lambda: too_late in late[0].status, "that it came too late")
        self.counts["two at once"] += 1
        self.counts[f"first was {'the scorer' if first is self._scorer else 'a seat'}"] += 1
        self._scorer.browser.until(lambda: self._scorer.browser.number != number, "the next question")
        self._together()
        if entered_card != meant:
            self._take_back()
            if meant not in self._scorer.browser.choices():  # that has only left the figures of the round
                self._take_back()
            self._answer(meant)

    def _take_back(self) -> None:
        self._scorer.choose(UNDO)
        self.counts["taps of the scorer"] += 1
        self._together()

    def _forbidden(self, asked: int, choice: str) -> None:
        """Let a spectator, another seat, and a stranger send the right answer; nobody of them may."""
        whom = f"{self._session.header.players[asked]} is asked"
        for phone in self._phones:
            why = str(ONLY_WATCHES) if phone.seat is None else whom
            if phone is not self._scorer and phone is not self._away and (phone.seat is None or phone.seat != asked):
                told = phone.browser.run(POST, choice)
                assert told == why, f"{phone.name} is told {told!r}"
                assert not phone.browser.run(SHOWN_CARDS), f"{phone.name} is shown cards to tap"
                self.counts["taps of spectators refused" if phone.seat is None else "taps of other seats refused"] += 1
                phone.browser.run("window.taps.pop()")
        answer = httpx.post(f"{self._url}table/tap", json={"number": self._scorer.browser.number, "choice": choice})
        assert answer.status_code == 401, answer.text
        self.counts["taps of strangers refused"] += 1

    def _lose(self, phone: PairedPhone) -> None:
        """Take the network from a phone, and let it tap."""
        self._away = phone
        phone.browser.limit_network(offline=True)
        phone.browser.until(lambda: phone.browser.run("return document.body.classList.contains('lost')"), "the loss")
        assert phone.status, "it says nothing of a lost connection"
        phone.browser.let_pass(1)  # a button that has just come does not count yet
        phone.browser.run("document.querySelector('#ask [data-choice], #acts [data-choice]').click()")
        phone.settle()
        assert phone.taps[-1].get("unsent"), f"a tap without a network was told {phone.taps[-1]}"
        phone.browser.until(lambda: "was not sent" in phone.status, "that the tap was not sent")
        self.counts["taps without a network, told as not sent"] += 1
        self.counts["entries meanwhile"] -= len(list(self._session.steps()))

    def _come_back(self) -> None:
        """Give the phone its network again; it shows the present question by itself."""
        phone = self._away
        assert phone is not None
        self.counts["entries meanwhile"] += len(list(self._session.steps()))
        phone.browser.limit_network()
        self._away = None
        self._together()
        phone.browser.until(lambda: not phone.browser.run("return document.body.classList.contains('lost')"), "the end")
        assert "was not sent" in phone.status, "the tap that was not sent is forgotten"
        self.counts["phones dropped and back"] += 1

    def counted(self, first: int) -> list[str]:
        """Return the choices that were told to count, in order.

        Args:
            first: The number of the game's first question.

        Raises:
            AssertionError: Two taps on one question count, or one was told nothing.
        """
        by_number: dict[int, str] = {}
        for phone in self._phones:
            for tap in phone.taps:
                assert tap.get("unsent") or "told" in tap, f"{phone.name}: {tap} was told nothing"
                if tap["number"] >= first and tap.get("told") == "":
                    assert tap["number"] not in by_number, f"{by_number[tap['number']]} and {tap} both count"
                    by_number[tap["number"]] = tap["choice"]
        return [by_number[number] for number in sorted(by_number)]


@contextmanager
def program(data: Path) -> Iterator[tuple[str, str]]:
    """Start the program where phones reach it, and yield its address and the PIN that it prints."""
    journal = Journal(data)
    journal.keep_setting("language", "en")
    journal.set_open_game(None)
    journal.close()
    words = ("--host", ADDRESS, "--port", "0", "--data", str(data))
    command = [sys.executable, "-W", "error", "-m", "companion", "simulate", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            own = next(word for word in running.stdout.readline().split() if word.startswith("http"))
            url = own.partition("here/")[0]
            pin = re.search(r"PIN (\d{6})", running.stdout.readline())
            assert pin is not None
            yield url, pin[1]
            running.send_signal(signal.SIGTERM)
            assert running.wait(LAST_RESORT) == 0
        finally:
            running.kill()


def next_pairing(scorer: PairedPhone, before: str) -> tuple[str, str]:
    """Return the PIN and the link of the code on the scorer's page; the next one comes there by itself.

    ``before`` is the PIN that has been used; empty before the first, for which a pairing is opened.
    """
    browser = scorer.browser
    if not before:
        choose_labelled(scorer, "Phones", "Pair a phone")
    shown = "return document.querySelector('#join .pin')?.textContent ?? ''"
    browser.until(lambda: browser.run(shown) not in ("", before), "a PIN")
    with Image.open(BytesIO(browser.find("#join svg").screenshot_as_png)) as code:
        (link,) = zxingcpp.read_barcodes(code)
    return str(browser.run("return document.querySelector('#join .pin').textContent")), link.text


def choose_labelled(phone: PairedPhone, *labels: str) -> None:
    """Tap choices whose labels begin so, one after the other."""
    for label in labels:
        found = [name for name, text in phone.browser.choices().items() if text.startswith(label)]
        assert found, f"there is no {label} among {phone.browser.choices()}"
        phone.browser.choose(found[0])


def roles(many: int) -> list[str]:
    """Return the roles of so many phones: a scorer, a phone for each seat if there are enough, spectators."""
    seats = min(SEATS, many - 2)
    return ["scorer", *(f"seat {seat}" for seat in range(seats)), *["spectator"] * (many - 1 - seats)]


def paired(stack: ExitStack, url: str, pin: str, many: int) -> list[PairedPhone]:
    """Start browsers, pair each on the join page with the PIN that the box shows, and open the game.

    Each says who it is once the game is open; its page was loaded before.
    """
    phones: list[PairedPhone] = []
    for number, role in enumerate(roles(many)):
        phone = PairedPhone(stack.enter_context(started()), f"Phone {number + 1}", role)
        link = ""
        if phones:
            pin, link = next_pairing(phones[0], pin if len(phones) > 1 else "")
        phone.join(url, pin, link if number % 2 == 0 else "")
        phones.append(phone)
    scorer = phones[0]
    while not any(label.startswith("Go on") for label in scorer.browser.choices().values()):
        scorer.browser.choose("back")
    choose_labelled(scorer, "Go on")
    for phone in phones:
        phone.choose_role()
    return phones


def entered(data: Path, session: Session, choices: list[str]) -> tuple[list[str], list[str]]:
    """Return the journal's lines, and those that the choices enter on a box without a page."""
    beside = Tapper()
    beside.box.begin(session.header, DetailLevel.FULL)
    for choice in choices:
        beside.tap(choice)
        assert beside.told() is None, f"{choice} counted, but: {beside.told()}"
    command = [sys.executable, "-m", "companion", "export", "--data", str(data)]
    exported = subprocess.run(command, capture_output=True, text=True, check=True)
    return exported.stdout.splitlines()[1:], beside.lines


def run(many: int, most: int, seed: int) -> Iterator[str]:
    """Play with so many phones, so many entries at most."""
    dealt = deal("eternity", seed, seats=SEATS, **HABITS)
    session = Session(decode_header(json.dumps(dealt.header)))
    with tempfile.TemporaryDirectory() as folder:
        set_up(data := Path(folder), dealt)
        with program(data) as (url, pin), ExitStack() as browsers:
            phones = paired(browsers, url, pin, many)
            first = phones[0].browser.number
            table = Table(url, phones, session, random.Random(seed))
            table.play(dealt, most, AWAY if most > AWAY.stop else AWAY_SHORT)
            choices = table.counted(first)
        lines, beside = entered(data, session, choices)
    assert same(lines, "\n".join(("{}", *beside)).encode()), "the log is not what counted"
    effective = session
    for line in beside:
        effective = effective.add(decode_line(line, session.header))
    events = [step.event for step in effective.steps() if isinstance(step.event, Event)][::-1]
    meant = dealt.session(most)
    assert events == [step.event for step in meant.steps() if step.event is not None][::-1], (
        "the game is not the one meant"
    )
    shared = ", ".join(f"{count} {what}" for what, count in Counter(role.split()[0] for role in roles(many)).items())
    yield f"{many} paired browsers ({shared}): {len(lines)} lines, {len(choices)} answers that were told to count"
    for what, count in sorted(table.counts.items()):
        yield f"  {what}: {count}"
    yield "  the log is the answers that were told to count, in order: nothing double, nothing lost"


if __name__ == "__main__":
    for words in NETWORK:
        subprocess.run(["ip", *words.split()], check=True)
    for result in run(*map(int, sys.argv[1:])):
        print(result, flush=True)
