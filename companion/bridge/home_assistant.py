"""Home Assistant's discovery: one message that describes the table as a device with its entities.

Written from Home Assistant's documentation of MQTT discovery (device discovery, since 2024.12).
"""

from __future__ import annotations

from typing import Any

from .mqtt import Access, publish, says_online
from .records import topics
from .table_state import EVENTS

NONE = "–"  # the state of an entity while there is no game, trump, led suit, round or turn
MOST_SEATS = 8


def discovery_topic(prefix: str, device: str) -> str:
    """Return the topic of the message that tells Home Assistant about a table."""
    return f"{prefix}/device/{device}/config"


class RunningBridgeError(Exception):
    """The bridge of the box still runs, and would publish everything again."""


def clear_topics(access: Access, device: str, prefix: str = "tabletop", home_assistant: str = "homeassistant") -> None:
    """Clear every topic that the bridge of a box lets the broker keep, so that Home Assistant forgets the device.

    Raises:
        OSError: The broker does not answer, or does not accept this client.
        RunningBridgeError: The bridge is online; nothing is cleared.
    """
    names = topics(f"{prefix}/{device}")
    if says_online(access, names["status"]):
        raise RunningBridgeError
    kept = (discovery_topic(home_assistant, device), *(names[each] for each in ("state", "status", "name", "call")))
    publish(access, [(topic, b"") for topic in kept])


def discovery(device: str, name: str, base: str, seats: int) -> dict[str, Any]:
    """Return the message that tells Home Assistant about a table.

    Args:
        device: The id of the box.
        name: What people call it.
        base: What every topic of it begins with.
        seats: How many seats have a score; Home Assistant removes those of all others.
    """
    where = topics(base)
    components: dict[str, dict[str, Any]] = {
        "game": _sensor("Game", _or_none("game"), "mdi:cards"),
        "round": _sensor("Round", _or_none("round"), "mdi:counter"),
        "turn": _sensor("Turn", _or_none("turn"), "mdi:account-arrow-right"),
        "trump": _sensor("Trump", _or_none("trump"), "mdi:cards-playing")
        | _attributes(where, "{'suit': value_json.trump_suit, 'colour': value_json.colour}"),
        "led": _sensor("Led suit", _or_none("led"), "mdi:cards-playing-outline"),
        "alerts": _sensor("Alerts", "value_json.alerts", "mdi:alert")
        | _attributes(where, "{'text': value_json.latest_alert}"),
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
    for seat in range(seats):
        player, there = f"value_json.seats[{seat}]", f"value_json.seats | length > {seat}"
        components[f"score_{seat + 1}"] = (
            _sensor(f"Score {seat + 1}", f"{player}.score if {there} else none", "mdi:scoreboard")
            | _attributes(where, f"{{'player': {player}.name, 'won': {player}.won}} if {there} else {{}}")
            | {"state_class": "measurement"}
        )
    for key, component in components.items():
        component["unique_id"] = f"{device}_{key}"
        component.setdefault("state_topic", where["state"])
    components |= {f"score_{number}": {"platform": "sensor"} for number in range(seats + 1, MOST_SEATS + 1)}
    components |= {f"when_{kind}": _trigger(kind, where["event"]) for kind in EVENTS}
    return {
        "device": {"identifiers": [device], "name": name, "manufacturer": "Tabletop Companion"},
        "origin": {"name": "Tabletop Companion"},
        "availability_topic": where["status"],
        "components": components,
    }


def _sensor(name: str, value: str, icon: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "value_template": f"{{{{ {value} }}}}", "icon": icon}


def _attributes(where: dict[str, str], value: str) -> dict[str, str]:
    """Return the keys of a component that make attributes of the table's state."""
    template = f"{{{{ ({value}) | tojson }}}}"
    return {"json_attributes_topic": where["state"], "json_attributes_template": template}


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
