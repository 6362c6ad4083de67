"""What is said about a game's file that is wrong: everything at once, each with line, column and a sentence."""

from __future__ import annotations

import pytest

from companion.games import shipped
from companion.games.toml_games import GameFileError, declared, load

from .files import BIDS, TALLY, findings, game

WITH_CARDS = """
name = "cards"
title = "Cards"
seats = 4
dealer = true
sides = "partners"
[[ask]]
name = "caller"
kind = "seat"
[[ask]]
name = "tricks"
[tricks]
deck.jokers.fool = { label = "Fool", number = 1, wins = true }
[score]
points = "tricks"
"""


def test_everything_that_is_wrong_is_said_at_once_in_the_order_of_the_file() -> None:
    assert findings(
        """name = "Big Game"
title = "A {b}"
seats = "1-9"
best = "most"
[[ask]]
name = "bid"
most = "tricks"
[[ask]]
name = "tricks"
kind = "nmber"
[score]
points = "bidd + bid.real"
[words.fr]
Bids = "Annonces"
"""
    ) == [
        "game.toml:1:8: a game's name has up to 40 small letters, digits and hyphens, a letter first",
        "game.toml:2:9: braces stand only around {player}, and only in a question's text",
        'game.toml:3:9: seats are 2 to 8: write 4, or "3-6"',
        "game.toml:4:8: expected one of highest, lowest",
        "game.toml:7:8: tricks is not known yet here: it is asked later",
        "game.toml:10:8: expected one of number, choice, seat, seats, order",
        "game.toml:12:10: there is no name bidd; do you mean bid?",
        "game.toml:12:18: only numbers, names, + - * // %, comparisons, and, or, not, if/else can stand here",
        "game.toml:14:1: this game has no such text",
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Points"', "title = 3", "3:9: expected a text"),
        ('title = "Points"', "", "1:1: the key title is missing"),
        ('title = "Points"', 'titel = "Points"', "3:1: there is no key 'titel'; do you mean title?"),
        (
            'title = "Points"',
            'colour = "red"',
            "3:1: there is no key 'colour' here; there are name, title, seats, ask,",
        ),
        ('title = "Points"', 'title = "P"\nsits = "x"', "4:8: there is no name x"),
        (
            'title = "Points"',
            'title = "P"\nsits = 1\nsits_out = 1',
            "4:1: there is no key 'sits'; do you mean sits_out?",
        ),
        ('title = "Points"', 'title = "P"\nasks = "seats"', "4:8: expected one of questions, players"),
        ('title = "Points"', 'title = "P"\ndealer = [1]', "4:10: expected true, false or a formula"),
        ('title = "Points"', 'title = "P"\ndealer = "next"', "4:10: there is no name next"),
        ('title = "Points"', 'title = "P"\nhead = "{pionts} now"', "4:8: there is no name pionts; do you mean points?"),
        ('title = "Points"', 'title = "P"\nhead = "{points}"', "4:8: points is not known yet here: it is asked later"),
        ('title = "Points"', 'title = "P"\nhead = "{player} deals"', "4:8: braces stand only around {player}"),
        ('title = "Points"', 'title = "P"\nhead = "{Hand}"', "4:8: braces stand only around {player}"),
        ('title = "Points"', 'title = ""', "3:9: a text here has 1 to 24 characters"),
        ('title = "Points"', 'title = "a\\u0007b"', "3:9: a text here has no control signs and no line breaks"),
        ('seats = "2-8"', "seats = [2]", "4:9: expected a text or a whole number"),
        ('seats = "2-8"', 'seats = "8-2"', '4:9: seats are 2 to 8: write 4, or "3-6"'),
        ("[[ask]]", "[ask]", "5:2: expected tables [[ask]]"),
        ("[score]", "[[score]]", "8:3: expected a table"),
        ('name = "points"', 'name = "sum"', "6:8: a name here has up to 20 small letters"),
        ('name = "points"', 'name = "total"', "6:8: the name total is reserved: take another"),
        ('name = "points"', 'name = "start"', "6:8: the name start is reserved: take another"),
        ("least = -999", 'least = "seats +"', "7:17: a number or a name is missing at the end"),
        ("least = -999", "least = 1.5", "7:9: expected a text or a whole number"),
        ("least = -999", "least = -99999999", "7:9: a bound is at most 100000"),
        ("least = -999", "most = -1", "7:8: the most is less than the least"),
        ("least = -999", "step = 0", "7:8: a step is 1 to 1000"),
        ("least = -999", "up_to = 9", "7:9: a question names 1 to 8 seats"),
        ("least = -999", 'per = "side"', '7:7: only a game with sides = "partners" asks each side'),
        ("least = -999", 'kind = "choice"', '5:3: a question of kind "choice" has choices, and no other has'),
        ("least = -999", 'kind = "choice"\nchoices = {a = 1, b = 1}', "8:11: each choice has a number of its own"),
        (
            "least = -999",
            'kind = "choice"\nchoices = {a = 1}\nonce = "table"',
            "9:8: expected one of seat, dealer, game",
        ),
        (
            "least = -999",
            'kind = "choice"\nchoices = {a = 1}\nonce = "game"',
            '9:8: once = "seat" stands at a question',
        ),
        (
            "least = -999",
            'kind = "choice"\nper = "round"\nchoices = {a = 0}\nonce = "dealer"',
            "10:8: nobody deals in this game",
        ),
        ("least = -999", 'kind = "choice"\nchoices = {a = 0}\nonce = "seat"', "8:11: with once, choices have numbers"),
        (
            "least = -999",
            'text = "{left} left for {player}"',
            "7:8: braces stand only around {player}, {total}, and only in a question's text",
        ),
        ("least = -999", 'per = "round"\ntext = "{total}"', "8:8: braces stand only around {player}, and only in"),
        ("least = -999", 'text = "{left}"\nleft = "points"', "8:8: points is not known yet here: this question asks"),
        ("least = -999", "choices = 3", "7:11: expected a table of whole numbers"),
        ("least = -999", 'choices = { a = 1, b = "2" }', "7:11: expected a table of whole numbers"),
        ("least = -999", 'choices = { a = 1, "x` - at `$.seats[9]" = [] }', "7:11: expected a table of whole numbers"),
        ("least = -999", "[options]\na = { values = [1] }", "8:1: the key label is missing"),
        (
            "least = -999",
            "[options]\na = { label = 'A', values = { b = true } }",
            "8:29: expected a list of whole numbers, or a table of them",
        ),
        ("least = -999", "[define]\na = 1\nb = 1.5", "9:5: expected a text or a whole number"),
        ("least = -999", "[words.fr]\nPoints = 1", "8:10: expected a text"),
        ('title = "Points"', '"x` - at `$.seats[9]" = 1', "3:1: there is no key 'x` - at `$.seats[9]' here"),
        ('title = "Points"', "card = [" + 41 * '"a",' + "]", "3:1: at most 40 can stand here"),
        ('points = "points"', 'points = "points"\ncarry.points = 3', "10:16: the name points is used twice"),
        (
            'points = "points"',
            'points = "points"\ncarry.x = 3\nshown.x = "Much too long"',
            "11:11: a text here has 1 to 8 characters",
        ),
        ('points = "points"', 'points = "points"\nshown.x = "X"', "10:7: there is no name x in score.carry"),
        ('points = "points"', 'points = "points"\nfirst.x = "1"', "10:7: there is no name x in score.carry"),
        ('points = "points"', 'points = "points"\nstart = "total"', "10:9: total is not known before the first round"),
        ('points = "points"', 'points = "points"\nstart = "points"', "10:9: points is not known before the first"),
        (
            'points = "points"',
            'points = "points"\nstart = "5 - a"\n[define]\na = "round"',
            "10:14: a is not known before the first round",
        ),
        (
            'points = "points"',
            'points = "points"\n[options.x]\nlabel = "X"\nvalues = []',
            "12:10: an option has at least",
        ),
        (
            'points = "points"',
            'points = "points"\n[options.x]\nlabel = "X"\nvalues = [1, 1]',
            "12:10: the values differ",
        ),
        ('points = "points"', 'points = "a"\n[define]\na = "b"\nb = "a"', "11:5: a needs itself"),
        (
            'points = "points"',
            'points = "points"\n[counts.A]\nlabel = "A"\ncount = 1',
            "10:9: a name here has up to 20",
        ),
        (
            'points = "points"',
            'points = "points"\n[words.fr]\n"Po\\u0069nts" = "P"\n"B\\u0069ds" = "A"',
            "12:1: this game has no such",
        ),
        ('title = "Points"', 'title = "Points"\nfamily = "whist"', "4:10: expected one of tricks-pairs, tricks-sides"),
        ('points = "points"', 'points = "points"\n[words.de]\nPoints = "Punkte"', "10:8: expected one of fr, ja"),
    ],
)
def test_a_wrong_key_is_said_with_its_place(old: str, new: str, said: str) -> None:
    assert old in TALLY
    assert any(line.startswith(f"game.toml:{said}") for line in findings(TALLY.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seats = 4", 'seats = 4\nasks = "players"', "5:8: a game with [tricks] is asked question by question"),
        ("[tricks]\n", '[tricks]\ntrump = "stars"\n', "13:9: expected one of none, asked, suit, turned, led, clubs"),
        ("[tricks]\n", '[tricks]\nlead = "clubs-1"\n', "13:8: expected one of left, dealer, caller, clubs-2"),
        ("dealer = true", "", "12:2: a game in which the dealer or the player at the left leads says dealer = true"),
        ("[tricks]\n", '[tricks]\ntricks = "points"\n', "12:2: no question is answered by the play"),
        ("[tricks]\n", '[tricks]\ntricks = "caller"\n', "7:3: the play answers it, so it asks for numbers"),
        ("[tricks]\n", "[tricks]\nvalues = { stars = 3 }\n", "13:12: expected a rank, a suit, a joker or a card"),
        ("[tricks]\n", '[tricks]\ndeck.suits = "clubs stars"\n', "13:14: expected one to five of clubs"),
        ("[tricks]\n", '[tricks]\ndeck.ranks = "2 2"\n', "13:14: ranks are up to 16 different numbers"),
        ("[tricks]\n", '[tricks]\ndeck.trump_ranks = "2 3"\n', "13:20: the same ranks as in ranks, in another order"),
        ("[tricks]\n", '[tricks]\ndeck.without = { 4 = "clubs-1" }\n', "13:22: write the number of players = cards"),
        ("[tricks]\n", "[tricks]\ndeck.copies = 9\n", "13:15: there are 1 to 4 copies of a card"),
        ("[tricks]\n", '[tricks]\ndeck.bowers = "B"\n', "13:15: expected one of 2, 3, 4, 5,"),
        ("[tricks]\n", '[tricks]\ndeck.always = "clubs-1"\n', "13:15: there is no card clubs-1, or it stands twice"),
        ("[tricks]\n", '[tricks]\ndeck.later = "clubs-2 clubs-2"\n', "13:14: there is no card clubs-2, or it stands"),
        ("[tricks]\n", '[tricks]\ndeck.own.hearts = { label = "H" }\n', "13:10: a suit of your own has a name of"),
        ("[tricks]\n", '[tricks]\ndeck.own.ice = { label = "Ice", ranks = "1" }\n', "13:41: some of the ranks in"),
        (
            "[tricks]\n",
            '[tricks]\ndeck.suits = "coins cups swords batons bells"\ndeck.ranks = "0 1"\n',
            "14:14: with five suits no rank is 0",
        ),
        ("[tricks]\n", '[[tricks.instead]]\ntrump = "none"\n[tricks]\n', "12:3: write when, or for what is chosen"),
        ("[tricks]\n", '[[tricks.instead]]\nnamed = "Low"\n[tricks]\n', "13:9: no trump is chosen in this game"),
        ("[tricks]\n", '[[tricks.instead]]\nwhen = 1\ntrump = "a"\n[tricks]\n', "14:9: expected one of none, clubs"),
        ("[tricks]\n", '[[tricks.instead]]\nwhen = 1\nranks = "2"\n[tricks]\n', "14:9: the same ranks as in ranks"),
        ("[tricks]\n", '[[tricks.instead]]\nwhen = "x"\n[tricks]\n', "13:8: there is no name x"),
        ("[tricks]\n", "[[tricks.instead]]\nwhen = 1\nvalues.x = 2\n[tricks]\n", "14:8: expected a rank, a suit,"),
        ("[tricks]\n", '[tricks]\nlaid.helper = "clubs-2"\n', "13:6: there is no question helper"),
        ("[tricks]\n", '[tricks]\nlaid.caller = "helper-2"\n', "13:15: there is no card helper-2, or it stands twice"),
        ("[tricks]\n", '[tricks]\nlaid.tricks = "clubs-2"\n', "10:3: the play answers it, so it asks for numbers"),
        ("number = 1,", "number = 9,", "13:13: up to four kinds of jokers"),
        ("number = 1,", 'number = 1, key = "7",', "13:50: a joker's key is a number that no rank has"),
        ("wins = true", 'wins = "yes"', "13:57: expected true or false"),
        ("wins = true", "wins = true, kye = 7", "13:63: there is no key 'kye'; do you mean key?"),
        ("wins = true", "wins = true, key = 7", "13:69: expected a text"),
        ("[tricks]\n", '[tricks]\ntrumps = "none"\n', "13:1: there is no key 'trumps'; do you mean trump?"),
        ("[tricks]\n", "[tricks]\nhand = [4]\n", "13:8: expected a text or a whole number"),
    ],
)
def test_a_wrong_key_of_the_tricks_is_said_with_its_place(old: str, new: str, said: str) -> None:
    assert old in WITH_CARDS
    text = WITH_CARDS.replace(old, new, 1)
    assert any(line.startswith(f"game.toml:{said}") for line in findings(text))


