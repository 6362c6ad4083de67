"""The bridge's loop: waits for changes in the journal's folder and for the broker, and publishes what is new."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from inotify_simple import INotify, flags
from msgspec import Struct
from msgspec.structs import replace

from companion.journal.folder import director_call, unsaved_entries
from companion.ui.translations import Translator

from .acknowledged import Acknowledged, CorrectionAnswer, Mark
from .box_client import BoxClient
from .broker import Access, Broker
from .followed_game import FollowedGame
from .home_assistant import discovery, topics
from .hub_relay import HubMessages
from .log_line_sender import Acknowledgement, Lines, LineSender, again_topic
from .table_state import TableState, events_between, table_state

CHANGES = flags.MODIFY | flags.CREATE | flags.MOVED_TO | flags.MOVED_FROM | flags.DELETE
GONE = flags.DELETE_SELF | flags.MOVE_SELF
HOME_ASSISTANT_STARTED = b"online"
SAVE_AFTER = 10.0  # seconds between two writes of the marks
STILL_PLAYED = 12 * 3600.0  # seconds after its last entry that a game is still shown at the start


class MqttDestination(Struct, frozen=True):
    """The broker and the names under which a table is published."""

    access: Access
    name: str  # the table's name for people
    prefix: str = "tabletop"  # what every topic begins with
    home_assistant: str = "homeassistant"  # the prefix of Home Assistant's discovery; empty without it
    club: bool = False  # whether every line is sent to a hub
    page: str = ""  # the address of the box's page on this computer, for a director's corrections
    secret: str = ""  # by which the page knows the bridge


class Bridge:
    """Publishes the games of a journal.

    Args:
        journal: The folder of the journal. It is only read.
        marks: How far each game has arrived at the hub.
        words: Translates what is published.
        said: Is called with sentences for the log.
        scratch: The folder in memory where the box notes what its disk refuses; None if there is none.
    """

    def __init__(
        self,
        journal: Path,
        marks: Acknowledged,
        to: MqttDestination,
        words: Translator,
        said: Callable[[str], None],
        scratch: Path | None = None,
    ) -> None:
        self._journal, self._marks, self._to, self._words, self._said = journal, marks, to, words, said
        self._scratch = scratch
        self._games: dict[str, FollowedGame] = {}  # the game shown, and those with lines on their way
        self._shown: FollowedGame | None = None
        self._described: TableState | None = None  # the table that Home Assistant was told about last
        self._save_due: float | None = None
        self._unsaved = 0  # entries that the box's disk refuses, as told last
        self._topics = topics(f"{to.prefix}/{marks.device}")
        self._status_topic = f"{to.home_assistant}/status"
        self._sender = LineSender(marks, self._send_lines)
        self._from_hub = HubMessages(BoxClient(to.page, to.secret), marks, self._answer, said)
        self._call: int | None = None  # the number of the table's latest call of the director, as published last
        self._again_topic = again_topic(to.prefix)
        of_club = [self._topics["ack"], f"{self._topics['correction']}/+", self._topics["hub"], self._again_topic]
        subscribed = [self._status_topic] * bool(to.home_assistant) + of_club * to.club
        self._broker = Broker(
            to.access, marks.device, self._topics["status"], subscribed, self._received, self._connected, said
        )
        self._stopping, self._stop = socket.socketpair()

    def stop(self) -> None:
        """End `run`, from any thread."""
        with suppress(OSError):  # it has ended by itself
            self._stop.send(b"x")

    def run(self) -> None:
        """Follow the journal until `stop`."""
        folder = self._journal / "games"
        with INotify() as changes, self._stopping, self._stop:
            # the folder comes with the first game, calls with the settings
            seen = CHANGES if self._to.club else flags.CREATE | flags.MOVED_TO
            changes.add_watch(self._journal, seen | GONE)
            self._begin(folder, changes)
            self._broker.connect()
            while not self._wait(changes):
                now = time.monotonic()
                events = changes.read(timeout=0)
                if any(event.mask & GONE for event in events):
                    self._said(f"{self._journal} is gone or another folder by now")
                    break  # systemd starts the bridge again
                names = {event.name for event in events}
                if folder.name in names:
                    self._begin(folder, changes)
                    self._show()
                for name in names:
                    self._read(folder / name)
                    if name == "settings.jsonl":
                        self._publish_call()
                if self._unsaved != (unsaved := unsaved_entries(self._journal, self._scratch)):
                    self._unsaved = unsaved
                    self._show()
                if self._broker.due is not None and self._broker.due <= now:
                    self._broker.connect()
                if self._from_hub.due is not None and self._from_hub.due <= now:
                    self._from_hub.send(now)
                self._send(now)
        self._broker.close()
        self._marks.save()

    # Waiting

    def _wait(self, changes: INotify) -> bool:
        """Wait until something is to be done; return whether to stop."""
        broker = self._broker.socket
        reading = [changes.fileno(), self._stopping, *([] if broker is None else [broker])]
        writing = [broker] if broker is not None and self._broker.wants_to_write else []
        readable, writable, _ = select.select(reading, writing, [], self._patience())
        self._broker.work(readable=broker in readable, writable=broker in writable)
        return self._stopping in readable

    def _patience(self) -> float:
        """Return the seconds until something is due: a ping, a connection, a resent message, a write of the marks."""
        dues = (self._broker.due, self._sender.due(), self._save_due, self._from_hub.due)
        now = time.monotonic()
        return min([20.0, *(max(0.0, due - now) for due in dues if due is not None)])

    # Reading

    def _begin(self, folder: Path, changes: INotify) -> None:
        """Follow the game that was played last, and those with lines that have not arrived."""
        if not folder.exists():
            return
        changes.add_watch(folder, CHANGES)
        files = sorted(folder.glob("*-*-*.jsonl"), key=lambda file: file.stat().st_mtime_ns)
        for file in files:
            if self._to.club and file.stat().st_mtime_ns != self._marks.of(file.stem).changed:
                self._follow(file)
        if files and time.time() - files[-1].stat().st_mtime < STILL_PLAYED:
            self._shown = self._follow(files[-1])

    def _follow(self, file: Path) -> FollowedGame:
        game = self._games.setdefault(file.stem, FollowedGame(self._journal, file.stem))
        for _sessions in game.read_more():
            pass
        return game

    def _read(self, file: Path) -> None:
        """Read what has changed in a game, and publish it."""
        if file.suffix != ".jsonl" or file.name.count("-") < 2:
            return
        if not file.exists():
            self._games.pop(file.stem, None)
            self._marks.forget(file.stem)
            return
        game = self._games.setdefault(file.stem, FollowedGame(self._journal, file.stem))
        new = list(game.read_more())
        if game.fault:
            self._said(f"{file.name} is not published: {game.fault}")
        elif new or game is not self._shown:
            self._shown = game
            self._show()
            for before, after in new[-1:]:
                for each in events_between(before, after, self._words):
                    self._broker.publish(self._topics["event"], each)

    # Publishing

    def _show(self) -> None:
        """Publish the state of the table, after its description where that has changed."""
        session = None if self._shown is None else self._shown.session
        if session is None or not self._broker.online:
            return
        table = replace(table_state(session, self._words), unsaved=self._unsaved)
        self._describe(table)
        self._broker.publish(self._topics["state"], table, retain=True)

    def _publish_call(self) -> None:
        """Publish that the table calls the director, or has ended its call."""
        call = director_call(self._journal)
        if call != self._call and self._broker.publish(self._topics["call"], call, retain=True):
            self._call = call

    def _describe(self, table: TableState) -> None:
        """Tell Home Assistant about the table, where a game with other suits or seats is played."""
        before, device = self._described, self._marks.device
        seats_before = 0 if before is None else len(before.seats)
        known = before is not None and (before.suits, seats_before) == (table.suits, len(table.seats))
        if self._to.home_assistant and not known:
            message = discovery(device, self._to.name, f"{self._to.prefix}/{device}", table, seats_before)
            if self._broker.publish(f"{self._to.home_assistant}/device/{device}/config", message, retain=True):
                self._described = table

    def _send(self, now: float) -> None:
        """Send lines, and write the marks, where it is time."""
        if self._to.club and self._broker.online:
            self._sender.send(self._games.values(), now)
        if self._save_due is not None and self._save_due <= now:
            self._marks.save()
            self._save_due = None

    def _send_lines(self, lines: Lines) -> bool:
        return self._broker.publish(self._topics["lines"], lines)

    # Answers

    def _connected(self) -> None:
        """Publish everything again: another broker may have taken the place of the one before."""
        self._described = None
        self._sender.connected()
        if self._to.club:
            self._broker.publish(self._topics["name"], self._to.name, retain=True)
            self._call = None
            self._publish_call()
        self._show()

    def _received(self, topic: str, content: bytes) -> None:
        if topic == self._status_topic:
            if content == HOME_ASSISTANT_STARTED:
                self._connected()
            return
        if topic == self._again_topic:
            self._sender.connected()
            return
        if topic == self._topics["hub"]:
            self._from_hub.take_news(content, time.monotonic())
            return
        if topic != self._topics["ack"]:
            self._from_hub.take_correction(content, time.monotonic())
            return
        try:
            answer = msgspec.json.decode(content, type=Acknowledgement)
        except msgspec.MsgspecError as error:
            self._said(f"an acknowledgement that cannot be read: {error}")
            return
        self._arrived(answer)

    def _answer(self, corrected: CorrectionAnswer) -> None:
        """Pass the box's answer on. If the broker is away, it delivers the correction again, and is answered then."""
        self._broker.publish(self._topics["corrected"], corrected)

    def _arrived(self, answer: Acknowledgement) -> None:
        """Note how far a game has arrived; one that has arrived whole is forgotten until it grows."""
        game = self._games.get(answer.game)
        self._sender.take(answer, game)
        if self._save_due is None:
            self._save_due = time.monotonic() + SAVE_AFTER
        if game is not None and self._marks.of(game.name).lines == game.length:
            self._marks.note(game.name, Mark(game.length, game.changed))
            if game is not self._shown:
                del self._games[game.name]
