"""What can be on the panel, as plain data, and how the views of games become it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game_view import GameView, Table
from companion.core.text import N_, Seat, Text
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator

if TYPE_CHECKING:
    from companion.history.chart import Course


BETWEEN = "·"
"""The separator between players' names; not a space, since names may contain spaces."""


class ListBody(Struct, frozen=True):
    """A list of rows to choose from."""

    title: str
    rows: tuple[tuple[str, str], ...]  # the text at the left and the value at the right of each row
    chosen: int = 0  # the highlighted row
    by_number: bool = True  # whether a digit chooses a row, if the list is short enough
    plain: bool = False  # whether the rows are drawn without numbers, because the board has no digits
    start: int = 1  # the number of the first row
    # the second line of each row, left and right; may be shorter than the list of rows
    below: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()  # the names in title and rows; where a line does not fit they are shortened first
    counted: bool = False  # whether a row is known by its number elsewhere, as an entry is
    colon: str = ": "  # what follows a number that is no key, as the language writes it
    game: str = ""  # the game that is set up; on the panel it stands before the title if both fit

    @property
    def heading(self) -> str:
        """Return the title with the game before it."""
        return " · ".join(filter(None, (self.game, self.title)))


class TextBody(Struct, frozen=True):
    """A page of sentences, from the first one shown on."""

    title: str
    sentences: tuple[str, ...]
    first: int = 0
    whole: tuple[str, ...] = ()  # the same for pages, where long ones are in pieces for the panel


class TableBody(Struct, frozen=True):
    """A table of figures, a row for each seat."""

    title: str
    heads: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # the figures as text, by row and column
    marked: tuple[int, ...] = ()  # the rows marked as winners
    cell: tuple[int, int] | None = None  # the row and column being filled in
    laid: tuple[str, ...] = ()  # the cards that each row's player laid in the trick that has just ended
    changed: tuple[tuple[int, int], ...] = ()  # the rows and columns of figures that differ from those of the cards
    told: tuple[str, ...] = ()  # more sentences about the figures; the panel shows them where it has room
    # the totals of each row, drawn as a small line between its first figure and its last; a row has two
    lines: tuple[tuple[int, ...], ...] = ()
    # whether it is a score sheet; where not all rounds have room, the panel shows the sum of the first ones; of more
    # than five players the totals alone
    scores: bool = False
    sheet: bool = False  # whether players fill it in
    full_title: str = ""  # the title in full, for pages, where the panel has a short one


class LargeSymbol(Struct, frozen=True):
    """The large symbol: the trump, the needed domain, the led colour."""

    picture: str  # the name of its large drawing
    word: str  # its meaning
    colour: str  # its colour, such as ``#0046ff``
    figure: str = ""  # a number over it
    kind: str = ""  # what it stands for, such as trump, if it outlasts a trick


class PileColumn(Struct, frozen=True):
    """A counted pile: its glyph, its height, and how many more cards would make it trump (0: never, or it is)."""

    sign: str
    count: int
    more: int = 0


class SeatRow(Struct, frozen=True):
    """The row of a seat: name, cards, figures, score."""

    name: str
    cards: str = ""  # the cards laid in this trick
    figures: str = ""  # the figures of this round
    total: str = ""  # the score; empty if there is none yet, or on the panel
    piles: tuple[int, ...] = ()  # the counts of captured cards
    leads: bool = False
    turn: bool = False
    won: bool = False  # whether it won the trick that has just ended, or the game
    sits_out: bool = False  # whether it does not play this round
    key: str = ""  # the key that chooses the seat, if the prompt asks for a seat

    @property
    def shown_name(self) -> str:
        """Return the name as pictures show it: in brackets if the seat sits out."""
        return f"({self.name})" if self.sits_out else self.name

    @property
    def laid(self) -> str:
        """Return the cards laid in this trick, after the winner's sign if the seat won it."""
        return GLYPHS["winner"] * self.won + self.cards


