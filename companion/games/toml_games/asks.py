"""Prompts of a declared game: the next question, the conversion of answers to events and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import Event, Start
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    DetailLevel,
    EnterNumber,
    LayCard,
    Prompt,
    Skip,
    TakeAlternative,
    TallySheet,
)
from companion.core.text import N_, Seat, Text, joined, listed
from companion.games.kit.rounds import Form, Key, Known, Walked, ask_start, lays, sits

from .asked_figures import (
    NOBODY,
    AskedFigure,
    cells,
    checked_value,
    in_text,
    index_of,
    seats_asked,
    seats_with_figure,
    settles_itself,
    was_asked,
)
from .cards import TrickRules
from .declaration import MOST_LISTED, Answers, Declaration, End, Given, Lead, Play, Trick, Trump
from .file import Question
from .rules import can_end, ends_round, lead_card, leads_first, led, open_questions
from .state import RoundTricks, State, awaited, by_seat, laying, side_numbers, turn
from .view import described, head

YES_OR_NO = 2


class QuestionsForm(Form[AskedFigure, Answers], frozen=True, kw_only=True):
    """The figures that questions of a declared game need; each question can be entered again."""

    game: Declaration
    state: State
    questions: Sequence[Question]

    def read(self, cell: AskedFigure, answers: list[Answer]) -> int | None:
        return checked_value(cell, _value(answers.pop(0)), self.state.seats)

    def spelled(self, cell: AskedFigure, value: int) -> tuple[Answer, ...]:
        return (_answer(cell.question, value),)

    def label(self, cell: AskedFigure, value: int) -> object:
        answer = _answer(cell.question, value)
        return answer.label if isinstance(answer, ChooseItem) else value

    def prompt(self, cell: AskedFigure, known: Known, _typed: Sequence[Answer]) -> Prompt:
        prompt = _prompt(self.text(cell), cell)
        return replace(prompt, sheet=self.sheet(known, cell)) if _is_column(cell.question) else prompt

    def sheet(self, known: Known, cell: AskedFigure | None) -> TallySheet:
        assert cell is not None  # a whole sheet has its own function
        return _sheet(self.game, self.state, self.questions, cell.answers, self.title, cell, known)

    def whole_sheet(self, walked: Walked[AskedFigure, Answers]) -> TallySheet:
        sheet = _sheet(self.game, self.state, self.questions, walked.end, self.title)
        return replace(sheet, told=tuple(_told(self.game, self.state, walked.end)))

    def group(self, key: Key) -> Any:
        return key[0]

    def which_wrong(self, known: Known, sheet: TallySheet) -> Prompt:
        asked = {name for name, _row in known}
        items = [
            ChooseItem(number, Text(question.subject))
            for number, question in enumerate(self.questions, 1)
            if question.name in asked
        ]
        keyed = {item.label: Text("{key} {label}", key=item.value, label=item.label) for item in items}
        others = tuple(text for label, text in keyed.items() if label not in sheet.columns)
        heads = tuple(keyed.get(head, head) for head in sheet.columns)
        return Prompt(
            Text(N_("What is wrong?")),
            tuple(items),
            legend=joined(keyed.values()),
            sheet=replace(sheet, columns=heads, told=others),
        )

    def group_meant(self, answer: Answer) -> Any:
        return self.questions[answer.value - 1].name if isinstance(answer, ChooseItem) else None


def _form(game: Declaration, state: State, question: Question | None, logged: bool = False) -> QuestionsForm:
    """Return the form of a question, or of all that are open.

    If it ends the round, and has a column, it is shown whole.

    Args:
        logged: Whether a log has the answers.
    """
    questions = open_questions(game, state) if question is None else [question]

    def shown(answers: Answers) -> bool:
        columns, whole = [*filter(_is_column, questions)], replace(state, given=answers)
        if question is None:
            return any(was_asked(game, whole, each) for each in columns)
        return bool(columns) and ends_round(game, state, question, answers[question.name])

    return QuestionsForm(
        head(game, state) or Text(N_("Round {round}"), round=state.round),
        {},
        state.seats,
        lambda _figures: cells(game, state, questions, logged),
        partial(_text, game, state),
        shown=shown,
        rest=Text(N_("rest: 0")),
        rest_apart=True,
        asks_first=partial(settles_itself, game, state, questions),
        game=game,
        state=state,
        questions=questions,
    )


def _value(answer: Answer) -> int:
    match answer:
        case EnterNumber(value):
            return value
        case ChooseItem(value):
            return value
        case ChooseSeat(seat):
            return seat
    return NOBODY


def _answer(question: Question, value: int) -> Answer:
    if question.kind == "number":
        return EnterNumber(value)
    if question.kind == "choice":
        return ChooseItem(value, next(Text(label) for label, each in question.choices if each == value))
    return Skip() if value == NOBODY else ChooseSeat(value)


# The prompt


@lru_cache(maxsize=64)
def _numbers(first: int, last: int, step: int) -> tuple[Answer, ...]:
    return tuple(map(EnterNumber, range(first, last + 1, step)))


def _prompt(text: Text, cell: AskedFigure) -> Prompt:
    question = cell.question
    offered: tuple[Answer, ...]
    numbers = range(0)
    if isinstance(cell.values, range):
        listed = cell.values
        if len(listed) > MOST_LISTED:
            numbers, half = listed, MOST_LISTED // 2
            first = max(0, min(-listed[0] // listed.step - half, len(listed) - MOST_LISTED))
            listed = listed[first : first + MOST_LISTED]
        offered = _numbers(listed[0], listed[-1], listed.step)
    else:
        offered = tuple(_answer(question, value) for value in cell.values if value != NOBODY)
    skip = None
    if question.kind == "seats":
        skip = Text(N_("no more")) if cell.row else Text(question.nobody or N_("nobody"))
    elif question.nobody and NOBODY in cell.values:
        skip = Text(question.nobody)
    legend = None
    if question.kind == "choice":
        offered_now = [(label, each) for label, each in question.choices if each in cell.values]
        legend = joined(Text("{key} {label}", key=each, label=Text(label)) for label, each in offered_now)
    return Prompt(
        text,
        offered,
        seat=cell.seat,
        named=cell.answers.get(question.name, ()) if question.kind == "order" else (),
        skip=skip,
        skip_apart=skip is not None and not cell.row,
        legend=legend,
        open_numbers=numbers,
    )


def _text(game: Declaration, state: State, cell: AskedFigure) -> Text:
    question, seat = cell.question, cell.seat
    label = Text(question.subject)
    if seat is None:
        if question.text:
            return Text(question.text, **in_text(game, state, cell))
        if question.label.endswith("?"):
            return Text(question.label)
        if not question.names_seats:
            return Text(N_("{label}:"), label=label)
        if question.kind == "order":
            place = len(cell.answers[question.name]) + 1
            return Text(N_("{label} {place}: who?"), label=label, place=place)
        # what skips the question needs the room beside it
        return Text(N_("{label}: who?") if not question.nobody else N_("{label}?"), label=label)
    player = _player(game, state, question, seat)
    return (
        Text(question.text, player=player, **in_text(game, state, cell))
        if question.text
        else Text(N_("{label}: {player}"), label=label, player=player)
    )


def _player(game: Declaration, state: State, question: Question, seat: int) -> object:
    """Return whom a question asks at a seat: the player, or all of the side."""
    if question.per != "side":
        return Seat(seat)
    sides = side_numbers(game, state.seats)
    return joined((Seat(each) for each in range(state.seats) if sides[each] == sides[seat]), "+")


def _columns(game: Declaration, state: State, questions: Sequence[Question]) -> list[Question]:
    """Return the columns of a sheet: questions that ask seats or sides for numbers, now or earlier in the round."""
    return [
        question
        for question in filter(_is_column, game.questions)
        if question in questions or (state.given.get(question.name) and was_asked(game, state, question))
    ]


def _is_column(question: Question) -> bool:
    return question.per in ("seat", "side") and question.kind == "number"


def _chosen_by_each(question: Question) -> bool:
    """Return whether each player or side chooses."""
    return question.kind == "choice" and question.per != "round"


def _sheet(
    game: Declaration,
    state: State,
    questions: Sequence[Question],
    answers: Answers,
    title: Text,
    cell: AskedFigure | None = None,
    known: Known | None = None,
) -> TallySheet:
    """Return the figures so far; whole if no cell is asked for.

    Args:
        known: Figures that are known though they are still to be said again.
    """
    columns = _columns(game, state, questions)
    with_figure: dict[str, tuple[int, ...]] = {}
    if cell is None:
        whole = replace(state, given=answers)
        with_figure = {each.name: seats_with_figure(game, whole, each) for each in columns}
    sides = side_numbers(game, state.seats)
    still: set[int] = set()  # the seats whose figure in the column of the cell is open
    if cell is not None and cell.seat is not None:
        asked = seats_asked(game, state, cell.question)
        still = set(asked[asked.index(cell.seat) :])
        if cell.question.per == "side":
            open_sides = {sides[seat] for seat in still}
            still = {seat for seat in range(state.seats) if sides[seat] in open_sides}

    def is_open(question: Question, seat: int) -> bool:
        if cell is None:
            return False
        return seat in still if question in cell.together else question.name not in cell.answers

    def figure(question: Question, seat: int) -> int | None:
        if is_open(question, seat):
            return (known or {}).get((question.name, index_of(game, state, question, seat)))
        if cell is None and seat not in with_figure[question.name]:
            return None
        return by_seat(game, question, state.seats, answers[question.name])[seat]

    rows = tuple(tuple(figure(question, seat) for question in columns) for seat in range(state.seats))
    place = None if cell is None else (cell.seat or 0, columns.index(cell.question))
    return TallySheet(title, tuple(Text(question.label) for question in columns), rows, place)


def _told(game: Declaration, state: State, answers: Answers) -> Iterator[Text]:
    """Yield the answers of the round that are no figures of its sheet, in words; without choices that count 0.

    What is said of the whole round comes first: a panel may have no room for more.
    """
    whole = replace(state, given=answers)
    for question in sorted(game.questions, key=_chosen_by_each):
        answer = answers.get(question.name)
        if answer is None or _is_column(question) or not was_asked(game, whole, question):
            continue
        if question.kind != "choice" or (question.per == "round" and any(answer)):
            yield described(question, answer)
        if not _chosen_by_each(question):
            continue
        labels = {value: Text(label) for label, value in question.choices}
        chosen = [
            Text("{player} {label}", player=_player(game, state, question, seat), label=labels[value])
            for seat in seats_asked(game, state, question)
            if (value := answer[index_of(game, state, question, seat)])
        ]
        if chosen and len(question.choices) > YES_OR_NO:  # what was chosen says by itself what it answers
            yield listed(chosen)
        elif chosen:
            yield Text(N_("{label}: {figures}"), label=Text(question.subject), figures=listed(chosen))


# Cards and the rest


GAME_OVER = Text(N_("game over"))


def ask(game: Declaration, state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    """Return the next prompt, or the event that the answers make; None if the game is over."""
    if state.phase == "over":
        return None
    if state.phase == "start":
        return ask_start(range(state.seats), answers, N_("Who deals?"))
    if can_end(game, state) and answers[:1] == (TakeAlternative(),):
        return End()
    if game.events.round is not None and (tracking is DetailLevel.ROUND or game.asks == "players"):
        asked = _ask_figures(game, state, None, answers)
    elif state.asked is not None:
        asked = _ask_figures(game, state, open_questions(game, state)[0], answers)
    else:
        asked = _ask_play(game, state, tracking, answers)
    if isinstance(asked, Prompt) and not answers and can_end(game, state):
        return replace(asked, answers=(*asked.answers, TakeAlternative()), alternative=GAME_OVER)
    return asked


def _ask_figures(
    game: Declaration, state: State, question: Question | None, answers: tuple[Answer, ...]
) -> Prompt | Event:
    form = _form(game, state, question)
    asked = form.ask(answers)
    if isinstance(asked, Prompt):
        return asked
    if question is not None:
        return game.answered(question, asked[question.name])
    return game.round_of({each.name: asked[each.name] for each in form.questions})


def _ask_play(game: Declaration, state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the prompt for the trump, the leader, a card or the winner of a trick."""
    rules, play = awaited(game, state)
    if state.phase == "trump":
        return _ask_trump(rules, answers)
    seats = sorted(laying(game, state))
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
    seat = turn(game, state)
    assert seat is not None  # this phase always has a player to act
    match answers:
        case (LayCard(card),):
            return Play(seat, card)
    follows, belongs = led(play), _belongs(rules, play)
    return Prompt(
        Text(N_("Card: {player}") if play.table else N_("Leads: {player}"), player=Seat(seat)),
        lays(_offered(rules, play, state.seats)),
        seat=seat,
        deck=rules.deck.cards,
        suits=rules.suits,
        bare=_bare(rules, follows, play.trump, belongs),
        belongs=belongs,
        led=follows,
        alike=_alike(rules, rules.unseen(play.seen, state.seats)),
    )


