"""Lists tell games apart: which game, when, who leads or has won, and with how many points."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from companion.app import game_list_reader
from companion.app.box import Box
from companion.app.input_types import ChosenOption
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.journal import Journal, JournalError, StoredGame
from companion.ui.fonts import GLYPHS
from companion.ui.keys import BUTTONS
from companion.ui.render import SHOWN, draw
from companion.ui.saved_games import GameList, ListedGame
from companion.ui.screens.context import ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.list_menu import PAGE
from companion.ui.screens.saved_games_list import GameListScreen
from companion.ui.translations import Translator
from companion.ui.view import ListBody, View, spoken
from tests.app.boxes import FOUR, begin, key_of, name_of, new_box, page_of, press, says, written
from tests.app.selecting import turn_to
from tests.fakes.clock import FixedClock
from tests.scenes.scenes import LEVEL, ROUND_ONE, ROUND_THREE, ROUND_TWO

GAME = (ROUND_ONE, ROUND_TWO, ROUND_THREE)
STAR, FLAG = GLYPHS["winner"], GLYPHS["lead"]


def at(day: str, journal: Journal, language: str = "en") -> Box:
    """Return an application started at a local time; an empty one means a clock that was never set."""
    clock = FixedClock()
    clock.time = datetime.fromisoformat(day).timestamp() if day else 12 * 3600.0
    return Box(journal, Outputs(MemoryPanel(), clock), clock, language=language)


def evening(day: str, journal: Journal, rounds: tuple[str, ...] = GAME, players: tuple[str, ...] = FOUR) -> None:
    """Play a game of Eternity on a day, round by round."""
    box = begin(at(day, journal), players, "round")
    journal.set_open_game(None)
    assert box.game is not None
    for count, line in enumerate(rounds, 1):
        journal.append(box.game.name, line, now=0.0, tracking="round", over=count == len(GAME))


def entered(box: Box, players: tuple[str, ...] = FOUR) -> Box:
    """Begin a game with an entry; one without is removed when another begins."""
    return press(begin(box, players), "1")


def listed(box: Box) -> list[tuple[str, ...]]:
    """Return the rows of the list of games, each with the line below it."""
    press(box, key_of(box, "All games"))
    body = box.view().body
    assert isinstance(body, ListBody)
    return [(*row, *below) for row, below in zip(body.rows, body.below, strict=False)]


def test_a_list_of_games_says_which_game_when_who_won_and_with_how_many_points() -> None:
    journal = Journal()
    evening("2026-11-21 21:40", journal)
    evening("2026-11-22 20:15", journal, GAME[:1], ("Eve", "Flo", "Gus", "Hal"))
    box = at("2026-11-22 22:00", journal)
    assert listed(box) == [
        ("Eternity", "22 Nov", f"{FLAG} 5 Eve", "20:15"),
        ("Eternity", "21 Nov", f"{STAR} 19 Aki·Cyr", "21:40"),
    ]
    assert "All games 2026" in says(box)
    assert box.frame.labels["2"] == "21 Nov 21:40 Eternity"


def test_two_games_of_the_same_people_on_the_same_day_differ_by_their_hours() -> None:
    journal = Journal()
    evening("2026-11-21 20:00", journal)
    evening("2026-11-21 21:40", journal)
    rows = listed(at("2026-11-22 22:00", journal))
    assert rows[0] != rows[1]
    assert [row[3] for row in rows] == ["21:40", "20:00"]


@pytest.mark.parametrize(
    ("language", "days"),
    [
        ("en", ["22 Nov", "1 May", "9 Jan"]),
        ("fr", ["22 nov.", "1 mai", "9 janv."]),
        ("ja", ["11月22日", "5月1日", "1月9日"]),
    ],
)
def test_a_day_is_worded_short_in_every_language(language: str, days: list[str]) -> None:
    journal = Journal()
    for day in ("2026-01-09", "2026-05-01", "2026-11-22"):
        entered(at(day, journal))
    journal.set_open_game(None)
    box = at("2026-11-22 22:00", journal, language)
    press(box, "4")
    body = box.view().body
    assert isinstance(body, ListBody)
    assert [value for _text, value in body.rows] == days


def test_the_year_is_that_of_the_highlighted_game() -> None:
    journal = Journal()
    evening("2026-12-30", journal)
    evening("2027-01-02", journal)
    box = at("2027-01-03", journal)
    listed(box)
    assert "All games 2027" in says(box)
    assert "All games 2026" in says(press(box, "B"))


def test_a_game_begun_before_the_clock_was_set_has_no_day() -> None:
    journal = Journal()
    evening("", journal)
    box = at("2026-11-22", journal)
    assert listed(box) == [("Eternity", "", f"{STAR} 19 Aki·Cyr", "")]
    assert says(box).startswith("All games | > ")
    assert box.frame.labels["1"] == "Eternity"


def test_while_nobody_is_ahead_a_list_says_who_plays() -> None:
    journal = Journal()
    entered(at("2026-11-21 21:40", journal), ("春菜", "さくら", "Béatrice", "Dai", "Émile-Gustave"))
    journal.set_open_game(None)
    assert listed(at("2026-11-22", journal))[0][2] == "春菜·さくら·Béatrice·Dai·Émile-Gustave"


def test_everybody_who_shares_a_win_is_named() -> None:
    journal = Journal()
    evening("2026-11-21 21:40", journal, (LEVEL, LEVEL, LEVEL), ("春菜", "さくら", "Béatrice", "Dai"))
    assert listed(at("2026-11-22", journal))[0][2] == f"{STAR} 22 春菜·さくら"


def test_of_a_game_of_pairs_both_winners_totals_are_named() -> None:
    journal = Journal()
    header = {"format": 1, "game": "gear", "players": FOUR, "rules": {"teams": True, "ending": {"rounds": 1}}}
    ended = '{"type":"round","tricks":[3,2,3,0],"aces":[1,0,2,0],"last":2,"prices":[0,0,1,0]}'
    written(journal, json.dumps(header), '{"type":"start","player":0}', ended, over=True)
    assert listed(at("2026-11-22", journal))[0][2] == f"{STAR} 10/13 Aki·Cyr"


class _Torn(Journal):
    """A journal that counts reads of lines, and cannot read those of game 1."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[int] = []

    def lines(self, game: str) -> list[str]:
        self.read.append(int(game[:6]))
        if game.startswith("000001"):
            raise JournalError("game 1 is damaged")
        return super().lines(game)


