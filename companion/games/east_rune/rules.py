"""East Rune: its cards, events, options and state, and `apply`, the state after an event.

Section names in parentheses refer to the written rules, e.g. "East Rune, score".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from companion.core.cards import Card, Deck, Suit
from companion.core.game import Best, Event, Progress, Start, check_seat, check_turn
from companion.core.text import N_, NN_, Glyph, HasLabel, IllegalEventError, Seat, Text
from companion.games.kit import (
    NO_YES,
    applier,
    changed,
    check_sheet,
    check_sum,
    option,
    put,
    snapshot_of,
)

VASSALS_IN_ALL = 18
MONARCHS_IN_ALL = 6
EACH_VIRTUE = 2
"""Number of chairs, and of monarchs, with the same virtue."""


class Attribute(HasLabel):
    """An attribute or a virtue, with the digit typed for it. Each exists once, so they are compared by identity."""

    __slots__ = ("key", "name", "sign", "word")

    def __init__(self, name: str, word: str, key: int) -> None:
        self.name = name
        self.word = word
        self.key = key
        self.sign = Glyph(name)

    @property
    def label(self) -> Text:
        return Text(self.word)

    def __repr__(self) -> str:
        return self.name


NOON = Suit("noon", N_("Noon"), (255, 190, 0))
DUSK = Suit("dusk", N_("Dusk"), (255, 40, 0))
NIGHT = Suit("night", N_("Night"), (40, 0, 255))
DAWN = Suit("dawn", N_("Dawn"), (0, 190, 160))
DOMAINS = (NOON, DUSK, NIGHT, DAWN)
"""The domains in cyclic order."""
AFTER = dict(zip(DOMAINS, (*DOMAINS[1:], NOON), strict=True))
ANY = Suit("any", N_("Any"), sign="anyday")
"""Wildcard domain of the blank character."""
SEATING = Suit("chair", N_("Chair"))
"""Pseudo-suit of the chairs, which have no domain."""

SACRED = Attribute("sacred", N_("sacred"), 1)
MINERAL = Attribute("mineral", N_("mineral"), 2)
ANIMAL = Attribute("animal", N_("animal"), 3)
TECHNOLOGY = Attribute("technology", N_("technology"), 4)
CULTURE = Attribute("culture", N_("culture"), 5)
ATTRIBUTES = (SACRED, MINERAL, ANIMAL, TECHNOLOGY, CULTURE)
LIGHT = Attribute("light", N_("light"), 6)
BEAUTY = Attribute("beauty", N_("beauty"), 7)
REASON = Attribute("reason", N_("reason"), 8)
VIRTUES = (LIGHT, BEAUTY, REASON)

# The rules do not list the printed combinations, so every possible one is a card here.
_VASSALS = [(domain, attribute) for domain in DOMAINS for attribute in ATTRIBUTES]
_MONARCHS = [(domain, attribute, virtue) for domain, attribute in _VASSALS for virtue in VIRTUES]

VASSALS = tuple(
    Card(
        f"{domain.name}-{attribute.name}",
        domain,
        attribute.key,
        1 << place,
        (str(attribute.key),),
        Text(N_("{domain} {attribute}"), domain=domain, attribute=attribute),
        printed=Text("{attribute} {key}", attribute=attribute.sign, key=attribute.key),
    )
    for place, (domain, attribute) in enumerate(_VASSALS)
)
MONARCHS = tuple(
    Card(
        f"{domain.name}-{attribute.name}-{virtue.name}",
        domain,
        attribute.key * 10 + virtue.key,
        1 << place,
        (f"{attribute.key}{virtue.key}",),
        Text(N_("{domain} {attribute}, {virtue}"), domain=domain, attribute=attribute, virtue=virtue),
        Text("{key}{virtue}", key=attribute.key, virtue=virtue.sign),
    )
    for place, (domain, attribute, virtue) in enumerate(_MONARCHS, 20)
)
BLANK = Card("blank-blank", ANY, 6, 1 << 80, ("6",), Text(N_("blank character")), "")
CHAIRS = tuple(
    Card(
        virtue.name,
        SEATING,
        virtue.key,
        1 << place,
        (str(virtue.key),),
        Text(N_("Chair of {virtue}"), virtue=virtue),
        Text("{virtue}", virtue=virtue.sign),
    )
    for place, virtue in enumerate(VIRTUES, 81)
)
BLANK_CHAIR = Card("blank", SEATING, 9, 1 << 84, ("9",), Text(N_("Blank chair")), Text("{any}", any=ANY.sign))
DECK = Deck((*VASSALS, *MONARCHS, BLANK, *CHAIRS, BLANK_CHAIR))

ATTRIBUTE_OF = {
    **dict(zip(VASSALS, (attribute for _, attribute in _VASSALS), strict=True)),
    **dict(zip(MONARCHS, (attribute for _, attribute, _ in _MONARCHS), strict=True)),
}
"""Attribute of every character except the blank one."""
MONARCH_VIRTUE = dict(zip(MONARCHS, (virtue for _, _, virtue in _MONARCHS), strict=True))
CHAIR_VIRTUE = dict(zip(CHAIRS, VIRTUES, strict=True))
"""Virtue of every chair except the blank one."""
IS_VASSAL = frozenset((*VASSALS, BLANK))


def dealt_to_each(seats: int) -> int:
    """Return the number of cards dealt to each player (East Rune, material)."""
    return 8 if seats == 3 else 6


CHAIR_POINTS = 2


def monarch_points(seats: int) -> int:
    return 2 if seats == 2 else 1


# Events


class Reveal(Event, frozen=True, tag="reveal"):
    """Event: the chair of a round (with 2 players the monarch) is turned up."""

    card: Card


class Claim(Event, frozen=True, tag="claim"):
    """Event: who claims the chair with a monarch, and which; or that nobody does."""

    player: int | None
    card: Card | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """Event: a character card is played to the field, from the hand or from the player's columns."""

    player: int
    card: Card
    source: Literal["hand", "front"] = field(name="from")


