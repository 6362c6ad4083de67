from __future__ import annotations

import base64
import json
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from unittest.mock import patch

import httpx
import pytest
from starlette.responses import PlainTextResponse

from companion.ui.keys import HOLDABLE, NAMES, Key
from companion.web.access import HostCheck, name_in
from companion.web.limits import Connections, Limits
from companion.web.page_mirror import PageMirror
from companion.web.server import PageNotServedError, serve
from companion.web.site import PAGE
from tests.waiting import LAST_RESORT, until
from tests.web.loop_double import JSON, LoopDouble, frame

HALF_A_KEY = (
    b'POST /key HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"key"'
)


@contextmanager
def client(standin: LoopDouble) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=standin.server.url, timeout=LAST_RESORT, trust_env=False, verify=False) as one:
        yield one


def frames(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if line.startswith('data: {"panel"'):
            yield json.loads(line.removeprefix("data: "))


@contextmanager
def stream(standin: LoopDouble) -> Iterator[Iterator[str]]:
    with client(standin) as one, one.stream("GET", "/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["x-accel-buffering"] == "no"
        yield response.iter_lines()


def post(standin: LoopDouble, content: bytes | str, **headers: str) -> httpx.Response:
    with client(standin) as one:
        return one.post("/key", content=content, headers=JSON | headers)


# the page


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/style.css", "text/css"),
        ("/script.js", "text/javascript"),
        ("/icon.svg", "image/svg+xml"),
    ],
)
def test_the_page_and_its_parts_are_served(lasting: LoopDouble, path: str, kind: str) -> None:
    with client(lasting) as one:
        answer = one.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)
        assert len(answer.content) > 100
        assert one.head(path).status_code == 200


@pytest.mark.parametrize("path", ["/", "/script.js", "/key", "/nothing", "/../server.py"])
def test_an_answer_is_kept_by_nobody_or_says_the_same_to_all_and_runs_only_our_own_scripts(
    lasting: LoopDouble, path: str
) -> None:
    with client(lasting) as one:
        headers = one.get(path).headers
    assert headers["cache-control"] == ("max-age=60" if path.endswith(".js") else "no-store")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none';")
    assert "manifest-src 'self'" in headers["content-security-policy"]  # or no page can stand on a home screen
    assert "unsafe" not in headers["content-security-policy"]


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere() -> None:
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", index)
    for file in ("index.html", "style.css", "script.js"):
        assert "//" not in re.sub(r"(?m)^\s*//.*|\s// .*$", "", (PAGE / file).read_text(encoding="utf-8"))


def test_the_page_draws_every_key_in_its_place() -> None:
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    assert "".join(re.findall(r'data-key="(.)"', index)) == NAMES


def test_what_is_not_there_is_not_found(lasting: LoopDouble) -> None:
    with client(lasting) as one:
        assert one.get("/nothing").status_code == 404
        assert one.get("/key").status_code == 405
        assert one.post("/events").status_code == 405


# frames


def test_the_newest_frame_comes_at_once_and_then_each_that_follows(standin: LoopDouble) -> None:
    standin.show("before")
    first = standin.show("first", lamp=(9, 8, 7))
    with stream(standin) as lines:
        seen = frames(lines)
        message = next(seen)
        assert base64.b64decode(message["panel"]) == first.picture.tobytes()
        assert message["lamp"] == [9, 8, 7]
        assert message["labels"]["h#"] == "menu"
        assert message["words"] == ["first"]
        for text in ("second", "third"):
            standin.show(text)
            assert next(seen)["words"] == [text]


def test_a_listener_that_comes_before_the_first_frame_waits_for_it(standin: LoopDouble) -> None:
    with stream(standin) as lines:
        assert next(lines).startswith(":")
        standin.show("first")
        assert next(frames(lines))["words"] == ["first"]


def test_all_listeners_see_the_same(standin: LoopDouble) -> None:
    with stream(standin) as one, stream(standin) as other:
        until(lambda: standin.server.listeners == 2)
        standin.show("for all")
        assert next(frames(one)) == next(frames(other))


def test_a_stream_with_nothing_to_say_says_that() -> None:
    standin = LoopDouble(heartbeat=0.02)
    try:
        with stream(standin) as lines:
            beats = [line for line, _ in zip(lines, range(20), strict=False) if line == ": still here"]
            assert len(beats) >= 2
    finally:
        standin.stop()


def test_a_listener_who_left_is_forgotten(standin: LoopDouble) -> None:
    with stream(standin) as lines:
        next(lines)
        assert standin.server.listeners == 1
    until(lambda: standin.server.listeners == 0)


