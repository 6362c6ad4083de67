"""Oracle of Hipparchus: an independent referee and a random dealer, written from rules and log format alone.

Nothing derived is stored: a round is the raw list of what was entered. Piles, hands, winners and points are computed
from it each time. This is slow on purpose.

* `Book` takes log lines and refuses illegal ones; `snapshot` and `snapshots` return snapshots.
* `Table` deals real hands, kept in the order dealt, and lays blocks from them; `random_game` returns the log.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.oracle.shared import (
    Dealer,
    Log,
    RefusedError,
    check_keys,
    check_whole,
    corrected,
    need,
    some_names,
)

Event = dict[str, Any]
Header = dict[str, Any]
Record = dict[str, Any]
Pile = dict[str, int]

SUITS = ["sun", "moon", "earth"]
OF_A_SUIT = 10
HAND = 14
MOST_LAID = 3
WINS = 2


# --- piles and tricks ---------------------------------------------------------------------------------------


def empty_pile() -> Pile:
    return dict.fromkeys(SUITS, 0)


def winner_of(plays: list[Event], piles: list[Pile]) -> int:
    """Return the seat that takes a trick, by the piles before it."""
    lead, follow = plays
    first: int = lead["player"]
    second: int = follow["player"]
    if lead["suit"] == follow["suit"]:
        return first if lead["count"] > follow["count"] else second
    return first if piles[first][lead["suit"]] < piles[second][follow["suit"]] else second


def points_for(piles: list[Pile]) -> list[int]:
    """Return the points of two piles: per suit, who has more gets the other's number of cards."""
    points = [0, 0]
    for suit in SUITS:
        for seat in (0, 1):
            if piles[seat][suit] > piles[1 - seat][suit]:
                points[seat] += piles[1 - seat][suit]
    return points


# --- one round, computed from the raw record ---------------------------------------------------------------


def new_round(starter: int | None) -> Record:
    """Return a new round; the starter of the first one is not known yet."""
    return {"starter": starter, "tricks": [], "running": [], "closed": None, "whole": None}


def is_coarse(trick: Event) -> bool:
    return "captured" in trick


def has_coarse(record: Record) -> bool:
    """Return whether any trick of the round was entered as a whole."""
    return any(is_coarse(trick) for trick in record["tricks"])


def piles_before(record: Record, number: int) -> list[Pile]:
    """Return the piles after the first ``number`` tricks."""
    piles = [empty_pile(), empty_pile()]
    for trick in record["tricks"][:number]:
        if is_coarse(trick):
            for suit, count in trick["captured"].items():
                piles[trick["winner"]][suit] += count
        else:
            winner = winner_of(trick["plays"], piles)
            for laid in trick["plays"]:
                piles[winner][laid["suit"]] += laid["count"]
    return piles


def winner_in(record: Record, number: int) -> int:
    """Return the winner of a trick (from 0)."""
    trick = record["tricks"][number]
    seat: int = trick["winner"] if is_coarse(trick) else winner_of(trick["plays"], piles_before(record, number))
    return seat


def leader_in(record: Record, number: int) -> int:
    """Return the leader of a trick (from 0), also of the current one."""
    seat: int = record["starter"] if number == 0 else winner_in(record, number - 1)
    return seat


def captured_in(record: Record) -> list[Pile]:
    if record["whole"] is not None:
        return [dict(pile) for pile in record["whole"]["captured"]]
    return piles_before(record, len(record["tricks"]))


def laid_by(record: Record, seat: int) -> int:
    """Return the number of cards a seat laid in plays entered singly."""
    plays = list(record["running"])
    for trick in record["tricks"]:
        plays += trick.get("plays", [])
    return sum(laid["count"] for laid in plays if laid["player"] == seat)


def shown_of(record: Record, suit: str) -> int:
    """Return the number of cards of a suit seen in the round."""
    counts = [pile[suit] for pile in captured_in(record)]
    counts += [laid["count"] for laid in record["running"] if laid["suit"] == suit]
    return sum(counts)


def left_in(record: Record) -> list[int] | None:
    """Return the number of cards in each hand, if known."""
    if has_coarse(record):
        return None
    return [HAND - laid_by(record, 0), HAND - laid_by(record, 1)]


def is_finished(record: Record) -> bool:
    if record["whole"] is not None or record["closed"] is not None:
        return True
    left = left_in(record)
    return record["running"] == [] and left is not None and 0 in left


