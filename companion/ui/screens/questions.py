"""The texts of a prompt on the game's screen: labels of answers, hints, refusals, the tally sheet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain

from msgspec.structs import replace

from companion.core.cards import Suit
from companion.core.prompt import (
    NOT_ASKED,
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
)
from companion.core.text import Part, Seat, Text, joined, listed
from companion.ui.keys import MINUS_KEY, OK_KEY, SUIT_KEYS, alternate_mode_key, alternative_key, skip_key
from companion.ui.translations import _
from companion.ui.view import TableBody

MINUS = "−"
COLON = r"\s*[:：]"
"""The colon that separates an item's name from its description."""

MOST_LETTERS = 8
"""The most letters of an old answer in a short hint."""


def sheet(prompt: Prompt) -> TableBody[object]:
    """Return the sheet of a question; why it is asked stands in place of the title."""
    asked = prompt.sheet
    assert asked is not None  # only such a prompt is shown so
    unknown = NOT_ASKED if prompt.whole else ""
    return TableBody(
        prompt.note or asked.title,
        asked.columns,
        tuple(map(Seat, range(len(asked.rows)))),
        tuple(tuple(unknown if figure is None else number(figure) for figure in row) for row in asked.rows),
        cell=asked.cell,
        told=asked.told,
        sheet=True,
    )


def typed(prompt: Prompt, keys: str, whole: bool = False) -> object:
    """Return the typed keys as readable text, with glyphs for suits and for the alternate mode.

    Args:
        whole: Whether OK would make an answer of them; that they could still grow is then shown.
    """
    if not keys:
        return ""
    grows = " …" if whole and keys[-1].isdigit() else ""
    if asks_sign(prompt):
        return keys.replace(MINUS_KEY, MINUS) + grows
    signs = {key: suit.sign for key, suit in zip(SUIT_KEYS, prompt.suits, strict=False)}
    begun = ""
    if prompt.alternate is not None and keys.startswith(alternate_mode_key(prompt)):
        begun, keys = prompt.alternate.sign, keys[1:]
    return joined((begun, *(signs.get(key, key) for key in keys), grows), "")


def number(value: int) -> str:
    """Return a number as people write it, with a true minus sign.

    >>> number(-5)
    '−5'
    """
    return str(value).replace("-", MINUS)


def asks_sign(prompt: Prompt) -> bool:
    """Return whether a number below zero can be the answer."""
    return min([answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)], default=0) < 0


def asks_number(prompt: Prompt) -> bool:
    return any(isinstance(answer, EnterNumber) for answer in prompt.answers)


def answer_label(prompt: Prompt, answer: Answer) -> object:
    """Return the label of a key that completes an answer."""
    match answer:
        case LayCard(card, alternate):
            return joined((prompt.alternate.sign, card)) if alternate and prompt.alternate else card
        case LayPair(first, second):
            return joined((first.suit.sign, second.suit.sign, first.figure), "")
        case ChooseItem(_value, label):
            return label
        case ChooseSeat(seat):
            return Seat(seat)
        case EnterNumber(value):
            return number(value)
        case Skip():
            return prompt.skip
        case TakeAlternative():
            return prompt.alternative


def kept(prompt: Prompt) -> tuple[Text, object]:
    """Return what keeps the old answer of a correction, long and short."""
    assert prompt.stays is not None  # only such a question has one
    label = answer_label(prompt, prompt.stays)
    return _("keep {figure}", figure=label), label


def start_label(prompt: Prompt, before: str, key: str) -> object:
    """Return the label of a key that begins several answers."""
    if prompt.alternate is not None and key == alternate_mode_key(prompt) and (not before or key in SUIT_KEYS):
        return prompt.alternate.label
    if key in SUIT_KEYS[: len(prompt.suits)]:
        return prompt.suits[SUIT_KEYS.index(key)]
    if asks_sign(prompt):
        return f"{before}{key}…".replace(MINUS_KEY, MINUS)
    return f"{''.join(character for character in before if character.isdigit())}{key}…"


def given(answers: tuple[Answer, ...]) -> object:
    """Return the answers given so far to the unfinished entry, in short form."""
    signs: list[object] = []
    for answer in answers:
        match answer:
            case LayCard(card):
                signs.append(card.sign)
            case LayPair(first, second):
                signs.append(joined((first.sign, second.sign), ""))
            case ChooseSeat(seat):
                signs.append(Seat(seat))
            case ChooseItem(_value, label):
                signs.append(Part(label, lambda label: re.split(COLON, label)[0]))
            case EnterNumber(value):
                signs.append(number(value))
    return joined(signs) if signs else ""


