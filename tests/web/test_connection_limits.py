"""Connections: requests that no browser would send, slow clients, and who may ask."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from companion.ui.keys import Key
from companion.web.error_answers import HEADERS
from companion.web.limits import LimitedConnection, Limits
from tests.waiting import LAST_RESORT, until
from tests.web.easy_limits import EASY, once
from tests.web.loop_double import JSON, LoopDouble, frame
from tests.web.test_server import HALF_A_KEY, client, post

KEY = (
    b'POST /key HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"key": "7"}'
)
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
EVENTS = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
INVALID = "Invalid HTTP request received."
FEW = Limits(connections=8, streams=3, streams_each=2)


@pytest.fixture
def bounded() -> Iterator[LoopDouble]:
    """Yield a server with few places and the usual time limits; its clock advances only when told to."""
    served = LoopDouble(limits=FEW)
    served.stop_time()
    yield served
    served.stop()


def heard(standin: LoopDouble, said: bytes, address: str = "127.0.0.1", after: float = 0.0) -> bytes:
    """Send bytes, advance the clock, and return everything received until the server closes the connection."""
    answered = b""
    read = 0
    receive = LimitedConnection.data_received

    def received(connection: LimitedConnection, data: bytes) -> None:
        nonlocal read
        receive(connection, data)
        read += len(data)

    with (
        patch.object(LimitedConnection, "data_received", received),
        socket.create_connection(("127.0.0.1", standin.port), LAST_RESORT, source_address=(address, 0)) as one,
    ):
        one.sendall(said)
        if after:
            until(lambda: read == len(said) and standin.server.connections > 0)
            standin.let_pass(after)
        while more := one.recv(65536):
            answered += more
    return answered


@pytest.mark.parametrize(
    ("said", "status", "sentence"),
    [
        (b"nonsense\r\n\r\n", 400, INVALID),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "The path of a request begins with /."),
        (b"GET / HTTP/1.1\r\n\r\n", 400, INVALID),
        (GET + b"Host: localhost\r\n\r\n", 400, INVALID),
        (GET + b"Transfer-Encoding: gzip\r\n\r\n", 400, INVALID),
        (GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, INVALID),
        (GET + b"X: " + b"y" * 40_000, 400, INVALID),
        (GET + b"X: " + b"y" * 9_000 + b"\r\n\r\n", 431, "The headers of the request are too large."),
        (KEY[:-12].replace(b"Content-Length: 12", b"Transfer-Encoding: chunked") + b"no length\r\n", 400, INVALID),
        (GET.replace(b"GET / ", b"POST /nothing ") + b"Transfer-Encoding: chunked\r\n\r\nno length\r\n", 400, INVALID),
        (GET.replace(b"/ ", b"http://localhost/ ") + b"\r\n", 400, "The path of a request begins with /."),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "The path of a request begins with /."),
        (b"GET / HTTP/1.0\r\n\r\n", 403,
         "This address is not one of the companion's own; open the page by its address."),
    ],
)  # fmt: skip
def test_what_no_browser_sends_is_refused_in_a_sentence(
    bounded: LoopDouble, said: bytes, status: int, sentence: str, caplog: pytest.LogCaptureFixture
) -> None:
    head, _, body = heard(bounded, said).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert sentence in body.decode()
    for name, value in HEADERS.items() if sentence != INVALID else ():
        assert f"\r\n{name.lower()}: {value.lower()}" in head.decode().lower()
    assert bounded.keys == []
    assert caplog.records == []


def test_line_feeds_in_what_follows_the_headers_are_its_own_business(lasting: LoopDouble) -> None:
    assert post(lasting, b'{\n "key":\n\t"7"\n}\n').status_code == 204
    lasting.expect(Key("7"))


def test_of_two_requests_at_once_the_second_is_looked_at_too(bounded: LoopDouble) -> None:
    answered = heard(bounded, KEY + b"nonsense\r\n\r\n")
    assert answered.startswith(b"HTTP/1.1 204 ")
    assert INVALID.encode() in answered


def test_headers_that_come_byte_by_byte_are_read(standin: LoopDouble) -> None:
    with socket.create_connection(("127.0.0.1", standin.port), LAST_RESORT) as one:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in KEY:
            one.sendall(bytes([byte]))
        assert one.recv(1000).startswith(b"HTTP/1.1 204 ")


def test_who_opens_an_address_that_is_nothing_reads_a_page_with_a_way_on(lasting: LoopDouble) -> None:
    with client(lasting) as one:
        answer = one.get("/tabel", headers={"Accept": "text/html", "Accept-Language": "fr"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "Il n’y a rien à cette adresse" in answer.text
    assert 'href="/table"' in answer.text


@pytest.mark.parametrize("path", ["/", "/events", "/key", "/nothing"])
def test_no_method_but_the_addresss_own_is_taken(lasting: LoopDouble, path: str) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "BREW"):
        with client(lasting) as one:
            answer = one.request(method, path)
        if path == "/nothing":
            assert (answer.status_code, answer.text) == (404, "There is nothing at this address; the page is at /.")
        else:
            assert answer.status_code == 405
            assert answer.text == f"This address only takes {answer.headers['allow']}."


@pytest.mark.parametrize("said", [b"", GET + b"X", HALF_A_KEY], ids=["nothing", "half its headers", "half its body"])
def test_one_who_never_ends_a_request_is_hung_up_on(bounded: LoopDouble, said: bytes) -> None:
    assert heard(bounded, said, after=FEW.timeout) == b""
    assert bounded.keys == []


def test_one_who_drips_headers_is_hung_up_on_all_the_same(bounded: LoopDouble) -> None:
    with socket.create_connection(("127.0.0.1", bounded.port), LAST_RESORT) as drips:
        drips.sendall(GET + b"X: ")
        until(lambda: bounded.server.connections == 1)
        for _ in range(int(FEW.timeout) + 1):
            with suppress(OSError):
                drips.sendall(b"y")
            bounded.let_pass(1.0)
        until(lambda: bounded.server.connections == 0)


def test_no_http_while_an_answer_is_under_way_ends_the_connection_in_silence(
    bounded: LoopDouble, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection(("127.0.0.1", bounded.port), LAST_RESORT) as one:
        one.sendall(EVENTS.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n"))
        assert one.recv(1000).startswith(b"HTTP/1.1 200 ")
        one.sendall(b"no length\r\n")
        until(lambda: bounded.server.connections == 0)
    assert caplog.records == []


def test_one_who_sends_too_much_reads_why_it_is_refused(lasting: LoopDouble) -> None:
    answer = post(lasting, b"x" * 8_000)
    assert (answer.status_code, answer.text) == (413, "What is sent here fits in 1024 bytes.")


def test_one_who_says_nothing_gives_way_to_the_next(standin: LoopDouble) -> None:
    standin.stop()
    patient = LoopDouble(limits=replace(EASY, connections=4))
    silent = [socket.create_connection(("127.0.0.1", patient.port), LAST_RESORT) for _ in range(20)]
    try:
        assert post(patient, '{"key": "7"}').status_code == 204
        until(lambda: patient.server.connections <= 4)
        assert silent[0].recv(1) == b""
    except ConnectionResetError:
        pass
    finally:
        for one in silent:
            one.close()
        patient.stop()


def test_one_who_does_not_read_is_hung_up_on(bounded: LoopDouble) -> None:
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", bounded.port))
        deaf.sendall(EVENTS)
        until(lambda: bounded.server.listeners == 1)
        one = frame("unread")

        def given_up() -> bool:
            bounded.mirror.show(one)
            bounded.let_pass(1.0)
            return not bounded.server.listeners

        until(given_up)
    until(lambda: bounded.server.connections == 0)


def test_more_pages_than_there_are_places_are_told_so(bounded: LoopDouble) -> None:
    with socket.socket() as one, socket.socket() as two, socket.socket() as three:
        for listener, address in ((one, "127.0.0.1"), (two, "127.0.0.1"), (three, "127.0.0.2")):
            listener.bind((address, 0))
            listener.connect(("127.0.0.1", bounded.port))
            listener.sendall(EVENTS)
        until(lambda: bounded.server.listeners == 3)
        for address in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
            head, _, body = heard(bounded, EVENTS, address).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 429 ")
            assert b"\r\nretry-after: 10" in head.lower()
            assert body == b"Too many pages are open; close one of them, then open this again."
        assert post(bounded, '{"key": "7"}').status_code == 204
    until(lambda: bounded.server.listeners == 0)


def test_too_many_keys_are_refused_and_those_of_others_taken() -> None:
    served = LoopDouble(limits=replace(EASY, phone=once(6)))
    try:
        with client(served) as one:
            answers = [one.post("/key", content='{"key": "7"}', headers=JSON) for _ in range(7)]
        assert [answer.status_code for answer in answers] == [204] * 6 + [429]
        assert answers[-1].text == "Too many requests at once."
        assert answers[-1].headers["retry-after"] == "2"
        said = KEY.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        assert heard(served, said, "127.0.0.2").startswith(b"HTTP/1.1 204 ")
        served.expect(*[Key("7")] * 7)
    finally:
        served.stop()


def test_a_key_that_the_box_has_no_room_for_is_refused(standin: LoopDouble) -> None:
    standin.full = True
    answer = post(standin, '{"key": "7"}')
    assert (answer.status_code, answer.text) == (429, "The box has not caught up with the keys yet.")
    standin.full = False
    assert post(standin, '{"key": "8"}').status_code == 204
    standin.expect(Key("8"))


# who may ask


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 204),
        ({"Sec-Fetch-Site": "none"}, 204),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "application/json; charset=utf-8"}, 204),
    ],
    ids=str,
)
def test_a_page_elsewhere_may_press_no_key(lasting: LoopDouble, headers: dict[str, str], status: int) -> None:
    answer = post(lasting, '{"key": "7"}', **headers)
    assert answer.status_code == status
    assert re.fullmatch("|[A-Z].*[.]", answer.text)
    assert len(lasting.keys) == (status == 204)


@pytest.mark.parametrize(("mode", "status"), [("navigate", 200), ("no-cors", 403), ("cors", 403)])
def test_a_link_from_elsewhere_may_be_followed_but_nothing_embedded(
    lasting: LoopDouble, mode: str, status: int
) -> None:
    with client(lasting) as one:
        assert one.get("/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode}).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost.", 204),
        ("[0:0:0:0:0:0:0:1]", 204),
        ("user@localhost", 403),
        ("localhost/x", 403),
        ("localhost:80:80", 403),
        ("localhost:x", 403),
        ("localhost#", 403),
        ("local\u0068ost,evil.example", 403),
        ("2130706433", 403),
        ("0x7f.1", 403),
        ("0.0.0.0", 403),
    ],
)
def test_only_an_address_written_plainly_is_the_companions_own(lasting: LoopDouble, host: str, status: int) -> None:
    assert post(lasting, '{"key": "7"}', Host=host).status_code == status


def test_two_origins_are_none(lasting: LoopDouble) -> None:
    own = lasting.server.url.rstrip("/")
    with client(lasting) as one:
        headers = [*JSON.items(), ("Origin", own), ("Origin", "http://evil.example")]
        assert one.post("/key", content='{"key": "7"}', headers=headers).status_code == 403
    assert lasting.keys == []