def _offered(rules: TrickRules, play: RoundTricks, seats: int) -> tuple[Card, ...]:
    """Return the cards that can be laid; of equal jokers one."""
    able = rules.unseen(play.seen, seats)
    if leads_first(rules, play):
        able = tuple(card for card in rules.deck if card in (rules.lead_card, lead_card(rules, seats)))
    return tuple({card.name if card.suit in rules.suits else card.suit.name: card for card in reversed(able)}.values())[
        ::-1
    ]


def _alike(rules: TrickRules, left: Sequence[Card]) -> tuple[tuple[Suit, int], ...]:
    """Return the kinds of jokers, and how many of each are left."""
    kinds = dict.fromkeys(card.suit for card in rules.deck if card.suit not in rules.suits)
    return tuple((kind, sum(card.suit is kind for card in left)) for kind in kinds)


def _belongs(rules: TrickRules, play: RoundTricks) -> tuple[tuple[Card, Suit], ...]:
    """Return the cards that belong to another suit than the printed one, such as bowers."""
    suit_of = play.cards.order.suit_of
    suits = ((card, suit_of(card, play.trump)) for card in rules.deck)
    return tuple((card, suit) for card, suit in suits if suit is not None and suit is not card.suit)


def _bare(
    rules: TrickRules, led: Suit | None, trump: Suit | None, belongs: Sequence[tuple[Card, Suit]]
) -> tuple[Suit, ...]:
    """Return the suits to try for a rank typed without a suit, once a suit is led: it, the trump, the others."""
    if led is None:
        return ()
    trumps = (*((trump,) if trump is not None else ()), *(suit for _card, suit in belongs))
    return tuple(dict.fromkeys((led, *trumps, *rules.suits)))