def test_asking_only_for_the_headers_of_the_stream_opens_none(lasting: LoopDouble) -> None:
    with client(lasting) as one:
        assert one.head("/events").status_code == 200
    assert lasting.server.listeners == 0


def test_a_slow_listener_gets_the_newest_and_not_a_queue(standin: LoopDouble) -> None:
    shown = 20_000
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(LAST_RESORT)
        slow.connect(("127.0.0.1", standin.port))
        slow.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        until(lambda: standin.server.listeners == 1)
        one = frame("waiting")
        for _ in range(shown):
            standin.mirror.show(one)
        standin.show("the last of all")
        received = b""
        while b"the last of all" not in received:
            received += slow.recv(65536)
    assert received.count(b"data: {") < shown / 4


# keys


@pytest.mark.parametrize("name", NAMES)
def test_a_key_pressed_is_put(lasting: LoopDouble, name: str) -> None:
    answer = post(lasting, json.dumps({"key": name, "held": False}))
    assert (answer.status_code, answer.content) == (204, b"")
    lasting.expect(Key(name))


@pytest.mark.parametrize("name", HOLDABLE)
def test_a_key_held_is_put_as_held(lasting: LoopDouble, name: str) -> None:
    assert post(lasting, json.dumps({"key": name, "held": True})).status_code == 204
    lasting.expect(Key(name, held=True))


def test_keys_are_put_in_the_order_they_come(lasting: LoopDouble) -> None:
    with client(lasting) as one:
        for name in NAMES:
            one.post("/key", json={"key": name, "held": False})
    lasting.expect(*map(Key, NAMES))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "7",
        "{",
        "null",
        "[]",
        '"7"',
        "{}",
        '{"held": false}',
        '{"key": 7, "held": false}',
        '{"key": null}',
        '{"key": "7", "held": 1}',
        '{"key": "7", "held": "no"}',
        '{"key": "7", "held": null}',
        '{"key": "7", "held": false, "seat": 1}',
        '{"key": ""}',
        '{"key": "E"}',
        '{"key": "a"}',
        '{"key": "12"}',
        '{"key": "h#"}',
        '{"key": " 7"}',
        '{"key": "\u0667"}',
        '{"key": "7", "held": true}',
        '{"key": "A", "held": true}',
        '{"key": "7"} {"key": "8"}',
        b'{"key": "\xff"}',
        b"\x00\xff",
        "[" * 1000,
    ],
)
def test_what_is_no_key_is_refused_in_a_sentence(lasting: LoopDouble, body: str | bytes) -> None:
    answer = post(lasting, body)
    assert answer.status_code == 400
    assert re.fullmatch(r"[A-Z7][^\n]*\.", answer.text)
    assert lasting.keys == []


def test_a_key_that_cannot_be_held_is_named(lasting: LoopDouble) -> None:
    assert post(lasting, '{"key": "7", "held": true}').text == "7 cannot be held: only *, # and o can."


def test_a_body_too_large_is_refused_before_it_is_read(lasting: LoopDouble) -> None:
    answer = post(lasting, b'{"key": "7"}' + b" " * 1024)
    assert (answer.status_code, answer.text) == (413, "What is sent here fits in 1024 bytes.")

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 100

    with client(lasting) as one:
        assert one.post("/key", content=endless(), headers=JSON).status_code == 413
    assert lasting.keys == []


def test_a_body_of_just_the_allowed_size_is_read(lasting: LoopDouble) -> None:
    assert post(lasting, b'{"key": "7"}'.ljust(1024)).status_code == 204


def test_a_sender_who_leaves_in_the_middle_disturbs_nobody(
    standin: LoopDouble, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection(("127.0.0.1", standin.port), LAST_RESORT) as one:
        one.sendall(HALF_A_KEY)
    assert post(standin, '{"key": "7"}').status_code == 204
    standin.expect(Key("7"))
    standin.stop()
    assert caplog.records == []


def test_a_put_that_fails_is_told_and_the_next_key_is_taken(
    standin: LoopDouble, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(key: Key) -> None:
        raise LookupError(key)

    standin.answer = fail
    assert post(standin, '{"key": "7"}').status_code == 500
    until(lambda: [record.levelname for record in caplog.records] == ["ERROR"])
    standin.answer = lambda _: None
    assert post(standin, '{"key": "8"}').status_code == 204
    standin.expect(Key("8"))


# who may ask


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "LOCALHOST:80", "127.9.9.9", "[::1]:8080"])
def test_a_loopback_host_is_let_in(lasting: LoopDouble, host: str) -> None:
    assert post(lasting, '{"key": "7"}', Host=host).status_code == 204


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8080", "localhost.evil.example", "192.168.1.1", "[::1", "", "@", "127.0.0.1.evil"],
)
@pytest.mark.parametrize("path", ["/", "/events", "/key"])
def test_another_host_is_not(lasting: LoopDouble, host: str, path: str) -> None:
    with client(lasting) as one:
        answer = one.request(
            "POST" if path == "/key" else "GET", path, content='{"key": "7"}', headers=JSON | {"Host": host}
        )
    assert answer.status_code == 403
    assert answer.text.endswith(".")
    assert answer.headers["cache-control"] == "no-store"
    assert lasting.keys == []