class Stop(Event, frozen=True, tag="stop"):
    """Event: the player ends the turn though another card could have been chained."""

    player: int


class Pass(Event, frozen=True, tag="pass"):
    """Event: the player is out for the round, or declines the extra turn."""

    player: int


class Result(Event, frozen=True, tag="result"):
    """Event: the end of the game; figures by seat, optionally who captured the last chair.

    With 2 players, ``last_chair`` is who captured the last monarch.
    """

    chairs: tuple[int, ...]
    monarchs: tuple[int, ...]
    hand: tuple[int, ...]
    last_chair: int | UnsetType | None = UNSET


EVENTS = (Reveal, Claim, Play, Stop, Pass, Result)


# Options


PLAYERS = range(2, 5)
WITH_CHAIRS = range(3, 5)
"""Numbers of players who turn up chairs; two players turn up monarchs instead."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: East Rune rule variants chosen at set-up."""

    # whether monarchs are laid only on a chair of their virtue, or like any character
    monarchs: Literal["claimed", "playable"] = "claimed"
    blank_chair: bool = False  # whether the blank chair is in the deck
    blank_character: bool = False  # whether the blank character is dealt with the others
    sacred_is_mineral: bool = False  # whether these two attributes count as the same in a chain

    def check(self, seats: int) -> None:
        """Raise if the rules do not fit the number of players."""
        if seats == 2 and self != Rules(sacred_is_mineral=self.sacred_is_mineral):
            raise IllegalEventError("variant", N_("for 2 players there is one variant: sacred = mineral"))

    @property
    def always_claimed(self) -> bool:
        """Return whether somebody always holds a monarch for the chair that is turned up."""
        return self.monarchs == "claimed" and not self.blank_chair

    def same(self, one: Card, other: Card) -> bool:
        """Return whether two characters share an attribute, so that the turn may go on."""
        if BLANK in (one, other):
            return True
        first, second = ATTRIBUTE_OF[one], ATTRIBUTE_OF[other]
        return first is second or (self.sacred_is_mineral and {first, second} == {SACRED, MINERAL})


OPTIONS = (
    option("monarchs", N_("Monarchs"), WITH_CHAIRS, {"claimed": N_("on chairs only"), "playable": N_("like any card")}),
    option("blank_chair", N_("Blank chair"), WITH_CHAIRS, NO_YES),
    option("blank_character", N_("Blank character"), WITH_CHAIRS, NO_YES),
    option("sacred_is_mineral", N_("Sacred = mineral"), PLAYERS, NO_YES),
)


# State