def hints(prompt: Prompt, answers: tuple[Answer, ...], typed: str = "", whole: bool = True) -> tuple[object, object]:
    """Return the hint for the end of the bottom line, long and short: other possible keys, or the answers given so far.

    The short hint shows suits without their keys.

    Args:
        typed: The keys of the unfinished answer. Skip and alternative are only offered before the first key.
        whole: Whether OK would make an answer of them.
    """
    if typed and asks_number(prompt):
        return (_("# OK") if whole else "",) * 2
    sign = (f"{MINUS_KEY} {MINUS}",) if not typed and asks_sign(prompt) else ()
    if (prompt.skip is not None or prompt.stays is not None) and prompt.legend is None and not typed:
        longs, shorts = zip(*_without_answer(prompt), strict=True)
        return joined((*sign, *longs), "  "), joined((*sign, *shorts), "  ")
    named = any(isinstance(answer, ChooseItem) for answer in answers)  # what was chosen says little beside names
    asks_seat = named and any(isinstance(answer, ChooseSeat) for answer in prompt.answers)
    if answers and prompt.sheet is None and not asks_seat and not legend_items(prompt):
        return (given(answers),) * 2
    if prompt.alternative is not None and not typed:
        return (joined((*sign, joined((alternative_key(prompt), prompt.alternative))), "  "),) * 2
    if sign:
        return sign * 2
    laid = [answer for answer in prompt.answers if isinstance(answer, LayCard)]
    keyed, brief = _legend(prompt, {answer.card.suit for answer in laid})
    if prompt.alternate is None or True not in {answer.alternate for answer in laid}:
        return keyed, brief
    return joined((keyed, prompt.alternate.sign)), joined((brief, prompt.alternate.sign))


def _without_answer(prompt: Prompt) -> Iterator[tuple[Text, Text]]:
    """Yield what keeps the old answer and what skips the question, each after its key, long and short."""
    if prompt.stays is not None:
        still, label = kept(prompt)
        yield joined((OK_KEY, still)), joined((OK_KEY, Part(label, _shortened)))
    if prompt.skip is not None:
        short = prompt.skip if prompt.skip_short is None else prompt.skip_short
        yield joined((skip_key(prompt), prompt.skip)), joined((skip_key(prompt), short))


def _shortened(label: str) -> str:
    return label if len(label) <= MOST_LETTERS else f"{label[: MOST_LETTERS - 1]}…"


def _legend(prompt: Prompt, left: Collection[Suit]) -> tuple[object, object]:
    """Return the prompt's own legend or the suits with their keys, in the order in which a bare rank means them.

    The second text is without keys. Both are empty if a bare rank means one suit only, which the large glyph shows.

    Args:
        left: The suits of the cards that can be laid.
    """
    if prompt.legend is not None:
        forms = [(Part(prompt.legend, str.strip), _brief_legend(prompt)), *_without_answer(prompt)]
        return joined(long for long, _short in forms), Part(joined(short for _long, short in forms), str.strip)
    jokers, short_jokers = _jokers(prompt, 3), _jokers(prompt, 1)
    if len(prompt.bare) == 1:
        return _spaced(jokers), _spaced(short_jokers)
    keys = dict(zip(prompt.suits, SUIT_KEYS, strict=False))
    suits = [suit for suit in prompt.bare or prompt.suits if suit in left]
    keyed = joined(chain.from_iterable((keys.get(suit, ""), suit.sign) for suit in suits), "")
    brief = joined((suit.sign for suit in suits if prompt.bare), "")
    return _spaced([keyed, *jokers]), _spaced([brief, *short_jokers])


def _spaced(texts: list[Text]) -> object:
    """Return texts with a space between each two; empty if there are none."""
    there = [text for text in texts if text.args]
    return joined(there) if there else ""


def _brief_legend(prompt: Prompt) -> object:
    """Return a legend where there is little room: suits, or the first letters of what can be chosen."""
    items = legend_items(prompt)
    if not items:
        return Part(prompt.legend, str.strip)
    if prompt.suits:
        keyed = zip(SUIT_KEYS, prompt.suits, strict=False)
        return joined((joined((key, suit.sign), "") for key, suit in keyed), "")
    labels = joined((item.label for item in items), "\n")
    return Part(labels, partial(_first_letters, [str(item.value) for item in items]))


def _first_letters(keys: list[str], labels: str) -> str:
    """Return the first letters of some labels, line by line, each after its key; none if two begin alike."""
    short = {label[:3]: key for label, key in zip(labels.split("\n"), keys, strict=True)}
    return " ".join(f"{key}{label}" for label, key in short.items()) if len(short) == len(keys) else ""


def _jokers(prompt: Prompt, letters: int) -> list[Text]:
    """Return the keys of the kinds of jokers that are left, each with so many letters of its name."""
    kinds = {kind for kind, count in prompt.alike if count}
    laid = [answer.card for answer in prompt.answers if isinstance(answer, LayCard)] if kinds else []
    return [
        joined((card.keys[0], Part(card.suit.label, lambda label: label[:letters])), "")
        for card in laid
        if card.suit in kinds
    ]


def legend_items(prompt: Prompt) -> list[ChooseItem]:
    """Return the items that can be chosen, where a legend names them; none beside cards."""
    if prompt.legend is None or prompt.picks:
        return []
    return [answer for answer in prompt.answers if isinstance(answer, ChooseItem)]


