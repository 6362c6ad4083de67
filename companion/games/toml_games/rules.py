"""The rules of a declared game: its start, play card by card, what an event does, the end of a round."""

from __future__ import annotations

from math import log
from typing import Any

from msgspec.structs import asdict, replace

from companion.core.cards import Card, Suit
from companion.core.game import Event, Start, check_seat, check_turn
from companion.core.text import N_, IllegalEventError, Seat, Text
from companion.games.kit import added, changed, check_trick_begins
from companion.games.kit.tricks import IMPOSSIBLE, LastTrick, doubted, lacks, led_suit, logarithm, proved, winning

from .asked_figures import answered, checked, settled, was_asked
from .cards import CardsOfRound, TrickRules
from .declaration import Answers, Declaration, End, Given, Lead, Play, Trick, Trump
from .file import Question
from .formulas import Formula
from .state import (
    LaidCard,
    RoundTricks,
    State,
    awaited,
    declarers_of,
    laying,
    playing,
    questions_under,
    scope,
    side_numbers,
    turn,
)


def next_phase(game: Declaration, state: State, question: Question) -> str:
    """Return what is awaited next: an answer to this question, the trump, who leads, or a card."""
    rules, play = game.trick_rules, state.play
    if rules is None:
        return "ask"
    if not _turned_first(rules, state) and not _is_played_for(game, rules, state, question):
        return "ask"
    asks_trump = rules.said.trump in ("asked", "suit", "turned") and (play is None or not play.trump_known)
    if asks_trump and not _cards(game, rules, state).said.trump:
        return "trump"
    if _leader(game, rules, state) is None:
        return "lead"
    return "play"


def _is_played_for(game: Declaration, rules: TrickRules, state: State, question: Question) -> bool:
    """Return whether cards answer a question of this round: not if it is passed out, or the table answers another."""
    if question.name not in rules.answers:
        return False
    if state.play is not None and state.play.hand:
        return True
    said = (each for each in game.questions if each.name in rules.answers and each.name in state.given)
    return was_asked(game, state, question) and not any(was_asked(game, state, each) for each in said)


def _turned_first(rules: TrickRules, state: State) -> bool:
    """Return whether the trump is turned up now, before any question of the round."""
    return rules.said.trump == "turned" and state.play is None and not state.entered


def begun(game: Declaration, state: State, phase: str = "trump") -> State:
    """Return the state with the tricks of this round begun; before a card, with hands, and the leader if known."""
    rules, play = game.trick_rules, state.play
    assert rules is not None  # only then is anything but an answer awaited
    if play is None:
        nobody = (0,) * state.seats
        doubts = ((),) * state.seats
        play = RoundTricks(cards=rules.rounds[0], trump=rules.fixed, tricks=nobody, points=nobody, doubts=doubts)
    if phase in ("lead", "play") and not play.hand:
        cards = _cards(game, rules, state) if play.cards is rules.rounds[0] else play.cards
        play = replace(
            play,
            hand=_hand(game, rules, state),
            leader=_leader(game, rules, state),
            cards=cards,
            trump=_trump(rules, state, play.trump, cards),
        )
    return replace(state, play=play)


def _cards(game: Declaration, rules: TrickRules, state: State) -> CardsOfRound:
    """Return the order and the points of the cards in this round."""
    usual, *instead = rules.rounds
    figures = scope(game, state)
    return next((each for each in instead if each.said.when and each.said.when.value(figures, 0)), usual)


def _trump(rules: TrickRules, state: State, known: Suit | None, cards: CardsOfRound) -> Suit | None:
    """Return the trump of a round: that of what holds instead, else that of a question, else the one that is known."""
    if cards.said.trump:
        return rules.suit(cards.said.trump)
    return rules.chosen(rules.said.trump, state.given) if rules.said.trump in state.given else known


def _hand(game: Declaration, rules: TrickRules, state: State) -> int:
    """Return how many cards each player got."""
    most = rules.cards(state.seats) // len(playing(game, state))
    hand = rules.said.hand
    return max(1, most if hand is None else min(most, hand.value(scope(game, state), 0)))


def _leader(game: Declaration, rules: TrickRules, state: State) -> int | None:
    """Return who leads the next trick; None if that is to be asked."""
    if state.play is not None and state.play.leader is not None:
        return state.play.leader
    if rules.said.lead == "dealer":
        return state.dealer
    if rules.said.lead == "left":
        return laying(game, state)[0]
    named = state.given.get(rules.said.lead)
    return named[0] if named else None


