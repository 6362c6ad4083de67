"""The parts that all pages of the club share: evenings, the director's password, notices of changes, and boxes."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse

from companion.core.text import N_, Text
from companion.journal.disk import written_beside
from companion.web.access import is_from_here, name_in
from companion.web.addresses import loopback
from companion.web.error_answers import RequestError
from companion.web.requests import FORM, body_of, check_origin, language_of

from . import page_markup
from .evening.evening_store import EveningStore
from .live import Notices

if TYPE_CHECKING:
    from .hub import Hub

COOKIE = "club"
LASTS = 14 * 24 * 3600  # seconds that somebody stays signed in
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, GROUP = 3, 4  # of the password: 59 bits, so nobody guesses it and no try has to wait
LARGEST_FORM = 16 * 1024  # bytes
PAGES = ((N_("Evening"), "/evening"), (N_("Season"), "/season"), (N_("Projector"), "/projector"))
HUB_PAGES = ((N_("Tables"), "/tables"), (N_("Games"), "/games"))  # with boxes


class Directors:
    """Keeps the director's password in a file, and knows directors by it.

    Args:
        file: It is made, with a password that is drawn, if there is none.

    Raises:
        OSError: The file cannot be read or written.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self.password = file.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            self.password = ""
        if not self.password:
            self.draw()

    def draw(self) -> None:
        """Draw another password. Directors who have signed in have to sign in again."""
        groups = ("".join(secrets.choice(LETTERS) for _letter in range(GROUP)) for _group in range(GROUPS))
        self.password = "-".join(groups)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(self._file, 0o600) as opened:
            opened.write(f"{self.password}\n".encode())

    def is_right(self, password: str) -> bool:
        """Return whether a password is right; blanks and capitals do not count."""
        return hmac.compare_digest(_letters(password), _letters(self.password))

    def cookie(self) -> str:
        """Return what the browser of somebody who has signed in keeps."""
        until = str(int(time.time()) + LASTS)
        return f"{until}.{self._proof(until)}"

    def direct(self, request: Request) -> bool:
        """Return whether a director sends a request."""
        if is_from_here(request.scope) and loopback(name_in(request.headers.get("host", "").lower())):
            return True
        until, _dot, proof = request.cookies.get(COOKIE, "").partition(".")
        known = hmac.compare_digest(proof.encode(), self._proof(until).encode())
        return known and until.isdecimal() and time.time() < int(until)

    def _proof(self, until: str) -> str:
        return hmac.digest(self.password.encode(), until.encode(), "sha256").hex()


def _letters(password: str) -> bytes:
    """Return what of a password counts."""
    return "".join(password.lower().replace("-", " ").split()).encode()


class Club:
    """The club.

    Args:
        evenings: The evenings.
        directors: Who directs.
        said: Is called with sentences for the log.
        address: Where phones find the pages.
        command: What prints the director's password.

    Attributes:
        hub: The boxes at the tables; None without boxes.
    """

    def __init__(
        self,
        evenings: EveningStore,
        directors: Directors,
        said: Callable[[str], None],
        *,
        address: str = "",
        command: str = "companion club --password",
    ) -> None:
        self.evenings, self.directors, self.said = evenings, directors, said
        self.address, self.command = address, command
        self.notices = Notices()
        self.hub: Hub | None = None

    def require(self, request: Request) -> None:
        """Refuse a request that no director sends."""
        if not self.directors.direct(request):
            raise RequestError(403, N_("Only a director may do this."))

    @property
    def calls(self) -> int:
        """Return how many tables call the director."""
        return 0 if self.hub is None else sum(row.note.called_at is not None for row in self.hub.scorer.tables)

    def page(
        self,
        request: Request,
        template: str,
        heading: str,
        values: Mapping[str, object],
        *,
        here: str = "",
        status: int = 200,
    ) -> HTMLResponse:
        """Return a page.

        Args:
            request: The request.
            template: The name of its template, without ``club_`` and the suffix.
            heading: Its heading.
            values: What it shows.
            here: Its address, if the navigation has it.
            status: The status of the answer.
        """
        directs = self.directors.direct(request)
        navigation = (*PAGES, *(HUB_PAGES if self.hub is not None else ()))
        signed_in = directs and COOKIE in request.cookies
        given = {**values, "directs": directs, "signed_in": signed_in, "here": here, "navigation": navigation}
        return HTMLResponse(page_markup.page(template, heading, given, language_of(request.scope)), status)


def said(request: Request, template: str | Text, **args: object) -> str:
    """Return a text as a sentence in the language of who sends a request."""
    text = template if isinstance(template, Text) else Text(template, **args)
    return page_markup.words_of(language_of(request.scope)).sentence(text)


class RefusalError(RequestError):
    """A request is refused with a text, whose words have a place for others."""

    def __init__(self, status: int, text: Text) -> None:
        super().__init__(status, str(text))
        self.text = text


def in_its_language(request: Request, refusal: RequestError) -> str:
    """Return why a request is refused, in the language of who sent it; what only programs meet is English."""
    return said(request, refusal.text if isinstance(refusal, RefusalError) else refusal.sentence)


async def form_of(request: Request, largest: int = LARGEST_FORM) -> dict[str, str]:
    """Return the fields of a form; refuse one of another site."""
    check_origin(request)
    try:
        return dict(parse_qsl((await body_of(request, FORM, largest)).decode(), keep_blank_values=True))
    except (UnicodeDecodeError, ValueError):
        raise RequestError(400, N_("The form is not UTF-8 text.")) from None