def choices(prompt: Prompt) -> tuple[Text, ...]:
    """Return the items that can be chosen, each after its key, and how an old one is kept; none without items."""
    items = legend_items(prompt)
    others = (long for long, _short in _without_answer(prompt)) if items else ()
    return (*(joined((item.letter or str(item.value), item.label)) for item in items), *others)


def signs_before_names(prompt: Prompt | None) -> dict[int, str]:
    """Return what stands before names: the key of a seat that can be chosen, ``1.`` of the first that was named."""
    if prompt is None:
        return {}
    keys = {answer.seat: str(answer.seat + 1) for answer in prompt.answers if isinstance(answer, ChooseSeat)}
    return keys | {seat: f"{place}." for place, seat in enumerate(prompt.named, 1)}


def pointing(body: TableBody[object], prompt: Prompt) -> TableBody[object]:
    """Return a table with each seat's key before its name, for the seats that the prompt offers."""
    signs = signs_before_names(prompt)
    names = (joined((signs[seat], name)) if seat in signs else name for seat, name in enumerate(body.names))
    return replace(body, names=tuple(names), bare_names=body.names) if signs else body


def explained(prompt: Prompt, before: str, key: str, why_not: Text | None) -> Text:
    """Return the message for a key that begins no answer, or why the seat of that number cannot be chosen."""
    numbers: Sequence[int] = prompt.open_numbers
    numbers = numbers or [answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)]
    if key and {*prompt.answers} == {Skip(), TakeAlternative()}:
        skip, alternative = prompt.skip or Text(""), prompt.alternative or Text("")
        both = (_keyed(skip_key(prompt), skip), _keyed(alternative_key(prompt), alternative))
        return _("Choose: {choices}", choices=listed(both))
    if before and key == "#" and not numbers and not legend_items(prompt):
        return _("That is not a card yet; * steps back")
    if key == "#" and not before and prompt.skip is not None:
        return _("# ends a number; {key}: {skip}", key=skip_key(prompt), skip=prompt.skip)
    least, most = min(numbers, default=0), max(numbers, default=0)
    step = (most - least) // max(1, len(numbers) - 1)
    steps = step > 1 and all(each == least + step * place for place, each in enumerate(numbers))
    if asks_sign(prompt) and not (steps and before.lstrip(MINUS_KEY)):
        return _(
            "From {least} to {most}; {key} is the minus sign", least=number(least), most=number(most), key=MINUS_KEY
        )
    if numbers and prompt.alternative is not None and (not before or key == "#"):
        return _(
            "From {least} to {most}, or {key} for: {extra}",
            least=number(least),
            most=number(most),
            key=alternative_key(prompt),
            extra=prompt.alternative,
        )
    if numbers:
        if steps:
            first, following, last = map(number, (least, least + step, most))
            return _("{least}, {next} and so on to {most}, please", least=first, next=following, most=last)
        return _("A number from {least} to {most}, please", least=least, most=most)
    if items := legend_items(prompt):
        keyed = [_keyed(item.letter or item.value, item.label) for item in items]
        if isinstance(prompt.stays, ChooseItem):
            keyed.append(_keyed(OK_KEY, _("keep {figure}", figure=prompt.stays.label)))
        return _("Choose: {choices}", choices=listed(keyed))
    if before:
        return _there_is_no(prompt, before + key)
    if key.isdigit() and any(isinstance(answer, ChooseSeat) for answer in prompt.answers):
        return _("Nobody sits on seat {number}", number=key) if why_not is None else why_not
    if key.isdigit() and prompt.suits and not prompt.bare:
        return _which_suit(prompt)
    return _("{key} does nothing here; # held: menu", key=key)


def _keyed(key: object, label: Text) -> Text:
    """Return a key and its word, which no line break parts."""
    return Text("{key}\u00a0{label}", key=key, label=label)


def _which_suit(prompt: Prompt) -> Text:
    keys = zip(SUIT_KEYS, prompt.suits, strict=False)
    return _("Which suit? {suits}", suits=joined(Text(f"{one}={{suit}}", suit=suit) for one, suit in keys))


def _there_is_no(prompt: Prompt, keys: str) -> Text:
    """Return the message that no such card exists, with the card's suit and rank."""
    alternate = (
        prompt.alternate if prompt.alternate is not None and keys.startswith(alternate_mode_key(prompt)) else None
    )
    code = keys if alternate is None else keys[1:]
    suits = dict(zip(SUIT_KEYS, prompt.suits, strict=False))
    rank = code.lstrip("".join(suits))
    letters = code[: len(code) - len(rank)]
    if not rank.isdigit():
        return _("No card is typed like that; * steps back")
    if not letters and not prompt.bare and any(card.suit in prompt.suits and rank in card.keys for card in prompt.deck):
        return _which_suit(prompt)
    card: Text = Text(rank)
    if letters:
        card = Text("{suit} {rank}", suit=joined((suits[letter] for letter in letters), " + "), rank=rank)
    return _("There is no {card}; * steps back", card=card if alternate is None else joined((alternate.label, card)))
