"""The box that the transcripts in `tests/transcripts/box` drive: what people do at it, and what they see then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from companion.app.box import Box
from companion.app.inputs import ChooseRole, ClaimPairing, HubNews, Tap, TypedAnswer
from companion.app.machine import Feature
from companion.app.machine.club_calls import ClubCalls
from companion.app.machine.phones import PhonePairing
from companion.app.outputs import ALWAYS, MemoryPanel, Outputs, PanelTimeouts
from companion.app.state import PANEL
from companion.core.game import Amend, Event, Players, Splice
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.gamelog import decode_header, decode_line
from companion.journal.folder import DIRECTOR_CALL
from companion.ui.club import HubMessage, SeatCall
from companion.ui.keys import BUTTONS, FEW, KEYPAD, MISSED, POWER, KeyLayout, QuickSecondPress
from companion.ui.live_page.content import Button
from companion.ui.screens.context import CurrentGame
from companion.ui.screens.phones import Phone, PhonesStatus, Role
from companion.ui.view import CodeBody, OpenGame, TypingBody
from hardware.machine.update import WAIT
from tests.app.boxes import FillableJournal, ask, idle, page_in, press, run_due, tap, written
from tests.app.selecting import JOYSTICK, KNOB, does, turn_to
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryClockSetter, MemoryControllers, MemoryUpdater, MemoryWifi
from tests.scenes.past_games import play

BOARDS = {
    "keypad": KEYPAD,
    "buttons": BUTTONS,
    "knob": KNOB,
    "rotary": KeyLayout.of("<o>*", knob=True),
    "stick": KeyLayout.of("<>^vo"),
    "joystick": JOYSTICK,
    "hat": KeyLayout.of("<>^vo#D*"),
}
ADDRESS = "http://192.168.178.123:8080"
WORDS = {"missed": MISSED, "off": POWER}


class Panel(NamedTuple):
    """The words on the panel.

    Attributes:
        said: The sentences over it.
        body: The lines of its body.
        more: More lines, which few want to read: the seats of a table, and what keys type.
        asked: The question on the bottom line, with what was typed.
        hint: The rest of the bottom line.
    """

    said: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    asked: str = ""
    hint: str = ""


class BoxDriver:
    """A box with its journal, clock and phones. It starts when it is first needed."""

    def __init__(self) -> None:
        self._clock, self._journal = FixedClock(), FillableJournal()
        self._phones: list[str] = []
        self._set: dict[str, str] = {}
        self._updater, self._controllers, self._glass = (
            MemoryUpdater(),
            MemoryControllers(self._clock),
            MemoryPanel(),
        )
        self._running: Box | None = None

    @property
    def _box(self) -> Box:
        if self._running is None:
            self.start({})
        assert self._running is not None
        return self._running

    # What people do

    def start(self, given: dict[str, str]) -> None:
        """Start the box, or pull its plug and start it again; what is not given stays as it was."""
        self._set |= given
        if "at" in given:
            self._clock.time = datetime.fromisoformat(given["at"]).timestamp()
        given_with = self._set.get("with", "").split()
        self._clock_setter = MemoryClockSetter(by_network="network" in given_with)
        machine: list[Feature] = [self._clock_setter] if "clock" in given_with else []
        if "club" in given_with:
            machine.append(ClubCalls(self._journal, self._clock))
        if "updates" in given_with:
            machine.append(self._updater)
        if "controllers" in given_with:
            self._controllers.full = "full" in given_with
            machine.append(self._controllers)
        if "wifi" in given_with:
            self._wifi = MemoryWifi(self._clock)
            machine.append(self._wifi)
        pairing = PhonePairing(self._journal, self._clock, ADDRESS) if "phones" in given_with else None
        timeouts = PanelTimeouts() if "sleep" in given_with else ALWAYS
        outputs = Outputs(self._glass, self._clock, timeouts=timeouts)
        language, board = self._set.get("in", "en"), BOARDS[self._set.get("on", "keypad")]
        asked = None if language == "none" else language
        self._running = Box(
            self._journal, outputs, self._clock, language=asked, board=board, machine=machine, pairing=pairing
        )

    def begin(self, game: str, players: list[str], level: str, rules: dict[str, Any]) -> None:
        """Begin a game."""
        header = {"format": 1, "game": game, "players": players, "rules": rules}
        self._box.begin(decode_header(json.dumps(header)), DetailLevel(level))

    def add(self, header: str, on_table: bool = False) -> None:
        """Add a game to the journal that this box did not begin; it can be the one on the table at the next start."""
        name = written(self._journal, header)
        if on_table:
            self._journal.set_open_game(name)

    def add_line(self, line: str) -> None:
        """Add a line to the game that was added last."""
        self._journal.append(self._journal.games()[0].name, line, now=0.0, tracking="full")

    def play_evenings(self) -> None:
        """Fill the journal with nine finished games of four Fridays."""
        play(self._journal)
        self.leave()

    def leave(self) -> None:
        """Leave the open game and switch the box off; it starts at home when it is next needed."""
        self._journal.set_open_game(None)
        self._running = None

    def press(self, keys: str) -> None:
        """Press keys; `missed` and `off` are keys without a notation, `7~` is a second press that came by itself."""
        for word in keys.split():
            if word in WORDS:
                self._box.take(PANEL, WORDS[word])
            elif word.endswith("~"):
                self._box.take(PANEL, QuickSecondPress(word[:-1]))
            else:
                press(self._box, word)

    def choose(self, label: str) -> None:
        """Press the key with a label, or with one that holds it; with few keys, turn to it."""
        labels = {key: words for key, words in self._box.frame.labels.items() if key not in FEW}
        same = [key for key, words in labels.items() if words == label]
        held = [key for key, words in labels.items() if label in words]
        if not same and not held:
            raise ValueError(f"no key is labelled {label}: {labels}")
        does(self._box, (*same, *held)[0])

    def turn(self, wanted: str) -> None:
        """With few keys, turn to an option or to the answer with some keys of a keypad."""
        turn_to(self._box, wanted)

    def write(self, text: str) -> None:
        self._box.take(PANEL, TypedAnswer(text))

    def tap(self, choice: str, name: str) -> str:
        """Tap a choice, by its name, on the phone of somebody who scores; without a name, choose it at the box.

        Return why it does not count; an empty text if it does.
        """
        if not name:
            self._box.take(PANEL, Tap(self._box.state.panel.number, choice))
            return ""
        if name not in self._phones:
            self._phones.append(name)
        phone = Phone(self._phones.index(name) + 1, name, Role.SCORER)
        told = tap(self._box, choice, phone)
        return "" if told is None else self._box.state.table.words.sentence(told)

    def call(self, table: int, players: list[str], minutes: float) -> None:
        """Have the hub of the club call players to a table for its second round; to none if there are none."""
        ends = self._clock.now() + 60 * minutes if minutes else 0.0
        ask(self._box, HubNews(HubMessage(SeatCall(2, table, tuple(players), ends) if players else None)))

    def pair(self, name: str) -> str:
        """Type the PIN that the box shows on a phone; return why it is not paired, or an empty text."""
        status = self._box.state.table.machine.get(PhonesStatus)
        assert status is not None
        answer = ask(self._box, ClaimPairing(status.pin or "000000", name, "192.168.1.20"))
        return self._box.state.table.words.sentence(answer) if isinstance(answer, Text) else ""

    def choose_role(self, name: str, role: str, person: str) -> None:
        """Choose on a paired phone who it is."""
        status = self._box.state.table.machine.get(PhonesStatus)
        assert status is not None
        phone = next(phone for phone in status.paired if phone.name == name)
        assert ask(self._box, ChooseRole(Role(role), person), phone) is None

    def let_wifi_start(self, starts: bool) -> None:
        self._wifi.works = starts

    def attend(self, earlier: bool) -> None:
        """Have the hub say that the director has attended to the call that is on, or to the one before it."""
        number = int(self._journal.setting(DIRECTOR_CALL) or 0)
        ask(self._box, HubNews(HubMessage(attended=number - earlier)))

    def set_clock(self, minutes: float) -> None:
        """Set the clock of the box forward, or back, as the network does."""
        self._clock.time += 60 * minutes

    def fill_disk(self, full: bool) -> None:
        """Fill the disk of the journal, or make room."""
        self._journal.full = full

    def refuse(self, sentence: str) -> None:
        """Let the system refuse to set the clock with a sentence; with none, do as it is told again."""
        self._clock_setter.fault = sentence

    def wait(self, seconds: float) -> None:
        """Let time pass, second by second, and what is due be done."""
        for _second in range(int(seconds)):
            self._clock.let_pass(1)
            run_due(self._box, self._clock)

    def end_update(self, word: str) -> None:
        """Let the system that was asked for an update end what it does, and leave a word about it."""
        self._updater.left = word
        self._clock.let_pass(WAIT)
        run_due(self._box, self._clock)

    def search(self) -> None:
        """Let the box search for likely corrections to the end."""
        idle(self._box)

    # What they see

    def panel(self) -> Panel:
        """Return the words on the panel."""
        view, words = self._box.view(), tuple(" ".join(line.split()) for line in self._box.frame.words)
        if isinstance(view.body, CodeBody) and view.body.figure:
            words = tuple(word.replace(view.body.figure, "PIN") for word in words)  # another one every time
        said, foot = len(view.notice) + len(view.offers) + (view.unsaved is not None), -1 - bool(view.following)
        seats = foot - (len(view.body.seats) if isinstance(view.body, OpenGame) else 0)
        asked = self._aloud(f"{view.ahead} {view.question} {view.typed}")
        asked = " / ".join(filter(None, (asked, self._aloud(view.following))))
        hint = self._aloud(" ".join(filter(None, (view.hint, view.choice and f"<{view.choice}>", view.clock))))
        keys = view.body.help if isinstance(view.body, TypingBody) else ()
        return Panel(words[:said], tuple(filter(None, words[said:seats])), (*words[seats:foot], *keys), asked, hint)

    def log(self) -> list[str]:
        """Return the lines of the open game's log in words."""
        game = self._box.game
        return [] if game is None else [self._line(line, game) for line in self._journal.lines(game.name)]

    def lengths(self) -> dict[str, int]:
        """Return how many lines each game of the journal has; the open one is the last."""
        here = [] if self._box.game is None else [self._box.game.name]
        others = [name for name in self._journal.names() if name not in here]
        return {name: len(self._journal.lines(name)) for name in (*others, *here)}

    def games(self) -> dict[int, str]:
        """Return the games of the journal by number: which game, who plays, how closely it is followed."""
        told = {}
        for saved in self._journal.games():
            header = json.loads(saved.header)
            told[saved.number] = f"{header['game']} of {'·'.join(header['players'])}, {saved.tracking}"
        return told

    def look(self, what: str, which: str) -> str:
        """Return what is seen by somebody who looks closer."""
        box, frame = self._box, self._box.frame
        match what:
            case "panel":
                panel = self.panel()
                return " | ".join((*panel.said, *panel.body, *panel.more, f"{panel.asked} {panel.hint}"))
            case "labels":
                return " · ".join(f"{key} {frame.labels.get(key, '–')}" for key in (which.split() or frame.labels))
            case "entries" if box.game is not None:
                entered = (step.event for step in box.game.session.steps() if step.event)
                return " | ".join([self._described(event, box.game) for event in entered][::-1])
            case "typed" if box.game is not None:
                keys = self._journal.keys(box.game.name)
                return keys[max(keys)]
            case "games":
                return " | ".join(f"{number} {game}" for number, game in self.games().items()) or "none"
            case "rules":
                rules = json.loads(self._journal.games()[0].header)["rules"]
                return ", ".join(f"{name} {json.dumps(rules[name])}" for name in (which.split() or rules))
            case "lamp":
                return "dark" if frame.lamp is None else "#{:02x}{:02x}{:02x}".format(*frame.lamp)
            case "asleep":
                return "yes" if box.outputs.asleep else "no"
            case "asked":
                return f"{self._updater.asked} times"
            case "controller":
                kept, whole = " kept" * bool(self._controllers.kept), " frame" * self._shows_frame()
                return f"{self._controllers.used}{kept}{whole}"
            case "text":
                return frame.expected_text or "none"
            case "phone":
                return self._aloud(" | ".join(self._on_phones(which)))
        raise ValueError(f"nobody can look at {what} now")

    def _shows_frame(self) -> bool:
        """Return whether the panel shows a frame at its very edges."""
        corners = ((0, 0), (127, 0), (0, 63), (127, 63), (60, 0), (0, 20), (127, 20), (60, 63))
        return self._glass.picture is not None and all(map(self._glass.picture.getpixel, corners))

    def _aloud(self, text: str) -> str:
        return self._box.state.table.words.aloud(" ".join(text.split()))

    def _described(self, event: Event, game: CurrentGame) -> str:
        return self._aloud(self._box.state.table.words(game.session.header.game.describe(event)))

    def _line(self, line: str, game: CurrentGame) -> str:
        match event := decode_line(line, game.session.header):
            case Event():
                return self._described(event, game)
            case Amend() | Splice():
                put = ", ".join(self._described(each, game) for each in event.put)
                return f"in place of {event.drop} from {event.event}: {put or 'nothing'}"
            case Players(names):
                return f"players {'·'.join(names)}"
        return type(event).__name__.lower()

    def _on_phones(self, part: str) -> Iterator[str]:
        """Yield a part of what phones show: what it `asks`, `offers`, its `title`, `notice`, or `actions`."""
        page = page_in(self._box, self._set.get("in", "en"))
        choices: tuple[Button, ...] = ()
        match part:
            case "asks":
                yield from () if page.check is None else (page.check.text,)
                yield page.question.text
                choices = (*page.question.answers, *page.question.others)
            case "title":
                yield getattr(page.body, "title", "")
            case "notice":
                yield from page.notice
            case "offers":
                choices = page.offers
            case "actions":
                choices = page.actions
        yield from (" ".join(filter(None, (each.label, each.value, each.below))) for each in choices)
