"""Views of a declared game: the panel, an event's outcome, the score sheet, events in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

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
from companion.core.prompt import NOT_ASKED
from companion.core.text import N_, Seat, Text, joined
from companion.games.kit import PTS, TOTAL, Columns, gain, revokes, round_columns, round_table, score_table
from companion.games.kit import by_seat as counted_by_seat
from companion.games.kit.tricks import (
    Revoke,
    ShownTrick,
    event_outcome,
    laid_as,
    places,
    round_and_trick,
    winning,
)
from companion.games.toml_games.declaration import Answers, Declaration, End, Lead, Play, Trick, Trump
from companion.games.toml_games.file import Question, names_in
from companion.games.toml_games.formulas import Scope
from companion.games.toml_games.rules import after_trick, led, trump_of
from companion.games.toml_games.state import (
    LaidCard,
    RoundTricks,
    State,
    by_seat,
    declarers,
    declarers_of,
    laying,
    playing,
    scope,
    side_numbers,
)

from .asked_figures import seats_with_figure


def view(game: Declaration, state: State, trick: ShownTrick[LaidCard] | None = None) -> GameView:
    """Return the game view: the trump or led suit, and a line for each seat."""
    play = state.play
    trick = trick or (ShownTrick((), None) if play is None else ShownTrick(play.table, play.leader))
    laid = {each.player: each.card.sign for each in trick.table}
    lines = places(state.seats, lambda seat: laid.get(seat, Text("")), lambda seat: _figures(game, state, seat), trick)
    out = set(range(state.seats)) - set(playing(game, state) if play is None or not play.hand else laying(game, state))
    lines = tuple(replace(line, sits_out=seat in out) for seat, line in enumerate(lines))
    suits = () if game.trick_rules is None else tuple(game.trick_rules.suits)
    return GameView(
        _headline(game, state, trick.table), _status(game, state), (), lines, result=trick.result, suits=suits
    )


def _is_column(question: Question) -> bool:
    """Return whether each seat has a number of its own: a figure, or its place in an order."""
    return question.kind == "order" or (question.per in ("seat", "side") and question.kind == "number")


def _status(game: Declaration, state: State) -> Text:
    play = state.play
    if play is not None and (_has_begun(play) or (play.hand and state.given)):
        return round_and_trick(state.round, min(play.trick, play.hand))
    said = head(game, state)
    if said is not None:
        return said
    if state.dealer is not None and state.winners is None:
        return Text(N_("R{round} {player} deals"), round=state.round, player=Seat(state.dealer))
    return Text(N_("R{round}"), round=state.round)


def head(game: Declaration, state: State) -> Text | None:
    """Return the top line that a file says, while a round is played; None if it says none."""
    if state.winners is not None or state.phase == "start":
        return None
    figures = scope(game, state)
    text = next((each.text for each in game.heads if each.when.value(figures, 0)), game.head)
    named = {name: figures.figure(name, 0) for name in names_in(text, "player")}
    dealer = {} if state.dealer is None else {"player": Seat(state.dealer)}
    return None if text is None else Text(text, **named, **dealer)


def _has_begun(play: RoundTricks) -> bool:
    """Return whether a card of this round was laid; where figures alone are entered, none ever is."""
    return bool(play.hand) and (play.trick > 1 or bool(play.table))


def _headline(game: Declaration, state: State, table: tuple[LaidCard, ...]) -> Headline | None:
    suit = trump = trump_of(state)
    if trump is None and game.trick_rules is not None and state.play is not None:
        suit = led(replace(state.play, table=table))
    return None if suit is None else Headline(suit.sign, suit.label, suit.colour, trump=trump is not None)


def _figures(game: Declaration, state: State, seat: int) -> Text:
    """Return the figures of a seat in this round, such as tricks and bid; its total before any are known.

    In a game with sides a star marks who was named first in the round: the taker, the declarer.
    """
    shown = [
        column[seat]
        for question in game.questions
        if question.name in state.given and _is_column(question) and (column := _by_seat(game, state, question))
    ]
    play = state.play
    if play is not None and (_has_begun(play) or (shown and play.hand)) and game.trick_rules is not None:
        counted = game.trick_rules.answers
        won = play.points if "points" in counted.values() else play.tricks
        if state.given.keys().isdisjoint(counted):
            shown.insert(0, won[seat])
    figures = joined((Text("{figure}", figure=figure) for figure in shown or (state.totals[seat],)), "/")
    return Text("{figures}*", figures=figures) if seat in declarers_of(game, state.given) else figures


# What an event brought about


def outcome(game: Declaration, before: State, event: Event, after: State) -> EventOutcome:
    laid, finished = _laid_as(game, before, event), _finished(game, before, event, after)
    over = after.winners is not None
    paid = tuple(_in_words(*each) for each in payments(after.totals)) if over and game.end.pays else ()
    if len(after.rounds) > len(before.rounds):
        won = isinstance(event, Play | Trick)
        return event_outcome(before, after, paid, finished, table=_result(game, before, after), won=won, laid_as=laid)
    if isinstance(event, End):
        return EventOutcome(paid, score_sheet(game, after))
    if after.play is not None and before.play is not None and after.play.trick > before.play.trick:
        won_by = Text(N_("{player} wins trick {trick}"), player=Seat(after.play.leader or 0), trick=before.play.trick)
        return event_outcome(before, after, (won_by,), finished, won=True, laid_as=laid)
    turned = None
    trump = trump_of(after)
    if game.trick_rules is not None and trump is not None and trump is not trump_of(before):
        turned = game.trick_rules.suits.index(trump)
    return event_outcome(before, after, new_trump=turned, laid_as=laid)


def payments(totals: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the fewest payments after which all are even: who pays, who gets, and how much.

    >>> list(payments((30, -10, -20))), list(payments((5, 7, -5, -7))), list(payments((1, 0)))
    ([(2, 0, 20), (1, 0, 10)], [(2, 0, 5), (3, 1, 7)], [])
    """
    for group in _even_groups(totals, range(len(totals))) if sum(totals) == 0 else ():
        open_ = {seat: totals[seat] for seat in group}
        while any(open_.values()):
            payer, getter = min(open_, key=lambda seat: open_[seat]), max(open_, key=lambda seat: open_[seat])
            amount = min(-open_[payer], open_[getter])
            open_ |= {payer: open_[payer] + amount, getter: open_[getter] - amount}
            yield payer, getter, amount


