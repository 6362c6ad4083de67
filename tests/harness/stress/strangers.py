"""Strangers on the network: what they try, and how a paired phone plays on while 50 addresses flood the page.

Each line is a row of the table of tries. Nothing that a stranger tries may be accepted.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import httpx

from companion.app.machine.phones import TRIES
from companion.ui.screens.phones import RevokePhone
from companion.web.addresses import own_address
from tests.web.paired_page import PairedPage

from .namespaces import PHONE, STRANGERS, TABLE, NamespaceError, namespaces
from .time_limits import within

ADDRESSES = 50
FLOOD = 20.0
"""Seconds that a flood lasts."""

FLOODING = 100
"""The number of tries from which the page is flooded, too."""

ANSWERED_WITHIN = 1.0
"""Seconds within which the phone's key is answered during a flood, in the median."""

PATHS = ("/key", "/text", "/me", "/", "/events", "/join", "/table", "/p/123456")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "localhost:8080", "LOCALHOST", "127.1.2.3")
FOREIGN = ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.99", "localhost@evil", "")
ORIGINS = ("http://evil.example", "https://evil.example:8080", "null", "file://", "http://localhost.evil.example")
PRESS = {"key": "1"}


def run(times: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    with ExitStack() as stack:
        page = PairedPage()
        stack.callback(page.stop)
        yield _guessing(page, times, chance)
        yield _row("replay of a claim", _replays(page, times))
        yield _row("stolen cookie of a revoked phone", _stolen(page, times))
        yield _row("unpaired requests that change something", _unpaired(page, times, chance))
        yield _row("guessed cookies", _guessed(page, times, chance))
        yield _row("requests of a page elsewhere (Origin)", _cross_origin(page, times, chance))
        yield _row("DNS rebinding (Host)", _rebinding(page, times, chance))
        if own_address() == "127.0.0.1":
            yield "Host of this computer from another address: left out, as there is no network here"
        else:
            yield _row("Host of this computer from another address", _forged(page, times, chance))
    yield from _flooded(seed) if times >= FLOODING else ("the flood from 50 addresses is for make stress",)


def _row(what: str, statuses: Iterable[int]) -> str:
    """Return a row of the table.

    Raises:
        AssertionError: Something was accepted.
    """
    seen = Counter(statuses)
    accepted = sum(count for status, count in seen.items() if status < 400)
    assert accepted == 0, f"{what}: {accepted} of {seen.total()} were accepted: {dict(seen)}"
    refused = ", ".join(f"{count} times {status}" for status, count in sorted(seen.items()))
    return f"{what}: {seen.total()} tries, 0 accepted ({refused})"


def _claim(stranger: httpx.Client, pin: str) -> int:
    return stranger.post("/claim", data={"pin": pin, "name": "Eve"}).status_code


def _guessing(page: PairedPage, times: int, chance: random.Random) -> str:
    """Guess the PINs of many pairings from one address, six times each: the sixth is refused unseen."""
    stranger, accepted, lucky = page.client(), 0, 0
    for _ in range(times):
        pin = page.pin()
        for guess in (f"{chance.randrange(10**6):06}" for _ in range(TRIES + 1)):
            lucky += guess == pin
            accepted += _claim(stranger, guess) < 400
        assert _claim(stranger, pin) == 403, "a sixth PIN of an address was looked at"
    assert accepted == lucky, f"{accepted} wrong PINs were accepted"
    return f"guessing PINs: {TRIES * times} tries, {accepted} accepted ({TRIES} in a million would be luck)"


def _replays(page: PairedPage, times: int) -> Iterator[int]:
    stranger = page.client()
    for _ in range(times):
        pin = page.pin()
        first = page.client()
        assert _claim(first, pin) == 303
        yield from (_claim(stranger, pin) for _ in range(2))
        page.do(lambda: page.pairing.do(RevokePhone(page.pairing.status.paired[0].number)))


def _stolen(page: PairedPage, times: int) -> Iterator[int]:
    for _ in range(times):
        phone = page.paired()
        assert phone.post("/key", json=PRESS).status_code == 204
        page.do(lambda: page.pairing.do(RevokePhone(page.pairing.status.paired[0].number)))
        yield phone.post("/key", json=PRESS).status_code
        yield phone.post("/me", json={"role": "scorer"}).status_code
        yield phone.get("/events").status_code
        phone.close()


def _unpaired(page: PairedPage, times: int, chance: random.Random) -> Iterator[int]:
    stranger = page.client()
    for _ in range(times):
        method, path = chance.choice(("POST", "PUT", "DELETE", "PATCH")), chance.choice(PATHS)
        yield stranger.request(method, path, json=PRESS).status_code


def _guessed(page: PairedPage, times: int, chance: random.Random) -> Iterator[int]:
    known = page.paired().headers["cookie"].removeprefix("companion=")
    stranger = page.client()
    for _ in range(times):
        place = chance.randrange(len(known))
        guesses = (known[:place], known[:place] + chance.choice("ab") * 2 + known[place + 1 :], known.swapcase(), "%00")
        for guess in guesses:
            if guess != known:
                yield stranger.post("/key", json=PRESS, headers={"Cookie": f"companion={guess}"}).status_code
    page.do(lambda: page.pairing.do(RevokePhone(1)))


def _cross_origin(page: PairedPage, times: int, chance: random.Random) -> Iterator[int]:
    """Send requests with a paired phone's cookie, as a page elsewhere would if the browser sent the cookie along."""
    phone, own = page.paired(), page.client(page.pairing.own_secret, host="localhost")
    for _ in range(times):
        for sender in (phone, own):
            headers = chance.choice(({"Origin": chance.choice(ORIGINS)}, {"Sec-Fetch-Site": "cross-site"}))
            path = chance.choice(("/key", "/text", "/me", "/claim"))
            yield sender.post(path, json=PRESS, headers=headers).status_code
    page.do(lambda: page.pairing.do(RevokePhone(1)))


def _rebinding(page: PairedPage, times: int, chance: random.Random) -> Iterator[int]:
    phone = page.paired()
    for _ in range(times):
        host = {"Host": chance.choice(FOREIGN)}
        yield phone.post("/key", json=PRESS, headers=host).status_code
        yield phone.get(chance.choice(PATHS), headers=host).status_code
    page.do(lambda: page.pairing.do(RevokePhone(1)))


def _forged(page: PairedPage, times: int, chance: random.Random) -> Iterator[int]:
    with httpx.Client(base_url=f"http://{own_address()}:{page.server.port}", verify=False) as other:
        for _ in range(times):
            host = {"Host": chance.choice(LOOPBACK)}
            yield other.post("/key", json=PRESS, headers=host).status_code
            yield other.get("/events", headers=host).status_code


def _flooded(seed: int) -> Iterator[str]:
    """Let a phone play alone and then during a flood, each in a network namespace.

    Raises:
        AssertionError: A key of the phone was not answered, or something of a stranger was accepted.
    """
    try:
        with namespaces(ADDRESSES) as made:
            players = "tests.harness.stress.flood_players"
            table = made.start(TABLE, players, "table")
            try:
                assert table.stdout is not None
                secret = json.loads(table.stdout.readline())["secret"]
                alone = made.start(PHONE, players, "phone", secret, str(FLOOD / 4)).communicate()[0]
                flood = made.start(STRANGERS, players, "strangers", str(FLOOD), str(ADDRESSES), str(seed))
                during = made.start(PHONE, players, "phone", secret, str(FLOOD * 0.8)).communicate()[0]
                poured = flood.communicate()[0]
                yield _phone("a paired phone alone", json.loads(alone))
                yield from _flood(json.loads(poured))
                yield _phone(f"the phone while {ADDRESSES} addresses flooded the page", json.loads(during))
                ended = json.loads(table.communicate()[0])
            finally:
                table.kill()
                table.wait()
            assert ended["paired"] == ["Aki"], f"paired at the end: {ended['paired']}"
    except NamespaceError as fault:
        yield f"the flood is left out: {fault}"


def _flood(results: dict[str, dict[str, dict[str, int]]]) -> Iterator[str]:
    assert not results["failed"], results["failed"]
    for way, seen in results["ways"].items():
        tried = sum(seen.values())
        forbidden = seen.get("204", 0) + seen.get("303", 0)
        answers = ", ".join(f"{count} times {status}" for status, count in sorted(seen.items()))
        page = "; 200 is the join page" if "200" in seen else ""
        assert forbidden == 0, f"{way}: {answers}"
        assert re.fullmatch(r"(\d+ times (200|401|403|408|429|hung up on)(, |$))*", answers), f"{way}: {answers}"
        yield f"flood of {way} from {ADDRESSES} addresses: {tried} tries, 0 accepted ({answers}{page})"


def _phone(who: str, results: dict[str, float]) -> str:
    lost = results["keys"] - results["answered"]
    assert lost == 0, f"{who}: {results}"
    assert results["shown"] == results["keys"], f"{who}: {results}"
    assert results["stream ended"] == 0, f"{who}: {results}"
    assert results["median"] < within(ANSWERED_WITHIN) * 1000, f"{who}: {results}"
    return (
        f"{who}: {results['keys']} keys, all answered and shown; answered after {results['median']:.1f} ms (at most "
        f"{results['worst']:.0f} ms), shown after {results['shown median']:.1f} ms (at most "
        f"{results['shown worst']:.0f} ms); its stream never ended"
    )
