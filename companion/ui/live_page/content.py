"""The contents of a live page: plain data in one language.

Texts may contain the private-use characters of glyphs (`companion.ui.fonts.GLYPHS`); a page draws them.
"""

from __future__ import annotations

from msgspec import Struct

from companion.ui.view import Body, OpenGame, TableBody, TextBody


class Choice(Struct, frozen=True):
    """A choice on a live page: the name that is sent, and its label.

    Attributes:
        name: Its name in a request, unique among the choices of one moment: ``sky-7``, ``seat 2``, ``#``.
    """

    name: str
    label: str
    chosen: bool = False
    value: str = ""
    below: str = ""


class SuitRow(Struct, frozen=True):
    """The cards of one suit that can be chosen.

    Attributes:
        colour: The suit's colour, such as ``#0046ff``.
        cards: The cards, in the deck's order; their labels are the figures printed on them. None for a card that
            cannot be chosen, such as one seen before.
        other: The same cards laid in the alternate mode, such as a pledge; empty if there is none.
    """

    sign: str
    word: str
    colour: str
    cards: tuple[Choice | None, ...]
    other: tuple[Choice | None, ...] = ()


class Question(Struct, frozen=True):
    """What is asked, and everything that can be answered with one tap.

    Attributes:
        suits: The cards, the led suit first.
        mode: The name of the alternate mode of laying a card; empty if there is none.
        switched: Whether the alternate mode is switched on first; otherwise its cards stand beside the others.
        answers: Other answers: seats, items, pairs of cards.
        numbers: The least and the greatest number, and the likely one, if a number is asked for.
        others: Skipping the question, and its alternative.
        text_label: The label of a text that can be entered; empty if none can.
        begun: The answers already given to this entry, in words.
    """

    text: str
    seat: int | None = None
    suits: tuple[SuitRow, ...] = ()
    mode: str = ""
    switched: bool = False
    answers: tuple[Choice, ...] = ()
    numbers: tuple[int, int, int] | None = None
    others: tuple[Choice, ...] = ()
    text_label: str = ""
    begun: str = ""


class LivePageContent(Struct, frozen=True):
    """The contents of a live page.

    Attributes:
        language: The two-letter code of the language.
        number: The number of the question; an answer names it, so that a late answer is noticed.
        table: The open game; None while none is open.
        body: The body of the panel, if it is not the table's: a list, sentences, figures, a name being typed.
        notice: Sentences on the last entry.
        offers: Corrections that may be meant.
        actions: Undo, entries, menu, home and the like.
        said: What a screen reader says of the last entry: a short sentence, and the rest.
        unsaved: The sentence that says what is not saved; empty if everything is.
        address: The page's address for phones; empty if it is not known.
        pin: The PIN of the open pairing; empty if none is open, or after too many wrong ones.
        link: The address that pairs a phone, in the code; empty if no pairing is open.
    """

    language: str
    number: int
    table: OpenGame | None
    question: Question
    body: Body | None = None
    notice: tuple[str, ...] = ()
    alert: bool = False
    refused: bool = False
    offers: tuple[Choice, ...] = ()
    actions: tuple[Choice, ...] = ()
    said: tuple[str, str] = ("", "")
    unsaved: str = ""
    address: str = ""
    pin: str = ""
    link: str = ""
    rules: tuple[TableBody | TextBody, ...] = ()
