"""The declared games that come with the program: results worked out by hand from the rules, words, lengths of files.

Nothing here was computed by the program. Each line is a round: what is entered, by question, and each seat's points.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from companion.core.game import Event, LogHeader, Start
from companion.core.games import registered
from companion.core.session import Session
from companion.core.text import Phrase
from companion.gamelog import decode_line, encode, encode_line
from companion.games import shipped
from companion.games.toml_games.file import COMMON, LANGUAGES
from tests.example_counts import examples

from .files import random_event

Round = tuple[dict[str, Any], tuple[int, ...]]

RESULTS: dict[str, list[list[Round]]] = {
    "tally": [[({"points": (12, -5, 0)}, (12, -5, 0))]],
    "tally-low": [[({"points": (12, 5, 0)}, (12, 5, 0))]],
    "oh-hell": [
        [  # the first player deals, and bids last
            ({"bid": (1, 0, 0, 1), "tricks": (1, 0, 0, 0)}, (11, 10, 10, 0)),
            ({"bid": (0, 1, 2, 0), "tricks": (0, 1, 1, 0)}, (10, 11, 0, 10)),
        ]
    ],
    "wizard": [
        [
            ({"bid": (0, 1, 1, 0), "tricks": (0, 1, 0, 0)}, (20, 30, -10, 20)),
            ({"bid": (2, 0, 0, 1), "tricks": (2, 0, 0, 0)}, (40, 20, 20, -10)),
            ({"bid": (3, 0, 1, 0), "tricks": (0, 2, 1, 0)}, (-30, -20, 30, 20)),
        ]
    ],
    "skull-king": [
        [
            ({"bid": (0, 1, 0), "tricks": (0, 1, 0), "bonus": (0, 30, 0)}, (10, 50, 10)),
            ({"bid": (0, 1, 2), "tricks": (1, 1, 0), "bonus": (0, 0, 0)}, (-20, 20, -20)),
            ({"bid": (0, 2, 0), "tricks": (0, 3, 0), "bonus": (0, 0, 20)}, (30, -10, 50)),
        ]
    ],
    "hearts": [
        [({"taken": (5, 8, 13, 0)}, (5, 8, 13, 0)), ({"taken": (0, 0, 26, 0)}, (26, 26, 0, 26))],
        [({"taken": (25, 0, 1)}, (25, 0, 1))],
    ],
    "spades": [
        [({"bid": (4, 3, 2, 4), "tricks": (5, 3, 2, 3)}, (61, -70, 61, -70))],
        [({"bid": (0, 3, 4, 5), "tricks": (0, 4, 4, 5)}, (140, 81, 140, 81))],
        [({"bid": (0, 3, 4, 5), "tricks": (1, 4, 3, 5)}, (-60, 81, -60, 81))],
        [  # ten tricks over in two rounds cost 100
            ({"bid": (1, 3, 1, 3), "tricks": (4, 3, 3, 3)}, (25, 60, 25, 60)),
            ({"bid": (1, 3, 1, 3), "tricks": (4, 3, 3, 3)}, (-75, 60, -75, 60)),
        ],
    ],
    "whist": [[({"tricks": (4, 3, 4, 2)}, (2, 0, 2, 0)), ({"tricks": (0, 6, 0, 7)}, (0, 7, 0, 7))]],
    "bridge": [
        [
            ({"declarer": 0, "level": 4, "strain": 4, "doubled": 0, "won": 10}, (420, 0, 420, 0)),
            ({"declarer": 2, "level": 3, "strain": 5, "doubled": 0, "won": 9}, (600, 0, 600, 0)),
            ({"declarer": 1, "level": 6, "strain": 3, "doubled": 0, "won": 12}, (0, 1430, 0, 1430)),
            ({"declarer": 3, "level": 2, "strain": 2, "doubled": 1, "won": 8}, (0, 180, 0, 180)),
            ({"declarer": 0, "level": 4, "strain": 3, "doubled": 1, "won": 8}, (0, 500, 0, 500)),
            ({"declarer": 0, "level": 1, "strain": 5, "doubled": 2, "won": 8}, (760, 0, 760, 0)),
            ({"declarer": None, "level": 0, "strain": 0, "doubled": 0, "won": 0}, (0, 0, 0, 0)),
            ({"declarer": 1, "level": 7, "strain": 5, "doubled": 0, "won": 13}, (0, 1520, 0, 1520)),
            ({"declarer": 2, "level": 5, "strain": 1, "doubled": 0, "won": 7}, (0, 200, 0, 200)),
            ({"declarer": 2, "level": 3, "strain": 4, "doubled": 1, "won": 5}, (0, 1100, 0, 1100)),
            ({"declarer": 3, "level": 4, "strain": 3, "doubled": 1, "won": 6}, (800, 0, 800, 0)),
            ({"declarer": 0, "level": 2, "strain": 1, "doubled": 0, "won": 10}, (130, 0, 130, 0)),
            ({"declarer": 1, "level": 2, "strain": 3, "doubled": 2, "won": 7}, (400, 0, 400, 0)),
        ]
    ],
    "canasta": [
        [
            (
                {
                    "out": 0,
                    "how": 1,
                    "natural": (1, 0),
                    "mixed": (2, 1),
                    "threes": (2, 1),
                    "melded": (345, 180),
                    "held": (0, 65),
                },
                (1745, 515, 1745, 515),
            )
        ]
    ],
    "gin-rummy": [
        [
            ({"knocks": 0, "how": 1, "other": 60}, (85, 0)),
            ({"knocks": 1, "own": 4, "other": 20}, (0, 16)),
            ({"knocks": 0, "how": 1, "other": 10}, (185, 25)),
        ]
    ],
    "skyjo": [[({"first": 1, "cards": (8, 9, 30)}, (8, 18, 30)), ({"first": 0, "cards": (-3, 4, 0)}, (-3, 4, 0))]],
    "six-nimmt": [[({"heads": (12, 0, 27)}, (12, 0, 27))]],
    "rummy": [[({"out": 0, "how": 2, "held": (0, 41, 20)}, (0, 82, 40))]],
    "dominoes": [[({"pips": (0, 17, 24)}, (41, 0, 0)), ({"pips": (9, 4, 12)}, (0, 17, 0))]],
    "skittles-50": [
        [
            ({"pins": (12, 0)}, (12, 0)),
            ({"pins": (12, 4)}, (12, 4)),
            ({"pins": (12, 0)}, (12, 0)),
            ({"pins": (12, 0)}, (12, 0)),
            ({"pins": (3, 0)}, (-23, -4)),
        ]
    ],
    "poker-cash": [[({"bought": (100, 50, 100), "left": (180, 0, 70)}, (80, -50, -30))]],
    "rubber-bridge": [
        [
            ({"declarer": 0, "level": 2, "strain": 3, "won": 9}, (90, 0, 90, 0)),
            ({"declarer": 1, "level": 3, "strain": 5, "won": 9}, (0, 100, 0, 100)),
            ({"declarer": 2, "level": 4, "strain": 4, "won": 10, "honours": 1}, (220, 0, 220, 0)),
            ({"declarer": 1, "level": 3, "strain": 3, "won": 9}, (0, 90, 0, 90)),
            ({"declarer": 3, "level": 1, "strain": 5, "won": 8}, (0, 570, 0, 570)),
        ]
    ],
    "euchre": [
        [
            ({"maker": 1, "alone": 0, "won": 4}, (0, 1, 0, 1)),
            ({"maker": 1, "alone": 0, "won": 5}, (0, 2, 0, 2)),
            ({"maker": 2, "alone": 1, "won": 5}, (4, 0, 4, 0)),
            ({"maker": 2, "alone": 1, "won": 3}, (1, 0, 1, 0)),
            ({"maker": 0, "alone": 0, "won": 2}, (0, 2, 0, 2)),
        ]
    ],
    "belote": [
        [({"taker": 0, "belote": 0, "won": 90, "capot": 0}, (90, 72, 90, 72))],
        [({"taker": 0, "belote": 2, "won": 92, "capot": 0}, (92, 90, 92, 90))],
        [({"taker": 0, "belote": 1, "won": 70, "capot": 0}, (20, 162, 20, 162))],
        [({"taker": 2, "belote": 1, "won": 162, "capot": 1}, (272, 0, 272, 0))],
        [({"taker": 2, "belote": 0, "won": 162, "capot": 0}, (162, 0, 162, 0))],
        [({"taker": 0, "belote": 0, "won": 0, "capot": 1}, (0, 252, 0, 252))],
        [  # 81 each: the takers' 81 go to whoever wins the next hand
            ({"taker": 0, "belote": 0, "won": 81, "capot": 0}, (0, 81, 0, 81)),
            ({"taker": 1, "belote": 0, "won": 100, "capot": 0}, (62, 181, 62, 181)),
        ],
        [
            ({"taker": 0, "belote": 0, "won": 81, "capot": 0}, (0, 81, 0, 81)),
            ({"taker": 1, "belote": 0, "won": 60, "capot": 0}, (243, 0, 243, 0)),
        ],
    ],
    "coinche": [
        [
            ({"taker": 0, "contract": 90, "doubled": 1, "won": 104}, (190, 60, 190, 60)),
            ({"taker": 1, "contract": 120, "doubled": 2, "belote": 2, "won": 119}, (580, 0, 580, 0)),
            ({"taker": None}, (0, 0, 0, 0)),
        ]
    ],
    "tarot": [
        [({"taker": 0, "bid": 2, "ends": 2, "won": 49}, (198, -66, -66, -66))],
        [({"taker": 1, "partner": 3, "bid": 1, "ends": 1, "won": 45}, (31, -62, 31, -31, 31))],
        [({"taker": 0, "bid": 1, "ends": 3, "won": 36}, (100, -25, -25, -25, -25))],
        [({"taker": 2, "bid": 2, "ends": 3, "won": 56, "petit": 1, "handful": 1}, (-130, -130, 260))],
        [({"taker": 3, "bid": 6, "ends": 3, "won": 91, "slam": 1}, (-880, -880, -880, 2640))],
        [({"taker": 0, "bid": 4, "ends": 1, "won": 61, "slam": 3}, (-180, 60, 60, 60))],
        [({"taker": 0, "bid": 1, "won": 50, "handful": 2}, (-183, 61, 61, 61))],
        [({"taker": 0, "bid": 2, "ends": 2, "won": 41, "petit": 2}, (90, -30, -30, -30))],
        [({"taker": 0, "bid": 1, "ends": 3, "won": 91, "slam": 2}, (840, -280, -280, -280))],
    ],
    "skat": [
        [
            ({"declarer": 0, "game": 10, "tops": 2, "won": 1}, (30, 0, 0)),
            ({"declarer": 1, "game": 24, "tops": 1, "steps": 2, "won": 1}, (0, 96, 0)),
            ({"declarer": 2, "game": 23, "won": 1}, (0, 0, 23)),
            ({"declarer": 2, "game": 59}, (0, 0, -118)),
            ({"declarer": 0, "game": 11, "tops": 1, "called": 22}, (-44, 0, 0)),
            ({"declarer": 0, "game": 12, "tops": 1, "called": 33}, (-72, 0, 0)),
            ({"declarer": None}, (0, 0, 0)),
        ],
        [({"declarer": 1, "game": 9, "tops": 4, "steps": 1, "won": 1}, (0, 54, 0, 0))],
    ],
    "skat league=1": [
        [
            ({"declarer": 0, "game": 24, "tops": 2, "won": 1}, (122, 0, 0)),
            ({"declarer": 1, "game": 11, "tops": 1, "called": 18}, (40, -94, 40)),
        ],
        [({"declarer": 1, "game": 11, "tops": 1, "called": 18}, (30, -94, 30, 30))],
    ],
    "doppelkopf": [
        [
            ({"winners": (0, 2), "worth": 3}, (3, -3, 3, -3)),
            ({"winners": (1, 2, 3), "worth": 4}, (-12, 4, 4, 4)),
            ({"winners": (2,), "worth": 2}, (-2, -2, 6, -2)),
            ({"winners": ()}, (0, 0, 0, 0)),
        ],
        [({"winners": (1, 3), "worth": 5}, (0, 5, -5, 5, -5))],
    ],
    "tichu": [
        [
            ({"call": (1, 0, 0, 0), "first": 0, "cards": (60, 40)}, (160, 40, 160, 40)),
            ({"call": (0, 0, 0, 2), "first": 1, "double": 1}, (0, 0, 0, 0)),
            ({"call": (0, 0, 0, 0), "first": 2, "cards": (-25, 125)}, (-25, 125, -25, 125)),
            ({"call": (0, 2, 1, 0), "first": 1, "double": 1}, (-100, 400, -100, 400)),
        ]
    ],
    "jass": [
        [
            ({"factor": 2, "cards": (100, 57), "melds": (20, 0)}, (240, 114, 240, 114)),
            ({"factor": 3, "cards": (0, 157), "match": 1, "melds": (0, 0)}, (0, 771, 0, 771)),
            ({"factor": 1, "cards": (157, 0), "match": 0, "melds": (0, 50)}, (157, 50, 157, 50)),
        ]
    ],
    "briscola": [
        [({"points": (70, 50)}, (1, 0)), ({"points": (60, 60)}, (0, 0))],
        [({"points": (50, 40, 30)}, (1, 0, 0))],
        [({"points": (40, 30, 25, 25)}, (1, 0, 1, 0)), ({"points": (30, 30, 30, 30)}, (0, 0, 0, 0))],
    ],
    "scopa": [
        [({"sweeps": (2, 1), "cards": 0, "coins": 1, "seven": 0, "prime": None}, (4, 2))],
        [({"sweeps": (1, 0, 0, 0), "cards": 2, "coins": 2, "seven": 1, "prime": 3}, (3, 2, 3, 2))],
    ],
    "cribbage": [
        [({"pegged": (3, 5), "hand": (8, 12), "crib": (4, 0)}, (15, 17))],
        [({"pegged": (1, 2, 3, 4), "hand": (4, 4, 6, 6), "crib": (5, 0, 0, 0)}, (19, 16, 19, 16))],
    ],
    "rummy-500": [[({"points": (-25, 60, 0)}, (-25, 60, 0))]],
    "uno": [[({"out": 2, "held": 75}, (0, 0, 75))]],
    "uno-low": [[({"held": (0, 12, 40)}, (0, 12, 40))]],
}
NAMES = sorted({name.split()[0] for name in RESULTS})


def entered(name: str, rounds: list[Round]) -> tuple[tuple[int, ...], ...]:
    """Return the points of rounds, the first seat dealing."""
    points: tuple[tuple[int, ...], ...] = played(name, rounds).rounds
    return points


def played(name: str, rounds: list[Round]) -> Any:
    """Return the state after whole rounds, the first seat dealing."""
    name, *rules = name.split()
    game = shipped.game(name)
    seats = len(rounds[0][1])
    state = game.start(seats, game.rules(**{rule.split("=")[0]: int(rule.split("=")[1]) for rule in rules}))
    if state.phase == "start":
        state = game.apply(state, Start(0))
    kinds = {kind.__struct_config__.tag: kind for kind in game.events}
    for answers, _points in rounds:
        state = game.apply(
            state,
            kinds["round"](**whole(game, state, answers))
            if "round" in kinds
            else kinds[next(iter(answers))](*answers.values()),
        )
    return state


def whole(game: Any, state: Any, answers: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of a whole round: those that are not given are 0, and nobody is named."""
    figures: dict[str, Any] = {}
    for question in game.apply.args[0].questions:
        if question.name in state.given:  # by itself, as a question of a variant that is not played
            continue
        nothing: Any = 0
        if question.kind == "seat":
            nothing = None
        elif question.kind == "seats":
            nothing = ()
        elif question.per != "round":
            nothing = (0,) * (2 if question.per == "side" else state.seats)
        figures[question.name] = answers.get(question.name, nothing)
    return figures


