"""Sets up a game: which game, who sits where, rules, level of detail."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from msgspec.structs import replace

from companion.core.game import Game, LogHeader, RuleOption
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.gamelog import LogError, decode_header, encode, name_key
from companion.history.renamed_and_hidden import is_same_name
from companion.ui.translations import Translator, _
from companion.ui.view import BETWEEN, ListBody

from .commands import BeginGame
from .context import Screen, ScreenContents, ScreenContext, Transition, placeholder_names, refuse
from .name_matching import matching
from .name_typing import TypedName, fault, trimmed
from .rule_number import NumberScreen, RulesScreenBase
from .rule_values import ChosenRule, agreed_before, label_of, picked, rule_with
from .saved_drafts import RuleDraft, RulesDraft, SeatsDraft, SetUpDraft
from .screen_contents import KeyBinding, ListContents, NameTypingScreen, OpenedListScreen, back_to, home_from

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
        return min(RECENT, ROWS - len(replace(self, page=0)._groups(context)))

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
        more = KeyBinding("D", words(_("more names")) if pages > 1 else "", lambda: Transition(turned))
        before = replace(self, names=self.names[:-1], chosen=0) if self.names else self.before
        return ListContents(
            self,
            ListBody(
                title, rows, self.chosen, start=1 - self._enough, names=together, game=words(Text(self.game.title))
            ),
            words(_("C new name   * back")),
            lambda row: replace(self, chosen=row)._chosen(context),
            (
                more,
                KeyBinding("C", words(_("new name")), lambda: Transition(typing), types=True),
                KeyBinding("#", words(_("go on") if self._enough and not self.chosen else _("choose"))),
                home_from(self, words),
                back_to(before, words),
            ),
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
                KeyBinding("C", words(_("change"))),
                KeyBinding("#", words(_("start")), self._started),
                home_from(self, words),
                KeyBinding("*", words(_("back")), lambda: Transition(self._left(context))),
            ),
            _("A number changes its rule, # starts, * goes back"),
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