Front = tuple[tuple[Card, ...], ...]
"""Columns in front of a player, oldest first, each from bottom to top."""
TURNS = ("play", "chain", "extra", "extra-chain")
"""Phases in which a player lays cards."""


class CapturedCard(Struct, frozen=True, gc=False):
    """A captured card and the player it is dealt to."""

    player: int
    card: Card


class MissedClaim(Struct, frozen=True, tag_field="kind", tag="unclaimed", gc=False):
    """Alert: nobody claimed a chair although somebody must hold a monarch for it."""

    chair: Card

    def words(self) -> Text:
        return Text(N_("Nobody claimed {virtue}: look for its monarch"), virtue=CHAIR_VIRTUE[self.chair])


class State(Struct, frozen=True, kw_only=True, gc=False):
    """State: a game of East Rune at one moment; immutable."""

    rules: Rules
    seats: int
    phase: str = "start"  # start, reveal, claim, play, chain, extra, extra-chain or over
    round: int = 1
    finished: int = 0  # number of rounds played to their end; fewer than the game has if its result was entered before
    turn: int | None = None  # seat to act
    dealer: int | None = None  # seat that turns up this round's card
    given: int | None = None  # first dealer, if dealt one card more (blank character); else None
    may_start: tuple[int, ...] | None = None  # seats that may deal first; in phase start only
    chairs_up: tuple[Card, ...] = ()  # chairs on the field, in order of appearance
    pile: tuple[Card, ...] = ()  # characters on the field, from bottom to top
    follows: Suit | None = None  # domain that follows the top character; None if any may follow
    turns: int = 1  # turns of this round so far, the current one included
    last: int | None = None  # seat that laid the last vassal of this round
    chain: tuple[Card, ...] = ()  # cards laid in this turn, or in the last turn in which cards were laid
    passed: tuple[int, ...] = ()  # seats out for this round, in ascending order
    hand: tuple[int, ...]  # number of cards in hand, by seat
    chairs: tuple[int, ...]  # captured chairs, by seat
    monarchs: tuple[int, ...]  # monarchs in front, by seat
    front: tuple[Front, ...]  # columns in front, by seat
    dealt: tuple[CapturedCard, ...] = ()  # cards dealt out by the last capture, in order
    seats_seen: tuple[Card, ...] = ()  # chairs turned up so far
    monarchs_seen: tuple[Card, ...] = ()  # monarchs that have left the deck or a hand so far
    vassals_seen: int = 0  # number of vassals that have left a hand so far, without the blank character
    blank_hidden: bool  # whether some hand still holds the blank character
    alerts: tuple[MissedClaim, ...] = ()
    winners: tuple[int, ...] | None = None

    @property
    def needs(self) -> Suit | None:
        """Return the domain that must come next; None if any may, or if no card is due."""
        return self.follows if self.phase in TURNS else None

    @property
    def rounds(self) -> int:
        """Return the number of rounds of a game: one per card of the deck that is turned up."""
        return MONARCHS_IN_ALL + self.rules.blank_chair

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points by seat if the game ended now (East Rune, score)."""
        figures = zip(self.chairs, self.monarchs, self.hand, strict=True)
        return tuple(
            CHAIR_POINTS * chairs + monarch_points(self.seats) * monarchs - hand + (seat == self.given)
            for seat, (chairs, monarchs, hand) in enumerate(figures)
        )


def start(seats: int, rules: Rules) -> State:
    """Return the state of a new game, before the first dealer is named."""
    rules.check(seats)
    nobody = (0,) * seats
    return State(
        rules=rules,
        seats=seats,
        may_start=tuple(range(seats)),
        hand=(dealt_to_each(seats),) * seats,
        chairs=nobody,
        monarchs=nobody,
        front=((),) * seats,
        blank_hidden=rules.blank_character,
    )


def opened(state: State, dealer: int) -> State:
    """Return the state at the start of a round, before its dealer turns up a card."""
    return replace(state, phase="reveal", dealer=dealer, turn=dealer, turns=1, last=None, passed=())


def uncovered(state: State, seat: int) -> tuple[Card, ...]:
    """Return the vassals on top of a seat's columns, without duplicates, oldest column first."""
    return tuple(dict.fromkeys(column[-1] for column in state.front[seat]))


def progress(state: State) -> Progress:
    return Progress(state.totals, state.winners, state.turn, state.round, state.phase, None, state.may_start)


