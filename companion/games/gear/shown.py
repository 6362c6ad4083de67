"""What Gear shows: views, outcomes, scores, events in words, the rules card; what it counts, what is likely.

Tricks, aces, prices and overbids are counted when their round ends, from its figures, so that they are right however it
was entered. What the figures do not tell is counted at the entry that shows it: pairs and revokes. How likely an event
is assumes that people are honest and choose at random among the cards they may lay.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log

from companion.core.cards import Card
from companion.core.game import (
    CardSound,
    CountedAction,
    Event,
    EventOutcome,
    GameView,
    Headline,
    Start,
    Table,
    TextPage,
)
from companion.core.text import N_, NC_, NN_, Glyph, Seat, Text, joined
from companion.games.kit import (
    PTS,
    TOTAL,
    Columns,
    by_seat,
    gain,
    named_table,
    notes,
    revokes,
    round_columns,
    round_table,
    score_table,
    slashed,
)
from companion.games.kit.rounds import ROW_HELP
from companion.games.kit.tricks import ShownTrick, event_outcome, gainer, laid_as, logarithm, places, round_and_trick

from .rules import (
    ALL,
    COPIES,
    DECK,
    HAND,
    HIGH_ACE,
    LAST,
    MANY,
    OPEN,
    POINTS,
    SUITS,
    TEN,
    Bid,
    LaidCards,
    Lots,
    Overbid,
    Play,
    Prices,
    Revoke,
    Round,
    Rules,
    State,
    Trick,
    count,
    follows,
    least_bid,
    obliged,
    size,
    winning,
)

ACE = Glyph("ace")
COIN = Glyph("coin")
MIXED = (255, 140, 120)
"""Lamp colour when a red and a black card are led together."""


def view(state: State, trick: ShownTrick[LaidCards] | None = None) -> GameView:
    """Return the game view: led colour, rank to beat, and a line for each seat."""
    trick = trick or ShownTrick(state.table, state.leader)
    status = Text(N_("R{round}"), round=state.round)
    if state.phase == "play":
        card = HAND - max(state.left) + 1  # seats that have already laid in this trick hold fewer
        status = Text(N_("R{round} {card}/8"), round=state.round, card=card)
    laid = {each.player: each.cards for each in trick.table}
    seats = places(
        state.seats,
        lambda seat: joined((card.sign for card in laid.get(seat, ())), ""),
        lambda seat: _bid(state, seat) if state.phase == "auction" else _figures(state, seat),
        trick,
    )
    return GameView(_headline(state), status, (), seats, result=trick.result, suits=SUITS)


def _headline(state: State) -> Headline | None:
    if not state.table:
        return None
    _place, rank = winning(tuple(laid.cards for laid in state.table))
    led = state.table[0].cards
    suit = led[0].suit
    if suit is not led[-1].suit:
        return Headline("mixed", Text(N_("Mixed")), MIXED, str(rank))
    return Headline(suit.sign, suit.label, suit.colour, str(rank))


def _figures(state: State, seat: int) -> Text:
    return Text("{tricks} {aces}{ace}", tricks=state.tricks[seat], aces=state.aces[seat], ace=ACE)


def _bid(state: State, seat: int) -> Text:
    """Return a seat's standing bid, or else its points."""
    price = state.prices[seat]
    if price is None:
        return Text(N_("has {total}"), total=state.totals[seat])
    return standing_bid(state.lots.index(seat), price)


def standing_bid(lot: int, price: int) -> Text:
    return Text(N_("lot {lot}: {price}{coin}"), lot=lot + 1, price=price, coin=COIN)


def outcome(before: State, event: Event, after: State) -> EventOutcome:
    laid = _laid_as(before, event)
    if len(after.rounds) > len(before.rounds):
        finished = _finished(before, event, after, after.tallies[-1].tricks)
        return event_outcome(before, after, (), finished, table=_result(after), won=True, laid_as=laid)
    if before.phase == "auction":
        return event_outcome(before, after, _bidding(before, event, after))
    if sum(after.tricks) == sum(before.tricks):
        return event_outcome(before, after, laid_as=laid)
    winner, count = _trick_winner(before, after.tricks)
    won = N_("{player} wins two tricks") if count == 2 else N_("{player} wins the trick")
    finished = _finished(before, event, after, after.tricks)
    return event_outcome(before, after, (Text(won, player=winner),), finished, won=True, laid_as=laid)


