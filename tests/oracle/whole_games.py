"""Referees of Hearts, Spades, Wizard and Skat: points of each round from the lines of a log, written from the rules.

They know nothing of the program: a log's lines are plain dictionaries, a card is its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Lines = list[dict[str, Any]]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def _rank(card: str) -> int:
    rank = card.split("-")[1]
    return RANKS.index(rank) if rank in RANKS else int(rank)


def _taker(trick: list[tuple[int, str]], trump: str | None) -> int:
    """Return who wins a trick of cards with one suit to follow."""
    led = trick[0][1].split("-")[0]
    trumps = [(seat, card) for seat, card in trick if card.split("-")[0] == trump]
    matter = trumps or [(seat, card) for seat, card in trick if card.split("-")[0] == led]
    return max(matter, key=lambda laid: _rank(laid[1]))[0]


def _wizard_taker(trick: list[tuple[int, str]], trump: str | None) -> int:
    for seat, card in trick:
        if card.startswith("wizard"):
            return seat
    rest = [(seat, card) for seat, card in trick if not card.startswith("jester")]
    if not rest:
        return trick[0][0]
    trumps = [laid for laid in rest if laid[1].split("-")[0] == trump]
    led = rest[0][1].split("-")[0]
    matter = trumps or [laid for laid in rest if laid[1].split("-")[0] == led]
    return max(matter, key=lambda laid: int(laid[1].split("-")[1]))[0]


def _rounds(
    lines: Lines, seats: int, trump: str | None, hand: Callable[[int], int], taker: Callable[..., int]
) -> Iterator[dict[str, Any]]:
    """Yield what is known of each round: tricks and cards by seat, and every other answer by its name."""
    number = 1
    said: dict[str, Any] = {}
    tricks, trick = [0] * seats, list[tuple[int, str]]()
    cards: list[list[str]] = [[] for _ in range(seats)]
    for line in lines:
        kind = line["type"]
        if kind == "round":
            yield said | {name: value for name, value in line.items() if name != "type"}
        elif kind == "play":
            trick.append((line["player"], line["card"]))
            if len(trick) < seats:
                continue
            winner = taker(trick, said.get("trump", trump))
            tricks[winner] += 1
            cards[winner] += [card for _seat, card in trick]
            trick = []
            if sum(tricks) < hand(number):
                continue
            yield said | {"tricks": tricks, "cards": cards}
        elif kind == "trick":
            tricks[line["winner"]] += 1
            if sum(tricks) < hand(number):
                continue
            yield said | {"tricks": tricks, "cards": cards}
        else:
            said[kind] = line.get("figures", line.get("suit", line.get("player")))
            continue
        number += 1
        said, tricks, cards, trick = {}, [0] * seats, [[] for _ in range(seats)], []


def hearts(lines: Lines, seats: int) -> list[tuple[int, ...]]:
    """Return the points of each round: a heart 1, the queen of spades 13; all of them go to the others."""
    found = []
    for each in _rounds(lines, seats, None, lambda _round: {3: 17, 4: 13, 5: 10, 6: 8}[seats], _taker):
        taken = each.get("taken") or [
            sum(13 if card == "spades-Q" else card.startswith("hearts") for card in own) for own in each["cards"]
        ]
        if 26 in taken:
            taken = [0 if points == 26 else 26 for points in taken]
        found.append(tuple(taken))
    return found


def spades(lines: Lines, seats: int) -> list[tuple[int, ...]]:
    """Return the points of each round, nil at 100; ten tricks over cost 100."""
    found, bags = list[tuple[int, ...]](), [0, 0]
    for each in _rounds(lines, seats, "spades", lambda _round: 13, _taker):
        bid, won = each["bid"], each["tricks"]
        points = [0, 0]
        for side in (0, 1):
            wanted, made = bid[side] + bid[side + 2], won[side] + won[side + 2]
            for seat in (side, side + 2):
                if bid[seat] == 0:
                    points[side] += 100 if won[seat] == 0 else -100
            if made < wanted:
                points[side] -= 10 * wanted
                continue
            points[side] += 10 * wanted
            for _ in range(made - wanted):
                points[side] += 1
                bags[side] += 1
                if bags[side] == 10:
                    bags[side] = 0
                    points[side] -= 100
        found.append((points[0], points[1], points[0], points[1]))
    return found


def wizard(lines: Lines, seats: int) -> list[tuple[int, ...]]:
    """Return the points of each round: exact bids 20 and 10 a trick, others 10 less for each trick off."""
    found = []
    for each in _rounds(lines, seats, None, lambda number: number, _wizard_taker):
        pairs = zip(each["bid"], each["tricks"], strict=True)
        found.append(tuple(20 + 10 * bid if bid == won else -10 * abs(bid - won) for bid, won in pairs))
    return found


NULLS = {"null": 23, "hand": 35, "open": 46, "open hand": 59}


def skat(lines: Lines, seats: int) -> list[tuple[int, ...]]:
    """Return the points of each round by the value of the game."""
    found, said = [], dict[str, Any]()
    for line in lines:
        if line["type"] == "start":
            continue
        if line["type"] == "round":
            said |= {name: value for name, value in line.items() if name != "type"}
        else:
            said[line["type"]] = line.get("figure", line.get("player"))
        if "won" not in said and said.get("declarer", 0) is not None:
            continue
        points = [0] * seats
        declarer = said.get("declarer")
        if declarer is not None:
            base = said["game"]
            value = base
            if base not in NULLS.values():
                if not said["won"] and "called" not in said:
                    continue
                value = base * (1 + said["tops"] + said["steps"])
                while not said["won"] and value < said["called"]:
                    value += base
            points[declarer] = value if said["won"] else -2 * value
        found.append(tuple(points))
        said = {}
    return found
