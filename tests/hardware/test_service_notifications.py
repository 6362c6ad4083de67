"""Notifications to the service manager, over a real datagram socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from hardware.system import ALIVE, READY, STOPPING, notify, status, watchdog_seconds
from tests.waiting import LAST_RESORT


@contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(LAST_RESORT)
        manager.bind(address)
        yield manager


@pytest.mark.parametrize(
    ("states", "heard"),
    [
        ((READY, status("Eternity, round 2")), b"READY=1\nSTATUS=Eternity, round 2"),
        ((STOPPING, status("the panel\nREADY=0")), b"STOPPING=1\nSTATUS=the panel READY=0"),
        ((status("no file \udcff"),), b"STATUS=no file ?"),
    ],
    ids=["all that is told together", "words in several lines", "words with half a character in them"],
)
def test_a_manager_hears_what_it_is_told_in_one_message(tmp_path: Path, states: tuple[str, ...], heard: bytes) -> None:
    path = str(tmp_path / "notify")
    with listening(path) as manager:
        notify(*states, environment={"NOTIFY_SOCKET": path})
        assert manager.recv(4096) == heard


def test_a_manager_with_an_abstract_name_hears_it_too() -> None:
    name = f"companion-test-{os.getpid()}"
    with listening("\0" + name) as manager:
        notify(ALIVE, environment={"NOTIFY_SOCKET": "@" + name})
        assert manager.recv(4096) == b"WATCHDOG=1"


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1"}])
def test_without_a_manager_nothing_happens(environment: dict[str, str]) -> None:
    notify(READY, environment=environment)


def test_a_manager_that_is_gone_is_no_fault(tmp_path: Path) -> None:
    notify(READY, environment={"NOTIFY_SOCKET": str(tmp_path / "gone")})


def test_a_manager_that_does_not_listen_is_not_waited_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.system.SOCKET_PATIENCE", 0.01)
    path = str(tmp_path / "notify")
    with listening(path), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as crowd:
        crowd.setblocking(False)
        with suppress(BlockingIOError):
            while True:  # until the socket is full
                crowd.sendto(b"noise", path)
        notify(READY, environment={"NOTIFY_SOCKET": path})


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getpid())}, 0.5),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getppid())}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "1"}, None),  # too short
        ({"WATCHDOG_USEC": "9" * 15}, 999999999.999999),
        ({"WATCHDOG_USEC": "9" * 16}, None),  # too long
        ({"WATCHDOG_USEC": "9" * 5000}, None),
    ],
)
def test_the_watchdog_is_fed_as_often_as_the_manager_asks(environment: dict[str, str], seconds: float | None) -> None:
    assert watchdog_seconds(environment) == seconds
