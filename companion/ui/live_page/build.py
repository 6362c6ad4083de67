"""Builds the contents of a live page from a screen and its context: the question, cards by suit, the course."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from math import gcd
from typing import Any, Literal

from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.correction import player_by_turn
from companion.core.game import Best, Event, Game
from companion.core.prompt import (
    NOT_ASKED,
    Answer,
    ChooseItem,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
)
from companion.core.session import Session, last_round_end
from companion.core.text import N_, Seat, Text, joined
from companion.gamelog import decode_header
from companion.history.chart import Course
from companion.history.results import course_until
from companion.ui.keys import answer_name
from companion.ui.live_page.content import (
    Button,
    FigureField,
    LivePageContent,
    Question,
    RoundCheck,
    RoundForm,
    SuitRow,
    SuitSign,
)
from companion.ui.screens.context import BACK_AT, Choice, CurrentGame, Screen, ScreenContents, ScreenContext, for_pages
from companion.ui.screens.game_choice import GameChoiceScreen, ListedGamesScreen, OtherGamesScreen
from companion.ui.screens.help import rules_page
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.list_selection import row_name
from companion.ui.screens.phones import PairingScreen, PhonesScreen, PhonesStatus
from companion.ui.screens.questions import answer_label, kept
from companion.ui.screens.questions import number as written
from companion.ui.screens.round_form import round_in
from companion.ui.screens.set_up import SetUp
from companion.ui.screens.suggestions import ON_TABLE
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator
from companion.ui.view import (
    Body,
    ListBody,
    OpenGame,
    TableBody,
    TextBody,
    View,
    colour_code,
    for_page,
    in_full,
    open_game,
)

_totals = lru_cache(maxsize=4)(course_until)
"""The totals until a step; the same step is asked for after each entry until the next round ends."""


def game_course(session: Session, over: bool) -> Course[object] | None:
    """Return the running totals of a game; None before the end of its first round."""
    game = session.header.game
    end = last_round_end(game, session.counted)
    if end is None:
        return None
    totals = _totals(game, session.counted if over else end)
    labels: list[object] = [
        Text(N_("R{round}"), round=number) for number in range(1, game.optional.finished_rounds(end.state) + 1)
    ]
    if len(totals) > len(labels) + 1:  # the game was not played to the end of a round
        labels.append(Text(N_("end")))
    names = tuple(Seat(seat) for seat in range(len(session.header.players)))
    return Course(names, tuple(labels), tuple(zip(*totals, strict=True)), session.header.best is Best.LOWEST)


BESIDE = 16
"""Maximum number of cards in the alternate mode that are shown beside the others."""


def is_mode(prompt: Prompt) -> bool:
    """Return whether pages need a switch between the two ways to lay a card: every card can be laid either way."""
    usual, aside = _cards(prompt, False), _cards(prompt, True)
    return bool(usual) and usual == aside


def stands_beside(prompt: Prompt) -> bool:
    """Return whether the cards in the alternate mode have rows of their own: they are few, or others than the usual."""
    aside = _cards(prompt, True)
    return bool(aside) and (len(aside) <= BESIDE or not is_mode(prompt))


def in_suit(answer: Answer) -> bool:
    """Return whether an answer is an item that stands in the row of a suit."""
    return isinstance(answer, ChooseItem) and answer.suit is not None


def suit_rows(prompt: Prompt) -> Iterator[SuitRow[object]]:
    """Yield the rows of cards, of items that are cards of a suit, and of pairs of cards."""
    offered = set(prompt.answers)
    usual, aside = _cards(prompt, False), _cards(prompt, True)
    deck = tuple(dict.fromkeys((*prompt.deck, *usual, *aside))) if usual or aside else ()
    alike = dict(prompt.alike)
    follows = _following(prompt)
    for suit in dict.fromkeys((*prompt.suits, *(card.suit for card in deck))):
        own = [card for card in deck if card.suit is suit]
        left = alike.get(suit)
        value = "" if left is None or len(own) == 1 else f"×{left}"
        if left is not None:
            own = [card for card in own if card in usual or card in aside][:1] or own[:1]
        if own and (usual or any(card in aside for card in own)):
            yield SuitRow(
                (_sign(suit),),
                tuple(Button(card.name, card.printed) for card in own),
                _choices(offered, ((LayCard(card), card.printed) for card in own), value, follows) if usual else (),
                _choices(offered, ((LayCard(card, True), card.printed) for card in own), value, follows)
                if aside
                else (),
                suit is prompt.led,
                left is not None,
            )
    items = [pick for pick in prompt.picks if pick.suit is not None] if any(map(in_suit, offered)) else []
    for item_suit in dict.fromkeys(pick.suit for pick in items if pick.suit is not None):
        picks = [pick for pick in items if pick.suit is item_suit]
        yield SuitRow(
            (_sign(item_suit),),
            tuple(Button(answer_name(pick), pick.figure) for pick in picks),
            _choices(offered, ((pick, pick.figure) for pick in picks)),
        )
    if any(isinstance(answer, LayPair) for answer in offered):
        yield from _pair_rows(prompt, offered)


def _pair_rows(prompt: Prompt, offered: set[Answer]) -> Iterator[SuitRow[object]]:
    """Yield a row for every two suits, each pair once: which card of it is named first changes nothing."""
    for place, suit in enumerate(prompt.suits):
        for other in prompt.suits[place:]:
            pairs = [
                LayPair(first, second)
                for first in prompt.deck
                for second in prompt.deck
                if (first.suit, second.suit) == (suit, other) and first.rank == second.rank
            ]
            turned = (pair if pair in offered else LayPair(pair.second, pair.first) for pair in pairs)
            yield SuitRow(
                (_sign(suit), _sign(other)),
                tuple(Button(answer_name(pair), pair.first.figure) for pair in pairs),
                _choices(offered, ((pair, pair.first.figure) for pair in turned)),
            )


def _cards(prompt: Prompt, alternate: bool) -> dict[Card, None]:
    """Return the cards that can be laid in a mode, in order; equal whatever the order."""
    laid = (answer for answer in prompt.answers if isinstance(answer, LayCard))
    return {answer.card: None for answer in laid if answer.alternate is alternate}


def _following(prompt: Prompt) -> Collection[Card]:
    """Return the cards that follow the led suit; none where they are the row of that suit, which is marked as such."""
    belongs = dict(prompt.belongs)
    following = {card for card in prompt.deck if belongs.get(card, card.suit) is prompt.led}
    return () if all((card.suit is prompt.led) is (card in following) for card in prompt.deck) else following


def _choices(
    offered: set[Answer],
    answers: Iterable[tuple[Answer, object]],
    value: str = "",
    follows: Collection[Card] = (),
) -> tuple[Button[object] | None, ...]:
    return tuple(
        Button(answer_name(each), figure, value=value, follows=isinstance(each, LayCard) and each.card in follows)
        if each in offered
        else None
        for each, figure in answers
    )


def _sign(suit: Suit) -> SuitSign[object]:
    return SuitSign(suit.sign, suit, colour_code(suit.colour))


FIRST_STEPS: tuple[tuple[str, type[Screen] | tuple[type[Screen], ...]], ...] = (
    ("home", HomeScreen),
    ("phones", (PhonesScreen, PairingScreen)),
    ("game", (GameChoiceScreen, OtherGamesScreen, ListedGamesScreen)),
    ("players", SetUp),
)
"""The screens that lead to the first game, by the step that they are."""


def _first_steps(screen: Screen, phones: bool) -> Iterator[str]:
    """Yield which step to the first game a screen is, if it is one, and then all steps; with phones or without.

    Phones come first: whoever has joined with a name is offered as a player.
    """
    for step, screens in FIRST_STEPS:
        if isinstance(screen, screens):
            yield from (step, *["phones"] * phones, "game", "players")


BUTTONS = 30
"""Maximum number of numbers that are buttons; more are entered by steps."""


def live_page_content(
    screen: Screen, context: ScreenContext, contents: ScreenContents, number: int
) -> LivePageContent[object]:
    """Return everything that a live page shows of a screen, in no language yet."""
    view, game = contents.view, context.game
    body = view.body
    phones = context.machine.get(PhonesStatus)
    prompt = None if contents.codes is None else contents.codes.prompt
    withheld = frozenset() if context.scores else contents.for_scorers
    choices = tuple(choice for choice in contents.shown if choice.name not in withheld)
    as_scorer = _as_scorer(withheld - {choice.name for choice in contents.choices if choice.page == "offers"})
    placed = {place: tuple(_buttons(choices, place)) for place in ("check", "offers", "actions", "question")}
    names = {choice.name for choice in choices}
    rows = tuple(row for row in _rows(body, contents.rows, "remove" in names) if row.name not in withheld)
    form = _form(game, contents, prompt)
    return LivePageContent(
        "",
        number,
        None if game is None else _table(game, contents.table),
        _question(view, contents, prompt, screen.expected_text or "", form, placed["question"]),
        body=None if isinstance(body, OpenGame) else _without_keys(body, screen),
        check=RoundCheck(ON_TABLE, placed["check"]) if placed["check"] else None,
        notice=view.notice,
        alert=view.alert,
        alerts=0 if game is None else len(game.session.header.game.optional.alerts(game.session.state)),
        offers=placed["offers"],
        actions=(*rows, *placed["actions"]),
        as_scorer=as_scorer,
        said=_said(context, view),
        undo_of=_undo_of(context, screen) if names & {"undo", "back"} else None,
        back="back" in names,
        away=not (isinstance(screen, PlayScreen) and screen.correction is None),
        address=phones.address if phones is not None and phones.reachable else "",
        pin="" if phones is None else phones.pin,
        link=phones.link if phones is not None and phones.reachable else "",
        phones=() if phones is None else phones.paired,
        first=(*_first_steps(screen, phones is not None),) if context.is_new else (),
        clock="" if context.machine.club is None else context.machine.club.left,
    )


def told(
    content: LivePageContent[object], context: ScreenContext, words: Translator, message: Text | None
) -> LivePageContent:
    """Return what a live page shows in one language, with the message of its viewer in place of the screen's notice."""
    page: LivePageContent = words.told(content)
    if message is not None:
        page = replace(page, notice=(words.sentence(for_pages(message)),), alert=False)
    latest, rest = page.said
    said = words.aloud(". ".join(page.notice) or latest), words.aloud(rest)
    rules = () if context.game is None else _rules(words.language, context.game.session.header.written)
    return replace(page, language=words.language, said=said, rules=rules, faces=context.faces)


