"""Oracle of East Rune: an independent referee and a random dealer, written from rules and log format alone.

Nothing derived is stored: a game is the raw list of its rounds and turns. Field, columns, hands, points and phase are
computed from it each time. This is slow on purpose.

* `Book` takes log lines and refuses illegal ones; `snapshot` and `snapshots` return snapshots.
* `Table` deals real cards and plays them; `random_game` returns the log of such a game.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.oracle.shared import (
    Dealer,
    Log,
    check_each,
    check_keys,
    check_seat,
    check_whole,
    corrected,
    leading,
    need,
    rule_of,
    seats_of,
    write_header,
)

Event = dict[str, Any]
Header = dict[str, Any]
Record = dict[str, Any]

DOMAINS = ["noon", "dusk", "night", "dawn"]
ATTRIBUTES = ["sacred", "mineral", "animal", "technology", "culture"]
VIRTUES = ["light", "beauty", "reason"]
BLANK_CHAIR = "blank"
BLANK_CARD = "blank-blank"
KINDS = [f"{domain}-{attribute}" for domain in DOMAINS for attribute in ATTRIBUTES]
WORDS = [*KINDS * 3, *(f"{kind}-{virtue}" for kind in KINDS for virtue in VIRTUES), *VIRTUES, "blank", "hand", "front"]
HAND = {2: 6, 3: 8, 4: 6}
VASSALS = 18
MONARCHS = 6
EACH = 2
DEFAULTS: dict[str, Any] = {
    "monarchs": "claimed",
    "blank_chair": False,
    "blank_character": False,
    "sacred_is_mineral": False,
}


# --- cards --------------------------------------------------------------------------------------------------


def is_monarch(card: Any) -> bool:
    if not isinstance(card, str):
        return False
    parts = card.split("-")
    return len(parts) == 3 and parts[0] in DOMAINS and parts[1] in ATTRIBUTES and parts[2] in VIRTUES


def is_plain_vassal(card: Any) -> bool:
    if not isinstance(card, str):
        return False
    parts = card.split("-")
    return len(parts) == 2 and parts[0] in DOMAINS and parts[1] in ATTRIBUTES


def is_vassal(card: Any) -> bool:
    return card == BLANK_CARD or is_plain_vassal(card)


def domain_of(card: str) -> str:
    return card.partition("-")[0]


def virtue_of(monarch: str) -> str:
    return monarch.split("-")[2]


def after(domain: str) -> str:
    return DOMAINS[(DOMAINS.index(domain) + 1) % 4]


# --- header -------------------------------------------------------------------------------------------------


def rule(header: Header, name: str) -> Any:
    return rule_of(header, name, DEFAULTS)


def rounds_of(header: Header) -> int:
    return 7 if rule(header, "blank_chair") else 6


# --- one round, computed from the raw record ---------------------------------------------------------------


def new_game() -> Record:
    return {"starter": None, "rounds": [], "result": None}


def new_round(dealer: int) -> Record:
    return {"dealer": dealer, "turned": None, "claim": None, "turns": []}


def passed_in(record: Record) -> list[int]:
    """Return the seats that have passed, ascending; declining the extra turn does not count."""
    return sorted(turn["player"] for turn in record["turns"] if turn["end"] == "pass" and not turn["extra"])


def last_vassal_in(record: Record) -> int | None:
    """Return the seat that laid the last vassal of the round."""
    player: int | None = None
    claim = record["claim"]
    if claim is not None and claim["player"] is not None and is_vassal(claim["card"]):
        player = claim["player"]
    for turn in record["turns"]:
        for laid in turn["cards"]:
            if is_vassal(laid["card"]):
                player = turn["player"]
    return player


def open_turn(record: Record) -> Record | None:
    """Return the turn that has begun but not ended."""
    if record["turns"] and record["turns"][-1]["end"] is None:
        turn: Record = record["turns"][-1]
        return turn
    return None


def is_decided(header: Header, record: Record) -> bool:
    """Return whether all turns of the round are over, except the extra turn."""
    ordinary = [turn for turn in record["turns"] if not turn["extra"]]
    if not ordinary or ordinary[-1]["end"] is None:
        return False
    out = passed_in(record)
    last = last_vassal_in(record)
    return all(seat in out for seat in range(seats_of(header)) if seat != last)


def is_finished(header: Header, record: Record) -> bool:
    """Return whether the round is over, the extra turn included."""
    if not is_decided(header, record):
        return False
    if last_vassal_in(record) is None:
        return True
    return bool(record["turns"][-1]["extra"]) and record["turns"][-1]["end"] is not None


def acting(header: Header, record: Record) -> int:
    """Return the seat to act, once the turns have begun."""
    running = open_turn(record)
    if running is not None:
        player: int = running["player"]
        return player
    if is_decided(header, record):
        last = last_vassal_in(record)
        assert last is not None
        return last
    if not record["turns"]:
        claim = record["claim"]
        if claim is not None and claim["player"] is not None:
            first: int = claim["player"]
            return first
        dealer: int = record["dealer"]
        return dealer
    seat: int = record["turns"][-1]["player"]
    while True:
        seat = (seat + 1) % seats_of(header)
        if seat not in passed_in(record):
            return seat


def phase_of(header: Header, game: Record) -> str:
    if game["starter"] is None:
        return "start"
    record = game["rounds"][-1]
    if game["result"] is not None or is_finished(header, record):
        return "over"
    if record["turned"] is None:
        return "reveal"
    if seats_of(header) > 2 and record["claim"] is None:
        return "claim"
    running = open_turn(record)
    if running is not None:
        return "extra-chain" if running["extra"] else "chain"
    return "extra" if is_decided(header, record) else "play"


# --- the whole game -----------------------------------------------------------------------------------------


def laid_in(header: Header, record: Record) -> list[Event]:
    """Return the characters laid in the round, in order."""
    found: list[Event] = []
    if seats_of(header) == 2 and record["turned"] is not None:
        found.append({"player": None, "card": record["turned"], "from": "deck"})
    claim = record["claim"]
    if claim is not None and claim["player"] is not None:
        found.append({"player": claim["player"], "card": claim["card"], "from": "hand"})
    for turn in record["turns"]:
        found += [{"player": turn["player"], **laid} for laid in turn["cards"]]
    return found


def lie(header: Header, game: Record) -> Record:
    """Return everything on the table, replayed from the first round."""
    seats = seats_of(header)
    hand = [HAND[seats]] * seats
    if rule(header, "blank_character") and game["starter"] is not None:
        hand[game["starter"]] += 1
    found: Record = {
        "hand": hand,
        "chairs": [0] * seats,
        "monarchs": [0] * seats,
        "front": [[] for _ in range(seats)],
        "field_chairs": [],
        "field": [],
        "dealt": [],
        "turned": [],
        "seen": [],
        "last_chair": None,
    }
    for number, record in enumerate(game["rounds"], 1):
        if record["turned"] is not None:
            found["turned"].append(record["turned"])
            if seats == 2:
                hand[1 - record["dealer"]] += 1
            else:
                found["field_chairs"].append(record["turned"])
        for laid in laid_in(header, record):
            found["field"].append(laid["card"])
            if laid["from"] == "hand":
                hand[laid["player"]] -= 1
                found["seen"].append(laid["card"])
            elif laid["from"] == "front":
                take_from(found["front"][laid["player"]], laid["card"])
        if is_finished(header, record) and last_vassal_in(record) is not None:
            capture(header, found, record, number)
    if game["result"] is not None:
        for key in ("chairs", "monarchs", "hand"):
            found[key] = list(game["result"][key])
        found["last_chair"] = game["result"].get("last_chair")
    return found


def take_from(columns: list[list[str]], card: str) -> None:
    """Take a card off the leftmost column that it tops."""
    place = [column[-1] for column in columns].index(card)
    columns[place].pop()
    if not columns[place]:
        columns.pop(place)


def capture(header: Header, found: Record, record: Record, number: int) -> None:
    """Move the chairs to the capturer and deal out the characters, top card first."""
    seats = seats_of(header)
    capturer = last_vassal_in(record)
    assert capturer is not None
    found["chairs"][capturer] += len(found["field_chairs"])
    cards = list(reversed(found["field"]))
    if seats == 2:
        found["monarchs"][capturer] += len([card for card in cards if is_monarch(card)])
        cards = [card for card in cards if is_vassal(card)]
    found["dealt"] = [{"player": (capturer + 1 + step) % seats, "card": card} for step, card in enumerate(cards)]
    for seat in range(seats):
        mine = [each["card"] for each in found["dealt"] if each["player"] == seat]
        found["monarchs"][seat] += len([card for card in mine if is_monarch(card)])
        column = [card for card in mine if is_vassal(card)]
        if column:
            found["front"][seat].append(column)
    found["field_chairs"] = []
    found["field"] = []
    if number == rounds_of(header):
        found["last_chair"] = capturer


def unclaimed_in(header: Header, game: Record) -> list[Event]:
    """Return every chair that somebody could have claimed but nobody did."""
    if rule(header, "monarchs") == "playable" or rule(header, "blank_chair"):
        return []
    open_chairs = [record["turned"] for record in game["rounds"] if record["claim"] == {"player": None}]
    return [{"kind": "unclaimed", "chair": chair} for chair in open_chairs]


def domain_on(field: list[str]) -> str | None:
    """Return the domain that the top character stands for; None if any may follow."""
    if not field:
        return None
    if field[-1] != BLANK_CARD:
        return domain_of(field[-1])
    under = domain_on(field[:-1])
    return None if under is None else after(under)


def needed_on(field: list[str]) -> str | None:
    """Return the domain that must come next."""
    domain = domain_on(field)
    return None if domain is None else after(domain)


def shares(header: Header, upper: str, lower: str) -> bool:
    """Return whether two cards have the same attribute."""
    if BLANK_CARD in (upper, lower):
        return True
    pair = [upper.split("-")[1], lower.split("-")[1]]
    if rule(header, "sacred_is_mineral"):
        pair = ["mineral" if attribute == "sacred" else attribute for attribute in pair]
    return pair[0] == pair[1]


def totals_of(header: Header, game: Record) -> list[int]:
    """Return the points by seat if the game ended now."""
    seats = seats_of(header)
    table = lie(header, game)
    points = []
    for seat in range(seats):
        monarch = 2 if seats == 2 else 1
        value = 2 * table["chairs"][seat] + monarch * table["monarchs"][seat] - table["hand"][seat]
        if rule(header, "blank_character") and seat == game["starter"]:
            value += 1
        points.append(value)
    return points


def leaders(points: list[int]) -> list[int]:
    """Return the seats with the highest total."""
    return [seat for seat, value in enumerate(points) if value == max(points)]


def winners_of(header: Header, game: Record) -> list[int]:
    """Return the winners by points, last chair, chairs, hand; then all still level."""
    table = lie(header, game)
    tied = leaders(totals_of(header, game))
    if table["last_chair"] in tied:
        return [table["last_chair"]]
    prizes = table["monarchs"] if seats_of(header) == 2 else table["chairs"]
    most = max(prizes[seat] for seat in tied)
    tied = [seat for seat in tied if prizes[seat] == most]
    fewest = min(table["hand"][seat] for seat in tied)
    return [seat for seat in tied if table["hand"][seat] == fewest]


# --- entering -----------------------------------------------------------------------------------------------


def check_from_hand(header: Header, game: Record, player: int, card: str) -> None:
    """Raise if this hand can no longer hold the card."""
    table = lie(header, game)
    seen = table["seen"]
    need(table["hand"][player] > 0, "the hand is empty")
    if card == BLANK_CARD:
        need(rule(header, "blank_character") and BLANK_CARD not in seen, "the blank character is in no hand")
    elif is_monarch(card):
        need(len([each for each in seen if is_monarch(each)]) < MONARCHS, "all monarchs were seen")
        same = [each for each in seen if is_monarch(each) and virtue_of(each) == virtue_of(card)]
        need(len(same) < EACH, "all monarchs of this virtue were seen")
    else:
        need(len([each for each in seen if is_plain_vassal(each)]) < VASSALS, "all vassals were seen")


def enter(header: Header, game: Record, event: Event) -> Record:
    """Return a new game after one event; the old one is not changed."""
    phase = phase_of(header, game)
    need(phase != "over", "the game is over")
    game = copy.deepcopy(game)
    kind = str(event.get("type"))
    need(kind in ENTER, f"{kind!r} is no event")
    ENTER[kind](header, game, event, phase)
    record = game["rounds"][-1]
    if game["result"] is None and is_finished(header, record) and len(game["rounds"]) < rounds_of(header):
        last = last_vassal_in(record)
        game["rounds"].append(new_round(record["dealer"] if last is None else last))
    return game


def enter_start(header: Header, game: Record, event: Event, phase: str) -> None:
    need(phase == "start", "nobody is asked for")
    check_keys(event, ["player"], [])
    check_seat(header, event["player"])
    game["starter"] = event["player"]
    game["rounds"] = [new_round(event["player"])]


def enter_reveal(header: Header, game: Record, event: Event, phase: str) -> None:
    """Enter the chair turned up; with 2 players, the monarch."""
    need(phase == "reveal", "nothing is turned up now")
    check_keys(event, ["card"], [])
    card = event["card"]
    turned = lie(header, game)["turned"]
    if seats_of(header) == 2:
        need(is_monarch(card), f"{card!r} is no monarch")
        same = [each for each in turned if virtue_of(each) == virtue_of(card)]
        need(len(same) < EACH, "all monarchs of this virtue were seen")
    elif card == BLANK_CHAIR:
        need(rule(header, "blank_chair"), "the blank chair is left out")
        need(BLANK_CHAIR not in turned, "the blank chair was seen")
    else:
        need(isinstance(card, str) and card in VIRTUES, f"{card!r} is no chair")
        need(turned.count(card) < EACH, "all chairs of this virtue were seen")
    game["rounds"][-1]["turned"] = card


def enter_claim(header: Header, game: Record, event: Event, phase: str) -> None:
    """Enter a claim: a monarch on its chair, any vassal on the blank chair, or none."""
    need(phase == "claim", "there is nothing to claim")
    need("player" in event, "player is missing")
    if event["player"] is None:
        check_keys(event, ["player"], [])
        game["rounds"][-1]["claim"] = {"player": None}
        return
    check_keys(event, ["player", "card"], [])
    check_seat(header, event["player"])
    card, chair = event["card"], game["rounds"][-1]["turned"]
    if chair == BLANK_CHAIR:
        need(is_vassal(card), "a vassal claims the blank chair")
    else:
        need(is_monarch(card) and virtue_of(card) == chair, "a monarch of the virtue claims the chair")
    check_from_hand(header, game, event["player"], card)
    game["rounds"][-1]["claim"] = {"player": event["player"], "card": card}


def enter_play(header: Header, game: Record, event: Event, phase: str) -> None:
    """Enter one card laid on the field."""
    need(phase in ("play", "chain", "extra", "extra-chain"), "no card can be laid now")
    check_keys(event, ["player", "card", "from"], [])
    record = game["rounds"][-1]
    player, card, source = event["player"], event["card"], event["from"]
    check_seat(header, player)
    need(player == acting(header, record), "another seat has the turn")
    need(is_vassal(card) or is_monarch(card), f"{card!r} is no card")
    table = lie(header, game)
    if source == "hand":
        need(is_vassal(card) or rule(header, "monarchs") == "playable", "monarchs only claim")
        check_from_hand(header, game, player, card)
    else:
        need(source == "front", f"nothing comes from {source!r}")
        need(card in [column[-1] for column in table["front"][player]], "no column has this card on top")
    field = table["field"]
    needed = needed_on(field)
    if card != BLANK_CARD and needed is not None:
        need(domain_of(card) == needed, f"{needed} must come next")
    if open_turn(record) is None:
        record["turns"].append({"player": player, "cards": [], "end": None, "extra": phase == "extra"})
    turn = record["turns"][-1]
    turn["cards"].append({"card": card, "from": source})
    if not field or not shares(header, card, field[-1]):
        turn["end"] = "done"


def enter_end_of_turn(header: Header, game: Record, event: Event, phase: str) -> None:
    """Enter a pass at the start of a turn, or a stop in a chain."""
    wanted = ("play", "extra") if event["type"] == "pass" else ("chain", "extra-chain")
    need(phase in wanted, f"no {event['type']} now")
    check_keys(event, ["player"], [])
    record = game["rounds"][-1]
    check_seat(header, event["player"])
    need(event["player"] == acting(header, record), "another seat has the turn")
    if event["type"] == "pass":
        turn = {"player": event["player"], "cards": [], "end": "pass", "extra": phase == "extra"}
        record["turns"].append(turn)
    else:
        record["turns"][-1]["end"] = "done"


def most_in_hand(header: Header, game: Record, seat: int) -> int:
    seats = seats_of(header)
    if seats == 2:
        return HAND[2] + MONARCHS
    return HAND[seats] + (1 if rule(header, "blank_character") and seat == game["starter"] else 0)


def enter_result(header: Header, game: Record, event: Event, phase: str) -> None:
    need(phase != "start", "the first dealer is not known")
    check_keys(event, ["chairs", "monarchs", "hand"], ["last_chair"])
    seats = seats_of(header)
    check_each(event["chairs"], seats, 0 if seats == 2 else rounds_of(header), "chairs")
    check_each(event["monarchs"], seats, MONARCHS, "monarchs")
    check_each(event["hand"], seats, None, "hand")
    for seat in range(seats):
        check_whole(event["hand"][seat], 0, most_in_hand(header, game, seat), "hand")
    need(sum(event["chairs"]) <= rounds_of(header), "so many chairs do not exist")
    need(sum(event["monarchs"]) <= MONARCHS, "so many monarchs do not exist")
    if seats == 2:
        need(sum(event["hand"]) <= VASSALS, "so many vassals do not exist")
    game["result"] = dict(event)
    if "last_chair" not in event:
        need(len(leaders(totals_of(header, game))) == 1, "last_chair has to break the tie")
    elif event["last_chair"] is not None:
        check_seat(header, event["last_chair"], "last_chair")
        prizes = event["monarchs"] if seats == 2 else event["chairs"]
        need(prizes[event["last_chair"]] > 0, "who captured the last one has one")


ENTER = {
    "start": enter_start,
    "reveal": enter_reveal,
    "claim": enter_claim,
    "play": enter_play,
    "pass": enter_end_of_turn,
    "stop": enter_end_of_turn,
    "result": enter_result,
}


class Book(Log[Record]):
    """Referee of East Rune: takes log lines, refuses illegal ones, returns snapshots."""

    def new(self) -> Record:
        return new_game()

    def entered(self, state: Record, event: Event) -> Record:
        return enter(self.header, state, event)

    def phase_in(self, state: Record) -> str:
        return phase_of(self.header, state)

    def winners_in(self, found: dict[str, Any]) -> list[int]:
        prizes = found["monarchs"] if len(found["hand"]) == 2 else found["chairs"]
        fewer = [-cards for cards in found["hand"]]
        return leading(list(zip(found["totals"], prizes, fewer, strict=True)))

    @property
    def plausible(self) -> bool:
        """Whether an entered result, if any, agrees with the cards entered before it."""
        result = self.state["result"]
        if result is None:
            return True
        before = lie(self.header, {**self.state, "result": None})
        for seat in range(seats_of(self.header)):
            for key in ("chairs", "monarchs"):
                if result[key][seat] < before[key][seat]:
                    return False
            if result["hand"][seat] > before["hand"][seat] and seats_of(self.header) > 2:
                return False
        last = result.get("last_chair")
        if last is not None:
            prize = "monarchs" if seats_of(self.header) == 2 else "chairs"
            return bool(result[prize][last] > before[prize][last])
        return True

    def snapshot(self) -> dict[str, Any]:
        header, game, phase = self.header, self.state, self.phase
        seats = seats_of(header)
        table = lie(header, game)
        record = game["rounds"][-1] if game["rounds"] else None
        turn = needs = None
        if record is not None and phase == "reveal":
            turn = record["dealer"]
        if record is not None and phase in ("play", "chain", "extra", "extra-chain"):
            turn = acting(header, record)
            needs = needed_on(table["field"])
        return {
            "game": "east-rune",
            "phase": phase,
            "round": max(1, len(game["rounds"])),
            "turn": turn,
            "may_start": list(range(seats)) if phase == "start" else None,
            "dealer": None if record is None else record["dealer"],
            "needs": needs,
            "field": {"chairs": table["field_chairs"], "cards": table["field"]},
            "passed": [] if record is None else passed_in(record),
            "hand": table["hand"],
            "chairs": table["chairs"],
            "monarchs": table["monarchs"],
            "front": table["front"],
            "dealt": table["dealt"],
            "totals": totals_of(header, game),
            "winners": winners_of(header, game) if phase == "over" else None,
            "alerts": unclaimed_in(header, game),
        }


snapshot = Book.snapshot_of
snapshots = Book.snapshots_of


# --- dealing ------------------------------------------------------------------------------------------------


class EnoughError(Exception):
    """Raised when the players leave the table in the middle of the game."""


def shuffled_deck(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return 18 vassals and 6 monarchs: six cards of each domain, two monarchs of each virtue."""
    kinds = [f"{domain}-{attribute}" for domain in DOMAINS for attribute in ATTRIBUTES]
    kinds += [f"{domain}-{rng.choice(ATTRIBUTES)}" for domain in DOMAINS]
    rng.shuffle(kinds)
    monarchs = [f"{kind}-{virtue}" for kind, virtue in zip(kinds[:6], VIRTUES * 2, strict=True)]
    rng.shuffle(monarchs)
    return kinds[6:], monarchs