def _laid_as(before: State, event: Event) -> CardSound | None:
    """Return what kind of play was laid. A play that does not match the lead cannot win and counts as off suit."""
    if not isinstance(event, Play):
        return None
    return laid_as(not before.table, bool(before.table) and follows(before.table[0].cards, event.cards))


def _finished(before: State, event: Event, after: State, tricks: tuple[int, ...]) -> GameView | None:
    """Return the view of the trick that a play has ended; None if the trick was entered as a whole."""
    if not isinstance(event, Play):
        return None
    winner, count = _trick_winner(before, tricks)
    result = Text(N_("Two tricks: {player}") if count == 2 else N_("Trick: {player}"), player=winner)
    table = (*before.table, LaidCards(event.player, event.cards))
    return view(after, ShownTrick(table, before.leader, winner, result))


def _trick_winner(before: State, tricks: tuple[int, ...]) -> tuple[Seat, int]:
    """Return the winner of the trick, and how many tricks it counts as."""
    winner = gainer(before.tricks, tricks)
    return winner, tricks[winner] - before.tricks[winner]


def _bidding(before: State, event: Event, after: State) -> tuple[Text, ...]:
    """Return the sentence on an auction event: who was pushed off or, after the auction, who leads."""
    if after.leader is not None:
        return (Text(N_("Auction over: {player} leads"), player=Seat(after.leader)),)
    pushed = before.lots[event.lot] if isinstance(event, Bid) else None
    if pushed is None or not isinstance(event, Bid):
        return ()
    return (Text(N_("{player} is pushed off lot {lot}"), player=Seat(pushed), lot=event.lot + 1),)


def _result(after: State) -> Table:
    """Return the table of the round that has just ended."""
    tally = after.tallies[-1]
    columns: Columns = (
        (Text(N_("tr")), tally.tricks),
        (ACE, tally.aces),
        *((COIN, tally.prices),) * after.rules.auction,
        (PTS, [gain(points) for points in after.rounds[-1]]),
        ("=", after.totals),  # short, so that all five columns fit beside the names
    )
    return round_table(after, columns, partners=after.rules.teams)


def score_sheet(state: State) -> Table:
    """Return the score sheet: points at first, finished rounds, prices paid in the current one, totals, team totals."""
    columns = [(Text(NC_("points", "start")), (POINTS,) * state.seats), *round_columns(state.rounds)]
    if state.phase == "play" and state.rules.auction:
        columns.append((COIN, [-(price or 0) for price in state.prices]))
    columns.append((TOTAL, state.totals))
    if state.teams is not None:
        columns.append((Text(N_("pair")), state.teams * 2))
    return score_table(state, columns, partners=state.rules.teams)


def short_moment(state: State) -> Text:
    """Return the round and, after the auction, the trick, short."""
    return round_and_trick(state.round, state.trick if state.phase == "play" else None)


def describe(event: Event) -> Text:
    match event:
        case Start(player):
            return Text(N_("{player} starts"), player=Seat(player))
        case Lots():
            return Text(N_("The lots"))
        case Bid(player, lot, price):
            return Text(N_("Lot {lot}: {price}, {player}"), lot=lot + 1, price=price, player=Seat(player))
        case Prices(prices):
            return Text(N_("Prices: {figures}"), figures=" ".join(map(str, prices)))
        case Play(player, cards):
            return Text(N_("{cards}, {player}"), cards=joined(card.sign for card in cards), player=Seat(player))
        case Trick(winner, cards, aces):
            taken = (Text("{aces}{ace}", aces=aces, ace=ACE),) if aces else ()
            won = N_("Trick: {player}") if cards == 1 else N_("Two tricks: {player}")
            return joined((Text(won, player=Seat(winner)), *taken))
        case Round(tricks, aces):
            return Text(N_("R: {figures}"), figures=slashed(tricks, aces))
    raise TypeError(f"not an event of Gear: {event!r}")


