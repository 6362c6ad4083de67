"""Plays random rounds by OpenSpiel's rules, enters them here, and compares turns, revokes and scores.

It needs the package ``open_spiel``, which the tests do not: ``pip install open_spiel`` first. Not compared is what
OpenSpiel plays by other rules: the points of bids that failed in Oh Hell, passed cards in Hearts.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from companion.core.session import Session
from companion.gamelog import read

PLAYERS = ("Aki", "Bea", "Cyr", "Dai", "Eve")
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
STRAINS = {"C": 1, "D": 2, "H": 3, "S": 4, "N": 5}
CARD = re.compile("([CDHS])([2-9TJQKA])|([2-9TJQKA])([CDHS])")

Line = dict[str, object]
Referee = Callable[[Any, random.Random], None]


class DisagreedError(Exception):
    """The two programs say different things about a round; the message tells what."""


def card(text: str) -> str:
    """Return a card's name here: ``HT`` and ``TH`` are ``hearts-10``."""
    found = CARD.fullmatch(text)
    assert found is not None, text
    suit, rank = found[1] or found[4], found[2] or found[3]
    return f"{SUITS[suit]}-{'10' if rank == 'T' else rank}"


def entered(game: str, rules: Line, lines: Sequence[Line], seats: int = 4) -> Session:
    """Return the session of a log here."""
    header = {"format": 1, "game": game, "players": PLAYERS[:seats], "rules": rules}
    return read("".join(json.dumps(each) + "\n" for each in (header, *lines)).encode())


def same(what: str, theirs: object, ours: object) -> None:
    if theirs != ours:
        raise DisagreedError(f"{what}: {theirs} there, {ours} here")


class Round:
    """A random round of OpenSpiel, played to its end."""

    def __init__(self, game: Any, chance: random.Random) -> None:
        self.state = game.new_initial_state()
        self.moves: list[tuple[int, str]] = []  # the player and the text of each move that is not chance
        while not self.state.is_terminal():
            player, action = self.state.current_player(), chance.choice(self.state.legal_actions())
            if player >= 0:
                self.moves.append((player, self.state.action_to_string(player, action)))
            self.state.apply_action(action)
        self.text = str(self.state)

    def plays(self, count: int) -> list[Line]:
        """Return the last moves as cards that are laid."""
        return [{"type": "play", "player": player, "card": card(text)} for player, text in self.moves[-count:]]


def laid(game: str, rules: Line, before: Sequence[Line], plays: Sequence[Line], seats: int = 4) -> tuple[int, ...]:
    """Enter the cards of a round; return its points. Whoever lays must have the turn, and nobody revokes."""
    for count in range(0, len(plays), seats):
        turn = entered(game, rules, [*before, *plays[:count]], seats).progress.turn
        same(f"who leads trick {count // seats + 1}", plays[count]["player"], turn)
    session = entered(game, rules, [*before, *plays], seats)
    same("revokes", (), session.state.alerts)
    points: tuple[int, ...] = session.state.rounds[0]
    return points


def hearts(spiel: Any, chance: random.Random) -> None:
    played = Round(spiel.load_game("hearts", {"pass_cards": False, "no_pts_on_first_trick": False}), chance)
    plays = played.plays(52)
    before: list[Line] = [{"type": "start", "player": 0}, {"type": "lead", "player": plays[0]["player"]}]
    points = laid("hearts", {}, before, plays)
    # OpenSpiel returns 26 less what a player has taken
    same("points", [26 - each for each in played.state.returns()], [float(each) for each in points])


def spades(spiel: Any, chance: random.Random) -> None:
    played = Round(spiel.load_game("spades"), chance)
    bids = [0 if text == "Nil" else int(text) for _player, text in played.moves[:4]]
    before: list[Line] = [{"type": "start", "player": 3}, {"type": "bid", "figures": bids}]
    points = laid("spades", {}, before, played.plays(52))
    same(f"points of bids {bids}", played.state.returns(), [float(each) for each in points])


