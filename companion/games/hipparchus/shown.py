"""What Hipparchus shows: views, outcomes, scores, events in words, the rules card; what it counts, what is likely.

Captured cards are counted when their round ends, from its piles, so that they are right however it was entered. Tricks
are counted at the entry that ends them; a round entered as a whole does not tell them. How likely an event is assumes
that people choose at random among the cards they may lay.
"""

from __future__ import annotations

from companion.core.game import (
    CardSound,
    CountedAction,
    Event,
    EventOutcome,
    GameView,
    Headline,
    Piles,
    Start,
    Table,
    TextPage,
)
from companion.core.text import N_, Glyph, Seat, Text, joined
from companion.games.kit import (
    PTS,
    Columns,
    by_seat,
    gain,
    named_table,
    notes,
    round_columns,
    score_table,
    seat_table,
    who_won,
)
from companion.games.kit.rounds import CARDS_HELD, ROW_HELP
from companion.games.kit.tricks import ShownTrick, event_outcome, holds, laid_as, logarithm, places, round_and_trick

from .rules import (
    DEALT,
    HAND,
    IN_SUIT,
    MOST,
    PLACE,
    SUIT_NAMES,
    SUITS,
    WINS,
    Both,
    Counts,
    End,
    LaidCards,
    Play,
    Round,
    Rules,
    State,
    Stuck,
    SuitName,
    Trick,
    cards_text,
    tied,
)

WINNER = Glyph("winner")


def view(state: State, trick: ShownTrick[LaidCards] | None = None) -> GameView:
    """Return the game view: captured cards, the current trick, and the cards left by seat."""
    trick = trick or ShownTrick(state.table, state.leader)
    sign = None
    if state.table:
        led = SUITS[PLACE[state.table[0].suit]]
        sign = Headline(led.sign, led.label, led.colour)
    ours, theirs = state.wins
    status = Text("{ours}:{theirs}", ours=ours, theirs=theirs)
    piles = Piles(tuple(suit.sign for suit in SUITS), state.captured)
    seats = places(
        2,
        lambda seat: joined(_cards(laid.suit, laid.count) for laid in trick.table if laid.player == seat),
        lambda seat: Text("{left}", left=state.left[seat]) if state.known else Text(""),
        trick,
    )
    return GameView(sign, status, (), seats, piles, trick.result, SUITS)


def _cards(suit: SuitName, count: int) -> Text:
    return Text("{count}{suit}", count=count, suit=SUITS[PLACE[suit]].sign)


def _trick(counts: Counts) -> Text:
    return joined(
        Text("{count}{suit}", count=count, suit=suit.sign) for suit, count in zip(SUITS, counts, strict=True) if count
    )


def outcome(before: State, event: Event, after: State) -> EventOutcome:
    laid = _laid_as(before, event)
    if len(after.rounds) > len(before.rounds):
        finished = _finished(before, event, after, after.sheets[-1])
        return EventOutcome(_tie(after), _result(after), won=True, finished=finished, laid_as=laid)
    if after.captured == before.captured:
        return EventOutcome(laid_as=laid)
    finished = _finished(before, event, after, after.captured)
    return event_outcome(before, after, (_taken(before, after.captured),), finished, won=True, laid_as=laid)


def _laid_as(before: State, event: Event) -> CardSound | None:
    """Return what kind of play was laid. A reply of another suit is legal, and decided by the piles."""
    if not isinstance(event, Play):
        return None
    return laid_as(not before.table, bool(before.table) and event.suit == before.table[0].suit)


def _finished(before: State, event: Event, after: State, captured: Both) -> GameView | None:
    """Return the view of the trick that a play has ended; None if it was entered as a whole."""
    if not isinstance(event, Play):
        return None
    table = (*before.table, LaidCards(event.player, event.suit, event.count))
    return view(after, ShownTrick(table, before.leader, _winner(before, captured), _taken(before, captured)))


def _winner(before: State, captured: Both) -> Seat:
    """Return the seat whose captured pile has grown."""
    return Seat(captured[1] != before.captured[1])


def _taken(before: State, captured: Both) -> Text:
    """Return the sentence that says who captured which cards."""
    seat = _winner(before, captured)
    taken = tuple(now - then for now, then in zip(captured[seat], before.captured[seat], strict=True))
    return Text(N_("{player} takes {cards}"), player=seat, cards=_trick(taken))


def _tie(after: State) -> tuple[Text, ...]:
    """Return the sentence on the tie-break of a round; empty if the points did not tie."""
    if not tied(after.sheets[-1]):
        return ()
    return (Text(N_("A tie: {player} laid second"), player=Seat(after.rounds[-1].winner)),)


def _result(after: State) -> Table:
    """Return the table of the round that has just ended."""
    result = after.rounds[-1]
    won = Text(N_("{player} wins R{round}"), round=len(after.rounds), player=Seat(result.winner))
    columns: Columns = (
        *((suit.sign, counts) for suit, counts in zip(SUITS, zip(*after.sheets[-1], strict=True), strict=True)),
        (PTS, [gain(points) for points in result.points]),
        (Text(N_("won")), after.wins),
    )
    return seat_table(who_won(after.winners, won), columns, (result.winner,))


def score_sheet(state: State) -> Table:
    """Return the score sheet: points and winner of each finished round, and rounds won."""
    rounds = [
        [
            Text("{winner}{points}", winner=WINNER if result.winner == seat else "", points=result.points[seat])
            for seat in (0, 1)
        ]
        for result in state.rounds
    ]
    columns = [*round_columns(rounds), (Text(N_("won")), state.wins)]
    return score_table(state, columns)


