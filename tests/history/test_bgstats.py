"""What BG Stats gets: the link and the file, against every field and trap that is known."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from companion.games import GAMES
from companion.history.bgstats import CREATE_PLAY, bgsplay, play_link, read_bgstats
from companion.history.plays import ImportedGame, imported_results, play_id
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult, seat_ranks

from .conftest import Zone
from .made import EVENING, made

NOBODY = People()
PAIRS = made(
    name="000013-gear-0123abcd", number=13, game="gear", rules='{"teams":true}', scores=(5, 12, 3, 12), winners=(1, 3)
)


def sent(result: GameResult, people: People = NOBODY) -> dict[str, Any]:
    """Return what a link tells BG Stats."""
    link = play_link(result, people)
    assert link is not None
    assert re.fullmatch(r"[!-~]+", link)
    value: dict[str, Any] = json.loads(unquote(link.removeprefix(CREATE_PLAY)))
    return value


def file_of(*results: GameResult, people: People = NOBODY) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(bgsplay(results, people))
    return value


def test_a_link_has_every_field() -> None:
    play = sent(made())
    ids = {player.pop("sourcePlayerId") for player in play["players"]}
    assert len(ids) == 4
    assert play.pop("sourcePlayId") == play_id(made())
    assert play == {
        "sourceName": "Tabletop Companion",
        "playDate": "2026-11-22 18:30:00",
        "durationMin": 45,
        "comments": "Rounds: 2/-3/4/4, 3/0/8/8",
        "board": "French",
        "game": {"name": "Eternity", "sourceGameId": "eternity", "highestWins": True, "noPoints": False},
        "players": [
            {"name": "Aki", "startPlayer": False, "winner": False, "score": 5, "rank": 3},
            {"name": "Bea", "startPlayer": False, "winner": False, "score": -3, "rank": 4},
            {"name": "Cyr", "startPlayer": True, "winner": True, "score": 12, "rank": 1},
            {"name": "Dai", "startPlayer": False, "winner": False, "score": 12, "rank": 2},
        ],
    }


@pytest.mark.parametrize(
    "result", [made(), PAIRS, made(starter=None, rules="{}", rounds=(), seconds=0, ended=0), made(winners=(2, 3))]
)
def test_no_boolean_is_missing_and_no_number_is_text(result: GameResult) -> None:
    play = sent(result)
    for player in play["players"]:
        assert [type(player[key]) for key in ("startPlayer", "winner", "score", "rank")] == [bool, bool, int, int]
    assert [type(play["game"][key]) for key in ("highestWins", "noPoints")] == [bool, bool]
    assert type(play["game"].get("bggId", 0)) is int
    assert None not in (*play.values(), *play["game"].values())


def test_times_are_local_in_the_file_and_utc_in_the_link(zone: Zone) -> None:
    zone("America/Los_Angeles")
    play = file_of(made(begun=EVENING + 12 * 3600))["plays"][0]
    assert (play["playDate"], play["playDateYmd"]) == ("2026-11-22 22:30:00", 20261122)
    assert sent(made())["playDate"] == "2026-11-22 18:30:00"


def test_unknown_points_are_not_sent() -> None:
    play = sent(made(number=0, name="imported-A", scores=(None, None, 7, 5), places=(3, 3, 1, 2)))
    assert ["score" in player for player in play["players"]] == [False, False, True, True]
    assert play["game"]["noPoints"] is False
    assert sent(made(number=0, name="imported-A", scores=(None,) * 4, places=(2, 2, 1, 2)))["game"]["noPoints"] is True


def test_a_link_of_four_players_stays_short() -> None:
    assert len(play_link(made(), NOBODY) or "") < 1500


def test_a_game_without_a_date_has_no_link_and_is_not_in_the_file() -> None:
    undated = made(begun=0, ended=0)
    assert play_link(undated, NOBODY) is None
    assert file_of(undated)["plays"] == []
    assert sent(made(begun=0))["playDate"] == "2026-11-22 19:20:00"


def test_ids_stay_the_same_for_another_spelling_of_a_name_and_another_number_of_a_game() -> None:
    same = made(name="000099-eternity-7f3a9c21", number=99, players=("AKI", "Bea", "Cyr", "Dai"))
    assert sent(same)["sourcePlayId"] == sent(made())["sourcePlayId"]
    assert sent(same)["players"][0]["sourcePlayerId"] == sent(made())["players"][0]["sourcePlayerId"]
    others = made(name="000012-eternity-00000000"), made(begun=EVENING + 60)
    assert len({play_id(each) for each in (made(), *others)}) == 3
    assert play_id(made()) == "2B515634-DB31-5BC7-B948-BD353A251CD8"  # of all time: another would double every play


def test_partners_are_a_team() -> None:
    assert [player["team"] for player in sent(PAIRS)["players"]] == ["A", "B", "A", "B"]
    (play,) = file_of(PAIRS)["plays"]
    assert play["usesTeams"] is True
    assert [score["team"] for score in play["playerScores"]] == ["A", "B", "A", "B"]
    assert "team" not in sent(made(rules='{"teams":true}', players=("Aki", "Bea"), scores=(1, 2)))["players"][0]


def test_the_file_links_games_and_players_by_number() -> None:
    file = file_of(made(), PAIRS, people=People().rename("Aki", "Akiko", 20))
    games = {game["id"]: game["name"] for game in file["games"]}
    players = {player["id"]: player["name"] for player in file["players"]}
    assert [games[play["gameRefId"]] for play in file["plays"]] == ["Eternity", "Gear"]
    for play in file["plays"]:
        assert [players[score["playerRefId"]] for score in play["playerScores"]] == ["Akiko", "Bea", "Cyr", "Dai"]
    assert file["locations"] == []


def test_the_file_has_points_as_text_the_winner_apart_from_the_rank_and_upper_case_ids() -> None:
    file = file_of(made())
    (play,) = file["plays"]
    assert [(each["score"], each["winner"], each["rank"]) for each in play["playerScores"]] == [
        ("5", False, 3),
        ("-3", False, 4),
        ("12", True, 1),
        ("12", False, 2),
    ]
    assert play["manualWinner"] is True  # by points alone two would have won
    ids = [each["uuid"] for kind in ("games", "players", "plays") for each in file[kind]]
    assert all(re.fullmatch(r"[0-9A-F]{8}-[0-9A-F]{4}-5[0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}", each) for each in ids)
    assert len(set(ids)) == len(ids)
    for score in play["playerScores"]:
        assert [type(score[key]) for key in ("winner", "startPlayer", "newPlayer")] == [bool] * 3
    assert bgsplay([made()], NOBODY) == bgsplay([made()], NOBODY)


def test_a_game_that_the_table_ended_early_counts_there_as_it_does_here() -> None:
    early = made(ended_early=True)
    plays = json.loads(bgsplay([early, made(ended_early=True, rounds=()), made()], NOBODY))["plays"]
    assert [play["ignored"] for play in plays] == [False, True, False]
    assert [play["comments"].split(". ")[0] for play in plays] == [
        "Ended early",
        "Ended early",
        "Rounds: 2/-3/4/4, 3/0/8/8",
    ]
    assert "Ended%20early" in (play_link(early, NOBODY) or "")


def test_every_edition_has_its_words() -> None:
    for game in GAMES.values():
        for option in game.options:
            if option.name == "edition":
                for value in option.choices:
                    assert sent(made(game=game.name, rules=json.dumps({"edition": value.value})))["board"]


def test_a_file_comes_back_as_the_same_results() -> None:
    results = [made(), PAIRS, made(name="000014-eternity-00000001", number=14, winners=(2, 3), starter=None)]
    export = read_bgstats(bgsplay(results, NOBODY))
    assert export.left_out == {}
    assert export.people == ["Aki", "Bea", "Cyr", "Dai"]
    kept = {source_id: to_builtins(play) for source_id, play in export.plays.items()}
    for ours, theirs in zip(results, imported_results(kept)[0], strict=True):
        same = ("game", "players", "begun", "seconds", "starter", "scores", "winners")
        assert [getattr(theirs, name) for name in same] == [getattr(ours, name) for name in same]
        assert sorted(range(len(ours.players)), key=seat_ranks(theirs).__getitem__) == sorted(
            range(len(ours.players)), key=seat_ranks(ours).__getitem__
        )
        assert (theirs.number, theirs.rounds, theirs.course, theirs.counts) == (0, (), (), {})


def test_a_play_whose_log_is_there_counts_once() -> None:
    export = read_bgstats(bgsplay([made(), PAIRS], NOBODY))
    kept = {source_id: to_builtins(play) for source_id, play in export.plays.items()}
    logs = [(made().name, made().begun)]
    results, left_out = imported_results(kept | {"A-1": 7}, logs)
    assert [result.name for result in results] == [f"imported-{play_id(PAIRS)}"]
    assert left_out == {"imported-A-1"}


def test_an_imported_play_keeps_its_id_and_is_not_in_the_file() -> None:
    (play,) = read_bgstats(bgsplay([made()], NOBODY)).plays.values()
    (imported,) = imported_results({"ABC-1": to_builtins(play)})[0]
    assert sent(imported)["sourcePlayId"] == "ABC-1"
    assert file_of(imported)["plays"] == []


def named(*players: str, game: str = "Chess") -> ImportedGame:
    """Return a play of some people, won by the first."""
    count = len(players)
    return ImportedGame(game, players, (0,) * count, (0,), (1, *(2,) * (count - 1)))


@pytest.mark.parametrize(
    "play",
    [
        named("Ann", "x" * 21),
        named("Ann", ""),
        named("Ann", "\x1b[2J"),
        named("Ann", "\u202eBo"),
        named("Ann", "ann"),
        named("Ann", " Bo"),
        named("Ann", "Bo", game="Chess\x1b[2J"),
        named("Ann", "Bo", game="x" * 101),
        named(*(f"P{number}" for number in range(101))),
    ],
)
def test_a_stored_play_keeps_the_rules_of_names(play: ImportedGame) -> None:
    assert imported_results({"A-1": to_builtins(play)})[0] == []
    assert imported_results({"A-1": to_builtins(named("Ann", "はるな"))})[0] != []


def test_a_stored_play_in_an_unknown_form_is_left_out() -> None:
    assert imported_results({"A": {"game": "chess"}, "B": 7})[0] == []


PLAY = ImportedGame("Chess", ("Ann", "Bo"), (1, 0), (0,), (1, 2), begun=1.7e9, seconds=60.0, starter=1)


@pytest.mark.parametrize(
    ("source_id", "play"),
    [
        ("../x", PLAY),
        ("A-1", replace(PLAY, players=("Ann",), scores=(1,), places=(1,))),
        ("A-1", replace(PLAY, scores=(1,))),
        ("A-1", replace(PLAY, places=(1, 2, 3))),
        ("A-1", replace(PLAY, places=(0, 1))),
        ("A-1", replace(PLAY, scores=(10**30, 0))),
        ("A-1", replace(PLAY, teams=(0,))),
        ("A-1", replace(PLAY, teams=(0, 0))),
        ("A-1", replace(PLAY, winners=())),
        ("A-1", replace(PLAY, winners=(2,))),
        ("A-1", replace(PLAY, starter=2)),
        ("A-1", replace(PLAY, begun=1e18)),
        ("A-1", replace(PLAY, seconds=-1.0)),
    ],
)
def test_a_stored_play_that_cannot_be_counted_is_left_out(source_id: str, play: ImportedGame) -> None:
    kept = {"B-2": to_builtins(PLAY), source_id: to_builtins(play)}
    assert [result.name for result in imported_results(kept)[0]] == ["imported-B-2"]
