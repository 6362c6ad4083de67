"""Who may use the page from elsewhere: pairing by link and PIN, cookies, roles, guests, revoked phones, strangers."""

from __future__ import annotations

import asyncio
import gc
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.cookies import SimpleCookie
from unittest.mock import patch
from urllib.parse import urlsplit

import httpx
import pytest
from msgspec.structs import replace

from companion.ui.screens.phones import AllowGuests, EndPairing, Phone, RevokePhone, Role
from companion.web.addresses import own_address
from companion.web.error_answers import TooManyRequestsError
from companion.web.limits import LimitedConnection, Rate, RecentAddresses
from companion.web.page_mirror import PageMirror
from companion.web.requests import accepted_language
from companion.web.server import Server, serve
from tests.app.boxes import begin
from tests.waiting import LAST_RESORT, until
from tests.web.easy_limits import EASY, once
from tests.web.paired_page import NAME, PairedPage, stream

PAGE = {"Accept": "text/html,application/xhtml+xml"}
UNPAIRED = "This phone is not paired with the table; open /join."


@pytest.fixture
def page() -> Iterator[PairedPage]:
    served = PairedPage()
    yield served
    served.stop()


def limited(stack: ExitStack, **limits: Rate | int) -> PairedPage:
    served = PairedPage(replace(EASY, **limits))
    stack.callback(served.stop)
    return served


def key(phone: httpx.Client) -> int:
    return phone.post("/key", json={"key": "7"}).status_code


# strangers


@pytest.mark.parametrize(
    ("method", "path", "watching", "guests"),
    [
        ("GET", "/", 401, 401),
        ("GET", "/table", 401, 200),
        ("GET", "/wall", 401, 200),
        ("GET", "/table/rules", 401, 200),
        ("HEAD", "/table/events", 401, 200),
        ("POST", "/table/tap", 401, 401),
        ("HEAD", "/", 401, 401),
        ("GET", "/script.js", 401, 401),
        ("GET", "/table.css", 401, 200),
        ("HEAD", "/events", 401, 401),
        ("GET", "/nothing", 401, 401),
        ("GET", "/join", 200, 200),
        ("HEAD", "/join", 200, 200),
        ("GET", "/design.css", 200, 200),
        ("GET", "/icon.svg", 200, 200),
        ("GET", "/p/123456", 403, 403),
        ("GET", "/P/123456", 403, 403),
        ("GET", "/claim", 405, 405),
        ("POST", "/key", 401, 401),
        ("POST", "/text", 401, 401),
        ("POST", "/me", 401, 401),
        ("POST", "/", 401, 401),
        ("POST", "/join", 405, 405),
        ("PUT", "/events", 401, 401),
    ],
)
def test_a_stranger_sees_the_join_page_and_watches_only_if_guests_may(
    page: PairedPage, method: str, path: str, watching: int, guests: int
) -> None:
    stranger = page.client()
    assert stranger.request(method, path).status_code == watching
    page.do(lambda: page.pairing.do(AllowGuests(True)))
    assert stranger.request(method, path).status_code == guests
    assert page.client("no such secret").request(method, path).status_code == guests


