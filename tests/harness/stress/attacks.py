"""Attacks of a hostile guest in the network: on pairing, on the page's availability, on what loopback is trusted with.

Each was possible once. Those on other parts are tried elsewhere: `ELSEWHERE` lists them.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock, patch

import httpx
from uvicorn.server import ServerState

from companion.app.machine.phones import ADDRESSES, REPEATS, TRIES
from companion.ui.screens.phones import RevokePhone
from companion.web.limits import Limits
from companion.web.page_mirror import PageMirror
from companion.web.server import serve
from tests.waiting import LAST_RESORT
from tests.web.easy_limits import EASY
from tests.web.paired_page import PairedPage

from . import floods
from .namespaces import PHONE, STRANGERS, TABLE, NamespaceError, Namespaces, namespaces
from .time_limits import within

WHOLE = 8
"""The number of honest pairings from which floods are poured, too, in network namespaces."""

SECONDS = 6.0
"""Seconds that a phone is measured in each flood."""

ANSWERED_WITHIN = 0.1
"""Seconds within which 95 of 100 keys of a phone are answered in each flood."""

PLAYERS = "tests.harness.stress.flood_players"

ELSEWHERE = {
    "the service's user as root by polkit": "tests/systemd",
    "phones in a backup": "tests/journal",
    "code in the service's home, links of root": "tests/systemd, tests/installation",
    "terminal escapes, endless and strange files": "tests/history, tests/test_examples.py",
}
"""Where other attacks are tried."""

PROXIES: dict[str, dict[str, str]] = {
    "Forwarded": {"Forwarded": "for=192.0.2.9"},
    "Via": {"Via": "1.1 proxy"},
    "X-Forwarded-For": {"X-Forwarded-For": "192.0.2.9"},
    "X-Forwarded-Host": {"X-Forwarded-Host": "box.example"},
    "X-Forwarded-Proto": {"X-Forwarded-Proto": "https"},
    "X-Forwarded-Server": {"X-Forwarded-Server": "proxy"},
    "X-Real-IP": {"X-Real-IP": "192.0.2.9"},
    "CF-Connecting-IP": {"CF-Connecting-IP": "192.0.2.9"},
    "Tailscale-User-Login": {"Tailscale-User-Login": "eve@example"},
    "True-Client-IP": {"True-Client-IP": "192.0.2.9"},
}
"""The headers by which usual proxies can be known."""


def run(times: int, _seed: int) -> Iterator[str]:
    """Run the chapter with so many honest pairings."""
    yield _guesses()
    yield _whole_network(times)
    yield from _proxies()
    yield _roles()
    yield _unbounded()
    yield _history()
    yield _dripped()
    for what, where in ELSEWHERE.items():
        yield f"{what}: tried in {where}"
    if times < WHOLE:
        yield "the floods in network namespaces are for make stress"
        return
    try:
        with namespaces(floods.ADDRESSES) as made:
            for flood in ("1 address that claims", "250 addresses that claim"):
                for field in ("token", "pin"):
                    yield _joins(made, flood, field, times)
            for flood in ("", *floods.FLOODS):
                yield _played(made, flood)
    except NamespaceError as fault:
        yield f"the floods are left out: {fault}"


# in this process


def _guesses() -> str:
    """Guess a PIN from many addresses until nobody may try any more.

    Raises:
        AssertionError: More tries were taken than promised.
    """
    with ExitStack() as stack:
        page = _page(stack)
        pin = page.pin()
        wrong = f"{(int(pin) + 1) % 1_000_000:06}"
        claim, pairing = page.pairing.claim, page.pairing

        def guess() -> None:
            for number in range(2 * ADDRESSES):
                for _ in range(2 * TRIES):
                    claim(wrong, "Eve", address=f"10.0.{number // 256}.{number % 256}")

        page.do(guess)
        assert pairing.pin is not None
        tried = sum(pairing.pin.wrong.values())
        assert tried <= ADDRESSES + REPEATS, f"{tried} PINs were looked at"
        page.do(lambda: claim(pin, "Eve", address="10.0.9.9"))
        assert not pairing.status.paired, "a PIN pairs after too many tries"
        return f"guesses of a PIN from {2 * ADDRESSES} addresses: {tried} looked at, a chance of {tried / 1e6:.2%}"


def _whole_network(times: int) -> str:
    """Use up the rates of strangers from 60 addresses, then pair new phones by link and by PIN.

    Raises:
        AssertionError: An honest phone was not paired.
    """
    with ExitStack() as stack:
        page, paired = _page(stack, Limits()), 0
        for number in range(times):
            page.pin()
            for other in range(60):
                _claims(page, f"127.0.{1 + number}.{1 + other}")
            for place, field in enumerate(("token", "pin")):
                link = page.link()
                code = link[3:] if field == "token" else page.pairing.status.pin
                phone = page.client(address=f"127.1.{1 + number}.{1 + place}")
                opened = link if field == "token" else "/join"
                form, answers = {field: code, "name": "Aki"}, list[int]()
                while 303 not in answers and len(answers) < 8:  # as a person does: what does not come is asked again
                    answers.append(_status(partial(phone.get, opened)))
                    if answers[-1] == 200:
                        answers.append(_status(partial(phone.post, "/claim", data=form)))
                    if answers[-1] not in (200, 303):
                        time.sleep(0.5)
                assert answers[-1] == 303, f"an honest phone was answered {answers}"
                page.do(lambda: page.pairing.do(RevokePhone(page.pairing.status.paired[-1].number)))
                paired += 1
        return f"honest pairings after 60 addresses used up the rates of strangers: {paired} of {paired}"


def _status(ask: Callable[[], httpx.Response]) -> int:
    """Return the status of an answer, or 0 if the server hung up."""
    try:
        return ask().status_code
    except (httpx.NetworkError, httpx.RemoteProtocolError):
        return 0


def _claims(page: PairedPage, address: str) -> None:
    """Claim with wrong PINs until the server hangs up."""
    with httpx.Client(
        base_url=f"http://127.0.0.1:{page.server.port}",
        transport=httpx.HTTPTransport(local_address=address, verify=False),
        timeout=LAST_RESORT,
    ) as stranger:
        while _status(partial(stranger.post, "/claim", data={"pin": "000000"})) not in (0, 429):
            pass


def _proxies() -> Iterator[str]:
    """Ask through usual proxies on this computer, where others reach the page and where they do not.

    Raises:
        AssertionError: A stranger behind a proxy presses a key.
    """
    for host, bare in (("0.0.0.0", True), ("127.0.0.1", False)):
        server = serve(host, 0, lambda _: True, PageMirror())
        seen = Counter[int]()
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=LAST_RESORT) as proxy:
                for headers in (*PROXIES.values(), *([{}] if bare else [])):
                    seen[proxy.post("/key", json={"key": "7"}, headers=headers).status_code] += 1
        finally:
            server.stop()
            assert server.join(LAST_RESORT)
        assert set(seen) == {401}, f"behind proxies, page on {host}: {dict(seen)}"
        yield f"keys through proxies on this computer, page on {host}: {seen.total()} tries, 0 accepted"


def _roles() -> str:
    """Change a phone's role as fast as possible, and count what is kept.

    Raises:
        AssertionError: More was kept than a few changes.
    """
    with ExitStack() as stack:
        page = _page(stack, Limits())
        phone, limits, began = page.paired(), Limits(), time.monotonic()
        with patch.object(page.journal, "keep_setting") as kept:
            for number in range(250):
                phone.post("/me", json={"role": ("spectator", "scorer")[number % 2]})
        most = limits.role.burst + 1 + limits.role.each_second * (time.monotonic() - began)
        assert kept.call_count <= most, f"{kept.call_count} changes were kept"
        return f"250 changes of a phone's role at once: {kept.call_count} kept"


def _unbounded() -> str:
    """Ask for what is answered before a phone is looked for.

    Raises:
        AssertionError: It was answered without end.
    """
    with ExitStack() as stack:
        page, answers = _page(stack, Limits()), list[str]()
        for place, (path, host) in enumerate((("/generate_204", "x.example"), ("/join", "evil.example"))):
            stranger, answered = page.client(address=f"127.0.0.{2 + place}", host=host), 0
            while answered < 500 and _status(partial(stranger.get, path)) not in (0, 429):
                answered += 1
            assert answered <= 2 * Limits().stranger.burst, f"{path} was answered {answered} times"
            answers.append(f"{path} for {host} {answered} times")
        return f"answered at once to one address: {', '.join(answers)}"


def _history() -> str:
    """Let a paired phone ask for pages of the history without end.

    Raises:
        AssertionError: They were answered without end.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        page = PairedPage(Limits(), folder)
        stack.callback(page.stop)
        phone, limits, began = page.paired(), Limits(), time.monotonic()
        seen = Counter(phone.get("/history").status_code for _ in range(100))
        most = limits.history.burst + 1 + limits.history.each_second * (time.monotonic() - began)
        assert seen[200] <= most, f"the history was answered {dict(seen)}"
        return f"100 pages of the history to one phone: {seen[200]} answered, {seen[429]} refused"


