"""Sets up a game: which game, who sits where, rules, level of detail."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain, islice
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from companion.core.game import Game, LogHeader, RuleOption, RuleValue
from companion.core.game_guard import GameFaultError
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.gamelog import LogError, decode_header, encode, name_key
from companion.games import GAMES
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.dates import day_of
from companion.ui.few_keys import Option, SelectableOptions, amounts
from companion.ui.key_grammar import numbered_name
from companion.ui.screens.commands import BeginGame, RetryFailedGame
from companion.ui.screens.contents import (
    ON_PAGE,
    Contents,
    ListContents,
    ListScreen,
    NameTypingScreen,
    OpenedListScreen,
    PagedListScreen,
    Row,
    back_to,
    home_from,
    menu,
)
from companion.ui.screens.context import (
    BACK_AT,
    Choice,
    RegularGroup,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    placeholder_names,
    refuse,
)
from companion.ui.screens.list_selection import COLON, NUMBERED
from companion.ui.screens.names import TypedName, fault, matching, trimmed
from companion.ui.screens.saved_drafts import RuleDraft, RulesDraft, SeatsDraft, SetUpDraft
from companion.ui.translations import Translator, _
from companion.ui.view import BETWEEN, ListBody, TypingBody, View


class ChosenRule(Struct, frozen=True):
    """The value of a rule, and whether the players chose it."""

    choice: int  # the index of the choice among the option's choices
    value: Any  # the value, as in a log's header
    agreed: bool = True  # whether the players chose it, now or last time; otherwise it is only proposed


def agreed_before(options: tuple[RuleOption, ...], header: LogHeader) -> dict[str, ChosenRule]:
    """Return the values of an earlier game by option name, without options that its number of players does not have."""
    rules, seats = to_builtins(header.rules), len(header.players)
    known = {option.name: rule_with(option, rules[option.name]) for option in options if seats in option.seats}
    return {name: pick for name, pick in known.items() if pick is not None}


def rule_with(option: RuleOption, value: Any) -> ChosenRule | None:
    """Return the choice with a value; None if there is none."""
    for place, choice in enumerate(option.choices):
        if encode(choice.value) == encode(value):
            return ChosenRule(place, choice.value)
        number = number_in(value)
        if choice.number is not None and number is not None and choice.number(number) == value:
            return ChosenRule(place, value)
    return None


def number_in(value: Any) -> int | None:
    inner = next(iter(value.values()), None) if isinstance(value, dict) else value
    return inner if isinstance(inner, int) else None


def label_of(option: RuleOption, pick: ChosenRule) -> Text:
    """Return the words for a value, with its number if it has one."""
    choice = option.choices[pick.choice]
    number = number_in(pick.value) if choice.number is not None else None
    return choice.label if number is None else choice.with_number(number)


def picked(options: tuple[RuleOption, ...], agreed: Mapping[str, ChosenRule], language: str) -> tuple[ChosenRule, ...]:
    """Return a value for each option: the agreed one, else the game's proposal."""
    picks: dict[str, ChosenRule] = {}
    for option in options:
        values = {name: pick.value for name, pick in picks.items()}
        picks[option.name] = agreed.get(option.name) or _proposal(option, language, values)
    return tuple(picks.values())


def _proposal(option: RuleOption, language: str, values: Mapping[str, Any]) -> ChosenRule:
    wanted = option.choices[0].value if option.proposed is None else option.proposed(language, values)
    place = next(place for place, choice in enumerate(option.choices) if choice.value == wanted)
    return ChosenRule(place, wanted, agreed=False)


MOST = 999
"""The greatest number that a rule can have."""

WRONG = _("A number from 1 to {most}, please", most=MOST)


def valid(digits: str) -> bool:
    return digits.isdecimal() and 1 <= int(digits) <= MOST


class RulesScreenBase(ListScreen, frozen=True):
    """Base of the rules screen; typing a number returns to it without importing it."""

    @property
    def draft(self) -> SetUpDraft:
        raise NotImplementedError

    def with_value(self, rule: str, value: Any, context: ScreenContext) -> Screen:
        raise NotImplementedError


