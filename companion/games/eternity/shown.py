"""What Eternity shows: views, outcomes, scores, events in words, the rules card; what it counts, what is likely.

Tricks and trees are counted when their round ends, from its sheet, so that they are right however it was entered. What
a sheet does not know is counted at the entry that shows it: pledged cards, trump changes, revokes. How likely an event
is assumes that people are honest and choose at random among the cards they may lay.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import log

from msgspec import UnsetType

from companion.core.cards import Card, Suit
from companion.core.game import (
    CardSound,
    CountedAction,
    Event,
    EventOutcome,
    GameView,
    Headline,
    PileColumn,
    Start,
    Table,
    TextPage,
)
from companion.core.text import N_, Glyph, Seat, Text, joined
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
from companion.games.kit.tricks import (
    IMPOSSIBLE,
    Revoke,
    ShownTrick,
    event_outcome,
    gainer,
    lacks,
    laid_as,
    logarithm,
    places,
    round_and_trick,
)

from .rules import (
    DECK,
    SUITS,
    TOKENS,
    Deal,
    LaidCard,
    Play,
    Pledge,
    Reveal,
    Round,
    Rules,
    State,
    Trick,
    bonus,
    columns_with,
    forecast,
    pledges_in_trick,
    trees_on,
    tricks_in_round,
    trump_of,
)

PENINSULA = Glyph("peninsula")
TREE = Glyph("tree")
PLEDGED = Glyph("pledge")
WINNER = Glyph("winner")


def view(state: State, trick: ShownTrick[LaidCard] | None = None) -> GameView:
    """Return the game view: trump, columns with the forecast, and a line for each seat."""
    trick = trick or ShownTrick(state.table, state.leader)
    order = state.rules.left_to_right()
    more = forecast(state.columns, order)
    columns = tuple(PileColumn(SUITS[place].sign, len(state.columns[place]), more[place]) for place in order)
    trump = state.trump
    sign = None if trump is None else Headline(trump.sign, trump.label, trump.colour, trump=True)
    figures = "{tricks}{peninsula}{trees}{tree}"
    seats = places(
        state.seats,
        lambda seat: joined(_laid(laid) for laid in trick.table if laid.player == seat),
        lambda seat: Text(figures, tricks=state.tricks[seat], peninsula=PENINSULA, trees=state.trees[seat], tree=TREE),
        trick,
    )
    status = round_and_trick(state.round, state.trick)
    return GameView(sign, status, columns, seats, result=trick.result, suits=SUITS)


def _laid(laid: LaidCard) -> Text:
    return Text("{pledge}{card}", pledge=PLEDGED, card=laid.card.sign) if laid.pledge else laid.card.sign


def outcome(before: State, event: Event, after: State) -> EventOutcome:
    laid, turned = _laid_as(before, event), _turned(before, after)
    if len(after.rounds) > len(before.rounds):
        finished = _finished(before, event, after, after.sheets[-1][0])
        return event_outcome(before, after, (), finished, table=_result(after), won=True, laid_as=laid)
    if sum(after.tricks) == sum(before.tricks):
        shown = (_shown(event.shown),) if isinstance(event, Deal) and event.shown else ()
        return event_outcome(before, after, shown, new_trump=turned, laid_as=laid)
    trump = () if turned is None else (_trump(after),)
    won = Text(N_("{player} wins trick {trick}"), player=gainer(before.tricks, after.tricks), trick=before.trick)
    finished = _finished(before, event, after, after.tricks)
    return event_outcome(before, after, (*trump, won), finished, won=True, new_trump=turned, laid_as=laid)


def _laid_as(before: State, event: Event) -> CardSound | None:
    """Return what kind of card was laid. A trump on another suit's lead is off suit, too."""
    if not isinstance(event, Play | Pledge):
        return None
    follows = bool(before.table) and event.card.suit is before.table[0].card.suit
    return laid_as(not before.table, follows, isinstance(event, Pledge))


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
    result = Text(N_("Trick: {player}"), player=winner)
    if _turned(before, after) is not None:
        result = joined((_trump(after), Text("{sign}{player}", sign=WINNER, player=winner)), "\N{EM SPACE}")
    return view(after, ShownTrick(table, before.leader, winner, result))


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
        (PTS, [gain(points) for points in after.rounds[-1]]),
        (TOTAL, after.totals),
    )
    return round_table(after, columns)


def score_sheet(state: State) -> Table:
    """Return the score sheet: points of each finished round, and totals."""
    return score_table(state, [*round_columns(state.rounds), (TOTAL, state.totals)])


def short_moment(state: State) -> Text:
    """Return the round and, once cards are laid, the trick, short."""
    return round_and_trick(state.round, None if state.phase in ("start", "deal") else state.trick)


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


# What players did