def apply_trump(game: Declaration, state: State, suit: str | None) -> State:
    """Return the state after the trump is named, or what is chosen in its place."""
    rules = game.trick_rules
    assert rules is not None  # only then is a trump awaited
    named = [each for each in rules.rounds if each.said.named == suit and suit is not None]
    if suit is not None and rules.suit(suit) is None and not named:
        raise IllegalEventError("suit", N_("there is no suit {suit}"), suit=suit[:20])
    state = begun(game, state)
    assert state.play is not None  # it has just begun
    trump = None if suit is None else rules.suit(suit)
    play = replace(state.play, trump=trump, trump_known=True, cards=named[0] if named else rules.rounds[0])
    return replace(state, entered=True, play=play)


def apply_lead(game: Declaration, state: State, player: int) -> State:
    if player not in laying(game, state):
        raise IllegalEventError("seat", N_("{player} does not play this round"), player=Seat(player))
    state = begun(game, state)
    assert state.play is not None  # it has just begun
    return replace(state, entered=True, play=replace(state.play, leader=player))


def lead_card(rules: TrickRules, seats: int) -> Card | None:
    """Return the card whose holder leads; where it is not in the deck, the lowest of its suit."""
    first, out = rules.lead_card, rules.without.get(seats, 0)
    if first is None or not first.bit & out:
        return first
    suit = [card for card in rules.deck.outside(out) if card.suit is first.suit]
    return min(suit, key=lambda card: card.rank, default=first)


def leads_first(rules: TrickRules, play: RoundTricks) -> bool:
    """Return whether the card that leads to the first trick is awaited."""
    return rules.lead_card is not None and play.trick == 1 and not play.table and play.cards_known


def why_not(game: Declaration, state: State, card: Card) -> IllegalEventError | None:
    """Return why a card cannot be laid now, or None."""
    rules, play = awaited(game, state)
    first = lead_card(rules, state.seats) if leads_first(rules, play) else None
    if first is not None:
        # a table may have taken another card out in its place
        wrong = card not in (first, rules.lead_card)
        return IllegalEventError("lead", N_("{card} leads to the first trick"), card=first) if wrong else None
    if card.bit & rules.without.get(state.seats, 0):
        return IllegalEventError("aside", N_("{card} is not in the deck at this table"), card=card)
    if card.bit & rules.gone(play.seen):
        return IllegalEventError("seen", N_("{card} was already seen in this round"), card=card)
    return None


def apply_play(game: Declaration, state: State, player: int, card: Card) -> State:
    rules, play = awaited(game, state)
    check_turn(player, turn(game, state), state.seats)
    wrong = why_not(game, state, card)
    if wrong is not None:
        raise wrong
    doubts, alerts, order = play.doubts, state.alerts, play.cards.order
    if rules.said.follow:
        suit = order.suit_of(card, play.trump)
        if not play.cards.is_kept(card, play.trump):
            revokes, doubts = proved(doubts, player, state.round, play.trick, card, suit)
            alerts += revokes
        if not play.cards.is_free(card, play.trump):
            doubts = doubted(doubts, player, play.trick, led(play), suit)
    trump = card.suit if rules.said.trump == "led" and play.trick == 1 and not play.table else play.trump
    table = (*play.table, LaidCard(player, card))
    named = play.named
    if rules.said.laid:
        named = (*named, *((name, player) for name in rules.questions_of(card, state.given)))
    play = replace(play, trump=trump, table=table, seen=rules.with_seen(play.seen, card), doubts=doubts, named=named)
    if len(table) == len(laying(game, state)):
        play = after_trick(rules, play, table[winning([laid.card for laid in table], trump, order)].player)
    return replace(state, entered=True, alerts=alerts, play=play)


def led(play: RoundTricks) -> Suit | None:
    """Return the suit to follow in the trick on the table; None if there is none."""
    return led_suit([laid.card for laid in play.table], play.trump, play.cards.order)


def after_trick(rules: TrickRules, play: RoundTricks, winner: int) -> RoundTricks:
    """Return the play after a trick: counted, and led on by its winner."""
    table, cards = play.table, play.cards
    last = rules.said.last * (play.trick == play.hand)
    points = sum(cards.value(laid.card, play.trump) for laid in table) + last
    return replace(
        play,
        table=(),
        last_trick=LastTrick(table, winner) if table else None,
        leader=winner,
        trick=play.trick + 1,
        tricks=changed(play.tricks, winner, 1),
        points=changed(play.points, winner, points),
    )