class NumberScreen(Screen, frozen=True):
    """Typing a number for a rule, or choosing another of its values; going back changes nothing."""

    agreeing: RulesScreenBase  # the rules screen as it was
    option: RuleOption
    place: int  # the choice that needs the number
    proposed: int
    typed: str

    @classmethod
    def of(
        cls,
        agreeing: RulesScreenBase,
        option: RuleOption,
        present: ChosenRule,
        place: int | None = None,
        typed: str = "",
    ) -> NumberScreen:
        """Return the screen that proposes the present number; without a place, the present choice or the first one."""
        if place is None:
            numbers = [place for place, choice in enumerate(option.choices) if choice.number is not None]
            place = present.choice if present.choice in numbers else numbers[0]
        value = present.value if present.choice == place else option.choices[place].value
        return cls(agreeing, option, place, number_in(value) or 1, typed)

    @property
    def draft(self) -> SetUpDraft:
        return replace(self.agreeing.draft, rule=self.option.name, place=self.place, typed=self.typed)

    @property
    def _others(self) -> dict[str, RuleValue]:
        """Return the other values of the rule, by their keys."""
        others = (choice for place, choice in enumerate(self.option.choices) if place != self.place)
        return dict(zip("ABCD", others, strict=False))

    def show(self, context: ScreenContext) -> ScreenContents:
        words, others = context.words, {key: context.words(choice.label) for key, choice in self._others.items()}
        choice = self.option.choices[self.place]
        settles = words(choice.with_number(int(self.typed or self.proposed)))
        colon = words(COLON)
        rows = [f"{key}{colon}{label}" for key, label in others.items()]
        pairs = ("   ".join(rows[first : first + 2]) for first in range(0, len(rows), 2))
        title = words(_("{rule}: {value}", rule=self.option.label, value=choice.label))
        body = TypingBody(title, self.typed, "", (f"#{colon}{settles}", *pairs))
        shorter = replace(self, typed=self.typed[:-1]) if self.typed else self.agreeing
        digits = (Choice(digit, digit, partial(self._with, digit), digit, knob=False) for digit in "0123456789")
        leaves = replace(back_to(self.agreeing, words), key="", page="", knob=False)
        delete = Choice("delete", leaves.label, lambda: Transition(shorter), "*", BACK_AT, knob=False)
        return AmountContents(
            self,
            View(body, words(_("# OK   * back"))),
            (
                *digits,
                *(
                    Choice(f"other {key}", label, partial(self._other, key, context), key)
                    for key, label in others.items()
                ),
                Choice("ok", settles, lambda: Transition(self.settled(context)), "#", knob=False),
                leaves,
                delete,
                replace(home_from(self, words), knob=False),
            ),
            WRONG,
        )

    def _with(self, digit: str) -> Transition:
        typed = self.typed + digit
        return Transition(replace(self, typed=str(int(typed)))) if valid(typed) else refuse(self, WRONG)

    def _other(self, key: str, context: ScreenContext) -> Transition:
        """Return the transition to another value, or to typing its number."""
        choice = self._others[key]
        if choice.number is None:
            return Transition(self.agreeing.with_value(self.option.name, choice.value, context))
        proposed = number_in(choice.value) or 1
        return Transition(replace(self, place=self.option.choices.index(choice), proposed=proposed, typed=""))

    def settled(self, context: ScreenContext) -> Screen:
        """Return the rules with the typed number; with the proposed one if nothing was typed."""
        number = self.option.choices[self.place].number
        assert number is not None  # only such a choice opens this screen
        return self.agreeing.with_value(self.option.name, number(int(self.typed or self.proposed)), context)