def test_what_is_wrong_with_suits_hides_nothing_that_does_not_follow_from_it() -> None:
    wrong = """[tricks]
trump = "stars"
lead = "stars-2"
values = { stars-2 = 3 }
tricks = "taken"
deck.suits = "clubs stars"
deck.without = { 4 = "stars-2" }
"""
    assert findings(WITH_CARDS.replace("[tricks]\n", wrong, 1).replace("number = 1,", "number = 9,")) == [
        'game.toml:12:2: no question is answered by the play: name one "tricks" or "points"',
        "game.toml:13:9: expected one of none, asked, suit, turned, led, clubs, diamonds, hearts, spades",
        "game.toml:17:14: expected one to five of clubs, diamonds, hearts, spades, coins, cups, swords, batons, "
        "acorns, leaves, bells, roses, shields",
        "game.toml:19:13: up to four kinds of jokers, each with a short name and 1 to 8 cards",
    ]


@pytest.mark.parametrize("path", ["", ".name", ".card", ".seats[9]", ".ask", ".ask[0]", ".ask[...]", ".nobody[...]"])
@pytest.mark.parametrize("key", ["a", "a`", "t`b", ""])
def test_a_key_that_looks_like_a_path_is_not_known_either(path: str, key: str) -> None:
    key = f"{key}` - at `${path}"
    shown = key if len(key) <= 24 else key[:23] + "…"
    assert findings(f'"{key}" = 1{TALLY}')[0].startswith(f"game.toml:1:1: there is no key {shown!r} here; ")
    assert findings(f'{TALLY}"{key}" = 1')[0].startswith(f"game.toml:10:1: there is no key {shown!r} here; ")


