"""Home Assistant's discovery: one message that describes the table as a device with its entities.

Written from Home Assistant's documentation of MQTT discovery (device discovery, since 2024.12).
"""

from __future__ import annotations

from typing import Any

from .table_state import EVENTS, TableState

NONE = "–"  # the state of an entity while there is no trump, led suit, round or turn


def topics(base: str) -> dict[str, str]:
    """Return the topics of a table, by what they carry.

    >>> topics("tabletop/box")["state"]
    'tabletop/box/table'
    """
    same = ("status", "event", "lines", "ack", "name", "correction", "corrected", "hub", "call")
    return {"state": f"{base}/table", **{name: f"{base}/{name}" for name in same}}


def discovery(device: str, name: str, base: str, table: TableState, seats_before: int = 0) -> dict[str, Any]:
    """Return the message that tells Home Assistant about a table, for the game that is played on it.

    Args:
        device: The id of the box.
        name: What people call it.
        base: What every topic of it begins with.
        seats_before: How many seats the message before had; those that are gone are removed.
    """
    where = topics(base)
    components: dict[str, dict[str, Any]] = {
        "game": _sensor("Game", "value_json.game", "mdi:cards"),
        "round": _sensor("Round", _or_none("round"), "mdi:counter"),
        "turn": _sensor("Turn", _or_none("turn"), "mdi:account-arrow-right"),
        "trump": _choice("Trump", "trump", table.suits, "mdi:cards-playing"),
        "led": _choice("Led suit", "led", table.suits, "mdi:cards-playing-outline"),
        "alerts": _sensor("Alerts", "value_json.alerts", "mdi:alert")
        | {
            "json_attributes_topic": where["state"],
            "json_attributes_template": "{{ {'text': value_json.latest_alert} | tojson }}",
        },
        "unsaved": _sensor("Unsaved entries", "value_json.unsaved", "mdi:content-save-alert"),
        "over": {
            "platform": "binary_sensor",
            "name": "Game over",
            "value_template": "{{ 'ON' if value_json.over else 'OFF' }}",
        },
        "happened": {
            "platform": "event",
            "name": "Event",
            "state_topic": where["event"],
            "event_types": list(EVENTS),
        },
    }
    for seat in range(len(table.seats)):
        player = f"value_json.seats[{seat}]"
        components[f"score_{seat + 1}"] = _sensor(f"Score {seat + 1}", f"{player}.score", "mdi:scoreboard") | {
            "json_attributes_topic": where["state"],
            "json_attributes_template": f"{{{{ {{'player': {player}.name, 'won': {player}.won}} | tojson }}}}",
            "state_class": "measurement",
        }
    for key, component in components.items():
        component["unique_id"] = f"{device}_{key}"
        component.setdefault("state_topic", where["state"])
    gone = range(len(table.seats) + 1, seats_before + 1)
    components |= {f"score_{number}": {"platform": "sensor"} for number in gone}
    components |= {f"when_{kind}": _trigger(kind, where["event"]) for kind in EVENTS}
    return {
        "device": {"identifiers": [device], "name": name, "manufacturer": "Tabletop Companion"},
        "origin": {"name": "Tabletop Companion"},
        "availability_topic": where["status"],
        "components": components,
    }


def _sensor(name: str, value: str, icon: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "value_template": f"{{{{ {value} }}}}", "icon": icon}


def _choice(name: str, field: str, options: tuple[str, ...], icon: str) -> dict[str, Any]:
    """Return a sensor with a list of states. Home Assistant refuses a state that is not among its options."""
    return _sensor(name, _or_none(field), icon) | {"device_class": "enum", "options": [*options, NONE]}


def _or_none(field: str) -> str:
    return f"value_json.{field} if value_json.{field} is not none else '{NONE}'"


def _trigger(kind: str, topic: str) -> dict[str, Any]:
    """Return a device trigger, which automations can choose without a template."""
    return {
        "platform": "device_automation",
        "automation_type": "trigger",
        "type": kind,
        "subtype": "table",
        "topic": topic,
        "payload": kind,
        "value_template": "{{ value_json.event_type }}",
    }