def apply_trick(game: Declaration, state: State, winner: int) -> State:
    rules, play = awaited(game, state)
    check_trick_begins(play.table)
    if winner not in laying(game, state):
        raise IllegalEventError("seat", N_("{player} does not play this round"), player=Seat(winner))
    if rules.worth:
        raise IllegalEventError("points", N_("the cards of this trick have points: enter them"))
    return replace(state, entered=True, play=after_trick(rules, replace(play, cards_known=False), winner))


def results(game: Declaration, state: State) -> dict[str, Given]:
    """Return the answers that the tricks give, by question, once the last trick is over."""
    rules, play = game.trick_rules, state.play
    if rules is None or play is None or not play.hand or play.trick <= play.hand:
        return {}
    found: dict[str, Given] = {}
    for question in game.questions:
        if rules.answers.get(question.name) == "laid":
            asked = was_asked(game, state, question)
            found[question.name] = _who_laid(game, state, play, question.name) if asked else ()
    state = replace(state, given={**state.given, **found})  # whose side they are on decides whose points count
    points = _with_rest(game, rules, state, play)
    for question in game.questions:
        match rules.answers.get(question.name):
            case "tricks":
                found[question.name] = _summed(game, state, question, play.tricks)
            case "points":
                found[question.name] = _summed(game, state, question, points)
            case "last":
                assert play.leader is not None  # who won the last trick would lead
                found[question.name] = (play.leader,)
            case "all":
                sides = side_numbers(game, state.seats, state.given)
                winners = {sides[seat] for seat, won in enumerate(play.tricks) if won}
                found[question.name] = (int(len(winners) == 1),)
    return found


def _who_laid(game: Declaration, state: State, play: RoundTricks, name: str) -> Given:
    """Return who laid the cards that a question asks for; of the questions of a side, none names whom another has."""
    names = game.sides.split()
    others = [other for other in names if other != name] if name in names else []
    already = {seat for other in others for seat in state.given.get(other, ())}
    return tuple(sorted({seat for question, seat in play.named if question == name} - already))


def _summed(game: Declaration, state: State, question: Question, figures: tuple[int, ...]) -> Given:
    """Return figures by seat as the answer to a question: by seat, by side, or those of the declarer's side."""
    if question.per == "seat":
        return figures
    sides = side_numbers(game, state.seats, state.given)
    if question.per == "side":
        return tuple(
            sum(each for each, own in zip(figures, sides, strict=True) if own == side) for side in sorted({*sides})
        )
    declared = {sides[seat] for seat in declarers_of(game, state.given)}
    return (sum(each for each, own in zip(figures, sides, strict=True) if own in declared),)


def _with_rest(game: Declaration, rules: TrickRules, state: State, play: RoundTricks) -> tuple[int, ...]:
    """Return the points by seat, with those of the cards that nobody laid for the declarer, where they count."""
    declared = declarers_of(game, state.given)
    if not rules.said.rest or not declared:
        return play.points
    unseen = rules.unseen(play.seen, state.seats)
    left = sum(rules.left(play.seen, card) * play.cards.value(card, play.trump) for card in unseen)
    return changed(play.points, declared[0], left)


def trump_of(state: State) -> Suit | None:
    return None if state.play is None else state.play.trump


# What events do


def start(game: Declaration, seats: int, rules: Any) -> State:
    """Return the state of a new game."""
    for name, number in asdict(rules).items():
        if not game.options[name].allows(number):
            raise IllegalEventError("rule", N_("{rule} cannot be {number}"), rule=name, number=number)
    state = begin(game, seats, rules)
    return state if game.dealer else advanced(game, state)


def begin(game: Declaration, seats: int, rules: Any) -> State:
    """Return the state before anything is asked: totals and carried figures as the game begins with them."""
    nothing = (0,) * seats
    state = State(rules=rules, seats=seats, totals=nothing, carry=(nothing,) * len(game.score.carry))
    if game.score.start is not None:
        state = replace(state, totals=_shared(game, state, game.score.start))
    first = game.score.first
    return replace(state, carry=tuple(_by_seat(game, state, first.get(name, Formula(0))) for name in game.score.carry))


