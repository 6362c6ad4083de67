"""Home Assistant takes the description of the table, and its templates make states of what the bridge publishes.

The checks follow Home Assistant's documentation of MQTT: discovery, sensor, binary sensor, event, device trigger.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from jinja2 import Environment

from companion.bridge.home_assistant import NONE, discovery
from companion.bridge.table_state import EVENTS, TableState, events_between, table_state
from companion.gamelog import replay
from companion.games import GAMES
from companion.ui.translations import Translator
from tests.app.finished_games import random_log

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
    published = json.loads(msgspec.json.encode(table))
    return Environment().from_string(component["value_template"]).render(value_json=published)


@pytest.mark.parametrize("game", GAMES)
def test_every_component_has_what_its_kind_needs(game: str) -> None:
    said = discovery("box", "Table", "tabletop/box", tables(game)[0])
    assert {"device", "origin", "components"} <= set(said)
    assert said["device"]["identifiers"]
    assert said["origin"]["name"]
    for component in said["components"].values():
        assert REQUIRED[component["platform"]] <= set(component)
        if "options" in component:  # a sensor with options is an enum, and measures nothing
            assert component["device_class"] == "enum"
            assert not {"state_class", "unit_of_measurement"} & set(component)
    ids = [component["unique_id"] for component in said["components"].values() if "unique_id" in component]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("game", GAMES)
def test_every_state_is_among_the_options(game: str) -> None:
    found = tables(game)
    components = discovery("box", "Table", "tabletop/box", found[0])["components"]
    for component in (components["trump"], components["led"]):
        assert {state_of(component, table) for table in found} <= set(component["options"])


def test_states_read_as_the_table() -> None:
    table = next(table for table in tables("eternity") if table.trump and table.turn)
    components = discovery("box", "Table", "tabletop/box", table)["components"]
    states = {name: state_of(each, table) for name, each in components.items() if each["platform"] == "sensor"}
    assert states["game"] == "Eternity"
    assert states["trump"] == table.trump
    assert states["turn"] == table.turn
    assert states["score_2"] == str(table.seats[1].score)
    assert state_of(components["over"], table) == "OFF"
    attributes = Environment().from_string(components["score_2"]["json_attributes_template"])
    assert (
        json.loads(attributes.render(value_json=json.loads(msgspec.json.encode(table))))["player"]
        == table.seats[1].name
    )


def test_before_the_first_entry_there_is_no_trump_and_nobody_to_act() -> None:
    table = tables("eternity")[0]
    components = discovery("box", "Table", "tabletop/box", table)["components"]
    assert {state_of(components[name], table) for name in ("trump", "led", "turn")} == {NONE}


@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_declared(game: str) -> None:
    sessions = [step.session for step in replay(random_log(game, 3))]
    kinds = {event.event_type for pair in pairwise(sessions) for event in events_between(*pair, Translator("en"))}
    components = discovery("box", "Table", "tabletop/box", tables(game)[0])["components"]
    assert kinds <= set(components["happened"]["event_types"])
    assert {f"when_{kind}" for kind in EVENTS} <= set(components)


def test_the_scores_of_seats_that_are_gone_are_removed() -> None:
    two = tables("hipparchus")[0]
    components = discovery("box", "Table", "tabletop/box", two, seats_before=4)["components"]
    assert {name: components[name] for name in ("score_3", "score_4")} == {
        "score_3": {"platform": "sensor"},
        "score_4": {"platform": "sensor"},
    }
