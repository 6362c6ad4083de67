"""Oracle of Gear: an independent referee and a random dealer, written from rules and log format alone.

Nothing derived is stored: a round is the raw list of what was entered. Standing bids, open hands, tricks, alerts and
points are computed from it each time. This is slow on purpose.

* `Book` takes log lines and refuses illegal ones; `snapshot` and `snapshots` return snapshots.
* `Table` deals real hands and plays them, mostly by the rules; `random_game` returns the log of such a game.
"""

from __future__ import annotations

import copy
import itertools
import random
from typing import Any

from tests.oracle.shared import (
    Log,
    RefusedError,
    RoundDealer,
    check_each,
    check_keys,
    check_seat,
    check_whole,
    corrected,
    leading,
    need,
    rule_of,
    seats_of,
    some_names,
    write_header,
)

Event = dict[str, Any]
Header = dict[str, Any]
Record = dict[str, Any]

COLOURS = ["red", "black"]
NUMBERS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
CARDS = [f"{colour}-{number}" for colour in COLOURS for number in NUMBERS]
COPIES = 2
DECK = CARDS * COPIES
OPEN = 6
HIDDEN = 2
HAND = OPEN + HIDDEN
ACES = 4
POINTS_AT_FIRST = 5
DEFAULTS: dict[str, Any] = {"auction": True, "teams": False, "ending": {"rounds": 4}}


class DoubtfulError(RefusedError):
    """Refusal of a line that the rules text forbids only in general terms."""


def should(fine: bool, reason: str) -> None:
    """Raise `DoubtfulError` unless the condition holds."""
    if not fine:
        raise DoubtfulError(reason)


# --- cards --------------------------------------------------------------------------------------------------


def colour_of(card: str) -> str:
    return card.partition("-")[0]


def number_of(card: str) -> str:
    return card.partition("-")[2]


def is_ace(card: str) -> bool:
    return number_of(card) == "A"


def aces_among(cards: list[str]) -> int:
    return len([card for card in cards if is_ace(card)])


def is_pair(cards: list[str]) -> bool:
    return len(cards) == 2 and number_of(cards[0]) == number_of(cards[1])


def follows(led: list[str], cards: list[str]) -> bool:
    if len(led) == 1:
        return colour_of(cards[0]) == colour_of(led[0])
    colours = sorted(colour_of(card) for card in cards)
    return is_pair(cards) and colours == sorted(colour_of(card) for card in led)


def can_follow(led: list[str], hand: list[str]) -> bool:
    return any(follows(led, list(cards)) for cards in itertools.combinations(hand, len(led)))


def best_of(plays: list[Event]) -> int:
    led = plays[0]["cards"]
    inside = [laid for laid in plays if follows(led, laid["cards"])]
    with_ten = any(number_of(laid["cards"][0]) == "10" for laid in inside)
    ranked = []
    for place, laid in enumerate(inside):
        number = number_of(laid["cards"][0])
        rank = (11 if with_ten else 1) if number == "A" else int(number)
        ranked.append((rank, place, laid["player"]))
    seat: int = max(ranked)[2]
    return seat


# --- header -------------------------------------------------------------------------------------------------


def rule(header: Header, name: str) -> Any:
    return rule_of(header, name, DEFAULTS)


# --- one round, computed from the raw record ---------------------------------------------------------------


def new_round(may_start: list[int]) -> Record:
    """Return a new round; a single candidate starts it without being named."""
    return {
        "may_start": may_start,
        "starter": may_start[0] if len(may_start) == 1 else None,
        "lots": None,
        "bids": [],
        "prices": None,
        "tricks": [],
        "running": [],
        "whole": None,
    }


def holders(header: Header, record: Record) -> list[Event | None]:
    """Return the standing bid on each lot."""
    standing: list[Event | None] = [None] * seats_of(header)
    for bid in record["bids"]:
        standing[bid["lot"]] = bid
    return standing


def takers(header: Header, record: Record) -> list[int | None]:
    """Return the seat that holds each lot, if known."""
    if not rule(header, "auction"):
        known = record["lots"] is not None
        return [seat if known else None for seat in range(seats_of(header))]
    if record["prices"] is not None:
        return list(record["prices"].get("lots", [None] * seats_of(header)))
    return [None if bid is None else bid["player"] for bid in holders(header, record)]


