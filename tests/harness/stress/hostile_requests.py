"""Requests that no browser sends, and what their answers must be."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

STATUS = re.compile(rb"^HTTP/1\.1 (\d{3})[^\r\n]*\r\n", re.MULTILINE)
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)

METHODS = b"GET HEAD POST PUT DELETE OPTIONS TRACE CONNECT PATCH PRI BREW get \x00 PO\xc3\x96T".split(b" ")
TARGETS = (
    b"/ /events /key /text /script.js /style.css /icon.svg /nothing /key/ //key /./key /../key /%2e%2e/key /key?x=1"
    b" /%00 /%ff * http://evil.example/key http://localhost/key evil.example:80 key /#key /\xe2\x82\xac \\key"
).split(b" ")
HEADERS = (
    b"Host: evil.example",
    b"Host: localhost",
    b"Host: localhost@evil.example",
    b"Host: [::1",
    b"Host:",
    b"Origin: null",
    b"Origin: http://evil.example",
    b"Sec-Fetch-Site: cross-site",
    b"Content-Length: 5",
    b"Content-Length: -1",
    b"Content-Length: 99999999999999999999",
    b"Content-Length: 12, 12",
    b"Content-Length: 1e3",
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip, chunked",
    b"Transfer-Encoding: identity",
    b"Transfer-Encoding:\x0bchunked",
    b"Content-Type: text/plain",
    b"Content-Encoding: gzip",
    b"Expect: 100-continue",
    b"Upgrade: websocket",
    b"Upgrade: h2c",
    b"Connection: upgrade",
    b"Connection: close",
    b"Connection: keep-alive",
    b"Range: bytes=0-5",
    b"Last-Event-ID: 7\x00",
    b"X: " + b"y" * 20_000,
    b"\xff\xfe: \x00",
    b" folded",
    b"no colon",
    b"Cookie: " + b"a=b; " * 500,
)
PAGES = (b"/", b"/events", b"/script.js", b"/icon.svg")
BODIES = (
    b'{"key": "7", "held": false}',
    b'{"key": "#", "held": true}',
    b'{"key": "A"}',
    b'{"text": "Aki"}',
    b'{"text": "\xe6\x98\xa5"}',
    b'{"key": "7", "key": "8"}',
    b'{"key": "\\ud800"}',
    b'{"text": "\\u0000\\n\\r"}',
    b"[" * 900,
    b'{"key":' * 120,
    b"1e999",
    b"\xef\xbb\xbf{}",
    b"5\r\nhello\r\n0\r\n\r\n",
    b"ffffffffffffffff\r\n",
    b"-1\r\n\r\n",
    b"0\r\nX: y\r\n\r\n",
)


class Fuzzer:
    """Makes requests that a browser could send, and changes them into invalid ones."""

    def __init__(self, chance: random.Random, host: str, cookie: str) -> None:
        """Begin with a source of random numbers, and the headers of the page's host and of a phone's cookie."""
        self._chance = chance
        self._head = f"Host: {host}\r\nCookie: companion={cookie}\r\n".encode()
        self._changes: tuple[Callable[[bytes], bytes], ...] = (
            self._method,
            self._target,
            self._headed,
            self._headed,
            self._cut,
            self._flipped,
            self._repeated,
            self._strewn,
            self._body,
            self._body,
        )

    def next(self) -> bytes:
        """Return one more request, or several in a row."""
        chance = self._chance
        made = self._one()
        for _ in range(chance.choice((0, 0, 1, 1, 1, 2, 3))):
            made = chance.choice(self._changes)(made) or made
        if chance.random() < 0.1:
            made = b"".join([made, *(self._one() for _ in range(chance.randint(1, 4)))])
        if chance.random() < 0.005:
            made += chance.randbytes(1000) * chance.randint(1, 1000)
        return made

    def _one(self) -> bytes:
        chance = self._chance
        if chance.random() < 0.5:
            body = self._json()
            kind = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
            return chance.choice((b"POST /key", b"POST /text")) + b" HTTP/1.1\r\n" + self._head + kind + b"\r\n" + body
        method, path = chance.choice((b"GET", b"GET", b"HEAD")), chance.choice(PAGES)
        return method + b" " + path + b" HTTP/1.1\r\n" + self._head + b"\r\n"

    def _json(self) -> bytes:
        body = self._chance.choice(BODIES)
        return body if self._chance.random() < 0.5 else self._flipped(body)

    def _method(self, made: bytes) -> bytes:
        return self._chance.choice(METHODS) + made[made.find(b" ") :]

    def _target(self, made: bytes) -> bytes:
        first, _, rest = made.partition(b"\r\n")
        parts = first.split(b" ")
        parts[1:2] = [self._chance.choice(TARGETS)]
        if self._chance.random() < 0.2:
            parts[-1] = self._chance.choice((b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9.9", b"", b"http/1.1"))
        return b" ".join(parts) + b"\r\n" + rest

    def _headed(self, made: bytes) -> bytes:
        first, _, rest = made.partition(b"\r\n")
        return b"\r\n".join([first, self._chance.choice(HEADERS), rest])

    def _cut(self, made: bytes) -> bytes:
        return made[: self._chance.randrange(len(made))]

    def _flipped(self, made: bytes) -> bytes:
        place = self._chance.randrange(len(made))
        return made[:place] + self._chance.randbytes(1) + made[place + 1 :]

    def _repeated(self, made: bytes) -> bytes:
        start = self._chance.randrange(len(made))
        end = self._chance.randint(start, len(made))
        return made[:end] + made[start:end] * self._chance.randint(1, 5) + made[end:]

    def _strewn(self, made: bytes) -> bytes:
        place = self._chance.randrange(len(made))
        what = self._chance.choice(
            (b"\x00", b"\r", b"\n", b"\r\n", b"\r\n\r\n", b"\xf0\x9f\x82\xa1", b" ", b"\t", b":")
        )
        return made[:place] + what + made[place:]

    def _body(self, made: bytes) -> bytes:
        head, _, _ = made.partition(b"\r\n\r\n")
        return head + b"\r\n\r\n" + self._chance.choice(BODIES)


def whole(heard: bytes) -> bool:
    """Return whether the first answer is complete or a stream has begun; after a refusal the connection ends."""
    head, end, body = heard.partition(b"\r\n\r\n")
    if end and b"\r\ncontent-type: text/event-stream" in head:
        return True
    if not end or b"\r\nconnection: close" in head.lower():
        return False
    length = LENGTH.search(head + b"\r\n")
    return length is None or body.startswith(b"HTTP/1.1 ") or len(body) >= int(length[1])


def check(heard: bytes) -> None:
    """Check answers.

    Raises:
        AssertionError: A status is a server error, or a refusal is not a sentence.
    """
    found = [int(status) for status in STATUS.findall(heard)]
    assert heard == b"" or found, f"no answer: {heard[:200]!r}"
    assert all(200 <= status < 500 or status == 100 for status in found), f"{found}: {heard[:500]!r}"
    assert b"Traceback" not in heard
    for refusal in re.split(rb"(?=HTTP/1\.1 \d{3})", heard):
        head, _, body = refusal.partition(b"\r\n\r\n")
        if b"\r\nTransfer-Encoding: chunked" in head:
            body = body.partition(b"\r\n")[2].removesuffix(b"\r\n0\r\n\r\n")
        if head.startswith(b"HTTP/1.1 4") and body:
            assert re.fullmatch(rb"\S[^\r\n]* [^\r\n]*\.", body.strip()), f"no sentence: {refusal!r}"
