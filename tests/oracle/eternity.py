"""Oracle of Eternity: an independent referee and a random dealer, written from rules and log format alone.

Nothing derived is stored: a round is the raw list of what was entered. Columns, trump, trees, alerts and points are
computed from it each time. This is slow on purpose.

* `Book` takes log lines and refuses illegal ones; `snapshot` and `snapshots` return snapshots.
* `Table` deals real hands and plays them, mostly by the rules; `random_game` returns the log of such a game.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.oracle.shared import (
    Log,
    RoundDealer,
    check_each,
    check_keys,
    check_seat,
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

SUITS = ["sea", "sky", "earth"]
DECK = [f"{suit}-{rank}" for suit in SUITS for rank in range(1, 15)]
HAND = {2: 14, 3: 10, 4: 10, 5: 8}
TRICKS = {2: 7, 3: 10, 4: 10, 5: 8}
PLEDGES = {2: 1, 3: 1, 4: 1, 5: 2}
MOST_TREES = {2: 14, 3: 20, 4: 20, 5: 31}
TOKENS = 18
DEFAULTS: dict[str, Any] = {
    "edition": "jp",
    "tiles": ["sea", "sky", "earth"],
    "ending": {"rounds": 3},
    "neutral": "aside",
    "tokens": "substitute",
}


# --- cards --------------------------------------------------------------------------------------------------


def suit_of(card: str) -> str:
    return card.partition("-")[0]


def rank_of(card: str) -> int:
    return int(card.partition("-")[2])


def trees_for(card: str) -> int:
    """Return the trees a card is worth as a pledge."""
    rank = rank_of(card)
    if rank <= 4:
        return 0
    if rank <= 9:
        return 1
    return 2


def trump_for(tiles: list[str], counts: dict[str, int]) -> str | None:
    """Return the suit of the longest column, on a tie the leftmost; None if all are empty."""
    best = None
    for suit in tiles:
        if counts[suit] > 0 and (best is None or counts[suit] > counts[best]):
            best = suit
    return best


def cards_missing(tiles: list[str], counts: dict[str, int], suit: str) -> int:
    """Return how many cards a suit lacks to become trump, found by adding one at a time."""
    extra = 0
    while trump_for(tiles, {**counts, suit: counts[suit] + extra}) != suit:
        extra += 1
    return extra


def best_of(cards: list[Event], trump: str | None) -> int:
    """Return the seat that wins a trick."""
    inside = [laid for laid in cards if not laid["pledge"]]
    for suit in [trump, suit_of(inside[0]["card"])]:
        ranked = [(rank_of(laid["card"]), laid["player"]) for laid in inside if suit_of(laid["card"]) == suit]
        if ranked:
            seat: int = max(ranked)[1]
            return seat
    raise AssertionError("the led card is always there")


def order_from(leader: int, seats: int) -> list[int]:
    """Return the seats that lay the cards of a trick, in order."""
    if seats == 2:
        return [leader, 1 - leader, 1 - leader, leader]
    return [(leader + step) % seats for step in range(seats)]


# --- header -------------------------------------------------------------------------------------------------


def rule(header: Header, name: str) -> Any:
    return rule_of(header, name, DEFAULTS)


# --- one round, computed from the raw record ---------------------------------------------------------------


def new_round(may_start: list[int]) -> Record:
    """Return a new round; a single candidate starts it without being named."""
    starter = may_start[0] if len(may_start) == 1 else None
    return {
        "may_start": may_start,
        "starter": starter,
        "board": None,
        "shown": [],
        "tricks": [],
        "running": {"cards": [], "pair": None},
        "whole": None,
    }


def is_finished(header: Header, record: Record) -> bool:
    """Return whether every trick of the round is known."""
    return record["whole"] is not None or len(record["tricks"]) == TRICKS[seats_of(header)]


def columns_before(header: Header, record: Record, trick: int) -> dict[str, list[str]]:
    """Return the columns at the start of a trick (from 0); for trick 0, the first neutral pair is included."""
    columns: dict[str, list[str]] = {suit: [] for suit in SUITS}
    arrivals: list[str] = []
    if record["whole"] is None:
        arrivals += record["board"] or []
        both = record["tricks"] + [record["running"]]
        if seats_of(header) == 2:
            arrivals += both[0]["pair"] or []
        for index in range(trick):
            arrivals += [laid["card"] for laid in both[index]["cards"] if laid["pledge"]]
            if index > 0 and rule(header, "neutral") == "columns":
                arrivals += both[index]["pair"] or []
    for card in arrivals:
        columns[suit_of(card)].append(card)
    return columns


def counts_before(header: Header, record: Record, trick: int) -> dict[str, int]:
    """Return the column lengths at the start of a trick (from 0)."""
    return {suit: len(cards) for suit, cards in columns_before(header, record, trick).items()}


def trump_in(header: Header, record: Record, trick: int) -> str | None:
    """Return the trump of a trick (from 0)."""
    return trump_for(rule(header, "tiles"), counts_before(header, record, trick))


def leader_now(record: Record) -> int:
    seat: int = record["tricks"][-1]["winner"] if record["tricks"] else record["starter"]
    return seat


def seen_in(record: Record) -> list[str]:
    seen = list(record["board"] or []) + list(record["shown"])
    for trick in record["tricks"] + [record["running"]]:
        seen += trick["pair"] or []
        seen += [laid["card"] for laid in trick["cards"]]
    return seen


def tricks_in(header: Header, record: Record) -> list[int]:
    if record["whole"] is not None:
        return list(record["whole"]["tricks"])
    winners = [trick["winner"] for trick in record["tricks"]]
    return [winners.count(seat) for seat in range(seats_of(header))]


def trees_in(header: Header, record: Record) -> list[int]:
    """Return the trees by seat, pledges in the current trick included."""
    if record["whole"] is not None:
        return list(record["whole"]["trees"])
    trees = [0] * seats_of(header)
    for trick in record["tricks"] + [record["running"]]:
        for laid in trick["cards"]:
            if laid["pledge"]:
                value = trees_for(laid["card"])
                if rule(header, "tokens") == "limited":
                    value = min(value, TOKENS - sum(trees))
                trees[laid["player"]] += value
    return trees


def alerts_in(header: Header, record: Record, number: int) -> list[Event]:
    """Return the alerts of a round, in the order raised."""
    counted = rule(header, "tokens") == "substitute"
    if record["whole"] is not None:
        out = sum(record["whole"]["trees"])
        return [{"kind": "tokens", "round": number, "out": out}] if counted and out > TOKENS else []
    alerts: list[Event] = []
    doubtful: list[dict[str, Any]] = []
    out = 0
    for index, trick in enumerate(record["tricks"] + [record["running"]]):
        trump = trump_in(header, record, index)
        led = None
        for laid in trick["cards"]:
            player, card, suit = laid["player"], laid["card"], suit_of(laid["card"])
            for doubt in list(doubtful):
                if doubt["player"] == player and suit in doubt["lacks"]:
                    doubtful.remove(doubt)
                    alerts.append(
                        {
                            "kind": "revoke",
                            "round": number,
                            "player": player,
                            "trick": doubt["trick"],
                            "shown_in": index + 1,
                            "card": card,
                        }
                    )
            if laid["pledge"]:
                before = out
                out += trees_for(card)
                if counted and before <= TOKENS < out:
                    alerts.append({"kind": "tokens", "round": number, "out": out})
                continue
            if led is None:
                led = suit
            if suit != led:
                lacks = [led] if suit == trump else [led, trump]
                doubtful.append({"player": player, "trick": index + 1, "lacks": lacks})
    return alerts


def points_before_cut(header: Header, record: Record, number: int) -> list[int]:
    """Return a round's points with bonus, before a game to a target cancels the lower ones."""
    bonus = 3 if "target" in rule(header, "ending") else {1: 2, 2: 4, 3: 7}[number]
    points = []
    for tricks, trees in zip(tricks_in(header, record), trees_in(header, record), strict=True):
        if tricks > trees:
            points.append(trees)
        elif tricks < trees:
            points.append(0)
        else:
            points.append(trees + bonus)
    return points


