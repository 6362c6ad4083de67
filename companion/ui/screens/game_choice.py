"""Chooses the game of a set-up: the box's own and those played lately, then all others by family, or by a word."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec import MsgspecError, Struct
from msgspec.structs import replace

from companion.core.games import FAMILIES, GameFaultError
from companion.core.text import Text
from companion.decoding import convert
from companion.gamelog import name_key
from companion.games import GAMES, shipped
from companion.ui.screens.contents import OpenedListScreen, PagedListScreen, menu
from companion.ui.screens.context import RetryFailedGame, Row, Screen, ScreenContents, ScreenContext, Transition, refuse
from companion.ui.screens.list_selection import NUMBERED
from companion.ui.screens.names import folded
from companion.ui.screens.set_up import SetUp
from companion.ui.translations import Translator, _, languages

WHICH_GAME, OTHER_GAMES, MORE = _("Which game?"), _("Other games"), _("More games")
OWN_GAMES = _("Your own games")

FAMILY, WORD = "family", "word"
"""How a draft names a list of other games: the first word says whether it is a family or a search."""

LATELY = 4
"""The most games from files that are listed beside the box's own; those played last count."""


class DraftError(ValueError):
    """The error of a draft that does not fit the game, or that an earlier version wrote."""


def resumed_set_up(kept: object, before: Screen) -> Screen:
    """Return the screen of a set-up; raise DraftError if its draft does not fit, or an earlier version wrote it."""
    try:
        draft = convert(kept, SetUp)
        if not draft.game:
            return _listed(GameChoiceScreen(before, chosen=draft.chosen), draft.listed)
        if not draft.fits:
            raise DraftError(draft.game)
    except (MsgspecError, LookupError, TypeError, ValueError) as error:
        raise DraftError(str(error)) from error
    opened = before if draft.again else game_choice(before, draft.game)
    return replace(draft, before=opened)


def _listed(choice: GameChoiceScreen, listed: str | None) -> Screen:
    """Return the list of other games that a draft was kept on; the choice of games if it was on none."""
    if listed is None:
        return choice
    others = OtherGamesScreen(choice)
    kind, _blank, shown = listed.partition(" ")
    if kind == WORD:
        return ListedGamesScreen(others, heading=shown)
    family = next((title for title in (OWN_GAMES, *map(Text, FAMILIES.values())) if title.template == shown), None)
    return others if family is None else ListedGamesScreen(others, heading=family)


def game_choice(before: Screen, game: str) -> Screen:
    """Return the choice of games with a game highlighted, or the row that leads to it."""
    return before if len(GAMES) == 1 else GameChoiceScreen(before, wanted=game)


class GameChoiceScreen(OpenedListScreen, frozen=True):
    """The choice of a game: those of the box, those of files that were played lately, and the way to all others."""

    wanted: str = ""  # the game to highlight, by its name; empty if the row says it

    @classmethod
    def opening(cls, before: Screen) -> Screen:
        return SetUp(game=next(iter(GAMES)), before=before) if len(GAMES) == 1 else cls(before)

    @property
    def draft(self) -> SetUp:
        return SetUp(chosen=self.chosen)

    def show(self, context: ScreenContext) -> ScreenContents:
        found, hidden = GAMES.found_titles, context.game_list.hidden
        names = [*(name for name in GAMES if name not in hidden), *_lately(found, context)[:LATELY]]
        titles = {name: GAMES.title(name) for name in GAMES} | found
        chosen = self.chosen if not self.wanted else [*names, self.wanted].index(self.wanted)
        here = replace(self, chosen=chosen, wanted="")
        rows = here.rows(names, lambda there, name: _row(there, name, titles[name]))
        others = Row(OTHER_GAMES, Transition(OtherGamesScreen(replace(here, chosen=len(rows)))))
        return menu(here, WHICH_GAME, [*rows, others], self.before, home=None)


def _lately(found: Mapping[str, str], context: ScreenContext) -> list[str]:
    """Return those of the found games that were played here, without hidden ones, those played last first."""
    listed = context.game_list
    return [name for name in listed.lately if name in found and name not in listed.hidden]


def _row(here: Screen, name: str, title: str, heading: object = "") -> Row:
    return Row(Text(title), partial(seating, here, name), heading=heading)