def _even_groups(totals: Sequence[int], seats: Sequence[int]) -> list[tuple[int, ...]]:
    """Return as many groups as possible whose totals add up to 0: each needs a payment less than it has seats."""
    if not seats:
        return []
    first, others = seats[0], seats[1:]
    groups = (
        (first, *more)
        for size in range(len(others) + 1)
        for more in combinations(others, size)
        if totals[first] + sum(totals[seat] for seat in more) == 0
    )
    parted = ([group, *_even_groups(totals, [seat for seat in seats if seat not in group])] for group in groups)
    return max(parted, key=len)


def _in_words(payer: int, getter: int, amount: int) -> Text:
    return Text(N_("{player} pays {other}: {figure}"), player=Seat(payer), other=Seat(getter), figure=amount)


def _laid_as(game: Declaration, before: State, event: Event) -> CardSound | None:
    if not isinstance(event, Play) or game.trick_rules is None or before.play is None:
        return None
    suit = before.play.cards.order.suit_of(event.card, before.play.trump)
    return laid_as(not before.play.table, suit is not None and suit is led(before.play))


def _finished(game: Declaration, before: State, event: Event, after: State) -> GameView | None:
    """Return the view of the trick that a card has ended; None if none was."""
    play = before.play
    if not isinstance(event, Play) or play is None or game.trick_rules is None:
        return None
    if len(play.table) + 1 < len(laying(game, before)):
        return None
    table = (*play.table, LaidCard(event.player, event.card))
    order = play.cards.order
    winner = table[winning([laid.card for laid in table], play.trump, order)].player
    # the next round has begun where this trick was the last of one
    whole = replace(before, play=after_trick(game.trick_rules, replace(play, table=table), winner))
    shown = after if len(after.rounds) == len(before.rounds) else whole
    result = Text(N_("Trick: {player}"), player=Seat(winner))
    return view(game, shown, ShownTrick(table, play.leader, winner, result))


