"""Drafts: what is half entered, in the form in which the journal keeps it until the next start.

Answers, people and rules stand there by their names. A set-up is its own draft (`companion.ui.screens.set_up`).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec import MsgspecError, Struct, field
from msgspec.structs import replace

from companion.core.correction import Correction, CorrectionKind
from companion.core.game import Event
from companion.core.prompt import Answer, DetailLevel, Prompt
from companion.core.text import IllegalEventError
from companion.decoding import convert
from companion.gamelog import LogError, decode_line, encode_line
from companion.ui.keys import answer_name, answer_named
from companion.ui.screens.context import CurrentGame, Screen
from companion.ui.screens.corrections import ConflictScreen, ReviewScreen
from companion.ui.screens.game_choice import DraftError, resumed_set_up
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.set_up import SetUp
from companion.ui.screens.suggestions import comparable
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import _

DROPPED = _("What was half entered is gone: enter it again")
"""The sentence when a draft cannot be taken up."""

BOX = "box"
"""Under this name stands what is begun on the panel; what phones have begun stands under their numbers."""

UNFINISHED = {"typed", "name", "top"}
"""The fields of an answer that is not complete: its keys, letters, digits."""


class CorrectionDraft(Struct, frozen=True, omit_defaults=True):
    """A correction under way."""

    edit: CorrectionKind
    number: int  # the number of the entry it began with
    # what was given since, for each entry asked for: its line, or None to leave it out
    given: tuple[str | None, ...] = ()


class EntryDraft(Struct, frozen=True, omit_defaults=True, tag="entry"):
    """The unfinished entry of a game, and what each viewer has begun by itself; or one correction."""

    # the name of each answer given, with the keys typed for it; no keys if it was chosen
    given: tuple[tuple[str, str], ...] = ()
    typed: str = ""  # the keys of the next answer, typed on the panel or in a correction
    correction: CorrectionDraft | None = None
    tracking: DetailLevel | None = None
    compares: bool = False  # whether a round's figures are compared with the table
    alone: bool = False  # whether one figure of an old round is corrected
    page: str = ""  # what of the correction is asked: "" for an entry, "conflict", or "review"
    top: int = 0  # the sentence at the top of the review
    begun: dict[str, Any] = field(default_factory=dict, name="phones")  # the corrections and set-ups of viewers


NOTHING = EntryDraft()
"""The draft when nothing is entered."""


def named(answers: tuple[Answer, ...], keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return answers by their names, with the keys typed for them."""
    return tuple(zip(map(answer_name, answers), keys, strict=True))


def correction_on(screen: Screen) -> Correction | None:
    """Return the correction under way on a screen; None if it shows none."""
    return screen.correction if isinstance(screen, PlayScreen | ConflictScreen | ReviewScreen) else None


def draft_of(screen: Screen) -> Struct | None:
    """Return what a screen has half entered by itself: a correction or a set-up; None if it has neither."""
    match screen:
        case PlayScreen(answers, keys, typed, Correction() as correction):
            there = _draft(correction)
            return EntryDraft(named(answers, keys), typed, there, screen.tracking, screen.compares, screen.alone)
        case ConflictScreen():
            return EntryDraft(correction=_draft(screen.correction), page="conflict")
        case ReviewScreen():
            return EntryDraft(correction=_draft(screen.correction), page="review", top=screen.top)
    return screen.draft


def _draft(correction: Correction) -> CorrectionDraft:
    given = (None if event is None else encode_line(event) for event in correction.given)
    return CorrectionDraft(correction.kind, correction.first, tuple(given))


def divided(draft: EntryDraft) -> tuple[EntryDraft, EntryDraft]:
    """Return what of a draft is half entered in its game, and the set-ups that were begun beside it."""
    set_ups = {who: begun for who, begun in draft.begun.items() if is_set_up(begun)}
    others = {who: begun for who, begun in draft.begun.items() if who not in set_ups}
    return replace(draft, begun=others), EntryDraft(begun=set_ups)


def answered(values: object) -> object:
    """Return a draft as the journal keeps it, without unfinished answers."""
    if not isinstance(values, dict):
        return values
    return {name: answered(value) for name, value in values.items() if name not in UNFINISHED}


# Taken up again


def read_draft(written: Any) -> EntryDraft | None:
    """Return a draft that the journal has; None if it cannot be read.

    The last version kept what was begun on the panel in the place of the table's entry, and that beside it.
    """
    with suppress(MsgspecError):
        if is_set_up(written):
            begun = convert(written.get("phones", {}), dict[str, Any])
            return EntryDraft(begun={**begun, BOX: {name: written[name] for name in written if name != "phones"}})
        draft = convert(written, EntryDraft) if written else NOTHING
        if draft.correction is None:
            return draft
        aside = convert(written.get("aside", ()), tuple[tuple[str, str], ...])
        given, typed = tuple(each for each in aside if each[0]), "".join(keys for name, keys in aside if not name)
        return EntryDraft(given, typed, begun={**draft.begun, BOX: replace(draft, begun={})})
    return None


def is_set_up(begun: object) -> bool:
    """Return whether what was begun is a set-up: itself, or its draft as the journal has it."""
    return isinstance(begun, SetUp) or (isinstance(begun, dict) and begun.get("type") == "set-up")


def screen_of(draft: object, game: CurrentGame | None) -> Screen | None:
    """Return the screen of a set-up, a correction or an entry that was begun; None if it does not fit any more."""
    with suppress(DraftError, MsgspecError, IllegalEventError, LogError):
        if is_set_up(draft):
            return resumed_set_up(draft, HomeScreen())
        return None if game is None else _entry(convert(draft, EntryDraft), game)
    return None


def _entry(draft: EntryDraft, game: CurrentGame) -> Screen | None:
    """Return the screen of a correction or an entry; None if it asks something else than when it was begun."""
    correction = None if draft.correction is None else _correction(draft.correction, game)
    if correction is not None and draft.page == "conflict" and correction.stand.why is not None:
        return ConflictScreen(PlayScreen(), correction)
    if correction is not None and draft.page == "review" and correction.fits:
        return ReviewScreen(PlayScreen(), correction, top=draft.top)
    if draft.page or (correction is not None and correction.fits):
        return None
    ended = correction is not None and correction.first == game.session.head.number and comparable(game)
    if draft.compares and not ended:
        return None
    screen = PlayScreen((), (), draft.typed, correction, draft.tracking, compares=draft.compares, alone=draft.alone)
    position = screen.position(game)
    for name, keys in draft.given:
        prompt = position.ask(screen.answers)
        answer = answer_named(prompt, name) if isinstance(prompt, Prompt) else None
        if answer is None:
            return None
        screen = replace(screen, answers=(*screen.answers, answer), keys=(*screen.keys, keys))
    asked = position.ask(screen.answers)
    return screen if isinstance(asked, Prompt) or asked is None else None


def _correction(draft: CorrectionDraft, game: CurrentGame) -> Correction:
    header = game.session.header
    lines = [None if line is None else decode_line(line, header) for line in draft.given]
    given = tuple(line if isinstance(line, Event) else None for line in lines)
    return Correction(game.session, draft.number, draft.edit, given)