KEYS = (
    Text("A={red} B={black} 1=A 0=10", red=SUITS[0], black=SUITS[1]),
    Text(N_("7 = the led colour's 7")),
    Text(N_("A7 = {red} 7"), red=SUITS[0]),
    Text(N_("AB7 = {red} 7 + {black} 7"), red=SUITS[0], black=SUITS[1]),
    Text(N_("Two led: 7 = a pair like it")),
    Text(N_("A bid: lot, price; D: higher ones")),
    Text(N_("D before it all: the lots")),
    Text(N_("In a lot: 7 = of the colour before")),
    Text(N_("Quick: seat = winner")),
    Text(N_("Quick: 0 before it: an ace")),
    Text(N_("Quick: D first: two cards each")),
    Text(N_("Sheet: # = rest of a row 0")),
    ROW_HELP,
    Text(N_("By a name: tricks, aces {ace}"), ace=ACE),
)
"""Help lines: how entries are typed."""


# What players did


ACTIONS = {
    "tricks": Text(N_("Tricks")),
    "aces": Text(N_("Aces")),
    "last": Text(N_("Last tricks")),
    "all": Text(N_("All tricks")),
    "pairs": Text(N_("Won by pairs")),
    "paid": Text(N_("Points paid")),
    "dearest": Text(N_("Highest price")),
    "overbids": Text(N_("Overbids")),
    "revokes": Text(N_("Revokes")),
}
"""The name of each counted action.

- ``tricks``, ``aces``: tricks won and aces taken; a trick of two cards each is two tricks.
- ``last``: rounds in which the player won the last trick.
- ``all``: rounds in which the player won all tricks.
- ``pairs``: tricks of two cards each that the player won.
- ``paid``: prices paid, in points.
- ``dearest``: auctions in which nobody paid more than the player, who paid something.
- ``overbids``: prices above the player's points.
- ``revokes``: revokes that were reported.
"""


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    ends = len(after.rounds) > len(before.rounds)
    if isinstance(event, Play | Trick) and (ends or after.tricks != before.tricks):
        winner = gainer(before.tricks, after.tallies[-1].tricks if ends else after.tricks)
        if _cards(event) == 2:
            found.append(CountedAction("pairs", winner))
        if ends:
            found.append(CountedAction("last", winner))
    elif isinstance(event, Round):
        found.append(CountedAction("last", event.last))
    if ends:
        found += _round(after)
    if isinstance(event, Play):
        found += revokes(before, after, Revoke)
    return tuple(found)


def _cards(event: Play | Trick) -> int:
    """Return how many cards each player laid in a trick."""
    return event.cards if isinstance(event, Trick) else len(event.cards)


def _round(after: State) -> Iterator[CountedAction]:
    tally, number = after.tallies[-1], len(after.rounds)
    prices = tuple(price or 0 for price in tally.prices)
    yield from by_seat(
        tricks=tally.tricks,
        aces=tally.aces,
        all=(tricks == HAND for tricks in tally.tricks),
        paid=prices,
        dearest=(0 < price == max(prices) for price in prices),
    )
    for alert in after.alerts:
        if isinstance(alert, Overbid) and alert.round == number:
            yield CountedAction("overbids", alert.player)


# How likely an event is


PAIRS = 0.5
"""Share of pairs among leads from a hand that holds one."""

FREELY = 0.5
"""Share of cards that follow among those of a hand that need not follow but can: a hidden card does."""

_PAIRS = tuple((one, other) for one in DECK for other in DECK if one.bit <= other.bit and one.rank == other.rank)
_FIRST_BIDS = (0.4, 0.3, 0.15, 0.1)
_RAISES = (0.75, 0.2)
_DEAR = 0.01

SLIP = 1e-4
"""Share of plays that do not follow though an open hand must."""

SMALL = 1e-9
"""Stands for a probability of 0 in divisions."""


def log_likelihood(state: State, event: Event) -> float:
    match event:
        case Bid(_, lot, price):
            standing = least_bid(state, lot)
            usual = _FIRST_BIDS if state.lots[lot] is None else _RAISES
            over = price - standing
            return log((usual[over] if over < len(usual) else _DEAR) / state.seats)
        case Play(player, cards):
            return logarithm(_laid(state, player, cards))
    return 0.0


def _laid(state: State, player: int, cards: tuple[Card, ...]) -> float:
    held = _held(state, player)
    if len(cards) == 1:
        return _single(state, player, cards[0], held)
    return _two(state, player, cards, held)


