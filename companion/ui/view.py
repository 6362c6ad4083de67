"""What the panel shows, as plain data: words chosen, nothing drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from msgspec import Struct

from .fonts import GLYPHS


class ListBody(Struct, frozen=True):
    """A list of rows to choose from.

    Attributes:
        title: What it is a list of.
        rows: Text at the left and value at the right of each.
        chosen: The row that is highlighted.
        by_number: Whether a digit chooses, where there are few enough rows.
        plain: Whether the rows go without numbers, since no key has one.
        start: The number of the first row.
        below: What stands below each row, at the left and the right; rows beyond its end have nothing below them.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    chosen: int = 0
    by_number: bool = True
    plain: bool = False
    start: int = 1
    below: tuple[tuple[str, str], ...] = ()


class TextBody(Struct, frozen=True):
    """A page of sentences.

    Attributes:
        title: What they are about.
        sentences: One below the other.
        first: The one at the top.
    """

    title: str
    sentences: tuple[str, ...]
    first: int = 0


class TableBody(Struct, frozen=True):
    """A table of figures, a row for each seat.

    Attributes:
        title: What they are.
        heads: The columns.
        names: Who the rows belong to.
        rows: The figures in words.
        marked: Rows to point out.
        cell: The row and column being asked for.
        laid: What each row laid in the trick that has just ended.
    """

    title: str
    heads: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[int, ...] = ()
    cell: tuple[int, int] | None = None
    laid: tuple[str, ...] = ()


class SeatView(Struct, frozen=True):
    """A seat's line in a running game.

    Attributes:
        name: Who sits there.
        cards: What was laid in this trick.
        figures: The figures of this round.
        leads: Whether it leads.
        turn: Whether it is to act.
        key: The key that points at it, where a seat is asked for.
    """

    name: str
    cards: str
    figures: str
    leads: bool
    turn: bool
    key: str = ""


class GameBody(Struct, frozen=True):
    """A running game: large symbol, columns, seats.

    Attributes:
        picture: The large glyph's name, None for none.
        figure: A number over it.
        word: What it means.
        status: Where the game stands.
        columns: Glyph, count and how many more would make it decide, in the order of the table.
        players: By seat.
        outcome: How the trick or turn that has just ended went, in the place of status and columns.
    """

    picture: str | None
    figure: str
    word: str
    status: str
    columns: tuple[tuple[str, int, int], ...]
    players: tuple[SeatView, ...]
    outcome: str = ""


class PilesBody(Struct, frozen=True):
    """A running game in which captured piles matter most.

    Attributes:
        status: Where the game stands.
        signs: What each column counts.
        counts: The figures by seat and column.
        players: By seat.
        outcome: How the trick that has just ended went, in the place of status and signs.
    """

    status: str
    signs: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    players: tuple[SeatView, ...]
    outcome: str = ""


class TypingBody(Struct, frozen=True):
    """A name or number being typed.

    Attributes:
        title: What is typed.
        text: What stands so far.
        pending: The character that the next press of its key still changes.
        help: What the keys do, line by line.
        matches: Known names it may become; one key takes the first.
    """

    title: str
    text: str
    pending: str
    help: tuple[str, ...]
    matches: tuple[str, ...] = ()


Body = ListBody | TextBody | TableBody | GameBody | PilesBody | TypingBody


class View(Struct, frozen=True):
    """The whole panel: body, bottom line and notice.

    Attributes:
        body: What fills it.
        question: What is asked, on the bottom line.
        typed: What was typed, after it.
        hint: A sign at the end of the bottom line.
        brief: What stands in its place where there is no room for it, where there is something shorter.
        choice: What is turned to, in the place of the hint, where keys are few.
        short: The same as short as it can be, where there is no room for it.
        names: The names in all of these: they are shortened before anything else of them is.
        ahead: What stands before the question on a plate: the round it is of, under the figures of another.
        notice: Sentences laid over the body until the next key.
        alert: Whether the notice is one to look up for.
        unsaved: How many entries are not saved, while the disk takes none.
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
    unsaved: int | None = None


def spoken(view: View, aloud: Callable[[str], str]) -> tuple[str, ...]:
    """Return what a view says, line by line, for people who do not see it; ``aloud`` puts words for glyphs."""
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
                lines += [f"{name}{won}: {', '.join(filter(None, (cards, *said)))}"]
        case GameBody():
            lines += [view.body.outcome] if view.body.outcome else []
            lines += [f"{view.body.status} {view.body.word}".strip()]
            lines += [f"{player.name} {player.cards} {player.figures}" for player in view.body.players]
        case PilesBody(status, signs, counts, players):
            lines += [view.body.outcome] if view.body.outcome else []
            lines += [" ".join((status, *signs))]
            for player, taken in zip(players, counts, strict=True):
                lines += [" ".join((player.name, *map(str, taken), player.cards, player.figures))]
        case TypingBody(title, text, pending):
            lines += [title, text + pending]
            lines += [", ".join(view.body.matches)] if view.body.matches else []
    turned_to = f"<{view.choice}>" if view.choice else ""
    said = (*view.notice, *lines, f"{view.ahead} {view.question} {view.typed} {view.hint} {turned_to}")
    return tuple(map(aloud, said))