def test_two_unknown_names_in_a_formula_are_both_named() -> None:
    assert findings(TALLY.replace('points = "points"', 'points = "xyz + pionts + (qqq if xyz else 1.5)"')) == [
        "game.toml:9:10: there is no name xyz; there are seats, seat, round, dealer, asked_last, total, points",
        "game.toml:9:17: there is no name pionts; do you mean points?",
        "game.toml:9:27: there is no name qqq; there are seats, seat, round, dealer, asked_last, total, points",
        "game.toml:9:43: only whole numbers: use // for division",
    ]


def test_a_game_without_questions_is_refused() -> None:
    text = 'ask = []\nname = "x"\ntitle = "X"\nseats = 2\nscore.points = 1\n'
    assert findings(text) == ["game.toml:1:1: a game asks at least one question"]


def test_questions_that_the_play_answers_stand_together() -> None:
    between = WITH_CARDS.replace("[tricks]\n", '[[ask]]\nname = "bonus"\n[[ask]]\nname = "points"\n[tricks]\n', 1)
    assert findings(between) == ["game.toml:14:3: the questions that the play answers stand one after the other"]


def test_a_text_that_is_no_toml_is_refused_with_its_place() -> None:
    assert findings('name = "x"\nseats = \n') == ["game.toml:2:9: this is not TOML: Invalid value"]
    assert findings("name") == ["game.toml:1:5: this is not TOML: Expected '=' after a key in a key/value pair"]
    assert findings('a = """')[0].startswith("game.toml:1:8: this is not TOML: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dealer = True", "1:10: write true"),
        ('title = "Points', "1:16: the quote is not closed"),
        ("title = 'Points", "1:16: the quote is not closed"),
        ("title = “Points”", '1:9: write straight quotes: "'),
        ("name = our-game", '1:8: write a text in quotes: "our-game"'),
        ("seats = 3-6", '1:10: write a text in quotes: "3-6"'),
        ('[ask]\nname = "a"\n[ask]', "3:5: write [[ask]], with two brackets each"),
        ('[ask]\nname = "a"\n[[ask]]', "3:6: write [[ask]], with two brackets each"),
        ('[ask]\nname = "a"\n[[ask]] # b', "3:6: write [[ask]], with two brackets each"),
        ("[score]\n[score]", "2:7: [score] stands twice"),
        ("seats = 4\nseats = 5", "2:10: this key stands twice"),
    ],
)
def test_a_slip_of_toml_is_said_in_words_of_the_file(text: str, said: str) -> None:
    assert findings(text + "\n") == [f"game.toml:{said}"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "tricks"\n', 'name = "bid"\n', ["15:8: the name bid is used twice"]),
        (
            'name = "tricks"\n',
            'name = "my-tricks"\n',
            ["15:8: a name here has up to 20 small letters, digits and _, and"],
        ),
        ("options.rounds =", "options.seats =", ["6:17: the name seats is reserved: take another"]),
    ],
)
def test_nothing_is_said_that_follows_from_a_refused_name(old: str, new: str, said: list[str]) -> None:
    found = findings(BIDS.replace(old, new, 1))
    assert [line.startswith(f"game.toml:{each}") for line, each in zip(found, said, strict=True)] == [True]