def test_only_games_that_are_listed_are_read_and_each_of_them_once() -> None:
    journal = _Torn()
    for _game in range(25):
        entered(at("2026-11-21", journal))
    journal.set_open_game(None)
    journal.read.clear()
    box = at("2026-11-22", journal)
    listed(box)
    press(box, "B B A *")
    listed(box)
    assert journal.read == [*range(25, 25 - PAGE, -1)]


def test_a_game_that_was_gone_on_with_is_read_again() -> None:
    journal = Journal()
    evening("2026-11-21", journal, GAME[:1])
    box = at("2026-11-22", journal)
    assert "5 Aki" in listed(box)[0][2]
    press(box, "1 33 22 54 1# 3 h* h*")
    assert "12 Aki" in listed(box)[0][2]


def test_a_game_whose_lines_cannot_be_read_is_listed_with_its_players() -> None:
    journal = _Torn()
    entered(at("2026-11-21", journal))
    journal.set_open_game(None)
    assert listed(at("2026-11-22", journal))[0][2] == "Aki·Bea·Cyr·Dai"


def test_without_a_journal_to_read_a_list_says_who_plays() -> None:
    header = json.dumps({"format": 1, "game": "eternity", "players": FOUR})
    context = ScreenContext(
        Translator(), game_list=GameList(lambda: (ListedGame("", 1, header, DetailLevel.FULL, False, decode_header),))
    )
    body = GameListScreen(HomeScreen()).show(context).view.body
    assert isinstance(body, ListBody)
    assert body.below == (("Aki·Bea·Cyr·Dai", ""),)


def test_older_games_are_on_further_pages_and_back_leads_through_them() -> None:
    journal = Journal()
    for day in range(1, 26):
        entered(at(f"2026-11-{day:02}", journal))
    journal.set_open_game(None)
    box = press(at("2026-11-26", journal), "4")
    assert "25 Nov" in says(box)
    assert "Older games" in says(press(box, "9 h* h* 4"))
    assert "16 Nov" in says(press(box, "0"))
    assert "7 Nov" in says(press(box, "0"))
    assert "Older games" not in says(box)
    assert "> 1 Nov" not in says(press(box, "8"))
    assert "Choose by number" in says(box)
    assert "> Older games" in says(press(box, "*"))
    press(box, "*")
    assert "Tabletop Companion" in says(press(box, "*"))


