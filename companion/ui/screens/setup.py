"""Setting a game up: which game, who sits where, by which rules, how closely followed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.game import Game, RuleOption, RuleValue
from companion.core.prompt import Tracking
from companion.core.text import Text
from companion.gamelog import LogError, decode_header, encode, name_key
from companion.games import GAMES
from companion.ui.keys import Key
from companion.ui.people import same
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, View

from .context import CHOOSE, HOME, BeginGame, Context, Labels, Screen, Transition, leave, no, nobodies
from .list_selection import moved, row_labels, settled
from .name_matching import matching
from .name_typing import TAKE, TypedName, fault, trimmed
from .number import NumberScreen
from .regular_groups import TITLE, together
from .rule_values import ChosenRule, agreed_before, number_in, picked

RECENT = 6
"""How many names from earlier games stand in the list at once."""
TABLES = 3
"""How many tables from earlier games stand before them while nobody sits."""


@dataclass(frozen=True, slots=True)
class GameChoiceScreen:
    """Choosing the game, where there is more than one.

    Attributes:
        before: The screen it was opened from.
        chosen: The row that is highlighted.
    """

    before: Screen
    chosen: int = 0

    @classmethod
    def opening(cls, before: Screen) -> Screen:
        """Return the first question of a set-up."""
        games = tuple(GAMES.values())
        return SeatingScreen(before, games[0]) if len(games) == 1 else cls(before)

    def press(self, key: Key, desk: Context) -> Transition:
        """Choose a game."""
        games = tuple(GAMES.values())
        if key.name == "*":
            return Transition(self.before)
        row = settled(len(games), self.chosen, key)
        if row is not None:
            return Transition(SeatingScreen(replace(self, chosen=row), games[row]))
        row = moved(len(games), self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def view(self, desk: Context) -> View:
        """List the games."""
        words = desk.words
        rows = tuple((words(Text(game.title)), "") for game in GAMES.values())
        return View(
            ListBody(words(_("Which game?")), rows, self.chosen),
            words(_("* back")),
        )

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        return {**row_labels(self.view(desk).body), "#": desk.words(_("choose")), "*": desk.words(_("back"))}


@dataclass(frozen=True, slots=True)
class SeatingScreen:
    """Who sits where, clockwise.

    Attributes:
        before: The screen it was opened from.
        game: What is played.
        names: Who sits already, by seat.
        chosen: The row that is highlighted.
        page: Which names of the roster are listed.
        kept: The rules that were stepped back from: their people and changes are still there.
    """

    before: Screen
    game: Game[Any]
    names: tuple[str, ...] = ()
    chosen: int = 0
    page: int = 0
    kept: RulesScreen | None = None

    @property
    def _enough(self) -> bool:
        """Tell whether the game can begin with those who sit; the first row, number 0, then goes on."""
        return len(self.names) in self.game.seats

    def _tables(self, desk: Context) -> tuple[tuple[str, ...], ...]:
        """Return the tables of earlier games that can play this one, while nobody sits."""
        if self.names or self.page:
            return ()
        seen: dict[tuple[str, ...], tuple[str, ...]] = {}
        for sitting in desk.sittings:
            players = sitting.header.players
            if len(players) in self.game.seats:
                seen.setdefault(tuple(map(name_key, players)), players)
            if len(seen) == TABLES:
                break
        return tuple(seen.values())

    def _names(self, desk: Context) -> tuple[str, ...]:
        """Return the names that can be chosen: those of earlier games, and one that is nobody's."""
        listed = self.waiting(desk)[self.page * RECENT : (self.page + 1) * RECENT]
        nobody = next(name for name in nobodies(desk.words)[len(self.names) :] if not self.sits(name))
        return listed if nobody in listed else (*listed, nobody)

    def waiting(self, desk: Context) -> tuple[str, ...]:
        """Return those who do not sit yet: first who sat before a step back, then those of earlier games."""
        kept = () if self.kept is None else self.kept.seating.names
        known = (*kept, *(name for name in desk.roster if not any(same(name, other) for other in kept)))
        return tuple(name for name in known if not self.sits(name))

    def sits(self, name: str) -> bool:
        """Tell whether somebody of that name sits already."""
        return any(same(name, other) for other in self.names)

    def press(self, key: Key, desk: Context) -> Transition:
        """Seat somebody, begin to type a name, or go on to the rules."""
        if key == HOME:
            return leave(self)
        count = self._enough + len(self._tables(desk)) + len(self._names(desk))
        match key:
            case Key("*", False):
                return Transition(replace(self, names=self.names[:-1], chosen=0) if self.names else self.before)
            case Key("C", False):
                return Transition(NameScreen(self))
            case Key("D", False):
                more = (self.page + 1) * RECENT < len(self.waiting(desk))
                return Transition(replace(self, page=self.page + 1 if more else 0, chosen=0))
        row = settled(count, self.chosen, key, start=1 - self._enough)
        if row is not None:
            return replace(self, chosen=row)._chosen(desk)
        row = moved(count, self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def _chosen(self, desk: Context) -> Transition:
        """Do what the highlighted row says."""
        row, tables = self.chosen - self._enough, self._tables(desk)
        if row < 0:
            return self._agreeing(self.names, desk)
        if row < len(tables):
            return self._agreeing(tables[row], desk)
        return self.with_name(self._names(desk)[row - len(tables)], desk)

    def _agreeing(self, names: tuple[str, ...], desk: Context) -> Transition:
        """Go on to the rules these people play by, with whatever was changed in them before a step back."""
        agreeing = replace(RulesScreen.on(replace(self, names=names, kept=None), desk), back=self)
        return Transition(agreeing if self.kept is None else agreeing.changed_as(self.kept, desk))

    def again(self, kept: RulesScreen, desk: Context) -> SeatingScreen:
        """Return the seats after a step back from the rules: what led there is highlighted."""
        here = replace(self, kept=kept, page=0)
        stood = kept.seating.names[len(self.names) :]
        if len(stood) != 1:
            return here
        return replace(here, chosen=self._enough + here._names(desk).index(stood[0]))

    def write(self, text: str, desk: Context) -> Transition:
        """Seat somebody by name, if there can be somebody of that name."""
        name = trimmed(text)
        wrong = fault(name)
        if wrong is not None:
            return no(self, wrong)
        if self.sits(name):
            return no(self, _("{name} sits already", name=name))
        return self.with_name(name, desk)

    def wanted(self, desk: Context) -> str:
        """Say what is to be written."""
        return desk.words(_("Name of seat {number}", number=len(self.names) + 1))

    def with_name(self, name: str, desk: Context) -> Transition:
        """Seat somebody; when every chair is taken the rules come next."""
        names = (*self.names, name)
        if len(names) == self.game.seats.stop - 1:
            return self._agreeing(names, desk)
        return Transition(SeatingScreen(self.before, self.game, names, kept=self.kept))

    def view(self, desk: Context) -> View:
        """Ask who sits on the next seat."""
        words = desk.words
        on = (words(_("Go on")),) if self._enough else ()
        rows = tuple((row, "") for row in (*on, *map(together, self._tables(desk)), *self._names(desk)))
        title = words(_("Seat {number}: who?", number=len(self.names) + 1))
        if self.names:
            title += " " + together(self.names, TITLE - len(title))
        return View(ListBody(title, rows, self.chosen, start=1 - self._enough), words(_("C new name   * back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        more = {"D": words(_("more names"))} if len(self.waiting(desk)) > RECENT else {}
        return {
            **row_labels(self.view(desk).body),
            **more,
            "C": words(_("new name")),
            "#": words(_("go on")) if self._enough and not self.chosen else words(_("choose")),
            "h*": words(_("home")),
            "*": words(_("back")),
        }


@dataclass(frozen=True, slots=True)
class NameScreen:
    """Typing the name of somebody new, or the first letters of a known one."""

    seating: SeatingScreen
    name: TypedName = field(default_factory=TypedName)

    def _matches(self, desk: Context) -> tuple[str, ...]:
        return matching(self.name, self.seating.waiting(desk))

    def press(self, key: Key, desk: Context) -> Transition:
        """Type, take a letter back, take a known name, or settle the one that was typed."""
        if key == HOME:
            return leave(self)
        if key == Key("#"):
            return self.write(self.name.whole, desk)
        matches = self._matches(desk)
        if key == Key(TAKE) and matches:
            return self.write(matches[0], desk)
        typed = self.name.press(key)
        if typed is not None:
            return Transition(replace(self, name=typed))
        if key.name == "*":
            return Transition(self.seating)
        return no(self, _("{key} types nothing here", key=str(key)))

    def write(self, text: str, desk: Context) -> Transition:
        """Settle the name, if there can be somebody of that name; what was typed stands if not."""
        move = self.seating.write(text, desk)
        return replace(move, screen=self) if move.refused else move

    def wanted(self, desk: Context) -> str:
        """Say what is to be written."""
        return self.seating.wanted(desk)

    def view(self, desk: Context) -> View:
        """Show the name so far, and the known names it may become."""
        return View(self.name.typing(self.wanted(desk), self._matches(desk)), self.name.foot(desk.words))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        return self.name.labels(desk.words, self._matches(desk))


@dataclass(frozen=True, slots=True)
class RulesScreen:
    """The rules the table agrees on; # starts with those shown.

    Attributes:
        seating: Who sits where.
        picks: One for each option that is asked at this table.
        tracking: How closely the game will be followed.
        chosen: The row that is highlighted; the first is how closely the game will be followed.
        back: The seats as they were when the rules came next.
    """

    seating: SeatingScreen
    picks: tuple[ChosenRule, ...]
    tracking: Tracking
    chosen: int = 0
    back: SeatingScreen | None = None

    @classmethod
    def on(cls, seating: SeatingScreen, desk: Context) -> RulesScreen:
        """Propose what was agreed on last time, where it can be."""
        game = seating.game
        parties = [party for party in desk.shelf.parties(desk.people) if party.game == game.name]
        parties.sort(key=lambda party: not party.is_of(seating.names))  # their own first, then the latest
        before = next((party.latest for party in parties if party.latest.header), None)
        options = _options(seating)
        agreed = agreed_before(options, before.header) if before is not None and before.header is not None else {}
        picks = picked(options, agreed, desk.words.language)
        known_way = before is not None and before.tracking in game.trackings
        return cls(seating, picks, before.tracking if before and known_way else next(iter(game.trackings)))

    def press(self, key: Key, desk: Context) -> Transition:
        """Change a rule, or start."""
        if key == HOME:
            return leave(self)
        options = _options(self.seating)
        if key == Key("*"):
            return Transition((self.back or self.seating).again(replace(self, back=None), desk))
        if key == Key("#"):
            return self._started()
        row = moved(len(options) + 1, self.chosen, key)
        if row is not None:
            return Transition(replace(self, chosen=row))
        row = self.chosen if key == Key("C") else settled(len(options) + 1, self.chosen, key)
        if row is None:
            return no(self, _("A number changes its rule, # starts, * goes back"))
        here = replace(self, chosen=row)
        if row == 0:
            return Transition(replace(here, tracking=self._next_tracking()))
        option = row - 1
        place = (self.picks[option].choice + 1) % len(options[option].choices)
        choice = options[option].choices[place]
        changed = here.picking(option, ChosenRule(place, choice.value), desk)
        if choice.number is not None:
            return Transition(NumberScreen(changed, option, choice, ""))
        return Transition(changed)

    def changed_as(self, kept: RulesScreen, desk: Context) -> RulesScreen:
        """Return the rules with what was changed by hand in others, from what was proposed there."""
        proposed = RulesScreen.on(kept.seating, desk)
        picks = zip(_options(kept.seating), kept.picks, proposed.picks, strict=True)
        changed = {option.name: pick for option, pick, was in picks if pick.agreed and pick != was}
        tracking = self.tracking if kept.tracking is proposed.tracking else kept.tracking
        return replace(self._with(changed, desk), tracking=tracking)

    def picking(self, option: int, pick: ChosenRule, desk: Context) -> RulesScreen:
        """Return the rules with another pick for an option."""
        return self._with({_options(self.seating)[option].name: pick}, desk)

    def _with(self, changed: Mapping[str, ChosenRule], desk: Context) -> RulesScreen:
        """Return the rules with some other picks; what was only proposed follows them."""
        options = _options(self.seating)
        agreed = {option.name: pick for option, pick in zip(options, self.picks, strict=True) if pick.agreed}
        return replace(self, picks=picked(options, {**agreed, **changed}, desk.words.language))

    def _next_tracking(self) -> Tracking:
        ways = tuple(self.seating.game.trackings)
        return ways[(ways.index(self.tracking) + 1) % len(ways)]

    def _started(self) -> Transition:
        named = zip(_options(self.seating), self.picks, strict=True)
        rules = {option.name: pick.value for option, pick in named}
        line = {"format": 1, "game": self.seating.game.name, "players": self.seating.names, "rules": rules}
        try:
            header = decode_header(encode(line))
        except LogError as error:
            return no(self, error.text)
        return Transition(self, BeginGame(header, self.tracking))

    def view(self, desk: Context) -> View:
        """Show who plays, and every rule with its value."""
        words = desk.words
        options = _options(self.seating)
        rows = tuple(
            (words(option.label), _shown(words, option.choices[pick.choice], pick))
            for option, pick in zip(options, self.picks, strict=True)
        )
        tracking = (words(_("Track")), words(self.seating.game.trackings[self.tracking]))
        return View(
            ListBody(together(self.seating.names, TITLE), (tracking, *rows), self.chosen),
            words(_("# start   * back")),
        )

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        return {
            **row_labels(self.view(desk).body),
            "C": desk.words(_("change")),
            "#": desk.words(_("start")),
            "h*": desk.words(_("home")),
            "*": desk.words(_("back")),
        }


def _options(seating: SeatingScreen) -> tuple[RuleOption, ...]:
    return tuple(option for option in seating.game.options if len(seating.names) in option.seats)


def _shown(words: Translator, choice: RuleValue, pick: ChosenRule) -> str:
    number = number_in(pick.value) if choice.number is not None else None
    return words(choice.label) if number is None else f"{words(choice.label)} {number}"
