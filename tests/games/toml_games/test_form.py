"""The form of a game's file: its fields change what they show, and lose nothing else."""

from __future__ import annotations

import tomllib

import pytest

from companion.core.prompt import Answer, DetailLevel, EnterNumber, Prompt
from companion.core.text import Text
from companion.games import shipped
from companion.games.toml_games import beginning, declared
from companion.games.toml_games.form import GameForm, answers, filled, form_of, in_words, slug, with_example, written
from companion.ui.translations import Translator

from .files import entered, game

OURS = beginning("our-game", "Our game")


def fields_of(form: GameForm) -> dict[str, str]:
    """Return what a browser sends of a form that nobody has changed."""
    fields = {"of": "", "title": form.title, "f-players": form.players[0], "l-players": form.players[1]}
    fields |= {"best": "lowest" if form.lowest else "highest", "sides": form.sides}
    fields |= {"points": "sum" if form.adds_up else "formula", "formula": form.points}
    fields |= {"ends": form.ends, "end-rounds": "10", "end-points": "100", f"end-{form.ends}": form.number}
    fields |= {"dealer": "on"} if form.dealer else {}
    for place, row in enumerate(form.rows):
        fields[f"label-{place}"] = row.label
        if row.kind == "number":
            fields |= {f"least-{place}": row.least, f"most-{place}": row.most, f"per-{place}": row.per}
    return fields


@pytest.mark.parametrize("name", shipped.names())
def test_a_form_that_nobody_changes_leaves_a_game_as_it_is(name: str) -> None:
    text = shipped.text(name)
    form = form_of(text)
    assert form is not None
    assert tomllib.loads(filled(text, fields_of(form))) == tomllib.loads(text)
    declared(filled(text, fields_of(form)).replace(f'name = "{name}"', 'name = "another"', 1), name, new=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "title = ",
        'title = "Ours"',
        OURS + "# as Aunt Zoé plays it\n",
        OURS.replace('"2-8"', "2.5"),
        OURS.replace('title = "Our game"', "title = 3"),
        OURS.replace("least = -100", "least = 2026-11-30"),
        "a = " + "[" * 3000,
    ],
)
def test_what_the_form_would_lose_has_none(text: str) -> None:
    assert form_of(text) is None


def test_a_new_game_asks_the_players_as_their_names_stand_in_every_round() -> None:
    ours = game(OURS)
    state = ours.start(3, ours.rules())
    for _round in range(2):
        asked: tuple[Answer, ...] = ()
        for seat in range(3):
            prompt = ours.ask(state, DetailLevel.ROUND, asked)
            assert isinstance(prompt, Prompt)
            assert prompt.seat == seat
            asked = (*asked, EnterNumber(seat))
        state = entered(ours, state, DetailLevel.ROUND, *asked)


def test_a_quoted_sign_is_no_remark() -> None:
    assert form_of(OURS.replace("Our game", "Game #1")) is not None


def test_a_new_title_gives_a_new_game_its_name_and_takes_old_translations_away() -> None:
    text = filled(shipped.text("hearts"), {"title": "Our Hearts"})
    assert tomllib.loads(text)["name"] == "hearts"
    assert "Dame de pique" not in text
    assert tomllib.loads(filled(OURS, {"title": "Marbles"}, slug))["name"] == "marbles"
    typed = OURS.replace('"our-game"', '"mine"')
    assert tomllib.loads(filled(typed, {"title": "Marbles"}, slug))["name"] == "mine"


def test_the_sum_of_the_answers_follows_the_questions() -> None:
    text = filled(OURS, {"label-new": "Bonus"})
    assert tomllib.loads(text)["score"]["points"] == "points + bonus"
    text = filled(text, {"sides": "partners", "per-1": "side"})
    assert tomllib.loads(text)["score"]["points"] == "ours(points) + bonus"
    text = filled(text, {"points": "formula", "formula": "3*points"})
    assert tomllib.loads(filled(text, {"label-new": "Round"}))["score"]["points"] == "3*points"
    for label, name in (("Round", "round2"), ("Points", "points2"), ("点", "answer"), ("Trump", "trump2")):
        assert tomllib.loads(filled(text, {"label-new": label}))["ask"][-1]["name"] == name
    assert tomllib.loads(filled(text, {"points": "sum", "formula": "3*points"}))["score"]["points"] == (
        "ours(points) + bonus"
    )