def test_the_pages_own_origin_may_press_keys(lasting: LoopDouble) -> None:
    own = lasting.server.url.rstrip("/")
    assert post(lasting, '{"key": "7"}', Origin=own).status_code == 204


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "http://localhost", "null", ""])
def test_another_origin_may_not(lasting: LoopDouble, origin: str) -> None:
    answer = post(lasting, '{"key": "7"}', Origin=origin)
    assert (answer.status_code, answer.text) == (403, "Only the companion's own page may press its keys.")
    assert lasting.keys == []


def test_on_every_address_the_page_answers_to_its_own_addresses_and_names_only() -> None:
    server = serve("0.0.0.0", 0, lambda _: True, PageMirror())
    try:
        port = int(server.url.rstrip("/").rsplit(":", 1)[1])
        assert not server.url.startswith("http://0.0.0.0")
        with httpx.Client(timeout=LAST_RESORT, trust_env=False, verify=False) as one:
            assert one.get(server.url).status_code == 401  # it is the page's own, but nobody is paired
            for host, status in (
                ("127.0.0.1", 401),
                (socket.gethostname(), 401),
                ("evil.example", 403),
                ("8.8.8.8", 403),
            ):
                answer = one.get(f"http://127.0.0.1:{port}/", headers={"Host": f"{host}:{port}"})
                assert answer.status_code == status, host
    finally:
        server.stop()
        assert server.join(LAST_RESORT)


# starting and stopping


def test_a_busy_port_is_told_before_anything_is_started(standin: LoopDouble) -> None:
    threads = threading.active_count()
    with pytest.raises(PageNotServedError) as caught:
        serve("127.0.0.1", standin.port, lambda _: True, PageMirror())
    assert str(caught.value) == f"port {standin.port} is taken; choose another with --port"
    assert threading.active_count() == threads


@pytest.mark.parametrize(
    ("host", "port", "sentence"),
    [
        ("127.0.0.1", 65536, "there is no port 65536; choose one from 1 to 65535 with --port"),
        ("127.0.0.1", -1, "there is no port -1; choose one from 1 to 65535 with --port"),
        ("192.0.2.1", 0, "192.0.2.1 is no address of this computer; choose another with --host"),
        ("no such host", 0, "no such host is no address of this computer; choose another with --host"),
        ("x" * 70, 0, f"{'x' * 70} is no address of this computer; choose another with --host"),
    ],
)
def test_an_address_that_cannot_be_had_is_told_in_a_sentence(host: str, port: int, sentence: str) -> None:
    with pytest.raises(PageNotServedError, match=f"^{re.escape(sentence)}$"):
        serve(host, port, lambda _: True, PageMirror())


def test_port_0_takes_a_free_one(lasting: LoopDouble) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+/", lasting.server.url)


def test_an_older_or_a_newer_address_is_written_as_browsers_want_it() -> None:
    try:
        server = serve("::1", 0, lambda _: True, PageMirror())
    except PageNotServedError:
        pytest.skip("This computer has no IPv6 loopback.")
    with httpx.Client(timeout=LAST_RESORT, trust_env=False, verify=False) as one:
        assert server.url.startswith("http://[::1]:")
        assert one.get(server.url).status_code == 200
    server.stop()
    assert server.join(LAST_RESORT)


def test_every_ipv6_address_is_every_address_of_the_older_kind_too() -> None:
    try:
        server = serve("::", 0, lambda _: True, PageMirror())
    except PageNotServedError:
        pytest.skip("This computer has no IPv6.")
    with httpx.Client(timeout=LAST_RESORT, trust_env=False, verify=False) as one:
        for host in ("127.0.0.1", "[::1]"):
            assert one.get(f"http://{host}:{server.port}/").status_code == 401  # the page's own, but nobody is paired
    server.stop()
    assert server.join(LAST_RESORT)