class Table(Dealer[Book]):
    """Dealer that plays real cards and writes the log."""

    def __init__(self, rng: random.Random, header: Header, **habits: float) -> None:
        super().__init__(rng, header, Book(header), **habits)
        self.shyness = rng.choice([0.05, 0.2, 0.4])
        self.greed = rng.choice([0.5, 0.8, 1.0])
        self.likes_front = rng.choice([0.3, 0.5, 0.9])
        self.left_over: list[str] = []
        vassals, monarchs = shuffled_deck(rng)
        if self.seats == 2:
            self.deck = monarchs
            self.hands = [vassals[:6], vassals[6:12]]
            self.pile = vassals[12:]
        else:
            cards = vassals + monarchs + ([BLANK_CARD] if rule(header, "blank_character") else [])
            rng.shuffle(cards)
            size = HAND[self.seats]
            self.hands = [cards[seat * size : seat * size + size] for seat in range(self.seats)]
            self.left_over = cards[self.seats * size :]
            self.deck = VIRTUES * 2 + ([BLANK_CHAIR] if rule(header, "blank_chair") else [])
            rng.shuffle(self.deck)
        self.columns: list[list[list[str]]] = [[] for _ in range(self.seats)]
        self.chairs = [0] * self.seats
        self.monarchs = [0] * self.seats
        self.field: list[tuple[str, str | None]] = []
        self.field_chairs: list[str] = []
        self.out: list[int] = []
        self.last_chair: int | None = None

    def write(self, event: Event) -> None:
        """Write an event to the log, unless only the result of the game will be entered."""
        if self.quiet:
            return
        if self.lines:
            if self.chance(self.stop):
                raise EnoughError
            if self.chance(self.coarse / 25):
                if self.chance(0.5):
                    self.enter(made_up_result(self.rng, self.book))
                    raise EnoughError
                self.quiet = True
                return
        self.enter(event)

    def play_game(self) -> None:
        """Play until the game is over or the table stops."""
        try:
            dealer = self.rng.randrange(self.seats)
            self.write({"type": "start", "player": dealer})
            self.hands[dealer] += self.left_over
            while self.deck:
                dealer = self.play_round(dealer)
            if self.quiet:
                self.enter(self.true_result())
        except EnoughError:
            return

    def true_result(self) -> Event:
        event: Event = {
            "type": "result",
            "chairs": list(self.chairs),
            "monarchs": list(self.monarchs),
            "hand": [len(hand) for hand in self.hands],
        }
        if self.book.verdict(event) is False or self.chance(0.5):
            event["last_chair"] = self.last_chair
        return event

    def play_round(self, dealer: int) -> int:
        self.out = []
        turned = self.deck.pop()
        self.write({"type": "reveal", "card": turned})
        first = dealer
        last: int | None = None
        if self.seats == 2:
            self.field.append((turned, domain_of(turned)))
            self.hands[1 - dealer].append(self.pile.pop())
        else:
            self.field_chairs.append(turned)
            claimant = self.claim(dealer, turned)
            if claimant is not None:
                first = claimant
                if turned == BLANK_CHAIR:
                    last = claimant
        all_shy = self.chance(0.12)
        player = first
        while True:
            if self.take_turn(player, "turn", 0.97 if all_shy else self.shyness):
                last = player
            if all(seat in self.out or seat == last for seat in range(self.seats)):
                break
            player = (player + 1) % self.seats
            while player in self.out:
                player = (player + 1) % self.seats
        if last is None:
            return dealer
        self.take_turn(last, "extra", 0.4)
        self.gather(last)
        if not self.deck:
            self.last_chair = last
        return last

    def claim(self, dealer: int, chair: str) -> int | None:
        """Let the first player who can claim the chair do so; some overlook their card."""
        for step in range(self.seats):
            seat = (dealer + step) % self.seats
            hand = self.hands[seat]
            if chair == BLANK_CHAIR:
                fitting = [card for card in hand if is_vassal(card)]
            else:
                fitting = [card for card in hand if is_monarch(card) and virtue_of(card) == chair]
            if not fitting or self.chance(self.misplay):
                continue
            card = self.rng.choice(fitting)
            self.write({"type": "claim", "player": seat, "card": card})
            hand.remove(card)
            self.put(card)
            return seat
        self.write({"type": "claim", "player": None})
        return None

    def wanted(self) -> str | None:
        """Return the domain that must come next."""
        if not self.field or self.field[-1][1] is None:
            return None
        return {"noon": "dusk", "dusk": "night", "night": "dawn", "dawn": "noon"}[self.field[-1][1]]

    def put(self, card: str) -> bool:
        """Lay a card on the field; return whether it shares an attribute with the card under it."""
        under = self.field[-1][0] if self.field else None
        domain = self.wanted() if card == BLANK_CARD else domain_of(card)
        self.field.append((card, domain))
        if under is None:
            return False
        if BLANK_CARD in (card, under):
            return True
        both = {card.split("-")[1], under.split("-")[1]}
        return len(both) == 1 or (bool(rule(self.header, "sacred_is_mineral")) and both == {"sacred", "mineral"})

    def choices(self, player: int) -> list[tuple[str, str]]:
        found = [(card, "hand") for card in self.hands[player]]
        if rule(self.header, "monarchs") == "claimed":
            found = [(card, source) for card, source in found if not is_monarch(card)]
        fronts = [(column[-1], "front") for column in self.columns[player]]
        if fronts and self.chance(self.likes_front):
            found = fronts + (found if self.chance(0.3) else [])
        else:
            found += fronts
        wanted = self.wanted()
        return [each for each in found if wanted is None or each[0] == BLANK_CARD or each[0].startswith(wanted)]

    def take_turn(self, player: int, kind: str, shyness: float) -> bool:
        """Play one turn; return whether a vassal was laid in it."""
        vassal = False
        chained = False
        while True:
            choices = self.choices(player)
            if not choices or self.chance((1 - self.greed) if chained else shyness):
                break
            card, source = self.rng.choice(choices)
            self.write({"type": "play", "player": player, "card": card, "from": source})
            if source == "hand":
                self.hands[player].remove(card)
            else:
                for column in self.columns[player]:
                    if column[-1] == card:
                        column.pop()
                        break
                self.columns[player] = [column for column in self.columns[player] if column]
            vassal = vassal or is_vassal(card)
            chained = True
            if not self.put(card):
                return vassal
        self.write({"type": "stop" if chained else "pass", "player": player})
        if not chained and kind == "turn":
            self.out.append(player)
        return vassal

    def gather(self, capturer: int) -> None:
        """Deal out the captured field."""
        self.chairs[capturer] += len(self.field_chairs)
        self.field_chairs = []
        seat = capturer
        touched: list[int] = []
        while self.field:
            card = self.field.pop()[0]
            if is_monarch(card) and self.seats == 2:
                self.monarchs[capturer] += 1
                continue
            seat = (seat + 1) % self.seats
            if is_monarch(card):
                self.monarchs[seat] += 1
            elif seat in touched:
                self.columns[seat][-1].append(card)
            else:
                touched.append(seat)
                self.columns[seat].append([card])