def standing_prices(header: Header, record: Record) -> list[int | None]:
    """Return the standing bid of each seat."""
    if record["whole"] is not None and "prices" in record["whole"]:
        return list(record["whole"]["prices"])
    if record["prices"] is not None:
        return list(record["prices"]["prices"])
    found: list[int | None] = [None] * seats_of(header)
    for bid in holders(header, record):
        if bid is not None:
            found[bid["player"]] = bid["price"]
    return found


def is_sold(header: Header, record: Record) -> bool:
    """Return whether the auction is over; also true if there is none."""
    return not rule(header, "auction") or None not in standing_prices(header, record)


def bidder_now(header: Header, record: Record) -> int:
    seats = seats_of(header)
    bids = record["bids"]
    if len(bids) < seats:
        seat: int = (record["starter"] + 1 + len(bids)) % seats
        return seat
    standing = standing_prices(header, record)
    seat = bids[-1]["player"]
    while standing[seat] is not None:
        seat = (seat + 1) % seats
    return seat


def left_in(record: Record) -> int:
    """Return the number of cards each seat holds at the start of the current trick."""
    if record["whole"] is not None:
        return 0
    return HAND - sum(int(trick["cards"]) for trick in record["tricks"])


def leader_now(record: Record) -> int:
    seat: int = record["tricks"][-1]["winner"] if record["tricks"] else record["starter"]
    return seat


def seat_to_lay(header: Header, record: Record) -> int:
    return (leader_now(record) + len(record["running"])) % seats_of(header)


def is_finished(record: Record) -> bool:
    """Return whether every trick of the round is known."""
    return left_in(record) == 0


def plays_in(record: Record) -> list[Event]:
    """Return every play entered in the round."""
    plays: list[Event] = []
    for trick in record["tricks"]:
        plays += trick["plays"]
    plays += record["running"]
    return plays


def laid_in(record: Record) -> list[str]:
    """Return every card entered in the round."""
    return [card for play in plays_in(record) for card in play["cards"]]


def aces_seen(record: Record) -> int:
    """Return the number of aces laid in the round, in whole tricks as well."""
    coarse = [int(trick["aces"]) for trick in record["tricks"] if not trick["plays"]]
    return aces_among(laid_in(record)) + sum(coarse)


def is_open(header: Header, record: Record) -> bool:
    if record["lots"] is None or not is_sold(header, record):
        return False
    return all(trick["plays"] for trick in record["tricks"])


def hands_after(header: Header, record: Record, plays: list[Event]) -> dict[str, list[list[str]]]:
    """Return the open hands after these plays, open copies laid first; raise if a play is impossible."""
    seats = seats_of(header)
    hands: list[list[str]] = [[] for _ in range(seats)]
    for lot, seat in enumerate(takers(header, record)):
        if seat is not None:
            hands[seat] = list(record["lots"][lot])
    lying = [card for lot in record["lots"] for card in lot]
    hidden: list[list[str]] = [[] for _ in range(seats)]
    for play in plays:
        seat = play["player"]
        for card in play["cards"]:
            if card in hands[seat]:
                hands[seat].remove(card)
                continue
            out_of_hidden = [each for cards in hidden for each in cards]
            copies = lying.count(card) + out_of_hidden.count(card)
            need(copies < COPIES, f"{card} can only come from another's open hand")
            need(len(hidden[seat]) < HIDDEN, f"{card} would be a third card from the hidden hand")
            hidden[seat].append(card)
    return {"open": hands, "hidden": hidden}


def tricks_in(header: Header, record: Record) -> list[int]:
    if record["whole"] is not None:
        return list(record["whole"]["tricks"])
    found = [0] * seats_of(header)
    for trick in record["tricks"]:
        found[trick["winner"]] += trick["cards"]
    return found


def aces_in(header: Header, record: Record) -> list[int]:
    if record["whole"] is not None:
        return list(record["whole"]["aces"])
    found = [0] * seats_of(header)
    for trick in record["tricks"]:
        found[trick["winner"]] += trick["aces"]
    return found


def last_in(record: Record) -> int:
    """Return the winner of the last trick of a finished round."""
    seat: int = record["tricks"][-1]["winner"] if record["whole"] is None else record["whole"]["last"]
    return seat


