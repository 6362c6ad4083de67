"""The history on the panel: games, evenings, people, league, and what they played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import COMMA, NC_, NN_, Glyph, Text, joined
from companion.games import GAMES
from companion.history.days import date_of, day_of, day_with, duration, local, short_date, weekday_of
from companion.history.evenings import Evening, by_day, extent, highlights
from companion.history.reports import Figure, Figures, PersonReport, number, standing
from companion.history.results import (
    IMPORTED,
    GameResult,
    ended_level,
    figure,
    in_order,
    losers,
    margin,
    nobody_won,
    round_points,
)
from companion.history.selection import title_text
from companion.history.statistics import LeagueRow
from companion.ui.fonts import ELLIPSIS, LINES, page_lines, text_pages
from companion.ui.saved_games import ListedGame, StillReading
from companion.ui.screens.contents import (
    OpenedListScreen,
    OpenedScreen,
    Page,
    PagedListScreen,
    PagesScreen,
    menu,
    sentences,
    turned_pages,
)
from companion.ui.screens.context import OpenSavedGame, Row, Screen, ScreenContents, ScreenContext, Transition
from companion.ui.translations import Translator, _
from companion.ui.view import BETWEEN, TableBody, TextBody

NO_GAME = _("No game is finished yet")
NONE_COUNTS = _("Nothing counts yet: no round was finished in any game")
NOBODY_SHOWN = _("Everybody who played is hidden")


def without_rows(
    screen: OpenedScreen | OpenedListScreen,
    title: object,
    reading: object,
    none: Text = NO_GAME,
) -> ScreenContents:
    """Return contents that say how many games are left to read, that they cannot be read, or that there is nothing."""
    if isinstance(reading, StillReading):
        failed, count = _("Something went wrong; every game is kept"), reading.remaining
        none = failed if reading.failed else _("Games still to be read: {count}", count=count)
    return sentences(screen, title, [none])


def nobody_listed(context: ScreenContext) -> Text:
    """Return why nobody has figures: no game is finished, or in its first round only, or all who played are hidden."""
    games = finished_games(context)
    if not games:
        return NO_GAME
    seated = ((name, each.number) for each in games if each.played is not None for name in each.played[1])
    return NOBODY_SHOWN if all(context.people.hides(context.people.now(*each)) for each in seated) else NONE_COUNTS


def back_or_unreadable(context: ScreenContext) -> Text:
    """Return the bottom line of a page with figures: how to go back, and how many games they leave out."""
    count = context.history.unreadable
    return _("* back   Unreadable: {count}", count=count) if count else _("* back")


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
            return sentences(self, title, [why])
        begun = listed.begun if listed is not None else local(result.begun) if result.begun else None
        opens = None if listed is None else Transition(self, OpenSavedGame(self.name, self))
        return turned_pages(self, context, tuple(game_pages(context, begun, result)), opens)


def players_of(context: ScreenContext, result: GameResult) -> tuple[str, ...]:
    """Return the current names of the players of a game by seat."""
    return tuple(context.people.now(name, result.number) for name in result.players)


def game_pages(context: ScreenContext, begun: datetime | None, result: GameResult) -> Iterator[Page]:
    """Yield the pages about a game that began at a local time, if that is known."""
    words, players = context.words, players_of(context, result)
    title = title_text(result.game)
    yield _scores(result, players, title if begun is None else joined((title, short_date(begun))))
    if len(result.rounds) > 1:
        yield _course(result, players)
        yield from _rounds(result, players)
    for page in text_pages(_actions(words, result, players)):
        if page:
            yield TextBody(_("Statistics"), page)
    for page in text_pages(map(words, _details(begun, result))):
        yield TextBody(title, page)


def _scores(result: GameResult, players: tuple[str, ...], title: Text) -> TableBody[object]:
    """Return the final points, the winners first, with the points they were ahead."""
    ahead, order = margin(result), in_order(result)
    leads = "" if ahead is None else f"+{ahead}" if ahead else "="
    return TableBody(
        title,
        ("", _("Points")),
        tuple(players[seat] for seat in order),
        tuple((leads if seat in result.winners else "", figure(result.scores[seat])) for seat in order),
        tuple(place for place, seat in enumerate(order) if seat in result.winners),
    )


def _course(result: GameResult, players: tuple[str, ...]) -> TableBody[object]:
    """Return the total after the first round and the final one, with a line of the totals between them."""
    lines = tuple(zip(*result.course[1:], strict=True))
    return TableBody(
        _("Course"),
        (_("R{round}", round=1), _("end")),
        players,
        tuple((figure(line[0]), figure(line[-1])) for line in lines),
        result.winners,
        lines=lines,
    )


def _rounds(result: GameResult, players: tuple[str, ...]) -> Iterator[TableBody[object]]:
    """Yield tables of the points of each round, a few rounds at a time."""
    rounds = round_points(result, figure)
    longest = max(len(points) for by_seat in rounds for points in by_seat)
    columns = max(1, DIGITS // (longest + 1))
    for first in range(0, len(rounds), columns):
        shown = rounds[first : first + columns]
        yield TableBody(
            _("Rounds"),
            tuple(_("R{round}", round=number) for number in range(first + 1, first + 1 + len(shown))),
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
        if len(page_lines(sentence)) <= LINES // 2:
            break
    return sentence


def _at_most(name: str, letters: int) -> str:
    if letters == 1 or len(name) <= letters:
        return name[:letters]
    return name[: letters - 1].rstrip() + ELLIPSIS


def _details(begun: datetime | None, result: GameResult) -> Iterator[Text]:
    if begun is not None:
        yield _("{day} {year}, {time}", day=date_of(begun.date()), year=begun.year, time=f"{begun:%H:%M}")
    if result.ended_early:
        yield _("Ended early")
    if result.seconds:
        yield _("Played for {time}", time=duration(result.seconds))
    if result.number:
        count = len(result.rounds)
        rounds = Text(NN_("{count} round", "{count} rounds"), count=count)
        entries = Text(NN_("{count} entry", "{count} entries"), count=result.entries)
        yield _("{rounds}, {entries}", rounds=rounds, entries=entries) if count else entries
    else:
        yield _("Imported: only its result is known")


class ImportedPlayRow(Struct, frozen=True):
    """What a list shows of a play that was imported from another program."""

    name: str  # its name in the history
    title: Text
    begun: datetime | None  # when it began, in local time; None if that is not known


class FinishedGamesScreen(PagedListScreen, frozen=True):
    """Finished games, all or those with some names, the latest first; choosing one shows it."""

    title: Text
    names: tuple[str, ...] | None = None

    def show(self, context: ScreenContext) -> ScreenContents:
        unlisted = context.history.unlisted() if self.names is None else None
        every = () if unlisted is not None else self._every(context)
        listed = self.listed(every, context)
        if not listed:
            return without_rows(self, self.title, unlisted, NO_GAME if self.names is None else _("None so far"))
        results = context.history.results([each.name for each in listed])

        def row(here: Screen, game: ListedGame | ImportedPlayRow) -> Row:
            day, weekday, result = _day(game), _weekday(game), results.get(game.name)
            won, names = winners_of(context, result), () if result is None else players_of(context, result)
            label = joined(filter(None, (day, weekday, game.title)))
            return Row(game.title, Transition(FinishedGameScreen(here, game.name)), day, won, weekday, names, label)

        chosen = listed[min(self.chosen, len(listed) - 1)].begun
        title = self.title if chosen is None else joined((self.title, str(chosen.year)))
        return menu(self, title, self.paged(every, row, _("Older games"), context), self.newer)

    def _every(self, context: ScreenContext) -> tuple[ListedGame | ImportedPlayRow, ...]:
        """Return the games, the latest first; imported plays are among them by their dates."""
        own, plays = finished_games(context, self.names), imported_plays(context, self.names or ())
        return own if not plays else tuple(sorted((*own, *plays), key=_begun, reverse=True))


def finished_games(context: ScreenContext, names: tuple[str, ...] | None = None) -> tuple[ListedGame, ...]:
    """Return all finished games, or those with some names, the latest first."""
    wanted = None if names is None else frozenset(names)
    return tuple(each for each in context.game_list.games if each.over and (wanted is None or each.name in wanted))


def imported_plays(context: ScreenContext, names: tuple[str, ...]) -> tuple[ImportedPlayRow, ...]:
    """Return the imported plays among some finished games, by their names in the history."""
    imported = [name for name in names if name.startswith(IMPORTED)]
    results = context.history.results(imported) if imported else {}
    return tuple(
        ImportedPlayRow(name, title_text(result.game), local(result.begun) if result.begun else None)
        for name in imported
        if (result := results.get(name)) is not None
    )


def _begun(listed: ListedGame | ImportedPlayRow) -> datetime:
    return listed.begun or datetime.min


def _day(listed: ListedGame | ImportedPlayRow) -> object:
    return "" if listed.begun is None else short_date(listed.begun)


def _weekday(listed: ListedGame | ImportedPlayRow) -> object:
    return "" if listed.begun is None else weekday_of(listed.begun)


def winners_of(context: ScreenContext, result: GameResult | None) -> Text:
    """Return who won, and by how many points, or who lost, in a part of a row."""
    if result is None:
        return _("unreadable")
    players, ahead, lost = players_of(context, result), margin(result), losers(result)
    if ended_level(result):
        return _("ended early")
    if lost:
        return _("{names} lost", names=BETWEEN.join(players[seat] for seat in lost))
    if nobody_won(result):
        return _("nobody won")
    points = "" if ahead is None else f" +{ahead}" if ahead else " ="
    winners = BETWEEN.join(players[seat] for seat in result.winners)
    return Text("{star} {winners}{points}", star=Glyph("winner"), winners=winners, points=points)


class EveningsScreen(PagedListScreen, frozen=True):
    """The evenings, the latest first; choosing one sums it up."""

    def show(self, context: ScreenContext) -> ScreenContents:
        unlisted = context.history.unlisted()
        every = [] if unlisted is not None else [*_evenings(context).items()]
        listed = self.listed(every, context)
        if not listed:
            return without_rows(self, _("Evenings"), unlisted, _("No finished game has a date"))

        def row(here: Screen, evening: tuple[date, list[ListedGame]]) -> Row:
            day, games = evening
            return Row(_evening(day), Transition(EveningScreen(here, day)), str(len(games)))

        year = listed[min(self.chosen, len(listed) - 1)][0].year
        title = joined((_("Evenings"), str(year)))
        return menu(self, title, self.paged(every, row, _("Older evenings"), context), self.newer)


class EveningScreen(PagesScreen, frozen=True):
    """The summary of an evening: who won each game, and by how much. OK lists the games."""

    day: date

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        title = _evening(self.day)
        games = tuple(each.name for each in reversed(_evenings(context).get(self.day, [])))
        found = context.history.results(games)
        results = tuple(found[name] for name in games if name in found)
        if not results:
            return sentences(self, title, [_("No game of this evening can be read")])
        evening = Evening(self.day, results)
        won = (
            _("{game}: {winners}", game=title_text(each.game), winners=winners_of(context, each)) for each in results
        )
        lines = map(words, (extent(evening), *won, *highlights(evening, context.people)))
        pages = tuple(TextBody(title, page) for page in text_pages(lines))
        return turned_pages(self, context, pages, Transition(FinishedGamesScreen(self, _evening(self.day), games)))


def _evenings(context: ScreenContext) -> dict[date, list[ListedGame]]:
    """Return the finished games of each evening, the latest first.

    Of a game begun before the clock was set, only its result tells the day: that of its end.
    """
    games = finished_games(context)
    results = context.history.results([each.name for each in games if each.begun is None])

    def day(game: ListedGame) -> date | None:
        if game.begun is not None:
            return day_with(game.begun)
        return day_of(results[game.name]) if game.name in results else None

    return dict(reversed(by_day(games, day).items()))


def _evening(day: date) -> Text:
    return _("{weekday} {day}", weekday=weekday_of(day), day=short_date(day))


FigureRow = tuple[Figure, Screen | None]
"""A row of a person's page: a figure, and the screen behind it; None for the list of the games that it is from."""


