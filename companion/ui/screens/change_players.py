"""Changes who plays: another person in a seat, for the whole game or from now on; more or fewer players; swapped seats.

Another number of players needs a new game: this one ends, and the set-up of the next begins with its people.

Each change is shown before it is made. A name that is spelt wrong is the person's, not the game's: `PersonScreen`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from companion.core.game import Finish, Players, Start, Substitute
from companion.core.text import Seat, Text, joined
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.screens.contents import (
    OpenedListScreen,
    SentencesScreen,
    menu,
    review,
    typing_name,
)
from companion.ui.screens.context import (
    CurrentGame,
    EnterLine,
    LeaveGame,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    TableScreen,
    Transition,
    placeholder_names,
    refuse,
)
from companion.ui.screens.corrections import KEPT
from companion.ui.screens.game_choice import game_choice
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.names import TypedName, fault, matching, trimmed
from companion.ui.screens.phones import people_at_hand
from companion.ui.screens.set_up import SetUp, round_of_points
from companion.ui.screens.settings import IN_ALL_GAMES, PersonScreen, fault_of_earlier_name
from companion.ui.translations import _
from companion.ui.view import BETWEEN

WRONG_NAME, TAKES_OVER = _("A name is wrong"), _("Somebody takes over")
ANOTHER_NUMBER, SWAP_SEATS = _("More or fewer players"), _("Swap two seats")
CHANGES = WRONG_NAME, TAKES_OVER, ANOTHER_NUMBER, SWAP_SEATS
"""The rows of the list."""


class ChangePlayersScreen(OpenedListScreen, frozen=True):
    """The list of changes of the players."""

    table: TableScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        left_out = [TAKES_OVER] if context.require_game().over else []
        left_out += [] if context.machine.club is None else [ANOTHER_NUMBER]  # a club says who sits at a table
        changes = [change for change in CHANGES if change not in left_out]
        rows = self.rows(changes, lambda here, change: Row(change, partial(here.opened, change, context)))
        return menu(self, _("Players"), rows, self.before)

    def opened(self, change: Text, context: ScreenContext) -> Transition:
        """Return the transition of choosing a change."""
        if change == ANOTHER_NUMBER:
            return self._another_number(context)
        if change == SWAP_SEATS:
            return Transition(SwapScreen(self, self.table))
        return Transition(SeatsScreen(self, self.table, from_now=change == TAKES_OVER))

    def _another_number(self, context: ScreenContext) -> Transition:
        """Return the transition to a new game with another number of players: that of a game stays as it begins."""
        game = context.require_game()
        header, before = game.session.header, game_choice(HomeScreen(), game.session.header.game.name)
        if len(header.game.seats) == 1:
            always = _("{game} always has as many players as now", game=Text(header.game.title))
            return refuse(self, always)
        if game.session.latest is None:
            return Transition(self.table, LeaveGame(SetUp.of(header, game.tracking, before, context).asking_players))
        if game.over:
            return Transition(SetUp.of(header, game.tracking, self.table, context).asking_players)
        return Transition(ConfirmFinishScreen(self, self.table, another_number=True))


class SwapScreen(OpenedListScreen, frozen=True):
    """The list of all pairs of players, to swap two seats."""

    table: TableScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        names = context.require_game().players

        def row(here: Screen, swapped: tuple[tuple[str, str], tuple[str, ...]]) -> Row:
            pair, after = swapped
            return Row(BETWEEN.join(pair), Transition(ConfirmSeatChangeScreen(here, self.table, after)), names=pair)

        rows = self.rows(zip(combinations(names, 2), swaps(names), strict=True), row)
        return menu(self, _("Swap who?"), rows, self.before, choose=_("swap"))


class SeatsScreen(OpenedListScreen, frozen=True):
    """The seats, to choose the one whose name is wrong, or who leaves."""

    table: TableScreen
    from_now: bool = False  # whether somebody else plays from now on; else a name is wrong for the whole game

    def show(self, context: ScreenContext) -> ScreenContents:
        def row(here: SeatsScreen, name: str) -> Row:
            return Row(name, Transition(SeatScreen(here, self.table, here.chosen, self.from_now)))

        title = _("Who leaves?") if self.from_now else _("Whose name is wrong?")
        return menu(self, title, self.rows(context.require_game().players, row), self.before)


class SeatScreen(OpenedListScreen, frozen=True):
    """Who sits on a seat: the same person under another name in all games, or another person in this game."""

    table: TableScreen
    seat: int
    from_now: bool = False
    name: TypedName | None = None  # the name that is typed, if one is

    def show(self, context: ScreenContext) -> ScreenContents:
        known = tuple(name for name in people_at_hand(context) if not _sits(name, context))
        if self.name is not None:
            return typing_name(self, self.name, context, matching(self.name, known))
        words = context.words
        name = context.require_game().players[self.seat]
        typing = Transition(replace(self, name=TypedName.begin(words.language)))
        rows = [
            *([] if self.from_now or name in placeholder_names(words) else [self._renamed(context)]),
            Row(_("Somebody new"), typing, below="" if self.from_now else _("in this game only")),
            *(Row(each, partial(self.write, each, context)) for each in known),
        ]
        title = _("For {name} plays …", name=name) if self.from_now else _("Not {name}, but …", name=name)
        return menu(self, title, rows, self.before)

    def _renamed(self, context: ScreenContext) -> Row:
        """Return the row for the same person under another name, which is one of the person, not of the game."""
        person = context.renamed(context.require_game().players[self.seat])
        typed = TypedName.begin(context.words.language, person)
        return Row(_("Another spelling"), Transition(PersonScreen(self, person, typed, self.table)), below=IN_ALL_GAMES)

    def write(self, text: str, context: ScreenContext) -> Transition:
        name, names = trimmed(text), context.require_game().players
        wrong = fault(name)
        if wrong is not None:
            return refuse(self, wrong)
        earlier = None if is_same_name(name, names[self.seat]) else fault_of_earlier_name(name, context)
        if earlier is not None:
            return refuse(self, earlier)
        others = names[: self.seat] + names[self.seat + 1 :]
        if any(is_same_name(name, there) for other in others for there in (other, context.renamed(other))):
            return refuse(self, _("{name} already has a seat", name=name))
        here = replace(self, name=None)
        if self.from_now:
            return Transition(ConfirmSubstituteScreen(here, self.table, self.seat, name))
        seated = (*names[: self.seat], name, *names[self.seat + 1 :])
        return Transition(ConfirmSeatChangeScreen(here, self.table, seated))

    @property
    def expected_text(self) -> Text:
        return _("Name of seat {number}", number=self.seat + 1)


def swaps(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return names with two of them swapped, for each pair.

    >>> swaps(("Aki", "Bea", "Cyr"))
    [('Bea', 'Aki', 'Cyr'), ('Cyr', 'Bea', 'Aki'), ('Aki', 'Cyr', 'Bea')]
    """
    pairs = combinations(names, 2)
    return [tuple({one: other, other: one}.get(name, name) for name in names) for one, other in pairs]