def test_it_is_said_which_question_a_name_waits_for() -> None:
    asked = BIDS.replace('cards = "4 - round"', 'cards = "4 - round"\ndone = "bid > 1"\nhalf = "done//2"')
    assert findings(asked.replace('sum = "cards"', 'sum = "tricks"').replace('most = "cards"', 'most = "half"')) == [
        "game.toml:13:8: half is not known yet here: it needs bid, which this question asks for",
        "game.toml:19:7: tricks is not known yet here: this question asks for it",
    ]


SIDES = """
name = "sides"
title = "Sides"
seats = 4
sides = "partners"
define.both = "threes + fours"
[[ask]]
name = "threes"
per = "side"
[[ask]]
name = "fours"
per = "side"
[score]
points = "0"
"""
CARDS = WITH_CARDS.replace("[tricks]\n", "[tricks]\n[tricks.deck]\n", 1).replace("deck.jokers", "jokers")


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        (
            TALLY,
            "least = -999",
            'kind = "choice"\nchoices = { a = 1 }\nmost = 3',
            "9:8: most has no effect at a question",
        ),
        (TALLY, "least = -999", 'nobody = "none"', '7:10: nobody has no effect at a question of kind "number"'),
        (TALLY, "least = -999", "left = 3", "7:8: left has no effect without {left} in the text"),
        (
            TALLY,
            "least = -999",
            'per = "round"\nleft = "total"\ntext = "{left}"',
            "8:8: this is worked out for one seat",
        ),
        (TALLY, "least = -999", 'once = "seat"', '7:8: once has no effect at a question of kind "number"'),
        (TALLY, "least = -999", "up_to = 2", '7:9: up_to has no effect at a question of kind "number"'),
        (TALLY, "least = -999", 'kind = "seat"\nup_to = 2', '8:9: up_to has no effect at a question of kind "seat"'),
        (TALLY, "least = -999", 'kind = "seat"\nper = "seat"', '8:7: per has no effect at a question of kind "seat"'),
        (TALLY, "least = -999", 'kind = "order"\nmost = 3', '8:8: most has no effect at a question of kind "order"'),
        (TALLY, "least = -999", 'because = "Too many"', "7:11: because has no effect without refuse"),
        (TALLY, "least = -999", 'per = "round"\nsum = 9', '8:7: sum has no effect at a question with per = "round"'),
        (TALLY, "least = -999", 'per = "round"\norder = "seats"', "8:9: order has no effect at a question with per"),
        (TALLY, "least = -999", 'sum = "9*total"', "7:10: this is worked out for one seat, and total differs by seat"),
        (TALLY, "least = -999", 'per = "round"\nmost = "seat"', "8:8: this is worked out for one seat, and seat"),
        (TALLY, "least = -999", 'per = "round"\nrefuse = "total"', "8:10: this is worked out for one seat, and total"),
        (TALLY, "least = -999", 'kind = "seat"\nwhen = "total"', "8:8: this is worked out for one seat, and total"),
        (
            TALLY,
            "[score]",
            '[end]\nwhen = "total >= 100"\n[score]',
            "9:8: this is worked out for one seat, and total differs by seat: write max(total), or any() around it",
        ),
        (TALLY, "[[ask]]", 'end.when = "far"\ndefine.far = "ours(total) > 9"\n[[ask]]', "5:12: this is worked out"),
        (
            TALLY,
            'points = "points"',
            'points = "dealer + points"',
            "9:10: nobody deals in this game: write dealer = true",
        ),
        (
            TALLY,
            'points = "points"',
            'points = "min(3)"',
            "9:10: min() looks at a figure of several seats, and there is none",
        ),
        (TALLY, "[[ask]]", 'head = "{total} points"\n[[ask]]', "5:8: this is worked out for one seat, and total"),
        (TALLY, "[[ask]]", 'asks = "players"\n[[ask]]', "5:8: asks has no effect unless each seat is asked two"),
        (BIDS, "[define]", 'asks = "players"\n[define]', '18:7: sum has no effect in a game with asks = "players"'),
        (TALLY, "[[ask]]", 'sits_out = "1"\n[[ask]]', "5:12: with 2 players, everybody sits out"),
        (TALLY, "[[ask]]", 'sits_out = "seats > 5"\n[[ask]]', "5:12: with 6 players, everybody sits out"),
        (CARDS, "", "", "16:10: this is worked out for the first seat of a side: write ours(tricks)"),
        (TALLY, "[[ask]]", 'end = { winners = 1, tie = "seat" }\n[[ask]]', "5:28: tie has no effect beside winners"),
        (TALLY, "[[ask]]", "end = { winners = 1, loser = true }\n[[ask]]", "5:30: loser has no effect beside winners"),
        (CARDS, "= true }", '= true }\n[end]\nwinners = "1 + tricks"', "16:16: this is worked out for the first"),
        (CARDS, "= true }", '= true }\n[end]\ntie = "1 + tricks"', "16:12: this is worked out for the first seat"),
        (SIDES, 'name = "fours"\n', 'name = "fours"\nleast = "seat"\n', "12:9: this is worked out for the first seat"),
        (
            CARDS,
            "[tricks]\n",
            '[tricks]\npoints = "trciks"\n',
            "13:10: there is no question trciks; do you mean tricks",
        ),
        (CARDS, "[tricks]\n", "[tricks]\nhand = 14\n", "13:8: 14 cards for each of 4 players are more than the 53 of"),
        (CARDS, "[tricks]\n", '[tricks]\nhand = "sum(tricks)"\n', "13:8: tricks is not known yet when the cards are"),
        (CARDS, "[tricks]\n", '[tricks]\nhand = "seat"\n', "13:8: this is worked out for one seat, and seat differs"),
        (CARDS, "deck]\n", 'deck]\nwithout = { 5 = "clubs-2" }\n', "14:17: a table of 5 cannot play this game"),
        (CARDS, "deck]\n", 'deck]\ntrump_ranks = "A 2 3 4 5 6 7 8 9 10 J Q K"\n', "14:15: trump_ranks has no effect"),
    ],
)
def test_a_new_file_is_refused_for_what_has_no_effect(text: str, old: str, new: str, said: str) -> None:
    text = text.replace(old, new, 1)
    with pytest.raises(GameFileError) as caught:
        declared(text, "game.toml", new=True)
    assert any(line.startswith(f"game.toml:{said}") for line in str(caught.value).splitlines()), str(caught.value)
    assert game(text)  # who plays it plays on