def second_of(record: Record) -> int | None:
    """Return who laid second in the last completed trick; without one, who was stuck."""
    if record["whole"] is not None:
        seat: int | None = record["whole"].get("second")
        return seat
    if record["tricks"]:
        return 1 - leader_in(record, len(record["tricks"]) - 1)
    stuck: int = record["closed"]["player"]
    return stuck


def result_of(record: Record) -> dict[str, Any]:
    """Return the points and the winner of a finished round."""
    points = points_for(captured_in(record))
    winner = second_of(record)
    if points[0] != points[1]:
        winner = points.index(max(points))
    return {"points": points, "winner": winner}


# --- the whole game -----------------------------------------------------------------------------------------


def results_of(records: list[Record]) -> list[dict[str, Any]]:
    return [result_of(record) for record in records if is_finished(record)]


def wins_of(records: list[Record]) -> list[int]:
    """Return the rounds won, by seat."""
    winners = [result["winner"] for result in results_of(records)]
    return [winners.count(0), winners.count(1)]


def phase_of(records: list[Record]) -> str:
    if max(wins_of(records)) == WINS:
        return "over"
    return "start" if records[-1]["starter"] is None else "play"


def turn_of(record: Record) -> int:
    leader = leader_in(record, len(record["tricks"]))
    return 1 - leader if record["running"] else leader


# --- entering -----------------------------------------------------------------------------------------------


def check_pile(pile: Any, most: int) -> None:
    """Raise unless this is a pile: numbers by suit."""
    need(isinstance(pile, dict), "cards are counted by suit")
    for suit, count in pile.items():
        need(suit in SUITS, f"{suit!r} is no suit")
        check_whole(count, 0, most, suit)


def enter(records: list[Record], event: Event) -> list[Record]:
    """Return new records after one event; the old ones are not changed."""
    phase = phase_of(records)
    need(phase != "over", "the game is over")
    records = [*records[:-1], copy.deepcopy(records[-1])]
    record = records[-1]
    kind = event.get("type")
    if kind == "start":
        need(phase == "start", "nobody is asked for")
        check_keys(event, ["player"], [])
        check_whole(event["player"], 0, 1, "player")
        record["starter"] = event["player"]
    elif kind == "round":
        records[-1] = whole_round(record, event)
    elif kind in ("play", "stuck", "trick", "end"):
        need(phase == "play", "the round has not begun")
        entering = {"play": enter_play, "stuck": enter_stuck, "trick": enter_trick, "end": enter_end}
        entering[kind](record, event)
    else:
        raise RefusedError(f"{kind!r} is no event")
    if is_finished(records[-1]) and phase_of(records) != "over":
        records.append(new_round(result_of(records[-1])["winner"]))
    return records


def enter_play(record: Record, event: Event) -> None:
    check_keys(event, ["player", "suit", "count"], [])
    check_whole(event["player"], 0, 1, "player")
    need(event["player"] == turn_of(record), "the other seat has the turn")
    need(isinstance(event["suit"], str) and event["suit"] in SUITS, f"{event['suit']!r} is no suit")
    check_whole(event["count"], 1, MOST_LAID, "count")
    need(laid_by(record, event["player"]) + event["count"] <= HAND, "so many are not in the hand")
    need(shown_of(record, event["suit"]) + event["count"] <= OF_A_SUIT, "so many are not in the suit")
    for lead in record["running"]:
        need((lead["suit"], lead["count"]) != (event["suit"], event["count"]), "the same suit in the same number")
    record["running"].append({key: event[key] for key in ("player", "suit", "count")})
    if len(record["running"]) == 2:
        record["tricks"].append({"plays": record["running"]})
        record["running"] = []


def enter_stuck(record: Record, event: Event) -> None:
    """Enter that the second player is stuck; the round ends."""
    check_keys(event, ["player"], [])
    check_whole(event["player"], 0, 1, "player")
    need(event["player"] != leader_in(record, len(record["tricks"])), "the leader is never stuck")
    need(record["running"] != [] or has_coarse(record), "nothing was led")
    record["closed"] = {"by": "stuck", "player": event["player"]}


def enter_end(record: Record, event: Event) -> None:
    """Enter the end of a round with unknown hands."""
    check_keys(event, [], [])
    need(has_coarse(record), "the hands are known")
    record["closed"] = {"by": "end"}