def _result(game: Declaration, before: State, after: State) -> Table:
    """Return the table of the round that has just ended; a star marks the declarer's side."""
    ended = _as_it_ended(before, after)
    columns: Columns = [
        (Text(question.label), figures)
        for question in game.questions
        if _is_column(question) and (figures := _by_seat(game, ended, question))
    ][-3:]
    declared = declarers(game, after)[-1]
    stars = ["*" if seat in declared else "" for seat in range(after.seats)]
    points: Columns = (
        (PTS, [gain(each) + star for each, star in zip(after.rounds[-1], stars, strict=True)]),
        (TOTAL, after.totals),
    )
    return round_table(after, (*columns, *_carried(game, after), *points), _losers(game, after), _partners(game))


def _by_seat(game: Declaration, state: State, question: Question) -> list[object]:
    """Return the figures of a column, with a dash for who was not asked; none if nobody was."""
    asked = seats_with_figure(game, state, question)
    figures = by_seat(game, question, state.seats, state.given.get(question.name))
    return [figure if seat in asked else NOT_ASKED for seat, figure in enumerate(figures)] if asked else []


def _carried(game: Declaration, state: State) -> Columns:
    """Return the columns of figures that are carried to the next round, if anybody has one."""
    carried = dict(zip(game.score.carry, state.carry, strict=True))
    return [(Text(label), carried[name]) for name, label in game.score.shown.items() if any(carried[name])]


def _losers(game: Declaration, state: State) -> list[int]:
    return [seat for seat in range(state.seats) if game.one_loses and seat not in (state.winners or ())]


def _partners(game: Declaration) -> bool:
    return game.sides == "partners"


def score_sheet(game: Declaration, state: State) -> Table:
    """Return the score sheet: points of each finished round, and totals."""
    columns = [
        *round_columns(state.rounds, declarers(game, state)),
        *_carried(game, state),
        (TOTAL, state.totals),
    ]
    return score_table(state, columns, _losers(game, state), _partners(game))


# In words

_FIGURES = ("number", "choice")
"""Kinds of questions whose answers are figures, not seats."""


def describe(game: Declaration, event: Event) -> Text:
    """Return an event in words."""
    question, said = game.events.questions.get(type(event)), game.said(event)
    if said is not None and question is not None:
        return described(question, said[question.name])
    if said is not None:
        return joined(_round_in_words(game, said), ", ")
    match event:
        case Start(player):
            return Text(N_("{player} deals"), player=Seat(player))
        case Play(player, card):
            return Text(N_("{card}, {player}"), player=Seat(player), card=card)
        case Trick(winner):
            return Text(N_("Trick: {player}"), player=Seat(winner))
        case Lead(player):
            return Text(N_("{player} leads"), player=Seat(player))
        case Trump(None):
            return Text(N_("No trump"))
        case Trump(str(name)) if game.trick_rules is not None:
            named = next((Text(each.named) for each in game.trick_rules.said.instead if each.named == name), name)
            return Text(N_("Trump: {suit}"), suit=game.trick_rules.suit(name) or named)
        case End():
            return Text(N_("The game is over"))
    raise TypeError(f"not an event of {game.name}: {event!r}")