def points_written(header: Header, record: Record, number: int) -> list[int]:
    """Return a round's points as recorded."""
    points = points_before_cut(header, record, number)
    if "target" in rule(header, "ending"):
        return [value if value == max(points) else 0 for value in points]
    return points


# --- the whole game -----------------------------------------------------------------------------------------


def written(header: Header, records: list[Record]) -> list[list[int]]:
    """Return the recorded scores of the finished rounds."""
    return [
        points_written(header, record, number)
        for number, record in enumerate(records, 1)
        if is_finished(header, record)
    ]


def totals_of(header: Header, records: list[Record]) -> list[int]:
    return [sum(points[seat] for points in written(header, records)) for seat in range(seats_of(header))]


def is_over(header: Header, records: list[Record]) -> bool:
    done = len(written(header, records))
    ending = rule(header, "ending")
    if "target" in ending:
        return done > 0 and max(totals_of(header, records)) >= int(ending["target"])
    return done == int(ending["rounds"])


def winners_of(header: Header, records: list[Record]) -> list[int]:
    """Return the winners: most points, then most in the last round, then all still level."""
    last = written(header, records)[-1]
    ranked = [(total, last[seat]) for seat, total in enumerate(totals_of(header, records))]
    return [seat for seat, value in enumerate(ranked) if value == max(ranked)]


