"""What can be on the panel, as plain data, and how the views of games become it.

Screens fill these structs with texts: ``View[object]``. `Translator.told` makes the same of strings of one language,
``View``, which pictures and pages draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Suit
from companion.core.game import EventOutcome, GameView, PileColumn, Table
from companion.core.text import N_, Glyph, Seat, Text, Told_co, joined
from companion.ui.symbols import GLYPHS

if TYPE_CHECKING:
    from companion.history.chart import Course


BETWEEN = "·"
"""The separator between players' names; not a space, since names may contain spaces."""


class ListBody(Struct, Generic[Told_co], frozen=True):
    """A list of rows to choose from."""

    title: Told_co
    rows: tuple[tuple[Told_co, Told_co], ...]  # the text at the left and the value at the right of each row
    chosen: int = 0  # the highlighted row
    by_number: bool = True  # whether a digit chooses a row, if the list is short enough
    plain: bool = False  # whether the rows are drawn without numbers, because the board has no digits
    start: int = 1  # the number of the first row
    # the second line of each row, left and right; may be shorter than the list of rows
    below: tuple[tuple[Told_co, Told_co], ...] = ()
    headings: tuple[Told_co | str, ...] = ()  # what stands above each row on pages; may be shorter, too
    addresses: tuple[str, ...] = ()  # the page that each row opens on pages, if it opens one; may be shorter, too
    names: tuple[str, ...] = ()  # the names in title and rows; where a line does not fit they are shortened first
    counted: bool = False  # whether a row is known by its number elsewhere, as an entry is
    colon: Told_co | str = ": "  # what follows a number that is no key, as the language writes it
    game: Told_co | str = ""  # the game that is set up; on the panel it stands before the title if both fit

    @property
    def heading(self: ListBody) -> str:
        """Return the title with the game before it."""
        return " · ".join(filter(None, (self.game, self.title)))


class TextBody(Struct, Generic[Told_co], frozen=True):
    """A page of sentences, from the first one shown on."""

    title: Told_co
    sentences: tuple[Told_co, ...]
    first: int = 0
    whole: tuple[Told_co, ...] = ()  # the same for pages, where long ones are in pieces for the panel


class TableBody(Struct, Generic[Told_co], frozen=True):
    """A table of figures, a row for each seat."""

    title: Told_co
    heads: tuple[Told_co, ...]
    names: tuple[Told_co, ...]  # on the panel, after the keys of seats that can be chosen
    rows: tuple[tuple[Told_co, ...], ...]  # the figures as text, by row and column
    marked: tuple[int, ...] = ()  # the rows marked as winners
    cell: tuple[int, int] | None = None  # the row and column being filled in
    laid: tuple[Told_co, ...] = ()  # the cards that each row's player laid in the trick that has just ended
    changed: tuple[tuple[int, int], ...] = ()  # the rows and columns of figures that differ from those of the cards
    told: tuple[Told_co, ...] = ()  # more sentences about the figures; the panel shows them where it has room
    # the totals of each row, drawn as a small line between its first figure and its last; a row has two
    lines: tuple[tuple[int, ...], ...] = ()
    # whether it is a score sheet; where not all rounds have room, the panel shows the sum of the first ones; of more
    # than five players the totals alone
    scores: bool = False
    sheet: bool = False  # whether players fill it in
    full_title: Told_co | str = ""  # the title in full, for pages, where the panel has a short one
    bare_names: tuple[Told_co, ...] = ()  # the names without keys, for pages, where the panel has keys before them
    rounds: tuple[int, ...] = ()  # of a table of rounds: the number of the round of each column; 0 for other columns
    totals: int = -1  # of a table of rounds: the first column of totals


class LargeSymbol(Struct, Generic[Told_co], frozen=True):
    """The large symbol: the trump, the needed domain, the led colour."""

    picture: str  # the name of its large drawing
    word: Told_co  # its meaning
    colour: str  # its colour, such as ``#0046ff``
    figure: str = ""  # a number over it
    kind: Told_co | str = ""  # what it stands for, such as trump, if it outlasts a trick


class SeatRow(Struct, Generic[Told_co], frozen=True):
    """The row of a seat: name, cards, figures, score."""

    name: Told_co
    cards: Told_co | str = ""  # the cards laid in this trick
    figures: Told_co | str = ""  # the figures of this round
    total: Told_co | str = ""  # the score; empty if there is none yet, or on the panel
    piles: tuple[int, ...] = ()  # the counts of captured cards
    leads: bool = False
    turn: bool = False
    won: bool = False  # whether it won the trick that has just ended, or the game
    sits_out: bool = False  # whether it does not play this round
    key: str = ""  # before the name: the key that chooses the seat, or its place in an order that is being entered

    @property
    def shown_name(self: SeatRow) -> str:
        """Return the name as pictures show it: in brackets if the seat sits out."""
        return f"({self.name})" if self.sits_out else self.name

    @property
    def laid(self: SeatRow) -> str:
        """Return the cards laid in this trick, after the winner's sign if the seat won it."""
        return GLYPHS["winner"] * self.won + self.cards