def _without_keys(body: Body[object], screen: Screen) -> Body[object]:
    """Return a body whose title names no keys of the box and is in full, and every sentence whole."""
    title = screen.title_on_pages
    if isinstance(body, TableBody):
        return replace(body, title=body.full_title or body.title, names=body.bare_names or body.names)
    if isinstance(body, TextBody) and body.whole:
        body = replace(body, sentences=body.whole)
    return replace(body, title=title) if title is not None and isinstance(body, ListBody | TextBody) else body


def _undo_of(context: ScreenContext, screen: Screen) -> int | Literal["any"] | None:
    """Return the seat that may take the latest answer or entry back; ``any`` if no seat's, None: who made it."""
    if context.game is None or not isinstance(screen, PlayScreen):
        return "any"
    if screen.answers:
        asked = screen.position(context.game).ask(screen.answers[:-1])
        return "any" if not isinstance(asked, Prompt) or asked.seat is None else asked.seat
    session = context.game.session
    if session.latest is not None and not isinstance(session.latest, Event):
        return None
    seat = None if session.latest is None else player_by_turn(session.header.game, session.latest)
    return "any" if seat is None else seat


def _rows(body: Body[object], count: int, acted_on: bool) -> Iterator[Button[object]]:
    """Yield the rows of a list; one is marked where an action is about it, not where only keys need to know it."""
    if not isinstance(body, ListBody):
        return
    acted_on = acted_on or body.counted
    for place, (text, value) in enumerate(body.rows[:count]):
        below = joined(filter(None, body.below[place])) if place < len(body.below) else ""
        label = joined((str(body.start + place), body.colon, text), "") if body.counted else text
        heading = body.headings[place] if place < len(body.headings) else ""
        address = body.addresses[place] if place < len(body.addresses) else ""
        yield Button(row_name(place), label, acted_on and place == body.chosen, value, below, heading, address)