@pytest.mark.parametrize("points", ["sum(threes) == 8", "ours(2*threes)", "sum(both)", "theirs(both) + 1"])
def test_a_figure_of_a_side_is_not_added_up_by_seats(points: str) -> None:
    with pytest.raises(GameFileError, match="is a figure of each side, and "):
        declared(SIDES.replace('"0"', f'"{points}"'), "game.toml", new=True)


@pytest.mark.parametrize(
    "points", ["threes", "max(threes) + min(threes)", "count(threes > 2)", "ours(threes*(seat < 3))"]
)
def test_a_figure_of_a_side_can_be_looked_at_in_other_ways(points: str) -> None:
    assert declared(SIDES.replace('"0"', f'"{points}"'), "game.toml", new=True)


RIGHT_EXAMPLE = """[[example]]
options = { rounds = "two" }
dealer = 3
bid = [2, 0, 0]
tricks = [2, 1, 0]
score = [12, 0, 10]
[[example.then]]
tricks = [1, 1, 0]
score = [0, 0, 10]
"""


def with_example(old: str = "", new: str = "") -> list[str]:
    """Return what is said of a new file with an example in which something else stands."""
    try:
        declared(f"{BIDS}{RIGHT_EXAMPLE.replace(old, new, 1)}", "game.toml", new=True)
    except GameFileError as error:
        return str(error).splitlines()
    return []