class PersonListScreen(OpenedListScreen, frozen=True):
    """Base of the lists about a person."""

    name: str

    def figures(self, person: PersonReport) -> Iterator[FigureRow]:
        raise NotImplementedError

    def title(self) -> Text:
        return Text("{name}", name=self.name)

    def show(self, context: ScreenContext) -> ScreenContents:
        person = context.history.person(self.name)
        figures = self.figures(person) if isinstance(person, PersonReport) else ()
        rows = self.rows(figures, lambda here, row: Row(row[0].label, partial(here._behind, *row), row[0].value))
        if not rows:
            return without_rows(self, self.title(), person)
        return menu(self, self.title(), rows, self.before, foot=back_or_unreadable(context))

    def _behind(self, figure: Figure, opens: Screen | None) -> Transition:
        if opens is not None:
            return Transition(replace(opens, before=self))
        if len(figure.games) == 1:
            return Transition(FinishedGameScreen(self, figure.games[0]))
        return Transition(FinishedGamesScreen(self, figure.label, figure.games))


class PersonFiguresScreen(PersonListScreen, frozen=True):
    """A person's figures over all games."""

    def figures(self, person: PersonReport) -> Iterator[FigureRow]:
        yield from _rows(person.figures)
        yield Figure(_("By game"), number(len(person.kinds))), PlayedKindsScreen(self, self.name)
        if person.others:
            yield Figure(_("Against others"), number(len(person.others))), HeadToHeadScreen(self, self.name)


