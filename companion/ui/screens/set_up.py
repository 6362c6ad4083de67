"""Sets up a game: who sits where, rules, level of detail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import chain
from typing import Any

from msgspec import field, to_builtins
from msgspec.structs import replace

from companion.core.game import Event, LogHeader, RuleOption, RuleValue
from companion.core.games import checked
from companion.core.prompt import Answer, DetailLevel, EnterNumber, Prompt, Skip
from companion.core.text import Text, joined
from companion.gamelog import LogError, decode_header, encode, name_key
from companion.games import GAMES
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.few_keys import Option, SelectableOptions, amounts
from companion.ui.keys import numbered_name
from companion.ui.saved_games import ListedGame
from companion.ui.screens.contents import (
    ON_PAGE,
    Contents,
    ListScreen,
    back_to,
    home_from,
    menu,
    typing_name,
)
from companion.ui.screens.context import (
    BACK_AT,
    BeginGame,
    Choice,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    placeholder_names,
    refuse,
)
from companion.ui.screens.list_selection import COLON
from companion.ui.screens.names import TypedName, fault, matching, trimmed
from companion.ui.screens.phones import people_at_hand
from companion.ui.translations import _
from companion.ui.view import BETWEEN, TypingBody, View


def agreed_before(options: tuple[RuleOption, ...], header: LogHeader) -> dict[str, Any]:
    """Return the values of an earlier game by option name, without options that its number of players does not have."""
    had = tuple(option for option in options if len(header.players) in option.seats)
    return values_of(had, to_builtins(header.rules))


def values_of(options: tuple[RuleOption, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return some values of rules, by option name, without those that no choice gives."""
    known = ((option, values[option.name]) for option in options if option.name in values)
    return {option.name: value for option, value in known if place_of(option, value) is not None}


def place_of(option: RuleOption, value: Any) -> int | None:
    """Return the index of the choice with a value; None if there is none."""
    number = number_in(value)
    for place, choice in enumerate(option.choices):
        if encode(choice.value) == encode(value):
            return place
        if choice.number is not None and number is not None and choice.number(number) == value:
            return place
    return None


def number_in(value: Any) -> int | None:
    inner = next(iter(value.values()), None) if isinstance(value, dict) else value
    return inner if isinstance(inner, int) else None


def label_of(option: RuleOption, value: Any) -> Text:
    """Return the words for a value, with its number if it has one."""
    place = place_of(option, value)
    assert place is not None  # only such values are proposed, and taken from logs and drafts
    choice = option.choices[place]
    number = number_in(value) if choice.number is not None else None
    return choice.label if number is None else choice.with_number(number)