def candidates(header: Header, records: list[Record]) -> list[int]:
    """Return the seats that may start the next round."""
    record = records[-1]
    seats = range(seats_of(header))
    if rule(header, "edition") == "fr":
        points = points_before_cut(header, record, len(records))
        return [seat for seat in seats if points[seat] == min(points)]
    if record["whole"] is None:
        return [record["tricks"][-1]["winner"]]
    if "last" in record["whole"]:
        return [record["whole"]["last"]]
    return [seat for seat in seats if record["whole"]["tricks"][seat] > 0]


def phase_of(header: Header, records: list[Record]) -> str:
    record = records[-1]
    if is_over(header, records):
        return "over"
    if record["starter"] is None:
        return "start"
    if seats_of(header) > 2:
        return "play" if record["board"] is not None else "deal"
    wanted = not record["tricks"] or rule(header, "neutral") == "columns"
    return "reveal" if wanted and record["running"]["pair"] is None else "play"


# --- entering -----------------------------------------------------------------------------------------------


def check_fresh(record: Record, cards: Any, amount: int) -> None:
    """Raise if a card does not exist, comes twice or was seen before."""
    need(isinstance(cards, list) and len(cards) == amount, f"{amount} cards are needed")
    seen = seen_in(record)
    for card in cards:
        need(isinstance(card, str) and card in DECK, f"{card!r} is no card")
        need(card not in seen, f"{card} was seen")
        seen.append(card)


def enter(header: Header, records: list[Record], event: Event) -> list[Record]:
    """Return new records after one event; the old ones are not changed."""
    phase = phase_of(header, records)
    need(phase != "over", "the game is over")
    records = [*records[:-1], copy.deepcopy(records[-1])]
    record = records[-1]
    kind = str(event.get("type"))
    need(kind in ENTER, f"{kind!r} is no event")
    ENTER[kind](header, record, event, phase)
    if is_finished(header, records[-1]) and not is_over(header, records):
        records.append(new_round(candidates(header, records)))
    return records


def enter_start(header: Header, record: Record, event: Event, phase: str) -> None:
    need(phase == "start", "nobody is asked for")
    check_keys(event, ["player"], [])
    check_seat(header, event["player"])
    need(event["player"] in record["may_start"], "that seat may not start")
    record["starter"] = event["player"]


def enter_deal(header: Header, record: Record, event: Event, phase: str) -> None:
    """Enter the first two cards of the columns and, with 3 players, the open cards."""
    need(phase == "deal", "nothing is dealt now")
    check_keys(event, ["board"], ["shown"])
    check_fresh(record, event["board"], 2)
    record["board"] = list(event["board"])
    shown = event.get("shown", [])
    check_fresh(record, shown, 10 if seats_of(header) == 3 and shown != [] else 0)
    record["shown"] = list(shown)