def test_opening_a_game_of_an_older_page_comes_back_to_its_row() -> None:
    journal = Journal()
    for day in range(1, 13):
        evening(f"2026-11-{day:02}", journal)
    box = press(at("2026-11-26", journal), "3 0 2")
    assert "Bea" in says(box)
    assert "> Eternity 2 Nov" in says(press(box, "*"))


def test_home_names_the_game_to_go_on_with_and_the_one_to_play_again() -> None:
    journal = Journal()
    evening("2026-11-21", journal, players=("Eve", "Flo", "Gus", "Hal"))
    entered(at("2026-11-22", journal), ("Aki", "はるな"))
    journal.set_open_game(None)
    said = says(at("2026-11-22", journal))
    assert "> Go on: Eternity R1 Aki 0·はるな 0 |" in said
    assert "Play again: Eternity Aki·はるな |" in said


def test_home_goes_on_with_the_game_that_was_left_last() -> None:
    journal = Journal()
    box = entered(entered(at("2026-11-21", journal), ("Aki", "Bea")), ("Cyr", "Dai"))
    assert "Go on: Eternity R1 Cyr 0·Dai 0" in says(press(box, "h#8"))
    press(box, f"{key_of(box, 'All games')} 2")
    assert "Aki" in says(box)
    assert "Go on: Eternity R1 Aki 0·Bea 0" in says(press(box, "h#8"))
    assert "Go on: Eternity R1 Aki 0·Bea 0" in says(at("2026-11-22", journal))


def test_home_goes_on_with_the_game_begun_last_where_the_one_left_last_is_over() -> None:
    journal = Journal()
    entered(at("2026-11-21", journal), ("Aki", "Bea"))
    box = begin(at("2026-11-22", journal), FOUR, "round")
    press(box, "33 22 54 1# 3  1#1# 42 22 4 4  22 21# 22 4 #")
    assert box.game is not None
    assert box.game.over
    assert "Go on: Eternity R1 Aki 0·Bea 0" in says(press(box, "#"))


def test_home_goes_on_with_a_game_that_has_entries_before_one_that_has_none() -> None:
    journal = Journal()
    entered(at("2026-11-21", journal), ("Aki", "Bea"))
    box = begin(at("2026-11-22", journal), ("Cyr", "Dai"))
    assert "Go on: Eternity R1 Aki 0·Bea 0" in says(press(box, "h#8"))


def test_home_goes_on_with_a_game_without_entries_where_there_is_no_other() -> None:
    box = begin(at("2026-11-22", Journal()), ("Cyr", "Dai"))
    assert "Go on: Eternity R1 Cyr 0·Dai 0" in says(press(box, "h#8"))


def test_home_says_round_and_points_of_the_game_to_go_on_with_on_panel_and_page() -> None:
    journal = Journal()
    evening("2026-11-21", journal, GAME[:1])
    box = at("2026-11-22", journal)
    assert "> Go on: Eternity R2 Aki 5·Bea 4·Cyr 4·Dai 0 |" in says(box)
    going_on = page_of(box).actions[0]
    assert (going_on.label, going_on.value, going_on.below) == ("Go on: Eternity", "R2", "Aki 5·Bea 4·Cyr 4·Dai 0")


def test_home_says_who_leads_where_the_points_of_all_have_no_room() -> None:
    journal = Journal()
    box = at("2026-11-22", journal)
    begin(box, (*FOUR, "Eve"), "round", "tally")
    press(box, "1# 2# 3# 4# 9# # h#")
    assert "R2 lead 9 Eve |" in says(press(box, key_of(box, "Leave the game")))


def test_tables_of_regulars_say_when_they_played_last() -> None:
    journal = Journal()
    entered(at("2026-11-20", journal), ("Aki", "Bea"))
    entered(at("2026-11-21", journal), ("Aki", "はるな"))
    journal.set_open_game(None)
    box = at("2026-11-22", journal)
    assert "> Eternity 21 Nov Aki·はるな | Eternity 20 Nov Aki·Bea |" in says(
        press(box, key_of(box, "Play with regulars"))
    )
    assert box.frame.labels["2"] == "Aki·Bea Eternity"


def test_with_few_keys_older_games_are_turned_to() -> None:
    journal = Journal()
    for day in range(1, 13):
        entered(at(f"2026-11-{day:02}", journal))
    journal.set_open_game(None)
    clock = FixedClock()
    box = Box(journal, Outputs(MemoryPanel(), clock), clock, board=BUTTONS)
    turn_to(box, key_of(box, "All games"))
    turn_to(box, "0")
    turn_to(box, "1")
    assert box.game is not None
    assert box.game.name == name_of(journal, 3)