def _ask_trump(rules: TrickRules, answers: tuple[Answer, ...]) -> Prompt | Event:
    items = _trumps(rules)
    match answers:
        case (ChooseItem(value),):
            return Trump(next(name for name, item in items.items() if item.value == value))
    letters = zip(LETTERS, rules.suits, strict=False)
    others = [item for item in items.values() if not item.letter]
    legend = joined(
        (
            *(Text("{letter}{suit}", letter=letter, suit=suit.sign) for letter, suit in letters),
            *(
                Text(" {none}", none=Text(N_("0 none")))
                if each is NO_TRUMP
                else Text(" {key} {label}", key=each.value, label=each.label)
                for each in others
            ),
        ),
        "",
    )
    # with its suits, so that their letters are not taken for the game's end
    return Prompt(Text(N_("Trump:")), tuple(items.values()), suits=rules.suits, legend=legend)


LETTERS = "ABCD"
"""The keys of the first four suits."""
NO_TRUMP = ChooseItem(0, Text(N_("no trump")))


def _trumps(rules: TrickRules) -> dict[str | None, ChooseItem]:
    """Return by name the suits that can be trump, what can be chosen in their place, and none where it can be."""
    found: dict[str | None, ChooseItem] = {
        suit.name: ChooseItem(place + 1, suit.label, letter=LETTERS[place : place + 1])
        for place, suit in enumerate(rules.suits)
    }
    for each in rules.said.instead:
        if each.named is not None:
            found[str(each.named)] = ChooseItem(len(found) + 1, Text(each.named))
    if rules.said.trump != "suit":
        found[None] = NO_TRUMP
    return found


def answers(game: Declaration, state: State, event: Event) -> tuple[Answer, ...]:
    """Return the answers that make an event."""
    said = game.said(event)
    if said is not None:
        form = _form(game, state, game.events.questions.get(type(event)), logged=True)
        return form.answers({each.name: _by_row(each, said.get(each.name, ())) for each in form.questions})
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
            rules = game.trick_rules
            assert rules is not None  # only then is there a trump
            return (_trumps(rules)[suit],)
        case End():
            return (TakeAlternative(),)
    raise TypeError(f"not an event of {game.name}: {event!r}")


def _by_row(question: Question, answer: Given) -> Given:
    """Return an answer by the rows of its cells: after the seats that are named comes nobody."""
    return (*answer, NOBODY) if question.names_seats else answer
