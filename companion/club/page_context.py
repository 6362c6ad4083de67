"""What the pages of the club share: the evenings, who directs, what has changed, and the boxes where there are any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse

from companion.web.error_answers import RequestError
from companion.web.request_bodies import FORM, body_of, check_origin

from . import page_markup
from .directors import Directors
from .evening.evening_store import EveningStore
from .live import Notices

if TYPE_CHECKING:
    from .hub import Hub

LARGEST_FORM = 16 * 1024  # bytes
PAGES = (("Evening", "/evening"), ("Season", "/season"), ("Projector", "/projector"))
HUB_PAGES = (("Tables", "/tables"), ("Games", "/games"))  # with boxes


class Club:
    """The club.

    Args:
        evenings: The evenings.
        directors: Who directs.
        said: Is called with sentences for the log.

    Attributes:
        hub: The boxes at the tables; None without boxes.
    """

    def __init__(self, evenings: EveningStore, directors: Directors, said: Callable[[str], None]) -> None:
        self.evenings, self.directors, self.said = evenings, directors, said
        self.notices = Notices()
        self.hub: Hub | None = None

    def require(self, request: Request) -> None:
        """Refuse a request that no director sends."""
        if not self.directors.direct(request):
            raise RequestError(403, "Only a director may do this.")

    @property
    def calls(self) -> int:
        """Return how many tables call the director."""
        return 0 if self.hub is None else sum(row.note.called_at is not None for row in self.hub.scorer.tables)

    def page(
        self,
        request: Request | None,
        template: str,
        heading: str,
        values: Mapping[str, object],
        *,
        here: str = "",
        status: int = 200,
    ) -> HTMLResponse:
        """Return a page.

        Args:
            request: The request; None for a page that looks the same for directors.
            template: The name of its template, without ``club_`` and the suffix.
            heading: Its heading.
            values: What it shows.
            here: Its address, if the navigation has it.
            status: The status of the answer.
        """
        directs = request is not None and self.directors.direct(request)
        navigation = (*PAGES, *(HUB_PAGES if self.hub is not None else ()))
        given = {**values, "directs": directs, "here": here, "navigation": navigation}
        return HTMLResponse(page_markup.page(template, heading, given), status)


async def form_of(request: Request, largest: int = LARGEST_FORM) -> dict[str, str]:
    """Return the fields of a form; refuse one of another site."""
    check_origin(request)
    try:
        return dict(parse_qsl((await body_of(request, FORM, largest)).decode(), keep_blank_values=True))
    except (UnicodeDecodeError, ValueError):
        raise RequestError(400, "The form is not UTF-8 text.") from None