@pytest.mark.parametrize(
    ("host", "server", "own"),
    [
        ("[fe80::1]:8080", "fe80::1%wlan0", True),
        ("[FE80:0:0:0:0:0:0:1]", "fe80::1", True),
        ("[fd12:3456::7]", "fd12:3456::7", True),
        ("192.168.1.7:8080", "::ffff:192.168.1.7", True),
        ("[::ffff:192.168.1.7]", "192.168.1.7", True),
        ("[::ffff:127.0.0.1]", "192.168.1.7", True),
        ("[fe80::2]", "fe80::1%wlan0", False),
        ("[fe80::1%25wlan0]", "fe80::1%wlan0", False),  # no browser sends a zone
        ("fe80::1", "fe80::1", False),
        ("[fd12:3456::8]", "fd12:3456::7", False),
    ],
)
def test_an_ipv6_address_is_recognized_however_it_is_written(host: str, server: str, own: bool) -> None:
    check = HostCheck(PlainTextResponse(""), frozenset(), Connections(Limits()))
    assert check._is_own_name(name_in(host.lower()), (server, 8080)) is own


LATE_ADDRESS = """
import subprocess, httpx
from companion.web.page_mirror import PageMirror
from companion.web.server import serve
server = serve("192.0.2.77", 0, lambda _: True, PageMirror(), early=True)
for words in (["link", "set", "lo", "up"], ["address", "add", "192.0.2.77/32", "dev", "lo"]):
    subprocess.run(["ip", *words], check=True)
print(httpx.get(server.url, trust_env=False).status_code)
server.stop()
"""


@pytest.mark.needs("ip")
def test_a_page_on_a_fixed_address_comes_up_when_the_address_does() -> None:
    command = ["unshare", "--user", "--map-root-user", "--net"]
    if subprocess.run([*command, "ip", "link"], capture_output=True, check=False).returncode:
        pytest.skip("No network can be made here.")
    done = subprocess.run([*command, sys.executable, "-c", LATE_ADDRESS], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("401\n", "")


def test_stopping_ends_open_streams_cleanly_without_a_moment_of_grace(standin: LoopDouble) -> None:
    standin.show("the last")
    with stream(standin) as one, stream(standin) as other:
        assert next(frames(one)) == next(frames(other))
        with patch("companion.web.server.GRACE", LAST_RESORT):
            standin.stop()
        assert list(frames(one)) == list(frames(other)) == []
    assert standin.server.listeners == 0
    standin.show("to nobody")


def test_stopping_waits_for_nobody_who_does_not_read_or_write(
    standin: LoopDouble, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        socket.create_connection(("127.0.0.1", standin.port), LAST_RESORT) as deaf,
        socket.create_connection(("127.0.0.1", standin.port), LAST_RESORT) as mute,
        socket.create_connection(("127.0.0.1", standin.port), LAST_RESORT) as halting,
    ):
        mute.sendall(b"POST")
        halting.sendall(HALF_A_KEY)
        deaf.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        until(lambda: standin.server.listeners == 1)
        one = frame("unread")
        for _ in range(5000):
            standin.mirror.show(one)
        with patch("companion.web.server.GRACE", 0.01):
            standin.stop()
    assert caplog.records == []


def test_the_port_is_free_once_the_server_has_stopped(standin: LoopDouble) -> None:
    with stream(standin) as lines:
        next(lines)
        standin.stop()
    again = LoopDouble(port=standin.port)
    assert again.server.url == standin.server.url
    again.stop()


def test_stopping_twice_is_stopping_once(standin: LoopDouble) -> None:
    standin.server.stop()
    standin.stop()
    standin.server.stop()
    assert standin.server.join()


def test_the_terminal_and_the_signals_are_left_alone(capfd: pytest.CaptureFixture[str]) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    standin = LoopDouble()
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    post(standin, '{"key": "7"}')
    post(standin, "nonsense")
    with client(standin) as one:
        one.get("/")
        one.get("/nothing")
    with stream(standin) as lines:
        next(lines)
    standin.stop()
    assert capfd.readouterr() == ("", "")


class Watched(selectors.DefaultSelector):
    """A selector that records the time-outs of the event loop."""

    waits: ClassVar[list[float | None]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.waits.append(timeout)
        return super().select(timeout)


def test_the_server_sleeps_while_nobody_asks() -> None:
    with patch("selectors.DefaultSelector", Watched):
        standin = LoopDouble()
    try:
        assert post(standin, '{"key": "7"}').status_code == 204
        standin.show("nobody looks")
        until(lambda: standin.server.connections == 0)
        until(lambda: Watched.waits[-1] is None, "a sleep without an end")
    finally:
        standin.stop()