def apply(game: Declaration, state: State, event: Event) -> State:
    """Return the state after an event."""
    question, said = game.events.questions.get(type(event)), game.said(event)
    if state.phase == "over":
        if question is not None and question.name in game.stopping and not any(state.given.get(question.name, ())):
            return state  # logs may hold figures from after the end of a game: they do not count
        raise IllegalEventError("over", N_("the game is over"))
    if question is not None and said is not None:
        # a table that enters no cards, as in logs of earlier versions, answers questions in place of them
        of_cards = state.phase in ("trump", "lead", "play") and question.name not in state.given
        if state.asked != question.name and not of_cards:
            raise _not_now(game, state)
        now = checked(game, state, said)
        return advanced(game, _with_answer(game, state, question, now[question.name]))
    if said is not None:
        return _apply_round(game, state, said)
    match event:
        case Start(player) if state.phase == "start":
            check_seat(player, state.seats)
            return advanced(game, replace(state, dealer=player))
        case Trump(suit) if state.phase == "trump":
            return advanced(game, apply_trump(game, state, suit))
        case Lead(player) if state.phase == "lead":
            return advanced(game, apply_lead(game, state, player))
        case Play(player, card) if state.phase == "lead" and game.trick_rules is not None:
            if card is lead_card(game.trick_rules, state.seats):
                led = replace(apply_lead(game, state, player), phase="play")
                return advanced(game, apply_play(game, led, player, card))
        case Play(player, card) if state.phase == "play":
            return advanced(game, apply_play(game, state, player, card))
        case Trick(winner) if state.phase == "play":
            return advanced(game, apply_trick(game, state, winner))
        case End() if can_end(game, state):
            return _over(game, state)
    raise _not_now(game, state)


def _not_now(game: Declaration, state: State) -> IllegalEventError:
    if state.asked is not None:
        return IllegalEventError("phase", N_("first enter {label}"), label=Text(open_questions(game, state)[0].subject))
    sentences = {
        "start": N_("first say who deals"),
        "trump": N_("first enter the trump"),
        "lead": N_("first say who leads"),
    }
    return IllegalEventError("phase", sentences.get(state.phase, N_("the cards of a trick come next")))


def can_end(game: Declaration, state: State) -> bool:
    """Return whether the table can say now that the game is over: between two rounds, if no formula ends it."""
    return game.end.when is None and bool(state.rounds) and not state.entered and state.phase != "start"


def open_questions(game: Declaration, state: State) -> list[Question]:
    """Return the questions of this round that have no answer yet, and that the rules of the table let be asked."""
    return [question for question in questions_under(game, state.rules) if question.name not in state.given]


def _apply_round(game: Declaration, state: State, answers: Answers) -> State:
    if state.phase == "start":
        raise _not_now(game, state)
    for question in game.questions:
        if question.name in state.given and question.name in answers:
            raise IllegalEventError("known", N_("{label} of this round is known already"), label=Text(question.subject))
    said = replace(state, given={**state.given, **answers})
    for question in game.questions:  # logs of earlier versions lack questions that were added, and are not asked here
        if question.name not in said.given and was_asked(game, said, question):
            raise IllegalEventError("missing", N_("{label} of this round is missing"), label=Text(question.subject))
    alerts = tuple(alert for alert in state.alerts if alert.round != state.round)
    now = checked(game, state, answers)
    return advanced(game, replace(state, alerts=alerts, play=None, given=now, entered=True))


def ends_round(game: Declaration, state: State, question: Question, answer: Given) -> bool:
    """Return whether nothing of the round is left to be asked after an answer that is possible."""
    _state, is_awaited = _in_round(game, _with_answer(game, state, question, answer))
    return not is_awaited


def _with_answer(game: Declaration, state: State, question: Question, answer: Given) -> State:
    """Return the state with an answer that is possible, before what follows from it."""
    if game.trick_rules is not None and question.name in game.trick_rules.answers:
        state = replace(state, play=None)  # the table enters no more cards of this round
    return answered(replace(state, entered=True), question, answer)


def advanced(game: Declaration, state: State) -> State:
    """Return the state in which the next entry is awaited, in this round or in one that follows, or the end."""
    while state.phase != "over":
        state, is_awaited = _in_round(game, state)
        if is_awaited:
            return state
        state = _ended(game, state)
    return state


def _in_round(game: Declaration, state: State) -> tuple[State, bool]:
    """Return the state with all answers that need no asking, and whether an entry of the round is awaited then."""
    while True:
        found = results(game, state)
        if found.keys() - state.given.keys():
            state = replace(state, given={**state.given, **found})
        questions = open_questions(game, state)
        if not questions:
            return state, False
        phase = next_phase(game, state, questions[0])
        if phase != "ask":
            return replace(begun(game, state, phase), phase=phase, asked=None), True
        answer = settled(game, state, questions[0])
        if answer is None or (len(questions) == 1 and not state.entered):  # a round is never without any entry
            return replace(state, phase="ask", asked=questions[0].name), True
        state = answered(state, questions[0], answer)