def test_a_question_that_is_dropped_takes_the_worked_round_with_it() -> None:
    text = filled(filled(OURS, {"label-new": "Bonus"}), {"drop": "0"})
    assert tomllib.loads(text)["score"]["points"] == "bonus"
    assert "example" not in tomllib.loads(text)


def test_questions_in_place_of_the_only_one_are_added_up_again() -> None:
    text = filled(OURS, {"drop": "0"})
    assert tomllib.loads(text)["score"]["points"] == 0
    text = filled(text, {"label-new": "Bonus", "points": "sum", "formula": "0"})
    assert tomllib.loads(text)["score"]["points"] == "bonus"


def test_a_formula_may_call_a_question_as_it_is_labelled() -> None:
    text = filled(OURS, {"label-0": "Cards left", "points": "formula", "formula": "-cards_left + total"})
    assert tomllib.loads(text)["score"]["points"] == "-points + total"
    again = form_of(text)
    assert again is not None
    assert [*again.names] == ["points (Cards left)"]


def test_a_new_game_of_the_form_has_no_worked_round_of_somebody_else() -> None:
    assert "example" not in tomllib.loads(beginning("ours", "Ours", example=False))
    assert "example" in tomllib.loads(beginning("ours", "Ours"))


def test_a_game_ends_by_rounds_by_points_or_by_a_button() -> None:
    assert tomllib.loads(filled(OURS, {"ends": "rounds", "end-rounds": "7"}))["options"]["rounds"]["values"] == [7, 10]
    by_points = tomllib.loads(filled(OURS, {"ends": "points", "end-points": "120"}))
    assert by_points["options"] == {"target": {"label": "Target", "values": [120], "typed": True}}
    assert by_points["end"] == {"when": "max(total) >= target"}
    never = tomllib.loads(filled(OURS, {"ends": "never"}))
    assert not {"end", "options"} & never.keys()
    by_text = shipped.text("rubber-bridge")
    assert tomllib.loads(filled(by_text, {"ends": "text"})) == tomllib.loads(by_text)


def test_answers_of_a_round_are_those_of_an_example() -> None:
    text = shipped.text("president")
    said = answers(text, {"worked-place-0": "3 1, 2 4"})
    assert said == {"place": [3, 1, 2, 4]}
    assert tomllib.loads(with_example(text, said, (3, 1, 2, 0)))["example"][0] == said | {"score": [3, 1, 2, 0]}


def test_what_is_written_is_read_as_it_was() -> None:
    data = {"name": 'a "b"\\\n\x7f', "é": [1, True, {"x y": "z"}], "ask": [{"a": {"b": {}}}, {}], "w": {"v": {"t": 1}}}
    data["long"] = ["x" * 60, "y" * 60]
    assert tomllib.loads(written(data)) == data


@pytest.mark.parametrize("language", ["fr", "ja"])
@pytest.mark.parametrize("name", shipped.names())
def test_a_shipped_game_becomes_one_of_a_language_alone_with_the_same_rules_and_examples(
    name: str, language: str
) -> None:
    words, before = Translator(language), shipped.text(name)
    text = in_words(before, lambda phrase: words(Text(phrase)))
    told, game = declared(text, name), declared(before, name)  # with the examples, which are tried
    assert [row.name for row in told.questions] == [row.name for row in game.questions]
    assert [str(row.label) for row in told.questions] == [words(Text(row.label)) for row in game.questions]
    assert "[words" not in text
    assert (form_of(text) is None) == (form_of(before) is None)
