"""Views of Eternity for the panel: game view, outcome of an event, score sheet, alerts, events in words."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import CardSound, Event, EventOutcome, GameView, Headline, PileColumn, Start, Table
from companion.core.text import N_, Glyph, Seat, Text, joined
from companion.games.kit import Columns, gain, new_alerts, outcome, round_columns, seat_table, slashed
from companion.games.kit.rounds import ROW_HELP
from companion.games.kit.tricks import Revoke, gainer, laid_as, places, revoke_alert, trick_report

from .cards import SUITS
from .events import Deal, Play, Pledge, Reveal, Round, Trick
from .state import LaidCard, State, TokensExceededAlert, forecast

PENINSULA = Glyph("peninsula")
TREE = Glyph("tree")
PLEDGED = Glyph("pledge")
WINNER = Glyph("winner")


def face(state: State) -> GameView:
    """Return the game view: trump, columns with the forecast, and a line for each seat."""
    return _view(state, state.table, state.leader)


def _view(
    state: State,
    table: tuple[LaidCard, ...],
    leader: int | None,
    winner: int | None = None,
    outcome: Text | None = None,
) -> GameView:
    order = state.rules.left_to_right()
    more = forecast(state.columns, order)
    columns = tuple(PileColumn(SUITS[place].sign, len(state.columns[place]), more[place]) for place in order)
    trump = state.trump
    sign = None if trump is None else Headline(trump.sign, trump.label, trump.colour, trump=True)
    status = Text(N_("R{round} T{trick}"), round=state.round, trick=state.trick)
    figures = "{tricks}{peninsula}{trees}{tree}"
    seats = places(
        state.seats,
        lambda seat: joined(_laid(laid) for laid in table if laid.player == seat),
        lambda seat: Text(figures, tricks=state.tricks[seat], peninsula=PENINSULA, trees=state.trees[seat], tree=TREE),
        leader,
        winner,
    )
    return GameView(sign, status, columns, seats, result=outcome, suits=SUITS)


def _laid(laid: LaidCard) -> Text:
    return Text("{pledge}{card}", pledge=PLEDGED, card=laid.card.sign) if laid.pledge else laid.card.sign


def report(before: State, event: Event, after: State) -> EventOutcome:
    return replace(_told(before, event, after), laid_as=_laid_as(before, event))


def _laid_as(before: State, event: Event) -> CardSound | None:
    """Return what kind of card was laid. A trump on another suit's lead is off suit, too."""
    if not isinstance(event, Play | Pledge):
        return None
    follows = bool(before.table) and event.card.suit is before.table[0].card.suit
    return laid_as(not before.table, follows, isinstance(event, Pledge))


def _told(before: State, event: Event, after: State) -> EventOutcome:
    """Return the outcome without the kind of card."""
    new = new_alerts(before.alerts, after.alerts, _alert)
    if len(after.rounds) > len(before.rounds):
        finished = _finished(before, event, after, after.sheets[-1][0])
        return replace(trick_report(new, finished), table=_result(after))
    turned = _turned(before, after)
    if sum(after.tricks) == sum(before.tricks):
        shown = (_shown(event.shown),) if isinstance(event, Deal) and event.shown else ()
        return EventOutcome(new or shown, alert=bool(new), new_trump=turned)
    trump = () if turned is None else (_trump(after),)
    won = Text(N_("{player} wins trick {trick}"), player=gainer(before.tricks, after.tricks), trick=before.trick)
    return trick_report(new, _finished(before, event, after, after.tricks), (*trump, won), turned)


def _shown(cards: tuple[Card, ...]) -> Text:
    """Return the cards that lie open beside the columns, suit by suit."""
    suits = [sorted((card for card in cards if card.suit is suit), key=lambda card: card.rank) for suit in SUITS]
    groups = (
        Text("{suit}{ranks}", suit=of[0].suit.sign, ranks=joined(card.figure for card in of)) for of in suits if of
    )
    return Text(N_("Open: {cards}"), cards=joined(groups))


