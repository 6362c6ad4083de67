"""Suggested corrections: the reason of a search, the choice of the likeliest, their sentences; how sheets differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.correction import player_by_turn
from companion.core.game import CorrectionLine, Event, Game, tracking_of
from companion.core.games import checked
from companion.core.prompt import NOT_ASKED, Answer, DetailLevel, Prompt, TallySheet
from companion.core.session import Session
from companion.core.text import Seat, Text, listed
from companion.ui.keys import KeyLayout
from companion.ui.translations import _

TITLE, OR_WAS_IT = _("Did you mean …?"), _("# held: did you mean")

FEW = 2
"""The most figures of a sheet that a correction names; if it changes more, the whole entry is described."""


MOST = 3
"""The most corrections offered."""

LEAST = 0.02
"""The probability below which nothing is offered."""


class NoticedFault(Enum):
    """What people notice though nothing raises an alarm."""

    TOO_MANY = "many"  # a card was entered that nobody laid
    TOO_FEW = "few"  # a card was laid that nobody entered


class SearchReason(Struct, frozen=True):
    """Why corrections are searched; by default an alert that the last entry raised."""

    # the answers of an entry that the game refused; each suggestion then contains this entry, too, or what was meant
    # instead
    refused: tuple[Answer, ...] = ()
    keys: str | None = None  # the keys typed for the refused entry, if they are known
    seat: int | None = None  # the player who must have made the refused entry, if that is known
    # the last card of a round, whose place the table's figures have taken, since they differ from those of the cards. A
    # suggestion puts cards back that lead to these figures
    replaced: Event | None = None
    # the figures on the table at the end of the round, as one event, since they differ from those of the cards; a
    # suggestion leads to them
    result: Event | None = None
    wrong: NoticedFault | None = None  # what people say is wrong; only such corrections are suggested then
    # the entry that was just taken back because of the question after it; a suggestion contains it, too, and leads to a
    # question of another kind
    undone: Event | None = None

    @classmethod
    def of_event(cls, session: Session, event: Event, keys: str | None = None) -> SearchReason:
        """Return the reason for an event that the game refuses.

        If its player is not the one whose turn it is, a suggestion must make it that player's turn.
        """
        game, state = session.header.game, session.state
        player = player_by_turn(game, event)
        return cls(game.answers(state, event), keys, None if checked(game, state).turn in (None, player) else player)


class Suggestion(Struct, frozen=True):
    """A single correction that makes the round legal; as an offer it can stand for several."""

    line: CorrectionLine  # the correction as a line of the log
    weight: float  # its probability; those of all suggestions add up to 1 at most
    number: int  # the number of the entry where the change begins
    was: tuple[Event | None, ...]  # the entries it replaces; None for one that the game refused
    now: tuple[Event, ...]  # the entries that take their place
    # whether it is the likeliest of several that are offered as one: something was forgotten there, but not even people
    # know what
    open: bool = False


def offers(suggestions: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the few likeliest; different cards that may be missing at the same place count as one."""
    groups: dict[object, list[Suggestion]] = {}
    for each in suggestions:
        groups.setdefault((each.number, each.was, each.now if each.was else ()), []).append(each)
    made = (
        replace(group[0], weight=sum(each.weight for each in group), open=len(group) > 1) for group in groups.values()
    )
    return tuple(offer for offer in sorted(made, key=lambda offer: -offer.weight)[:MOST] if offer.weight >= LEAST)


def question_kind(asked: object) -> object:
    """Return the kind of a question: which kinds of answers it has, and whether it asks for a player's card."""
    if not isinstance(asked, Prompt):
        return None
    return frozenset(map(type, asked.answers)), asked.seat is None, asked.sheet is None


class OfferedCorrections(Struct, frozen=True, dict=True):
    """The corrections offered for an alarm, the most likely first."""

    session: Session
    alarm: SearchReason
    offers: tuple[Suggestion, ...]

    @classmethod
    def of(cls, session: Session, alarm: SearchReason, found: tuple[Suggestion, ...]) -> OfferedCorrections:
        """Choose what is offered; of those that read the same, the most likely alone: nobody could tell them apart."""
        every = cls(session, alarm, offers(found))
        kept: dict[str, Suggestion] = {}
        for sentence, offer in zip(every.sentences, every.offers, strict=True):
            kept.setdefault(str(sentence), offer)
        return cls(session, alarm, tuple(kept.values()))

    def meets(self, session: Session, alarm: SearchReason | None) -> bool:
        return self.session is session and self.alarm == alarm

    @cached_property
    def sentences(self) -> tuple[Text, ...]:
        """Return what is offered, each in its own words: those that would read the same say where they belong."""
        texts = [meant(self.session, offer) for offer in self.offers]
        return tuple(
            text if texts.count(text) == 1 else _("{moment}: {entry}", moment=_place(self.session, offer), entry=text)
            for text, offer in zip(texts, self.offers, strict=True)
        )

    @cached_property
    def instead_of(self) -> tuple[Text, ...]:
        """Return where each correction belongs, and what stands there now."""
        return tuple(_instead_of(self.session, offer) for offer in self.offers)

    def lines(self, board: KeyLayout) -> tuple[Text, ...]:
        """Return the lines to show beside the alert: how to choose, and what."""
        head = OR_WAS_IT if "#" in board.keys else TITLE
        numbered = (_("{number} {entry}", number=number, entry=text) for number, text in enumerate(self.sentences, 1))
        return (head, *numbered)