class OpenGame(Struct, frozen=True):
    """The table of a game in one language, for the panel, pages, the HDMI screen and screen readers."""

    game: str  # the game's title
    status: str  # the state of play, such as its round
    symbol: LargeSymbol | None  # the large symbol; None if there is none now
    columns: tuple[PileColumn, ...]
    # the glyphs of the seats' captured piles, if there are any; they then take the symbol's place
    pile_signs: tuple[str, ...]
    seats: tuple[SeatRow, ...]
    outcome: str = ""  # how the last trick or turn ended, just after it; on the panel it replaces status and columns
    scores: TableBody = TableBody("", (), (), ())  # the score sheet; empty on the panel
    over: bool = False
    # the signs of the suits that seats lay, with their colours; pages draw laid cards in them
    suits: tuple[tuple[str, str], ...] = ()
    brief: str = ""  # the state of play where there is little room
    course: Course | None = None  # the running totals; None before the end of the first round, and on the panel


class TypingBody(Struct, frozen=True):
    """A name or number being typed."""

    title: str
    text: str  # the characters typed so far, without the pending one
    pending: str  # the last character, which another press of its key would change
    help: tuple[str, ...]  # the letters of the keys, line by line
    matches: tuple[str, ...] = ()  # known names that match; one key takes the first


class CodeBody(Struct, frozen=True):
    """A QR code, with its content in words beside it."""

    title: str  # what it is for
    # the modules: ``#`` is dark, ``.`` is light. Empty if there is no code; the words then stand alone
    rows: tuple[str, ...]
    words: tuple[str, ...]  # the content in words, line by line
    figure: str = ""  # a number in large figures


class TestPictureBody(Struct, frozen=True):
    """The panel's test picture: a frame along the edges, around sentences."""

    sentences: tuple[str, ...]


Body = ListBody | TextBody | TableBody | OpenGame | TypingBody | CodeBody | TestPictureBody


class View(Struct, frozen=True):
    """The whole panel: body, bottom line and notice."""

    body: Body
    question: str = ""  # the question on the bottom line
    typed: str = ""  # the keys typed so far, after the question
    hint: str = ""  # the hint at the end of the bottom line
    brief: str | None = None  # a shorter hint, used if the full one does not fit; None if there is none
    # what can be chosen, each after its key; where the hint has no room for them the panel lists them above
    choices: tuple[str, ...] = ()
    choice: str = ""  # the selected option on boards with few keys; replaces the hint
    short: str = ""  # a shorter text for the selected option, used if the full one does not fit
    names: tuple[str, ...] = ()  # the names in the bottom line; they are shortened first
    # a mark before the question: the question's round, while the body shows the previous round's figures
    ahead: str = ""
    # the question that the next key answers, while the bottom line asks about the body; empty if it is the same
    following: str = ""
    notice: tuple[str, ...] = ()  # sentences drawn over the body until the next key
    alert: bool = False
    offers: tuple[str, ...] = ()  # sentences below the notice: corrections that can be chosen
    clock: str = ""  # the minutes left in a club's round, drawn only where the bottom line has room for them
    unsaved: int | None = None  # the number of unsaved entries while the disk cannot be written; else None


def spoken(view: View, aloud: Callable[[str], str]) -> tuple[str, ...]:
    """Return a view as lines of text for screen readers; ``aloud`` replaces glyphs by words."""
    lines: list[str] = []
    match view.body:
        case ListBody(_title, rows, chosen, below=below):
            whole = (" ".join(filter(None, (*row, *under))) for row, under in zip_longest(rows, below, fillvalue=()))
            lines += [view.body.heading, *(f"> {line}" if row == chosen else line for row, line in enumerate(whole))]
        case TextBody(title, sentences, first):
            lines += [title, *sentences[first:]]
        case TableBody(title, heads, names, figures):
            lines += [title, *view.body.told, ", ".join(filter(None, heads))]
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
            lines += [title, " ".join(said), figure]
        case TestPictureBody(sentences):
            lines += sentences
    turned_to = f"<{view.choice}>" if view.choice else ""
    foot = f"{view.ahead} {view.question} {view.typed} {view.hint} {turned_to}"
    said = (*view.notice, *view.offers, *lines, foot, *filter(None, (view.following,)))
    return tuple(map(aloud, said))


