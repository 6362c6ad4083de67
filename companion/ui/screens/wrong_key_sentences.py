"""Sentences about keys that begin no answer to a question."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.prompt import ChooseItem, ChooseSeat, EnterNumber, Prompt, Skip, TakeAlternative
from companion.core.text import Text, joined, listed
from companion.ui.key_grammar import MINUS_KEY, OK_KEY, SUIT_KEYS, alternate_mode_key, alternative_key, skip_key
from companion.ui.translations import _

from .prompt_texts import asks_sign, legend_items, number


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
