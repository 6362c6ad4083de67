"""Who directs: this computer's own browser, and who has the password, until another one is drawn or time is over."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from starlette.requests import Request

from companion.club.page_context import LASTS, Directors


def request(host: str = "127.0.0.1:8090", client: str = "127.0.0.1", **headers: str) -> Request:
    named = {"host": host} | {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(
        {
            "type": "http",
            "http_version": "1.1",
            "client": (client, 40000),
            "server": ("127.0.0.1", 8090),
            "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        }
    )


@pytest.fixture
def directors(tmp_path: Path) -> Directors:
    return Directors(tmp_path / "club" / "director.password")


@pytest.mark.parametrize(
    ("sent", "directs"),
    [
        (request(), True),
        (request("localhost:8090"), True),
        (request("[::1]:8090", "::1"), True),
        (request("rebound.example"), False),  # a foreign page's name for this computer
        (request(x_forwarded_for="192.0.2.7"), False),  # a proxy passes it on for somebody else
        (request(client="192.0.2.7"), False),
    ],
)
def test_only_this_computer_directs_without_a_password(directors: Directors, sent: Request, directs: bool) -> None:
    assert directors.direct(sent) is directs


def test_the_password_is_kept_for_its_owner_alone_and_is_typed_as_people_type(
    directors: Directors, tmp_path: Path
) -> None:
    file = tmp_path / "club" / "director.password"
    assert file.stat().st_mode & 0o777 == 0o600
    assert Directors(file).password == directors.password
    assert directors.is_right(f" {directors.password.upper().replace('-', ' ')} ")
    assert not directors.is_right("")
    assert not directors.is_right(directors.password[:-1])
    file.write_text("Nine of Clubs\n", "utf-8")  # somebody's own
    assert Directors(file).is_right("Nine of Clubs")


def test_who_has_signed_in_directs_until_time_is_over_or_another_password_is_drawn(
    directors: Directors, monkeypatch: pytest.MonkeyPatch
) -> None:
    def elsewhere(cookie: str) -> Request:
        return request("club.local", "192.0.2.7", cookie=f"club={cookie}")

    cookie = directors.cookie()
    assert directors.direct(elsewhere(cookie))
    assert not directors.direct(elsewhere(cookie.replace(cookie[0], "9", 1)))  # a later end
    for wrong in ("", "x", "é.é", f"{cookie}0"):
        assert not directors.direct(elsewhere(wrong))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + LASTS + 60)
    assert not directors.direct(elsewhere(cookie))
    monkeypatch.undo()
    directors.draw()
    assert not directors.direct(elsewhere(cookie))