def moment(state: State) -> Text:
    return Text(N_("round {round}"), round=state.round)


def short_moment(state: State) -> Text:
    """Return the round and, once it is known who leads, the trick, short."""
    return round_and_trick(state.round, None if state.leader is None else state.trick)


def describe(event: Event) -> Text:
    match event:
        case Start(player):
            return Text(N_("{player} starts"), player=Seat(player))
        case Play(player, suit, count):
            return Text(N_("{cards}, {player}"), cards=cards_text(count, suit), player=Seat(player))
        case Stuck(player):
            return Text(N_("{player} is stuck"), player=Seat(player))
        case Trick(winner, captured):
            return joined((Text(N_("Trick: {player}"), player=Seat(winner)), _trick(captured.counts)))
        case End():
            return Text(N_("Round over"))
        case Round(piles):
            figures = " ".join("/".join(map(str, pile.counts)) for pile in piles)
            return Text(N_("R: {figures}"), figures=figures)
    raise TypeError(f"not an event of Hipparchus: {event!r}")


KEYS = (
    Text(N_("123={sun} 456={moon} 789={earth}"), sun=SUITS[0], moon=SUITS[1], earth=SUITS[2]),
    Text(N_("2 = 2 {sun}   6 = 3 {moon}"), sun=SUITS[0], moon=SUITS[1]),
    Text(N_("D = stuck, the round ends")),
    Text(N_("Quick: lead, reply")),
    Text(N_("Quick D: the round is over")),
    Text(N_("Quick D, next: who won")),
    Text(N_("Rounds: captured by suit")),
    ROW_HELP,
    CARDS_HELD,
)
"""Help lines: how entries are typed."""


# What players did


ACTIONS = {
    "tricks": Text(N_("Tricks")),
    **{suit.name: suit.label for suit in SUITS},
    "ties": Text(N_("Ties won")),
    "stuck": Text(N_("Stuck")),
}
"""The name of each counted action.

- ``tricks``: tricks won.
- ``sun``, ``moon``, ``earth``: captured cards.
- ``ties``: rounds won though the points tied.
- ``stuck``: rounds that ended because the player could lay nothing.
"""


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    ends = len(after.rounds) > len(before.rounds)
    captured = after.sheets[-1] if ends else after.captured
    if isinstance(event, Play | Trick) and captured != before.captured:
        found.append(CountedAction("tricks", int(captured[1] != before.captured[1])))
    elif isinstance(event, Stuck):
        found.append(CountedAction("stuck", event.player))
    if ends:
        found += by_seat(**dict(zip(SUIT_NAMES, zip(*captured, strict=True), strict=True)))
        if tied(captured):
            found.append(CountedAction("ties", after.rounds[-1].winner))
    return tuple(found)


# How likely an event is


FEWEST = 0.25
"""Share of plays of as few cards as possible, besides those that are so by chance."""


def log_likelihood(state: State, event: Event) -> float:
    match event:
        case Play(player, suit, count):
            chances = _chances(state, player)
            whole = sum(chances.values())
            fewest = sum(chance for (_place, number), chance in chances.items() if number == 1)
            share = (1 - FEWEST) * chances.get((PLACE[suit], count), 0.0) / whole
            if count == 1:
                share += FEWEST * chances.get((PLACE[suit], count), 0.0) / fewest
            return logarithm(share * (1 - _stuck(chances)))
        case Stuck(player):
            return logarithm(_stuck(_chances(state, player)))
    return 0.0


def _chances(state: State, player: int) -> dict[tuple[int, int], float]:
    """Return the probability that a hand can lay each suit and number, but for the one that was led."""
    shown = state.shown
    unseen = len(SUIT_NAMES) * IN_SUIT - sum(shown)
    hand = min(state.left[player], HAND)
    led = {(PLACE[laid.suit], laid.count) for laid in state.table}
    return {
        (place, count): holds(unseen, IN_SUIT - shown[place], hand, count)
        for place in range(len(SUIT_NAMES))
        for count in range(1, MOST + 1)
        if (place, count) not in led and count <= min(IN_SUIT - shown[place], hand)
    }


def _stuck(chances: dict[tuple[int, int], float]) -> float:
    none = 1.0
    for chance in chances.values():
        none *= 1 - chance
    return max(none, 1e-3)


# Rules card


PLAY = TextPage(
    Text(N_("A play")),
    (
        Text(N_("The hand is never sorted")),
        Text(N_("Side by side: a block")),
        Text(N_("Up to {most}: the whole block"), most=MOST),
        Text(N_("From {more} on: {least} to {most} of it"), more=MOST + 1, least=1, most=MOST),
    ),
)
FOLLOWING = notes(
    N_("To follow"), N_("Led suit: another number"), N_("Else another suit, any number"), N_("Stuck: the round is over")
)
TRICK = notes(
    N_("A trick"), N_("Same suit, not as many: more cards win."), N_("Other suit: less taken of own; equal: 2nd.")
)
SCORE = notes(N_("Score"), N_("Who has more of a suit gets what the other has."), N_("A tie: 2nd of last trick"))


def rules_card(_seats: int, _rules: Rules) -> tuple[Table | TextPage, ...]:
    rows = (
        (Text(N_("Cards in hand")), HAND),
        (Text(N_("Each suit")), IN_SUIT),
        (Text(N_("Not dealt")), len(SUITS) * IN_SUIT - DEALT),
        (Text(N_("Laid at once")), Text("{least}–{most}", least=1, most=MOST)),
    )
    deal = named_table(Text(N_("First to {count} rounds"), count=WINS), rows)
    return deal, PLAY, FOLLOWING, TRICK, SCORE
