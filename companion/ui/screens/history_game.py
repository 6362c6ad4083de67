"""A finished game, page by page: final scores, its course, its rounds, counted actions, date and duration."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.core.text import COMMA, NN_, Text
from companion.games import GAMES
from companion.history.days import local
from companion.history.evenings import date_of, duration
from companion.history.game_titles import title_text
from companion.history.results import GameResult, figure
from companion.history.sides import in_order, margin, round_points
from companion.ui.dates import day_of
from companion.ui.fonts.bitmap_fonts import ELLIPSIS
from companion.ui.text_pages import LINES, line_count, text_pages
from companion.ui.translations import Translator, _
from companion.ui.view import TableBody, TextBody

from .commands import OpenSavedGame
from .context import ScreenContents, ScreenContext, Transition
from .paged_text import Page, PagesScreen, sentences, turned_pages

DIGITS = 11
"""Digits that fit beside the names, as a column needs one digit's width for its margins."""


class FinishedGameScreen(PagesScreen, frozen=True):
    """A page about a finished game; OK opens its entries, unless it was imported."""

    name: str

    def show(self, context: ScreenContext) -> ScreenContents:
        listed = next((each for each in context.game_list.games if each.name == self.name), None)
        result = context.history.results([self.name]).get(self.name)
        if result is None:
            title = _("History") if listed is None else listed.title
            why = _("This game cannot be read; it is kept as it is") if listed is None else listed.why_unreadable
            return sentences(self, context, title, [why])
        begun = listed.begun if listed is not None else local(result.begun) if result.begun else None
        opens = None if listed is None else Transition(self, OpenSavedGame(self.name, self))
        return turned_pages(self, context, tuple(game_pages(context, begun, result)), opens)


def players_of(context: ScreenContext, result: GameResult) -> tuple[str, ...]:
    """Return the current names of the players of a game by seat."""
    return tuple(context.people.now(name, result.number) for name in result.players)


def game_pages(context: ScreenContext, begun: datetime | None, result: GameResult) -> Iterator[Page]:
    """Yield the pages about a game that began at a local time, if that is known."""
    words, players = context.words, players_of(context, result)
    title, day = words(title_text(result.game)), "" if begun is None else words(day_of(begun))
    yield _scores(words, result, players, f"{title} {day}".rstrip())
    if len(result.rounds) > 1:
        yield _course(words, result, players)
        yield from _rounds(words, result, players)
    for page in text_pages(_actions(words, result, players)):
        if page:
            yield TextBody(words(_("Statistics")), page)
    for page in text_pages(map(words, _details(begun, result))):
        yield TextBody(title, page)


def _scores(words: Translator, result: GameResult, players: tuple[str, ...], title: str) -> TableBody:
    """Return the final points, the winners first, with the points they were ahead."""
    ahead, order = margin(result), in_order(result)
    leads = "" if ahead is None else f"+{ahead}" if ahead else "="
    return TableBody(
        title,
        ("", words(_("Points"))),
        tuple(players[seat] for seat in order),
        tuple((leads if seat in result.winners else "", figure(result.scores[seat])) for seat in order),
        tuple(place for place, seat in enumerate(order) if seat in result.winners),
    )


def _course(words: Translator, result: GameResult, players: tuple[str, ...]) -> TableBody:
    """Return the total after the first round and the final one, with a line of the totals between them."""
    lines = tuple(zip(*result.course[1:], strict=True))
    return TableBody(
        words(_("Course")),
        (words(_("R{round}", round=1)), words(_("end"))),
        players,
        tuple((figure(line[0]), figure(line[-1])) for line in lines),
        result.winners,
        lines=lines,
    )


def _rounds(words: Translator, result: GameResult, players: tuple[str, ...]) -> Iterator[TableBody]:
    """Yield tables of the points of each round, a few rounds at a time."""
    rounds = round_points(result, figure)
    longest = max(len(points) for by_seat in rounds for points in by_seat)
    columns = max(1, DIGITS // (longest + 1))
    for first in range(0, len(rounds), columns):
        shown = rounds[first : first + columns]
        yield TableBody(
            words(_("Rounds")),
            tuple(words(_("R{round}", round=number)) for number in range(first + 1, first + 1 + len(shown))),
            players,
            tuple(zip(*shown, strict=True)),
            result.winners,
        )


def _actions(words: Translator, result: GameResult, players: tuple[str, ...]) -> Iterator[str]:
    """Yield a sentence for each counted action, with who did it most first."""
    names = GAMES[result.game].optional.action_names if result.game in GAMES else {}
    for what, label in names.items():
        amounts = result.counts.get(what)
        if amounts is not None:
            order = sorted((seat for seat, amount in enumerate(amounts) if amount), key=lambda seat: -amounts[seat])
            yield _action(words, label, tuple((players[seat], amounts[seat]) for seat in order))


def _action(words: Translator, label: Text, done: tuple[tuple[str, int], ...]) -> str:
    """Return a counted action and who did it. Names are cut to the same length where that is needed for two lines."""
    comma = words(COMMA)
    for letters in range(max(len(name) for name, _amount in done), 0, -1):
        people = comma.join(f"{_at_most(name, letters)} {amount}" for name, amount in done)
        sentence = words(_("{deed}: {people}", deed=label, people=people))
        if line_count(sentence) <= LINES // 2:
            break
    return sentence


def _at_most(name: str, letters: int) -> str:
    if letters == 1 or len(name) <= letters:
        return name[:letters]
    return name[: letters - 1].rstrip() + ELLIPSIS


def _details(begun: datetime | None, result: GameResult) -> Iterator[Text]:
    if begun is not None:
        yield _("{day} {year}, {time}", day=date_of(begun.date()), year=begun.year, time=f"{begun:%H:%M}")
    if result.seconds:
        yield _("Played for {time}", time=duration(result.seconds))
    if result.number:
        count = len(result.rounds)
        rounds = Text(NN_("{count} round", "{count} rounds"), count=count)
        entries = Text(NN_("{count} entry", "{count} entries"), count=result.entries)
        yield _("{rounds}, {entries}", rounds=rounds, entries=entries) if count else entries
    else:
        yield _("Imported: only its result is known")
