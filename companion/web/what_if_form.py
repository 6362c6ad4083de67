"""The form "What if …": a game scored by other rules, beside the recorded score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from companion.core.game import LogHeader, RuleOption
from companion.core.session import Session
from companion.core.text import N_
from companion.gamelog import LogError, encode
from companion.history.score_other_rules import Rescored, rescored
from companion.ui.screens.set_up import agreed_before, label_of, number_in, place_of

from .history_lists import HistoryRequest
from .history_markup import PageWriter

RULE, NUMBER = "rule-", "number-"  # how the names of the form's fields begin: a rule's value, and its number


# a player's name, points and victory by the rules that were played by, the same by others, and the difference
RescoredRow = tuple[str, int, bool, int, bool, str]


class RuleField(Struct, frozen=True):
    """A rule in the form: its choices, and its number if it has one."""

    name: str  # of its field
    label: str
    choices: list[tuple[str, str, bool]]  # the number and the words of each value, and whether it is chosen
    number_name: str  # of the field of its number; empty if no value has one
    number: str


class RescoringForm(Struct, frozen=True):
    """The form's fields, and the points by the chosen rules."""

    fields: list[RuleField]  # none if the game has no rules to choose
    rows: Sequence[RescoredRow] = ()  # none before other rules are chosen
    sentences: Sequence[str] = ()  # what differs besides the points, or why the rules cannot be applied
    sent: bool = False  # whether the form was sent


def rules_in_words(writer: PageWriter, header: LogHeader) -> list[tuple[str, str]]:
    """Return the name and the value of each rule that was chosen for a game."""
    played = agreed_before(header.game.options, header)
    return [
        (writer.words(option.label), writer.words(label_of(option, played[option.name])))
        for option in header.game.options
        if option.name in played
    ]


def what_if(writer: PageWriter, session: Session, request: HistoryRequest) -> RescoringForm:
    """Return the form for a game, and what the chosen rules would have made of it."""
    header = session.header
    options = [option for option in header.game.options if len(header.players) in option.seats]
    played = agreed_before(header.game.options, header)
    sent = any(name.startswith(RULE) for name in request.query)
    chosen = dict(_chosen(request, options)) if sent else {}
    rules = {**played, **chosen}
    fields = [_field(writer, option, rules.get(option.name)) for option in options]
    known = {name: encode(value) for name, value in played.items()}
    other = {name: value for name, value in chosen.items() if known.get(name) != encode(value)}
    if not sent:
        return RescoringForm(fields)
    if not other:
        return RescoringForm(fields, sentences=(writer.say(N_("These are the rules that were played by.")),), sent=True)
    try:
        made = rescored(session, other)
    except LogError as error:
        return RescoringForm(fields, sentences=(writer.words.sentence(error.text),), sent=True)
    return RescoringForm(fields, list(_rows(writer, made)), list(map(writer.words.sentence, made.sentences)), sent=True)


def _chosen(request: HistoryRequest, options: Sequence[RuleOption]) -> Iterator[tuple[str, Any]]:
    """Yield the rules of the form; those that were left as they are, or that no form offers, are left out."""
    for option in options:
        text = request.query.get(f"{RULE}{option.name}", "")
        place = int(text) if text.isdecimal() and len(text) < 4 else len(option.choices)
        if place < len(option.choices):
            choice = option.choices[place]
            number = request.number(f"{NUMBER}{option.name}")
            yield option.name, choice.value if choice.number is None or number is None else choice.number(number)


def _field(writer: PageWriter, option: RuleOption, value: Any) -> RuleField:
    numbered = any(choice.number is not None for choice in option.choices)
    number, chosen = number_in(value), place_of(option, value)
    choices = [(str(place), writer.words(choice.label), place == chosen) for place, choice in enumerate(option.choices)]
    if chosen is None:  # a value that no set-up offers
        choices.insert(0, ("", writer.say(N_("Recorded")), True))
    return RuleField(
        f"{RULE}{option.name}",
        writer.words(option.label),
        choices,
        f"{NUMBER}{option.name}" if numbered else "",
        "" if number is None else str(number),
    )


def _rows(writer: PageWriter, made: Rescored) -> Iterator[RescoredRow]:
    winners, would_win = made.recorded.winners or (), made.other.winners or ()
    for seat, (points, other) in enumerate(zip(made.recorded.totals, made.other.totals, strict=True)):
        difference = f"{other - points:+d}".replace("-", "−")
        yield writer.seat(seat), points, seat in winners, other, seat in would_win, difference
