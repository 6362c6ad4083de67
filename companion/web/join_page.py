"""The join page, on which a phone is paired by a link or a PIN, and the choice of a paired phone's role."""

from __future__ import annotations

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.app.inputs import ChooseRole, ClaimPairing, PageRequest
from companion.core.text import N_, Text
from companion.ui.screens.phones import THIS_COMPUTER, Role
from companion.ui.translations import _

from .access import (
    CLAIM,
    GUEST,
    JOIN,
    UNPAIRED,
    PhoneDirectory,
    give_cookie,
    is_from_here,
    phone_of,
    sender_of,
)
from .error_answers import RequestError
from .limits import Limits, RateLimit, address_of
from .page_templates import html_page, translator
from .requests import Put, answer_of, body_of, decoded, form_of, language_of

TABLE = "/table"  # the page that a paired phone is led to
WALL = "/wall"  # the page that a television is led to, which watches only
LONGEST_FIELD = 200  # the most characters of a field that is shown again
_INVALID = _("This code is no longer valid. Show a new one at the table")


class _RoleChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request by which a phone chooses its role."""

    role: Role
    person: str = ""


class JoinPage:
    """The routes ``/join``, ``/p/TOKEN``, ``/claim``, ``/here/SECRET`` and ``/me``."""

    def __init__(self, put: Put, phones: PhoneDirectory, limits: Limits) -> None:
        self._put = put
        self._phones = phones
        self._roles = RateLimit(limits.role)
        self.routes = [
            Route(JOIN, self._show, methods=["GET"]),
            Route("/p/{token}", self._show, methods=["GET"]),
            Route("/P/{token}", self._show, methods=["GET"]),  # a QR code has only capitals
            Route(CLAIM, self._claim, methods=["POST"]),
            Route("/here/{secret}", self._enter, methods=["GET"]),
            Route("/me", self._choose, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        """Show the page, without a field for the PIN if the link is that of the open pairing; nothing is claimed."""
        if phone_of(request.scope) not in (None, GUEST):
            return RedirectResponse(TABLE, 303)
        token = request.path_params.get("token", "")
        if token and not self._phones.invites(token):
            return self._page(request, 403, _INVALID)
        return self._page(request, token=token, wall="wall" in request.query_params)

    async def _enter(self, request: Request) -> Response:
        """Give a browser on this computer the cookie of the link that the program printed."""
        secret = request.path_params["secret"]
        if self._phones.phone_with(secret) != THIS_COMPUTER or not is_from_here(request.scope):
            return RedirectResponse(JOIN, 303)
        entered = RedirectResponse(TABLE, 303)
        give_cookie(entered, secret)
        return entered

    async def _claim(self, request: Request) -> Response:
        """Pair a phone, and give it its cookie; if the PIN is wrong, show the page again."""
        if phone_of(request.scope) is not None:
            return RedirectResponse(TABLE, 303)
        form = await form_of(request, "The join page sends a PIN and a name.")
        token, pin, name = (form.get(field, "")[:LONGEST_FIELD] for field in ("token", "pin", "name"))
        wall = form.get("wall", "") != ""
        name = translator(language_of(request.scope))(Text(N_("Television"))) if wall else name
        show_again = partial(self._page, request, pin=pin, token=token, name=name, wall=wall)
        if token and not self._phones.invites(token):
            return self._page(request, 403, _INVALID, name=name, wall=wall)
        role = Role.SPECTATOR if wall else Role.SCORER
        claim = partial(PageRequest, ClaimPairing(token or pin, name, address_of(request.scope), role), None)
        try:
            answer: str | Text = await answer_of(self._put, claim)
        except RequestError as refusal:
            return show_again(refusal.status, _("The table does not answer; try again"))
        if isinstance(answer, Text):
            return self._page(request, 403, answer, token=token, name=name, wall=wall)  # the PIN is typed again
        paired = RedirectResponse(WALL if wall else TABLE, 303)
        give_cookie(paired, answer)
        return paired

    async def _choose(self, request: Request) -> Response:
        """Let a paired phone say who it is."""
        phone = phone_of(request.scope)
        if phone is None:
            raise RequestError(401, UNPAIRED)
        if not self._roles.take(sender_of(request.scope)):
            raise RequestError(429, N_("The role was changed too often; wait a moment."), again=5)
        me = decoded(await body_of(request), _RoleChoice, 'A role is sent as {"role": "seat", "person": "Aki"}.')
        refusal = await answer_of(self._put, partial(PageRequest, ChooseRole(me.role, me.person), phone))
        if refusal is None:
            return Response(status_code=204)
        return PlainTextResponse(translator(language_of(request.scope)).sentence(refusal), 409)

    def _page(
        self, request: Request, status: int = 200, refusal: Text | None = None, *, wall: bool = False, **filled: str
    ) -> Response:
        """Return the page with what was filled in before: PIN, token of the link, name; a wall has no name."""
        language = language_of(request.scope)
        told = "" if refusal is None else translator(language).sentence(refusal)
        values = {"refusal": told, "guests": self._phones.guests, "wall": wall, "pin": "", "token": "", "name": ""}
        return html_page("join.html", language, values | filled, status)