# The end of a round


def _ended(game: Declaration, state: State) -> State:
    """Return the state after a round: its points, what is carried on, and the next round or the end."""
    points = _shared(game, state, game.score.points)
    carry = tuple(_by_seat(game, state, formula) for formula in game.score.carry.values())
    totals = added(state.totals, points)
    past, dealers = (*state.past, state.given), (*state.dealers, state.dealer)
    state = replace(state, carry=carry, totals=totals, rounds=(*state.rounds, points), past=past, dealers=dealers)
    if game.end.when is not None and game.end.when.value(scope(game, state), 0):
        return _over(game, state)
    return replace(
        state, round=state.round + 1, dealer=_next_dealer(game, state), given={}, entered=False, play=None, asked=None
    )


def _next_dealer(game: Declaration, state: State) -> int | None:
    """Return who deals the next round: the first one to the left for whom the formula holds; else the same again."""
    if game.dealer is None or state.dealer is None:
        return None
    figures = scope(game, state)
    around = ((state.dealer + step) % state.seats for step in range(1, state.seats))
    return next((seat for seat in around if game.dealer.value(figures, seat)), state.dealer)


def _by_seat(game: Declaration, state: State, formula: Formula) -> tuple[int, ...]:
    figures = scope(game, state)
    return tuple(formula.value(figures, seat) for seat in range(state.seats))


def _shared(game: Declaration, state: State, formula: Formula) -> tuple[int, ...]:
    """Return the figure of each seat; partners have that of their side's first seat."""
    points = _by_seat(game, state, formula)
    if game.sides != "partners":
        return points
    sides = side_numbers(game, state.seats, state.given)
    return tuple(points[sides.index(side)] for side in sides)


def _over(game: Declaration, state: State) -> State:
    return replace(state, phase="over", asked=None, play=None, winners=winners(game, state))


def winners(game: Declaration, state: State) -> tuple[int, ...]:
    """Return the seats that win."""
    assert game.end.winners is not None  # a file that does not say it has one made for it
    by_seat = _shared if game.all_can_win else _by_seat
    return tuple(seat for seat, wins in enumerate(by_seat(game, state, game.end.winners)) if wins)


def winners_so_far(game: Declaration, state: State) -> tuple[int, ...]:
    """Return who wins if the game ends with the rounds that are finished, in the state after one of them."""
    if not state.past:
        return winners(game, state)
    # as the last round left it
    return winners(game, replace(state, round=state.round - 1, dealer=state.dealers[-1], given=state.past[-1]))


# How likely a card is


def log_likelihood(game: Declaration, state: State, event: Event) -> float:
    """Return the logarithm of the probability of an event."""
    rules, play = game.trick_rules, state.play
    if not isinstance(event, Play) or rules is None or play is None:
        return 0.0
    card, player = event.card, event.player

    def suit_of(each: Card) -> Suit | None:
        return play.cards.order.suit_of(each, play.trump)

    def can_hold(each: Card) -> bool:
        return suit_of(each) not in lacking or play.cards.is_kept(each, play.trump)

    lacking = {suit for doubt in play.doubts[player] for suit in doubt.suits}
    if not can_hold(card):
        return IMPOSSIBLE
    unseen = {each: rules.left(play.seen, each) for each in rules.unseen(play.seen, state.seats)}
    count = sum(unseen.values())
    able = sum(copies for each, copies in unseen.items() if can_hold(each))
    copies, wanted = max(1, unseen.get(card, 1)), led(play)
    if wanted is None or not rules.said.follow or suit_of(card) is None:
        return log(copies / max(1, able))

    def must(each: Card) -> bool:
        return suit_of(each) is wanted and not play.cards.is_kept(each, play.trump)

    def may(each: Card) -> bool:
        return suit_of(each) is wanted or play.cards.is_free(each, play.trump)

    follow = sum(copies for each, copies in unseen.items() if must(each))
    fits = sum(copies for each, copies in unseen.items() if may(each) and can_hold(each))
    left = play.hand - play.trick + 1
    void = 1.0 if wanted in lacking else lacks(count, follow, left)
    if must(card):
        return logarithm(copies * (1 - void) / max(1, fits))
    if may(card):  # whoever holds a card that follows can lay it, and whoever holds none
        return logarithm(copies * ((1 - void) / max(1, fits) + void / max(1, able - follow)))
    return logarithm(copies * void / max(1, able - follow))
