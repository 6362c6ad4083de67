"""Requests of pages and of the bridge: taps, looks, pairing, roles, news of the hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.app.inputs import ChooseRole, ClaimPairing, DirectorCorrection, HubNews, Look, PageRequest, Tap
from companion.app.machine import News
from companion.app.state import PANEL
from companion.core.text import Text
from companion.ui.screens.phones import Phone, Role
from companion.ui.translations import Translator, _

if TYPE_CHECKING:
    from companion.app.box import Box
    from companion.app.machine.phones import PhonePairing
    from companion.ui.screens.club import HubMessage


UNPAIRED = _("This phone is no longer paired with the table")
NO_PAIRING = _("No phone can be paired here")
NO_CLUB = Text(  # for the bridge's log
    "This box belongs to no club: start it again, or use companion simulate --club"
)


class PageRequests:
    """Answers requests of pages."""

    def __init__(self, box: Box, pairing: PhonePairing | None) -> None:
        """Answer for an application; ``pairing`` is None if no phone can be paired."""
        self._box = box
        self._pairing = pairing

    def serve(self, request: PageRequest) -> None:
        """Answer a request; its reply is called in any case."""
        request.reply(self._box.carefully(type(request.asked).__name__, lambda: self._answer(request)))

    def _answer(self, request: PageRequest) -> object:
        phone, asked = request.phone, request.asked
        match asked:
            case Tap():
                now = None if phone is None else self._now(phone)
                return UNPAIRED if now is None else self._box.take(now.number, replace(asked, phone=now))
            case Look():
                now = None if phone is None else self._now(phone)
                if now is not None and now.number not in self._box.state.viewers:
                    self._box.take(now.number, replace(asked, phone=now))
                self._box.show_pages()
                return None
            case DirectorCorrection():
                return self._box.take(PANEL, asked)
            case ClaimPairing():
                return self._claimed(asked)
            case ChooseRole(role, person):
                return NO_PAIRING if self._pairing is None or phone is None else self._chosen(phone, role, person)
            case HubNews(message):
                return self._hear(message)

    def _now(self, phone: Phone) -> Phone | None:
        return phone if self._pairing is None else self._pairing.now(phone)

    def lose_page(self) -> None:
        """Pair no phones any more: the page cannot be served."""
        if self._pairing is not None:
            self._box.machine.remove(self._pairing)
        self._pairing = None
        self._box.show_machine()

    def _claimed(self, asked: ClaimPairing) -> str | Text:
        """Pair a phone, and show its name. Return the secret of its cookie, or the reason why it is not paired."""
        pairing = self._pairing
        if pairing is None:
            return NO_PAIRING
        if pairing.tick():
            self._box.show_machine()
        pin, number = pairing.status.pin, pairing.phones.free_number
        unnamed = self._words(_("Phone {number}", number=number))
        answer = pairing.claim(asked.code, asked.name, unnamed, asked.address)
        if isinstance(answer, str):
            phone = pairing.phone_with(answer)
            name = unnamed if phone is None else phone.name
            self._box.show_machine(News() if pairing.hosted else News(_("Paired: {name}", name=name)))
        elif pin and not pairing.status.pin:
            message = _("Too many wrong PINs. Scan the code, or show a new PIN")
            self._box.show_machine(News(message, refused=True))
        return answer

    def _chosen(self, phone: Phone, role: Role, person: str) -> Text | None:
        """Give a phone another role. Return the reason why not, or None."""
        assert self._pairing is not None
        refused = self._pairing.choose(phone, role, person, self._words.players)
        if refused is None:
            self._box.show_machine()
        return refused

    def _hear(self, message: HubMessage) -> Text | None:
        """Take what the hub of the club tells. Return why not; None if it is taken.

        A new seat call wakes the panel, but interrupts no running game.
        """
        from companion.ui.screens.club import TakeHubMessage  # for a club's boxes

        machine = self._box.machine
        if machine.status.club is None:
            return NO_CLUB
        before, told, game = machine.status.seats, None, self._box.state.table.game
        machine.do(TakeHubMessage(message))
        seats = machine.status.seats
        new = seats if seats is not None and (before is None or seats.call != before.call) else None
        if new is not None and (game is None or game.over):
            self._box.touched()
            told = None if game is None else new.title  # the home screen shows it anyway
        self._box.show_machine(News(told), PANEL)
        return None

    @property
    def _words(self) -> Translator:
        return self._box.state.table.words