def _as_scorer(withheld: Collection[str]) -> Button[object] | None:
    """Return the button that makes a phone one that scores, and corrects an entry where it has one."""
    if not withheld:
        return None
    corrects = Button[object]("correct", Text(N_("correct as scorer")))
    return corrects if corrects.name in withheld else Button("", Text(N_("more as scorer")))


def _buttons(choices: Sequence[Choice], place: str) -> Iterator[Button[object]]:
    """Yield the choices that stand at a place; the ways elsewhere come last."""
    for choice in sorted(choices, key=lambda choice: choice.near >= BACK_AT):
        if choice.page == place:
            yield Button(choice.name, choice.label, below=choice.below)


def _said(context: ScreenContext, view: View[object]) -> tuple[object, object]:
    """Return what a screen reader says of the last entry where no notice does: a short sentence, then the question."""
    latest = None if context.game is None else context.game.session.head.event
    notice = "" if context.game is None or latest is None else context.game.session.header.game.describe(latest)
    return notice, joined(filter(None, (view.ahead, view.question, view.following)))


def _table(current: CurrentGame, table: OpenGame[object] | None) -> OpenGame[object]:
    """Return the table with its scores: the one that the screen shows, else the open game's latest state."""
    session, over, face = current.session, current.over, current.position.face
    game = session.header.game
    shown = lasting(table or open_game(face), game)
    return for_page(shown, game.title, face.suits, session.score_sheet, over, game_course(session, over))