def spread(rng: random.Random, amount: int, seats: int) -> list[int]:
    """Return a random distribution of an amount over the seats."""
    found = [0] * seats
    for _ in range(amount):
        found[rng.randrange(seats)] += 1
    return found


def made_up_result(rng: random.Random, book: Book) -> Event:
    """Return a random result that could follow from the current state; usually a tie."""
    header, game = book.header, book.state
    seats = seats_of(header)
    table = lie(header, game)
    want_tie = rng.random() < 0.7
    event: Event = {}
    for _ in range(60):
        chairs_left = 0 if seats == 2 else rounds_of(header) - len(table["turned"]) + len(table["field_chairs"])
        extra_chairs = spread(rng, rng.choice([chairs_left, rng.randint(0, chairs_left)]), seats)
        hand = [rng.randint(0, size) for size in table["hand"]]
        on_field = len([card for card in table["field"] if is_monarch(card)])
        if seats == 2:
            monarchs_left = MONARCHS - len(table["turned"]) + on_field
        else:
            unseen = MONARCHS - len([card for card in table["seen"] if is_monarch(card)])
            monarchs_left = on_field + min(unseen, (sum(table["hand"]) - sum(hand)) // 2)
        extra_monarchs = spread(rng, rng.randint(0, monarchs_left), seats)
        event = {
            "type": "result",
            "chairs": [have + more for have, more in zip(table["chairs"], extra_chairs, strict=True)],
            "monarchs": [have + more for have, more in zip(table["monarchs"], extra_monarchs, strict=True)],
            "hand": hand,
        }
        missing = book.verdict(event) is False
        if missing or rng.random() < 0.3:
            prizes = extra_monarchs if seats == 2 else extra_chairs
            possible: list[int | None] = [seat for seat in range(seats) if prizes[seat] > 0]
            left = sum(prizes) < (monarchs_left if seats == 2 else chairs_left)
            if left or not possible:
                possible.append(None)
            event["last_chair"] = rng.choice(possible)
        if missing == want_tie:
            break
    return event


def random_header(rng: random.Random, seats: int | None = None, **rules: Any) -> Header:
    """Return a header with random players and rules, except those given; some defaults are left out."""
    if seats is None:
        seats = rng.choice([2, 3, 4])
    names = rng.sample(["Aki", "Bea", "Cyr", "Dai", "Eve"], seats)
    chosen: dict[str, Any] = dict(DEFAULTS)
    chosen["sacred_is_mineral"] = rng.random() < 0.4
    if seats > 2:
        chosen["monarchs"] = rng.choice(["claimed", "playable"])
        for name in ("blank_chair", "blank_character"):
            chosen[name] = rng.random() < 0.4
    chosen.update({name: value for name, value in rules.items() if value is not None})
    return write_header(rng, "east-rune", names, chosen, DEFAULTS)


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
    header = random_header(rng, seats, **rules)
    table = Table(rng, header, coarse=coarse, misplay=misplay, stop=stop)
    table.play_game()
    return header, corrected(rng, Book(header), table.lines, edits, splices, WORDS)