def enter_reveal(header: Header, record: Record, event: Event, phase: str) -> None:
    need(seats_of(header) == 2, "there is no neutral pile")
    running = record["running"]
    need(phase in ("reveal", "play"), "nothing is turned up now")
    need(running["cards"] == [] and running["pair"] is None, "the pair was turned up or the trick has begun")
    check_keys(event, ["cards"], [])
    check_fresh(record, event["cards"], 2)
    running["pair"] = list(event["cards"])


def enter_card(header: Header, record: Record, event: Event, phase: str) -> None:
    """Enter one card, played in the trick or pledged."""
    need(phase == "play", "no card can be laid now")
    check_keys(event, ["player", "card"], [])
    check_seat(header, event["player"])
    cards = record["running"]["cards"]
    order = order_from(leader_now(record), seats_of(header))
    need(event["player"] == order[len(cards)], "another seat has the turn")
    check_fresh(record, [event["card"]], 1)
    pledge = event["type"] == "pledge"
    if pledge:
        need(cards != [], "the first card goes into the trick")
        made = [laid for laid in cards if laid["pledge"]]
        need(len(made) < PLEDGES[seats_of(header)], "no pledge is left in this trick")
    cards.append({"player": event["player"], "card": event["card"], "pledge": pledge})
    if len(cards) == len(order):
        winner = best_of(cards, trump_in(header, record, len(record["tricks"])))
        close_trick(record, winner, entered=True)


def enter_trick(header: Header, record: Record, event: Event, phase: str) -> None:
    need(phase == "play", "no trick can be entered now")
    need(record["running"]["cards"] == [], "the trick has begun")
    check_keys(event, ["winner", "pledges"], [])
    seats = seats_of(header)
    check_seat(header, event["winner"], "winner")
    pledges = event["pledges"]
    need(isinstance(pledges, list) and len(pledges) <= PLEDGES[seats], "too many pledges")
    players = []
    for pledge in pledges:
        need(isinstance(pledge, dict) and sorted(pledge) == ["card", "player"], "a pledge has a player and a card")
        check_seat(header, pledge["player"])
        need(pledge["player"] not in players, "a seat pledges once")
        if seats > 2:
            need(pledge["player"] != leader_now(record), "the leader takes part")
            need(pledge["player"] != event["winner"], "the winner takes part")
        players.append(pledge["player"])
    check_fresh(record, [pledge["card"] for pledge in pledges], len(pledges))
    record["running"]["cards"] = [{**pledge, "pledge": True} for pledge in pledges]
    close_trick(record, event["winner"], entered=False)


def close_trick(record: Record, winner: int, entered: bool) -> None:
    """Move the current trick to the finished ones."""
    record["tricks"].append({**record["running"], "winner": winner, "entered": entered})
    record["running"] = {"cards": [], "pair": None}


def enter_round(header: Header, record: Record, event: Event, _phase: str) -> None:
    """Enter a whole round; it replaces everything entered in that round."""
    seats = seats_of(header)
    check_keys(event, ["tricks", "trees"], ["last"])
    for key in ("tricks", "trees"):
        check_each(event[key], seats, 99, key)
    need(sum(event["tricks"]) == TRICKS[seats], "the tricks do not add up")
    most = MOST_TREES[seats]
    if rule(header, "tokens") == "limited":
        most = min(most, TOKENS)
    need(sum(event["trees"]) <= most, "so many trees cannot be pledged")
    if seats > 2:
        for won, trees in zip(event["tricks"], event["trees"], strict=True):
            need(trees <= 2 * (TRICKS[seats] - won), "in a trick that is won nothing is pledged")
    if "last" in event:
        check_seat(header, event["last"], "last")
        need(event["tricks"][event["last"]] > 0, "the winner of the last trick has a trick")
    whole = {key: event[key] for key in ("tricks", "trees", "last") if key in event}
    record.update({**new_round(record["may_start"]), "starter": record["starter"], "whole": whole})


ENTER = {
    "start": enter_start,
    "deal": enter_deal,
    "reveal": enter_reveal,
    "play": enter_card,
    "pledge": enter_card,
    "trick": enter_trick,
    "round": enter_round,
}


