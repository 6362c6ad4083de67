"""Lines are sent until the hub has acknowledged them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bridge import log_line_sender
from companion.bridge.followed_game import FollowedGame
from companion.bridge.log_line_sender import PATIENCE, Acknowledged, LineSender, Mark
from companion.bridge.records import Acknowledgement, Lines
from tests.bridge.growing_journal import GrowingJournal

CHUNK = 50


class Hub:
    """Takes messages while it is there."""

    def __init__(self) -> None:
        self.there = True
        self.got: list[Lines] = []

    def __call__(self, lines: Lines) -> bool:
        if self.there:
            self.got.append(lines)
        return self.there


@pytest.fixture
def marks(tmp_path: Path) -> Acknowledged:
    return Acknowledged(tmp_path / "arrived.json")


@pytest.fixture
def game(tmp_path: Path) -> FollowedGame:
    journal = GrowingJournal(tmp_path)
    journal.write(len(journal.rows))
    game = FollowedGame(journal.folder, journal.name)
    list(game.read_more())
    assert game.length > CHUNK
    return game


def test_a_game_arrives_whole_and_in_order(marks: Acknowledged, game: FollowedGame) -> None:
    hub = Hub()
    sender = LineSender(marks, hub, CHUNK)
    while marks.of(game.name).lines < game.length:
        sender.send([game], now=0.0)
        sender.send([game], now=1.0)  # one message at a time
        latest = hub.got[-1]
        sender.take(Acknowledgement(game.name, latest.first + len(latest.lines)), game)
    assert [line for lines in hub.got for line in lines.lines] == game.lines(0, game.length)
    sender.send([game], now=100.0)
    assert sum(len(lines.lines) for lines in hub.got) == game.length


def test_a_message_holds_no_more_bytes_than_the_broker_takes_but_at_least_a_line(
    marks: Acknowledged, game: FollowedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = [len(line.encode()) for line in game.lines(0, CHUNK)]
    for most, count in ((1, 1), (sum(sizes[:3]), 3), (sum(sizes[:4]) - 1, 3)):
        monkeypatch.setattr(log_line_sender, "MOST_BYTES", most)
        hub = Hub()
        LineSender(marks, hub).send([game], now=0.0)
        assert [len(message.lines) for message in hub.got] == [count]


def test_lines_without_an_answer_are_sent_again(marks: Acknowledged, game: FollowedGame) -> None:
    hub = Hub()
    sender = LineSender(marks, hub)
    sender.send([game], now=0.0)
    assert sender.due() == PATIENCE
    sender.send([game], now=PATIENCE)
    sender.connected()
    assert sender.due() is None
    sender.send([game], now=PATIENCE + 1)
    assert hub.got == [hub.got[0]] * 3


def test_nothing_is_sent_while_there_is_no_connection(marks: Acknowledged, game: FollowedGame) -> None:
    hub = Hub()
    hub.there = False
    sender = LineSender(marks, hub)
    sender.send([game], now=0.0)
    assert sender.due() is None


def test_an_acknowledgement_of_what_never_was_is_ignored(marks: Acknowledged, game: FollowedGame) -> None:
    sender = LineSender(marks, Hub())
    sender.take(Acknowledgement(game.name, game.length + 1), game)
    sender.take(Acknowledgement("000009-gear-00000000", 1), None)
    assert marks.of(game.name) == Mark()


def test_marks_and_the_id_of_the_box_outlive_a_restart(tmp_path: Path, marks: Acknowledged) -> None:
    marks.note("000001-gear-00000000", Mark(7, 5))
    marks.note("000002-gear-00000000", Mark(1))
    marks.forget("000002-gear-00000000")
    marks.save()
    again = Acknowledged(tmp_path / "arrived.json")
    assert again.device == marks.device
    assert again.of("000001-gear-00000000") == Mark(7, 5)
    assert again.of("000002-gear-00000000") == Mark()


def test_a_file_of_marks_that_cannot_be_read_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "arrived.json").write_bytes(b'{"device":')
    begun = Acknowledged(tmp_path / "arrived.json")
    assert begun.device == Acknowledged(tmp_path / "arrived.json").device


def test_a_box_on_another_machine_draws_another_id(tmp_path: Path) -> None:
    file = tmp_path / "arrived.json"
    drawn = Acknowledged(file, "first").device
    assert Acknowledged(file, "first").device == Acknowledged(file).device == drawn
    other = Acknowledged(file, "second").device
    assert other != drawn
    assert Acknowledged(file, "second").device == other


@pytest.mark.parametrize("lines", [CHUNK + 10, CHUNK - 10])
def test_a_game_with_other_lines_than_were_acknowledged_is_sent_from_its_beginning(
    marks: Acknowledged, game: FollowedGame, lines: int
) -> None:
    marks.note(game.name, Mark(lines, check="of another line"))
    hub = Hub()
    sender = LineSender(marks, hub, CHUNK)
    sender.send([game], now=0.0)
    assert (hub.got[-1].first, hub.got[-1].whole) == (0, game.length)
    sender.take(Acknowledgement(game.name, game.length), game)  # the hub has more lines, of the game as it was
    sender.send([game], now=1.0)
    assert hub.got[-1].first == CHUNK  # all are compared
    while marks.of(game.name).lines < game.length:
        latest = hub.got[-1]
        sender.take(Acknowledgement(game.name, latest.first + len(latest.lines)), game)
        sender.send([game], now=2.0)
    assert marks.of(game.name) == Mark(game.length, check=game.check(game.length), back=True)


def test_a_game_that_was_put_back_before_its_acknowledgement_came_is_sent_again(
    marks: Acknowledged, game: FollowedGame
) -> None:
    hub = Hub()
    sender = LineSender(marks, hub)
    sender.send([game], now=0.0)
    sender.take(Acknowledgement(game.name, game.length + 5), game)  # the hub has more lines than the game
    for _line in range(2):
        sender.send([game], now=1.0)
        assert (hub.got[-1].first, hub.got[-1].whole) == (0, game.length)
        sender.take(Acknowledgement(game.name, game.length + 5), game)
    assert len(hub.got) == 2  # once


def test_a_mark_of_an_earlier_version_counts_without_a_check(marks: Acknowledged, game: FollowedGame) -> None:
    marks.note(game.name, Mark(CHUNK))
    hub = Hub()
    LineSender(marks, hub, CHUNK).send([game], now=0.0)
    assert (hub.got[-1].first, hub.got[-1].whole) == (CHUNK, None)