def oh_hell(spiel: Any, chance: random.Random) -> None:
    seats = chance.randint(3, 5)
    played = Round(spiel.load_game("oh_hell", {"players": seats}), chance)
    dealer, tricks = (int(re.findall(f"{what}: (\\d+)", played.text)[0]) for what in ("Dealer", "Num Total Tricks"))
    trump = SUITS[re.findall("Trump: ([CDHS])", played.text)[0]]
    cards = seats * tricks
    bids = [0] * seats
    for player, text in played.moves[:-cards]:
        bids[player] = int(text)
    before: list[Line] = [
        {"type": "start", "player": dealer},
        {"type": "trump", "suit": trump},
        {"type": "bid", "figures": bids},
    ]
    points = laid("oh-hell", {"rounds": tricks, "order": 1}, before, played.plays(cards), seats)
    taken = list(map(int, re.findall("Tricks Won: +(.*)", played.text)[0].split()))
    exact = [bid == won for bid, won in zip(bids, taken, strict=True)]
    # OpenSpiel gives a point for each trick also to who failed
    same("points there", played.state.returns(), [won + 10.0 * hit for won, hit in zip(taken, exact, strict=True)])
    same("points", [(10 + won) * hit for won, hit in zip(taken, exact, strict=True)], list(points))


def euchre(spiel: Any, chance: random.Random) -> None:
    state = Round(spiel.load_game("euchre"), chance).state
    maker = state.declarer()
    won = sum(trick.winner() % 2 == maker % 2 for trick in state.tricks())
    figures = [("alone", int(state.declarer_go_alone())), ("won", won)]
    lines: list[Line] = [{"type": "start", "player": state.dealer()}, {"type": "maker", "player": maker}]
    lines += [{"type": name, "figure": figure} for name, figure in figures]
    points = entered("euchre", {}, lines).state.rounds[0]
    # OpenSpiel takes from the losers what the winners get
    same("points", [max(0, each) for each in state.returns()], [float(each) for each in points])


def bridge(spiel: Any, chance: random.Random) -> None:
    board = chance.randint(1, 4)  # nobody is vulnerable, North and South, East and West, all
    vulnerable = {"dealer_vul": board in (2, 4), "non_dealer_vul": board in (3, 4)}  # North deals there
    game = spiel.load_game("bridge", {"use_double_dummy_result": False, **vulnerable})
    played = Round(game, chance)
    contract = str(game.contract_string(played.state.contract_index()))
    lines: list[Line] = [{"type": "start", "player": 0}]
    lines += [{"type": "declarer", "player": None}] * (board - 1)
    if contract == "Passed Out":
        lines.append({"type": "declarer", "player": None})
    else:
        suit, seat = contract[1], "NESW".index(contract[-1])
        won = int(re.findall("Declarer tricks won: (\\d+)", played.text)[0])
        figures = (int(contract[0]), STRAINS[suit], contract.count("X"), won)
        lines.append({"type": "declarer", "player": seat})
        lines += [
            {"type": name, "figure": figure}
            for name, figure in zip(("level", "strain", "doubled", "won"), figures, strict=True)
        ]
    points = entered("bridge", {}, lines).state.rounds[-1]
    ours = [float(points[seat] - points[(seat + 1) % 4]) for seat in range(4)]
    same(f"points of {contract}", played.state.returns(), ours)


REFEREES: dict[str, Referee] = {
    "hearts": hearts,
    "spades": spades,
    "oh-hell": oh_hell,
    "euchre": euchre,
    "bridge": bridge,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.harness.openspiel", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(REFEREES))
    parser.add_argument("--rounds", type=int, default=1000, help="of each game")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    try:
        spiel = import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel", file=sys.stderr)
        return 2
    for name in args.games or REFEREES:
        for number in range(args.rounds):
            try:
                REFEREES[name](spiel, random.Random(f"{args.seed} {name} {number}"))
            except DisagreedError as error:
                print(f"{name}, round {number}: {error}", file=sys.stderr)
                return 1
        print(f"{name}: {args.rounds:,} rounds agree", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