def _finished(before: State, event: Event, after: State, tricks: tuple[int, ...]) -> GameView | None:
    """Return the view of the trick that a card has ended; None if the trick was entered as a whole."""
    if not isinstance(event, Play | Pledge):
        return None
    table = (*before.table, LaidCard(event.player, event.card, isinstance(event, Pledge)))
    winner = gainer(before.tricks, tricks)
    outcome = Text(N_("Trick: {player}"), player=winner)
    if _turned(before, after) is not None:
        outcome = joined((_trump(after), Text("{sign}{player}", sign=WINNER, player=winner)), "\N{EM SPACE}")
    return _view(after, table, before.leader, winner, outcome)


def _trump(after: State) -> Text:
    return Text(N_("Trump is now {suit}"), suit=after.trump)


def _turned(before: State, after: State) -> int | None:
    """Return the index of the suit that has become trump, if the trump has changed."""
    return None if after.trump is before.trump or after.trump is None else SUITS.index(after.trump)


def _result(after: State) -> Table:
    """Return the table of the round that has just ended."""
    tricks, trees = after.sheets[-1]
    columns: Columns = (
        (PENINSULA, tricks),
        (TREE, trees),
        (Text(N_("pts")), [gain(points) for points in after.rounds[-1]]),
        (Text(N_("total")), after.totals),
    )
    return seat_table(
        outcome(after.winners, Text(N_("R{round} over"), round=len(after.rounds))), columns, after.winners
    )


def sheet(state: State) -> Table:
    """Return the score sheet: points of each finished round, and totals."""
    columns = [*round_columns(state.rounds), (Text(N_("total")), state.totals)]
    return seat_table(outcome(state.winners, Text(N_("Scores"))), columns, state.winners)


def _alert(alert: Revoke | TokensExceededAlert) -> Text:
    if isinstance(alert, TokensExceededAlert):
        return Text(N_("Round {round}: {out} trees are out, of 18"), round=alert.round, out=alert.out)
    return revoke_alert(alert)


def alerts(state: State) -> tuple[Text, ...]:
    """Return a sentence for each possible revoke and each excess of trees, the oldest first."""
    return tuple(_alert(alert) for alert in state.alerts)


def moment(state: State) -> Text:
    """Return the trick that is being played, in words."""
    return Text(N_("trick {trick}"), trick=state.trick)


def short_moment(state: State) -> Text:
    """Return the round and, once cards are laid, the trick, short."""
    if state.phase in ("start", "deal"):
        return Text(N_("R{round}"), round=state.round)
    return Text(N_("R{round} T{trick}"), round=state.round, trick=state.trick)


def describe(event: Event) -> Text:
    match event:
        case Start(player):
            return Text(N_("{player} starts"), player=Seat(player))
        case Deal((first, second), shown):
            more = f" +{len(shown)}" if shown else ""
            return Text(N_("Columns: {first} {second}{more}"), first=first.sign, second=second.sign, more=more)
        case Reveal((first, second)):
            return Text(N_("Neutral: {first} {second}"), first=first.sign, second=second.sign)
        case Play(player, card):
            return Text(N_("{card}, {player}"), player=Seat(player), card=card)
        case Pledge(player, card):
            return Text(N_("{pledge}{card}, {player}"), player=Seat(player), pledge=PLEDGED, card=card)
        case Trick(winner, pledges):
            signs = (Text("{pledge}{card}", pledge=PLEDGED, card=pledge.card.sign) for pledge in pledges)
            return joined((Text(N_("Trick: {player}"), player=Seat(winner)), *signs))
        case Round(tricks, trees):
            return Text(N_("R: {figures}"), figures=slashed(tricks, trees))
    raise TypeError(f"not an event of Eternity: {event!r}")


KEYS = (
    Text("A={sea} B={sky} C={earth}", sea=SUITS[0], sky=SUITS[1], earth=SUITS[2]),
    Text(N_("7 = the first 7 left, in the order shown below")),
    Text(N_("Led, trump, third; lacking suits last")),
    Text(N_("A7 = {sea} 7"), sea=SUITS[0]),
    Text(N_("A# = highest {sea} left"), sea=SUITS[0]),
    Text(N_("1# = 1   0 = 10")),
    Text(N_("D first: a pledge")),
    Text(N_("Quick: card, seat = pledge")),
    Text(N_("Quick: seat = winner")),
    ROW_HELP,
    Text(N_("By a name: tricks {peninsula}, trees {tree}"), peninsula=PENINSULA, tree=TREE),
)
"""Help lines: how entries are typed."""
