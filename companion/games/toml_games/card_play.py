"""Plays a declared game card by card: who leads, what can be laid, who wins, which questions are answered by it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import check_turn
from companion.core.text import N_, IllegalEventError, Seat
from companion.games.kit import changed, check_trick_begins
from companion.games.kit.tricks import LastTrick, doubted, proved, winning

from .declaration import Declaration
from .events import Given
from .state import LaidCard, RoundTricks, State, playing, turn, value
from .trick_rules import TrickRules


def next_phase(game: Declaration, state: State, place: int) -> str:
    """Return what is awaited next: an answer to this question, the trump, who leads, or a card."""
    rules, play = game.tricks, state.play
    if rules is None:
        return "ask"
    answered = game.questions[place].name in rules.answers
    if not answered and not _turned_first(rules, state):
        return "ask"
    if rules.trump in ("asked", "turned") and (play is None or not play.trump_known):
        return "trump"
    if _leader(game, rules, state) is None:
        return "lead"
    return "play"


def _turned_first(rules: TrickRules, state: State) -> bool:
    """Return whether the trump is turned up now, before any question of the round."""
    return rules.trump == "turned" and state.play is None and not state.entered


def begun(game: Declaration, state: State, phase: str = "trump") -> State:
    """Return the state with the tricks of this round begun; before a card, with hands, and the leader if known."""
    rules, play = game.tricks, state.play
    assert rules is not None  # only then is anything but an answer awaited
    if play is None:
        nobody = (0,) * state.seats
        play = RoundTricks(trump=rules.fixed, tricks=nobody, points=nobody, doubts=((),) * state.seats)
    if phase in ("lead", "play") and not play.hand:
        play = replace(play, hand=_hand(game, rules, state), leader=_leader(game, rules, state))
    return replace(state, play=play)


def _hand(game: Declaration, rules: TrickRules, state: State) -> int:
    """Return how many cards each player got."""
    whole = len(rules.deck) - rules.without.get(state.seats, 0).bit_count()
    most = whole // len(playing(game, state))
    return max(1, min(most, value(game, state, rules.hand, otherwise=most)))


def _leader(game: Declaration, rules: TrickRules, state: State) -> int | None:
    """Return who leads the next trick; None if that is to be asked."""
    if state.play is not None and state.play.leader is not None:
        return state.play.leader
    if rules.lead == "dealer":
        return state.dealer
    if rules.lead == "left":
        return playing(game, state)[0]
    question = game.question(rules.lead)
    named = None if question is None else state.given[question.place]
    return named[0] if named else None


def apply_trump(game: Declaration, state: State, suit: str | None) -> State:
    rules = game.tricks
    assert rules is not None  # only then is a trump awaited
    suits = {each.name: each for each in rules.suits}
    if suit is not None and suit not in suits:
        raise IllegalEventError("suit", N_("there is no suit {suit}"), suit=suit[:20])
    state = begun(game, state)
    assert state.play is not None  # it has just begun
    trump = None if suit is None else suits[suit]
    return replace(state, entered=True, play=replace(state.play, trump=trump, trump_known=True))


def apply_lead(game: Declaration, state: State, player: int) -> State:
    if player not in playing(game, state):
        raise IllegalEventError("seat", N_("{player} does not play this round"), player=Seat(player))
    state = begun(game, state)
    assert state.play is not None  # it has just begun
    return replace(state, entered=True, play=replace(state.play, leader=player))


def lead_card(rules: TrickRules, seats: int) -> Card | None:
    """Return the card whose holder leads; where it is not in the deck, the lowest of its suit."""
    out = rules.without.get(seats, 0)
    if rules.lead_card is None or not rules.lead_card.bit & out:
        return rules.lead_card
    suit = [card for card in rules.deck.outside(out) if card.suit is rules.lead_card.suit]
    return min(suit, key=lambda card: card.rank, default=rules.lead_card)


def leads_first(rules: TrickRules, play: RoundTricks) -> bool:
    """Return whether the card that leads to the first trick is awaited."""
    return rules.lead_card is not None and play.trick == 1 and not play.table and play.cards_known


def why_not(game: Declaration, state: State, card: Card) -> IllegalEventError | None:
    """Return why a card cannot be laid now, or None."""
    rules, play = game.tricks, state.play
    assert rules is not None and play is not None  # cards are awaited  # noqa: PT018
    first = lead_card(rules, state.seats) if leads_first(rules, play) else None
    if first is not None:
        # a table may have taken another card out in its place
        wrong = card not in (first, rules.lead_card)
        return IllegalEventError("lead", N_("{card} leads to the first trick"), card=first) if wrong else None
    if card.bit & rules.without.get(state.seats, 0):
        return IllegalEventError("aside", N_("{card} is not in the deck at this table"), card=card)
    if card.bit & play.seen:
        return IllegalEventError("seen", N_("{card} was already seen in this round"), card=card)
    return None


def apply_play(game: Declaration, state: State, player: int, card: Card) -> State:
    rules, play = game.tricks, state.play
    assert rules is not None and play is not None  # cards are awaited  # noqa: PT018
    check_turn(player, turn(game, state), state.seats)
    wrong = why_not(game, state, card)
    if wrong is not None:
        raise wrong
    doubts, alerts = play.doubts, state.alerts
    if rules.follow:
        revokes, doubts = proved(doubts, player, state.round, play.trick, card)
        alerts += revokes
        doubts = doubted(doubts, player, play.trick, [laid.card for laid in play.table], card, rules.order)
    trump = card.suit if rules.trump == "led" and play.trick == 1 and not play.table else play.trump
    table = (*play.table, LaidCard(player, card))
    play = replace(play, trump=trump, table=table, seen=play.seen | card.bit, doubts=doubts)
    if len(table) == len(playing(game, state)):
        play = after_trick(rules, play, table[winning([laid.card for laid in table], trump, rules.order)].player)
    return replace(state, entered=True, alerts=alerts, play=play)


def after_trick(rules: TrickRules, play: RoundTricks, winner: int) -> RoundTricks:
    """Return the play after a trick: counted, and led on by its winner."""
    table = play.table
    points = sum(rules.value(laid.card, play.trump) for laid in table) + rules.last * (play.trick == play.hand)
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
    rules, play = game.tricks, state.play
    assert rules is not None and play is not None  # a trick is awaited  # noqa: PT018
    check_trick_begins(play.table)
    if winner not in playing(game, state):
        raise IllegalEventError("seat", N_("{player} does not play this round"), player=Seat(winner))
    if rules.worth:
        raise IllegalEventError("points", N_("the cards of this trick have points: enter them"))
    return replace(state, entered=True, play=after_trick(rules, replace(play, cards_known=False), winner))


def results(game: Declaration, state: State) -> dict[int, Given]:
    """Return the answers that the tricks give, by question, once the last trick is over."""
    rules, play = game.tricks, state.play
    if rules is None or play is None or not play.hand or play.trick <= play.hand:
        return {}
    found: dict[int, Given] = {}
    for question in game.questions:
        match rules.answers.get(question.name):
            case "tricks":
                found[question.place] = play.tricks
            case "points":
                found[question.place] = play.points
            case "last":
                assert play.leader is not None  # who won the last trick would lead
                found[question.place] = (play.leader,)
    return found


def trump_of(state: State) -> Suit | None:
    return None if state.play is None else state.play.trump