class OpenGame(Struct, Generic[Told_co], frozen=True):
    """The table of a game, for the panel, pages and screen readers."""

    status: Told_co  # the state of play, such as its round
    symbol: LargeSymbol[Told_co] | None  # the large symbol; None if there is none now
    columns: tuple[PileColumn, ...]
    # the glyphs of the seats' captured piles, if there are any; they then take the symbol's place
    pile_signs: tuple[Told_co, ...]
    seats: tuple[SeatRow[Told_co], ...]
    # how the last trick or turn ended, just after it; on the panel it replaces status and columns
    outcome: Told_co | str = ""
    scores: TableBody[Told_co] | TableBody = TableBody("", (), (), ())  # the score sheet; empty on the panel
    over: bool = False
    game: Told_co | str = ""  # the game's title; empty on the panel
    # the signs of the suits that seats lay, with their colours: pages draw laid cards in them; none on the panel
    suits: tuple[tuple[Told_co, str], ...] = ()
    brief: Told_co | str = ""  # the state of play where there is little room
    # the running totals; None before the end of the first round, and on the panel
    course: Course[Told_co] | None = None


class TypingBody(Struct, Generic[Told_co], frozen=True):
    """A name or number being typed."""

    title: Told_co
    text: str  # the characters typed so far, without the pending one
    pending: str  # the last character, which another press of its key would change
    help: tuple[Told_co, ...]  # the letters of the keys, line by line
    matches: tuple[str, ...] = ()  # known names that match; one key takes the first


class CodeBody(Struct, Generic[Told_co], frozen=True):
    """A QR code, with its content in words beside it."""

    title: Told_co  # what it is for
    # the modules: ``#`` is dark, ``.`` is light. Empty if there is no code; the words then stand alone
    rows: tuple[str, ...]
    words: tuple[Told_co, ...]  # the content in words, line by line
    figure: str = ""  # a number in large figures


class TestPictureBody(Struct, Generic[Told_co], frozen=True):
    """The panel's test picture: a frame along the edges, around sentences."""

    sentences: tuple[Told_co, ...]


Body = (
    ListBody[Told_co]
    | TextBody[Told_co]
    | TableBody[Told_co]
    | OpenGame[Told_co]
    | TypingBody[Told_co]
    | CodeBody[Told_co]
    | TestPictureBody[Told_co]
)


class View(Struct, Generic[Told_co], frozen=True):
    """The whole panel: body, bottom line and notice."""

    body: Body[Told_co]
    question: Told_co | str = ""  # the question on the bottom line
    typed: Told_co | str = ""  # the keys typed so far, after the question
    hint: Told_co | str = ""  # the hint at the end of the bottom line
    brief: Told_co | str | None = None  # a shorter hint, used if the full one does not fit; None if there is none
    # what can be chosen, each after its key; where the hint has no room for them the panel lists them above
    choices: tuple[Told_co, ...] = ()
    choice: Told_co | str = ""  # the selected option on boards with few keys; replaces the hint
    short: Told_co | str = ""  # a shorter text for the selected option, used if the full one does not fit
    names: tuple[Told_co, ...] = ()  # the names in the bottom line; they are shortened first
    # a mark before the question: the question's round, while the body shows the previous round's figures
    ahead: Told_co | str = ""
    # the question that the next key answers, while the bottom line asks about the body; empty if it is the same
    following: Told_co | str = ""
    notice: tuple[Told_co, ...] = ()  # sentences drawn over the body until the next key
    alert: bool = False
    offers: tuple[Told_co, ...] = ()  # sentences below the notice: corrections that can be chosen
    clock: Told_co | str = ""  # the minutes left in a club's round, drawn only where the bottom line has room for them
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
        case OpenGame(status, symbol):
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


ROUND, TOTAL = N_("R{round}"), N_("total")
"""The heads of the columns of a score sheet."""

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
TEXTS_ON_PAGES = IN_FULL | {
    "{ours}:{theirs}": N_("Rounds won {ours}:{theirs}"),
    "{hand}": N_("{hand}\N{NO-BREAK SPACE}in\N{NO-BREAK SPACE}hand"),
    "{attribute}{key}": N_("{attribute}{key} goes on"),
}
"""The same for pages, which have more room."""