def enter_trick(record: Record, event: Event) -> None:
    need(record["running"] == [], "the trick has begun")
    check_keys(event, ["winner", "captured"], [])
    check_whole(event["winner"], 0, 1, "winner")
    check_pile(event["captured"], OF_A_SUIT)
    captured = {suit: count for suit, count in event["captured"].items() if count > 0}
    counts = sorted(captured.values())
    if len(counts) == 1:
        need(3 <= counts[0] <= 5, "one suit shows three to five cards")
    else:
        need(len(counts) == 2, "a trick shows one suit or two")
        need(counts[1] <= MOST_LAID, "each of two suits shows one to three cards")
    for suit, count in captured.items():
        need(shown_of(record, suit) + count <= OF_A_SUIT, "so many are not in the suit")
    trick = {"winner": event["winner"], "captured": captured}
    ways = splits(trick, leader_in(record, len(record["tricks"])), captured_in(record))
    need(ways != [], "by the piles the other seat takes it")
    record["tricks"].append(trick)
    need(sum(sum(pile.values()) for pile in captured_in(record)) <= 2 * HAND, "so many are not in the hands")


def whole_round(record: Record, event: Event) -> Record:
    """Enter a whole round; it replaces everything entered in that round."""
    check_keys(event, ["captured"], ["second"])
    piles = event["captured"]
    need(isinstance(piles, list) and len(piles) == 2, "two piles are needed")
    for pile in piles:
        check_pile(pile, OF_A_SUIT)
        for suit in SUITS:
            need(suit in pile, f"{suit} is missing")
    for suit in SUITS:
        need(sum(pile[suit] for pile in piles) <= OF_A_SUIT, "so many are not in the suit")
    need(sum(sum(pile.values()) for pile in piles) <= 2 * HAND, "so many are not in the hands")
    points = points_for(piles)
    need(points[0] != points[1] or "second" in event, "the points tie: who laid second?")
    if "second" in event:
        check_whole(event["second"], 0, 1, "second")
    fresh = new_round(record["starter"])
    fresh["whole"] = {key: copy.deepcopy(event[key]) for key in ("captured", "second") if key in event}
    return fresh


class Book(Log[list[Record]]):
    """Referee of Hipparchus: takes log lines, refuses illegal ones, returns snapshots."""

    def new(self) -> list[Record]:
        return [new_round(None)]

    def entered(self, state: list[Record], event: Event) -> list[Record]:
        return enter(state, event)

    def phase_in(self, state: list[Record]) -> str:
        return phase_of(state)

    @property
    def plausible(self) -> bool:
        """Whether every event is possible with real hands."""
        records = self.new()
        for event in self.played:
            records = enter(records, event)
            if not all(could_happen(record) for record in records):
                return False
        return True

    def is_doubtful(self, refused: RefusedError) -> bool:
        return "in the hand" in str(refused)  # in a round with unknown hands

    def snapshot(self) -> dict[str, Any]:
        records = self.state
        record = records[-1]
        phase = phase_of(records)
        last_trick = None
        if record["tricks"] and not is_coarse(record["tricks"][-1]):
            number = len(record["tricks"]) - 1
            plays = [dict(laid) for laid in record["tricks"][number]["plays"]]
            last_trick = {"table": plays, "winner": winner_in(record, number)}
        wins = wins_of(records)
        return {
            "game": "hipparchus",
            "phase": phase,
            "round": len(records),
            "turn": turn_of(record) if phase == "play" else None,
            "may_start": [0, 1] if phase == "start" else None,
            "leader": leader_in(record, len(record["tricks"])) if phase == "play" else None,
            "table": [dict(laid) for laid in record["running"]] if phase == "play" else [],
            "last_trick": last_trick,
            "captured": captured_in(record),
            "left": left_in(record) or [None, None],
            "rounds": results_of(records),
            "wins": wins,
            "totals": list(wins),
            "winners": [wins.index(WINS)] if phase == "over" else None,
            "alerts": [],
        }


snapshot = Book.snapshot_of
snapshots = Book.snapshots_of


# --- hands --------------------------------------------------------------------------------------------------