def _dripped() -> str:
    """Drip bytes behind long headers, and measure the processor's time for each.

    Raises:
        AssertionError: A byte costs more behind long headers.
    """
    with ExitStack() as stack:
        page = _page(stack)
        short, long = (asyncio.run(_cost(page, length)) for length in (0, 7000))
    assert long < within(0.0001), f"a byte costs {short * 1e6:.0f} µs, and {long * 1e6:.0f} µs behind 7 kB"
    return f"a byte of a header costs {short * 1e6:.0f} µs, and {long * 1e6:.0f} µs behind 7 kB"


async def _cost(page: PairedPage, length: int, count: int = 500) -> float:
    """Return the seconds that a connection needs for each byte of a header of some length."""
    inner, transport = page.server, Mock(asyncio.Transport)
    transport.is_closing.return_value = False
    transport.get_extra_info = {"peername": ("127.0.0.1", 9), "sockname": ("127.0.0.1", 8)}.get
    made: asyncio.Protocol = inner.config.http_protocol_class(  # type: ignore[call-arg]
        config=inner.config, server_state=ServerState(), app_state={}
    )
    made.connection_made(transport)
    made.data_received(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * length)
    began = time.process_time()
    for _ in range(count):
        made.data_received(b"y")
    took = (time.process_time() - began) / count
    made.connection_lost(None)
    return took


