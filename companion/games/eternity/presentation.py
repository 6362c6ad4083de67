"""What Eternity shows: the trump and the columns, what just happened, the score sheet."""

from __future__ import annotations

from companion.core.events import Event, Start
from companion.core.game import Outcome
from companion.core.game_view import GameView, Headline, PileColumn, SeatLine, Table
from companion.core.text import N_, Glyph, Seat, Text, joined

from .cards import SUITS
from .events import Deal, Play, Pledge, Reveal, Round, Trick
from .state import Laid, Revoke, State, Tokens, forecast

PENINSULA = Glyph("peninsula")
TREE = Glyph("tree")
PLEDGED = Glyph("pledge")
WINNER = Glyph("winner")


def face(state: State) -> GameView:
    """Return the stage of the panel: trump, columns with the forecast, and every seat."""
    return _stage(state, _places(state, state.table, state.leader))


def _stage(state: State, places: tuple[SeatLine, ...], outcome: Text | None = None) -> GameView:
    more = forecast(state.columns, state.rules.left_to_right())
    columns = tuple(
        PileColumn(SUITS[place].sign, len(state.columns[place]), more[place]) for place in state.rules.left_to_right()
    )
    trump = state.trump
    sign = None if trump is None else Headline(trump.sign, trump.label, trump.colour)
    status = Text(N_("R{round} T{trick}"), round=state.round, trick=state.trick)
    return GameView(sign, status, columns, places, outcome=outcome)


def _places(
    state: State, table: tuple[Laid, ...], leader: int | None, winner: int | None = None
) -> tuple[SeatLine, ...]:
    return tuple(
        SeatLine(
            joined(_laid(laid) for laid in table if laid.player == seat),
            Text(
                "{tricks}{peninsula}{trees}{tree}",
                tricks=state.tricks[seat],
                peninsula=PENINSULA,
                trees=state.trees[seat],
                tree=TREE,
            ),
            seat == leader,
            seat == winner,
        )
        for seat in range(state.seats)
    )


def _laid(laid: Laid) -> Text:
    return Text("{pledge}{card}", pledge=PLEDGED, card=laid.card.sign) if laid.pledge else laid.card.sign


def report(before: State, event: Event, after: State) -> Outcome:
    """Return what an event brought about."""
    alerts = tuple(_alert(alert) for alert in after.alerts if alert not in before.alerts)
    if len(after.rounds) > len(before.rounds):
        finished = _finished(before, event, after, after.sheets[-1][0])
        return Outcome(alerts, _result(after), bool(alerts), won=True, finished=finished)
    turned = _turned(before, after)
    if sum(after.tricks) == sum(before.tricks):
        return Outcome(alerts, alert=bool(alerts), turned=turned)
    finished = _finished(before, event, after, after.tricks)
    if finished is not None:
        return Outcome(alerts, alert=bool(alerts), won=True, turned=turned, finished=finished)
    trump = () if turned is None else (_trump(after),)
    won = Text(N_("{player} wins trick {trick}"), player=_winner(before, after.tricks), trick=before.trick)
    return Outcome((*alerts, *trump, won), alert=bool(alerts), won=True, turned=turned)


def _finished(before: State, event: Event, after: State, tricks: tuple[int, ...]) -> GameView | None:
    """Return the stage with the trick that a card has ended; None where the trick was entered as a whole."""
    if not isinstance(event, Play | Pledge):
        return None
    table = (*before.table, Laid(event.player, event.card, isinstance(event, Pledge)))
    winner = _winner(before, tricks)
    outcome = Text(N_("Trick: {player}"), player=winner)
    if _turned(before, after) is not None:
        outcome = joined((_trump(after), Text("{sign}{player}", sign=WINNER, player=winner)), "\N{EM SPACE}")
    return _stage(after, _places(after, table, before.leader, winner), outcome)


def _trump(after: State) -> Text:
    return Text(N_("Trump is now {suit}"), suit=after.trump)


def _winner(before: State, tricks: tuple[int, ...]) -> Seat:
    """Return who has won a trick more than before."""
    return Seat(next(seat for seat, won in enumerate(tricks) if won > before.tricks[seat]))


def _turned(before: State, after: State) -> int | None:
    """Return the place of the suit that has become trump, if one has."""
    return None if after.trump is before.trump or after.trump is None else SUITS.index(after.trump)


def _outcome(after: State) -> Text:
    if after.winners is None:
        return Text(N_("R{round} over"), round=len(after.rounds))
    if len(after.winners) == 1:
        return Text(N_("{player} wins the game"), player=Seat(after.winners[0]))
    return Text(N_("The win is shared"))


def _result(after: State) -> Table:
    """Return the figures of the round that has just ended."""
    tricks, trees = after.sheets[-1]
    points = after.rounds[-1]
    rows = tuple(
        (
            Text("{tricks}", tricks=tricks[seat]),
            Text("{trees}", trees=trees[seat]),
            Text("+{points}", points=points[seat]),
            Text("{total}", total=after.totals[seat]),
        )
        for seat in range(after.seats)
    )
    heads = (
        Text("{tricks}", tricks=PENINSULA),
        Text("{trees}", trees=TREE),
        Text(N_("pts")),
        Text(N_("total")),
    )
    return Table(_outcome(after), heads, rows, after.winners or ())


def sheet(state: State) -> Table:
    """Return the score sheet: the points of every finished round, and the totals."""
    heads = tuple(Text(N_("R{round}"), round=number + 1) for number in range(len(state.rounds)))
    rows = tuple(
        (
            *(Text("{points}", points=points[seat]) for points in state.rounds),
            Text("{total}", total=state.totals[seat]),
        )
        for seat in range(state.seats)
    )
    title = Text(N_("Scores")) if state.winners is None else _outcome(state)
    return Table(title, (*heads, Text(N_("total"))), rows, state.winners or ())


def _alert(alert: Revoke | Tokens) -> Text:
    if isinstance(alert, Tokens):
        return Text(N_("Round {round}: {out} trees are out, of 18"), round=alert.round, out=alert.out)
    return Text(
        N_("R{round} T{trick}: {player} revoked, {card} shows it"),
        round=alert.round,
        player=Seat(alert.player),
        trick=alert.trick,
        card=alert.card,
    )


def alerts(state: State) -> tuple[Text, ...]:
    """Return everything the table should know, in words."""
    return tuple(_alert(alert) for alert in state.alerts)


def moment(state: State) -> Text:
    """Return the trick of a state in words."""
    return Text(N_("trick {trick}"), trick=state.trick)


def describe(event: Event) -> Text:
    """Return an event in words, short enough for a line of the panel."""
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
            figures = " ".join(f"{won}/{pledged}" for won, pledged in zip(tricks, trees, strict=True))
            return Text(N_("R: {figures}"), figures=figures)
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
)
"""How entries are typed."""
