"""The registry of games: opened when asked for, found elsewhere, guarded, put aside and tried again."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Best, Game, LogHeader, RuleValue, Start
from companion.core.games import GameFaultError, Games
from companion.core.text import Text
from companion.games.eternity import ETERNITY
from tests.games.golf import GOLF


class Shelf:
    """Games that are opened when asked for; notes which were."""

    def __init__(self, *games: Game[Any], broken: str = "") -> None:
        self.games, self.broken, self.opened = {game.name: game for game in games}, broken, list[str]()
        self.changes: dict[str, float] = {}

    def titles(self) -> Mapping[str, str]:
        return {name: game.title for name, game in self.games.items()}

    def families(self) -> Mapping[str, str]:
        return {"golf": "cards"}

    def game(self, name: str) -> Game[Any]:
        self.opened.append(name)
        if name == self.broken:
            raise GameFaultError(name, "cannot be used")
        return self.games[name]

    def fingerprint(self) -> str:
        return "first version"

    def changed(self, name: str) -> float:
        return self.changes.get(name, 0)


def test_games_of_the_program_are_opened_when_somebody_asks_for_them() -> None:
    own = Shelf(ETERNITY)
    games = Games(own=own)
    assert (list(games), games.titles(), games.title("eternity")) == (
        ["eternity"],
        {"eternity": "Eternity"},
        "Eternity",
    )
    assert (own.opened, games.opened) == ([], ())
    assert games["eternity"] is games.get("eternity") is games["eternity"]
    assert (own.opened, games.opened) == (["eternity"], (ETERNITY,))
    assert games.title("eternity") == "Eternity"


class AskedTwice(Shelf):
    """Games that are asked for by a second thread while the first one opens them."""

    def game(self, name: str) -> Game[Any]:
        opened = super().game(name)
        if len(self.opened) == 1:
            self.second = Thread(target=lambda: self.given.append(self.games_of[name]))
            self.second.start()
            self.second.join(0.05)  # it has come as far as it can
        return replace(opened)

    def given_by(self, games: Games, name: str) -> list[Game[Any]]:
        self.games_of, self.given = games, list[Game[Any]]()
        first = games[name]
        self.second.join()
        return [first, *self.given]


def test_threads_that_ask_for_a_game_at_once_are_given_the_same_one() -> None:
    own, found = AskedTwice(ETERNITY), AskedTwice(GOLF)
    for shelf, games, name in ((own, Games(own=own), "eternity"), (found, Games(found=found), "golf")):
        first, second = shelf.given_by(games, name)
        assert first is second is games[name]
        assert shelf.opened == [name]


def test_games_that_are_found_stand_after_those_of_the_program_and_never_in_their_place() -> None:
    other = replace(ETERNITY, title="Another Eternity")
    found = Shelf(GOLF, other)
    games = Games((ETERNITY,), found)
    assert games.found_titles == {"golf": GOLF.title}
    assert games.titles() == {"eternity": "Eternity", "golf": GOLF.title}
    assert games["eternity"] is ETERNITY
    assert (list(games), found.opened) == (["eternity"], [])
    assert games["golf"].name == "golf"
    assert games["golf"] is games.get("golf")
    assert found.opened == ["golf"]
    assert [game.name for game in games.opened] == ["eternity", "golf"]
    assert games.fingerprint == "first version"


def test_without_a_place_to_look_there_are_only_the_games_of_the_program() -> None:
    games = Games((ETERNITY,))
    assert (games.found_titles, games.fingerprint) == ({}, "")
    assert "golf" not in games
    assert games.get("golf", "nothing") == "nothing"
    with pytest.raises(KeyError, match="golf"):
        games["golf"]


def test_another_place_to_look_is_looked_into_anew() -> None:
    games = Games((ETERNITY,), Shelf(GOLF))
    assert "golf" in games
    assert games["golf"].title == GOLF.title
    games.use(Shelf(replace(GOLF, title="Mini golf")))
    assert games["golf"].title == "Mini golf"
    games.use(None)
    assert "golf" not in games


@pytest.mark.parametrize("name", ["golf", "chess", 7])
def test_a_game_that_cannot_be_used_and_what_is_no_game_are_not_there(name: object) -> None:
    games = Games((ETERNITY,), Shelf(GOLF, broken="golf"))
    assert name not in games
    assert "eternity" in games


def test_a_game_is_held_as_it_was_given_and_under_guard() -> None:
    games = Games((ETERNITY,), Shelf(GOLF))
    assert games.holds(ETERNITY)
    assert games.holds(GOLF)
    assert games.holds(games["golf"])
    assert not games.holds(replace(GOLF, title="Mini golf"))
    assert not games.holds(replace(GOLF, name="chess"))
    assert not games.holds(replace(ETERNITY, title="Another Eternity"))


def test_a_game_put_aside_is_tried_again_once_somebody_asks_for_it() -> None:
    def fails(*_arguments: object) -> Any:
        raise ZeroDivisionError

    games = Games((ETERNITY,), Shelf(replace(GOLF, describe=fails)))
    for _time in range(2):
        for _fault in range(3):
            assert not games.aside("golf")
            with pytest.raises(GameFaultError):
                games["golf"].describe(Start(0))
        assert games.aside("golf")
        games.ask_for("golf")
    games.ask_for("eternity")  # which is under no guard
    assert not games.aside("eternity")


@pytest.mark.parametrize(
    ("declared", "rules", "best"),
    [
        (Best.LOWEST, {"wins": "highest"}, Best.LOWEST),
        ("wins", {"wins": "lowest"}, Best.LOWEST),
        ("wins", {}, Best.HIGHEST),
    ],
)
def test_which_points_are_the_best_is_fixed_or_a_rule(declared: Any, rules: dict[str, str], best: Best) -> None:
    class Usual:
        wins = "highest"

    game = replace(ETERNITY, rules=Usual, optional=replace(ETERNITY.optional, best=declared))
    assert game.best(rules) is best


def header(rules: Any = None, best: Any = Best.HIGHEST, players: tuple[str, ...] = ("Aki", "Bea")) -> LogHeader:
    game = replace(ETERNITY, optional=replace(ETERNITY.optional, best=best))
    return LogHeader(game, players, rules, None, '{"format":1,"game":"eternity","players":["Aki","Bea"]}')


def test_a_header_says_which_points_are_the_best_by_its_own_rules() -> None:
    assert header(best=Best.LOWEST).best is Best.LOWEST
    assert header(SimpleNamespace(wins="lowest"), "wins").best is Best.LOWEST


def test_a_header_with_other_names_is_written_with_them() -> None:
    renamed = header().with_players(("Ida", "Aki"))
    assert renamed.players == ("Ida", "Aki")
    assert renamed.written == '{"format":1,"game":"eternity","players":["Ida","Aki"]}'


def test_headers_are_equal_if_game_players_and_rules_are() -> None:
    one = header()
    assert one == replace(one, written="{}")
    assert one != replace(one, players=("Ida", "Aki"))
    assert one != replace(one, rules={"rounds": 1})
    assert one != "a header"


def test_a_rule_with_a_number_says_it() -> None:
    assert str(RuleValue(Text("rounds"), 3).with_number(5)) == "rounds 5"
    assert str(RuleValue(Text("rounds"), 3, counted="to {count}").with_number(5)) == "to 5"


def test_a_game_is_found_anew_once_its_rules_were_changed_and_stays_while_they_are_away() -> None:
    shelf = Shelf(GOLF)
    shelf.changes["golf"] = 3.0
    games = Games(found=shelf)
    first = games["golf"]
    assert games["golf"] is games.get("golf") is first
    shelf.changes["golf"] = 4.0
    second = games["golf"]
    assert second is not first
    assert games.changed("golf") == 4.0
    del shelf.changes["golf"]
    assert games["golf"] is second
    assert shelf.opened == ["golf", "golf"]