def test_every_game_has_results_worked_out_by_hand() -> None:
    assert list(shipped.names()) == NAMES


@pytest.mark.parametrize(("name", "rounds"), [(name, rounds) for name, tables in RESULTS.items() for rounds in tables])
def test_rounds_have_the_points_worked_out_by_hand(name: str, rounds: list[Round]) -> None:
    assert entered(name, rounds) == tuple(points for _answers, points in rounds)


@pytest.mark.parametrize("name", NAMES)
def test_random_games_replay_to_the_same_state_from_their_logs(name: str) -> None:
    game = registered(shipped.game(name))[name]
    for seed in range(examples(1, 2000)):
        rng = Random(seed)
        seats = rng.choice(game.seats)
        header = LogHeader(game, tuple("ABCDEFGH"[:seats]), game.rules(), game.start(seats, game.rules()), "{}")
        session = Session(header)
        lines: list[str] = []
        for _ in range(examples(24, 300)):
            event = random_event(game, session.state, rng.choice([*game.trackings]), rng)
            if event is None:
                break
            before, session = session, session.add(event)
            assert len(game.view(session.state).seats) == seats
            assert game.outcome(before.state, event, session.state)
            assert game.optional.counted_actions(before.state, event, session.state) is not None
            assert str(game.describe(event))
            lines.append(encode_line(event))
        again: list[Event] = [decode_line(line, header) for line in lines]  # type: ignore[misc]  # no corrections
        replayed = Session(header)
        for event in again:
            replayed = replayed.add(event)
        assert encode(game.snapshot(replayed.state)) == encode(game.snapshot(session.state))