def revokes_in(header: Header, record: Record, number: int) -> list[Event]:
    """Return the plays that do not follow although the open hand could."""
    if record["lots"] is None or not is_sold(header, record):
        return []
    alerts: list[Event] = []
    before: list[Event] = []
    for trick in [*record["tricks"], {"plays": record["running"]}]:
        if not trick["plays"] and "winner" in trick:
            return alerts
        for play in trick["plays"]:
            led = trick["plays"][0]["cards"]
            hand = hands_after(header, record, before)["open"][play["player"]]
            before.append(play)
            if can_follow(led, hand) and not follows(led, play["cards"]):
                card_no = sum(len(each["cards"]) for each in before if each["player"] == play["player"])
                alerts.append({"kind": "revoke", "round": number, "player": play["player"], "card_no": card_no})
    return alerts


def points_of(header: Header, record: Record) -> list[int]:
    """Return the points of a finished round, prices deducted."""
    points = []
    for seat in range(seats_of(header)):
        tricks = tricks_in(header, record)[seat]
        value = tricks + tricks // 3 + aces_in(header, record)[seat]
        if last_in(record) == seat:
            value += 3
        if tricks == HAND:
            value += 3
        points.append(value - (standing_prices(header, record)[seat] or 0))
    return points


# --- the whole game -----------------------------------------------------------------------------------------


def written(header: Header, records: list[Record]) -> list[list[int]]:
    """Return the recorded scores of the finished rounds."""
    return [points_of(header, record) for record in records if is_finished(record)]


def totals_of(header: Header, records: list[Record]) -> list[int]:
    """Return the totals: initial points and finished rounds, less the prices of the current round."""
    rounds = written(header, records)
    totals = [POINTS_AT_FIRST + sum(points[seat] for points in rounds) for seat in range(seats_of(header))]
    for record in records:
        if is_sold(header, record) and not is_finished(record):
            prices = standing_prices(header, record)
            totals = [total - (price or 0) for total, price in zip(totals, prices, strict=True)]
    return totals


def teams_of(header: Header, records: list[Record]) -> list[int] | None:
    if not rule(header, "teams"):
        return None
    totals = totals_of(header, records)
    return [totals[0] + totals[2], totals[1] + totals[3]]


def alerts_of(header: Header, records: list[Record]) -> list[Event]:
    """Return all alerts, in the order raised."""
    alerts: list[Event] = []
    for index, record in enumerate(records):
        number = index + 1
        if rule(header, "auction") and is_sold(header, record):
            totals = totals_of(header, records[:index])
            for seat, price in enumerate(standing_prices(header, record)):
                if price is not None and price > totals[seat]:
                    alerts.append({"kind": "overbid", "round": number, "player": seat})
        alerts += revokes_in(header, record, number)
    return alerts


def is_over(header: Header, records: list[Record]) -> bool:
    if not is_finished(records[-1]):
        return False
    ending = rule(header, "ending")
    if "target" in ending:
        return max(totals_of(header, records)) >= int(ending["target"])
    return len(records) == int(ending["rounds"])


def winners_of(header: Header, records: list[Record]) -> list[int]:
    """Return the seats with the highest total."""
    teams = teams_of(header, records)
    results = totals_of(header, records) if teams is None else teams * 2
    return [seat for seat, result in enumerate(results) if result == max(results)]


def phase_of(header: Header, records: list[Record]) -> str:
    record = records[-1]
    if is_over(header, records):
        return "over"
    if record["starter"] is None:
        return "start"
    return "play" if is_sold(header, record) else "auction"


# --- entering -----------------------------------------------------------------------------------------------


def check_cards(cards: Any, amount: int) -> None:
    """Raise unless this is a list of this many cards."""
    need(isinstance(cards, list) and len(cards) == amount, f"{amount} cards are needed")
    for card in cards:
        need(isinstance(card, str) and card in CARDS, f"{card!r} is no card")


