"""A declared game in one line, and what it declares beside its rules; transcripts have what it shows."""

from __future__ import annotations

import pytest
from msgspec import ValidationError, convert

from companion.games import shipped
from companion.games.toml_games import declared, load
from companion.games.toml_games.declaration import Play, in_brief

from .edits import text_of


@pytest.mark.parametrize(
    ("seats", "questions", "best", "tricks", "said"),
    [
        ("3-5", 1, "highest", "", "3 to 5 players, 1 question a round"),
        ("4", 2, "highest", "", "4 players, 2 questions a round"),
        ("2-8", 1, "lowest", "", "2 players or more, 1 question a round, the fewest points win"),
        ("3-4", 1, "highest", "[tricks]\nhand = 2\n", "3 to 4 players, 1 question a round, card by card"),
    ],
)
def test_a_game_in_one_line(seats: str, questions: int, best: str, tricks: str, said: str) -> None:
    asked = "".join(f'[[ask]]\nname = "{each}"\n' for each in ("tricks", "two")[:questions])
    head = f'name = "brief"\ntitle = "Brief"\nseats = "{seats}"\ndealer = true\nbest = "{best}"\n'
    text = f'{head}{asked}{tricks}[score]\npoints = "tricks"\n'
    assert str(in_brief(declared(text, "brief.toml"))) == said


def test_only_a_game_with_tricks_has_turns_and_only_one_of_partners_sides() -> None:
    spades, two = shipped.game("spades"), load(text_of("two"), "two.toml")
    assert (spades.optional.by_turn, two.optional.by_turn) == ((Play,), ())
    assert (spades.optional.sides is None, two.optional.sides) == (False, None)
    with pytest.raises(ValidationError):
        convert({"none": 1}, spades.rules)