class AmountContents(Contents, frozen=True, dict=True):
    """The contents of typing a number; boards with few keys select it."""

    screen: NumberScreen

    @property
    def ring(self) -> SelectableOptions:
        amount = self.screen
        leaves = Option(self.labels["*"], "back")
        return amounts(MOST, int(amount.typed or amount.proposed), self.options, leaves, self.back)

    def named(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of choosing a number."""
        number = numbered_name("number", name)
        if number is None or not valid(str(number)):
            return None
        return Transition(replace(self.screen, typed=str(number)).settled(context))


RECENT = 6  # names from earlier games per page of the list
ROWS = 8  # rows for groups and names: with the placeholder and *Go on* all ten have a number
TABLES = 3  # maximum number of earlier groups listed before the names, while no seat is taken


class SeatingScreen(OpenedListScreen, frozen=True):
    """The choice of players, clockwise."""

    game: Game[Any]
    names: tuple[str, ...] = ()  # the players seated so far, by seat
    page: int = 0  # the page of names, from 0
    # the rules screen that was left by stepping back; its players and changes are reused
    kept: RulesScreen | None = None

    @property
    def _enough(self) -> bool:
        """Return whether there are enough players to begin. The first row, number 0, then goes on to the rules."""
        return len(self.names) in self.game.seats

    def _groups(self, context: ScreenContext) -> tuple[tuple[str, ...], ...]:
        """Return groups of the right size for this game: the seat call, then earlier ones; none on later pages."""
        if self.page:
            return ()
        seen: dict[tuple[str, ...], tuple[str, ...]] = {}
        called = context.machine.seats
        names = () if called is None else (called.names,)
        for players in chain(names, (group.header.players for group in context.regular_groups)):
            if len(players) in self.game.seats:
                seen.setdefault(tuple(map(name_key, players)), players)
            if len(seen) == TABLES:
                break
        return tuple(seen.values())

    def _names(self, context: ScreenContext) -> tuple[str, ...]:
        """Return a page of known names, those with a seat among them so that no row moves, and a placeholder."""
        page = self._page(context)
        listed = self._known(context)[self.page * page : (self.page + 1) * page]
        placeholder = next(name for name in placeholder_names(context.words)[len(self.names) :] if not self.sits(name))
        return listed if placeholder in listed else (*listed, placeholder)

    def _page(self, context: ScreenContext) -> int:
        """Return how many names a page has; all rows have numbers."""
        return ON_PAGE if context.on_page else min(RECENT, ROWS - len(replace(self, page=0)._groups(context)))

    def title_on_pages(self, words: Translator) -> str:
        return " · ".join((words(Text(self.game.title)), self._title(words) + " · ".join(self.names)))

    def _title(self, words: Translator) -> str:
        return words(_("Seat {number}: who?", number=len(self.names) + 1)) + " " * bool(self.names)

    def _known(self, context: ScreenContext) -> tuple[str, ...]:
        """Return the known names: first those seated before a step back, then those of earlier games."""
        kept = () if self.kept is None else self.kept.seating.names
        return (*kept, *(name for name in context.roster if not any(is_same_name(name, other) for other in kept)))

    def waiting(self, context: ScreenContext) -> tuple[str, ...]:
        """Return the known names without a seat."""
        return tuple(name for name in self._known(context) if not self.sits(name))

    def sits(self, name: str) -> bool:
        return any(is_same_name(name, other) for other in self.names)

    @property
    def draft(self) -> SetUpDraft:
        return SetUpDraft(self.game.name, seats=self._values)

    @property
    def _values(self) -> SeatsDraft:
        left = None if self.kept is None else self.kept._values
        return SeatsDraft(self.names, self.chosen, self.page, left)

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        on = (words(_("Go on with {count}", count=len(self.names))),) if self._enough else ()
        title = self._title(words) + BETWEEN.join(self.names)
        together = (*self.names, *(name for group in self._groups(context) for name in group))
        beside = {name_key(name): words(_("no name")) for name in placeholder_names(words)}
        beside |= {name_key(name): str(seat) for seat, name in enumerate(self.names, 1)}
        rows = (
            *((row, "") for row in (*on, *map(BETWEEN.join, self._groups(context)))),
            *((name, beside.get(name_key(name), "")) for name in self._names(context)),
        )
        pages = -(-len(self._known(context)) // self._page(context))
        typing = NameScreen(self, name=TypedName.begin(words.language))
        turned = replace(self, page=(self.page + 1) % max(1, pages), chosen=0)
        more = Choice("more", words(_("more names")) if pages > 1 else "", lambda: Transition(turned), "D")
        before = replace(self, names=self.names[:-1], chosen=0) if self.names else self.before
        return ListContents(
            self,
            ListBody(
                title, rows, self.chosen, start=1 - self._enough, names=together, game=words(Text(self.game.title))
            ),
            words(_("C new name   * back")),
            lambda row: replace(self, chosen=row)._chosen(context),
            (
                Choice(
                    "new", words(_("new name")), lambda: Transition(typing), "C", page=""
                ),  # a page has a field for it
                more,
                back_to(before, words),
                home_from(self, words),
            ),
            words(_("go on") if self._enough and not self.chosen else _("choose")),
        )

    def _chosen(self, context: ScreenContext) -> Transition:
        row, groups = self.chosen - self._enough, self._groups(context)
        if row < 0:
            return self._to_rules(self.names, context)
        if row < len(groups):
            return self._to_rules(groups[row], context)
        name = self._names(context)[row - len(groups)]
        return self._without(name) if self.sits(name) else self.with_name(name, context)

    def _without(self, name: str) -> Transition:
        """Return the transition of freeing a player's seat; who sits behind moves up."""
        names = tuple(other for other in self.names if other != name)
        return Transition(replace(self, names=names, kept=None))

    def _to_rules(self, names: tuple[str, ...], context: ScreenContext) -> Transition:
        """Return the transition to the rules for these players, with the changes made before a step back."""
        rules = replace(RulesScreen.on(replace(self, names=names, kept=None), context), back=self)
        return Transition(rules if self.kept is None else rules.changed_as(self.kept, context))

    def again(self, kept: RulesScreen, context: ScreenContext) -> SeatingScreen:
        """Return the seats after a step back from the rules, with the previously chosen row highlighted."""
        here = replace(self, kept=kept, page=0)
        previous = kept.seating.names[len(self.names) :]
        if len(previous) != 1:
            return here
        # With seven seats and more it is on a later page.
        here = replace(here, page=here._known(context).index(previous[0]) // here._page(context))
        above = self._enough + len(here._groups(context))
        return replace(here, chosen=above + here._names(context).index(previous[0]))

    def write(self, text: str, context: ScreenContext) -> Transition:
        name = trimmed(text)
        wrong = fault(name)
        if wrong is not None:
            return refuse(self, wrong)
        return self.with_name(name, context)

    def expected_text(self, context: ScreenContext) -> str:
        return context.words(_("Name of seat {number}", number=len(self.names) + 1))

    def with_name(self, name: str, context: ScreenContext) -> Transition:
        """Return the transition of seating a player who has no seat yet; after the last seat the rules follow."""
        if self.sits(name):
            return refuse(self, _("{name} already has a seat", name=name))
        names = (*self.names, name)
        if len(names) == self.game.seats.stop - 1:
            return self._to_rules(names, context)
        return Transition(SeatingScreen(self.before, self.game, names, self.page, self.kept))


class NameScreen(NameTypingScreen, frozen=True):
    """Typing a new player's name, or the first letters of a known name."""

    seating: SeatingScreen

    @property
    def draft(self) -> SetUpDraft:
        return replace(self.seating.draft, name=self.name)

    def show(self, context: ScreenContext) -> ScreenContents:
        return self.typing(context, self.seating, matching(self.name, self.seating.waiting(context)))

    def write(self, text: str, context: ScreenContext) -> Transition:
        """Return the transition of confirming the name; if it is refused, the typed name stays."""
        move = self.seating.write(text, context)
        return replace(move, screen=self) if move.refused else move

    def expected_text(self, context: ScreenContext) -> str:
        return self.seating.expected_text(context)


class RulesScreen(RulesScreenBase, frozen=True):
    """The choice of rules; # starts the game."""

    seating: SeatingScreen
    picks: tuple[ChosenRule, ...]  # the value of each rule option for this number of players
    tracking: DetailLevel  # the level of detail to record, shown in the first row
    back: SeatingScreen | None = None  # the seating screen to step back to
    before: Screen | None = None  # the screen to step back to instead, where no seat was chosen

    @classmethod
    def on(cls, seating: SeatingScreen, context: ScreenContext) -> RulesScreen:
        """Return the rules with the values of an earlier game, preferably by the same players."""
        game = seating.game
        parties = [party for party in context.game_list.parties(context.people) if party.game == game.name]
        parties.sort(key=lambda party: not party.is_of(seating.names))  # the same players first, then the latest game
        before = next((party.latest for party in parties if party.latest.header), None)
        options = options_of(seating)
        agreed = agreed_before(options, before.header) if before is not None and before.header is not None else {}
        picks = picked(options, agreed, context.words.language)
        return cls(seating, picks, next(iter(game.trackings)))

    @classmethod
    def of(cls, header: LogHeader, tracking: DetailLevel, before: Screen, context: ScreenContext) -> RulesScreen:
        """Return the rules of a game that was set up, to change them or the players; ``before`` is the first seat's."""
        seating = SeatingScreen(before, header.game, header.players)
        options = options_of(seating)
        picks = picked(options, agreed_before(options, header), context.words.language)
        return cls(seating, picks, tracking, back=replace(seating, names=header.players[:-1]))

    @classmethod
    def again(cls, header: LogHeader, tracking: DetailLevel, before: Screen, context: ScreenContext) -> RulesScreen:
        """Return the rules of an earlier game, to start one like it; back leads to ``before``."""
        levels = header.game.trackings
        tracking = tracking if tracking in levels else next(iter(levels))
        return replace(cls.of(header, tracking, before, context), before=before)

    def title_on_pages(self, words: Translator) -> str:
        return " · ".join((words(Text(self.seating.game.title)), *self.seating.names))

    @property
    def draft(self) -> SetUpDraft:
        return SetUpDraft(self.seating.game.name, rules=self._values)

    @property
    def _values(self) -> RulesDraft:
        picks = zip(options_of(self.seating), self.picks, strict=True)
        rules = {option.name: RuleDraft(pick.value, pick.agreed) for option, pick in picks}
        back = None if self.back is None else self.back._values
        return RulesDraft(self.seating._values, rules, self.tracking, self.chosen, back, self.before is not None)

    def show(self, context: ScreenContext) -> ScreenContents:
        words, options = context.words, options_of(self.seating)
        rows = tuple(
            (words(option.label), words(label_of(option, pick)))
            for option, pick in zip(options, self.picks, strict=True)
        )
        names = self.seating.names
        tracking = (words(_("Detail")), words(self.seating.game.trackings[self.tracking]))
        return ListContents(
            self,
            ListBody(
                BETWEEN.join(names),
                (tracking, *rows),
                self.chosen,
                names=names,
                game=words(Text(self.seating.game.title)),
            ),
            words(_("# start   * back")),
            lambda row: Transition(replace(self, chosen=row)._changed(context)),
            (
                Choice("start", words(_("start")), self._started, "#"),
                Choice("back", words(_("back")), lambda: Transition(self._left(context)), "*", BACK_AT),
                home_from(self, words),
            ),
            words(_("change")),
            _("A number changes its rule, # starts, * goes back"),
            confirms="C",
        )

    def _left(self, context: ScreenContext) -> Screen:
        """Return the screen that back leads to."""
        return self.before or (self.back or self.seating).again(replace(self, back=None), context)

    def _changed(self, context: ScreenContext) -> Screen:
        """Return the rules with the next value of the highlighted rule, or all its values if one is a number."""
        if self.chosen == 0:
            return replace(self, tracking=self._next_tracking())
        option, pick = options_of(self.seating)[self.chosen - 1], self.picks[self.chosen - 1]
        if any(choice.number is not None for choice in option.choices):
            return NumberScreen.of(self, option, pick)
        place = (pick.choice + 1) % len(option.choices)
        return self._with({option.name: ChosenRule(place, option.choices[place].value)}, context)

    def changed_as(self, kept: RulesScreen, context: ScreenContext) -> RulesScreen:
        """Return the rules with the changes that the players had made to the proposals of another rules screen."""
        proposed = RulesScreen.on(kept.seating, context)
        picks = zip(options_of(kept.seating), kept.picks, proposed.picks, strict=True)
        changed = {option.name: pick for option, pick, was in picks if pick.agreed and pick != was}
        tracking = self.tracking if kept.tracking is proposed.tracking else kept.tracking
        return replace(self._with(changed, context), tracking=tracking)

    def with_value(self, rule: str, value: Any, context: ScreenContext) -> RulesScreen:
        pick = next(rule_with(option, value) for option in options_of(self.seating) if option.name == rule)
        assert pick is not None  # it is a value of the rule
        return self._with({rule: pick}, context)

    def _with(self, changed: Mapping[str, ChosenRule], context: ScreenContext) -> RulesScreen:
        """Return the rules with some values changed, and the proposals recomputed."""
        options = options_of(self.seating)
        agreed = {option.name: pick for option, pick in zip(options, self.picks, strict=True) if pick.agreed}
        return replace(self, picks=picked(options, {**agreed, **changed}, context.words.language))

    def _next_tracking(self) -> DetailLevel:
        trackings = tuple(self.seating.game.trackings)
        return trackings[(trackings.index(self.tracking) + 1) % len(trackings)]

    def _started(self) -> Transition:
        named = zip(options_of(self.seating), self.picks, strict=True)
        rules = {option.name: pick.value for option, pick in named}
        line = {"format": 1, "game": self.seating.game.name, "players": self.seating.names, "rules": rules}
        try:
            header = decode_header(encode(line))
        except LogError as error:
            return refuse(self, error.text)
        return Transition(self, BeginGame(header, self.tracking))


def options_of(seating: SeatingScreen) -> tuple[RuleOption, ...]:
    """Return the rules that this number of players has."""
    return tuple(option for option in seating.game.options if len(seating.names) in option.seats)


WHICH_GAME = _("Which game?")

LATELY = 4
"""The most games from files that are listed beside the box's own; those played last count."""


def game_choice(before: Screen, game: str) -> Screen:
    """Return the choice of games with a game highlighted, or the row that leads to it."""
    return before if len(GAMES) == 1 else GameChoiceScreen(before, wanted=game)


class GameChoiceScreen(OpenedListScreen, frozen=True):
    """The choice of a game: those of the box, those of files that were played lately, and the way to all others."""

    wanted: str = ""  # the game to highlight, by its name; empty if the row says it

    @classmethod
    def opening(cls, before: Screen) -> Screen:
        return SeatingScreen(before, GAMES[next(iter(GAMES))]) if len(GAMES) == 1 else cls(before)

    @property
    def draft(self) -> SetUpDraft:
        return SetUpDraft(row=self.chosen)

    def show(self, context: ScreenContext) -> ScreenContents:
        listed, found = context.game_list, GAMES.found_titles
        own = [name for name in GAMES if name not in listed.hidden]
        lately = [name for name in listed.lately if name in found and name not in listed.hidden][:LATELY]
        titles = {name: GAMES.title(name) for name in own} | {name: found[name] for name in lately}
        chosen = self.chosen if not self.wanted else [*titles, self.wanted].index(self.wanted)
        here = replace(self, chosen=chosen, wanted="")
        rows: list[Row] = [
            (Text(title), "", partial(_seating, replace(here, chosen=row), name))
            for row, (name, title) in enumerate(titles.items())
        ]
        others = FileGamesScreen(replace(here, chosen=len(rows)))
        rows.append((_("Other games"), "", Transition(others)))
        return menu(here, context.words, WHICH_GAME, rows, self.before, home=None)


def _seating(before: Screen, name: str) -> Transition:
    """Return the transition to the seats of a game; a file that cannot be used is refused."""
    try:
        game = GAMES[name]
    except GameFaultError as fault:
        return refuse(before, fault.text)
    return Transition(SeatingScreen(before, game), _asked_for(game))


class FileGamesScreen(PagedListScreen, frozen=True):
    """The choice of a game that a file declares, in the order of the alphabet, page by page."""

    def show(self, context: ScreenContext) -> ScreenContents:
        hidden = context.game_list.hidden
        names = {title: name for name, title in GAMES.found_titles.items() if name not in hidden}
        titles = sorted(names, key=lambda title: name_key(context.words(Text(title))))
        rows: list[Row] = [
            (Text(title), "", partial(_seating, replace(self, chosen=row), names[title]))
            for row, title in enumerate(self.listed(titles, context))
        ]
        rows += self.older(titles, _("More games"), context)
        return menu(self, context.words, WHICH_GAME, rows, self.newer, home=None)


def _asked_for(game: Game[Any]) -> RetryFailedGame | None:
    """Return the command that tries a game again that was put aside; None for any other game."""
    return RetryFailedGame(game.name) if GAMES.aside(game.name) else None


REGULARS = _("Play with regulars")


class RegularGroupsScreen(OpenedListScreen, frozen=True):
    """The groups that played lately; a number sets up the same game with the same people, and # starts it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, groups = context.words, tuple(islice(context.regular_groups, NUMBERED))
        games = [words(Text(group.header.game.title)) for group in groups]
        tables = [BETWEEN.join(group.header.players) for group in groups]
        days = ("" if group.begun is None else day_of(group.begun) for group in groups)
        moves = (partial(set_up_again, group, replace(self, chosen=row), context) for row, group in enumerate(groups))
        labels = map(" ".join, zip(tables, games, strict=True))
        return menu(
            self,
            words,
            REGULARS,
            zip(games, days, moves, strict=True),
            self.before,
            below=((table, "") for table in tables),
            names=(name for group in groups for name in group.header.players),
            named={str(row % NUMBERED): label for row, label in enumerate(labels, 1)},
            home=None,
        )


def set_up_again(group: RegularGroup, before: Screen, context: ScreenContext) -> Transition:
    """Return the transition to the rules of a group's latest game; # starts a new one, back leads to ``before``.

    A game that fails is refused.
    """
    try:
        return Transition(RulesScreen.again(group.header, group.tracking, before, context))
    except GameFaultError as fault:
        return refuse(before, fault.text)