def test_a_new_file_may_have_examples() -> None:
    assert with_example() == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[12, 0, 10]", "[12, 1, 10]", "30:9: score: the rules give 12 0 10"),
        ("[0, 0, 10]", "[0, 0, 11]", "33:9: score: the rules give 0 0 10"),
        ('"two"', '"one"', "26:22: expected one of three, two"),
        ('"two"', "0", "26:22: rounds cannot be 0"),
        ("{ rounds", "{ round", "26:13: there is no key 'round'; do you mean rounds?"),
        ('{ rounds = "two" }', "2", "26:11: expected a table"),
        ("dealer = 3", "dealer = 4", "27:10: there is no seat 4"),
        ("bid = [2, 0, 0]", "bid = [2, 0, 1]", "25:3: The bids must not add up"),
        ("bid = [2, 0, 0]", "bid = 2", "28:7: expected a list of whole numbers"),
        ("bid = [2, 0, 0]", "bid = [2, 0]", "25:3: Bid: a figure for each is needed"),
        ("bid = [2, 0, 0]", "bd = [2, 0, 0]", "28:1: there is no key 'bd'; do you mean bid?"),
        ("score = [12, 0, 10]\n", "", "25:3: the key score is missing"),
        ("[12, 0, 10]", "[12, 0]", "30:9: a table of 2 cannot play this game"),
        ("[[example.then]]", "[example.then]", "31:10: expected tables [[example.then]]"),
        (
            "tricks = [1, 1, 0]",
            "tricks = [1, 1, 1]",
            "31:3: these figures do not fit together: they must add up to 2, not 3",
        ),
        ('{ rounds = "two" }', "{ rounds = 1 }", "31:3: the game is over"),
    ],
)
def test_a_wrong_example_is_said_with_its_place(old: str, new: str, said: str) -> None:
    assert with_example(old, new)[:1] == [f"game.toml:{said}"]