def enter(header: Header, records: list[Record], event: Event) -> list[Record]:
    """Return new records after one event; the old ones are not changed."""
    phase = phase_of(header, records)
    need(phase != "over", "the game is over")
    records = [*records[:-1], copy.deepcopy(records[-1])]
    record = records[-1]
    kind = str(event.get("type"))
    need(kind in ENTER, f"{kind!r} is no event")
    ENTER[kind](header, record, event, phase)
    if is_finished(records[-1]) and not is_over(header, records):
        records.append(new_round([last_in(records[-1])]))
    return records


def enter_start(header: Header, record: Record, event: Event, phase: str) -> None:
    need(phase == "start", "nobody is asked for")
    check_keys(event, ["player"], [])
    check_seat(header, event["player"])
    record["starter"] = event["player"]


def enter_lots(header: Header, record: Record, event: Event, phase: str) -> None:
    check_keys(event, ["lots"], [])
    seats = seats_of(header)
    need(isinstance(event["lots"], list) and len(event["lots"]) == seats, f"{seats} lots are needed")
    for lot in event["lots"]:
        check_cards(lot, OPEN)
    cards = [card for lot in event["lots"] for card in lot]
    for card in cards:
        need(cards.count(card) <= COPIES, f"{card} lies there too often")
    need(record["lots"] is None, "the lots were entered")
    if rule(header, "auction"):
        need(phase in ("auction", "start"), "the auction is over")
        need(record["bids"] == [], "the bidding has begun")
    else:
        need(record["tricks"] == [] and record["running"] == [], "cards were laid")
    should(phase != "start", "the starter is not named yet")
    record["lots"] = copy.deepcopy(event["lots"])


def enter_bid(header: Header, record: Record, event: Event, phase: str) -> None:
    """Enter a bid on a lot; it pushes off the holder."""
    need(phase == "auction", "no bid can be made now")
    check_keys(event, ["player", "lot", "price"], [])
    check_seat(header, event["player"])
    check_whole(event["lot"], 0, seats_of(header) - 1, "lot")
    check_whole(event["price"], 0, None, "price")
    need(event["player"] == bidder_now(header, record), "another seat has the turn")
    held = holders(header, record)[event["lot"]]
    need(held is None or event["price"] > held["price"], "the bid is not higher")
    record["bids"].append({key: event[key] for key in ("player", "lot", "price")})


def enter_prices(header: Header, record: Record, event: Event, phase: str) -> None:
    need(phase == "auction", "there is no auction now")
    need(record["bids"] == [], "the bidding has begun")
    check_keys(event, ["prices"], ["lots"])
    check_each(event["prices"], seats_of(header), None, "prices")
    need(("lots" in event) == (record["lots"] is not None), "who gets which lot goes with entered lots")
    if "lots" in event:
        check_each(event["lots"], seats_of(header), seats_of(header) - 1, "lots")
        need(sorted(event["lots"]) == list(range(seats_of(header))), "each seat gets one lot")
    record["prices"] = {key: list(event[key]) for key in ("prices", "lots") if key in event}


def enter_play(header: Header, record: Record, event: Event, phase: str) -> None:
    need(phase == "play", "no card can be laid now")
    check_keys(event, ["player", "cards"], [])
    check_seat(header, event["player"])
    need(event["player"] == seat_to_lay(header, record), "another seat has the turn")
    cards = event["cards"]
    running = record["running"]
    if running:
        check_cards(cards, len(running[0]["cards"]))
    else:
        need(isinstance(cards, list) and 1 <= len(cards) <= 2, "one card is led, or two")
        check_cards(cards, len(cards))
        need(len(cards) == 1 or is_pair(cards), "two cards led are of one number")
        need(len(cards) <= left_in(record), "so many cards are not left")
    laid = laid_in(record) + cards
    for card in cards:
        need(laid.count(card) <= COPIES, f"{card} was seen too often")
    need(aces_seen(record) + aces_among(cards) <= ACES, "so many aces there are not")
    play = {"player": event["player"], "cards": list(cards)}
    if is_open(header, record):
        hands_after(header, record, [*plays_in(record), play])
    running.append(play)
    if len(running) == seats_of(header):
        aces = aces_among([card for each in running for card in each["cards"]])
        close_trick(header, record, best_of(running), len(cards), aces)


