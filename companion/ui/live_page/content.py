"""The contents of a live page: plain data; told in one language, before a page is made of it.

Texts may contain the private-use characters of glyphs (`companion.ui.symbols.GLYPHS`); a page draws them.
"""

from __future__ import annotations

from typing import Generic, Literal

from msgspec import Struct

from companion.core.text import Told_co
from companion.ui.faces import Faces
from companion.ui.screens.phones import Phone
from companion.ui.view import Body, OpenGame, TableBody, TextBody


class Button(Struct, Generic[Told_co], frozen=True):
    """What can be tapped on a live page: the name that is sent, and its label."""

    name: str  # its name in a request, unique among the choices of one moment: ``sky-7``, ``seat 2``, ``undo``
    label: Told_co
    chosen: bool = False
    value: Told_co | str = ""
    below: Told_co | str = ""
    heading: Told_co | str = ""  # what stands above it and those that follow
    address: str = ""  # the page that it opens; then nothing is sent
    follows: bool = False  # whether it is a card that follows, where its suit alone does not tell that


class SuitSign(Struct, Generic[Told_co], frozen=True):
    """A suit before its row."""

    sign: Told_co
    word: Told_co
    colour: str  # the suit's colour, such as ``#0046ff``


class SuitRow(Struct, Generic[Told_co], frozen=True):
    """The cards of one suit, each at a place that stays; pairs of cards have rows, too."""

    signs: tuple[SuitSign[Told_co], ...]  # the suit; the suits of both cards, if the row is of pairs
    # all cards of the suit, in the deck's order; their labels are the figures printed on them
    deck: tuple[Button[Told_co], ...]
    # the same, None for a card that cannot be chosen, such as one seen before; empty if none is laid in the usual way
    cards: tuple[Button[Told_co] | None, ...]
    # the same cards laid in the alternate mode, such as a pledge; empty if there is none
    other: tuple[Button[Told_co] | None, ...] = ()
    led: bool = False  # whether this suit was led
    alike: bool = False  # whether all cards of the suit are alike: the row has one for all, with the number left

    @property
    def word(self: SuitRow) -> str:
        return " ".join(each.word for each in self.signs)


class FigureField(Struct, frozen=True):
    """A figure of a round that can be typed: given, asked for now, or asked for later."""

    name: str  # the name of its choice, which the figure follows: ``figure 2 1``
    figure: str  # what is given, with a true minus sign; empty if nothing is
    least: int  # the least number that it can be
    order: int  # its place in the order in which the figures are asked for
    asked: bool  # whether it is asked for now


class RoundForm(Struct, Generic[Told_co], frozen=True):
    """The figures of a round as fields: a row for each question, a cell for each seat."""

    label: Told_co  # the round, short
    heads: tuple[Told_co, ...]  # what each row asks
    rows: tuple[tuple[FigureField | str, ...], ...]  # a field, or a figure that follows from others
    game: str  # the name of the game
    round: int  # the number of the round
    corrects: bool  # whether it takes the place of a round that was entered
    totals: tuple[str, ...] = ()  # the totals with these figures, by seat, once all are given


class Question(Struct, Generic[Told_co], frozen=True):
    """What is asked, and everything that can be answered with one tap."""

    text: Told_co
    seat: int | None = None
    suits: tuple[SuitRow[Told_co], ...] = ()  # the cards by suit, in an order that stays
    mode: Told_co | str = ""  # the name of the alternate mode of laying a card; empty if there is none
    switched: bool = False  # whether the alternate mode can be switched on, because every card can be laid in it
    beside: bool = False  # whether the cards in the alternate mode stand in rows of their own, below everything else
    answers: tuple[Button[Told_co], ...] = ()  # other answers: seats, items
    numbers: tuple[int, int, int] | None = None  # the least and the greatest number and the step, if there are many
    others: tuple[Button[Told_co], ...] = ()  # skipping the question, its alternative, drawing who starts
    text_label: Told_co | str = ""  # the label of a text that can be entered; empty if none can
    begun: Told_co | str = ""  # the answers already given to this entry, in words
    form: RoundForm[Told_co] | None = None  # the figures that are asked for, if pages show all as fields


class RoundCheck(Struct, Generic[Told_co], frozen=True):
    """The question whether the figures of the round that has just ended are those on the table."""

    text: Told_co
    choices: tuple[Button[Told_co], ...]


class LivePageContent(Struct, Generic[Told_co], frozen=True):
    """The contents of a live page."""

    language: str  # the two-letter code of the language
    number: int  # the number of the question; an answer names it, so that a late answer is noticed
    table: OpenGame[Told_co] | None  # the open game; None while none is open
    question: Question[Told_co]
    # the body of the panel, if it is not the table's: a list, sentences, figures, a name being typed
    body: Body[Told_co] | None = None
    check: RoundCheck[Told_co] | None = None  # what is asked about the figures of the body, before the question
    notice: tuple[Told_co, ...] = ()  # sentences on the last entry
    alert: bool = False
    alerts: int = 0  # how many alerts of the game nobody has looked at yet
    refused: bool = False
    offers: tuple[Button[Told_co], ...] = ()  # corrections that may be meant
    actions: tuple[Button[Told_co], ...] = ()  # undo, entries, menu, home and the like
    # what a screen reader says of the last entry: a short sentence, and the rest
    said: tuple[Told_co | str, Told_co | str] = ("", "")
    latest_by: Told_co | str = ""  # who has changed the table last
    entered_by: int | str | None = None  # the number of the phone that made the last entry, undo or redo; see `State`
    latest_answer: Told_co | str = ""  # what a phone is told whose answer came after the last one
    # the seat that may take the last entry or answer back; None is who made it
    undo_of: int | Literal["any"] | None = None
    # what makes the phone one that scores, where that offers more actions; it may go on with the action of its name
    as_scorer: Button[Told_co] | None = None
    back: bool = False  # whether an action leads one screen back, and takes nothing back
    away: bool = False  # whether the viewer has another screen open than the table, or corrects an entry
    unsaved: Told_co | str = ""  # the sentence that says what is not saved; empty if everything is
    address: str = ""  # the page's address for phones; empty if it is not known
    pin: str = ""  # the PIN of the open pairing; empty if none is open, or after too many wrong ones
    link: str = ""  # the address that pairs a phone, in the code; empty if no pairing is open
    phones: tuple[Phone, ...] = ()  # the paired phones
    rules: tuple[TableBody | TextBody, ...] = ()
    faces: Faces = Faces()  # everybody's face; those at the table are told apart
    first: tuple[str, ...] = ()  # on a box without any game: the step to the first one that is shown, and all steps
    clock: Told_co | str = ""  # the minutes left in a club's round; empty without a clock

    @property
    def told(self: LivePageContent) -> tuple[str, ...]:
        """Return what a screen tells that nobody taps: the notice, and what is asked about the figures."""
        return (*self.notice, *(() if self.check is None else (self.check.text,)))
