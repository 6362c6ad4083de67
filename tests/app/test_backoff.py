"""Retry times after failures."""

from __future__ import annotations

from companion.app.failures import Backoff


def test_the_wait_doubles_up_to_a_limit_and_begins_anew_once_it_works() -> None:
    retry = Backoff(first=0.5, last=1.5)
    for wait in (0.5, 1.0, 1.5, 1.5):
        retry.failed(now=10)
        assert retry.due == 10 + wait
    retry.worked()
    assert retry.due is None
    retry.failed(now=20)
    assert (retry.ready(now=20.4), retry.ready(now=20.5)) == (False, True)
    assert retry.due == 20.5


def test_nothing_is_ready_to_be_tried_again_while_nothing_failed() -> None:
    assert not Backoff(1, 2).ready(now=1e9)