def test_a_file_with_a_wrong_example_is_played_on() -> None:
    assert game(f"{BIDS}[[example]]\nscore = [1, 2, 3]\n")


def test_examples_name_seats_from_1_and_choices_by_their_words() -> None:
    text = shipped.text("skat").partition("[[example]]")[0]
    for right in ('declarer = 2\ngame = "null"\nwon = "no"\nscore = [0, -46, 0]', "score = [0, 0, 0, 0]"):
        assert declared(f"{text}\n[[example]]\n{right}\n", "skat.toml", new=True)


@pytest.mark.parametrize("name", shipped.names())
def test_games_of_the_program_could_be_added_anew_and_have_examples(name: str) -> None:
    assert len(declared(shipped.text(name), f"{name}.toml", new=True).example) >= 2


def test_findings_are_given_one_by_one() -> None:
    with pytest.raises(GameFileError) as caught:
        load(BIDS.replace("cards = ", "crads = "), "bids.toml")
    assert caught.value.source == "bids.toml"
    assert [(each.line, each.column, str(each.text)) for each in caught.value.findings] == [
        (line, column, "there is no name cards; do you mean crads?")
        for line, column in ((11, 8), (12, 38), (16, 8), (17, 7))
    ]


def test_a_long_file_and_a_long_line_are_refused_unread() -> None:
    assert findings("#\n" * 30_001) == ["game.toml:1:1: the file is longer than 60000 characters"]
    assert findings("\n#" + "a" * 1000) == ["game.toml:2:1: the line is longer than 1000 characters"]


