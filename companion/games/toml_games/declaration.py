"""A declared game, checked and ready: its file, with the deck, the play and the questions that were made of it."""

from __future__ import annotations

from functools import reduce

from companion.core.game import Best
from companion.core.text import COMMA, N_, NN_, Text

from .cards import TrickRules
from .file import GameFile, Question

LARGEST = 100_000
"""The largest number that can be entered."""
MOST_LISTED = 2001
"""The most numbers that a question lists as answers; of more it lists those nearest to zero."""
MOST_SEATS = 8


class Declaration(GameFile, frozen=True, eq=False, kw_only=True):
    """A declared game: its file, and what was made of it."""

    trick_rules: TrickRules | None
    stopping: frozenset[str]  # the questions that their own figures can end: those after are not asked for
    all_can_win: bool = False  # whether the file says who wins; then it can be all, or nobody
    one_loses: bool = False  # whether only the last loses

    @property
    def best_points(self) -> Best:
        return Best(self.best)

    def question(self, name: str) -> Question | None:
        """Return the question of a name."""
        return next((question for question in self.questions if question.name == name), None)


def players_of(least: int, most: int) -> Text:
    """Return how many can play a game: ``3 players or more``."""
    if least == most:
        return Text(N_("{count} players"), count=least)
    if most == MOST_SEATS:
        return Text(N_("{count} players or more"), count=least)
    return Text(N_("{least} to {most} players"), least=least, most=most)


def in_brief(game: Declaration) -> Text:
    """Return what a game declares in one line: ``3 players or more, 2 questions a round``."""
    parts = [
        players_of(game.seats.start, game.seats.stop - 1),
        Text(NN_("{count} question a round", "{count} questions a round"), count=len(game.questions)),
    ]
    if game.trick_rules is not None:
        parts.append(Text(N_("card by card")))
    if game.best_points is Best.LOWEST:
        parts.append(Text(N_("the fewest points win")))
    return reduce(lambda before, part: Text(COMMA.template, one=before, other=part), parts)
