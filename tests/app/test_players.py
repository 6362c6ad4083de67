"""Who sits where can be mended at any time: one line, one undo, looked over before it counts."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from companion.app.box import Box
from companion.app.input_types import ChosenOption
from companion.app.log_to_keys import LogToKeys
from companion.core.events import SeatNames
from companion.gamelog import read
from companion.journal import Journal
from companion.ui.keys import parse
from companion.ui.screens.change_players import ChangePlayersScreen, SeatNameScreen
from companion.ui.text_pages import LINES, line_count
from companion.ui.view import TextBody
from tests.app.boxes import FOUR, lines_of, page_of, playing, press, says
from tests.scenes.screenshots import box_at
from tests.ui.scenes import BY_NAME

TRICK = "1 A3 B9 A4 DB11 9 C5"
PLAYERS = "h# 0"


def names(box: Box) -> tuple[str, ...]:
    """Return the players' names by seat."""
    assert box.game is not None
    return box.game.session.header.players


def review(box: Box) -> tuple[str, ...]:
    """Return the sentences of the review."""
    body = box.view().body
    assert isinstance(body, TextBody)
    return body.sentences


def test_two_players_are_swapped_with_four_keys_by_one_line_and_one_undo() -> None:
    journal = Journal()
    box = playing(TRICK, journal=journal)
    keys = f"{PLAYERS} 2 #"
    assert len(parse(keys)) == 4
    press(box, keys)
    assert names(box) == ("Cyr", "Bea", "Aki", "Dai")
    assert json.loads(lines_of(journal)[-1]) == {"type": "players", "names": ["Cyr", "Bea", "Aki", "Dai"]}
    assert box.words() == "The players are corrected"
    press(box, "*")
    assert names(box) == FOUR
    assert box.words() == "Took back: players: Cyr, Bea, Aki, Dai"
    press(box, "h# 4")
    assert names(box) == ("Cyr", "Bea", "Aki", "Dai")


def test_a_phone_swaps_two_players_with_four_taps() -> None:
    box = playing(TRICK)
    for tap in ("h#", "row 10", "row 2", "#"):
        box.answer(ChosenOption(tap))
    assert names(box) == ("Cyr", "Bea", "Aki", "Dai")


def test_the_review_says_whose_seat_figures_points_and_lead_it_would_be() -> None:
    box = press(playing(f"{TRICK} C7"), f"{PLAYERS} 3")
    assert review(box)[:2] == ("Seat 1: Dai, not Aki", "Seat 4: Aki, not Dai")
    assert "Scores: Dai 0 · Bea 0 · Cyr 0 · Aki 0" in review(box)
    assert names(press(box, "*")) == FOUR
    assert isinstance(box._state.screen, ChangePlayersScreen)


def test_the_review_says_who_leads() -> None:
    assert review(press(playing(f"{TRICK} C7"), f"{PLAYERS} 2"))[-1] == "Aki leads, not Cyr"


def test_the_review_of_a_finished_game_says_who_has_won() -> None:
    box = box_at(BY_NAME["winner"])
    assert box.game is not None
    winners, before = box.game.session.progress.winners or (), names(box)
    pairs = [*combinations(range(4), 2)]
    one, other = next(pair for pair in pairs if len({*pair} & {*winners}) == 1)
    press(box, f"{PLAYERS} {pairs.index((one, other)) + 1}")
    new, old = (other, one) if one in winners else (one, other)
    assert review(box)[-1] == f"{before[new]} has won, not {before[old]}"


def test_before_the_first_entry_the_review_says_only_who_sits_where() -> None:
    assert review(press(playing(), f"{PLAYERS} 1")) == ("Seat 1: Bea, not Aki", "Seat 2: Aki, not Bea")


def test_a_half_entered_answer_stays() -> None:
    box = press(playing(f"{TRICK} B"), f"{PLAYERS} 1 #")
    assert names(box)[:2] == ("Bea", "Aki")
    press(box, "2")
    assert box.game is not None
    assert box.game.session.head.number == 7