# Only visible rows are read


class _Decoded:
    """Counts the headers that are decoded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        monkeypatch.setattr(game_list_reader, "decode_header", self._decode)

    def _decode(self, written: str) -> LogHeader:
        self.count += 1
        return decode_header(written)


def test_lists_read_the_headers_of_the_games_they_show_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, decoded = Journal(), _Decoded(monkeypatch)
    for game in range(60):
        header = {"format": 1, "game": "eternity", "players": ["Aki", f"Bea {game}"]}
        written(journal, json.dumps(header), ROUND_ONE, over=True)
    box = at("2026-11-22", journal)
    assert "Play with regulars 10" in says(box)
    assert decoded.count == 10
    press(box, "B A B A")
    assert decoded.count == 10
    press(box, key_of(box, "All games") + "0")
    assert decoded.count == 2 * PAGE


def test_the_games_of_the_same_people_are_read_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, decoded = Journal(), _Decoded(monkeypatch)
    header = json.dumps({"format": 1, "game": "eternity", "players": FOUR})
    for _game in range(60):
        written(journal, header, ROUND_ONE, over=True)
    box = at("2026-11-22", journal)
    assert "Play again: Eternity" in says(box)
    press(box, key_of(box, "New game") + "1")
    assert decoded.count == 1


def test_a_box_that_starts_in_a_game_reads_no_list() -> None:
    class Unlisted(Journal):
        listed = True

        def games(self) -> list[StoredGame]:
            assert self.listed
            return super().games()

    journal = Unlisted()
    entered(at("2026-11-22", journal))
    journal.listed = False
    box = press(at("2026-11-22", journal), "1 A3 B9")
    assert box.view().question == "Aki:"


@pytest.mark.parametrize(
    "header",
    [
        '{"format":1,"game":"whist","players":["Eve","Flo"]}',
        '{"format":1,"game":"eternity","players":["Eve",""]}',
        '{"format":1,"game":"eternity","players":["Eve","Flo"],"rules":{"edition":"xx"}}',
        '{"format":1,"game":"eternity","players":7}',
        '{"game":' + "[" * 10_000,
        "",
    ],
)
def test_a_game_that_cannot_be_read_is_listed_and_offered_to_nobody(header: str) -> None:
    journal = Journal()
    written(journal, header)
    evening("2026-11-21", journal)
    written(journal, header)
    box = at("2026-11-22", journal)
    assert "Play again: Eternity Aki·Bea·Cyr·Dai" in says(box)
    assert "All games 3" in says(box)
    rows = [row[0] for row in listed(box)]
    assert rows == ["Game 3", "Eternity", "Game 1"]
    press(box, "h*")
    press(box, key_of(box, "New game") + "1 2 1")
    assert box.game is None
    assert press(box, "# #").game is not None


# Drawing of the lines below rows


def rows(chosen: int, *below: str) -> View:
    texts = tuple((f"row {row}", "") for row in range(6))
    return View(ListBody("Rows", texts, chosen, below=tuple((text, "") for text in below)))


def test_a_row_with_a_line_below_it_is_seen_whole_where_it_is_highlighted() -> None:
    for chosen in range(6):
        picture = draw(rows(chosen, *["below"] * 6))
        lit = [y for y in range(11, 11 + 11 * SHOWN) if picture.getpixel((1, y))]
        assert len(lit) == 22, chosen


def test_no_line_stands_at_the_top_without_its_row() -> None:
    apart = draw(rows(2, "below", "", "below"))
    other = draw(rows(2, "other", "", "below"))
    assert apart.tobytes() == other.tobytes()  # the line below row 0 is hidden, too


def test_what_stands_below_a_row_is_spoken_with_it() -> None:
    assert spoken(rows(1, "", "below"), str)[1:4] == ("row 0", "> row 1 below", "row 2")


def test_a_row_of_a_long_list_is_chosen_by_its_name() -> None:
    journal = Journal()
    for number in range(6):
        header = {"format": 1, "game": "hipparchus", "players": [f"Ann{number}", f"Bo{number}"], "rules": {}}
        written(journal, json.dumps(header))
    box = new_box(journal)
    press(box, key_of(box, "Settings"))
    press(box, key_of(box, "Names"))
    assert isinstance(box.view().body, ListBody)
    wanted = box.view().body.rows[11][0]  # type: ignore[union-attr]
    box.answer(ChosenOption("row 12"))
    assert box.view().body.title == wanted  # type: ignore[union-attr]