def enter_trick(header: Header, record: Record, event: Event, phase: str) -> None:
    need(phase == "play", "no trick can be entered now")
    need(record["running"] == [], "the trick has begun")
    check_keys(event, ["winner", "cards", "aces"], [])
    check_seat(header, event["winner"])
    check_whole(event["cards"], 1, 2, "cards")
    need(event["cards"] <= left_in(record), "so many cards are not left")
    check_whole(event["aces"], 0, ACES - aces_seen(record), "aces")
    need(event["aces"] <= event["cards"] * seats_of(header), "more aces than cards")
    close_trick(header, record, event["winner"], event["cards"], event["aces"])


def close_trick(header: Header, record: Record, winner: int, cards: int, aces: int) -> None:
    """Move the current trick to the finished ones."""
    record["tricks"].append({"plays": record["running"], "winner": winner, "cards": cards, "aces": aces})
    record["running"] = []
    if is_finished(record) and len(DECK) == HAND * seats_of(header):
        should(sum(aces_in(header, record)) == ACES, "every ace is in play")


def enter_round(header: Header, record: Record, event: Event, _phase: str) -> None:
    """Enter a whole round; it replaces everything entered in that round except a finished auction."""
    seats = seats_of(header)
    sold = rule(header, "auction") and is_sold(header, record)
    wanted = ["tricks", "aces", "last"]
    if rule(header, "auction") and not sold:
        wanted.append("prices")
    check_keys(event, wanted, [])
    check_each(event["tricks"], seats_of(header), HAND, "tricks")
    check_each(event["aces"], seats_of(header), ACES, "aces")
    need(sum(event["tricks"]) == HAND, "the tricks do not add up")
    need(sum(event["aces"]) <= ACES, "so many aces there are not")
    if len(DECK) == HAND * seats:
        need(sum(event["aces"]) == ACES, "every ace is in play")
    for tricks, aces in zip(event["tricks"], event["aces"], strict=True):
        need(aces == 0 or tricks > 0, "aces need a trick")
        should(aces <= tricks * seats, "more aces than cards")
    check_seat(header, event["last"])
    need(event["tricks"][event["last"]] > 0, "the winner of the last trick has a trick")
    if "prices" in wanted:
        check_each(event["prices"], seats_of(header), None, "prices")
    kept = {key: record[key] for key in ("starter", *("bids", "prices") * sold)}
    whole = {key: copy.deepcopy(event[key]) for key in wanted}
    record.update({**new_round(record["may_start"]), **kept, "whole": whole})


ENTER = {
    "start": enter_start,
    "lots": enter_lots,
    "bid": enter_bid,
    "prices": enter_prices,
    "play": enter_play,
    "trick": enter_trick,
    "round": enter_round,
}


class Book(Log[list[Record]]):
    """Referee of Gear: takes log lines, refuses illegal ones, returns snapshots."""

    def new(self) -> list[Record]:
        return [new_round(list(range(seats_of(self.header))))]

    def entered(self, state: list[Record], event: Event) -> list[Record]:
        return enter(self.header, state, event)

    def phase_in(self, state: list[Record]) -> str:
        return phase_of(self.header, state)

    def winners_in(self, found: dict[str, Any]) -> list[int]:
        return leading(found["totals"] if found["teams"] is None else found["teams"] * 2)

    def is_doubtful(self, refused: RefusedError) -> bool:
        return isinstance(refused, DoubtfulError)

    def snapshot(self) -> dict[str, Any]:
        header, records = self.header, self.state
        phase = phase_of(header, records)
        record = records[-1]
        seats = seats_of(header)
        turn = leader = None
        if phase == "auction":
            turn = bidder_now(header, record)
        if phase == "play":
            turn, leader = seat_to_lay(header, record), leader_now(record)
        left = [left_in(record)] * seats
        for play in record["running"]:
            left[play["player"]] -= len(play["cards"])
        last_trick = None
        if record["tricks"] and record["tricks"][-1]["plays"]:
            latest = record["tricks"][-1]
            last_trick = {"table": copy.deepcopy(latest["plays"]), "winner": latest["winner"]}
        return {
            "game": "gear",
            "phase": phase,
            "round": len(records),
            "turn": turn,
            "may_start": list(record["may_start"]) if phase == "start" else None,
            "starter": record["starter"],
            "leader": leader,
            "lots": takers(header, record),
            "prices": standing_prices(header, record),
            "table": copy.deepcopy(record["running"]),
            "last_trick": last_trick,
            "left": left,
            "tricks": tricks_in(header, record),
            "aces": aces_in(header, record),
            "rounds": written(header, records),
            "totals": totals_of(header, records),
            "teams": teams_of(header, records),
            "winners": winners_of(header, records) if phase == "over" else None,
            "alerts": alerts_of(header, records),
        }