@pytest.mark.parametrize("path", ["/", "/table", "/wall", "/nothing"])
def test_a_stranger_who_opens_a_page_is_led_to_the_join_page(page: PairedPage, path: str) -> None:
    answer = page.client().get(path, headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/join?wall" if path == "/wall" else "/join")
    assert page.client().get(path, headers=PAGE | {"Sec-Fetch-Mode": "cors"}).status_code == 401


def test_a_stranger_is_told_what_to_do(page: PairedPage) -> None:
    answer = page.client().post("/key", json={"key": "7"})
    assert (answer.status_code, answer.text) == (401, UNPAIRED)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", NAME])
def test_a_browser_here_is_a_stranger_where_others_reach_the_page(page: PairedPage, host: str) -> None:
    own = page.client(host=host)
    assert own.get("/").status_code == 401
    assert key(own) == 401


def test_the_link_that_the_program_prints_lets_in_a_browser_on_this_computer_alone(page: PairedPage) -> None:
    path = f"/here/{page.pairing.own_secret}"
    entered = page.client(host="localhost").get(path)
    assert (entered.status_code, entered.headers["location"]) == (303, "/table")
    cookie = SimpleCookie(entered.headers["set-cookie"])["companion"]
    own = page.client(cookie.value, host="localhost")
    assert own.get("/").status_code == 200
    assert key(own) == 204
    assert own.get("/join").headers["location"] == "/table"
    assert page.pairing.status.paired == ()
    for other in (
        page.client(host="localhost").get("/here/guessed"),
        page.client(host="localhost").get(path, headers={"X-Real-IP": "192.168.1.66"}),
    ):
        assert (other.status_code, other.headers["location"]) == (303, "/join")
        assert "set-cookie" not in other.headers


@pytest.mark.skipif(own_address() == "127.0.0.1", reason="This computer has no address on a network.")
def test_another_computer_that_says_localhost_is_a_stranger(page: PairedPage) -> None:
    with httpx.Client(base_url=f"http://{own_address()}:{page.server.port}") as other:
        for host in ("localhost", "127.0.0.1", "[::1]"):
            assert other.get("/", headers={"Host": host}).status_code == 401
            assert other.post("/key", json={"key": "7"}, headers={"Host": host}).status_code == 401


@pytest.fixture
def only_here() -> Iterator[Server]:
    served = serve("127.0.0.1", 0, lambda _: True, PageMirror())
    yield served
    served.stop()
    assert served.join(LAST_RESORT)


PROXIES = (
    *("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server"),
    *("X-Real-IP", "CF-Connecting-IP", "CDN-Loop", "Tailscale-User-Login", "True-Client-IP", "Fly-Client-IP"),
)


@pytest.mark.parametrize("header", PROXIES)
def test_somebody_behind_a_proxy_on_this_computer_is_a_stranger(only_here: Server, header: str) -> None:
    with httpx.Client(base_url=only_here.url, timeout=LAST_RESORT) as own:
        assert own.post("/key", json={"key": "7"}).status_code == 204
        passed_on = {header: "192.168.1.66"}
        assert own.post("/key", json={"key": "7"}, headers=passed_on).status_code == 401
        assert own.get("/", headers=passed_on).status_code == 401


def test_a_proxy_that_speaks_http_1_0_makes_strangers(only_here: Server) -> None:
    with socket.create_connection(("127.0.0.1", only_here.port), LAST_RESORT) as nginx:
        nginx.sendall(b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert nginx.recv(100).startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
@pytest.mark.parametrize("path", ["/join", "/p/123456", "/", "/claim"])
def test_no_other_name_leads_to_the_page(page: PairedPage, host: str, path: str) -> None:
    assert page.paired().get(path, headers={"Host": host}).status_code == 403


def test_a_page_without_phones_that_others_reach_lets_nobody_in() -> None:
    server = serve("0.0.0.0", 0, lambda _: True, PageMirror())
    try:
        with httpx.Client(base_url=server.local_url, timeout=LAST_RESORT) as one:
            assert one.get("/", headers={"Cookie": "companion=secret"}).status_code == 401
            assert one.get("/p/A", headers={"Cookie": "companion=secret"}).status_code == 403
    finally:
        server.stop()
        assert server.join(LAST_RESORT)


# joining


def test_the_join_page_needs_no_script_and_may_send_its_form(page: PairedPage) -> None:
    shown = page.client().get("/join")
    assert "<script" not in shown.text
    assert 'action="/claim" method="post">' in shown.text
    assert 'inputmode="numeric" autocomplete="off"' in shown.text
    assert "form-action 'self';" in shown.headers["content-security-policy"]
    assert not re.search(r"<style|\sstyle=|\son\w+=", shown.text)


@pytest.mark.parametrize(
    ("asked", "language", "words"),
    [
        ("", "en", "Join the table"),
        ("de-DE,de;q=0.9", "en", "Join the table"),
        ("fr-CA, en;q=0.5", "fr", "Rejoindre la table"),
        ("en;q=0.2, ja;q=0.9", "ja", "テーブルに参加"),
    ],
)
def test_the_join_page_speaks_the_readers_language(page: PairedPage, asked: str, language: str, words: str) -> None:
    shown = page.client(**{"Accept-Language": asked}).get("/join").text
    assert f'<html lang="{language}">' in shown
    assert f"<h1>{words}</h1>" in shown


@pytest.mark.parametrize("header", ["fr;q=x", "fr;q=", ";;;", "q=1", ",", "fr;q=0", "*"])
def test_a_malformed_wish_for_a_language_is_no_error(header: str) -> None:
    assert accepted_language(header) in ("en", "fr")


def test_a_phone_is_paired_by_its_pin_and_presses_keys(page: PairedPage) -> None:
    pin, stranger = page.pin(), page.client()
    answer = stranger.post("/claim", data={"pin": pin, "name": "はるな"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    cookie = SimpleCookie(answer.headers["set-cookie"])["companion"]
    assert (cookie["httponly"], cookie["samesite"].lower(), cookie["path"]) == (True, "lax", "/")
    assert int(cookie["max-age"]) >= 180 * 24 * 3600
    phone = page.client(cookie.value)
    assert phone.get("/").status_code == 200
    assert key(phone) == 204
    assert page.pairing.status.paired == (Phone(1, "はるな", Role.SCORER, "はるな", chosen=False),)


def test_the_address_without_a_path_leads_a_phone_to_the_table_and_this_computer_to_the_keys(page: PairedPage) -> None:
    opens = {"Accept": "text/html"}
    led = page.paired().get("/", headers=opens)
    assert (led.status_code, led.headers["location"]) == (303, "/table")
    assert page.paired().get("/?keys", headers=opens).status_code == 200
    assert page.client(page.pairing.own_secret).get("/", headers=opens).status_code == 200


def test_a_television_that_opens_the_wall_is_paired_to_watch_it_and_is_no_player(page: PairedPage) -> None:
    television = page.client(Accept="text/html")
    led = television.get("/wall")
    assert (led.status_code, led.headers["location"]) == (303, "/join?wall")
    form = television.get("/join?wall").text
    assert 'name="name"' not in form
    paired = television.post("/claim", data={"pin": page.pin(), "wall": "1"})
    assert (paired.status_code, paired.headers["location"]) == (303, "/wall")
    assert page.pairing.status.paired == (Phone(1, "Television", Role.SPECTATOR),)


def test_a_page_that_a_phone_opens_renews_its_cookie(page: PairedPage) -> None:
    phone = page.paired()
    secret = phone.headers["cookie"]
    assert phone.get("/table", headers=PAGE).headers["set-cookie"].startswith(f"{secret}; HttpOnly; Max-Age=")
    assert "set-cookie" not in phone.get("/table.css").headers
    assert "set-cookie" not in phone.post("/key", json={"key": "7"}, headers=PAGE).headers


def test_a_link_from_elsewhere_leads_a_phone_to_the_table_but_no_form_is_taken(page: PairedPage) -> None:
    phone = page.paired()
    followed = {**PAGE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert phone.get("/table", headers=followed).status_code == 200
    for path in ("/key", "/text", "/me", "/claim", "/table/tap"):
        assert phone.post(path, json={"key": "7"}, headers=followed).status_code == 403


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_the_link_of_the_qr_code_asks_for_a_name_only_and_claims_nothing(
    page: PairedPage, change: Callable[[str], str]
) -> None:
    link = change(page.link())
    for _ in range(3):  # such as previews of a chat
        shown = page.client().get(link)
        assert shown.status_code == 200
        assert f'name="token" value="{link[3:]}"' in shown.text
        assert 'name="pin"' not in shown.text
        assert "set-cookie" not in shown.headers
    assert not [phone.name for phone in page.pairing.status.paired]
    answer = page.client().post("/claim", data={"token": link[3:], "name": "Aki"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    assert [phone.name for phone in page.pairing.status.paired] == ["Aki"]


def test_a_link_that_has_ended_says_so_and_asks_for_a_pin(page: PairedPage) -> None:
    link = page.link()
    page.do(lambda: page.pairing.do(EndPairing()))
    for shown in (page.client().get(link), page.client().post("/claim", data={"token": link[3:], "name": "Aki"})):
        assert shown.status_code == 403
        assert "This code is no longer valid. Show a new one at the table" in shown.text
        assert 'name="pin"' in shown.text


@pytest.mark.parametrize("typed", ['"><script>alert(1)</script>', "'\"&<", "x" * 900])
def test_everything_that_is_shown_again_is_escaped_and_bounded(page: PairedPage, typed: str) -> None:
    page.pin()
    pages = [
        page.client().get(f"/p/{typed.replace('/', '')}"),
        page.client().post("/claim", data={"pin": typed[:450], "name": typed[:450]}),
        page.client().post("/claim", data={"token": typed[:450], "name": typed[:450]}),
    ]
    for shown in pages:
        assert "<script>" not in shown.text
        assert len(shown.text) < 4000


def test_a_wrong_pin_shows_the_page_again_with_the_reason(page: PairedPage) -> None:
    pin = page.pin()
    wrong = f"{(int(pin) + 1) % 1_000_000:06}"
    answer = page.client(**{"Accept-Language": "fr"}).post("/claim", data={"pin": wrong, "name": "Aki"})
    assert answer.status_code == 403
    assert "Code PIN incorrect. Essais restants\u202f: 4" in answer.text
    assert 'value="Aki"' in answer.text
    assert re.search(r'<input id="pin" name="pin" value=""[^>]* autofocus>', answer.text)
    assert "set-cookie" not in answer.headers


def test_of_two_who_claim_the_same_pin_only_the_first_is_paired(page: PairedPage) -> None:
    pin = page.pin()
    answers = [page.client().post("/claim", data={"pin": pin, "name": name}) for name in ("Aki", "Bea")]
    assert [answer.status_code for answer in answers] == [303, 403]
    assert [phone.name for phone in page.pairing.status.paired] == ["Aki"]


@pytest.mark.parametrize("path", ["/join", "/p/123456"])
def test_a_paired_phone_is_led_to_the_table(page: PairedPage, path: str) -> None:
    assert page.paired().get(path).headers["location"] == "/table"


def test_a_paired_phone_uses_no_pin_up(page: PairedPage) -> None:
    phone = page.paired()
    pin = page.pin()
    answer = phone.post("/claim", data={"pin": pin})
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    assert page.pairing.status.pin == pin


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "application/x-www-form-urlencoded", 403),
        (b"pin=%ff%00&name=%00", "application/x-www-form-urlencoded", 403),
        (b"&".join([b"pin=1"] * 50), "application/x-www-form-urlencoded", 400),
        (b"pin=" + b"1" * 2000, "application/x-www-form-urlencoded", 413),
        (b'{"pin": "123456"}', "application/json", 415),
        (b"pin=123456", "text/plain", 415),
        (b"pin=123456", "multipart/form-data; boundary=x", 415),
    ],
)
def test_what_is_no_claim_is_refused(page: PairedPage, body: bytes, kind: str, status: int) -> None:
    page.pin()
    answer = page.client().post("/claim", content=body, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert page.pairing.status.paired == ()


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}], ids=str
)
def test_no_page_elsewhere_may_claim_or_choose_a_role(page: PairedPage, headers: dict[str, str]) -> None:
    pin, phone = page.pin(), page.paired("Bea")
    assert page.client().post("/claim", data={"pin": pin}, headers=headers).status_code == 403
    assert phone.post("/me", json={"role": "spectator"}, headers=headers).status_code == 403
    assert phone.post("/key", json={"key": "7"}, headers=headers).status_code == 403


def test_a_box_that_does_not_answer_is_told_and_the_pin_may_be_tried_again(page: PairedPage) -> None:
    with patch("companion.web.requests.ANSWERED_WITHIN", 0.0):
        answer = page.client().post("/claim", data={"pin": "1", "name": ""})
    assert answer.status_code == 503
    assert "The table does not answer; try again" in answer.text


# paired phones


def test_a_phone_says_who_it_is_and_only_scorers_press_keys(page: PairedPage) -> None:
    page.do(lambda: begin(page.box))
    phone = page.paired()
    for body, status, pressed in (
        ({"role": "spectator"}, 204, 403),
        ({"role": "seat", "person": "Bea"}, 204, 403),
        ({"role": "seat"}, 409, 403),
        ({"role": "king"}, 400, 403),
        ({"role": "scorer", "more": 1}, 400, 403),
        ({"role": "scorer"}, 204, 204),
    ):
        assert phone.post("/me", json=body).status_code == status
        assert key(phone) == phone.post("/text", json={"text": "Aki"}).status_code == pressed
    assert phone.get("/").status_code == 200


def test_why_a_role_cannot_be_had_is_told_in_the_readers_language(page: PairedPage) -> None:
    answer = page.paired().post("/me", json={"role": "seat"}, headers={"Accept-Language": "ja"})
    assert (answer.status_code, answer.text) == (409, "あなたが誰かを選んでください")
    own = page.client(page.pairing.own_secret).post("/me", json={"role": "spectator"})
    assert (own.status_code, own.text) == (409, "Only a paired phone has a role")


@pytest.mark.parametrize(
    "cookie", ["theme=dark; companion={}", "companion={}; theme=dark", 'companion={}; x="y', "companion=; companion={}"]
)
def test_the_cookie_is_found_among_others(page: PairedPage, cookie: str) -> None:
    secret = page.paired().headers["cookie"].removeprefix("companion=")
    assert key(page.client(Cookie=cookie.format(secret))) == 204


def test_a_revoked_phones_streams_end_at_once_and_its_keys_are_refused(page: PairedPage) -> None:
    phone, other = page.paired("Aki"), page.paired("Bea")
    with stream(phone) as lines, stream(phone) as more, stream(other) as others:
        page.do(lambda: page.pairing.do(RevokePhone(1)))
        list(lines)
        list(more)
        assert key(phone) == 401
        assert key(other) == 204
        page.do(page.box.show_machine)
        assert any(line.startswith("data: {") for line in others)
    assert phone.get("/events").status_code == 401


def test_a_revoked_phones_stream_ends_though_guests_may_watch(page: PairedPage) -> None:
    page.do(lambda: page.pairing.do(AllowGuests(True)))
    phone = page.paired()
    with stream(phone) as lines:
        page.do(lambda: page.pairing.do(RevokePhone(1)))
        list(lines)
    with stream(phone):
        assert key(phone) == 401


@pytest.mark.parametrize("path", ["/table", "/wall"])
def test_guests_see_neither_the_pin_nor_the_code_of_a_pairing(page: PairedPage, path: str) -> None:
    phone = page.paired()
    page.do(lambda: page.pairing.do(AllowGuests(True)))
    pin = page.do(page.pairing.open)
    page.do(page.box.show_machine)
    shown = {f"{pin[:3]} {pin[3:]}", pin}
    assert any(each in phone.get(path).text for each in shown)
    assert 'class="qr"' in phone.get(path).text
    assert not any(each in page.client().get(path).text for each in (*shown, 'class="qr"'))
    with page.client().stream("GET", f"{path}/events") as news:
        message = next(line for line in news.iter_lines() if line.startswith("data: {"))
        assert not any(each in message for each in (*shown, "qr"))


def test_any_host_is_told_that_the_network_leads_somewhere(page: PairedPage) -> None:
    for host in ("connectivitycheck.gstatic.com", NAME):
        answer = page.client().get("/generate_204", headers={"Host": host})
        assert (answer.status_code, answer.content) == (204, b"")


def test_guests_streams_end_when_they_may_no_longer_watch(page: PairedPage) -> None:
    page.do(lambda: page.pairing.do(AllowGuests(True)))
    with stream(page.client()) as guests, stream(page.paired()) as paired:
        page.do(lambda: page.pairing.do(AllowGuests(False)))
        list(guests)
        page.do(page.box.show_machine)
        assert any(line.startswith("data: {") for line in paired)
    until(lambda: page.server.listeners == 0)


def test_a_request_that_waits_when_its_phone_is_revoked_is_refused(page: PairedPage) -> None:
    phone = page.paired()
    page.pairing.choose = lambda *_: page.pairing.do(RevokePhone(1))  # type: ignore[method-assign]
    with patch("companion.web.requests.asyncio.wait_for", lambda answer, _: _never(answer)):
        assert phone.post("/me", json={"role": "scorer"}).status_code == 401


async def _never(answer: object) -> None:
    await asyncio.Event().wait()


# limits


def test_strangers_have_few_requests_each_and_in_all_and_phones_have_theirs() -> None:
    with ExitStack() as stack:
        page = limited(stack, stranger=once(3), strangers=once(10), newcomer=1)
        phone = page.paired(address="127.0.0.9")
        strangers = [page.client(address=f"127.0.0.{number}") for number in (1, 2)]
        answers = [[stranger.get("/join").status_code for _ in range(3)] for stranger in strangers]
        assert answers == [[200, 200, 200], [200, 200, 429]]
        assert [key(phone) for _ in range(8)] == [204] * 8


def refused(stranger: httpx.Client, path: str = "/join", **headers: str) -> bool:
    try:
        return stranger.get(path, headers=headers).status_code == 429
    except (httpx.NetworkError, httpx.RemoteProtocolError):  # hung up on
        return True


@pytest.mark.parametrize(
    ("path", "headers"), [("/generate_204", {}), ("/join", {"Host": "evil.example"}), ("/nothing", {}), ("/claim", {})]
)
def test_a_strangers_rate_counts_every_answer_and_every_refusal(path: str, headers: dict[str, str]) -> None:
    with ExitStack() as stack:
        page = limited(stack, stranger=once(3))
        stranger = page.client(address="127.0.0.2")
        assert [refused(stranger, path, **headers) for _ in range(5)] == [False] * 3 + [True] * 2


def test_a_phone_that_has_the_link_is_paired_while_strangers_use_up_their_rate() -> None:
    with ExitStack() as stack:
        page = limited(stack, strangers=once(100))
        link = page.link()
        strangers = [page.client(address=f"127.0.1.{number}") for number in range(1, 11)]
        while not all(map(refused, strangers)):
            pass
        phone = page.client(address="127.0.0.2")
        assert phone.get(link).status_code == 200
        assert phone.get("/design.css").status_code == 200
        assert phone.post("/claim", data={"token": link[3:], "name": "Aki"}).status_code == 303


def test_phones_at_one_address_have_their_own_rates() -> None:
    with ExitStack() as stack:
        page = limited(stack, phone=once(2))
        phones = [page.paired("Aki"), page.paired("Bea")]
        assert [key(phone) for phone in phones for _ in range(3)] == [204, 204, 429] * 2


def test_a_refused_request_leaves_nothing_in_memory() -> None:
    with ExitStack() as stack:
        page = limited(stack, phone=once(30))
        phone = page.paired()
        assert [phone.get("/table").status_code for _ in range(55)].count(429) >= 20
        gc.collect()
        assert sum(isinstance(held, TooManyRequestsError | LimitedConnection) for held in gc.get_objects()) < 5


def test_a_phone_changes_its_role_seldom_and_reads_the_history_slowly() -> None:
    with ExitStack() as stack:
        page = limited(stack, role=once(2), history=once(2))
        phone = page.paired()
        choices = [phone.post("/me", json={"role": role}).status_code for role in ("spectator", "scorer", "spectator")]
        assert choices == [204, 204, 429]
        assert [phone.get(path).status_code for path in ("/history", "/history/league", "/history")] == [404, 404, 429]
        assert phone.get("/history.css").status_code == 200
        assert key(phone) == 204


def test_who_asks_for_too_much_of_the_history_is_told_in_the_language_of_the_phone() -> None:
    with ExitStack() as stack:
        phone = limited(stack, history=once(1)).paired()
        opens = {"Accept": "text/html", "Accept-Language": "fr"}
        assert phone.get("/history", headers=opens).status_code == 404
        refused = phone.get("/history", headers=opens)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert "Trop de pages de l’historique" in refused.text


def test_a_role_that_stays_as_it_is_writes_nothing(page: PairedPage) -> None:
    phone = page.paired()
    assert phone.post("/me", json={"role": "scorer"}).status_code == 204
    with patch.object(page.journal, "keep_setting") as kept:
        assert [phone.post("/me", json={"role": "scorer"}).status_code for _ in range(5)] == [204] * 5
        assert kept.call_count == 0
        assert phone.post("/me", json={"role": "spectator"}).status_code == 204
        assert kept.call_count == 1


def test_guests_have_few_streams_and_take_none_of_a_phones() -> None:
    with ExitStack() as stack:
        page = limited(stack, streams=2, streams_each=2, guest_streams=3, guest_streams_each=2)
        page.do(lambda: page.pairing.do(AllowGuests(True)))
        guests = [page.client(address=f"127.0.0.{number}") for number in (1, 1, 2)]
        for guest in guests:
            stack.enter_context(stream(guest))
        for number in (1, 2, 3):
            assert page.client(address=f"127.0.0.{number}").get("/table/events").status_code == 429
        phone = page.paired()
        for _ in range(2):
            stack.enter_context(stream(phone))
        assert phone.get("/table/events").status_code == 429
        assert page.server.listeners == 5


@pytest.fixture
def few() -> Iterator[PairedPage]:
    """Yield a page with six connections, of which strangers have four, and two each."""
    served = PairedPage(replace(EASY, connections=6, stranger_connections=4, stranger_connections_each=2))
    yield served
    served.stop()


def connected(page: PairedPage, address: str) -> socket.socket:
    before = _accepted(page)
    one = socket.create_connection(("127.0.0.1", page.server.port), LAST_RESORT, source_address=(address, 0))
    until(lambda: _accepted(page) != before)
    return one


def _accepted(page: PairedPage) -> frozenset[object]:
    return frozenset(page.server.server_state.connections)


def is_open(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return bool(one.recv(1))
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def test_a_strangers_address_keeps_few_connections_and_all_strangers_a_few_more(few: PairedPage) -> None:
    with ExitStack() as stack:
        one = [stack.enter_context(connected(few, "127.0.0.2")) for _ in range(3)]
        until(lambda: [is_open(each) for each in one] == [False, True, True])
        others = [stack.enter_context(connected(few, f"127.0.0.{number}")) for number in (3, 4, 5)]
        until(lambda: [is_open(each) for each in one] == [False, False, True])
        assert all(map(is_open, others))


def test_a_connection_of_a_stranger_is_replaced_before_that_of_a_phone(few: PairedPage) -> None:
    with ExitStack() as stack:
        few.do(lambda: few.pairing.do(AllowGuests(True)))
        phone = few.paired(address="127.0.0.9")
        assert key(phone) == 204
        idle = stack.enter_context(connected(few, "127.0.0.9"))  # its address is known, and it has waited longest
        guest = stack.enter_context(stream(few.client(address="127.0.0.8")))
        strangers = [stack.enter_context(connected(few, f"127.0.0.{number}")) for number in range(2, 8)]
        until(lambda: [is_open(one) for one in strangers] == [False] * 3 + [True] * 3)
        more = [stack.enter_context(connected(few, "127.0.0.9")) for _ in range(3)]
        until(lambda: not any(map(is_open, strangers)))
        assert all(map(is_open, (idle, *more)))
        stack.enter_context(connected(few, "127.0.0.9"))
        with pytest.raises(httpx.RemoteProtocolError):  # a guest's stream is given up for a phone's connection
            list(guest)
        assert is_open(idle)
        assert key(phone) == 204


def test_an_address_of_a_phone_is_known_for_an_hour() -> None:
    now = 0.0
    recent = RecentAddresses(clock=lambda: now)
    recent.note("192.0.2.1")
    now = 3599.0
    assert "192.0.2.1" in recent
    now = 3600.0
    assert "192.0.2.1" not in recent
    for number in range(RecentAddresses.MOST):
        recent.note(str(number))
    assert "999" in recent
    assert "192.0.2.1" not in recent


def test_the_page_says_the_address_to_open_here_and_elsewhere(page: PairedPage) -> None:
    assert urlsplit(page.server.local_url).hostname == "127.0.0.1"
    assert urlsplit(page.server.url).hostname == own_address()
