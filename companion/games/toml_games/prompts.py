"""Prompts of a declared game: the next question, and conversion of answers to events and back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseItem, ChooseSeat, DetailLevel, LayCard, Prompt, Skip, TakeAlternative
from companion.core.text import N_, Seat, Text, joined
from companion.games.kit.rounds import ask_start, lays, sits
from companion.games.kit.tricks import led_suit

from .card_play import lead_card, leads_first, trump_of
from .declaration import Declaration
from .events import (
    EventClasses,
    GameEnded,
    Given,
    Lead,
    Play,
    Trick,
    Trump,
    given,
    made,
    told,
    written,
)
from .question_prompts import answers_of, has_sheet
from .question_prompts import ask as ask_questions
from .rules import apply, can_end, open_places
from .state import Answers, State, playing, turn
from .trick_rules import TrickRules

GAME_OVER = Text(N_("game over"))


def ask(
    game: Declaration, kinds: EventClasses, state: State, tracking: DetailLevel, answers: tuple[Answer, ...]
) -> Prompt | Event | None:
    """Return the next prompt, or the event that the answers make; None if the game is over."""
    if state.phase == "over":
        return None
    if state.phase == "start":
        return ask_start(range(state.seats), answers, N_("Who deals?"))
    if can_end(game, state) and answers[:1] == (TakeAlternative(),):
        return GameEnded()
    if tracking is DetailLevel.ROUND and kinds.round is not None:
        asked = _ask_round(game, kinds, state, answers)
    elif state.asked is not None:
        asked = _ask_question(game, kinds, state, state.asked, answers)
    else:
        asked = _ask_play(game, state, tracking, answers)
    if isinstance(asked, Prompt) and not answers and can_end(game, state):
        return replace(asked, answers=(*asked.answers, TakeAlternative()), alternative=GAME_OVER)
    return asked


def _title(state: State) -> Text:
    return Text(N_("Round {round}"), round=state.round)


def _ask_question(
    game: Declaration, kinds: EventClasses, state: State, place: int, answers: tuple[Answer, ...]
) -> Prompt | Event:
    def event(asked: Answers) -> Event:
        answer = asked[place]
        assert answer is not None  # the question has just been answered
        return made(kinds.answers[place], game.questions[place], answer)

    asked = ask_questions(
        game,
        state,
        (place,),
        answers,
        _title(state),
        lambda asked: _seen_whole(game, kinds, state, (place,), event(asked)),
    )
    return asked if isinstance(asked, Prompt) else event(asked)


def _seen_whole(game: Declaration, kinds: EventClasses, state: State, places: Sequence[int], event: Event) -> bool:
    """Return whether an event counts only once its sheet was seen whole: if it has one, and ends the round."""
    return has_sheet(game, places) and len(apply(game, kinds, state, event).rounds) > len(state.rounds)


def _ask_round(game: Declaration, kinds: EventClasses, state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    assert kinds.round is not None  # only then is a round asked as a whole
    places = open_places(state)
    asked = ask_questions(game, state, places, answers, _title(state), lambda _asked: has_sheet(game, places))
    if isinstance(asked, Prompt):
        return asked
    figures = {
        question.name: written(question, answer) if state.given[question.place] is None else UNSET
        for question, answer in zip(game.questions, asked, strict=True)
        if answer is not None
    }
    return kinds.round(**figures)


def _ask_play(game: Declaration, state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the prompt for the trump, the leader, a card or the winner of a trick."""
    rules, play = game.tricks, state.play
    assert rules is not None and play is not None  # only a game with tricks awaits something else  # noqa: PT018
    if state.phase == "trump":
        return _ask_trump(rules, answers)
    seats = sorted(playing(game, state))
    if state.phase == "lead":
        first = lead_card(rules, state.seats)
        match answers:
            case (ChooseSeat(player),):
                return Lead(player) if first is None or tracking is DetailLevel.QUICK else Play(player, first)
        text = Text(N_("Who leads?")) if first is None else Text(N_("Who has {card}?"), card=first.sign)
        return Prompt(text, sits(seats))
    if tracking is DetailLevel.QUICK and not play.table:
        match answers:
            case (ChooseSeat(winner),):
                return Trick(winner)
        return Prompt(Text(N_("Who won?")), sits(seats))
    laying = turn(game, state)
    assert laying is not None  # this phase always has a player to act
    match answers:
        case (LayCard(card),):
            return Play(laying, card)
    text = (
        Text(N_("Card: {player}"), player=Seat(laying))
        if play.table
        else Text(N_("Leads: {player}"), player=Seat(laying))
    )
    led = led_suit([laid.card for laid in play.table], rules.order)
    return Prompt(
        text,
        lays(_offered(rules, state)),
        seat=laying,
        deck=rules.deck.cards,
        suits=rules.suits,
        bare=_bare(rules, led, trump_of(state)),
        led=led,
        alike=_alike(rules, state),
    )