def _sits(name: str, context: ScreenContext) -> bool:
    seated = context.require_game().players
    return any(is_same_name(name, there) for other in seated for there in (other, context.renamed(other)))


class ConfirmSubstituteScreen(SentencesScreen, frozen=True):
    """What it means that somebody else plays from now on; it is written, or everything is left as it was."""

    before: Screen
    table: TableScreen
    seat: int
    name: str

    def show(self, context: ScreenContext) -> ScreenContents:
        sentences = (
            _("{name} plays for {player} from now on", name=self.name, player=Seat(self.seat)),
            _("The points stay with the seat"),
        )
        line = EnterLine(Substitute(self.seat, self.name))
        done = Transition(self.table, line, _("{name} plays from now on", name=self.name))
        back = Transition(self.before)
        return review(self, context, _("Players"), sentences, lambda: done, lambda: back)


class ConfirmFinishScreen(SentencesScreen, frozen=True):
    """What it means that the table ends the game here; it is written, or everything is left as it was."""

    before: Screen
    table: TableScreen
    another_number: bool = False  # whether a new game follows, set up with these people and others

    def after_change(self, context: ScreenContext) -> Screen:
        """Return the screen after somebody else's change: a game that is over by now cannot be ended."""
        return self.table.reset() if context.require_game().over else self

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        session, header = game.session, game.session.header
        ended = session.add(Finish())
        begun = not self.table.untouched or any(
            not isinstance(step.event, Start) for step in session.entries(ended.counted.number + 1)
        )
        totals = ended.progress.totals
        adds = self.another_number and round_of_points(header, game.tracking, totals) is not None
        points = dict(zip(header.players, totals, strict=True)) if adds else {}
        sentences = (
            *[_("More or fewer players need a new game: this one ends here")] * self.another_number,
            *[_("The points go on there")] * bool(points),
            *[_("The round that is under way counts for nothing")] * begun,
            ended.score_sheet.title,
            *[_("It counts in the history as it stands")] * (header.game.optional.finished_rounds(ended.state) > 0),
        )
        after: Screen = self.table.reset()
        title, deed, said = _("End here?"), _("end the game here"), _("The game ends here")
        if self.another_number:
            after = replace(SetUp.of(header, game.tracking, after, context).asking_players, points=points)
            title, deed = _("Players"), _("new game")
        done, back = Transition(after, EnterLine(Finish()), said), Transition(self.before)
        return review(self, context, title, sentences, lambda: done, lambda: back, deed)


class ConfirmSeatChangeScreen(SentencesScreen, frozen=True):
    """What other names by seat change; they are written, or everything is left as it was."""

    before: Screen
    table: TableScreen
    names: tuple[str, ...]  # the names by seat

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        told = context.words.at(self.names)  # a seat is then the person who really sits there
        sentences = map(told, _sentences(game, self.names))
        back = Transition(self.before)
        return review(self, context, _("Players"), sentences, lambda: self._written(game), lambda: back)

    def _written(self, game: CurrentGame) -> Transition:
        if self.names == game.session.header.players:
            return Transition(self.table, message=KEPT)
        return Transition(self.table, EnterLine(Players(self.names)), _("The players are corrected"))


def _sentences(game: CurrentGame, names: tuple[str, ...]) -> Iterator[Text]:
    """Yield what changes, seat by seat; a seat in a sentence is the person who sits there then."""
    before, session = game.session.header.players, game.session
    progress, seats = session.progress, session.header.game.view(session.state).seats
    changed = [seat for seat, name in enumerate(names) if name != before[seat]]
    for seat in changed:
        yield _("Seat {number}: {player}, not {before}", player=Seat(seat), before=before[seat], number=seat + 1)
    if not session.head.number:
        return
    for seat in changed:
        figures = str(seats[seat].figures).rstrip("*")
        if figures != str(progress.totals[seat]):  # where a round has no figures, the score stands there
            yield _("{player} in this round: {figures}", player=Seat(seat), figures=seats[seat].figures)
    points = (Text("{player} {points}", player=Seat(seat), points=progress.totals[seat]) for seat in range(len(names)))
    yield _("Scores: {points}", points=joined(points, " · "))
    for seat in changed:
        if seat in (progress.winners or ()):
            yield _("{player} has won, not {before}", player=Seat(seat), before=before[seat])
        elif seats[seat].leads:
            yield _("{player} leads, not {before}", player=Seat(seat), before=before[seat])