def snapshot(state: State) -> dict[str, Any]:
    return snapshot_of(
        "east-rune",
        state,
        "phase round turn dealer may_start needs field passed hand chairs monarchs front dealt totals winners alerts",
        needs=state.needs and state.needs.name,
        field={"chairs": state.chairs_up, "cards": state.pile},
    )


# Winners


def ended(state: State, last: int | None) -> State:
    """Return the state at the end of the game; ``last``, who captured the last chair, wins a tie."""
    return replace(state, phase="over", turn=None, winners=winners(state, last))


def leaders(state: State) -> tuple[int, ...]:
    """Return the seats with the most points, before tie-breaks."""
    return Best.HIGHEST.seats(state.totals)


def winners(state: State, last: int | None) -> tuple[int, ...]:
    """Return the winning seats after tie-breaks; several if they are still level (East Rune, score)."""
    tied = leaders(state)
    if last in tied:
        return (last,)
    first = Best.HIGHEST.seats([(taken(state)[seat], -state.hand[seat]) for seat in tied])
    return tuple(tied[place] for place in first)


def taken(state: State) -> tuple[int, ...]:
    """Return the captured chairs by seat; with 2 players, monarchs."""
    return state.monarchs if state.seats == 2 else state.chairs


# The end of a turn


def turn_over(state: State) -> State:
    if state.phase in ("extra", "extra-chain"):
        return _captured(state)
    assert state.turn is not None  # a turn has just ended
    still = [seat for step in range(state.seats) if (seat := (state.turn + 1 + step) % state.seats) not in state.passed]
    if state.last is not None and set(still) <= {state.last}:
        return replace(state, phase="extra", turn=state.last, turns=state.turns + 1)
    if still:
        return replace(state, phase="play", turn=still[0], turns=state.turns + 1)
    return _round_over(state, None)


def _captured(state: State) -> State:
    """Return the state after a capture: the chairs go to the capturer, the characters are dealt out.

    The capturer laid the last vassal of the round (East Rune, capture).
    """
    capturer = state.last
    assert capturer is not None  # only the player of the last vassal has an extra turn
    columns: list[list[Card]] = [[] for _ in range(state.seats)]
    monarchs, dealt, seat = list(state.monarchs), [], capturer
    for card in reversed(state.pile):
        monarch = card in MONARCH_VIRTUE
        if monarch and state.seats == 2:
            monarchs[capturer] += 1
            continue
        seat = (seat + 1) % state.seats
        dealt.append(CapturedCard(seat, card))
        if monarch:
            monarchs[seat] += 1
        else:
            columns[seat].append(card)
    front = tuple(
        (*before, tuple(column)) if column else before for before, column in zip(state.front, columns, strict=True)
    )
    chairs = changed(state.chairs, capturer, len(state.chairs_up))
    state = replace(state, chairs=chairs, monarchs=tuple(monarchs), front=front, dealt=tuple(dealt))
    return _round_over(replace(state, chairs_up=(), pile=(), follows=None), capturer)


def _round_over(state: State, capturer: int | None) -> State:
    state = replace(state, finished=state.round)
    if state.round == state.rounds:
        return ended(state, capturer)
    assert state.dealer is not None  # every round has a dealer
    return opened(replace(state, round=state.round + 1), state.dealer if capturer is None else capturer)


# What events do


PHASES = {
    "start": N_("first say who deals"),
    "reveal": N_("first say which card is turned up"),
    "claim": N_("first say who lays a card on the chair"),
    "play": N_("a turn begins: a card, or a pass"),
    "chain": N_("the turn goes on: another card, or a stop"),
    "extra": N_("the extra turn begins: a card, or a pass"),
    "extra-chain": N_("the extra turn goes on: another card, or a stop"),
}
"""The refusal of an event that is not accepted in a phase: it says what comes first, or next."""


def _apply_start(state: State, event: Start) -> State:
    check_seat(event.player, state.seats)
    state = opened(replace(state, may_start=None), event.player)
    if not state.rules.blank_character:
        return state
    return replace(state, hand=changed(state.hand, event.player, 1), given=event.player)


# Revealing a card


