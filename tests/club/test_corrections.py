"""A director corrects an entry by the game's own questions; it goes to the table, whose answer is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest

from companion.app.bridge_secret import drawn, state_of
from companion.bridge.bridge import Bridge, MqttDestination
from companion.bridge.log_line_sender import Acknowledged
from companion.bridge.mqtt import publish
from companion.bridge.records import NewLines
from companion.club.corrections import CorrectionForm, draft, record, sent_to, unanswered
from companion.club.database import Connection, stored_game
from companion.club.store_game_lines import LineStore
from companion.core.game import tracking_of
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_line, read
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.keys import answer_name
from companion.ui.translations import Translator
from tests.app.boxes import begin, press
from tests.bridge.growing_journal import GrowingJournal
from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.cli.finished_games import random_log
from tests.club.running import ELSEWHERE, bridge, club_in, consumer, serving
from tests.waiting import running, until
from tests.web.paired_page import PairedPage

ENGLISH = Translator("en")


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_of_every_game_can_be_given_by_its_questions(game: str) -> None:
    session = read(random_log(game, 1))
    rules = session.header.game
    for step in session.entries()[:40]:
        state = session.before(step.number)
        tracking_of(rules, DetailLevel.FULL, state, step.event)
        names = [answer_name(answer) for answer in rules.answers(state, step.event)]
        assert draft(session, step.number, names[:-1], ENGLISH).question
        assert draft(session, step.number, names, ENGLISH).refusal == "This is what stands there."


def test_a_correction_says_what_it_makes_of_the_scores() -> None:
    session = read(random_log("hipparchus", 1))
    last = session.head.number
    made = draft(session, last, (), ENGLISH, take_out=True)
    line = decode_line(made.line, session.header)
    assert [after for _name, _before, after in made.scores] == [*session.add(line).progress.totals]
    assert made.was


def test_what_the_game_refuses_is_not_sent() -> None:
    session = read(random_log("eternity", 1))
    made = draft(session, 1, (), ENGLISH, take_out=True)
    assert (made.line, bool(made.refusal)) == ("", True)
    assert draft(session, 1, ["nonsense"], ENGLISH).refusal == "This answer is not offered."


@contextmanager
def table(broker: Mosquitto, folder: Path) -> Iterator[PairedPage]:
    """Run a box with its page, a journal on the disk, and its bridge."""
    page = PairedPage(journal=Journal(folder / "journal"), folder=folder / "journal")
    page.do(lambda: press(begin(page.box), "1"))
    state_of(folder / "journal").mkdir()
    secret, address = drawn(state_of(folder / "journal")), f"http://127.0.0.1:{page.server.port}"
    to = MqttDestination(broker.access, "Corner", home_assistant="", club=True, page=address, secret=secret)
    own = Bridge(folder / "journal", Acknowledged(folder / "arrived.json"), to, Translator("en"), lambda _: None)
    try:
        with running(own.run, own.stop):
            yield page
    finally:
        page.stop()


@pytest.mark.needs("mosquitto", "postgresql")
def test_a_correction_goes_to_the_table_and_its_answer_is_shown(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path
) -> None:
    club = club_in(tmp_path / "hub", database, broker.access)
    assert club.hub is not None
    scorer = club.hub.scorer
    with consumer(broker, database), serving(club) as client, table(broker, tmp_path) as page:
        until(lambda: any(row.id for row in scorer.tables))
        until(lambda: "2" in str(_lines(connection)))
        assert client.get("/games/1/correct", headers=ELSEWHERE).status_code == 403
        assert "entry=1" in client.get("/games/1/correct").text
        asked = client.get("/games/1/correct?entry=1").text
        choices = [unescape(to) for to in re.findall(r'href="([^"]*a=seat[^"]*)"', asked)]
        made = client.get(choices[2]).text
        assert "Send to the table" in made
        form = {
            name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', made)
        }
        assert form["chosen"] == choices[2].partition("?")[2]
        other = {**form, "was": '{"type":"start","player":3}'}  # the table has changed it since
        assert client.post("/games/1/correct", data=other).status_code == 409
        answer = client.post("/games/1/correct", data=form)
        assert answer.headers["location"] == "/games/1"
        until(lambda: "taken" in client.get("/games/1").text.partition("Corrections by the director")[2])
        assert page.box.game is not None
        assert page.box.game.lines == 2
        assert "The director corrects entry 1" in str(page.box.state.panel.message)
        until(lambda: _lines(connection) == 3)  # the correction comes back as a line of the log
        assert client.get("/games/1/correct?entry=99").status_code == 404
        assert client.post("/games/1/correct", data={"chosen": "entry=1"}).status_code == 400


def _lines(connection: Connection) -> int:
    with connection.transaction():
        found = connection.execute("SELECT lines FROM game").fetchone()
    return 0 if found is None else int(found[0])


@pytest.mark.needs("mosquitto", "postgresql")
def test_every_correction_waits_for_a_box_that_is_away(
    broker: Mosquitto, database: str, connection: Connection, tmp_path: Path
) -> None:
    device, lines = Acknowledged(tmp_path / "marks").device, random_log("eternity", 1).splitlines()[:9]
    LineStore(connection).store([NewLines(device, "000001-eternity-0123abcd", 0, lines)])
    game = stored_game(connection, 1)
    assert game is not None
    hub = Onlooker(broker)
    for number in (1, 2):
        record(connection, game, number, CorrectionForm("an entry"), "Dora")
        publish(broker.access, unanswered(connection, "tabletop")[-1:])
    with consumer(broker, database), bridge(broker, GrowingJournal(tmp_path), tmp_path / "marks"):
        until(lambda: [sent.taken for sent in sent_to(connection, 1)] == [False, False])
        cleared = {f"tabletop/{device}/correction/{number}" for number in (1, 2)}
        hub.wait_for(lambda messages: cleared == {topic for topic, content in messages if content == ""})
    hub.close()