def test_the_words_of_a_file_are_translated_and_common_words_anyway() -> None:
    from companion.ui.translations import Translator

    made = game(BIDS + '[words.fr]\n"Exact bids" = "Paris tenus"\n')
    label = made.optional.action_names["exact"]
    assert [Translator(language)(label) for language in ("en", "fr", "ja")] == [
        "Exact bids",
        "Paris tenus",
        "Exact bids",
    ]
    assert Translator("fr")(made.options[0].label) == "Manches"


def test_a_word_that_is_the_same_in_another_language_is_a_translation() -> None:
    from companion.ui.translations import Translator

    title = game(TALLY.replace('"Points"', '"Belote"') + '[words.fr]\nBelote = "Belote"\n').title
    assert [Translator(language).knows(title) for language in ("en", "fr", "ja")] == [True, True, False]
    assert Translator("fr").knows(game(TALLY).title)  # a common word, in French the same


EVERYWHERE = """
name = "everywhere"
title = "Everywhere"
seats = 4
sides = "pairs"  # wrong
dealer = true
options.long = { label = "More than twenty-four signs", values = [1] }  # wrong
define.other = "one = 2"  # wrong
card = [
    "short",
    "This line of the rules card has more signs than the sixty it may have",  # wrong
]
[[ask]]
name = "bid"
per = "table"  # wrong
least = "one = 2"  # wrong
most = "one = 2"  # wrong
sum = "one = 2"  # wrong
when = "one = 2"  # wrong
refuse = "tricks"  # wrong
because = "a\\u0007b"  # wrong
order = "right"  # wrong
[[ask]]
name = "tricks"
label = "More than fourteen"  # wrong
text = "Who has {most}?"  # wrong
kind = "choice"
nobody = "More than fourteen"  # wrong
choices = { "one" = 1, "more than twenty signs" = 2 }  # wrong
[score]
points = "one = 2"  # wrong
start = "one = 2"  # wrong
carry.over = "one = 2"  # wrong
shown.over = "More than fourteen"  # wrong
[end]
when = "one = 2"  # wrong
winners = "one = 2"  # wrong
tie = "one = 2"  # wrong
[score.first]
over = "one = 2"  # wrong
[counts.exact]
label = "More than twenty-two signs"  # wrong
count = "one = 2"  # wrong
"""


def test_each_fault_is_found_at_its_own_line() -> None:
    wrong = {line for line, text in enumerate(EVERYWHERE.splitlines(), 1) if text.endswith("# wrong")}
    assert {int(each.split(":")[1]) for each in findings(EVERYWHERE)} == wrong
