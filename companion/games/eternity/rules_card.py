"""Rules card of Eternity: value of pledges, deal, trump, who leads, following suit, score."""

from __future__ import annotations

from itertools import groupby

from msgspec import UnsetType

from companion.core.game import Table, TextPage
from companion.core.text import N_, Text
from companion.games.kit import named_table, notes

from .cards import DECK, SUITS, TOKENS, pledges_in_trick, trees_on, tricks_in_round
from .options import Rules
from .presentation import PENINSULA, PLEDGED, TREE
from .round_end import bonus

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


def card(seats: int, rules: Rules) -> tuple[Table | TextPage, ...]:
    """Return the pages of the rules card for a number of seats and the rules in force."""
    return _pledges(seats, rules), _deal(seats, rules), TRUMP, _leading(seats, rules), TRICK, _score(rules)


def _pledges(seats: int, rules: Rules) -> Table:
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
