"""HTTP answers to bad requests, a sentence each, and the headers of every answer."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every answer without its own: no caching, no framing, only the page's own scripts."""


UNBUFFERED = {"X-Accel-Buffering": "no"}
"""Headers of a stream: a proxy such as nginx passes each event on at once."""


class RequestError(Exception):
    """A request is refused with a status and a sentence."""

    def __init__(self, status: int, sentence: str, again: int | None = None) -> None:
        super().__init__(sentence)
        self.status = status  # the HTTP status
        self.sentence = sentence  # what was wrong
        self.again = again  # seconds after which a retry may succeed; None if it will not

    @property
    def headers(self) -> dict[str, str]:
        """Return the answer's own headers; they close the connection."""
        return {"Connection": "close", **({} if self.again is None else {"Retry-After": str(self.again)})}

    def answer(self) -> Response:
        """Return the answer; the rest of the request is not read."""
        return PlainTextResponse(self.sentence, self.status, self.headers)


class TooManyRequestsError(RequestError):
    """More requests than a phone's hands or a browser send."""

    def __init__(self) -> None:
        super().__init__(429, "Too many requests at once.", again=2)
