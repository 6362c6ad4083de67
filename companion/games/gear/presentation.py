"""Views of Gear for the panel: game view, outcome of an event, score sheet, alerts, events in words."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from companion.core.game import CardSound, Event, EventOutcome, GameView, Headline, Start, Table
from companion.core.text import N_, NC_, Glyph, Seat, Text, joined
from companion.games.kit import Columns, gain, new_alerts, outcome, round_columns, seat_table, slashed
from companion.games.kit.rounds import ROW_HELP
from companion.games.kit.tricks import gainer, laid_as, places, trick_report

from .cards import HAND, POINTS, SUITS
from .events import Bid, DealLots, Play, Prices, Round, Trick
from .legal_plays import follows, winning
from .state import Alert, LaidCards, Overbid, State

ACE = Glyph("ace")
COIN = Glyph("coin")
MIXED = (255, 140, 120)
"""Lamp colour when a red and a black card are led together."""


def face(state: State) -> GameView:
    """Return the game view: led colour, rank to beat, and a line for each seat."""
    return _view(state, state.table, state.leader)


def _view(
    state: State,
    table: tuple[LaidCards, ...],
    leader: int | None,
    winner: int | None = None,
    outcome: Text | None = None,
) -> GameView:
    status = Text(N_("R{round}"), round=state.round)
    if state.phase == "play":
        card = HAND - max(state.left) + 1  # seats that have already laid in this trick hold fewer
        status = Text(N_("R{round} {card}/8"), round=state.round, card=card)
    laid = {each.player: each.cards for each in table}
    seats = places(
        state.seats,
        lambda seat: joined((card.sign for card in laid.get(seat, ())), ""),
        lambda seat: _bid(state, seat) if state.phase == "auction" else _figures(state, seat),
        leader,
        winner,
    )
    return GameView(_headline(state), status, (), seats, result=outcome, suits=SUITS)


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


def report(before: State, event: Event, after: State) -> EventOutcome:
    return replace(_told(before, event, after), laid_as=_laid_as(before, event))


def _laid_as(before: State, event: Event) -> CardSound | None:
    """Return what kind of play was laid. A play that does not match the lead cannot win and counts as off suit."""
    if not isinstance(event, Play):
        return None
    return laid_as(not before.table, bool(before.table) and follows(before.table[0].cards, event.cards))


def _told(before: State, event: Event, after: State) -> EventOutcome:
    """Return the outcome without the kind of card."""
    new = new_alerts(before.alerts, after.alerts, _alert)
    if len(after.rounds) > len(before.rounds):
        finished = _finished(before, event, after, after.tallies[-1].tricks)
        return replace(trick_report(new, finished), table=_result(after))
    if before.phase == "auction":
        return EventOutcome((*new, *_bidding(before, event, after)), alert=bool(new))
    if sum(after.tricks) == sum(before.tricks):
        return EventOutcome(new, alert=bool(new))
    winner, count = _trick_winner(before, after.tricks)
    won = N_("{player} wins two tricks") if count == 2 else N_("{player} wins the trick")
    return trick_report(new, _finished(before, event, after, after.tricks), (Text(won, player=winner),))


def _finished(before: State, event: Event, after: State, tricks: tuple[int, ...]) -> GameView | None:
    """Return the view of the trick that a play has ended; None if the trick was entered as a whole."""
    if not isinstance(event, Play):
        return None
    winner, count = _trick_winner(before, tricks)
    outcome = Text(N_("Two tricks: {player}") if count == 2 else N_("Trick: {player}"), player=winner)
    table = (*before.table, LaidCards(event.player, event.cards))
    return _view(after, table, before.leader, winner, outcome)


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


def _outcome(after: State, running: Text) -> Text:
    if after.teams is not None and after.winners is not None and len(after.winners) == 2:
        one, other = after.winners
        return Text(N_("{one} and {other} win"), one=Seat(one), other=Seat(other))
    return outcome(after.winners, running)


def _result(after: State) -> Table:
    """Return the table of the round that has just ended."""
    tally = after.tallies[-1]
    columns: Columns = (
        (Text(N_("tr")), tally.tricks),
        (ACE, tally.aces),
        *((COIN, tally.prices),) * after.rules.auction,
        (Text(N_("pts")), [gain(points) for points in after.rounds[-1]]),
        ("=", after.totals),  # short, so that all five columns fit beside the names
    )
    return seat_table(_outcome(after, Text(N_("R{round} over"), round=len(after.rounds))), columns, after.winners)


def sheet(state: State) -> Table:
    """Return the score sheet: points at first, finished rounds, prices paid in the current one, totals, team totals."""
    columns = [(Text(NC_("points", "start")), (POINTS,) * state.seats), *round_columns(state.rounds)]
    if state.phase == "play" and state.rules.auction:
        columns.append((COIN, [-(price or 0) for price in state.prices]))
    columns.append((Text(N_("total")), state.totals))
    if state.teams is not None:
        columns.append((Text(N_("pair")), state.teams * 2))
    return seat_table(_outcome(state, Text(N_("Scores"))), columns, state.winners)


@lru_cache(maxsize=64)
def _alert(alert: Alert) -> Text:
    if isinstance(alert, Overbid):
        return Text(N_("R{round}: {player} bid above the points held"), round=alert.round, player=Seat(alert.player))
    return Text(
        N_("R{round}: {player} may have revoked, card {number}"),
        round=alert.round,
        player=Seat(alert.player),
        number=alert.card_no,
    )


def alerts(state: State) -> tuple[Text, ...]:
    return tuple(_alert(alert) for alert in state.alerts)


def moment(state: State) -> Text:
    """Return the position in the game in words: the trick; one of two cards each counts as two."""
    return Text(N_("trick {trick}"), trick=sum(state.tricks) + 1)


def short_moment(state: State) -> Text:
    """Return the round and, after the auction, the trick, short."""
    if state.phase != "play":
        return Text(N_("R{round}"), round=state.round)
    return Text(N_("R{round} T{trick}"), round=state.round, trick=sum(state.tricks) + 1)


def describe(event: Event) -> Text:
    match event:
        case Start(player):
            return Text(N_("{player} starts"), player=Seat(player))
        case DealLots():
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
