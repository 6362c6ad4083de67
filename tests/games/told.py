"""Games in words: what people who test a game look at, as lines of text.

Every field that is not empty is told, so that whatever a game says stands in the transcripts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from companion.core.cards import Card, Suit
from companion.core.game import (
    Event,
    EventOutcome,
    Game,
    GameView,
    Headline,
    RuleOption,
    Table,
    TextPage,
    event_from_answers,
    tracking_of,
)
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
    TallySheet,
)
from companion.core.text import tell
from companion.gamelog import encode_line
from companion.ui.keys import AnswerCodes
from companion.ui.translations import Translator

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve", "Fay", "Gus", "Hal")


_language: list[Translator] = []


@contextmanager
def language(name: str) -> Iterator[None]:
    """Tell everything in another language within the block."""
    _language.append(Translator(name, NAMES))
    try:
        yield
    finally:
        _language.pop()


def told(text: object) -> str:
    """Return a text in words, with the names of players."""
    return _language[-1].aloud(_language[-1](text)) if _language else tell(text, NAMES)


def parts(*found: object) -> str:
    """Return what there is of some parts, one after another."""
    return " | ".join(str(part) for part in found if part not in (None, ""))


def named(name: str, value: object) -> str:
    """Return a value with its name, if there is one."""
    return f"{name} {value}" if value not in (None, "", (), False) else ""


def seats(some: Iterable[int]) -> str:
    """Return the names of seats."""
    return " ".join(NAMES[seat] for seat in some)


# Events and answers


def as_words(event: Event) -> str:
    """Return an event as it stands in a log, in fewer signs: ``play player=1 card=sky-4``."""
    fields = json.loads(encode_line(event))
    kind = fields.pop("type")
    compact = json.JSONEncoder(separators=(",", ":")).encode
    return " ".join((kind, *(f"{name}={v if isinstance(v, str) else compact(v)}" for name, v in fields.items())))


def answer_word(answer: Answer) -> str:
    """Return an answer as a scene gives it."""
    match answer:
        case LayCard(card, alternate):
            return "+" * alternate + card.name
        case LayPair(first, second):
            return f"{first.name}+{second.name}"
        case ChooseItem(value):
            return f"={value}"
        case ChooseSeat(seat):
            return NAMES[seat]
        case EnterNumber(value):
            return str(value)
        case Skip():
            return "#"
        case TakeAlternative():
            return "D"


def _in_runs(words: Iterable[str]) -> Iterable[str]:
    """Return words in which numbers that follow one another are a run: ``3-7``."""
    found = list[list[str]]()
    for word in words:
        after = found and word.isdigit() and found[-1][-1].isdigit() and int(word) == int(found[-1][-1]) + 1
        if after:
            found[-1].append(word)
        else:
            found.append([word])
    for run in found:
        yield f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run)


def offers(answers: Sequence[Answer]) -> str:
    """Return answers in their order: the cards of a suit and the numbers in runs."""

    def head(answer: Answer) -> str:
        word = answer_word(answer)
        return word.rpartition("-")[0] if isinstance(answer, LayCard) else type(answer).__name__

    found = []
    for suit, group in groupby(answers, head):
        alike = [*group]
        if isinstance(alike[0], LayCard) and suit:
            found.append(f"{suit} {' '.join(_in_runs(answer_word(each).rpartition('-')[2] for each in alike))}")
        elif isinstance(alike[0], ChooseItem):
            found += [f"={each.value} {told(each.label)}" for each in alike if isinstance(each, ChooseItem)]
        else:
            found.append(" ".join(_in_runs(map(answer_word, alike))))
    return ", ".join(found)


def _names(suits: Iterable[Suit | Card]) -> str:
    return " ".join(suit.name for suit in suits)


def prompt(asked: Prompt) -> str:
    """Return a question with all that it offers."""
    numbers = asked.open_numbers
    return parts(
        told(asked.text),
        named("for", NAMES[asked.seat]) if asked.seat is not None else "",
        offers(asked.answers),
        f"or {numbers[0]}-{numbers[-1]}" if numbers else "",
        named("D", told(asked.alternative)) if asked.alternative else "",
        named("#", told(asked.skip)) if asked.skip else "",
        named("in short", told(asked.skip_short)) if asked.skip_short else "",
        "skipped apart" if asked.skip_apart else "",
        named("aside", f"{told(asked.alternate.label)} {asked.alternate.sign}") if asked.alternate else "",
        named("of", f"{len(asked.deck)} cards, {_names(asked.suits)}") if asked.deck else "",
        named("items", " ".join(str(item.value) for item in asked.picks)),
        named("bare", _names(asked.bare)),
        named("led", asked.led.name) if asked.led else "",
        named("alike", ", ".join(f"{left} {suit.name}" for suit, left in asked.alike)),
        "highest" if asked.highest else "",
        named("together", _names(asked.combination)) if asked.combination else "",
        named("stays", answer_word(asked.stays)) if asked.stays else "",
        tally(asked.sheet) if asked.sheet else "",
        named("keys", told(asked.legend)) if asked.legend else "",
        named("note", told(asked.note)) if asked.note else "",
    )


def tally(sheet: TallySheet) -> str:
    """Return a sheet that is being filled in."""
    rows = ("/".join("_" if figure is None else str(figure) for figure in row) for row in sheet.rows)
    cell = "" if sheet.cell is None else f" at {NAMES[sheet.cell[0]]} {sheet.cell[1] + 1}"
    by = ", by row" if sheet.by_row else ""
    heads = " ".join(told(column) for column in sheet.columns)
    more = "".join(f", {told(line)}" for line in sheet.told)
    return f"[{told(sheet.title)}: {heads}: {' '.join(rows)}{cell}{by}{more}]"


# What is shown


def table(shown: Table) -> str:
    """Return a table: title, heads, rows, marks."""
    names = [told(name) for name in shown.names] or [*NAMES]
    rows = (
        f"{name}{'!' * (seat in shown.marked)} {' / '.join(map(told, row))}"
        for seat, (name, row) in enumerate(zip(names, shown.rows, strict=False))
    )
    return f"[{told(shown.title)}: {' / '.join(map(told, shown.columns))}: {', '.join(rows)}]"


def _headline(shown: Headline) -> str:
    colour = "".join(f"{part:02x}" for part in shown.colour)
    return f"sign {shown.picture} {told(shown.word)}{named(' over', shown.figure)} {colour}{' trump' * shown.trump}"


def view(shown: GameView) -> str:
    """Return what the panel shows of a game."""
    seats = (
        f"{name}: {parts(told(seat.laid), told(seat.figures))}{' leads' * seat.leads}"
        f"{' won' * seat.won}{' sits out' * seat.sits_out}"
        for name, seat in zip(NAMES, shown.seats, strict=False)
    )
    columns = ", ".join(f"{each.sign} {each.count}{f' +{each.more}' * bool(each.more)}" for each in shown.columns)
    piles = shown.piles
    return parts(
        _headline(shown.headline) if shown.headline else "",
        told(shown.status),
        named("columns", columns),
        *seats,
        f"piles {' '.join(piles.signs)}: {' '.join('/'.join(map(str, own)) for own in piles.counts)}" if piles else "",
        named("result", " ".join(told(shown.result).split())) if shown.result else "",
        named("suits", _names(shown.suits)),
    )


def outcome(made: EventOutcome) -> str:
    """Return what is said of an event."""
    return parts(
        *(f"“{told(line)}”" for line in made.lines),
        named("sounds", made.laid_as.name.lower()) if made.laid_as else "",
        "alert" if made.alert else "",
        "won" if made.won else "",
        f"new trump {made.new_trump}" if made.new_trump is not None else "",
        table(made.table) if made.table else "",
        f"then {view(made.finished)}" if made.finished else "",
    )


def page(shown: Table | TextPage) -> str:
    """Return a page of a rules card."""
    if isinstance(shown, Table):
        return table(shown)
    return f"[{told(shown.title)}: {' / '.join(map(told, shown.lines))}]"


def option(shown: RuleOption) -> str:
    """Return a rule with its choices."""
    choices = (f"{told(choice.label)}{'…' * bool(choice.number)}" for choice in shown.choices)
    return f"[{told(shown.label)} for {shown.seats[0]}-{shown.seats[-1]}: {' / '.join(choices)}]"


def event(game: Game[Any], state: Any, made: Event) -> str:
    """Return all that a game says of a legal event in a state: keys, words, what is heard and seen, and counted."""
    after, optional = game.apply(state, made), game.optional
    tracking = tracking_of(game, next(iter(game.trackings)), state, made)
    given = game.answers(state, made)
    assert event_from_answers(game, state, tracking, given) == made
    keys = ""
    for count, answer in enumerate(given):
        asked = game.ask(state, tracking, given[:count])
        assert isinstance(asked, Prompt)
        keys += AnswerCodes(asked).spell(answer)
    counted: dict[str, list[str]] = {}
    for done in optional.counted_actions(state, made, after):
        if done.amount:
            counted.setdefault(done.what, []).append(f"{NAMES[done.seat]} {done.amount}")
    likely = None if optional.log_likelihood is None else optional.log_likelihood(state, made)
    ended = optional.finished_rounds(after) > optional.finished_rounds(state)
    by_steps = ended and not isinstance(made, optional.whole_round)
    whole = optional.as_whole_round(state, made, after) if by_steps and optional.as_whole_round else None
    return parts(
        told(game.describe(made)),
        f"{tracking.value} {' '.join(map(answer_word, given))} = {keys}",
        outcome(game.outcome(state, made, after)),
        *(f"{what}: {', '.join(who)}" for what, who in counted.items()),
        "" if likely is None else f"likely {likely:.2f}",
        f"whole {as_words(whole)}" if whole is not None else "",
    )
