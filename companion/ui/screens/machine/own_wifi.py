"""The box's own Wi-Fi: switches it on or off, and shows the code with which phones join it."""

from __future__ import annotations

from companion.ui.keys import HOME
from companion.ui.qr_code import qr_rows, wifi_text
from companion.ui.screens.commands import MachineAction, OnMachine, leave
from companion.ui.screens.contents import Contents, OpenedScreen, back_to, only_key
from companion.ui.screens.context import Choice, ScreenContents, ScreenContext, Status, Transition
from companion.ui.translations import _
from companion.ui.view import Body, CodeBody, TextBody, View


class OwnWifiStatus(Status, frozen=True):
    """The status of the box's own Wi-Fi, a row in the list *Phones*; only of boxes that can have one."""

    name: str
    password: str
    on: bool = False


class ReadWifi(MachineAction, frozen=True):
    """Action: find out whether the own Wi-Fi is on."""


class SwitchWifi(MachineAction, frozen=True):
    """Action: switch the own Wi-Fi on or off."""

    on: bool


class OwnWifiScreen(OpenedScreen, frozen=True):
    """The box's own Wi-Fi: on or off, and the QR code with which phones join it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, wifi = context.words, context.machine.get(OwnWifiStatus)
        assert wifi is not None  # the list has its row only then
        switch = words(_("switch off") if wifi.on else _("switch on"))
        body: Body
        if wifi.on:
            rows = qr_rows(wifi_text(wifi.name, wifi.password))
            body = CodeBody(words(_("Own Wi-Fi")), rows, (wifi.name, wifi.password))
        else:
            body = TextBody(
                words(_("Own Wi-Fi")),
                (words(_("The box opens a Wi-Fi for phones, and leaves the one at home. It ends by itself")),),
            )
        foot = _("# off  * back") if wifi.on else _("# on   * back")
        return Contents(
            self,
            View(body, words(foot)),
            (
                Choice("switch", switch, lambda: Transition(self, OnMachine(SwitchWifi(not wifi.on))), "#"),
                back_to(self.before, words),
                only_key(str(HOME), lambda: leave(self)),
            ),
            _("# switches it on or off, * goes back"),
        )