def picked(options: tuple[RuleOption, ...], agreed: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return a value for each option: the agreed one, else the game's proposal."""
    picks: dict[str, Any] = {}
    for option in options:
        if option.name in agreed:
            picks[option.name] = agreed[option.name]
        else:
            first, proposed = option.choices[0].value, option.proposed
            picks[option.name] = first if proposed is None else proposed(language, picks)
    return picks


MOST = 999
"""The greatest number that a rule can have."""

WRONG = _("A number from 1 to {most}, please", most=MOST)


def valid(digits: str) -> bool:
    return digits.isdecimal() and 1 <= int(digits) <= MOST


class SetUpStep(Enum):
    """What a set-up asks."""

    PLAYERS = "players"
    RULES = "rules"
    NUMBER = "number"  # of the highlighted rule


POINTS_GO_ON = _("Round 1 is the points so far")


def round_of_points(header: LogHeader, tracking: DetailLevel, points: Sequence[int]) -> Event | None:
    """Return the first round in which everybody gets some points, in a game whose rounds only add points; else None.

    Args:
        points: The points by seat.
    """
    game, answers = header.game, tuple[Answer, ...]()
    if not any(points):
        return None
    while isinstance(asked := game.ask(header.first, tracking, answers), Prompt):
        answer = Skip() if asked.whole or asked.seat is None else EnterNumber(points[asked.seat])
        if len(answers) > len(points) or not asked.takes(answer):
            return None
        answers += (answer,)
    if not isinstance(asked, Event):
        return None
    totals = checked(game, game.apply(header.first, asked), len(points)).totals
    return asked if totals == tuple(points) else None


RECENT = 6  # names from earlier games per page of the list
ROWS = 8  # rows for groups and names: with the placeholder and *Go on* all ten have a number
TABLES = 3  # maximum number of earlier groups listed before the names

NOWHERE = Screen()
"""Stands for the screen before a set-up in its draft."""


class SetUp(ListScreen, frozen=True, kw_only=True, omit_defaults=True, tag="set-up", forbid_unknown_fields=True):
    """A game being set up: its players, clockwise, then its rules. It is a screen, and its own draft."""

    game: str = ""  # the game's name; empty in the draft of the choice of games
    listed: str | None = None  # in that draft: what the open list of other games shows
    asks: SetUpStep = SetUpStep.PLAYERS
    names: tuple[str, ...] = ()  # the players seated so far, by seat, while players are asked for
    players: tuple[str, ...] = ()  # the players for whom rules are chosen; after a step back they are listed first
    rules: dict[str, Any] = field(default_factory=dict)  # what people changed, as in a log's header
    tracking: DetailLevel | None = None  # the level of detail to record; None for that of last time
    again: bool = False  # whether the same people play again: back leads from the rules to the screen before
    page: int = 0  # the page of names, from 0
    name: TypedName | None = None  # the name that is typed for the seat, if one is
    place: int = 0  # the choice whose number is typed, among the choices of the highlighted rule
    typed: str = ""  # the digits of that number
    points: dict[str, int] = field(default_factory=dict)  # the points that go on from another game, by name
    before: Screen = NOWHERE  # the screen to which back leads from the first seat

    @classmethod
    def of(
        cls, header: LogHeader, tracking: DetailLevel, before: Screen, context: ScreenContext, *, again: bool = False
    ) -> SetUp:
        """Return the rules of a game that was set up, to change them or the players, or to play one like it again."""
        here = cls(
            game=header.game.name,
            asks=SetUpStep.RULES,
            players=header.players,
            tracking=tracking if tracking in header.game.trackings else None,
            again=again,
            before=before,
        )
        played, proposed = agreed_before(here._options, header), here._values(context)
        return replace(here, rules={name: value for name, value in played.items() if value != proposed[name]})

    @property
    def draft(self) -> SetUp:
        return replace(self, before=NOWHERE)

    @property
    def fits(self) -> bool:
        """Return whether a draft fits its game as it is today."""
        game = GAMES[self.game]
        if self.asks is SetUpStep.PLAYERS and len(self.names) not in range(self._most):
            return False
        if self.asks is not SetUpStep.PLAYERS and len(self.players) not in game.seats:
            return False
        if self.asks is not SetUpStep.PLAYERS and self.chosen > len(self._options):
            return False
        if self.asks is SetUpStep.NUMBER and (self.chosen == 0 or self._option.choices[self.place].number is None):
            return False
        known = len(values_of(game.options, self.rules)) == len(self.rules)
        return known and self.tracking in (None, *game.trackings) and (not self.typed or valid(self.typed))

    @property
    def _options(self) -> tuple[RuleOption, ...]:
        """Return the rules that this number of players has."""
        return tuple(option for option in GAMES[self.game].options if len(self.players) in option.seats)

    @property
    def _option(self) -> RuleOption:
        """Return the highlighted rule."""
        return self._options[self.chosen - 1]

    def _last_time(self, context: ScreenContext) -> ListedGame | None:
        """Return an earlier game of the kind, best by the same players; None if there is none."""
        parties = [party for party in context.game_list.parties(context.people) if party.game == self.game]
        parties.sort(key=lambda party: not party.is_of(self.players))  # the same players first, then the latest game
        return next((party.latest for party in parties if party.latest.header is not None), None)

    def _values(self, context: ScreenContext) -> dict[str, Any]:
        """Return the value of each rule: changed, of an earlier game, or proposed."""
        before = self._last_time(context)
        agreed = {} if before is None or before.header is None else agreed_before(self._options, before.header)
        return picked(
            self._options,
            {**agreed, **values_of(self._options, self.rules)},
            context.box_language or context.words.language,
        )

    def show(self, context: ScreenContext) -> ScreenContents:
        match self.asks:
            case SetUpStep.PLAYERS:
                return self._ask_players(context)
            case SetUpStep.RULES:
                return self._ask_rules(context)
            case SetUpStep.NUMBER:
                return self._ask_number(context)

    @property
    def title_on_pages(self) -> object:
        if self.asks is SetUpStep.NUMBER or self.name is not None:
            return None
        named = (self._title(" · "),) if self.asks is SetUpStep.PLAYERS else self.players
        return joined((Text(GAMES.title(self.game)), *named), " · ")

    # Players

    @property
    def _enough(self) -> bool:
        """Return whether there are enough players to begin. The first row, number 0, then goes on to the rules."""
        return len(self.names) in GAMES[self.game].seats

    def _groups(self, context: ScreenContext) -> tuple[tuple[str, ...], ...]:
        """Return groups of the right size for this game: the seat call, then earlier ones; none on later pages."""
        if self.page:
            return ()
        seen: dict[tuple[str, ...], tuple[str, ...]] = {}
        called, seats = context.machine.seats, GAMES[self.game].seats
        names = () if called is None else (called.names,)
        for players in chain(names, (group.header.players for group in context.regular_groups)):
            if len(players) in seats:
                seen.setdefault(tuple(map(name_key, players)), players)
            if len(seen) == TABLES:
                break
        return tuple(seen.values())

    def _names(self, context: ScreenContext) -> tuple[str, ...]:
        """Return a page of known names, those with a seat among them so that no row moves, and a placeholder."""
        page = self._page(context)
        listed = self._known(context)[self.page * page : (self.page + 1) * page]
        placeholder = next(name for name in placeholder_names(context.words)[len(self.names) :] if not self._sits(name))
        return listed if placeholder in listed else (*listed, placeholder)

    def _page(self, context: ScreenContext) -> int:
        """Return how many names a page has; all rows have numbers."""
        return ON_PAGE if context.on_page else min(RECENT, ROWS - len(replace(self, page=0)._groups(context)))

    def _title(self, between: str) -> Text:
        """Return which seat is asked for, and who is seated so far."""
        asked = _("Seat {number}: who?", number=len(self.names) + 1)
        return joined((asked, between.join(self.names))) if self.names else asked

    def _known(self, context: ScreenContext) -> tuple[str, ...]:
        """Return the known names: first those seated before a step back, then those of earlier games and phones."""
        known = people_at_hand(context)
        return (*self.players, *(name for name in known if not any(is_same_name(name, each) for each in self.players)))

    def _sits(self, name: str) -> bool:
        return any(is_same_name(name, other) for other in self.names)

    def _ask_players(self, context: ScreenContext) -> ScreenContents:
        if self.name is not None:
            waiting = [name for name in self._known(context) if not self._sits(name)]
            return typing_name(self, self.name, context, matching(self.name, waiting))
        on = (_("Go on with {count}", count=len(self.names)),) if self._enough else ()
        title, game = self._title(BETWEEN), Text(GAMES.title(self.game))
        together = (*self.names, *(name for group in self._groups(context) for name in group))
        beside: dict[str, object] = {name_key(name): _("no name") for name in placeholder_names(context.words)}
        beside |= {name_key(name): str(seat) for seat, name in enumerate(self.names, 1)}
        texts = (
            *((row, "") for row in (*on, *map(BETWEEN.join, self._groups(context)))),
            *((name, beside.get(name_key(name), "")) for name in self._names(context)),
        )
        rows = self.rows(texts, lambda here, row: Row(row[0], partial(here._seated, context), row[1], names=together))
        pages = -(-len(self._known(context)) // self._page(context))
        typing = replace(self, name=TypedName.begin(context.words.language))
        turned = replace(self, page=(self.page + 1) % max(1, pages), chosen=0)
        before = replace(self, names=self.names[:-1], chosen=0) if self.names else self.before
        return menu(
            self,
            title,
            rows,
            before,
            foot=_("C new name   * back"),
            choose=_("go on") if self._enough and not self.chosen else _("choose"),
            others=(
                # a page has a field for it
                Choice("new", _("new name"), lambda: Transition(typing), "C", page=""),
                Choice("more", _("more names") if pages > 1 else "", lambda: Transition(turned), "D"),
            ),
            start=1 - self._enough,
            game=game,
        )

    def _seated(self, context: ScreenContext) -> Transition:
        """Return the transition of the highlighted row."""
        row, groups = self.chosen - self._enough, self._groups(context)
        if row < 0:
            return Transition(self._with_players(self.names))
        if row < len(groups):
            return Transition(self._with_players(groups[row]))
        name = self._names(context)[row - len(groups)]
        if not self._sits(name):
            return self._with_name(name)
        freed = replace(self, names=tuple(other for other in self.names if other != name))  # who sits behind moves up
        return Transition(replace(freed, chosen=freed._enough + row))

    def write(self, text: str, context: ScreenContext) -> Transition:
        if self.asks is not SetUpStep.PLAYERS:
            return super().write(text, context)
        name = trimmed(text)
        wrong = fault(name)
        return self._with_name(name) if wrong is None else refuse(self, wrong)

    @property
    def expected_text(self) -> Text | None:
        if self.asks is not SetUpStep.PLAYERS:
            return None
        return _("Name of seat {number}", number=len(self.names) + 1)

    def _with_name(self, name: str) -> Transition:
        """Return the transition of seating a player who has no seat yet; after the last seat the rules follow."""
        if self._sits(name):
            return refuse(self, _("{name} already has a seat", name=name))
        names = (*self.names, name)
        if len(names) == self._most:
            return Transition(self._with_players(names))
        return Transition(replace(self, names=names, chosen=0, name=None))

    def _with_players(self, players: tuple[str, ...]) -> SetUp:
        return replace(self, asks=SetUpStep.RULES, names=(), players=players, chosen=0, name=None)

    @property
    def _most(self) -> int:
        """Return the greatest number of players."""
        return GAMES[self.game].seats.stop - 1

    @property
    def asking_players(self) -> SetUp:
        """Return the seats with the players, and the next seat asked for; the last one if there is no other."""
        seated = self.players if len(self.players) < self._most else self.players[:-1]
        return replace(self, asks=SetUpStep.PLAYERS, names=seated, page=0, chosen=0, again=False)

    def _before_rules(self, context: ScreenContext) -> Screen:
        """Return the screen to which back leads from the rules: the seats, with the row that led on highlighted."""
        if self.again:
            return self.before
        here, last = self.asking_players, self.players[-1]
        if here.names == self.players:
            return here
        # With seven seats and more it is on a later page.
        here = replace(here, page=here._known(context).index(last) // here._page(context))
        row = len(here._groups(context)) + here._names(context).index(last)
        return replace(here, chosen=here._enough + row)

    # Rules

    def _ask_rules(self, context: ScreenContext) -> ScreenContents:
        game = GAMES[self.game]
        values = self._values(context)
        rules = ((option.label, label_of(option, values[option.name])) for option in self._options)
        texts = ((_("Detail"), game.trackings[self._tracking(context)]), *rules)
        return menu(
            self,
            BETWEEN.join(self.players),
            self.rows(
                texts,
                lambda here, row: Row(row[0], lambda: Transition(here._changed(context)), row[1], names=self.players),
            ),
            foot=_("# start   * back"),
            choose=_("change"),
            others=(
                Choice("start", _("start"), lambda: self._started(context), "#"),
                *(() if len(self.players) == self._most else (self._one_more(),)),
                Choice("back", _("back"), lambda: Transition(self._before_rules(context)), "*", BACK_AT),
                home_from(self),
            ),
            unknown=_("A number changes its rule, # starts, * goes back"),
            confirms="C",
            game=Text(game.title),
        )

    def _one_more(self) -> Choice:
        """Return the choice that asks who sits on the next seat."""
        return Choice("player", _("one more player"), lambda: Transition(self.asking_players), "D", near=1)

    def _tracking(self, context: ScreenContext) -> DetailLevel:
        """Return the level of detail: changed, of an earlier game, or the game's usual one."""
        game, before = GAMES[self.game], None if self.tracking else self._last_time(context)
        if before is not None and before.tracking in game.trackings:
            return before.tracking
        return self.tracking or game.optional.usual_tracking or next(iter(game.trackings))

    def _changed(self, context: ScreenContext) -> SetUp:
        """Return the rules with the next value of the highlighted rule, or all its values if one is a number."""
        if self.chosen == 0:
            trackings = tuple(GAMES[self.game].trackings)
            present = trackings.index(self._tracking(context))
            return replace(self, tracking=trackings[(present + 1) % len(trackings)])
        choices, chosen = self._option.choices, place_of(self._option, self._values(context)[self._option.name])
        assert chosen is not None  # a choice gives each value
        numbers = [place for place, choice in enumerate(choices) if choice.number is not None]
        if numbers:
            return replace(self, asks=SetUpStep.NUMBER, place=chosen if chosen in numbers else numbers[0])
        return self._with_value(choices[(chosen + 1) % len(choices)].value)

    @property
    def _without_number(self) -> SetUp:
        return replace(self, asks=SetUpStep.RULES, place=0, typed="")

    def _with_value(self, value: Any) -> SetUp:
        """Return the rules with another value of the highlighted one."""
        return replace(self._without_number, rules={**self.rules, self._option.name: value})

    def _started(self, context: ScreenContext) -> Transition:
        line = {"format": 1, "game": self.game, "players": self.players, "rules": self._values(context)}
        try:
            header = decode_header(encode(line))
        except LogError as error:
            return refuse(self, error.text)
        tracking = self._tracking(context)
        first = round_of_points(header, tracking, [self.points.get(name, 0) for name in self.players])
        return Transition(self, BeginGame(header, tracking, first), None if first is None else POINTS_GO_ON)

    # A number

    def _ask_number(self, context: ScreenContext) -> ScreenContents:
        """Return typing a number for a rule, or choosing another of its values; going back changes nothing."""
        option = self._option
        choice, present = option.choices[self.place], self._values(context)[option.name]
        chosen = place_of(option, present)
        proposed = number_in(present if chosen == self.place else choice.value) or 1
        number = int(self.typed or proposed)
        # whether the value in force is one of those that are not typed, and stays as no number is
        stays = not self.typed and chosen is not None and option.choices[chosen].number is None
        others = dict(zip("ABCD", (other for other in option.choices if other is not choice), strict=False))
        labels = {key: other.label for key, other in others.items()}
        settles = label_of(option, present) if stays else choice.with_number(number)
        rows = [joined((key, COLON, label), "") for key, label in labels.items()]
        pairs = (joined(rows[first : first + 2], "   ") for first in range(0, len(rows), 2))
        title = _("{rule}: {value}", rule=option.label, value=choice.label)
        body = TypingBody(title, self.typed, "", (joined(("#", COLON, settles), ""), *pairs))
        shorter = replace(self, typed=self.typed[:-1]) if self.typed else self._without_number
        leaves = replace(back_to(self._without_number), key="", page="", knob=False)
        return AmountContents(
            self,
            View(body, _("# OK   * back")),
            (
                *(Choice(digit, digit, partial(self._typed, digit), digit, knob=False) for digit in "0123456789"),
                *(Choice(f"value {key}", labels[key], partial(self._other, each), key) for key, each in others.items()),
                Choice("ok", settles, lambda: leaves.do() if stays else self._settled(number), "#", knob=False),
                leaves,
                Choice("delete", leaves.label, lambda: Transition(shorter), "*", BACK_AT, knob=False),
                replace(home_from(self), knob=False),
            ),
            WRONG,
            number,
            self._settled,
        )

    def _typed(self, digit: str) -> Transition:
        typed = self.typed + digit
        return Transition(replace(self, typed=str(int(typed)))) if valid(typed) else refuse(self, WRONG)

    def _other(self, choice: RuleValue) -> Transition:
        """Return the transition to another value, or to typing its number."""
        if choice.number is None:
            return Transition(self._with_value(choice.value))
        return Transition(replace(self, place=self._option.choices.index(choice), typed=""))

    def _settled(self, number: int) -> Transition:
        """Return the transition to the rules with a number."""
        with_number = self._option.choices[self.place].number
        assert with_number is not None  # only such a choice asks for a number
        return Transition(self._with_value(with_number(number)))


class AmountContents(Contents, frozen=True, dict=True):
    """The contents of typing a number; boards with few keys select it."""

    number: int  # the typed number, or the proposed one
    settle: Callable[[int], Transition]  # returns the transition of choosing a number

    @property
    def ring(self) -> SelectableOptions:
        return amounts(MOST, self.number, self.options, Option(self.labels["*"], "back"), self.back)

    def named(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of choosing a number."""
        number = numbered_name("number", name)
        return None if number is None or not valid(str(number)) else self.settle(number)