class Book(Log[list[Record]]):
    """Referee of Eternity: takes log lines, refuses illegal ones, returns snapshots."""

    def new(self) -> list[Record]:
        return [new_round(list(range(seats_of(self.header))))]

    def entered(self, state: list[Record], event: Event) -> list[Record]:
        return enter(self.header, state, event)

    def phase_in(self, state: list[Record]) -> str:
        return phase_of(self.header, state)

    def winners_in(self, found: dict[str, Any]) -> list[int]:
        last = found["rounds"][-1] if found["rounds"] else found["totals"]
        return leading(list(zip(found["totals"], last, strict=True)))

    def snapshot(self) -> dict[str, Any]:
        header, records = self.header, self.state
        phase = phase_of(header, records)
        record = records[-1]
        seats = seats_of(header)
        finished = len(record["tricks"])
        counts = counts_before(header, record, finished)
        tiles = rule(header, "tiles")
        table = [dict(laid) for laid in record["running"]["cards"]]
        leader = turn = None
        if phase in ("deal", "reveal", "play"):
            leader = leader_now(record)
        if phase in ("reveal", "play"):
            turn = order_from(leader_now(record), seats)[len(table)]
        last_trick = None
        if record["tricks"] and record["tricks"][-1]["entered"]:
            latest = record["tricks"][-1]
            last_trick = {"table": [dict(laid) for laid in latest["cards"]], "winner": latest["winner"]}
        alerts: list[Event] = []
        for number, each in enumerate(records, 1):
            alerts += alerts_in(header, each, number)
        return {
            "game": "eternity",
            "phase": phase,
            "round": len(records),
            "trick": TRICKS[seats] if phase == "over" else finished + 1,
            "turn": turn,
            "may_start": list(record["may_start"]) if phase == "start" else None,
            "leader": leader,
            "dealer": record["starter"],
            "trump": trump_for(tiles, counts),
            "forecast": {suit: cards_missing(tiles, counts, suit) for suit in SUITS},
            "columns": columns_before(header, record, finished),
            "pledges_left": PLEDGES[seats] - len([laid for laid in table if laid["pledge"]]),
            "table": table,
            "last_trick": last_trick,
            "tricks": tricks_in(header, record),
            "trees": trees_in(header, record),
            "rounds": written(header, records),
            "totals": totals_of(header, records),
            "winners": winners_of(header, records) if phase == "over" else None,
            "alerts": alerts,
        }


snapshot = Book.snapshot_of
snapshots = Book.snapshots_of


# --- dealing ------------------------------------------------------------------------------------------------


