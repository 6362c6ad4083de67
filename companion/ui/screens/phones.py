"""Phones: their roles, who is paired, and pairing one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from companion.gamelog import name_key
from companion.ui.keys import HOME
from companion.ui.pictures import qr_rows
from companion.ui.screens.contents import (
    AWAY,
    Contents,
    OpenedListScreen,
    OpenedScreen,
    menu,
    only_key,
    sentences,
)
from companion.ui.screens.context import (
    BACK_AT,
    CHOOSE,
    Choice,
    MachineAction,
    RefreshMachineStatus,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Status,
    Transition,
)
from companion.ui.translations import _
from companion.ui.view import Body, CodeBody, TextBody, View


class Role(Enum):
    """What a paired phone may do."""

    SCORER = "scorer"
    """Answers every question."""
    SEAT = "seat"
    """Answers when its person is asked."""
    SPECTATOR = "spectator"
    """Watches."""


class Phone(Struct, frozen=True):
    """A paired phone, or a browser on this computer."""

    number: int  # its number in the list of paired phones, from 1; 0 for a browser on this computer
    name: str
    role: Role
    person: str = ""  # for whom it answers or last did, else the name given when it was paired; empty if none was
    chosen: bool = True  # whether somebody has said on it who holds it


THIS_COMPUTER = Phone(0, "", Role.SCORER)
"""A browser on this computer."""


def seat_of(person: str, players: Sequence[str]) -> int | None:
    """Return the seat on which a person sits; None if the person does not play.

    >>> seat_of("bea", ("Aki", "Bea"))
    1
    """
    keys = [name_key(player) for player in players]
    return keys.index(name_key(person)) if name_key(person) in keys else None


ROLES = {Role.SCORER: _("scores"), Role.SPECTATOR: _("watches")}


class PhonesStatus(Status, frozen=True):
    """The phones at the table."""

    address: str = ""  # the page's address for phones, such as ``http://192.168.1.7:8080``
    paired: tuple[Phone, ...] = ()
    pin: str = ""  # the PIN of the open pairing, six digits; empty if none is open, or after too many wrong ones
    link: str = ""  # the address that pairs a phone, in the code; empty if no pairing is open
    guests: bool = False  # whether phones that are not paired may watch
    joined: str = ""  # the name of the phone that was paired last, while the pairing is open

    @property
    def reachable(self) -> bool:
        """Return whether phones can reach the address: the computer is in a network."""
        return "//127." not in self.address

    def row(self, before: Screen) -> Row:
        return Row(_("Phones"), Transition(PhonesScreen(before), RefreshMachineStatus()), str(len(self.paired)))


class OpenPairing(MachineAction, frozen=True):
    """Action: show a PIN with which one phone can be paired: that of the open pairing, unless it is wanted anew."""

    answered_later = True
    anew: bool = False


class EndPairing(MachineAction, frozen=True):
    """Action: make the PIN useless."""


class RevokePhone(MachineAction, frozen=True):
    """Action: end the pairing of a phone, by its number."""

    number: int


class AllowGuests(MachineAction, frozen=True):
    """Action: let phones that are not paired watch, or no longer."""

    allowed: bool


class RenamePlayers(MachineAction, frozen=True):
    """Action: let phones follow the people whose names were corrected."""

    before: tuple[str, ...]  # the names by seat
    after: tuple[str, ...]


def people_at_hand(context: ScreenContext) -> tuple[str, ...]:
    """Return everybody who may sit down: who has played, latest first, and then whose phone has joined."""
    names = {name_key(name): name for name in context.roster}
    for phone in _phones(context).paired:
        if phone.person and not context.people.hides(phone.person):
            names.setdefault(name_key(phone.person), phone.person)
    return tuple(names.values())


PAIR = _("Pair a phone")


class PhonesScreen(OpenedListScreen, frozen=True):
    """The list of what can be done with phones."""

    def show(self, context: ScreenContext) -> ScreenContents:
        home = "" if context.game is None else AWAY
        return menu(self, _("Phones"), self._items(context), self.before, home=home)

    def _items(self, context: ScreenContext) -> Iterator[Row]:
        """Yield the rows; one that stays on the list stays highlighted."""
        phones = _phones(context)
        here = replace(self, chosen=2)
        yield Row(PAIR, Transition(PairingScreen(self), OpenPairing()))
        yield Row(_("Paired phones"), Transition(PairedPhonesScreen(self)), str(len(phones.paired)))
        allow = AllowGuests(not phones.guests)
        yield Row(_("Guests may watch"), Transition(here, allow), _("on") if phones.guests else _("off"))
        yield from filter(None, (status.row_of_phones(self) for status in context.machine.statuses))


NO_NETWORK = _("A phone can join once there is a network. The code appears here by itself.")


class PairingScreen(OpenedScreen, frozen=True):
    """The QR code and the PIN that pair one phone."""

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return code and PIN while they are valid; then the way to new ones."""
        phones = _phones(context)
        ended = Transition(self.before, EndPairing())
        again = Choice("new", _("new PIN"), lambda: Transition(self, OpenPairing(anew=True)), "A")
        leaving = (
            Choice("done", _("done"), lambda: ended, "#", page=""),  # a page has *back* for it
            Choice("back", _("back"), lambda: ended, "*", BACK_AT),
            only_key(str(HOME), lambda: ended),
        )
        body: Body[object]
        foot = _("* back") if phones.link else _("A new PIN   * back")
        if phones.link and phones.joined:
            foot = _("{name} is in", name=phones.joined)
        if phones.link and not phones.reachable:
            body = TextBody(PAIR, (NO_NETWORK,))
        elif phones.link:
            body = CodeBody(
                _("{name} is in. Next?", name=phones.joined) if phones.joined else _("Join with a phone"),
                qr_rows(phones.link),
                (phones.address.partition("//")[2],),
                phones.pin,
            )
        else:
            body = TextBody(PAIR, (_("Each phone needs a new PIN"),))
        return Contents(self, View(body, foot), (again, *leaving), _("* goes back, A shows a new PIN"))


class PairedPhonesScreen(OpenedListScreen, frozen=True):
    """The paired phones; choosing one leads to ending its pairing."""

    def show(self, context: ScreenContext) -> ScreenContents:
        paired = _phones(context).paired
        if not paired:
            return sentences(self, _("Paired phones"), [_("No phone is paired")], unknown=CHOOSE)

        def row(here: PairedPhonesScreen, phone: Phone) -> Row:
            return Row(phone.name, Transition(RevokeScreen(here, phone)), _role(phone))

        return menu(self, _("Paired phones"), self.rows(paired, row), self.before)


class RevokeScreen(OpenedScreen, frozen=True):
    """Asks whether to end the pairing of a phone."""

    before: PairedPhonesScreen
    phone: Phone

    def show(self, context: ScreenContext) -> ScreenContents:
        name = self.phone.name
        done = Transition(
            replace(self.before, chosen=0),
            RevokePhone(self.phone.number),
            _("{name} is no longer paired", name=name),
        )
        return sentences(
            self,
            name,
            [_("End the pairing of {name}?", name=name)],
            [Choice("end", _("end the pairing"), lambda: done, "#")],
            _("# yes   * back"),
            _("# ends the pairing, * goes back"),
        )


def _phones(context: ScreenContext) -> PhonesStatus:
    """Return the phones; empty once no page is served to them."""
    return context.machine.get(PhonesStatus) or PhonesStatus()


def _role(phone: Phone) -> object:
    if phone.role is Role.SEAT and phone.person:
        return phone.person
    return ROLES.get(phone.role, _("watches"))