def in_full(text: object) -> object:
    """Return a text on a round as it reads where there is room; what is no `Text` is in full.

    >>> str(in_full(Text("R{round} T{trick}", round=2, trick=1)))
    'Round 2 · Trick 1'
    >>> in_full("of a package's game")
    "of a package's game"
    """
    return retold(text, IN_FULL) if isinstance(text, Text) else text


def retold(text: Text, templates: Mapping[str, str]) -> Text:
    """Return a text with another template, where there is one for its own."""
    other = templates.get(text.template)
    return text if other is None else Text(other, **text.args)


def on_pages(text: object) -> object:
    """Return a text on a round as a page has it, in full in each of its parts.

    >>> from companion.core.text import joined
    >>> str(on_pages(joined([Text("R{round}", round=2), "3"])))
    'Round 2 3'
    """
    if not isinstance(text, Text):
        return text
    parts = {name: on_pages(part) for name, part in text.args.items()}
    return Text(TEXTS_ON_PAGES.get(text.template, text.template), **parts)


def open_game(view: GameView, asked: int | None = None, signs: Mapping[int, str] | None = None) -> OpenGame[object]:
    """Return the table as the panel has it.

    Args:
        asked: The seat that is asked, if it is one.
        signs: What stands before the names of seats: their keys, or their places in an order.
    """
    headline = view.headline
    return OpenGame(
        in_full(view.status),
        None
        if headline is None
        # a glyph would be told as its small drawing
        else LargeSymbol(str(headline.picture), headline.word, colour_code(headline.colour), headline.figure),
        view.columns,
        () if view.piles is None else view.piles.signs,
        tuple(seat_rows(view, asked, signs)),
        "" if view.result is None else in_full(view.result),
        brief=view.status,
    )


def seat_rows(
    view: GameView, asked: int | None = None, signs: Mapping[int, str] | None = None
) -> Iterator[SeatRow[object]]:
    """Yield the seats of the table, as `open_game` shows them."""
    for seat, line in enumerate(view.seats):
        yield SeatRow(
            Seat(seat),
            line.laid,
            line.figures,
            piles=() if view.piles is None else view.piles.counts[seat],
            leads=line.leads,
            turn=seat == asked,
            won=line.won,
            sits_out=line.sits_out,
            key=(signs or {}).get(seat, ""),
        )


def for_page(
    table: OpenGame[object],
    title: str,
    suits: Iterable[Suit],
    sheet: Table,
    over: bool,
    course: Course[object] | None = None,
) -> OpenGame[object]:
    """Return the table with title, colours, scores and totals; the course is left out where no chart is wanted."""
    scores = table_body(sheet, len(table.seats))
    seats = (
        replace(
            seat,
            figures=on_pages(seat.figures),
            total=row[-1] if row else "",
            won=place in scores.marked if over else seat.won,
        )
        for place, (seat, row) in enumerate(zip(table.seats, scores.rows or [()] * len(table.seats), strict=True))
    )
    outcome = "" if over else table.outcome  # the marks are those of the game then, not of its last trick
    return replace(
        table,
        status=on_pages(table.brief or table.status),
        seats=tuple(seats),
        outcome=outcome,
        scores=scores,
        over=over,
        game=Text(title),
        suits=tuple((suit.sign, colour_code(suit.colour)) for suit in suits),
        course=course,
    )


def table_body(table: Table, seats: int) -> TableBody[object]:
    """Return a table of figures; its rows are of so many seats, unless they have names of their own."""
    heads = [(head.template, head.args.get("round")) for head in table.columns]
    numbers = [number if template == ROUND and isinstance(number, int) else 0 for template, number in heads]
    totals = next((place for place, (template, _number) in enumerate(heads) if template == TOTAL), len(heads) - 1)
    return TableBody(
        table.title,
        table.columns,
        table.names or tuple(map(Seat, range(seats))),
        table.rows,
        table.marked,
        full_title=in_full(table.title),
        rounds=tuple(numbers) if any(numbers) else (),
        totals=totals,
    )


def cards_laid(report: EventOutcome | None) -> tuple[object, ...]:
    """Return the cards that each seat laid in the trick that just ended a round or the game."""
    if report is None or report.finished is None:
        return ()
    seats = report.finished.seats
    return tuple(joined((Glyph("winner"), seat.laid), "") if seat.won else seat.laid for seat in seats)


def noticed(view: View[object], report: EventOutcome | None) -> View[object]:
    """Return the view with the outcome of the last entry as its notice."""
    if report is None or not report.lines:
        return view
    return replace(view, notice=report.lines, alert=report.alert)


def colour_code(colour: tuple[int, int, int]) -> str:
    """Return a lamp's colour as a page writes it.

    >>> colour_code((0, 70, 255))
    '#0046ff'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
