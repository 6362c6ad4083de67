"""What the panel shows, as data: text is final, nothing is drawn yet."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from .fonts import GLYPHS

if TYPE_CHECKING:
    from companion.history.chart import Course


class ListBody(Struct, frozen=True):
    """A list of rows to choose from.

    Attributes:
        rows: The text at the left and the value at the right of each row.
        chosen: The highlighted row.
        by_number: Whether a digit chooses a row, if the list is short enough.
        plain: Whether the rows are drawn without numbers, because the board has no digits.
        start: The number of the first row.
        below: The second line of each row, left and right; may be shorter than the list of rows.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    chosen: int = 0
    by_number: bool = True
    plain: bool = False
    start: int = 1
    below: tuple[tuple[str, str], ...] = ()


class TextBody(Struct, frozen=True):
    """A page of sentences, from the first one shown on."""

    title: str
    sentences: tuple[str, ...]
    first: int = 0


class TableBody(Struct, frozen=True):
    """A table of figures, a row for each seat.

    Attributes:
        rows: The figures as text, by row and column.
        marked: The rows marked as winners.
        cell: The row and column being filled in.
        laid: The cards that each row's player laid in the trick that has just ended.
        lines: The totals of each row, drawn as a small line between its first figure and its last; a row has two.
    """

    title: str
    heads: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[int, ...] = ()
    cell: tuple[int, int] | None = None
    laid: tuple[str, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()


class LargeSymbol(Struct, frozen=True):
    """The large symbol: the trump, the needed domain, the led colour.

    Attributes:
        picture: The name of its large drawing.
        word: Its meaning.
        colour: Its colour, such as ``#0046ff``.
        figure: A number over it.
    """

    picture: str
    word: str
    colour: str
    figure: str = ""


class PileColumn(Struct, frozen=True):
    """A counted pile: its glyph, its height, and how many more cards would make it trump (0: never, or it is)."""

    sign: str
    count: int
    more: int = 0


class SeatRow(Struct, frozen=True):
    """The row of a seat: name, cards, figures, score.

    Attributes:
        cards: The cards laid in this trick.
        figures: The figures of this round.
        total: The score; empty if there is none yet, or on the panel.
        piles: The counts of captured cards.
        won: Whether it won the trick that has just ended, or the game.
        key: The key that chooses the seat, if the prompt asks for a seat.
    """

    name: str
    cards: str = ""
    figures: str = ""
    total: str = ""
    piles: tuple[int, ...] = ()
    leads: bool = False
    turn: bool = False
    won: bool = False
    key: str = ""

    @property
    def laid(self) -> str:
        """Return the cards laid in this trick, after the winner's sign if the seat won it."""
        return GLYPHS["winner"] * self.won + self.cards


class OpenGame(Struct, frozen=True):
    """The table of a game in one language, for the panel, pages, the HDMI screen and screen readers.

    Attributes:
        game: The game's title.
        status: The state of play, such as its round.
        symbol: The large symbol; None if there is none now.
        pile_signs: The glyphs of the seats' captured piles, if there are any; they then take the symbol's place.
        outcome: How the last trick or turn ended, just after it; on the panel it replaces status and columns.
        scores: The score sheet; empty on the panel.
        course: The running totals; None before the end of the first round, and on the panel.
    """

    game: str
    status: str
    symbol: LargeSymbol | None
    columns: tuple[PileColumn, ...]
    pile_signs: tuple[str, ...]
    seats: tuple[SeatRow, ...]
    outcome: str = ""
    scores: TableBody = TableBody("", (), (), ())
    over: bool = False
    course: Course | None = None


class TypingBody(Struct, frozen=True):
    """A name or number being typed.

    Attributes:
        text: The characters typed so far, without the pending one.
        pending: The last character, which another press of its key would change.
        help: The letters of the keys, line by line.
        matches: Known names that match; one key takes the first.
    """

    title: str
    text: str
    pending: str
    help: tuple[str, ...]
    matches: tuple[str, ...] = ()


class CodeBody(Struct, frozen=True):
    """A QR code, with its content in words beside it.

    Attributes:
        title: What it is for.
        rows: The modules: ``#`` is dark, ``.`` is light. Empty if there is no code; the words then stand alone.
        words: The content in words, line by line.
        figure: A number in large figures.
    """

    title: str
    rows: tuple[str, ...]
    words: tuple[str, ...]
    figure: str = ""


class TestPictureBody(Struct, frozen=True):
    """The panel's test picture: a frame along the edges, around sentences."""

    sentences: tuple[str, ...]


Body = ListBody | TextBody | TableBody | OpenGame | TypingBody | CodeBody | TestPictureBody


class View(Struct, frozen=True):
    """The whole panel: body, bottom line and notice.

    Attributes:
        question: The question on the bottom line.
        typed: The keys typed so far, after the question.
        hint: The hint at the end of the bottom line.
        brief: A shorter hint, used if the full one does not fit; None if there is none.
        choice: The selected option on boards with few keys; replaces the hint.
        short: A shorter text for the selected option, used if the full one does not fit.
        names: The names in the bottom line; they are shortened first.
        ahead: A mark before the question: the question's round, while the body shows the previous round's figures.
        notice: Sentences drawn over the body until the next key.
        offers: Sentences below the notice: corrections that can be chosen.
        unsaved: The number of unsaved entries while the disk cannot be written; else None.
    """

    body: Body
    question: str = ""
    typed: str = ""
    hint: str = ""
    brief: str | None = None
    choice: str = ""
    short: str = ""
    names: tuple[str, ...] = ()
    ahead: str = ""
    notice: tuple[str, ...] = ()
    alert: bool = False
    offers: tuple[str, ...] = ()
    unsaved: int | None = None


def spoken(view: View, aloud: Callable[[str], str]) -> tuple[str, ...]:
    """Return a view as lines of text for screen readers; ``aloud`` replaces glyphs by words."""
    lines: list[str] = []
    match view.body:
        case ListBody(title, rows, chosen, below=below):
            whole = (" ".join(filter(None, (*row, *under))) for row, under in zip_longest(rows, below, fillvalue=()))
            lines += [title, *(f"> {line}" if row == chosen else line for row, line in enumerate(whole))]
        case TextBody(title, sentences, first):
            lines += [title, *sentences[first:]]
        case TableBody(title, heads, names, figures):
            lines += [title, ", ".join(filter(None, heads))]
            laid = view.body.laid or ("",) * len(names)
            for row, (name, cards, said) in enumerate(zip(names, laid, figures, strict=True)):
                won = f", {GLYPHS['winner']}" if row in view.body.marked else ""
                told = map(str, view.body.lines[row]) if view.body.lines else said
                lines += [f"{name}{won}: {', '.join(filter(None, (cards, *told)))}"]
        case OpenGame(_title, status, symbol):
            word = "" if symbol is None else symbol.word
            lines += [view.body.outcome] if view.body.outcome else []
            lines += [" ".join((status, *(view.body.pile_signs or (word,)))).strip()]
            lines += [" ".join((seat.name, *map(str, seat.piles), seat.laid, seat.figures)) for seat in view.body.seats]
        case TypingBody(title, text, pending):
            lines += [title, text + pending]
            lines += [", ".join(view.body.matches)] if view.body.matches else []
        case CodeBody(title, _rows, said, figure):
            lines += [title, "".join(said), figure]
        case TestPictureBody(sentences):
            lines += sentences
    turned_to = f"<{view.choice}>" if view.choice else ""
    said = (*view.notice, *view.offers, *lines, f"{view.ahead} {view.question} {view.typed} {view.hint} {turned_to}")
    return tuple(map(aloud, said))