snapshot = Book.snapshot_of
snapshots = Book.snapshots_of


# --- dealing ------------------------------------------------------------------------------------------------


class Table(RoundDealer[Book]):
    """Dealer that plays real hands and writes the log."""

    def __init__(self, rng: random.Random, header: Header, **habits: float) -> None:
        super().__init__(rng, header, Book(header), **habits)
        self.misplays: list[dict[str, int]] = []
        self.rounds: list[list[int]] = []
        self.show_lots = rng.choice([0.0, 0.5, 1.0, 1.0])
        self.dearly = rng.choice([0.0, 0.0, 0.1])
        self.pairs = rng.choice([0.2, 0.6, 0.9])
        self.strong = rng.choice([None, None, rng.randrange(self.seats)])

    def play_round(self) -> None:
        self.quiet = self.chance(self.coarse / 3)
        record = self.book.state[-1]
        leader = record["starter"]
        if leader is None:
            leader = self.rng.randrange(self.seats)
            self.write({"type": "start", "player": leader})
        cards = list(DECK)
        self.rng.shuffle(cards)
        hidden = [[cards.pop() for _ in range(HIDDEN)] for _ in range(self.seats)]
        lots = [[cards.pop() for _ in range(OPEN)] for _ in range(self.seats)]
        self.hush()
        known = self.chance(self.show_lots)
        if known:
            self.write({"type": "lots", "lots": copy.deepcopy(lots)})
        self.hush()
        prices, mine = [0] * self.seats, list(range(self.seats))
        if rule(self.header, "auction"):
            prices, mine = self.sell(leader, known)
        hands = [{"open": list(lots[mine[seat]]), "hidden": hidden[seat]} for seat in range(self.seats)]
        won, aces = [0] * self.seats, [0] * self.seats
        while sum(won) < HAND:
            self.hush()
            laid = self.play_trick(leader, hands, HAND - sum(won))
            leader = best_of(laid)
            won[leader] += len(laid[0]["cards"])
            aces[leader] += aces_among([card for play in laid for card in play["cards"]])
        points = [won[seat] + won[seat] // 3 + aces[seat] - prices[seat] for seat in range(self.seats)]
        points[leader] += 6 if won[leader] == HAND else 3
        self.rounds.append(points)
        if self.quiet and not self.stopped:
            whole: Event = {"type": "round", "tricks": won, "aces": aces, "last": leader}
            if not is_sold(self.header, self.book.state[-1]):
                whole["prices"] = prices
            self.quiet = False
            self.write(whole)

    def offer(self, over: int | None) -> int:
        """Return a random bid above the standing one."""
        if over is not None:
            return over + self.rng.choice([1, 1, 1, 2])
        if self.chance(self.dearly):
            return self.rng.randint(6, 12)
        return self.rng.choice([0, 0, 0, 1, 1, 2, 3])

    def sell(self, starter: int, known: bool) -> tuple[list[int], list[int]]:
        """Hold the auction; return the price and the lot of each seat."""
        coarse = self.chance(self.coarse * 2)
        held: dict[int, tuple[int, int]] = {}
        waiting = [(starter + 1 + step) % self.seats for step in range(self.seats)]
        while waiting:
            if not coarse:
                self.hush()
            seat = waiting.pop(0)
            lot = self.rng.randrange(self.seats)
            if lot in held and self.chance(0.4):
                lot = self.rng.choice([each for each in range(self.seats) if each not in held])
            price = self.offer(held[lot][1] if lot in held else None)
            held[lot] = (seat, price)
            if not coarse:
                self.write({"type": "bid", "player": seat, "lot": lot, "price": price})
            if not waiting:
                round_from = [(seat + step) % self.seats for step in range(1, self.seats)]
                settled = [player for player, _ in held.values()]
                waiting = [player for player in round_from if player not in settled][:1]
        prices, mine = [0] * self.seats, [0] * self.seats
        for lot, (seat, price) in held.items():
            prices[seat], mine[seat] = price, lot
        if coarse:
            event: Event = {"type": "prices", "prices": prices}
            if known:
                event["lots"] = [held[lot][0] for lot in range(self.seats)]
            self.write(event)
        return prices, mine

    def lead(self, hand: list[str]) -> list[str]:
        pairs = [list(cards) for cards in itertools.combinations(hand, 2) if is_pair(list(cards))]
        if pairs and self.chance(self.pairs):
            return self.rng.choice(pairs)
        return [self.rng.choice(hand)]

    def answer(self, led: list[str], hand: dict[str, list[str]], player: int, plays: list[Event]) -> list[str]:
        """Return the cards to lay after the lead; an illegal play is recorded."""
        ways = [list(cards) for cards in itertools.combinations(hand["open"] + hand["hidden"], len(led))]
        right = [cards for cards in ways if follows(led, cards)]
        other = [cards for cards in ways if not follows(led, cards)]
        bound = can_follow(led, hand["open"])
        if bound and other and self.chance(self.misplay):
            card_no = HAND - len(hand["open"] + hand["hidden"]) + len(led)
            self.misplays.append({"round": len(self.rounds) + 1, "player": player, "card_no": card_no})
            return self.rng.choice(other)
        if right and (bound or not other or self.chance(0.5)):
            winning = [cards for cards in right if best_of([*plays, {"player": player, "cards": cards}]) == player]
            if winning and (self.strong == player or self.chance(0.3)):
                return self.rng.choice(winning)
            if self.strong not in (None, player):
                losing = [cards for cards in right if cards not in winning]
                return self.rng.choice(losing or right)
            return self.rng.choice(right)
        return self.rng.choice(other)

    def play_trick(self, leader: int, hands: list[dict[str, list[str]]], left: int) -> list[Event]:
        coarse = self.chance(self.coarse / 2)
        laid: list[Event] = []
        for step in range(self.seats):
            player = (leader + step) % self.seats
            hand = hands[player]
            if laid and not coarse:
                self.hush()
            if laid:
                cards = self.answer(laid[0]["cards"], hand, player, laid)
            else:
                cards = self.lead(hand["open"] + hand["hidden"])
            for card in cards:
                (hand["open"] if card in hand["open"] else hand["hidden"]).remove(card)
            self.rng.shuffle(cards)
            laid.append({"player": player, "cards": cards})
            if not coarse:
                self.write({"type": "play", "player": player, "cards": list(cards)})
        assert all(len(hand["open"] + hand["hidden"]) == left - len(laid[0]["cards"]) for hand in hands)
        if coarse:
            aces = aces_among([card for play in laid for card in play["cards"]])
            self.write({"type": "trick", "winner": best_of(laid), "cards": len(laid[0]["cards"]), "aces": aces})
        return laid


def random_header(rng: random.Random, seats: int | None = None, **rules: Any) -> Header:
    """Return a header with random players and rules, except those given; some defaults are left out."""
    if seats is None:
        seats = 4 if rules.get("teams") else rng.choice([2, 3, 4, 5])
    names = some_names(rng, seats)
    endings = [{"rounds": 4}, {"rounds": 4}, {"rounds": rng.randint(1, 5)}, {"target": 30}]
    endings.append({"target": rng.randint(1, 35)})
    chosen: dict[str, Any] = {
        "auction": rng.random() < 0.7,
        "teams": seats == 4 and rng.random() < 0.4,
        "ending": rng.choice(endings),
    }
    chosen.update({name: value for name, value in rules.items() if value is not None})
    return write_header(rng, "gear", names, chosen, DEFAULTS)


def random_game(
    rng: random.Random,
    *,
    coarse: float = 0.1,
    misplay: float = 0.05,
    stop: float = 0.001,
    edits: float = 0.0,
    splices: float = 0.0,
    seats: int | None = None,
    most_rounds: int = 12,
    **rules: Any,
) -> tuple[Header, list[Event]]:
    header = random_header(rng, seats, **rules)
    table = Table(rng, header, coarse=coarse, misplay=misplay, stop=stop)
    table.play_game(most_rounds)
    return header, corrected(rng, Book(header), table.lines, edits, splices, CARDS)