IN_FULL = {
    "R{round}": N_("Round {round}"),
    "R{round} T{trick}": N_("Round {round} · Trick {trick}"),
    "R{round} turn {turn}": N_("Round {round} · Turn {turn}"),
    "R{round} {card}/8": N_("Round {round} · Card {card} of 8"),
    "R{round} {player} deals": N_("Round {round} · {player} deals"),
    "R{round} over": N_("Round {round} is over"),
    "Trick: {player}": N_("{player} wins the trick"),
    "Two tricks: {player}": N_("{player} wins two tricks"),
    "{player} wins R{round}": N_("{player} wins round {round}"),
}
"""The short texts of games on rounds and tricks, in full: for pages, and for the panel where there is room."""


def in_full(text: object) -> object:
    """Return a text on a round as it reads where there is room; what is no `Text` is in full.

    >>> str(in_full(Text("R{round} T{trick}", round=2, trick=1)))
    'Round 2 · Trick 1'
    >>> in_full("of a package's game")
    "of a package's game"
    """
    return Text(IN_FULL.get(text.template, text.template), **text.args) if isinstance(text, Text) else text


def open_game(
    words: Translator, title: str, view: GameView, asked: int | None = None, offered: Collection[int] = ()
) -> OpenGame:
    """Return the table without its scores.

    Args:
        asked: The seat that is asked, if it is one.
        offered: The seats that can be chosen.
    """
    headline = view.headline
    return OpenGame(
        words(Text(title)),
        words(in_full(view.status)),
        None
        if headline is None
        else LargeSymbol(headline.picture, words(headline.word), colour_code(headline.colour), headline.figure),
        tuple(PileColumn(words(column.sign), column.count, column.more) for column in view.columns),
        () if view.piles is None else tuple(map(words, view.piles.signs)),
        tuple(seat_rows(words, view, asked, offered)),
        "" if view.result is None else words(in_full(view.result)),
        suits=tuple((words(suit.sign), colour_code(suit.colour)) for suit in view.suits),
        brief=words(view.status),
    )


def seat_rows(
    words: Translator, view: GameView, asked: int | None = None, offered: Collection[int] = ()
) -> Iterator[SeatRow]:
    """Yield the seats of the table, as `open_game` shows them."""
    for seat, line in enumerate(view.seats):
        yield SeatRow(
            words(Seat(seat)),
            words(line.laid),
            words(line.figures),
            piles=() if view.piles is None else view.piles.counts[seat],
            leads=line.leads,
            turn=seat == asked,
            won=line.won,
            sits_out=line.sits_out,
            key=str(seat + 1) if seat in offered else "",
        )


def with_scores(words: Translator, table: OpenGame, sheet: Table, over: bool, course: Course | None = None) -> OpenGame:
    """Return the table with scores and totals; the course is left out where no chart is wanted."""
    scores = table_body(words, sheet)
    seats = (
        replace(seat, total=row[-1] if row else "", won=place in scores.marked if over else seat.won)
        for place, (seat, row) in enumerate(zip(table.seats, scores.rows or [()] * len(table.seats), strict=True))
    )
    outcome = "" if over else table.outcome  # the marks are those of the game then, not of its last trick
    return replace(table, seats=tuple(seats), outcome=outcome, scores=scores, over=over, course=course)


def table_body(words: Translator, table: Table) -> TableBody:
    return TableBody(
        words(table.title),
        tuple(map(words, table.columns)),
        tuple(map(words, table.names)) or words.players,
        tuple(tuple(map(words, row)) for row in table.rows),
        table.marked,
        full_title=words(in_full(table.title)),
    )


def colour_code(colour: tuple[int, int, int]) -> str:
    """Return a lamp's colour as a page writes it.

    >>> colour_code((0, 70, 255))
    '#0046ff'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
