"""Home Assistant takes the description of the table, and its templates make states of what the bridge publishes.

The checks follow Home Assistant's documentation of MQTT: discovery, sensor, binary sensor, event, device trigger.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jinja2 import Environment, StrictUndefined

from companion.bridge.home_assistant import MOST_SEATS, NONE, discovery
from companion.bridge.table_state import EVENTS, TableState, events_between, table_state
from companion.gamelog import replay
from companion.games import GAMES
from companion.ui.translations import Translator
from tests.cli.finished_games import random_log

REQUIRED = {
    "sensor": {"unique_id", "state_topic", "name", "value_template"},
    "binary_sensor": {"unique_id", "state_topic", "name", "value_template"},
    "event": {"unique_id", "state_topic", "name", "event_types"},
    "device_automation": {"automation_type", "type", "subtype", "topic"},
}


def tables(game: str) -> list[TableState]:
    return [table_state(step.session, Translator("en")) for step in replay(random_log(game, 3))]


def state_of(component: dict[str, Any], table: TableState) -> str:
    """Return the state that Home Assistant makes of a published table."""
    return rendered(component["value_template"], table)


def attributes_of(component: dict[str, Any], table: TableState) -> Any:
    """Return the attributes that Home Assistant makes of a published table."""
    return json.loads(rendered(component["json_attributes_template"], table))


def rendered(template: str, table: TableState) -> str:
    published = json.loads(msgspec.json.encode(table))
    return Environment(undefined=StrictUndefined).from_string(template).render(value_json=published)


@pytest.mark.parametrize("game", GAMES)
def test_every_component_has_what_its_kind_needs(game: str) -> None:
    said = discovery("box", "Table", "tabletop/box", len(tables(game)[0].seats))
    assert {"device", "origin", "components"} <= set(said)
    assert said["device"]["identifiers"]
    assert said["origin"]["name"]
    for component in said["components"].values():
        assert component == {"platform": "sensor"} or REQUIRED[component["platform"]] <= set(component)
        assert "options" not in component  # a state that is not among them is refused, and they change with the game
    ids = [component["unique_id"] for component in said["components"].values() if "unique_id" in component]
    assert len(ids) == len(set(ids))


def test_states_read_as_the_table() -> None:
    table = next(table for table in tables("eternity") if table.trump and table.turn)
    components = discovery("box", "Table", "tabletop/box", len(table.seats))["components"]
    states = {
        name: state_of(each, table)
        for name, each in components.items()
        if "name" in each and each["platform"] == "sensor"
    }
    assert states["game"] == "Eternity"
    assert states["trump"] == table.trump
    assert states["turn"] == table.turn
    assert states["score_2"] == str(table.seats[1].score)
    assert state_of(components["over"], table) == "OFF"
    assert attributes_of(components["score_2"], table)["player"] == table.seats[1].name
    assert attributes_of(components["trump"], table) == {"suit": table.trump_suit, "colour": [*(table.colour or ())]}


def test_before_the_first_entry_there_is_no_trump_and_nobody_to_act() -> None:
    table = tables("eternity")[0]
    components = discovery("box", "Table", "tabletop/box", 4)["components"]
    assert {state_of(components[name], table) for name in ("trump", "led", "turn")} == {NONE}


def test_states_of_fewer_seats_than_described_and_of_no_game_are_no_errors() -> None:
    components = discovery("box", "Table", "tabletop/box", MOST_SEATS)["components"]
    for name, component in components.items():
        if "value_template" in component and component["platform"] != "device_automation":
            assert state_of(component, TableState()) in (NONE, "0", "OFF", "None"), name  # None is unknown
    assert attributes_of(components["score_8"], TableState()) == {}
    assert attributes_of(components["trump"], TableState()) == {"suit": None, "colour": None}


@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_declared(game: str) -> None:
    sessions = [step.session for step in replay(random_log(game, 3))]
    kinds = {event.event_type for pair in pairwise(sessions) for event in events_between(*pair, Translator("en"))}
    components = discovery("box", "Table", "tabletop/box", 4)["components"]
    assert kinds <= set(components["happened"]["event_types"])
    assert {f"when_{kind}" for kind in EVENTS} <= set(components)


def test_the_scores_of_seats_that_are_gone_are_removed() -> None:
    components = discovery("box", "Table", "tabletop/box", 2)["components"]
    assert "name" in components["score_2"]
    assert all(components[f"score_{number}"] == {"platform": "sensor"} for number in range(3, MOST_SEATS + 1))


def test_home_assistant_is_told_the_same_as_before() -> None:
    told = json.loads((Path(__file__).parent / "discovery.json").read_text("utf-8"))
    assert discovery("box", "Card table", "tabletop/box", 2) == told