ACTIONS = {
    "tricks": Text(N_("Tricks")),
    "trees": Text(N_("Trees")),
    "kept": Text(N_("Pledges kept")),
    "scored": Text(N_("Trees scored")),
    "lost": Text(N_("Trees lost")),
    "pledges": Text(N_("Cards pledged")),
    "bids": Text(N_("Trump bids")),
    "changes": Text(N_("Trump changes")),
    "revokes": Text(N_("Revokes")),
}
"""The name of each counted action.

- ``tricks``, ``trees``: tricks won and trees pledged.
- ``kept``: rounds in harmony: as many tricks as trees, also none of both.
- ``scored``, ``lost``: trees of rounds with at least as many tricks, and with fewer.
- ``pledges``: cards pledged.
- ``bids``: cards pledged in a suit that was not trump, for which the panel forecast how many more make it trump.
- ``changes``: bids whose suit became trump when their trick ended: forecasts that came true. A change that the neutral
  pair alone would have made counts for nobody.
- ``revokes``: possible revokes that were reported.
"""


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    if isinstance(event, Pledge):
        found += _counted_pledges(before, ((event.player, event.card),))
    elif isinstance(event, Trick):
        found += _counted_pledges(before, _pledged(before, event))
    if len(after.rounds) > len(before.rounds):
        tricks, trees = after.sheets[-1]
        sheet = [*zip(tricks, trees, strict=True)]
        found += by_seat(
            tricks=tricks,
            trees=trees,
            kept=(won == pledged for won, pledged in sheet),
            scored=(pledged if won >= pledged else 0 for won, pledged in sheet),
            lost=(pledged if won < pledged else 0 for won, pledged in sheet),
        )
    elif after.trump is not before.trump and before.trump is not None:
        found += _changes(before, event, after)
    if not isinstance(event, Round):
        found += revokes(before, after, Revoke)
    return tuple(found)


def _counted_pledges(before: State, pledged: tuple[tuple[int, Card], ...]) -> Iterator[CountedAction]:
    for player, card in pledged:
        yield CountedAction("pledges", player)
        if card.suit is not before.trump:
            yield CountedAction("bids", player)


def _pledged(before: State, event: Event) -> tuple[tuple[int, Card], ...]:
    if isinstance(event, Trick):
        return tuple((pledge.player, pledge.card) for pledge in event.pledges)
    earlier = tuple((laid.player, laid.card) for laid in before.table if laid.pledge)
    return (*earlier, (event.player, event.card)) if isinstance(event, Pledge) else earlier


def _changes(before: State, event: Event, after: State) -> Iterator[CountedAction]:
    """Yield the bids that made the new trump."""
    if before.pair and trump_of(before.rules, columns_with(before.columns, before.pair)) is after.trump:
        return
    for player, card in _pledged(before, event):
        if card.suit is after.trump:
            yield CountedAction("changes", player)


# How likely an event is


PLEDGES = 0.3
"""Share of pledges among cards that may be pledged."""

_CARDS = {suit: sum(card.bit for card in DECK if card.suit is suit) for suit in SUITS}
_HAND_OF_TWO = 14


def log_likelihood(state: State, event: Event) -> float:
    match event:
        case Play(player, card):
            return _likelihood_of_card(state, player, card, pledged=False)
        case Pledge(player, card):
            return _likelihood_of_card(state, player, card, pledged=True)
        case Deal() | Reveal():
            return -2 * log(len(DECK) - state.seen.bit_count())
    return 0.0


def _likelihood_of_card(state: State, player: int, card: Card, *, pledged: bool) -> float:
    """Return the logarithm of the probability that a player lays a card."""
    suit, led = card.suit, state.table[0].card.suit if state.table else None
    lacking = [{suit for doubt in doubts for suit in doubt.suits} for doubts in state.doubts]
    if suit in lacking[player]:
        return IMPOSSIBLE
    hands = _hands(state)
    unseen = ~state.seen
    left = {each: (cards & unseen).bit_count() for each, cards in _CARDS.items()}
    nowhere = max(0, sum(left.values()) - sum(hands))  # cards that nobody holds

    def places(of: Suit) -> int:
        """Return how many places the unseen cards of a suit can be in: hands not known to lack it, or no hand."""
        return nowhere + sum(hand for hand, without in zip(hands, lacking, strict=True) if of not in without)

    def void(of: Suit) -> float:
        """Return the probability that the hand holds none of a suit."""
        return 1.0 if of in lacking[player] else lacks(max(places(of), left[of]), left[of], hands[player])

    chance = 0.0
    if led is not None and state.pledges_left:
        chance = log(PLEDGES if pledged else 1 - PLEDGES)
    if pledged or led is None:  # any card of the hand
        whole = sum(left[each] / places(each) for each in SUITS if left[each] and each not in lacking[player])
        return chance - log(places(suit) * whole)
    if suit is led:
        return chance + logarithm((1 - void(led)) / left[suit])
    if state.trump in (led, None):
        return chance + logarithm(void(led) / (sum(left.values()) - left[led]))
    no_trump = void(state.trump)
    return chance + logarithm(void(led) * (1 - no_trump if suit is state.trump else no_trump) / left[suit])


