"""Answers what pages send: answers to questions, pairing of phones, roles, messages of a club's hub."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.prompt import EnterNumber
from companion.core.text import Text
from companion.ui.phone_roles import Phone, Role
from companion.ui.screens.live_page_buttons import LivePageButtons
from companion.ui.screens.play_view import UnfinishedEntry
from companion.ui.screens.why_card_gone import why_gone
from companion.ui.screens.wrong_key_sentences import explained
from companion.ui.translations import _

from .entry_owner import begun_elsewhere
from .input_types import ChosenOption
from .machine import Machine, News
from .phone_rights import why_not
from .request_types import (
    ChooseRole,
    DirectorCorrection,
    FrameRequest,
    HubNews,
    PageRequest,
    PairingRequest,
    Source,
    Tap,
    TypedAnswer,
)

if TYPE_CHECKING:
    from companion.core.events import CorrectionLine
    from companion.ui.hub_message import HubMessage

    from .effect_runner import EffectRunner
    from .error_recovery import Recovery
    from .machine.phone_pairing import PhonePairing
    from .step_reads import Known

TOO_LATE = _("Somebody else answered first")  # the answer to a tap on a question that is no longer asked
UNPAIRED = _("This phone is no longer paired with the table")
NOT_THERE = _("This cannot be chosen now")
NO_PAIRING = _("No phone can be paired here")


class BoxForPages(Protocol):
    """The part of the application that requests of pages need."""

    machine: Machine  # the features of the machine

    def show_machine(self, news: News = ...) -> None:
        """Show what is known of the machine now, with a message if there is one."""

    def answer(self, given: ChosenOption | TypedAnswer) -> None:
        """Take an answer."""

    def correct(self, line: CorrectionLine, message: Text) -> None:
        """Add a correction to the open game's log, and show a message."""

    def hear(self, message: HubMessage) -> Text | None:
        """Take what the hub of the club tells. Return why not; None if it is taken."""


class PageRequests:
    """Answers requests of pages, and shows what changes for phones."""

    def __init__(
        self, box: BoxForPages, runner: EffectRunner, known: Known, recovery: Recovery, pairing: PhonePairing | None
    ) -> None:
        """Answer for an application; ``pairing`` is None if no phone can be paired."""
        self._box = box
        self._runner = runner
        self._known = known
        self._recovery = recovery
        self._pairing = pairing

    def serve(self, request: PageRequest) -> None:
        """Answer a request; its reply is called in any case."""
        match request:
            case Tap():
                self._answer("a tap", partial(self._tapped, request), request.reply)
            case FrameRequest():
                self._answer("a look", self._runner.show_again, request.reply)
            case PairingRequest(code, name, address):
                self._answer("a claim", partial(self._claimed, code, name, address), request.reply)
            case DirectorCorrection():
                self._answer("a correction", partial(self._corrected, request), request.reply)
            case HubNews(message):
                self._answer("news of the hub", partial(self._box.hear, message), request.reply)
            case ChooseRole(phone, role, person):
                self._answer("a role", partial(self._chosen, phone, role, person), request.reply)

    def _answer(self, what: str, work: Callable[[], object], reply: Callable[[Any], None]) -> None:
        answers: list[object] = []
        if self._recovery.carefully(what, lambda: answers.append(work())):
            reply(answers[0])
        else:
            reply(self._recovery.nothing_lost())

    @property
    def number(self) -> int:
        """Return the number of the question."""
        return self._runner.state.number

    def _tapped(self, tap: Tap) -> Text | None:
        """Take an answer of a live page. Return why it does not count; None if it does."""
        if tap.number != self.number:
            return self._too_late()
        phone = tap.phone if self._pairing is None else self._pairing.now(tap.phone)
        if phone is None:
            return UNPAIRED
        state = self._runner.state
        contents = self._known.contents(state)
        taps = contents.taps
        there = tap.choice in taps.actions or contents.answer(tap.choice, state.context) is not None
        if not there and not tap.text:
            return self._why_gone(tap.choice, taps) or _why_no_number(tap.choice, taps) or NOT_THERE
        source = Source(phone.number, phone.name or state.context.words(_("A phone")))
        barred = why_not(phone, tap.choice, taps, state)
        if barred is None and taps.answer(tap.choice) is not None and taps.begun:
            barred = begun_elsewhere(state, source)
        if barred is not None:
            return barred
        self._box.answer(ChosenOption(tap.choice, source) if there else TypedAnswer(tap.text, source))
        state = self._runner.state
        return state.message if state.refused else None

    def _too_late(self) -> Text:
        """Return the sentence on an answer to a question that somebody else has answered, with what was entered."""
        screen = self._runner.state.screen
        if isinstance(screen, UnfinishedEntry) and not screen.untouched:
            return _("Somebody else has begun an answer")
        game = self._runner.state.context.changeable
        latest = None if game is None or self._runner.state.context.report is None else game.session.head.event
        if game is None or latest is None:
            return TOO_LATE
        return _("Somebody else answered first: {entry}", entry=game.session.header.game.describe(latest))

    def _why_gone(self, choice: str, taps: LivePageButtons) -> Text | None:
        """Return why a card whose gap was tapped is gone; None if no gap was tapped."""
        state, (kind, _space, name) = self._runner.state, choice.partition(" ")
        game = state.context.game
        if kind != "gone" or game is None or taps.codes is None or not isinstance(state.screen, UnfinishedEntry):
            return None
        return why_gone(state.screen, game, taps.codes, name)

    def _corrected(self, asked: DirectorCorrection) -> Text | None:
        """Take a director's correction. Return why it does not count; None if it does."""
        from .director_corrections import checked  # the first question does not wait for it

        found = checked(asked, self._runner.state)
        if found is None or isinstance(found, Text):
            return found
        self._box.correct(*found)
        return None

    # Phones

    def lose_page(self) -> None:
        """Pair no phones any more: the page cannot be served."""
        if self._pairing is not None:
            self._box.machine.remove(self._pairing)
        self._pairing = None
        self._box.show_machine()

    def _claimed(self, code: str, name: str, address: str) -> str | Text:
        """Pair a phone, and show its name. Return the secret of its cookie, or the reason why it is not paired."""
        pairing = self._pairing
        if pairing is None:
            return NO_PAIRING
        if pairing.tick():
            self._box.show_machine()
        pin, number = pairing.status.pin, pairing.state.free_number
        unnamed = self._runner.state.context.words(_("Phone {number}", number=number))
        answer = pairing.claim(code, name, unnamed, address)
        if isinstance(answer, str):
            phone = pairing.phone_with(answer)
            self._box.show_machine(News(_("Paired: {name}", name=unnamed if phone is None else phone.name)))
        elif pin and not pairing.status.pin:
            message = _("Too many wrong PINs. Scan the code, or show a new PIN")
            self._box.show_machine(News(message, refused=True))
        return answer

    def _chosen(self, phone: Phone, role: Role, person: str) -> Text | None:
        """Give a phone another role. Return the reason why not, or None."""
        if self._pairing is None:
            return NO_PAIRING
        refused = self._pairing.choose(phone, role, person, self._runner.state.context.words.players)
        if refused is None:
            self._box.show_machine()
        return refused


def _why_no_number(choice: str, taps: LivePageButtons) -> Text | None:
    """Return which numbers can be entered, if one was sent that cannot."""
    prompt = None if taps.codes is None else taps.codes.prompt
    if prompt is None or not choice.startswith("number "):
        return None
    asked = any(isinstance(answer, EnterNumber) for answer in prompt.answers)
    return explained(prompt, "", "", None) if asked else None