class PlayedKindsScreen(PersonListScreen, frozen=True):
    """The kinds of games that a person played."""

    def figures(self, person: PersonReport) -> Iterator[FigureRow]:
        for kind, report in person.kinds.items():
            yield Figure(title_text(kind), won_of(report.figures)), PersonByKindScreen(self, self.name, kind=kind)


class PersonByKindScreen(PersonListScreen, frozen=True, kw_only=True):
    """A person's figures in one kind of game."""

    kind: str

    def title(self) -> Text:
        return _("{name}: {game}", name=self.name, game=title_text(self.kind))

    def figures(self, person: PersonReport) -> Iterator[FigureRow]:
        report = person.kinds.get(self.kind)
        if report is not None:
            yield from _rows(report.figures)
            yield from ((each, None) for each in (*report.records.values(), *report.actions.values()))


class HeadToHeadScreen(PersonListScreen, frozen=True):
    """A person compared with everybody else."""

    def title(self) -> Text:
        return _("{name} ahead : behind", name=self.name)

    def figures(self, person: PersonReport) -> Iterator[FigureRow]:
        for other, compared in person.others.items():
            ahead, behind, level = (compared[name] for name in ("ahead", "behind", "level"))
            value = _("{ahead} : {behind}", ahead=ahead.value, behind=behind.value)
            yield Figure(Text("{name}", name=other), value, (*ahead.games, *behind.games, *level.games)), None