def blocks_of(hand: list[str]) -> list[tuple[str, int, int]]:
    """Return the blocks of a hand: suit, index of the first card, length."""
    blocks: list[tuple[str, int, int]] = []
    for place, suit in enumerate(hand):
        if blocks and blocks[-1][0] == suit:
            _, first, length = blocks[-1]
            blocks[-1] = (suit, first, length + 1)
        else:
            blocks.append((suit, place, 1))
    return blocks


def choices(hand: list[str], lead: Event | None) -> list[tuple[str, int, list[int]]]:
    """Return the legal plays of a hand: suit, number of cards, indices of the cards."""
    found = []
    for suit, first, length in blocks_of(hand):
        counts = [length] if length <= MOST_LAID else [1, 2, 3]
        found += [(suit, count, list(range(first, first + count))) for count in counts]
    if lead is None:
        return found
    following = [choice for choice in found if choice[0] == lead["suit"] and choice[1] != lead["count"]]
    return following or [choice for choice in found if choice[0] != lead["suit"]]


def slips(hand: list[str], lead: Event | None, rng: random.Random) -> list[tuple[str, int, list[int]]]:
    """Return the illegal plays of a hand that nobody will notice."""
    right = [(suit, count) for suit, count, _ in choices(hand, lead)]
    found = []
    for suit in SUITS:
        places = [place for place, each in enumerate(hand) if each == suit]
        for count in range(1, min(len(places), MOST_LAID) + 1):
            same = lead is not None and (lead["suit"], lead["count"]) == (suit, count)
            if not same and (suit, count) not in right:
                found.append((suit, count, sorted(rng.sample(places, count))))
    return found


class Table(Dealer[Book]):
    """Dealer that plays real hands and writes the log."""

    def __init__(self, rng: random.Random, header: Header, **habits: float) -> None:
        super().__init__(rng, header, Book(header), **habits)
        self.hands: list[list[str]] = [[], []]
        self.piles = [empty_pile(), empty_pile()]
        self.coarse_round = False
        self.results: list[dict[str, Any]] = []
        self.endings: list[str] = []
        self.lazy = rng.random() < 0.5

    def play_game(self) -> None:
        """Play until somebody has won two rounds or the table stops."""
        leader = self.rng.randrange(2)
        winners: list[int] = []
        while not self.stopped and max(winners.count(0), winners.count(1)) < WINS:
            leader = self.play_round(leader)
            winners.append(leader)

    def play_round(self, leader: int) -> int:
        self.quiet = self.chance(self.coarse / 2)
        self.hush()
        if not self.results:
            self.write({"type": "start", "player": leader})
        deck = SUITS * OF_A_SUIT
        self.rng.shuffle(deck)
        self.hands = [deck[:HAND], deck[HAND : 2 * HAND]]
        self.piles = [empty_pile(), empty_pile()]
        self.coarse_round = False
        second = 1 - leader
        number = 0
        ending = "hand"
        while ending == "hand" and self.hands[0] and self.hands[1]:
            self.hush()
            winner = self.play_trick(leader)
            if winner is None:
                ending = "stuck"
            else:
                number += 1
                second = 1 - leader
                leader = winner
        if ending == "hand":
            ending = " ".join(
                name for name, seat in [("leader", 1 - second), ("second", second)] if not self.hands[seat]
            )
        self.endings.append(f"{ending} {number}" if ending == "stuck" else ending)
        return self.close_round(ending, second)

    def close_round(self, ending: str, second: int) -> int:
        """Score the round, write the lines still missing, and return the winner."""
        points = points_for(self.piles)
        winner = second if points[0] == points[1] else points.index(max(points))
        self.results.append({"points": points, "winner": winner})
        if self.coarse_round and ending != "stuck" and self.chance(self.coarse):
            self.quiet = True
        if self.quiet:
            whole: Event = {"type": "round", "captured": [dict(pile) for pile in self.piles]}
            if points[0] == points[1] or self.chance(0.5):
                whole["second"] = second
            self.quiet = False
            self.write(whole)
        elif self.coarse_round and ending != "stuck":
            self.write({"type": "end"})
        return winner

    def play_trick(self, leader: int) -> int | None:
        """Play one trick from the hands; return its winner, or None if the second player is stuck."""
        coarse = self.chance(self.coarse)
        lead = self.lay(leader, None)
        assert lead is not None
        if not coarse:
            self.write({"type": "play", **lead})
            self.hush()
        follow = self.lay(1 - leader, lead)
        if follow is None:
            if coarse and self.coarse_round and self.chance(0.5):
                self.write({"type": "end"})
                return None
            if coarse:
                self.write({"type": "play", **lead})
            self.write({"type": "stuck", "player": 1 - leader})
            return None
        winner = winner_of([lead, follow], self.piles)
        taken: Pile = {}
        for laid in (lead, follow):
            taken[laid["suit"]] = taken.get(laid["suit"], 0) + laid["count"]
            self.piles[winner][laid["suit"]] += laid["count"]
        if coarse:
            if self.chance(0.2):
                taken = {**empty_pile(), **taken}
            self.write({"type": "trick", "winner": winner, "captured": taken})
            self.coarse_round = self.coarse_round or not self.quiet
        else:
            self.write({"type": "play", **follow})
        return winner

    def lay(self, player: int, lead: Event | None) -> Event | None:
        """Take a play, usually a legal one, from a hand; None if the player is stuck or believes so."""
        hand = self.hands[player]
        options = choices(hand, lead)
        wrong = slips(hand, lead, self.rng)
        if self.chance(self.misplay):
            if lead is not None and self.chance(0.05):
                return None
            options = wrong or options
        if not options:
            return None
        if self.lazy and self.chance(0.5):
            fewest = min(len(places) for _, _, places in options)
            options = [choice for choice in options if len(choice[2]) == fewest]
        suit, count, places = self.rng.choice(options)
        self.hands[player] = [card for place, card in enumerate(hand) if place not in places]
        return {"player": player, "suit": suit, "count": count}


