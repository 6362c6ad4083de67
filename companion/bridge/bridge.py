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

from companion.core.session import Session
from companion.decoding import from_json
from companion.journal.folder import GAME, director_call, setting, unsaved_entries
from companion.ui.translations import Translator

from .followed_game import FollowedGame, changed
from .home_assistant import MOST_SEATS, discovery, discovery_topic
from .hub_relay import BoxClient, HubMessages
from .log_line_sender import Acknowledged, LineSender
from .mqtt import Access, Broker
from .records import Acknowledgement, CorrectionAnswer, again_topic, topics
from .table_state import TableEvent, TableState, corrected, events_between, table_state

CHANGES = flags.MODIFY | flags.CREATE | flags.MOVED_TO | flags.MOVED_FROM | flags.DELETE
GONE = flags.DELETE_SELF | flags.MOVE_SELF
HOME_ASSISTANT_STARTED = b"online"
LOOK_AFTER = 2.0  # seconds between two looks for a journal that is not there yet
SAVE_AFTER = 10.0  # seconds between two writes of the marks
STILL_PLAYED = 12 * 3600.0  # seconds after its last entry that a game is still shown at the start


ENDING = (
    "the connection to {host} ends again and again. Perhaps another box has the same id, {device}, from a copy of this "
    "card: on one of the two remove arrived.json from the bridge's folder and restart the bridge"
)


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
        journal: The folder of the journal, which may be made later. It is only read.
        marks: How far each game has arrived at the hub.
        words: Translates what is published, until a language is chosen on the box.
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
        self._journal, self._marks, self._to, self._said = journal, marks, to, said
        self._words = self._default_words = words
        self._scratch = scratch
        self._games: dict[str, FollowedGame] = {}  # the game shown, and those with lines on their way
        self._shown: FollowedGame | None = None
        self._watched = False  # whether the journal is there and its changes are told
        self._described: int | None = None  # how many seats Home Assistant was told of last
        self._save_due: float | None = None
        self._unsaved = 0  # entries that the box's disk refuses, as told last
        self._topics = topics(f"{to.prefix}/{marks.device}")
        self._status_topic = f"{to.home_assistant}/status"
        self._sender = LineSender(marks, lambda lines: self._broker.publish(self._topics["lines"], lines))
        self._from_hub = HubMessages(BoxClient(to.page, to.secret), marks, self._answer, said)
        self._call: int | None = None  # the number of the table's latest call of the director, as published last
        self._again_topic = again_topic(to.prefix)
        of_club = [self._topics["ack"], f"{self._topics['correction']}/+", self._topics["hub"], self._again_topic]
        subscribed = [self._status_topic] * bool(to.home_assistant) + of_club * to.club
        self._broker = Broker(
            to.access,
            marks.device,
            self._topics["status"],
            subscribed,
            self._received,
            self._connected,
            said,
            ENDING.format(host=to.access.host, device=marks.device),
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
            self._watch(folder, changes)
            self._broker.connect()
            while not self._wait(changes):
                now = time.monotonic()
                if not self._watched:
                    self._watch(folder, changes)
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
                        self._read_language()
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
        return min([20.0 if self._watched else LOOK_AFTER, *(max(0.0, due - now) for due in dues if due is not None)])

    # Reading

    def _watch(self, folder: Path, changes: INotify) -> None:
        """Begin with the journal, if it is there."""
        with suppress(FileNotFoundError):
            changes.add_watch(self._journal, CHANGES | GONE)
            self._watched = True
            self._read_language()
            self._begin(folder, changes)
            self._show()
            self._publish_call()

    def _begin(self, folder: Path, changes: INotify) -> None:
        """Follow the game that was played last, and those with lines that have not arrived."""
        if not folder.is_dir():
            return
        changes.add_watch(folder, CHANGES)
        files = sorted((file for file in folder.iterdir() if _is_game(file)), key=changed)
        for file in files:
            if self._to.club and changed(file) != self._marks.of(file.stem).changed:
                self._follow(file)
        if files and time.time() - changed(files[-1]) / 1e9 < STILL_PLAYED:
            self._shown = self._follow(files[-1])

    def _read_language(self) -> None:
        """Follow the language that was chosen on the box."""
        chosen = setting(self._journal, "language") or self._default_words.language
        if chosen != self._words.language:
            self._words = Translator(chosen)
            self._show()

    def _follow(self, file: Path) -> FollowedGame:
        game = self._games.setdefault(file.stem, FollowedGame(self._journal, file.stem))
        for _sessions in game.read_more():
            pass
        return game

    def _read(self, file: Path) -> None:
        """Read what has changed in a game, and publish it."""
        if not GAME.fullmatch(file.name):
            return
        if not _is_game(file):
            self._games.pop(file.stem, None)
            self._marks.forget(file.stem)
            return
        game = self._games.setdefault(file.stem, FollowedGame(self._journal, file.stem))
        before = game.session
        new = list(game.read_more())
        if game.fault:
            self._said(f"{file.name} is not published: {game.fault}")
        elif new or game is not self._shown:
            self._shown = game
            self._show()
            for event in self._events(before, new):
                self._broker.publish(self._topics["event"], event)

    def _events(self, known: Session | None, new: list[tuple[Session, Session]]) -> list[TableEvent]:
        """Return what has happened since the known session of a game; of one that was not known, the latest alone."""
        if known is not None and new and new[0][0] is not known:  # it was put back
            return [corrected(self._words)]
        counted = new[-1:] if known is None else new
        return [event for pair in counted for event in events_between(*pair, self._words)]

    # Publishing

    def _show(self) -> None:
        """Publish the state of the table, after its description where that has changed."""
        if not self._broker.online:
            return
        session = None if self._shown is None else self._shown.session
        table = TableState() if session is None else table_state(session, self._words)
        self._describe(len(table.seats))
        self._broker.publish(self._topics["state"], replace(table, unsaved=self._unsaved), retain=True)

    def _publish_call(self) -> None:
        """Publish that the table calls the director, or has ended its call."""
        call = director_call(self._journal) if self._to.club else None
        if call != self._call and self._broker.publish(self._topics["call"], call, retain=True):
            self._call = call

    def _describe(self, seats: int) -> None:
        """Tell Home Assistant about the table, where another number of seats plays.

        Since its own start it removes the scores of those seats alone that it has been told of: so all are told first.
        """
        if not self._to.home_assistant or seats == self._described:
            return
        for number in (MOST_SEATS, seats) if self._described is None else (seats,):
            message = discovery(self._marks.device, self._to.name, f"{self._to.prefix}/{self._marks.device}", number)
            topic = discovery_topic(self._to.home_assistant, self._marks.device)
            if self._broker.publish(topic, message, retain=True):
                self._described = seats

    def _send(self, now: float) -> None:
        """Send lines, and write the marks, where it is time."""
        if self._to.club and self._broker.online:
            self._sender.send(self._games.values(), now)
        if self._save_due is not None and self._save_due <= now:
            self._marks.save()
            self._save_due = None

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
            answer = from_json(content, Acknowledgement)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
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
        if game is not None and (mark := self._marks.of(game.name)).lines == game.length:
            self._marks.note(game.name, replace(mark, changed=game.changed))
            if game is not self._shown:
                del self._games[game.name]


def _is_game(file: Path) -> bool:
    """Return whether a file is a game's: no link, no folder, and no FIFO, for which nobody may wait."""
    return bool(GAME.fullmatch(file.name)) and not file.is_symlink() and file.is_file()