def _single(state: State, player: int, card: Card, held: dict[Card, float]) -> float:
    if not state.table:
        return (1 - PAIRS / 2) * held[card] / sum(held.values())
    led = state.table[0].cards
    right = sum(number for each, number in held.items() if each.suit is led[0].suit)
    other = sum(held.values()) - right
    share = _share_of_followers(state, player, led, right, other)
    if follows(led, (card,)):
        return share * held[card] / max(right, SMALL)
    return (1 - share) * held[card] / max(other, SMALL)


def _two(state: State, player: int, cards: tuple[Card, ...], held: dict[Card, float]) -> float:
    chance = {pair: _both(held, *pair) for pair in _PAIRS}
    one, other = sorted(cards, key=lambda card: card.bit)
    if not state.table:
        return PAIRS / 2 * chance[one, other] / max(sum(chance.values()), SMALL)
    led = state.table[0].cards
    right = sum(number for pair, number in chance.items() if follows(led, pair))
    share = _share_of_followers(state, player, led, right, 1.0)
    if follows(led, cards):
        return share * chance[one, other] / max(right, SMALL)
    whole = sum(held.values())
    return (1 - share) * _both(held, one, other) * 2 / max(whole * whole, SMALL)


def _both(held: dict[Card, float], one: Card, other: Card) -> float:
    if one is other:
        return max(0.0, held[one] - 1) if held[one] >= 1 else held[one] * held[one] / 4
    return min(1.0, held[one]) * min(1.0, held[other])


def _share_of_followers(state: State, player: int, led: tuple[Card, ...], right: float, other: float) -> float:
    """Return the probability that a play follows the lead."""
    if state.hands is not None and obliged(state.hands[player], led):
        return 1 - SLIP
    can = 1 - exp(-right)
    freely = (1 + FREELY) / 2 if state.hands is None else FREELY  # unknown open hands may have to follow
    return can * freely if other else 1.0


def _held(state: State, player: int) -> dict[Card, float]:
    """Return how many copies of each card a hand is expected to hold."""
    opens = state.hands if state.hands is not None else (0,) * state.seats
    hidden = state.left[player] - size(opens[player])
    known, own = state.laid + sum(opens), opens[player]  # no card is in more than two copies, so bags can be added
    pool = COPIES * len(DECK) - size(known)
    share = hidden / pool if pool else 0.0
    return {card: count(own, card) + share * (COPIES - count(known, card)) for card in DECK}


# Rules card


AUCTION = notes(
    N_("Auction"),
    N_("A held lot: bid higher"),
    N_("Pushed off: bid again once all have bid"),
    N_("Then all pay their bids"),
)
FOLLOWING = notes(
    N_("To follow"),
    N_("One card: the led colour"),
    N_("A pair: the led colours"),
    N_("Only open cards oblige"),
    N_("Else any, as many as led"),
)
WINNING = TextPage(
    Text(N_("To win")),
    (
        Text(N_("Highest that follows")),
        Text(N_("Of equals the later")),
        Text(N_("{ten} leads/follows: A {high}"), ten=TEN, high=HIGH_ACE),
        Text(N_("Two cards: two tricks")),
    ),
)


def rules_card(seats: int, rules: Rules) -> tuple[Table | TextPage, ...]:
    auction = (AUCTION,) if rules.auction else ()
    return _score(rules), _deal(seats, rules), *auction, FOLLOWING, WINNING


def _score(rules: Rules) -> Table:
    worth = (
        (Text(N_("A trick, {ace}"), ace=ACE), 1),  # an ace scores the same; a row of its own would not fit
        (Text(N_("Every {count} tricks"), count=MANY), 1),
        (Text(N_("Last trick")), LAST),
        (Text(N_("All {count} tricks"), count=HAND), ALL),
    )
    ending = rules.ending
    title = Text(N_("Score, to {target}"), target=ending.target)
    if isinstance(ending.rounds, int):
        title = Text(NN_("Score, {count} round", "Score, {count} rounds"), count=ending.rounds)
    return named_table(title, [(name, f"+{more}") for name, more in worth])


def _deal(seats: int, rules: Rules) -> Table:
    rows = [
        (Text(N_("Hidden cards")), HAND - OPEN),
        (Text(N_("Open cards")), OPEN),
        (Text(N_("Points at first")), POINTS),
    ]
    if rules.auction:
        rows.insert(2, (Text(N_("Lots")), seats))
    return named_table(Text(N_("{count} players"), count=seats), rows)