ON_THE_PANEL = ("games", "won", "rank share", "rating", "streak", "longest streak", "started")
"""A person's figures that have a row."""


def _rows(figures: Figures) -> Iterator[FigureRow]:
    for name in ON_THE_PANEL:
        shown = figures[name]
        if name == "won":
            shown = replace(shown, value=_("{count}, {share}", count=shown.value, share=figures["win rate"].value))
        if name == "started" and shown.is_known:
            shown = replace(shown, value=Text("{part}/{whole}", **shown.value.args))  # where there is little room
        if shown.is_known:
            yield shown, None


def won_of(figures: Figures) -> Text:
    """Return how many games were won."""
    return figures["win rate"].more or figures["won"].value


ROWS = 5
"""Rows of a page of the league table."""


class PlayersScreen(OpenedListScreen, frozen=True):
    """Everybody who finished a game and is not hidden, the most games first; choosing one shows the person."""

    def show(self, context: ScreenContext) -> ScreenContents:
        table = context.history.league()
        if isinstance(table, StillReading) or not table:
            return without_rows(self, _("People"), table, nobody_listed(context))

        def row(here: Screen, person: LeagueRow) -> Row:
            won = won_of(standing(person, person.rating))
            return Row(person.name, Transition(PersonFiguresScreen(here, person.name)), won)

        rows = self.rows(sorted(table, key=lambda row: -len(row.games)), row)
        return menu(self, _("People: wins"), rows, self.before, foot=back_or_unreadable(context))


class LeagueScreen(PagesScreen, frozen=True):
    """The league table over all games."""

    def show(self, context: ScreenContext) -> ScreenContents:
        table = context.history.league()
        if isinstance(table, StillReading) or not table:
            return without_rows(self, _("League"), table, nobody_listed(context))
        lines = [(row, standing(row, row.rating)) for row in table]
        pages = tuple(_standings(lines[first : first + ROWS]) for first in range(0, len(lines), ROWS))
        foot = back_or_unreadable(context) if context.history.unreadable else None
        return turned_pages(self, context, pages, Transition(PlayersScreen(self)), foot)


def _standings(lines: Sequence[tuple[LeagueRow, Figures]]) -> TableBody[object]:
    """Return a page of the league table."""
    return TableBody(
        _("League"),
        (_("Games"), Text(NC_("head of a column", "Wins")), _("Share")),
        tuple(f"{row.place or '–'} {row.name}" for row, _figures in lines),
        tuple(tuple(figures[name].value for name in ("games", "won", "rank share")) for _row, figures in lines),
    )