def _round_in_words(game: Declaration, answers: Answers) -> Iterator[Text]:
    """Yield the answers of a round entered whole, without figures that nobody was asked for."""
    for question in game.questions:
        asked = _rows_asked(game, question, answers) if question.name in answers else set()
        if asked:
            yield described(question, answers[question.name], asked)


def _rows_asked(game: Declaration, question: Question, answers: Answers) -> Collection[int]:
    """Return which figures of an answer were asked for; where other figures decide, all of one that says anything."""
    answer = answers[question.name]
    everything = range(max(1, len(answer)))
    if question.when is None:
        return everything
    known = [each for each in game.questions if each.name in answers]
    by_each = [len(answers[each.name]) for each in known if each.per == "seat" and each.kind in _FIGURES]
    seats = max(by_each, default=game.seats[-1])
    try:
        figures = {each.name: by_seat(game, each, seats, answers[each.name]) for each in known}
        seen = Scope(seats, lambda: side_numbers(game, seats, answers), figures.__getitem__, game.define)
        # what is said of a table was asked there, so its options stand in no question's way
        needed = [part for part in question.when.conditions if not game.options.keys() >= part.names.keys()]
        asked = [seat for seat in range(seats) if all(part.value(seen, seat) for part in needed)]
    except LookupError:
        return everything if (any(answer) if question.kind in _FIGURES else answer) else ()
    if question.kind not in _FIGURES or question.per == "round" or question.name in game.stopping:
        return everything if asked else ()
    sides = side_numbers(game, seats)
    return asked if question.per == "seat" else {sides[seat] for seat in asked}


def described(question: Question, answer: tuple[int, ...], asked: Collection[int] | None = None) -> Text:
    """Return the answer to a question in words.

    Args:
        asked: Which of its figures were asked for; None for all.
    """
    label = Text(question.subject)
    if question.names_seats:
        named: object = joined(map(Seat, answer)) if answer else Text(question.nobody or N_("nobody"))
        return Text(N_("{label}: {player}"), label=label, player=named)
    labels, not_asked = {value: Text(word) for word, value in question.choices}, Text(NOT_ASKED)
    words = [
        labels.get(value, Text("{figure}", figure=value)) if asked is None or row in asked else not_asked
        for row, value in enumerate(answer)
    ]
    if question.kind == "choice" and len({*words}) == 1:
        words = words[:1]
    return Text(N_("{label}: {figures}"), label=label, figures=joined(words))


def moment(state: State) -> Text:
    """Return the point that a state is at, in words: the trick, or else the round."""
    if state.play is not None and state.play.hand:
        return Text(N_("trick {trick}"), trick=min(state.play.trick, state.play.hand))
    return Text(N_("round {round}"), round=state.round)


def short_moment(state: State) -> Text:
    """Return the point that a state is at, short enough for the end of a line."""
    play = state.play
    return round_and_trick(state.round, min(play.trick, play.hand) if play is not None and play.hand else None)


def rules_card(game: Declaration) -> tuple[TextPage, ...]:
    """Return the rules card: the file's lines, four a page."""
    lines = tuple(map(Text, game.card)) + ((Text(game.about),) if game.about else ())
    return tuple(TextPage(Text(game.title), lines[first : first + 4]) for first in range(0, len(lines), 4))


def counted_actions(game: Declaration, before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    """Return what players did in a round that has ended, and the revokes that an event has shown."""
    found: list[CountedAction] = []
    if isinstance(event, Play):
        found += revokes(before, after, Revoke)
    if len(after.rounds) > len(before.rounds):
        figures = scope(game, _as_it_ended(before, after))
        seats = range(after.seats)
        found += counted_by_seat(
            **{name: [each.count.value(figures, seat) for seat in seats] for name, each in game.counts.items()}
        )
    return tuple(each for each in found if each.amount)


def _as_it_ended(before: State, after: State) -> State:
    """Return the state before an event with the answers of the round that it has ended."""
    return replace(before, given=after.past[-1])