def _page(stack: ExitStack, limits: Limits = EASY) -> PairedPage:
    page = PairedPage(limits)
    stack.callback(page.stop)
    return page


# in network namespaces


def _joins(made: Namespaces, flood: str, field: str, times: int) -> str:
    """Pair new phones during a flood of claims.

    Raises:
        AssertionError: One was not paired.
    """
    table = made.start(TABLE, PLAYERS, "table")
    assert table.stdout is not None
    assert table.stdin is not None
    try:
        table.stdout.readline()
        poured = made.start(STRANGERS, "tests.harness.stress.floods", flood, str(3 * times))
        time.sleep(2)
        waits, joined = list[float](), 0
        for number in range(times):
            table.stdin.write("\n")
            table.stdin.flush()
            opened = json.loads(table.stdout.readline())
            code = opened["pin"] if field == "pin" else opened["link"].rpartition("/")[2]
            result = json.loads(made.start(PHONE, PLAYERS, "join", str(2 + number), field, code).communicate()[0])
            joined += result["paired"]
            waits.append(result["seconds"])
        poured.terminate()
        poured.communicate()
        table.communicate()
    finally:
        table.kill()
        table.wait()
    assert joined == times, f"{flood}: {joined} of {times} were paired by {field}"
    return f"{flood}: {joined} of {times} honest phones paired by {field}, after {max(waits):.1f} s at most"


def _played(made: Namespaces, flood: str) -> str:
    """Let a paired phone play during a flood.

    Raises:
        AssertionError: A key was not answered, or too late.
    """
    table = made.start(TABLE, PLAYERS, "table")
    assert table.stdout is not None
    try:
        secret = json.loads(table.stdout.readline())["secret"]
        poured = made.start(STRANGERS, "tests.harness.stress.floods", flood, str(SECONDS + 2)) if flood else None
        time.sleep(1)
        phone = json.loads(made.start(PHONE, PLAYERS, "phone", secret, str(SECONDS)).communicate()[0])
        answers = "" if poured is None else _counted(json.loads(poured.communicate()[0]))
        busy = json.loads(table.communicate()[0])["processor"]
    finally:
        table.kill()
        table.wait()
    assert phone["answered"] == phone["keys"], f"{flood}: {phone}"
    assert phone["p95"] < within(ANSWERED_WITHIN) * 1000, f"{flood}: {phone}"
    return (
        f"a paired phone, {flood or 'alone'}: median {phone['median']:.1f} ms, p95 {phone['p95']:.1f} ms, "
        f"{phone['keys']} keys; the server's processor {busy:.1f} s{answers}"
    )


def _counted(seen: dict[str, int]) -> str:
    """Return the answers of a flood in words."""
    return "".join(f", {count} times {status}" for status, count in sorted(seen.items()))