def test_a_name_is_corrected() -> None:
    box = press(playing(TRICK), f"{PLAYERS} C 1 1")
    assert isinstance(box._state.screen, SeatNameScreen)
    press(box, "* 4 D # #")
    assert names(box) == ("Akg", "Bea", "Cyr", "Dai")


def test_somebody_known_or_new_takes_a_seat() -> None:
    box = playing("1", players=("Eve", "Bea"))
    press(box, "h#8")
    box = playing(TRICK, journal=box._known._journal)
    press(box, f"{PLAYERS} C 2 3 #")
    assert names(box) == ("Aki", "Eve", "Cyr", "Dai")
    press(box, f"{PLAYERS} C 3 2")
    box.write("Zoë")
    press(box, "#")
    assert names(box) == ("Aki", "Eve", "Zoë", "Dai")


@pytest.mark.parametrize(
    ("name", "sentence"), [("", "A name has 1 to 20 characters"), ("bea", "bea already has a seat")]
)
def test_a_name_that_cannot_be_is_refused_with_a_sentence(name: str, sentence: str) -> None:
    box = press(playing(TRICK), f"{PLAYERS} C 1")
    box.write(name)
    assert box.words() == sentence
    press(box, "2")
    box.write(name)
    assert box.words() == sentence
    assert isinstance(box._state.screen, SeatNameScreen)


def test_the_same_name_changes_nothing() -> None:
    journal = Journal()
    box = press(playing(TRICK, journal=journal), f"{PLAYERS} C 1 1 # #")
    assert box.words() == "Nothing was changed"
    assert "players" not in lines_of(journal)[-1]


def test_all_of_a_review_can_be_read() -> None:
    box = press(playing(TRICK), f"{PLAYERS} 1")
    first = says(box)
    press(box, "B")
    assert says(box) != first
    assert says(press(box, "A")) == first


def shown(box: Box) -> list[str]:
    """Return the sentences of the review that begin on the panel."""
    body = box.view().body
    assert isinstance(body, TextBody)
    room, found = LINES, []
    for piece in body.sentences[body.first :]:
        room -= line_count(piece)
        if room >= 0:
            found.append(piece)
        else:
            break
    return found


@pytest.mark.parametrize(
    ("players", "pair", "divided"),
    [
        (("Alexandrine", "Bartholomew", "Constantin", "Desdemona", "Emmanuelle"), 2, True),
        (("Alexandrine", "Bo", "Constantin", "Di", "Em"), 1, False),  # a line is left where the next sentence has four
    ],
)
def test_a_sentence_of_a_review_that_is_cut_stands_whole_on_the_next_page(
    players: tuple[str, ...], pair: int, divided: bool
) -> None:
    box = press(playing(players=players), f"1 A1 B1 C1 h#0 {pair}")
    whole, read = review(box), shown(box)
    while "B" in box.frame.labels:
        assert box.frame.words[-1].endswith("A B")
        press(box, "B")
        read += shown(box)
    assert tuple(read) == whole
    assert any("\n" in piece for piece in whole) is divided  # whether the scores take more than a page
    body = page_of(box).body
    assert isinstance(body, TextBody)
    assert " ".join(body.sentences) == " ".join(whole).replace("\n", " ")


def test_the_keys_of_a_swap_are_spelt_and_those_of_other_names_are_not_known() -> None:
    box = playing(TRICK)
    assert box.game is not None
    keys = LogToKeys(box.game.session)
    assert keys.spell(SeatNames(("Aki", "Dai", "Cyr", "Bea"))) == "h#05#"
    with pytest.raises(Exception, match="no keys enter these names"):
        keys.spell(SeatNames(("Ida", "Dai", "Cyr", "Bea")))


def test_a_log_that_swaps_players_says_so_in_its_snapshot() -> None:
    journal = Journal()
    press(playing(TRICK, journal=journal), f"{PLAYERS} 1 #")
    session = read(journal.log(journal.names()[0]).encode())
    assert session.seat_names == ("Bea", "Aki", "Cyr", "Dai")
    assert session.first_line.players == FOUR
