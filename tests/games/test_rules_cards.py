"""Rules cards of every game and option: text, agreement with the engine's scores, and fit on the panel."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.game import LogHeader, Table, TextPage
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import tell
from companion.gamelog import LogError, decode_header
from companion.games import GAMES
from companion.games.east_rune.rules import AFTER, DOMAINS
from companion.games.eternity.rules import DECK, Deal, Pledge
from companion.games.gear.rules import Bid, points
from companion.games.hipparchus.rules import Play
from companion.ui.few_keys import OptionCursor
from companion.ui.fonts import LINES, BitmapFont, face
from companion.ui.keys import Key, parse
from companion.ui.panel import draw
from companion.ui.screens.context import CurrentGame, Screen, ScreenContents, ScreenContext
from companion.ui.screens.help import RulesCardScreen, pages
from companion.ui.tables import WIDTH
from companion.ui.translations import Translator, languages
from companion.ui.view import TableBody, TextBody
from tests.app.boxes import new_box, press, says, view_of

from .east_rune import tables as runes
from .eternity import tables as eternity
from .fifth import LAST_STONE
from .gear import tables as gear
from .hipparchus import tables as hipparchus

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve")


def headers(game: str) -> Iterator[LogHeader]:
    """Yield the header of every possible table: all numbers of players with all option values."""
    options = GAMES[game].options
    for seats in GAMES[game].seats:
        for values in product(*(option.choices for option in options)):
            rules = {option.name: choice.value for option, choice in zip(options, values, strict=True)}
            try:
                yield decode_header(
                    json.dumps({"format": 1, "game": game, "players": NAMES[:seats], "rules": rules}, default=list)
                )
            except LogError:  # a rule for another number of players
                continue


def context(header: LogHeader, language: str = "en") -> ScreenContext:
    return ScreenContext(Translator(language, header.players), game=CurrentGame("", Session(header), DetailLevel.FULL))


def header(game: str, seats: int, **rules: Any) -> LogHeader:
    return decode_header(json.dumps({"format": 1, "game": game, "players": NAMES[:seats], "rules": rules}))


def card(game: str, seats: int, **rules: Any) -> tuple[Table | TextPage, ...]:
    return pages(context(header(game, seats, **rules)))


def read(page: Table | TextPage) -> list[str]:
    """Return the lines of a page, with glyphs as their names."""
    if isinstance(page, TextPage):
        return [tell(page.title), *map(tell, page.lines)]
    head = " ".join((tell(page.title), *map(tell, page.columns))).strip()
    rows = zip(page.names, page.rows, strict=True)
    return [head, *(" ".join((tell(name), *map(tell, row))) for name, row in rows)]


def figures(page: Table | TextPage) -> list[int]:
    return [int(number.replace("−", "-")) for line in read(page)[1:] for number in re.findall(r"[-−]?\d+", line)]


# Texts


SAYS: tuple[tuple[str, int, dict[str, Any], int, str], ...] = (
    ("eternity", 4, {}, 0, "Pledges | 1–4 0<tree> | 5–9 1<tree> | 10–14 2<tree> | Most in a trick 1<pledge>"),
    ("eternity", 5, {"tokens": "limited"}, 0, "Pledges, of 18<tree> | 1–4 0<tree> | 5–9 1<tree> | 10–14 2<tree> | "
     "Most in a trick 2<pledge>"),
    ("eternity", 4, {}, 1, "4 players | 10 cards, 10 tricks | 2 to the columns"),
    ("eternity", 5, {"edition": "fr"}, 1, "5 players | 8 cards, 8 tricks | 2 to the columns"),
    ("eternity", 3, {}, 1, "3 players | 10 cards, 10 tricks | 2 to the columns | 10 above the tiles"),
    ("eternity", 2, {"neutral": "columns"}, 1, "2 players | 14 cards, 7 tricks | 2 to the columns | "
     "Later pairs: columns"),
    ("eternity", 2, {}, 1, "2 players | 14 cards, 7 tricks | 2 to the columns | Later pairs: aside"),
    (
        "eternity",
        4,
        {},
        2,
        "Trump | Most cards in its column | A tie: the leftmost tile | New after every trick | +2: trump with 2 more",
    ),
    ("eternity", 4, {}, 3, "Who leads first | Round 1: the wisest | Next: winner of the last trick"),
    ("eternity", 5, {"edition": "fr"}, 3, "Who leads first | Round 1: the eldest | Next: fewest points | "
     "A tie: eldest of these"),
    ("eternity", 2, {}, 3, "Who leads first | Round 1: the wisest | Next: winner of the last trick | "
     "A trick: A, B, B, A"),
    ("eternity", 2, {"edition": "fr"}, 3, "Who leads first | Round 1: the eldest | Next: fewest points | "
     "A tie: eldest of these | A trick: A, B, B, A"),
    ("eternity", 4, {}, 4, "A trick | First: the led suit | without it: trump | no trump: any card | "
     "First card: no pledge"),
    ("eternity", 4, {}, 5, "Score R1 R2 R3 | <peninsula> = <tree> <tree>+2 <tree>+4 <tree>+7 | "
     "<peninsula> > <tree> <tree> <tree> <tree> | <peninsula> < <tree> 0 0 0"),
    ("eternity", 4, {"ending": {"target": 25}}, 5, "Score, to 25 | <peninsula> = <tree> <tree>+3 | "
     "<peninsula> > <tree> <tree> | <peninsula> < <tree> 0 | Not the round's best 0"),
    ("gear", 4, {}, 0, "Score, 4 rounds | A trick, <ace> +1 | Every 3 tricks +1 | Last trick +3 | All 8 tricks +3"),
    ("gear", 3, {"ending": {"target": 30}}, 0, "Score, to 30 | A trick, <ace> +1 | Every 3 tricks +1 | "
     "Last trick +3 | All 8 tricks +3"),
    ("gear", 3, {}, 1, "3 players | Hidden cards 2 | Open cards 6 | Lots 3 | Points at first 5"),
    ("gear", 3, {"auction": False}, 1, "3 players | Hidden cards 2 | Open cards 6 | Points at first 5"),
    ("gear", 3, {}, 2, "Auction | A held lot: bid higher | Pushed off: bid again once all have bid | "
     "Then all pay their bids"),
    ("gear", 3, {}, 3, "To follow | One card: the led colour | A pair: the led colours | Only open cards oblige | "
     "Else any, as many as led"),
    ("gear", 3, {"auction": False}, 2, "To follow | One card: the led colour | A pair: the led colours | "
     "Only open cards oblige | Else any, as many as led"),
    ("gear", 3, {}, 4, "To win | Highest that follows | Of equals the later | 10 leads/follows: A 11 | "
     "Two cards: two tricks"),
    ("hipparchus", 2, {}, 0, "First to 2 rounds | Cards in hand 14 | Each suit 10 | Not dealt 2 | Laid at once 1–3"),
    ("hipparchus", 2, {}, 1, "A play | The hand is never sorted | Side by side: a block | Up to 3: the whole block | "
     "From 4 on: 1 to 3 of it"),
    ("hipparchus", 2, {}, 2, "To follow | Led suit: another number | Else another suit, any number | "
     "Stuck: the round is over"),
    ("east-rune", 3, {}, 0, "Score | <chair> Chair +2 | <crown> Monarch +1 | Card left in hand −1"),
    ("east-rune", 2, {}, 0, "Score | <crown> Monarch +2 | Card left in hand −1"),
    ("east-rune", 4, {"blank_character": True}, 0, "Score | <chair> Chair +2 | <crown> Monarch +1 | "
     "Card left in hand −1 | First dealer +1"),
    ("east-rune", 3, {}, 1, "3 players | 8 cards each | 6 rounds | Monarchs: on chairs only"),
    ("east-rune", 4, {"blank_chair": True, "blank_character": True, "monarchs": "playable"}, 1,
     "4 players | 6 cards each | First dealer: 7 | 7 rounds | Monarchs: like any card"),
    ("east-rune", 2, {}, 1, "2 players | 6 cards each | 6 rounds | 6 vassals to draw"),
    ("east-rune", 3, {}, 2, "Start of the round | <chair>: from the dealer on, the first with its <crown> "
     "lays it and begins | Nobody: dealer begins"),
    ("east-rune", 4, {"blank_chair": True}, 2, "Start of the round | <chair>: from the dealer on, the first with its "
     "<crown> lays it and begins | Blank: any vassal"),
    ("east-rune", 2, {}, 2, "Start of the round | The dealer turns up a <crown> and begins | The other draws a card"),
    ("east-rune", 3, {"sacred_is_mineral": True}, 3, "A turn | <noon> › <dusk> › <night> › <dawn> › <noon> | "
     "Same attribute: go on | <sacred> = <mineral> | Pass: out for the round"),
    ("east-rune", 2, {"sacred_is_mineral": True}, 3, "A turn | <noon> › <dusk> › <night> › <dawn> › <noon> | "
     "Same attribute: go on | <sacred> = <mineral> | Pass: out for the round"),
    ("east-rune", 3, {}, 4, "End of the round | After a vassal: all but its player pass | "
     "No vassal: all pass, and all stays"),
    ("east-rune", 3, {}, 5, "Capture | Last vassal: one more turn, takes all <chair>, deals next | "
     "Rest: to all, next first"),
    ("east-rune", 2, {}, 5, "Capture | Last vassal: one more turn, takes all <crown>, deals next | "
     "Rest: to all, next first"),
)  # fmt: skip


@pytest.mark.parametrize(("game", "seats", "rules", "page", "says"), SAYS)
def test_the_card_is_that_of_this_table(game: str, seats: int, rules: dict[str, Any], page: int, says: str) -> None:
    assert " | ".join(read(card(game, seats, **rules)[page])) == says


# The engine agrees


@pytest.mark.parametrize("seats", range(2, 6))
def test_eternity_gives_the_trees_the_card_says_to_as_many_pledges_as_it_says(seats: int) -> None:
    page = card("eternity", seats)[0]
    assert isinstance(page, Table)
    worth: dict[int, int] = {}
    for name, (figure,) in zip(page.names[:-1], page.rows[:-1], strict=True):
        least, most = map(int, str(name).split("–"))
        worth |= dict.fromkeys(range(least, most + 1), int(str(figure)[0]))
    for rank in range(1, 15):
        at = eternity.dealt(seats).lays("sea3")
        turn = at.state.turn
        assert turn is not None
        pledged = at.enters(Pledge(turn, DECK.by_name[f"earth-{rank}"])).state
        assert sum(pledged.trees) == worth[rank]
    most = int(str(page.rows[-1][0])[0])
    at = eternity.dealt(seats).lays("sea3")
    for number in range(most):
        at = at.lays(f"+earth{number + 1}")
    turn = at.state.turn
    assert turn is not None
    assert at.refuses(Pledge(turn, DECK.by_name["earth-9"])) == "no-pledge-left"


@pytest.mark.parametrize("seats", range(2, 6))
def test_eternity_plays_as_many_tricks_and_lays_as_many_cards_as_the_card_says(seats: int) -> None:
    hand, tricks, columns, *above = figures(card("eternity", seats)[1])
    at = eternity.dealt(seats).tricks(*(0,) * (tricks - 1))
    assert at.state.round == 1
    assert at.tricks(0).state.round == 2
    laid = 4 if seats == 2 else seats
    assert hand * seats == laid * tricks
    assert columns == sum(map(len, eternity.dealt(seats).state.columns))
    if seats == 3:
        assert hand * seats + columns + above[0] == len(DECK)
        rest = DECK.outside(eternity.dealt(3).state.seen)
        board = DECK.by_name["sea-1"], DECK.by_name["sea-2"]
        assert eternity.table(3).starts(0).enters(Deal(board, rest[: above[0]])).state.phase == "play"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_eternity_adds_the_bonus_the_card_says(number: int) -> None:
    page = card("eternity", 4)[-1]
    assert isinstance(page, Table)
    at = eternity.table(4).starts(0)
    for _ in range(number):
        at = at.round("4 3 2 1", "4 2 3 0", 0)
    kept, more, fewer = (tell(row[number - 1]).removeprefix("<tree>") for row in page.rows)
    assert at.state.rounds[-1] == (4 + int(kept), 2 + int(more or 0), int(fewer), 0)


def test_two_lay_in_the_order_their_card_says() -> None:
    at, order = eternity.dealt(2, leader=1), []
    for word in ("sea3", "sea4", "sea5", "sea6"):
        order.append(at.state.turn)
        at = at.lays(word)
    letters = str(read(card("eternity", 2)[3])[-1]).partition(": ")[2].split(", ")
    assert [{"A": 1, "B": 0}[letter] for letter in letters] == order


def test_eternity_to_a_total_keeps_only_the_best_of_a_round() -> None:
    page = card("eternity", 4, ending={"target": 20})[-1]
    best = int(tell(page.rows[0][0]).removeprefix("<tree>")) if isinstance(page, Table) else 0
    rounds = eternity.table(4, ending=eternity.TARGET).starts(0).round("4 3 2 1", "4 3 2 0", 0).state.rounds
    assert rounds == ((4 + best, 0, 0, 0),)


def test_eternity_counts_out_the_tokens_the_card_says() -> None:
    title = read(card("eternity", 5, tokens="limited")[0])[0]
    most = int(re.findall(r"\d+", title)[0])
    at = eternity.table(5, tokens="limited").starts(0)
    assert at.refuses(eternity.whole("0 4 4 0 0", f"10 0 0 {most - 9} 0", 1)) == "trees-sum"
    assert at.round("0 4 4 0 0", f"10 0 0 {most - 10} 0", 1).state.round == 2


@given(tricks=st.integers(0, 8), aces=st.integers(0, 4), last=st.booleans())
def test_gear_scores_a_round_by_its_card(tricks: int, aces: int, last: bool) -> None:
    each, many, more, end, every, most = figures(card("gear", 4)[0])
    scored = each * (tricks + aces) + more * (tricks // many) + end * last + most * (tricks == every)
    assert points(tricks, aces, last) == scored


@pytest.mark.parametrize("seats", range(2, 6))
def test_gear_deals_as_its_card_says(seats: int) -> None:
    hidden, open_, lots, first = figures(card("gear", seats)[1])
    at = gear.table(seats)
    assert at.state.totals == (first,) * seats
    assert at.starts(0).state.left == (hidden + open_,) * seats
    assert len(at.starts(0).state.lots) == lots
    assert len(gear.lots(*gear.THREE_LOTS).lots[0]) == open_


def test_gear_says_when_an_ace_is_the_highest() -> None:
    ten, ace = figures(card("gear", 4)[-1])
    assert ace > ten
    assert gear.sold(3).lays(f"r{ten} rA r9").state.last_trick.winner == 1  # type: ignore[union-attr]
    assert gear.sold(3).lays(f"r9 rA r{ten}").state.last_trick.winner == 1  # type: ignore[union-attr]
    assert gear.sold(3).lays("r9 rA r8").state.last_trick.winner == 0  # type: ignore[union-attr]
    assert gear.sold(3).lays(f"r9 rA b{ten}").state.last_trick.winner == 0  # type: ignore[union-attr]


def test_gear_s_auction_goes_as_its_card_says() -> None:
    at = gear.table(3).starts(0).bids("0=2")
    assert at.refuses(Bid(2, 0, 2)) == "too-low"
    pushed = at.bids("0=3")
    assert pushed.state.turn == 0  # seat 1 waits until all have bid
    again = pushed.bids("1=0")
    assert again.state.turn == 1
    assert again.bids("2=1").state.totals == (5, 5 - 1, 5 - 3)


def test_hipparchus_is_followed_as_its_card_says() -> None:
    at = hipparchus.led().lays("moon2")
    assert at.refuses(Play(1, "moon", 2)) == "same"
    assert at.enters(Play(1, "moon", 3)).enters(Play(1, "sun", 2)).state.turn == 0
    assert at.enters(Play(1, "sun", 2)).state.round == 1
    assert at.stuck().state.round == 2


def test_hipparchus_deals_and_plays_as_its_card_says() -> None:
    hand, suit, undealt, least, most = figures(card("hipparchus", 2)[0])
    at = hipparchus.led()
    assert at.state.left == (hand, hand)
    assert 3 * suit - 2 * hand == undealt
    assert at.refuses(Play(0, "sun", most + 1)) == at.refuses(Play(0, "sun", least - 1)) == "count"
    assert at.enters(Play(0, "sun", least))
    assert at.enters(Play(0, "sun", most))
    assert at.refuses(hipparchus.whole(f"{suit} 0 0", "1 0 0")) == "suit-sum"
    wins = int(re.findall(r"\d+", read(card("hipparchus", 2)[0])[0])[0])
    for number in range(wins):
        assert at.state.phase == "play", number
        at = at.round("4 0 0", "2 0 0")
    assert at.state.phase == "over"


@given(chairs=st.integers(0, 6), monarchs=st.integers(0, 6), hand=st.integers(0, 8), given_=st.booleans())
@pytest.mark.parametrize("seats", [3, 4])
def test_east_rune_scores_by_its_card(seats: int, chairs: int, monarchs: int, hand: int, given_: bool) -> None:
    chair, monarch, left, blank = figures(card("east-rune", seats, blank_character=True)[0])
    state = replace(
        runes.table(seats).state,
        chairs=(chairs,) * seats,
        monarchs=(monarchs,) * seats,
        hand=(hand,) * seats,
        given=0 if given_ else None,
    )
    assert state.totals[0] == chair * chairs + monarch * monarchs + left * hand + blank * given_


@given(monarchs=st.integers(0, 6), hand=st.integers(0, 12))
def test_east_rune_with_two_players_scores_by_its_card(monarchs: int, hand: int) -> None:
    monarch, left = figures(card("east-rune", 2)[0])
    state = replace(runes.table(2).state, monarchs=(monarchs, 0), hand=(hand, 0))
    assert state.totals[0] == monarch * monarchs + left * hand


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_east_rune_deals_as_its_card_says(seats: int) -> None:
    hand, rounds, *rest = figures(card("east-rune", seats)[1])
    state = runes.table(seats).state
    assert state.hand == (hand,) * seats
    assert state.rounds == rounds
    if seats == 2:
        assert seats * hand + rest[0] == 18
    else:
        dealer = figures(card("east-rune", seats, blank_character=True)[1])[1]
        assert runes.table(seats, blank_character=True).starts(0).state.hand[0] == dealer


def test_east_rune_shows_the_domains_in_the_order_they_follow_each_other() -> None:
    page = card("east-rune", 3)[3]
    shown = re.findall(r"<(\w+)>", read(page)[1])
    domains = {domain.name: domain for domain in DOMAINS}
    assert len(shown) == len(DOMAINS) + 1
    for one, other in pairwise(shown):
        assert AFTER[domains[one]] is domains[other]


def test_east_rune_ends_a_round_and_captures_as_its_card_says() -> None:
    at = runes.claimed().goes("dusk1")
    assert (at.state.turn, at.goes("- -").state.phase, at.goes("- -").state.turn) == (1, "extra", 0)
    captured = at.goes("- - -").state
    assert (captured.chairs, captured.dealer, captured.dealt[0].player) == ((1, 0, 0), 0, 1)
    left = runes.claimed(by=1).goes("- - -").state
    assert (left.chairs_up, left.dealer) == ((runes.chair("light"),), 0)


@pytest.mark.parametrize(
    ("edition", "says", "starter"), [("jp", "winner of the last trick", 0), ("fr", "fewest points", 3)]
)
def test_eternity_says_in_either_edition_who_starts_next(edition: str, says: str, starter: int) -> None:
    assert says in read(card("eternity", 4, edition=edition)[3])[2]
    assert eternity.table(4, edition=edition).starts(1).round("1 2 3 4", "1 2 3 0", 0).state.dealer == starter


# The screen


class Behind(Screen, frozen=True):
    """Stub of the screen from which the rules card was opened."""

    def show(self, context: ScreenContext) -> ScreenContents:
        raise NotImplementedError


AT = context(header("eternity", 4))
OPEN = RulesCardScreen(Behind())


def after(keys: str, screen: RulesCardScreen = OPEN) -> int:
    for key in parse(keys):
        turned = screen.show(AT).press(key).screen
        assert isinstance(turned, RulesCardScreen)
        screen = turned
    return screen.at


@pytest.mark.parametrize(("keys", "page"), [("", 0), ("B", 1), ("BB", 2), ("8", 1), ("B2", 0), ("8A", 0), ("BBA", 1)])
def test_pages_are_turned_with_a_and_b_or_2_and_8(keys: str, page: int) -> None:
    assert after(keys) == page


def test_after_the_last_page_comes_the_first_and_before_the_first_the_last() -> None:
    count = len(pages(AT))
    assert after("A") == count - 1
    assert after("B" * count) == 0


@pytest.mark.parametrize("key", "*#")
def test_back_and_ok_both_lead_back_to_where_the_card_was_opened(key: str) -> None:
    assert RulesCardScreen(Behind(), at=2).show(AT).press(Key(key)).screen == Behind()


@pytest.mark.parametrize("key", [Key("5"), Key("D"), Key("#", held=True)])
def test_another_key_leaves_the_card_and_says_which_keys_there_are(key: Key) -> None:
    move = OPEN.show(AT).press(key)
    assert move.refused
    assert move.screen == OPEN
    assert str(move.message) == "A and B move, * goes back"


def test_the_end_of_the_bottom_line_says_which_page_it_is() -> None:
    assert [view_of(RulesCardScreen(Behind(), at=at), AT).hint for at in (0, 1, 5)] == ["1/6", "2/6", "6/6"]


@pytest.mark.parametrize("at", range(4))
def test_on_a_board_with_few_keys_every_page_is_turned_alike(at: int) -> None:
    turned = RulesCardScreen(Behind(), at=at).show(AT).ring
    assert {key: OptionCursor().press(Key(key), turned)[1] for key in "<>o"} == {
        "<": "earlier",
        ">": "later",
        "o": "back",
    }


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_all_of_every_page_is_on_the_panel(game: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    fit, put = BitmapFont.fit, BitmapFont.draw

    def fitting(self: BitmapFont, text: str, width: int) -> str:
        assert fit(self, text, width) == text, f"cut: {text}"
        return text

    def drawing(self: BitmapFont, target: Any, place: tuple[int, int], text: str, ink: int = 1) -> int:
        drawn.append(text)
        return put(self, target, place, text, ink)

    monkeypatch.setattr(BitmapFont, "fit", fitting)
    monkeypatch.setattr(BitmapFont, "draw", drawing)
    seen = set()
    for header in headers(game):
        at = context(header, language)
        count = len(pages(at))
        assert 2 <= count <= 6
        for number in range(count):
            view = view_of(RulesCardScreen(Behind(), at=number), at)
            if view.body in seen:
                continue
            seen.add(view.body)
            drawn.clear()
            draw(view)
            if isinstance(view.body, TextBody):
                assert sum(len(face("text").wrap(line, WIDTH - 6)) for line in view.body.sentences) <= LINES, view.body
            else:
                assert isinstance(view.body, TableBody)
                assert {*view.body.heads, *view.body.names} <= {*drawn, ""}
                assert len(view.body.rows) <= LINES


def test_every_game_of_the_box_has_a_card_but_a_game_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(game.optional.rules_card is not None for game in GAMES.values())
    for card in (LAST_STONE.optional.rules_card, None):
        optional = replace(LAST_STONE.optional, rules_card=card)
        monkeypatch.setitem(GAMES, LAST_STONE.name, replace(LAST_STONE, optional=optional))
        box = new_box()
        box.begin(decode_header('{"format":1,"game":"last-stone","players":["Aki","Bea"]}'), DetailLevel.FULL)
        assert ("Rules card" in says(press(box, "h#"))) is (card is not None)
        row = next(key for key, does in box.frame.labels.items() if does == "Redo")
        assert "There is nothing to bring back" in says(press(box, row))