@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_a_game_is_translated(name: str) -> None:
    texts = list(_phrases(shipped.game(name).apply.args[0]))  # type: ignore[attr-defined]  # the declaration
    assert len(texts) > 1
    common = {word.partition("\x04")[2] for word in COMMON}
    lacking = {
        (language, str(text))
        for text in texts
        for language in LANGUAGES
        if language not in text.translations and text not in common and not str(text).isdigit()
    }
    assert lacking == set()


def _phrases(value: Any) -> Any:
    """Yield all phrases within a declared game."""
    if isinstance(value, Phrase):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _phrases(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _phrases(each)
    elif hasattr(value, "__struct_fields__"):
        for field in value.__struct_fields__:
            yield from _phrases(getattr(value, field))


@pytest.mark.parametrize(("name", "most"), [("hearts", 30), ("spades", 30), ("oh-hell", 20), ("tally", 9)])
def test_the_rules_of_a_game_without_its_options_are_a_short_file(name: str, most: int) -> None:
    text = (shipped.FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    rules = re.split(
        r"^\[+(?:words|counts|example)\b",
        re.sub(r"(?ms)^(card = \[.*?\]|(family|options\.).*?)\n", "", text),
        maxsplit=1,
        flags=re.MULTILINE,
    )[0]
    assert len([*filter(None, rules.splitlines())]) <= most
    assert name == "tally" or len(shipped.game(name).cards) == 52


def test_titles_are_known_without_reading_the_rules() -> None:
    for name, title in shipped.titles().items():
        game = shipped.game(name)
        assert title == game.title
        assert isinstance(game.title, Phrase)
        assert title.translations == game.title.translations
        assert set(title.translations) == set(LANGUAGES)
    with pytest.raises(KeyError):
        shipped.game("chess")


def test_every_game_says_its_family() -> None:
    families = {name: shipped.game(name).apply.args[0].family for name in shipped.names()}  # type: ignore[attr-defined]
    assert [name for name, family in families.items() if family == "others"] == []


def test_names_of_trademarks_are_marked_unofficial() -> None:
    marked = {name for name, title in shipped.titles().items() if "unofficial" in title}
    assert marked == {"wizard", "skull-king", "tichu", "uno", "uno-low", "skyjo", "six-nimmt"}
    assert all(shipped.game(name).apply.args[0].about for name in marked)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "rules", "line"),
    [
        ("skat", {"kontras": 1}, "Kontra: 1 no 2 Kontra 4 Re"),
        ("skat", {"ramsch": 1}, "By a name: Cards, or the total"),
        ("hearts", {"moon": 2}, "All 26: 0 26 to the others 1 minus 26"),
        ("doppelkopf", {"counted": 1}, "Every trick: 0 no 1 yes"),
    ],
)
def test_the_help_on_typing_is_on_what_the_rules_of_the_table_ask(name: str, rules: dict[str, int], line: str) -> None:
    game = shipped.game(name)
    assert line in map(str, game.optional.keys(4, game.rules(**rules)))
    assert line not in map(str, game.optional.keys(4, game.rules()))
