"""Limits on the rate of keys from one address and on the number of listeners."""

from __future__ import annotations

import pytest

from companion.web.error_answers import RequestError
from companion.web.limits import Limits, Rate, RateLimit, StrangerRate, StreamLimit


class Hours:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_so_many_at_once_and_then_so_many_a_second() -> None:
    clock = Hours()
    rate = RateLimit(Rate(10, 3), clock)
    assert [rate.take("a") for _ in range(5)] == [True, True, True, False, False]
    clock.now += 0.1
    assert [rate.take("a") for _ in range(2)] == [True, False]
    clock.now += 60
    assert [rate.take("a") for _ in range(4)] == [True, True, True, False]


def test_what_one_address_sends_is_not_held_against_another() -> None:
    rate = RateLimit(Rate(10, 1), Hours())
    assert rate.take("a")
    assert not rate.take("a")
    assert rate.take("b")


def test_refusing_does_not_put_off_the_next_that_may_come() -> None:
    clock = Hours()
    rate = RateLimit(Rate(1, 1), clock)
    rate.take("a")
    for _ in range(9):
        clock.now += 0.1
        assert not rate.take("a")
    clock.now += 0.11
    assert rate.take("a")


def test_a_hundred_thousand_addresses_need_no_more_memory_than_a_few() -> None:
    rate = RateLimit(Rate(10, 1), Hours())
    for number in range(100_000):
        assert rate.take(str(number))
    assert len(rate._buckets) == RateLimit.MOST_SENDERS
    assert not rate.take("99999")


def test_an_address_that_comes_for_the_first_time_gets_through_while_250_others_use_up_the_rate() -> None:
    clock = Hours()
    rate = StrangerRate(Limits(), clock)
    for _ in range(300):
        clock.now += 0.1
        for number in range(250):
            rate.take(f"10.77.1.{number}")
    assert not any(rate.take(f"10.77.1.{number}") for number in range(250))
    assert all(rate.take("10.77.2.2") for _ in range(3))


def test_an_address_that_came_no_more_for_ten_minutes_is_a_newcomer_again() -> None:
    clock = Hours()
    rate = StrangerRate(Limits(strangers=Rate(1e-9, 4), newcomer=1), clock)
    assert [rate.take("a") for _ in range(3)] == [True, True, False]
    clock.now += StrangerRate.FORGET_AFTER
    assert [rate.take("a") for _ in range(2)] == [True, False]


def test_places_are_given_back() -> None:
    places = StreamLimit(Limits(streams=3, streams_each=2, guest_streams=1))
    with places.place("a", False), places.place("a", False):
        for address, free in (("a", False), ("b", True)):
            if free:
                with places.place(address, False):
                    assert len(places) == 3
                    with pytest.raises(RequestError, match="Too many pages"), places.place("c", False):
                        pass
            else:
                with pytest.raises(RequestError, match="Too many pages"), places.place(address, False):
                    pass
    assert len(places) == 0