def random_header(rng: random.Random) -> Header:
    """Return a header with random players; the empty rules are sometimes left out."""
    header: Header = {"format": 1, "game": "hipparchus", "players": some_names(rng, 2)}
    if rng.random() < 0.5:
        header["rules"] = {}
    return header


def random_game(
    rng: random.Random,
    *,
    coarse: float = 0.1,
    misplay: float = 0.05,
    stop: float = 0.001,
    edits: float = 0.0,
    splices: float = 0.0,
    seats: int | None = None,
    **rules: Any,
) -> tuple[Header, list[Event]]:
    assert seats in (None, 2), "two sit at this table"
    assert not rules, "no rule can be chosen"
    header = random_header(rng)
    table = Table(rng, header, coarse=coarse, misplay=misplay, stop=stop)
    table.play_game()
    return header, corrected(rng, Book(header), table.lines, edits, splices, SUITS)


# --- consistency with real hands ----------------------------------------------------------------------------


def splits(trick: Event, leader: int, piles: list[Pile]) -> list[tuple[int, int]]:
    """Return the possible numbers of cards that seats 0 and 1 laid in a trick."""
    laid: list[tuple[Event, Event]] = []
    if not is_coarse(trick):
        laid = [(trick["plays"][0], trick["plays"][1])]
    else:
        pairs = [(suit, count) for suit in trick["captured"] for count in range(1, MOST_LAID + 1)]
        for one in pairs:
            for two in pairs:
                lead = {"player": leader, "suit": one[0], "count": one[1]}
                follow = {"player": 1 - leader, "suit": two[0], "count": two[1]}
                shown = {suit: one[1] * (suit == one[0]) + two[1] * (suit == two[0]) for suit in trick["captured"]}
                fits = one != two and shown == trick["captured"]
                if fits and winner_of([lead, follow], piles) == trick["winner"]:
                    laid.append((lead, follow))
    return [(one["count"], two["count"]) if one["player"] == 0 else (two["count"], one["count"]) for one, two in laid]


def could_happen(record: Record) -> bool:
    """Return whether hands of 14 cards allow what was entered in a round."""
    reached = {(0, 0)}
    for number, trick in enumerate(record["tricks"]):
        ways = splits(trick, leader_in(record, number), piles_before(record, number))
        reached = {
            (one + more, two + others)
            for one, two in reached
            if one < HAND and two < HAND
            for more, others in ways
            if one + more <= HAND and two + others <= HAND
        }
    for lead in record["running"]:
        reached = {both for both in reached if max(both) < HAND and both[lead["player"]] + lead["count"] <= HAND}
    if record["closed"] is not None and (record["closed"]["by"] == "stuck") != (record["running"] != []):
        return False
    return reached != set()