def _apply_reveal(state: State, event: Reveal) -> State:
    card = event.card
    if state.seats == 2:
        if card not in MONARCH_VIRTUE:
            raise IllegalEventError("card", N_("with 2 players a monarch is turned up, not {card}"), card=card)
        state = _monarch_seen(state, card)
        drawn = changed(state.hand, 1 - _player_to_act(state), 1)
        return _on_top(state, card, phase="play", hand=drawn)
    if card not in CHAIR_VIRTUE and not (card is BLANK_CHAIR and state.rules.blank_chair):
        raise IllegalEventError("card", N_("a chair is turned up, not {card}"), card=card)
    if not chairs_left(state, card):
        raise IllegalEventError("seen", N_("{card} was turned up already"), card=card)
    return replace(
        state, phase="claim", turn=None, chairs_up=(*state.chairs_up, card), seats_seen=(*state.seats_seen, card)
    )


def chairs_left(state: State, chair: Card) -> int:
    """Return how many chairs of this kind have not been turned up yet."""
    return (1 if chair is BLANK_CHAIR else EACH_VIRTUE) - state.seats_seen.count(chair)


def _apply_claim(state: State, event: Claim) -> State:
    chair = state.chairs_up[-1]
    if event.player is None:
        if event.card is not UNSET:
            raise IllegalEventError("card", N_("a claim by nobody names no card"))
        alerts = (*state.alerts, MissedClaim(chair)) if state.rules.always_claimed else state.alerts
        return replace(state, phase="play", turn=state.dealer, alerts=alerts)
    check_seat(event.player, state.seats)
    card = event.card
    if not isinstance(card, Card):
        raise IllegalEventError("card", N_("which card does {player} lay?"), player=Seat(event.player))
    if chair is BLANK_CHAIR:
        if card not in IS_VASSAL:
            raise IllegalEventError("card", N_("a vassal is laid on the blank chair, not {card}"), card=card)
    elif MONARCH_VIRTUE.get(card) is not CHAIR_VIRTUE[chair]:
        raise IllegalEventError("card", N_("{card} does not bear the virtue of the chair"), card=card)
    last = event.player if card in IS_VASSAL else None
    return _on_top(_from_hand(state, event.player, card), card, phase="play", turn=event.player, last=last)


# A turn


def _apply_play(state: State, event: Play) -> State:
    card, player = event.card, event.player
    check_turn(player, state.turn, state.seats)
    if card in MONARCH_VIRTUE:
        if event.source == "front":
            raise IllegalEventError("monarch", N_("a monarch in front of a player is not laid again"))
        if state.rules.monarchs == "claimed":
            raise IllegalEventError("monarch", N_("a monarch is laid only on a chair of its virtue"))
    elif card not in IS_VASSAL:
        raise IllegalEventError("card", N_("{card} is not a character"), card=card)
    if state.follows is not None and card is not BLANK and card.suit is not state.follows:
        raise IllegalEventError("domain", N_("{domain} must come next, not {card}"), domain=state.follows, card=card)
    under = state.pile[-1] if state.pile else None
    begun = state.chain if state.phase in ("chain", "extra-chain") else ()
    state = _from_hand(state, player, card) if event.source == "hand" else _from_front(state, player, card)
    state = _on_top(state, card, chain=(*begun, card), last=player if card in IS_VASSAL else state.last)
    if under is None or not state.rules.same(under, card):
        return turn_over(state)
    return replace(state, phase="extra-chain" if state.phase.startswith("extra") else "chain")


def _apply_stop(state: State, event: Stop) -> State:
    check_turn(event.player, state.turn, state.seats)
    return turn_over(state)


def _apply_pass(state: State, event: Pass) -> State:
    check_turn(event.player, state.turn, state.seats)
    if state.phase == "play":
        state = replace(state, passed=tuple(sorted((*state.passed, event.player))))
    return turn_over(state)


# The result of a whole game


def most_in_hand(state: State, seat: int) -> int:
    """Return the most cards a hand can hold at the end of a game."""
    if state.seats == 2:
        return dealt_to_each(2) + MONARCHS_IN_ALL  # a player who never deals draws a vassal each round
    return dealt_to_each(state.seats) + (seat == state.given)