class Table(RoundDealer[Book]):
    """Dealer that plays real hands and writes the log."""

    def __init__(self, rng: random.Random, header: Header, *, pledge: float = 0.3, **habits: float) -> None:
        super().__init__(rng, header, Book(header), **habits)
        self.pledge = pledge
        self.misplays: list[dict[str, int]] = []
        self.show_open = rng.random() < 0.6
        self.show_pairs = rng.choice([0.0, 0.5, 1.0])
        self.greedy = rng.random() < 0.4

    def play_round(self) -> None:
        self.quiet = self.chance(self.coarse / 3)
        record = self.book.state[-1]
        number = len(self.book.state)
        leader = record["starter"]
        if leader is None:
            leader = self.rng.choice(record["may_start"])
            self.write({"type": "start", "player": leader})
        cards = list(DECK)
        self.rng.shuffle(cards)
        hands = [[cards.pop() for _ in range(HAND[self.seats])] for _ in range(self.seats)]
        self.hush()
        columns: list[str] = []
        if self.seats > 2:
            columns = [cards.pop(), cards.pop()]
            deal: Event = {"type": "deal", "board": list(columns)}
            if self.seats == 3 and self.show_open:
                deal["shown"] = list(cards)
            elif self.chance(0.3):
                deal["shown"] = []
            self.write(deal)
        won, trees = [0] * self.seats, [0] * self.seats
        for trick in range(1, TRICKS[self.seats] + 1):
            self.hush()
            pair: list[str] = []
            if self.seats == 2:
                pair = [cards.pop(), cards.pop()]
                always = trick == 1 or rule(self.header, "neutral") == "columns"
                if always or self.chance(self.show_pairs):
                    self.write({"type": "reveal", "cards": pair})
                if trick == 1:
                    columns += pair
            laid = self.play_trick(number, trick, leader, hands=hands, columns=columns, trees=trees)
            leader = best_of(laid, self.trump(columns))
            won[leader] += 1
            columns += [each["card"] for each in laid if each["pledge"]]
            if self.seats == 2 and trick > 1 and rule(self.header, "neutral") == "columns":
                columns += pair
        if self.quiet and not self.stopped:
            whole: Event = {"type": "round", "tricks": won, "trees": trees}
            if self.chance(0.6):
                whole["last"] = leader
            self.quiet = False
            self.write(whole)

    def trump(self, columns: list[str]) -> str | None:
        suits = [suit_of(card) for card in columns]
        return trump_for(rule(self.header, "tiles"), {suit: suits.count(suit) for suit in SUITS})

    def play_trick(
        self, number: int, trick: int, leader: int, *, hands: list[list[str]], columns: list[str], trees: list[int]
    ) -> list[Event]:
        coarse = self.chance(self.coarse)
        trump = self.trump(columns)
        laid: list[Event] = []
        for player in order_from(leader, self.seats):
            if laid and not coarse:
                self.hush()
            hand = hands[player]
            made = len([each for each in laid if each["pledge"]])
            pledge = laid != [] and made < PLEDGES[self.seats] and self.chance(self.pledge)
            if pledge:
                card = max(hand, key=rank_of) if self.greedy else self.rng.choice(hand)
                value = trees_for(card)
                if rule(self.header, "tokens") == "limited":
                    value = min(value, TOKENS - sum(trees))
                trees[player] += value
            else:
                card = self.rng.choice(hand)
                if laid:
                    right = allowed(hand, suit_of(laid[0]["card"]), trump)
                    wrong = [each for each in hand if each not in right]
                    card = self.rng.choice(right)
                    if wrong and self.chance(self.misplay):
                        card = self.rng.choice(wrong)
                        self.misplays.append({"round": number, "player": player, "trick": trick})
            hand.remove(card)
            laid.append({"player": player, "card": card, "pledge": pledge})
            if not coarse:
                self.write({"type": "pledge" if pledge else "play", "player": player, "card": card})
        if coarse:
            pledges = [{"player": each["player"], "card": each["card"]} for each in laid if each["pledge"]]
            self.write({"type": "trick", "winner": best_of(laid, trump), "pledges": pledges})
        return laid


def allowed(hand: list[str], led: str, trump: str | None) -> list[str]:
    """Return the cards of a hand that may be played in the trick."""
    for suit in (led, trump):
        fitting = [card for card in hand if suit_of(card) == suit]
        if fitting:
            return fitting
    return list(hand)


def random_header(rng: random.Random, seats: int | None = None, **rules: Any) -> Header:
    """Return a header with random players and rules, except those given; some defaults are left out."""
    if seats is None:
        seats = rng.choice([2, 3, 4, 5])
    names = some_names(rng, seats)
    tiles = rng.sample(SUITS, 3)
    ending = rng.choice([{"rounds": 3}, {"rounds": 3}, {"target": 20}, {"target": rng.randint(1, 25)}])
    chosen: dict[str, Any] = {
        "edition": rng.choice(["jp", "fr"]),
        "tiles": tiles,
        "ending": ending,
        "neutral": rng.choice(["aside", "columns"]) if seats == 2 else "aside",
        "tokens": rng.choice(["substitute", "limited"]),
    }
    chosen.update({name: value for name, value in rules.items() if value is not None})
    return write_header(rng, "eternity", names, chosen, DEFAULTS)


def random_game(
    rng: random.Random,
    *,
    coarse: float = 0.1,
    misplay: float = 0.05,
    pledge: float = 0.3,
    stop: float = 0.001,
    edits: float = 0.0,
    splices: float = 0.0,
    seats: int | None = None,
    most_rounds: int = 12,
    **rules: Any,
) -> tuple[Header, list[Event]]:
    header = random_header(rng, seats, **rules)
    table = Table(rng, header, coarse=coarse, misplay=misplay, pledge=pledge, stop=stop)
    table.play_game(most_rounds)
    return header, corrected(rng, Book(header), table.lines, edits, splices, DECK)