# The words


def _place(session: Session, offer: Suggestion) -> Text:
    """Return where a correction belongs: round and trick."""
    return session.header.game.short(session.before(min(offer.number, session.head.number + 1)))


def meant(session: Session, offer: Suggestion) -> Text:
    """Return what may have been meant, short: of a sheet only the figures that differ."""
    game, changed = session.header.game, _changed_figures(session, offer)
    if changed is not None:
        return changed[1]
    if not offer.now:
        assert offer.was[0] is not None  # a refused entry cannot be taken out of the log
        return _("{entry} twice", entry=game.describe(offer.was[0]))
    if offer.open:
        player: int | None = getattr(offer.now[0], "player", None)
        return _("something left out") if player is None else _("{player} left out", player=Seat(player))
    if not offer.was:
        return _("{entry} left out", entry=game.describe(offer.now[0]))
    if len(offer.was) > 1:
        return _("{entry} first", entry=game.describe(offer.now[0]))
    return game.describe(offer.now[0])


def _instead_of(session: Session, offer: Suggestion) -> Text:
    """Return where a correction belongs, and what stands there now."""
    game, moment, changed = session.header.game, _place(session, offer), _changed_figures(session, offer)
    if changed is not None:
        return _("{moment}: not {entry}", moment=moment, entry=changed[0])
    if offer.number > session.head.number or not offer.now:
        return moment
    event = session.entry(offer.number).event
    card = getattr(event, "card", None)
    same_player = getattr(event, "player", None) == getattr(offer.now[0], "player", None)
    entry = Text("{card}", card=card.sign) if same_player and isinstance(card, Card) else game.describe(event)
    if not offer.was:
        return _("{moment}: before {entry}", moment=moment, entry=entry)
    return _("{moment}: not {entry}", moment=moment, entry=entry)


def _changed_figures(session: Session, offer: Suggestion) -> tuple[object, Text] | None:
    """Return the few figures of a sheet that stand, and those that may have been meant; None for any other change."""
    if len(offer.was) != 1 or len(offer.now) != 1 or offer.number > session.head.number:
        return None
    game, state = session.header.game, session.before(offer.number)
    was, now = (whole_sheet(game, state, event) for event in (session.entry(offer.number).event, offer.now[0]))
    if was is None or now is None:
        return None
    cells = differing(was, now)
    if not 0 < len(cells) <= FEW:
        return None
    seat, column = cells[0]
    return _figure(was, seat, column) if len(cells) == 1 else figures(was, cells), figures(now, cells)


# Sheets


def whole_sheet(game: Game[Any], state: object, event: Event) -> TallySheet | None:
    """Return the sheet that is shown whole before an event counts; None if none is.

    Args:
        state: The game before that event.
    """
    try:
        tracking = tracking_of(game, DetailLevel.FULL, state, event)
    except LookupError:
        return None
    prompt = game.ask(state, tracking, game.answers(state, event)[:-1])
    if not isinstance(prompt, Prompt) or not prompt.whole:
        return None
    return prompt.sheet


def differing(before: TallySheet, sheet: TallySheet) -> tuple[tuple[int, int], ...]:
    """Return the cells, by seat and column, whose figure is known and differs from the one before."""
    return tuple(
        (seat, column)
        for seat, row in enumerate(sheet.rows)
        for column, figure in enumerate(row)
        if figure is not None and figure != before.rows[seat][column]
    )


def sentences(before: TallySheet, sheet: TallySheet) -> Iterator[Text]:
    """Yield how the figures of a sheet differ from those before."""
    for seat, column in differing(before, sheet):
        yield _(
            "{player}: {what} {figure}, not {before}",
            player=Seat(seat),
            figure=sheet.rows[seat][column],
            what=sheet.columns[column],
            before=_figure(before, seat, column),
        )


def figures(sheet: TallySheet, cells: tuple[tuple[int, int], ...]) -> Text:
    """Return some figures of a sheet, with whose and which they are."""
    known = [(seat, column, _figure(sheet, seat, column)) for seat, column in cells]
    return listed(
        _("{player}: {what} {figure}", player=Seat(seat), what=sheet.columns[column], figure=figure)
        for seat, column, figure in known
    )


def _figure(sheet: TallySheet, seat: int, column: int) -> int | str:
    figure = sheet.rows[seat][column]
    return NOT_ASKED if figure is None else figure