def seating(before: Screen, name: str) -> Transition:
    """Return the transition to the seats of a game, tried again if it was put aside; a file of no use is refused."""
    try:
        seats = SetUp(game=GAMES[name].name, before=before)
    except GameFaultError as fault:
        return refuse(before, fault.text)
    return Transition(seats, RetryFailedGame(name) if GAMES.aside(name) else None)


class OtherGamesScreen(PagedListScreen, frozen=True, kw_only=True):
    """The games of files: first some that were played lately, then people's own and the families.

    Pages have all games under these headings, people's own first, and lead to the page that makes one.
    """

    @property
    def draft(self) -> Struct | None:
        draft = self.before.draft
        return replace(draft, listed="") if isinstance(draft, SetUp) else draft

    @property
    def expected_text(self) -> Text:
        return _("Search for a game")

    def write(self, text: str, context: ScreenContext) -> Transition:
        """Return the transition to the games that have a text in their title, in whatever language."""
        if not text.isprintable() or not _offered(with_word(text), context):
            return refuse(self, _("No game is called {name}", name=text if text.isprintable() else ascii(text)))
        return Transition(ListedGamesScreen(self, heading=text))

    def show(self, context: ScreenContext) -> ScreenContents:
        titles = GAMES.found_titles
        lately, families = _lately(titles, context), _families(titles, context)
        if context.on_page:
            own = families.pop(OWN_GAMES, ())
            groups = [(OWN_GAMES, own), (_("Played lately"), lately[:LATELY]), *families.items()]
            listed = [(name, "" if place else heading) for heading, names in groups for place, name in enumerate(names)]
            make = Row(_("Make a game of your own"), Transition(self), address="/games")
            rows = self.paged(
                listed, lambda here, each: _row(here, each[0], titles[each[0]], each[1]), MORE, context, [make]
            )
            return menu(self, OTHER_GAMES, rows, self.newer, home=None)
        more = lately[LATELY : LATELY + NUMBERED - len(families)]
        rows = self.rows(more, lambda here, name: _row(here, name, titles[name]))
        rows += self.rows(families, lambda here, family: here._family(family), len(more))
        return menu(self, OTHER_GAMES, rows, self.before, home=None)

    def _family(self, heading: Text) -> Row:
        return Row(heading, Transition(ListedGamesScreen(self, heading=heading)))


class ListedGamesScreen(PagedListScreen, frozen=True, kw_only=True):
    """The games of a family, or those that were searched for."""

    heading: Text | str  # the family, or the word

    @property
    def draft(self) -> Struct | None:
        draft, heading = self.before.draft, self.heading
        listed = f"{WORD} {heading}" if isinstance(heading, str) else f"{FAMILY} {heading.template}"
        return replace(draft, listed=listed) if isinstance(draft, SetUp) else draft

    def show(self, context: ScreenContext) -> ScreenContents:
        titles = GAMES.titles()
        if isinstance(self.heading, str):
            names = _offered(with_word(self.heading), context)
        else:
            names = _families(GAMES.found_titles, context).get(self.heading, ())
        rows = self.paged(names, lambda here, name: _row(here, name, titles[name]), MORE, context)
        return menu(self, self.heading, rows, self.newer, home=None)


def with_word(word: str) -> dict[str, str]:
    """Return the titles of the games that have a word, or a part of one, in their title in any language."""
    told = [Translator(language) for language in languages()]
    return {
        name: title
        for name, title in GAMES.titles().items()
        if any(folded(word) in folded(words(Text(title))) for words in told)
    }


def _families(titles: Mapping[str, str], context: ScreenContext) -> dict[Text, tuple[str, ...]]:
    """Return the games that are offered: those that people have added, then all others by the titles of families."""
    offered, families, ours = _offered(titles, context), GAMES.found_families, shipped.names()
    named = {OWN_GAMES: tuple(name for name in offered if name not in ours)}
    for family, title in FAMILIES.items():
        named[Text(title)] = tuple(name for name in offered if name in ours and families.get(name) == family)
    return {title: names for title, names in named.items() if names}


def _offered(titles: Mapping[str, str], context: ScreenContext) -> tuple[str, ...]:
    """Return games in the order of the alphabet, without hidden ones."""
    names = (name for name in titles if name not in context.game_list.hidden)
    return tuple(sorted(names, key=lambda name: name_key(context.words(Text(titles[name])))))
