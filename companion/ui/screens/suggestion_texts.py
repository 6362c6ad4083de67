"""Says in words which corrections were found for an alarm."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from companion.core.cards import Card
from companion.core.session import Session
from companion.core.text import Seat, Text
from companion.ui.keys import KeyLayout
from companion.ui.suggestions import Offer, SearchReason
from companion.ui.translations import _

from .sheet_differences import differing, figures, whole_sheet

TITLE = _("Did you mean …?")
OR_WAS_IT = _("# held: did you mean")
FEW = 2
"""The most figures of a sheet that a correction names; if it changes more, the whole entry is described."""
ASKS = _("# held: …?")  # the same where there is little room, or nothing is found yet


class OfferedCorrections(Struct, frozen=True, dict=True):
    """The corrections offered for an alarm, the most likely first."""

    session: Session
    alarm: SearchReason
    offers: tuple[Offer, ...]

    def meets(self, session: Session, alarm: SearchReason | None) -> bool:
        return self.session is session and self.alarm == alarm

    @cached_property
    def sentences(self) -> tuple[Text, ...]:
        """Return what is offered, each in its own words: those that would read the same say where they belong."""
        texts = [offer_text(self.session, offer) for offer in self.offers]
        return tuple(
            text if texts.count(text) == 1 else _("{moment}: {entry}", moment=place_of(self.session, offer), entry=text)
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


def told_apart(session: Session, alarm: SearchReason, offers: tuple[Offer, ...]) -> OfferedCorrections:
    """Return the offers; of those that read the same, the most likely alone: nobody could tell them apart."""
    every = OfferedCorrections(session, alarm, offers)
    kept: dict[str, Offer] = {}
    for sentence, offer in zip(every.sentences, offers, strict=True):
        kept.setdefault(str(sentence), offer)
    return OfferedCorrections(session, alarm, tuple(kept.values()))


def place_of(session: Session, offer: Offer) -> Text:
    """Return where a correction belongs: round and trick."""
    number = offer.likeliest.replacement.number
    return session.header.game.short(session.before(min(number, session.head.number + 1)))


def offer_text(session: Session, offer: Offer) -> Text:
    """Return what may have been meant, short: of a sheet only the figures that differ."""
    game, edit, changed = session.header.game, offer.likeliest.replacement, _changed_figures(session, offer)
    if changed is not None:
        return changed[1]
    if not edit.now:
        assert edit.was[0] is not None  # a refused entry cannot be taken out of the log
        return _("{entry} twice", entry=game.describe(edit.was[0]))
    if offer.open:
        player: int | None = getattr(edit.now[0], "player", None)
        return _("something left out") if player is None else _("{player} left out", player=Seat(player))
    if not edit.was:
        return _("{entry} left out", entry=game.describe(edit.now[0]))
    if len(edit.was) > 1:
        return _("{entry} first", entry=game.describe(edit.now[0]))
    return game.describe(edit.now[0])


def _changed_figures(session: Session, offer: Offer) -> tuple[object, Text] | None:
    """Return the few figures of a sheet that stand, and those that may have been meant; None for any other change."""
    edit = offer.likeliest.replacement
    if len(edit.was) != 1 or len(edit.now) != 1 or edit.number > session.head.number:
        return None
    game, state = session.header.game, session.before(edit.number)
    was, now = (whole_sheet(game, state, event) for event in (session.entry(edit.number).event, edit.now[0]))
    if was is None or now is None:
        return None
    cells = differing(was, now)
    if not 0 < len(cells) <= FEW:
        return None
    seat, column = cells[0]
    return was.rows[seat][column] if len(cells) == 1 else figures(was, cells), figures(now, cells)


def _instead_of(session: Session, offer: Offer) -> Text:
    """Return where a correction belongs, and what stands there now."""
    game, edit, moment = session.header.game, offer.likeliest.replacement, place_of(session, offer)
    changed = _changed_figures(session, offer)
    if changed is not None:
        return _("{moment}: not {entry}", moment=moment, entry=changed[0])
    if edit.number > session.head.number:
        return moment
    event = session.entry(edit.number).event
    card = getattr(event, "card", None)
    same_player = bool(edit.now) and getattr(event, "player", None) == getattr(edit.now[0], "player", None)
    entry = Text("{card}", card=card.sign) if same_player and isinstance(card, Card) else game.describe(event)
    if not edit.was:
        return _("{moment}: before {entry}", moment=moment, entry=entry)
    if not edit.now:
        return moment
    return _("{moment}: not {entry}", moment=moment, entry=entry)