def _hands(state: State) -> list[int]:
    if state.seats == 2:
        hands = [_HAND_OF_TWO - 2 * (state.trick - 1)] * 2
    else:
        hands = [tricks_in_round(state.seats) - (state.trick - 1)] * state.seats
    for laid in state.table:
        hands[laid.player] -= 1
    return hands


# Rules card


BEGINNING = 2
"""Number of cards dealt to the columns first."""

TRUMP = notes(
    N_("Trump"),
    N_("Most cards in its column"),
    N_("A tie: the leftmost tile"),
    N_("New after every trick"),
    N_("+2: trump with 2 more"),  # the figure beside a column on the panel
)
TRICK = notes(
    N_("A trick"),
    N_("First: the led suit"),
    N_("without it: trump"),
    N_("no trump: any card"),
    N_("First card: no pledge"),
)


def rules_card(seats: int, rules: Rules) -> tuple[Table | TextPage, ...]:
    """Return the pages of the rules card for a number of seats and the rules in force."""
    return _pledges_page(seats, rules), _deal(seats, rules), TRUMP, _leading(seats, rules), TRICK, _score(rules)


def _pledges_page(seats: int, rules: Rules) -> Table:
    """Return the page on pledges: value of the cards in trees, and pledges allowed in a trick."""
    suit = [card for card in DECK if card.suit is SUITS[0]]
    worth = [(trees, [card.rank for card in same]) for trees, same in groupby(suit, trees_on)]
    title = Text(N_("Pledges"))
    if rules.tokens == "limited":
        title = Text(N_("Pledges, of {count}{tree}"), count=TOKENS, tree=TREE)
    rows = [
        (Text("{least}–{most}", least=ranks[0], most=ranks[-1]), Text("{count}{sign}", count=trees, sign=TREE))
        for trees, ranks in worth
    ]
    most = Text("{count}{sign}", count=pledges_in_trick(seats), sign=PLEDGED)
    return named_table(title, [*rows, (Text(N_("Most in a trick")), most)])


def _deal(seats: int, rules: Rules) -> TextPage:
    tricks = tricks_in_round(seats)
    hand = tricks * 2 if seats == 2 else tricks  # two players lay two cards each in a trick
    lines = [
        Text(N_("{hand} cards, {tricks} tricks"), hand=hand, tricks=tricks),
        Text(N_("{count} to the columns"), count=BEGINNING),
    ]
    if seats == 2:
        lines.append(Text(N_("Later pairs: aside") if rules.neutral == "aside" else N_("Later pairs: columns")))
    if seats == 3:
        above = len(DECK) - seats * hand - BEGINNING
        lines.append(Text(N_("{count} above the tiles"), count=above))
    return TextPage(Text(N_("{count} players"), count=seats), tuple(lines))


def _leading(seats: int, rules: Rules) -> TextPage:
    lines = [Text(N_("Round 1: the wisest")), Text(N_("Next: winner of the last trick"))]
    if rules.edition == "fr":
        lines = [Text(N_("Round 1: the eldest")), Text(N_("Next: fewest points")), Text(N_("A tie: eldest of these"))]
    if seats == 2:
        lines.append(Text(N_("A trick: A, B, B, A")))
    return TextPage(Text(N_("Who leads first")), tuple(lines))


def _score(rules: Rules) -> Table:
    """Return the page on scoring by tricks and trees; in a game to a target only a round's best score."""
    rounds = rules.ending.rounds
    numbers = range(1, 2 if isinstance(rounds, UnsetType) else rounds + 1)
    heads = tuple(Text(N_("R{round}"), round=number) for number in numbers)
    title = Text(N_("Score"))
    if rules.target is not None:  # every round scores the same
        heads, title = (Text(""),), Text(N_("Score, to {target}"), target=rules.target)
    trees = Text("{sign}", sign=TREE)
    kept = tuple(Text("{sign}+{bonus}", sign=TREE, bonus=bonus(rules, number)) for number in numbers)
    rows = [kept, (trees,) * len(numbers), (Text("0"),) * len(numbers)]
    names = [Text(f"{{tricks}} {sign} {{trees}}", tricks=PENINSULA, trees=TREE) for sign in "=><"]
    if rules.target is not None:
        rows.append((Text("0"),))
        names.append(Text(N_("Not the round's best")))
    return Table(title, heads, tuple(rows), names=tuple(names))
