"""Phones at the table: pair one, see which are paired, let guests watch, the box's own Wi-Fi."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.phones import Phone, Phones, Role
from companion.ui.qr_code import qr_rows, wifi_text
from companion.ui.translations import Translator, _
from companion.ui.view import Body, CodeBody, TextBody, View

from .commands import AllowGuests, EndPairing, LookAtPhones, OpenPairing, RevokePhone, UseOwnWifi
from .context import CHOOSE, HOME, Screen, ScreenContext, Transition, leave
from .list_menu import menu
from .screen_contents import (
    AWAY,
    KeyBinding,
    KeysOnlyContents,
    ListScreen,
    PageContents,
    ScreenContents,
    back_to,
    home_from,
)

Item = tuple[Text, str, Transition]
"""A row with its value and its transition."""

ROLES = {Role.SCORER: _("scores"), Role.SPECTATOR: _("watches")}
ADDRESS = 14
"""Characters of an address in a line beside a code."""


class PhonesScreen(ListScreen, frozen=True):
    """The list of what can be done with phones.

    Attributes:
        before: The screen it was opened from.
    """

    before: Screen

    def _items(self, words: Translator, phones: Phones) -> tuple[Item, ...]:
        def on(state: bool) -> str:
            return words(_("on") if state else _("off"))

        items: list[Item] = [
            (_("Pair a phone"), "", Transition(PairingScreen(self), OpenPairing())),
            (_("Paired phones"), str(len(phones.paired)), Transition(PairedPhonesScreen(self))),
            (_("Guests may watch"), on(phones.guests), Transition(self, AllowGuests(not phones.guests))),
        ]
        if phones.wifi is not None:
            items.append((_("Own Wi-Fi"), on(phones.wifi.on), Transition(OwnWifiScreen(self), LookAtPhones())))
        return tuple(items)

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list."""
        words, phones = context.words, _known(context)
        rows = (
            (text, value, _at(move, replace(self, chosen=row)))
            for row, (text, value, move) in enumerate(self._items(words, phones))
        )
        return menu(self, words, _("Phones"), rows, self.before, home="" if context.game is None else AWAY)


class PairingScreen(Screen, frozen=True):
    """The QR code and the PIN that pair one phone.

    Attributes:
        before: The list of what can be done with phones.
    """

    before: PhonesScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return code and PIN while they are valid; then the way to new ones."""
        words, phones = context.words, _known(context)
        ended = Transition(self.before, EndPairing())
        again = KeyBinding("A", words(_("new PIN")), lambda: Transition(self, OpenPairing()))
        leaving = (
            KeyBinding("*", words(_("back")), lambda: ended),
            KeyBinding("#", words(_("done")), lambda: ended),
            KeyBinding(str(HOME), "", lambda: ended),
        )
        body: Body
        if phones.link:
            body = CodeBody(
                words(_("Join with a phone")),
                qr_rows(phones.link),
                _lines(phones.address.partition("//")[2]),
                phones.pin,
            )
        else:
            body = TextBody(words(_("Pair a phone")), (words(_("Press A for a new PIN")),))
        return PageContents(
            self, View(body, words(_("* back"))), (again, *leaving), _("* goes back, A shows a new PIN")
        )


class PairedPhonesScreen(ListScreen, frozen=True):
    """The paired phones; choosing one leads to ending its pairing.

    Attributes:
        before: The list of what can be done with phones.
    """

    before: PhonesScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list of phones, each with its role."""
        words, paired = context.words, _known(context).paired
        if not paired:
            body = TextBody(words(_("Paired phones")), (words(_("No phone is paired")),))
            leaving = home_from(self, words), back_to(self.before, words)
            return KeysOnlyContents(self, View(body, words(_("* back"))), leaving, CHOOSE)
        rows = (
            (phone.name, _role(words, phone), Transition(RevokeScreen(replace(self, chosen=row), phone)))
            for row, phone in enumerate(paired)
        )
        return menu(self, words, _("Paired phones"), rows, self.before)


class RevokeScreen(Screen, frozen=True):
    """Asks whether to end the pairing of a phone.

    Attributes:
        phones: The list of paired phones.
        phone: The phone.
    """

    phones: PairedPhonesScreen
    phone: Phone

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the question, with the keys for yes and no."""
        words, name = context.words, self.phone.name
        done = Transition(
            replace(self.phones, chosen=0), RevokePhone(self.phone.number), _("{name} is no longer paired", name=name)
        )
        body = TextBody(name, (words(_("End the pairing of {name}?", name=name)),))
        return KeysOnlyContents(
            self,
            View(body, words(_("# yes   * back"))),
            (
                KeyBinding("#", words(_("end the pairing")), lambda: done),
                home_from(self, words),
                back_to(self.phones, words),
            ),
            _("# ends the pairing, * goes back"),
        )


class OwnWifiScreen(Screen, frozen=True):
    """The box's own Wi-Fi: on or off, and the QR code with which phones join it.

    Attributes:
        before: The list of what can be done with phones.
    """

    before: PhonesScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the code, name and password while it is on; else the question whether to switch it on."""
        words, wifi = context.words, _known(context).wifi
        assert wifi is not None  # the list has its row only then
        switch = words(_("switch off") if wifi.on else _("switch on"))
        body: Body
        if wifi.on:
            rows = qr_rows(wifi_text(wifi.name, wifi.password))
            body = CodeBody(words(_("Own Wi-Fi")), rows, (*_lines(wifi.name), *_lines(wifi.password)))
        else:
            body = TextBody(
                words(_("Own Wi-Fi")),
                (words(_("The box opens a Wi-Fi for phones, and leaves the one at home. It ends by itself")),),
            )
        foot = _("# off  * back") if wifi.on else _("# on   * back")
        return KeysOnlyContents(
            self,
            View(body, words(foot)),
            (
                KeyBinding("#", switch, lambda: Transition(self, UseOwnWifi(not wifi.on))),
                KeyBinding(str(HOME), "", lambda: leave(self)),
                back_to(self.before, words),
            ),
            _("# switches it on or off, * goes back"),
        )


def _known(context: ScreenContext) -> Phones:
    """Return the phones; empty once no page is served to them."""
    return Phones("") if context.phones is None else context.phones


def _at(move: Transition, here: PhonesScreen) -> Transition:
    """Return the transition of a row; a row that stays on the list stays highlighted."""
    return replace(move, screen=here) if isinstance(move.screen, PhonesScreen) else move


def _role(words: Translator, phone: Phone) -> str:
    if phone.role is Role.SEAT and phone.seat is not None:
        names = words.players
        return names[phone.seat] if phone.seat < len(names) else words(_("P{number}", number=phone.seat + 1))
    return words(ROLES.get(phone.role, _("watches")))


def _lines(text: str) -> tuple[str, ...]:
    """Return a long word in lines that fit beside a code, broken after a dot or colon where possible."""
    lines = []
    while len(text) > ADDRESS:
        cut = max(text.rfind(mark, 0, ADDRESS) + 1 for mark in ".:-") or ADDRESS
        lines.append(text[:cut])
        text = text[cut:]
    return (*lines, text)
