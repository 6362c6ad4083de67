"""Oracle of deeds: what each player did in a finished game, counted from the referees' raw records of its rounds.

Amounts that are 0 for everybody are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.oracle import east_rune, eternity, gear, hipparchus
from tests.oracle.shared import seats_of

Event = dict[str, Any]
Header = dict[str, Any]
Tally = Counter[tuple[str, int]]


def count(header: Header, lines: list[Event]) -> dict[str, tuple[int, ...]]:
    """Return the amount of each deed by seat."""
    module, counted = COUNTED[header["game"]]
    tally: Tally = Counter()
    counted(header, module.Book.of(header, lines).state, tally)
    seats = range(seats_of(header))
    found = {what: tuple(tally[what, seat] for seat in seats) for what in {what for what, _seat in tally}}
    return {what: amounts for what, amounts in found.items() if any(amounts)}


# --- Eternity -----------------------------------------------------------------------------------------------


def of_eternity(header: Header, records: list[Any], tally: Tally) -> None:
    for number, record in enumerate(records, 1):
        tricks, trees = eternity.tricks_in(header, record), eternity.trees_in(header, record)
        for seat in range(seats_of(header)):
            tally["tricks", seat] += tricks[seat]
            tally["trees", seat] += trees[seat]
            if tricks[seat] == trees[seat]:
                tally["kept", seat] += 1
            if tricks[seat] >= trees[seat]:
                tally["scored", seat] += trees[seat]
            else:
                tally["lost", seat] += trees[seat]
        for alert in eternity.alerts_in(header, record, number):
            if alert["kind"] == "revoke":
                tally["revokes", alert["player"]] += 1
        for index in range(len(record["tricks"])):
            of_trick_of_eternity(header, record, index, tally)


def of_trick_of_eternity(header: Header, record: Any, index: int, tally: Tally) -> None:
    """Count the pledges of a trick, and the change of trump after it."""
    last = index == eternity.TRICKS[seats_of(header)] - 1
    before = eternity.trump_in(header, record, index)
    after = eternity.trump_in(header, record, index + 1)
    counts = eternity.counts_before(header, record, index)
    if index > 0 and eternity.rule(header, "neutral") == "columns":
        for card in record["tricks"][index]["pair"]:
            counts[eternity.suit_of(card)] += 1
    without_pledges = eternity.trump_for(eternity.rule(header, "tiles"), counts)
    for laid in record["tricks"][index]["cards"]:
        if not laid["pledge"]:
            continue
        suit, seat = eternity.suit_of(laid["card"]), laid["player"]
        tally["pledges", seat] += 1
        if suit != before:
            tally["bids", seat] += 1
            if not last and suit == after != without_pledges:
                tally["changes", seat] += 1


# --- Gear ---------------------------------------------------------------------------------------------------


def of_gear(header: Header, records: list[Any], tally: Tally) -> None:
    for record in records:
        tricks, aces = gear.tricks_in(header, record), gear.aces_in(header, record)
        prices = [price or 0 for price in gear.standing_prices(header, record)]
        tally["last", gear.last_in(record)] += 1
        for seat in range(seats_of(header)):
            tally["tricks", seat] += tricks[seat]
            tally["aces", seat] += aces[seat]
            tally["paid", seat] += prices[seat]
            if tricks[seat] == 8:
                tally["all", seat] += 1
            if prices[seat] > 0 and prices[seat] >= sorted(prices)[-1]:
                tally["dearest", seat] += 1
        for trick in record["tricks"]:
            if trick["cards"] == 2:
                tally["pairs", trick["winner"]] += 1
    for alert in gear.alerts_of(header, records):
        tally[f"{alert['kind']}s", alert["player"]] += 1


# --- Hipparchus ---------------------------------------------------------------------------------------------


def of_hipparchus(_header: Header, records: list[Any], tally: Tally) -> None:
    for record in records:
        for number in range(len(record["tricks"])):
            tally["tricks", hipparchus.winner_in(record, number)] += 1
        for seat, pile in enumerate(hipparchus.captured_in(record)):
            for suit in hipparchus.SUITS:
                tally[suit, seat] += pile[suit]
        result = hipparchus.result_of(record)
        if result["points"][0] == result["points"][1]:
            tally["ties", result["winner"]] += 1
        closed = record["closed"] or {}
        if closed.get("by") == "stuck":
            tally["stuck", closed["player"]] += 1


# --- East Rune ----------------------------------------------------------------------------------------------


def of_east_rune(header: Header, game: Any, tally: Tally) -> None:
    """Count the deeds of all rounds, and the figures of the end."""
    table = east_rune.lie(header, game)
    for seat in range(seats_of(header)):
        tally["chairs", seat] += table["chairs"][seat]
        tally["monarchs", seat] += table["monarchs"][seat]
        tally["left", seat] += table["hand"][seat]
    field: list[str] = []
    for record in game["rounds"]:
        field += [laid["card"] for laid in east_rune.laid_in(header, record)]
        claim = record["claim"]
        if claim is not None and claim["player"] is not None:
            tally["claims", claim["player"]] += 1
            tally["vassals", claim["player"]] += east_rune.is_vassal(claim["card"])
        for turn in record["turns"]:
            seat = turn["player"]
            tally["vassals", seat] += len([laid for laid in turn["cards"] if east_rune.is_vassal(laid["card"])])
            tally["chained", seat] += max(0, len(turn["cards"]) - 1)
            if turn["end"] == "pass" and not turn["extra"]:
                tally["passes", seat] += 1
        capturer = east_rune.last_vassal_in(record)
        if capturer is not None and east_rune.is_finished(header, record):
            tally["captures", capturer] += 1
            seats = seats_of(header)
            for place in range(len([card for card in field if seats > 2 or east_rune.is_vassal(card)])):
                tally["dealt", (capturer + 1 + place) % seats] += 1
            field = []


COUNTED: dict[str, tuple[Any, Callable[[Header, Any, Tally], None]]] = {
    "eternity": (eternity, of_eternity),
    "gear": (gear, of_gear),
    "hipparchus": (hipparchus, of_hipparchus),
    "east-rune": (east_rune, of_east_rune),
}