def _offered(rules: TrickRules, state: State) -> tuple[Card, ...]:
    """Return the cards that can be laid; of equal jokers one."""
    play = state.play
    assert play is not None  # cards are awaited
    able = rules.deck.outside(play.seen | rules.without.get(state.seats, 0))
    if leads_first(rules, play):
        able = tuple(card for card in rules.deck if card in (rules.lead_card, lead_card(rules, state.seats)))
    return tuple({card.name if card.suit in rules.suits else card.suit.name: card for card in reversed(able)}.values())[
        ::-1
    ]


def _alike(rules: TrickRules, state: State) -> tuple[tuple[Suit, int], ...]:
    """Return the kinds of jokers, and how many of each are left."""
    assert state.play is not None  # cards are awaited
    left = rules.deck.outside(state.play.seen | rules.without.get(state.seats, 0))
    kinds = dict.fromkeys(card.suit for card in rules.deck if card.suit not in rules.suits)
    return tuple((kind, sum(card.suit is kind for card in left)) for kind in kinds)


def _bare(rules: TrickRules, led: Suit | None, trump: Suit | None) -> tuple[Suit, ...]:
    """Return the suits to try for a rank typed without a suit, once a suit is led: it, the trump, the others."""
    if led is None:
        return ()
    return tuple(dict.fromkeys((led, *((trump,) if trump is not None else ()), *rules.suits)))


def _ask_trump(rules: TrickRules, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (ChooseItem(value),):
            return Trump(rules.suits[value - 1].name if value else None)
    items = (*(_suit_item(rules, suit) for suit in rules.suits), NO_TRUMP)
    legend = joined(
        (
            *(
                Text("{letter}{suit}", letter=letter, suit=suit.sign)
                for letter, suit in zip(LETTERS, rules.suits, strict=False)
            ),
            Text(" {none}", none=Text(N_("0 none"))),
        ),
        "",
    )
    # with its suits, so that their letters are not taken for the game's end
    return Prompt(Text(N_("Trump:")), items, suits=rules.suits, legend=legend)


LETTERS = "ABCD"
"""What is typed for the one to four suits, as for those of cards."""
NO_TRUMP = ChooseItem(0, Text(N_("no trump")))


def _suit_item(rules: TrickRules, suit: Suit) -> ChooseItem:
    place = rules.suits.index(suit)
    return ChooseItem(place + 1, suit.label, letter=LETTERS[place])


def answers(game: Declaration, kinds: EventClasses, state: State, event: Event) -> tuple[Answer, ...]:
    """Return the answers that make an event."""
    place = kinds.place(event)
    if place is not None:
        said = answers_of(game, state, {place: told(game.questions[place], event)})
        return (*said, Skip()) if _seen_whole(game, kinds, state, (place,), event) else said
    if kinds.round is not None and isinstance(event, kinds.round):
        figures = _round_answers(game, event)
        said = answers_of(game, state, figures)
        return (*said, Skip()) if has_sheet(game, tuple(figures)) else said
    match event:
        case Start(player) | Lead(player):
            return (ChooseSeat(player),)
        case Play(player, _) if state.phase == "lead":
            return (ChooseSeat(player),)
        case Play(_, card):
            return (LayCard(card),)
        case Trick(winner):
            return (ChooseSeat(winner),)
        case Trump(suit):
            rules = game.tricks
            assert rules is not None  # only then is there a trump
            return (
                NO_TRUMP
                if suit is None
                else next(_suit_item(rules, each) for each in rules.suits if each.name == suit),
            )
        case GameEnded():
            return (TakeAlternative(),)
    raise TypeError(f"not an event of {game.name}: {event!r}")


def _round_answers(game: Declaration, event: Event) -> dict[int, Given]:
    values = ((question, getattr(event, question.name)) for question in game.questions)
    return {question.place: given(question, value) for question, value in values if value is not UNSET}