def _apply_result(state: State, event: Result) -> State:
    figures = event.chairs, event.monarchs, event.hand
    check_sheet(state.seats, N_("every figure is said for each of the {count} seats"), *figures)
    chairs = 0 if state.seats == 2 else state.rounds
    check_sum(
        event.chairs,
        chairs,
        "chairs-sum",
        NN_("{count} chair in all, but there are {most}", "{count} chairs in all, but there are {most}"),
    )
    check_sum(event.monarchs, MONARCHS_IN_ALL, "monarchs-sum", N_("{count} monarchs in all, but there are {most}"))
    for seat, count in enumerate(event.hand):
        most = most_in_hand(state, seat)
        if count > most:
            raise IllegalEventError(
                "hand", N_("{player} cannot have more than {most} cards"), player=Seat(seat), most=most
            )
    if state.seats == 2 and sum(event.hand) > VASSALS_IN_ALL:
        raise IllegalEventError("hand", N_("there are only {most} vassals"), most=VASSALS_IN_ALL)
    state = replace(state, chairs=event.chairs, monarchs=event.monarchs, hand=event.hand)
    last = event.last_chair if isinstance(event.last_chair, int) else None
    if last is not None:
        check_seat(last, state.seats)
        if not taken(state)[last]:
            raise IllegalEventError("last", N_("{player} captured none, so not the last one"), player=Seat(last))
    elif event.last_chair is UNSET and len(leaders(state)) > 1:
        raise IllegalEventError("tie", N_("who captured the last one breaks the tie: it must be said"))
    return ended(state, last)


apply: Callable[[State, Event], State] = applier(
    {
        Start: (["start"], _apply_start),
        Reveal: (["reveal"], _apply_reveal),
        Claim: (["claim"], _apply_claim),
        Play: (TURNS, _apply_play),
        Stop: (["chain", "extra-chain"], _apply_stop),
        Pass: (["play", "extra"], _apply_pass),
        Result: ([*PHASES][1:], _apply_result),  # once somebody deals
    },
    PHASES,
)


# Checks


def _player_to_act(state: State) -> int:
    assert state.turn is not None  # this phase always has a player to act
    return state.turn


# Moving cards from hand or front onto the field


def monarchs_left(state: State, virtue: Attribute) -> int:
    """Return how many monarchs of a virtue have not been seen yet."""
    return EACH_VIRTUE - sum(MONARCH_VIRTUE[seen] is virtue for seen in state.monarchs_seen)


def _monarch_seen(state: State, card: Card) -> State:
    if not monarchs_left(state, MONARCH_VIRTUE[card]):
        raise IllegalEventError("seen", N_("both monarchs of {virtue} were seen already"), virtue=MONARCH_VIRTUE[card])
    return replace(state, monarchs_seen=(*state.monarchs_seen, card))


def _from_hand(state: State, player: int, card: Card) -> State:
    """Return the state with a character taken out of a hand."""
    if not state.hand[player]:
        raise IllegalEventError("hand", N_("{player} has no such card left in hand"), player=Seat(player))
    hand = changed(state.hand, player, -1)
    if card is BLANK:
        if not state.blank_hidden:
            raise IllegalEventError("blank", N_("nobody holds the blank character"))
        return replace(state, hand=hand, blank_hidden=False)
    if card in MONARCH_VIRTUE:
        return replace(_monarch_seen(state, card), hand=hand)
    if state.vassals_seen == VASSALS_IN_ALL:
        raise IllegalEventError("seen", N_("all {most} vassals were seen already"), most=VASSALS_IN_ALL)
    return replace(state, hand=hand, vassals_seen=state.vassals_seen + 1)


def _from_front(state: State, player: int, card: Card) -> State:
    """Return the state with a card taken off the leftmost column in front of a player that it tops."""
    front = state.front[player]
    for place, column in enumerate(front):
        if column[-1] is card:
            rest = ((*column[:-1],),) if len(column) > 1 else ()
            columns = (*front[:place], *rest, *front[place + 1 :])
            return replace(state, front=put(state.front, player, columns))
    if any(card in column for column in front):
        raise IllegalEventError("covered", N_("{card} is covered by another card"), card=card)
    raise IllegalEventError("front", N_("{card} is not in front of {player}"), card=card, player=Seat(player))


def _on_top(state: State, card: Card, **changes: Any) -> State:
    """Return the state with a character laid on the field, and other changes.

    The blank character takes the domain that was needed.
    """
    domain = state.follows if card is BLANK else card.suit
    return replace(state, pile=(*state.pile, card), follows=None if domain is None else AFTER[domain], **changes)
