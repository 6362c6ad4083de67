"""Shipped games of bowers, permanent trumps and copies, against a referee of tricks that was written apart.

The orders and values stand here card by card, from public rules (pagat.com, FFB, Wikipedia), the highest card first.
Each deal is dealt and played at random, by the rules, so that no revoke may be reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.core.game import Start
from companion.games import shipped
from companion.games.toml_games.declaration import Play, Trump
from tests.example_counts import examples

FRENCH = "clubs diamonds hearts spades".split()  # noqa: SIM905
GERMAN = "acorns leaves hearts bells".split()  # noqa: SIM905


NOTHING: Mapping[str, int] = {}


class Deal(NamedTuple):
    """How a deal is played: what is entered before the cards, and the order of the cards."""

    game: str
    before: list[tuple[str, Any]]  # by question its answer, or the trump
    trumps: list[str]
    plain: str  # ranks of the other suits
    question: str  # that the play answers
    seats_counted: tuple[int, ...]  # the declarer's side
    values: Mapping[str, int] = NOTHING
    trump_values: Mapping[str, int] = NOTHING
    last: int = 0
    rest: bool = False
    copies: int = 1
    hand: int = 8
    suits: Sequence[str] = FRENCH
    lays: tuple[int, ...] = (1, 2, 3, 0)  # from the left of the dealer
    leader: int = 1
    seats: int = 4
    without: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    rules: Mapping[str, int] = NOTHING


def of(suit: str, ranks: str) -> list[str]:
    return [f"{suit}-{rank}" for rank in ranks.split()]


def all_of(rank: str, suits: Sequence[str]) -> list[str]:
    return [f"{suit}-{rank}" for suit in suits]


COUNTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
BLACK_FIRST = "clubs spades hearts diamonds".split()  # noqa: SIM905
OBER_UNTER = {"A": 11, "10": 10, "K": 4, "O": 3, "U": 2}
SHEEP = [*all_of("Q", BLACK_FIRST), *all_of("J", BLACK_FIRST), *of("diamonds", "A 10 K 9 8 7")]
BOWERS = ["spades-J", "clubs-J"]
SCHAFKOPF: dict[str, Any] = {"values": OBER_UNTER, "suits": GERMAN, "plain": "A 10 K O U 9 8 7", "question": "won"}
PLAYED = {"played": 1}
BELOTE: dict[str, Any] = {
    "plain": "A 10 K Q J 9 8 7",
    "question": "cards",
    "rules": PLAYED,
    "last": 10,
    "values": COUNTS,
    "seats_counted": (0, 2),
}
OBERS, UNTERS = all_of("O", GERMAN), all_of("U", GERMAN)
JASS: dict[str, Any] = {"question": "points", "rules": PLAYED, "last": 5, "hand": 9, "seats_counted": (0, 2)}

SKAT: dict[str, Any] = {"values": COUNTS, "question": "points", "rest": True, "hand": 10, "rules": PLAYED}
SKAT |= {"seats_counted": (0,), "lays": (1, 2, 0), "seats": 3}
JACKS = all_of("J", BLACK_FIRST)
QUEENS = all_of("Q", BLACK_FIRST)
DULLEN = ["hearts-10", *QUEENS, *JACKS]
DOPPELKOPF: dict[str, Any] = {"question": "cards", "seats_counted": (0,), "values": COUNTS, "rules": PLAYED}
DOPPELKOPF |= {"copies": 2, "hand": 12}
DEALS: list[Any] = [
    Deal("skat", [("declarer", 0), ("game", 24)], JACKS, "A 10 K Q 9 8 7", **SKAT),
    Deal("skat", [("declarer", 0), ("game", 12)], [*JACKS, *of("clubs", "A 10 K Q 9 8 7")], "A 10 K Q 9 8 7", **SKAT),
    Deal("skat", [("declarer", 0), ("game", 46)], [], "A K Q J 10 9 8 7", **SKAT),
    Deal(
        "euchre",
        [("maker", 0), ("alone", 0), ("trump", "spades")],
        [*BOWERS, *of("spades", "A K Q 10 9")],
        "A K Q J 10 9",
        "taken",
        (0, 2),
        hand=5,
        rules=PLAYED,
    ),
    Deal(
        "euchre",
        [("maker", 3), ("alone", 1), ("trump", "hearts")],
        ["hearts-J", "diamonds-J", *of("hearts", "A K Q 10 9")],
        "A K Q J 10 9",
        "taken",
        (3, 1),
        hand=5,
        rules=PLAYED,
        lays=(2, 3, 0),
        leader=2,
    ),
    Deal(
        "five-hundred",
        [("bidder", 2), ("bid", 1), ("level", 6)],
        ["joker-1", "clubs-J", "spades-J", *of("clubs", "A K Q 10 9 8 7 6 5")],
        "A K Q J 10 9 8 7 6 5 4",
        "won",
        (0, 2),
        hand=10,
        leader=2,
        without=("clubs-4", "spades-4"),
        more=("joker-1",),
    ),
    Deal(
        "five-hundred",
        [("bidder", 3), ("bid", 5)],
        ["joker-1"],
        "A K Q J 10 9 8 7 6 5 4",
        "won",
        (3,),
        hand=10,
        lays=(2, 3, 0),
        leader=3,
        without=("clubs-4", "spades-4"),
        more=("joker-1",),
    ),
    Deal(
        "pinochle",
        [("bidder", 1), ("bid", 250), ("melds", (0, 0)), ("trump", "hearts")],
        of("hearts", "A 10 K Q J 9"),
        "A 10 K Q J 9",
        "points",
        (0, 2),
        {"A": 10, "10": 10, "K": 10},
        last=10,
        copies=2,
        hand=12,
    ),
    Deal(
        "belote",
        [("taker", 0), ("trump", "hearts")],
        of("hearts", "J 9 A 10 K Q 8 7"),
        trump_values={"J": 20, "9": 14},
        **BELOTE,
    ),
    Deal(
        "coinche",
        [("taker", 0), ("contract", 90), ("doubled", 1), ("trump", "clubs")],
        of("clubs", "J 9 A 10 K Q 8 7"),
        trump_values={"J": 20, "9": 14},
        **BELOTE,
    ),
    Deal(
        "coinche",
        [("taker", 0), ("contract", 90), ("doubled", 1), ("trump", "no trumps")],
        [],
        **BELOTE | {"values": COUNTS | {"A": 19}},
    ),
    Deal(
        "coinche",
        [("taker", 0), ("contract", 90), ("doubled", 1), ("trump", "all trumps")],
        [],
        **BELOTE | {"values": {"J": 14, "9": 9, "A": 6, "10": 5, "K": 3, "Q": 1}, "plain": "J 9 A 10 K Q 8 7"},
    ),
    Deal(
        "jass",
        [("factor", 1), ("trump", "spades")],
        of("spades", "J 9 A K Q 10 8 7 6"),
        "A K Q J 10 9 8 7 6",
        values=COUNTS,
        trump_values={"J": 20, "9": 14},
        **JASS,
    ),
    Deal(
        "jass",
        [("factor", 1), ("trump", "top down")],
        [],
        "A K Q J 10 9 8 7 6",
        values=COUNTS | {"8": 8},
        **JASS,
    ),
    Deal(
        "jass",
        [("factor", 1), ("trump", "bottom up")],
        [],
        "6 7 8 9 10 J Q K A",
        values={"6": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "8": 8},
        **JASS,
    ),
    Deal(
        "schafkopf",
        [("declarer", 1), ("game", 1), ("called", 2)],
        [*OBERS, *UNTERS, *of("hearts", "A 10 K 9 8 7")],
        seats_counted=(1,),
        **SCHAFKOPF,
    ),
    Deal("schafkopf", [("declarer", 0), ("game", 2)], UNTERS, seats_counted=(0,), **SCHAFKOPF),
    Deal(
        "schafkopf",
        [("declarer", 0), ("game", 6)],
        [*OBERS, *UNTERS, *of("bells", "A 10 K 9 8 7")],
        seats_counted=(0,),
        **SCHAFKOPF,
    ),
    Deal("doppelkopf", [("game", 1)], [*DULLEN, *of("diamonds", "A 10 K 9")], "A 10 K 9", **DOPPELKOPF),
    Deal("doppelkopf", [("game", 7), ("soloist", 2)], [*DULLEN, *of("hearts", "A K 9")], "A 10 K 9", **DOPPELKOPF),
    Deal("doppelkopf", [("game", 3), ("soloist", 2)], QUEENS, "A 10 K J 9", **DOPPELKOPF),
    Deal("doppelkopf", [("game", 9), ("soloist", 1)], [], "A 10 K Q J 9", **DOPPELKOPF),
    *[
        Deal(
            "sheepshead",
            [("picker", 2)],
            SHEEP,
            "A 10 K 9 8 7",
            "won",
            (2,),
            COUNTS,
            rest=True,
            hand=30 // len(lays),
            lays=lays,
            seats=len(lays),
        )
        for lays in ((1, 2, 0), (1, 2, 3, 4, 0))
    ],
]


def cards(deal: Deal) -> Iterator[str]:
    for suit in deal.suits:
        for card in of(suit, deal.plain):
            if card not in deal.trumps and card not in deal.without:
                yield from [card] * deal.copies
    for card in (*deal.trumps, *deal.more):
        if card not in deal.more or card not in deal.trumps:
            yield from [card] * deal.copies
    yield from (card for card in deal.more if card in deal.trumps)


def belongs(deal: Deal, card: str) -> str:
    return "trump" if card in deal.trumps else card.partition("-")[0]


def winner(deal: Deal, table: list[tuple[int, str]]) -> int:
    trumps = [(deal.trumps.index(card), seat) for seat, card in table if card in deal.trumps]
    if trumps:
        return min(trumps, key=lambda each: each[0])[1]
    led = table[0][1].split("-")[0]
    ranks = deal.plain.split()
    followed = [(ranks.index(card.split("-")[1]), seat) for seat, card in table if card.split("-")[0] == led]
    return min(followed, key=lambda each: each[0])[1]


def worth(deal: Deal, card: str) -> int:
    rank = card.split("-")[1]
    trump = card in deal.trumps and rank in deal.trump_values
    return deal.trump_values[rank] if trump else deal.values.get(rank, 0)


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal.game} {deal.before[-1][1]}")
def test_a_deal_has_the_tricks_and_points_of_the_referee(deal: Deal) -> None:
    game = shipped.game(deal.game)
    kinds: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in game.events}
    for seed in range(examples(6, 400)):
        rng = Random(seed)
        state = game.apply(game.start(deal.seats, game.rules(**deal.rules)), Start(0))
        for name, value in deal.before:
            state = game.apply(state, Trump(value) if name == "trump" else kinds[name](value))
        pack = [*cards(deal)]
        rng.shuffle(pack)
        hands = {seat: pack[place * deal.hand : (place + 1) * deal.hand] for place, seat in enumerate(deal.lays)}
        left = pack[len(deal.lays) * deal.hand :]
        queens = [seat for seat in deal.lays if "clubs-Q" in hands[seat]]
        taken = dict.fromkeys(range(5), 0)
        partner = {"schafkopf": "leaves-A", "sheepshead": "diamonds-J"}.get(deal.game)
        asks_partner = deal.before[1:2] == [("game", 1)] or (deal.game == "sheepshead" and len(deal.lays) > 3)
        counted = {*deal.seats_counted, *(seat for seat in deal.lays if asks_partner and partner in hands[seat])}
        first = deal.lays.index(deal.leader)
        for number in range(deal.hand):
            table: list[tuple[int, str]] = []
            for seat in (*deal.lays[first:], *deal.lays[:first]):
                led = belongs(deal, table[0][1]) if table else ""
                able = [card for card in hands[seat] if belongs(deal, card) == led] or hands[seat]
                card = rng.choice(able)
                hands[seat].remove(card)
                table.append((seat, card))
                assert state.phase == "play"
                before, state = state, game.apply(state, Play(seat, game.cards[card]))
            won = winner(deal, table)
            taken[won] += sum(worth(deal, card) for _seat, card in table) + deal.last * (number == deal.hand - 1)
            taken[won] += not deal.values
            first = deal.lays.index(won)
            if number < deal.hand - 1:
                assert state.play.leader == won, (before.play.table, table)
        assert state.alerts == ()
        figure = sum(taken[seat] for seat in counted) + deal.rest * sum(worth(deal, card) for card in left)
        answers = state.past[-1] if state.rounds else state.given
        answer = answers[deal.question]
        assert answer[0] == figure
        if deal.before == [("game", 1)]:
            assert answers["queens"] == tuple(sorted(queens))
        if len(answer) == 2:
            assert answer[1] == sum(taken.values()) - figure
        if deal.game == "schafkopf":  # also of a declarer who lays the called ace: then there is no partner
            state = game.apply(game.apply(state, kinds["runners"](0)), kinds["doubled"](1))
            assert sum(state.rounds[-1]) == 0