def lasting(table: OpenGame[object], game: Game[Any]) -> OpenGame[object]:
    """Return the table with what its large symbol stands for, in a game whose symbol outlasts a trick."""
    kind = game.optional.lasting
    return table if table.symbol is None or kind is None else replace(table, symbol=replace(table.symbol, kind=kind))


@lru_cache(maxsize=8)
def _rules(language: str, written: str) -> tuple[TableBody | TextBody, ...]:
    """Return the pages of the rules card of a game, by the line of its header."""
    header = decode_header(written.encode())
    words, card = Translator(language, header.players), header.game.optional.rules_card
    seats = len(header.players)
    pages = () if card is None else card(seats, header.rules)
    told: tuple[TableBody | TextBody, ...] = words.told(tuple(rules_page(page, seats) for page in pages))
    return told


# The question


def _step(numbers: Sequence[int]) -> int:
    """Return the step between numbers, the least first."""
    return numbers.step if isinstance(numbers, range) else gcd(*(number - numbers[0] for number in numbers))


def _form(game: CurrentGame | None, contents: ScreenContents, prompt: Prompt | None) -> RoundForm[object] | None:
    """Return the figures of a round as fields; None if no figure of a sheet is asked for."""
    fields = contents.fields
    if game is None or prompt is None or prompt.sheet is None or not fields:
        return None
    places = {field.place: (order, field) for order, field in enumerate(fields)}
    unknown = NOT_ASKED if prompt.whole else ""

    def cell(seat: int, column: int, figure: int | None) -> FigureField | str:
        there = "" if figure is None else written(figure)
        if (seat, column) not in places:
            return there or unknown
        order, field = places[seat, column]
        return FigureField(f"figure {seat + 1} {column + 1}", there, field.least, order, field.asked)

    rows = tuple(
        tuple(cell(seat, column, row[column]) for seat, row in enumerate(prompt.sheet.rows))
        for column in range(len(prompt.sheet.columns))
    )
    corrected = contents.corrected_round
    running = corrected or round_in(game.session.header.game, game.session.state)
    label = Text(N_("R{round}"), round=running)
    totals = tuple(map(written, contents.totals_then))
    return RoundForm(label, prompt.sheet.columns, rows, game.name, running, corrected > 0, totals)


def _question(
    view: View[object],
    contents: ScreenContents,
    prompt: Prompt | None,
    text_label: object,
    form: RoundForm[object] | None = None,
    beside: tuple[Button[object], ...] = (),
) -> Question[object]:
    if prompt is None:
        return Question("", text_label=text_label)
    text = view.following or joined(filter(None, (in_full(view.ahead), view.question)), " · ")
    numbers: Sequence[int] = prompt.open_numbers
    numbers = numbers or sorted(answer.value for answer in prompt.answers if isinstance(answer, EnterNumber))
    many = len(numbers) > BUTTONS

    def label(answer: Answer) -> object:
        return kept(prompt)[0] if answer == prompt.stays else answer_label(prompt, answer)

    ways_round = [answer for answer in prompt.answers if isinstance(answer, Skip | TakeAlternative)]
    figures = prompt.sheet
    if form is not None and prompt.whole and figures is not None and not (figures.by_row or figures.told):
        ways_round = [answer for answer in ways_round if answer == Skip()]  # nothing else is there to change
    rest = [
        answer
        for answer in prompt.answers
        if not isinstance(answer, LayCard | LayPair | Skip | TakeAlternative | (EnterNumber if many else LayCard))
        and not in_suit(answer)
    ]
    stays = (prompt.stays,) if many and isinstance(prompt.stays, EnterNumber) else ()
    aside = any(isinstance(answer, LayCard) and answer.alternate for answer in prompt.answers)
    return Question(
        text,
        prompt.seat,
        tuple(suit_rows(prompt)),
        prompt.alternate.label if prompt.alternate and aside else "",
        is_mode(prompt),
        stands_beside(prompt),
        tuple(Button(answer_name(answer), label(answer)) for answer in rest),
        (numbers[0], numbers[-1], _step(numbers)) if many else None,
        (*(Button(answer_name(answer), label(answer)) for answer in (*stays, *ways_round)), *beside),
        text_label,
        contents.begun,
        form,
    )
