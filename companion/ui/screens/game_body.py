"""Turns game views and prompts into words and plain data for the game's screen."""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec.structs import replace

from companion.core.cards import Suit
from companion.core.game_view import GameView, SeatLine
from companion.core.prompt import (
    Alternative,
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TallySheet,
)
from companion.core.text import Glyph, Seat, Text, joined
from companion.ui.key_grammar import SUIT_KEYS, alternate_mode_key, alternative_key
from companion.ui.translations import Translator, _
from companion.ui.view import Body, GameBody, PilesBody, SeatView, TableBody

COLON = re.compile(r"\s*[:：]")
"""Where the name of something ends and more is said of it."""


def stage(words: Translator, face: GameView, prompt: Prompt) -> GameBody | PilesBody:
    """Word a game's face; the seat that is to act stands out."""
    sits = _sits(prompt)
    players = tuple(
        SeatView(
            words(Seat(seat)),
            laid(words, place),
            words(place.figures),
            place.leads,
            seat == prompt.seat,
            str(seat + 1) if seat in sits else "",
        )
        for seat, place in enumerate(face.seats)
    )
    status, outcome = words(face.status), "" if face.result is None else words(face.result)
    if face.piles is not None:
        return PilesBody(status, tuple(map(words, face.piles.signs)), face.piles.counts, players, outcome)
    columns = tuple((words(column.sign), column.count, column.more) for column in face.columns)
    if face.headline is None:
        return GameBody(None, "", "", status, columns, players, outcome)
    return GameBody(
        face.headline.picture, face.headline.figure, words(face.headline.word), status, columns, players, outcome
    )


def laid(words: Translator, place: SeatLine) -> str:
    """Return the cards a seat laid in this trick, the winner's sign before those that won it."""
    return (words(Glyph("winner")) if place.won else "") + words(place.laid)


def sheet(words: Translator, asked: TallySheet) -> TableBody:
    """Word a tally that is being filled in."""
    return TableBody(
        words(asked.title),
        tuple(map(words, asked.columns)),
        words.players,
        tuple(tuple("" if figure is None else str(figure) for figure in row) for row in asked.rows),
        cell=asked.cell,
    )


def typed(words: Translator, prompt: Prompt, keys: str) -> str:
    """Return the typed keys as people read them: glyphs for suits and for a card laid aside."""
    if not keys:
        return ""
    signs = {key: words(suit.sign) for key, suit in zip(SUIT_KEYS, prompt.suits, strict=False)}
    if prompt.alternate is not None and keys.startswith(alternate_mode_key(prompt)):
        return words(prompt.alternate.sign) + "".join(signs.get(key, key) for key in keys[1:])
    return "".join(signs.get(key, key) for key in keys)


def answer_label(words: Translator, prompt: Prompt, answer: Answer) -> str:
    """Return what a key that completes an answer does."""
    match answer:
        case LayCard(card, aside):
            return f"{words(prompt.alternate.sign)} {words(card)}" if aside and prompt.alternate else words(card)
        case LayPair(first, second):
            return words(first.suit.sign) + words(second.suit.sign) + words(first.figure)
        case ChooseItem(_value, label):
            return words(label)
        case ChooseSeat(seat):
            return words(Seat(seat))
        case EnterNumber(value):
            return str(value)
        case Skip():
            return words(prompt.skip)
        case Alternative():
            return words(prompt.alternative)


def start_label(words: Translator, prompt: Prompt, before: str, key: str) -> str:
    """Return what a key that begins several answers does."""
    if prompt.alternate is not None and key == alternate_mode_key(prompt) and (not before or key in SUIT_KEYS):
        return words(prompt.alternate.label)
    if key in SUIT_KEYS[: len(prompt.suits)]:
        return words(prompt.suits[SUIT_KEYS.index(key)])
    return f"{''.join(character for character in before if character.isdigit())}{key}…"


def explained(prompt: Prompt, before: str, key: str, why_not: Text | None) -> Text:
    """Say why a key leads nowhere here.

    Args:
        prompt: What is asked.
        before: What was typed.
        key: The key.
        why_not: Why somebody cannot be named whose seat has that number, where somebody sits there.
    """
    if before and key == "#":
        return _("That is not a card yet; * steps back")
    numbers = [answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)]
    if numbers and prompt.alternative is not None and not before:
        return _(
            "From {least} to {most}, or {key} for: {extra}",
            least=min(numbers),
            most=max(numbers),
            key=alternative_key(prompt),
            extra=prompt.alternative,
        )
    if numbers:
        return _("A number from {least} to {most}, please", least=min(numbers), most=max(numbers))
    if before:
        return _there_is_no(prompt, before + key)
    if key.isdigit() and any(isinstance(answer, ChooseSeat) for answer in prompt.answers):
        return _("Nobody sits on seat {number}", number=key) if why_not is None else why_not
    if key.isdigit() and prompt.suits and not prompt.bare:
        keys = zip(SUIT_KEYS, prompt.suits, strict=False)
        return _("Which suit? {suits}", suits=joined(Text(f"{one}={{suit}}", suit=suit) for one, suit in keys))
    return _("{key} does nothing here; # held: menu", key=key)


def _there_is_no(prompt: Prompt, keys: str) -> Text:
    """Say in the words of the cards that there is none of those keys."""
    aside = prompt.alternate if prompt.alternate is not None and keys.startswith(alternate_mode_key(prompt)) else None
    code = keys if aside is None else keys[1:]
    suits = dict(zip(SUIT_KEYS, prompt.suits, strict=False))
    rank = code.lstrip("".join(suits))
    letters = code[: len(code) - len(rank)]
    if not rank.isdigit():
        return _("No card is typed so; * steps back")
    card: Text = Text(rank)
    if letters:
        card = Text("{suit} {rank}", suit=joined((suits[letter] for letter in letters), " + "), rank=rank)
    return _("There is no {card}; * steps back", card=card if aside is None else joined((aside.label, card)))


def _given(words: Translator, answers: tuple[Answer, ...]) -> str:
    """Return the cards and seats given so far in the entry under way, short."""
    signs: list[str] = []
    for answer in answers:
        match answer:
            case LayCard(card):
                signs.append(words(card.sign))
            case LayPair(first, second):
                signs.append(words(first.sign) + words(second.sign))
            case ChooseSeat(seat):
                signs.append(words(Seat(seat)))
            case ChooseItem(_value, label):
                signs.append(COLON.split(words(label))[0])
            case EnterNumber(value):
                signs.append(str(value))
    return " ".join(signs)


def hints(words: Translator, prompt: Prompt, answers: tuple[Answer, ...], typed: str = "") -> tuple[str, str]:
    """Return what else can be done here, or what was given so far, for the end of the bottom line.

    The second one is shorter, for where there is no room: suits stand without their keys.

    Args:
        words: The language.
        prompt: What is asked.
        answers: What was given so far.
        typed: What was typed of the next answer; nothing else can be said any more then.
    """
    if prompt.skip is not None and prompt.legend is None and not typed:
        return (f"# {words(prompt.skip)}",) * 2
    if answers and prompt.sheet is None:
        return (_given(words, answers),) * 2
    if prompt.alternative is not None and not typed:
        return (f"{alternative_key(prompt)} {words(prompt.alternative)}",) * 2
    laid = [answer for answer in prompt.answers if isinstance(answer, LayCard)]
    aside = f" {words(prompt.alternate.sign)}" if prompt.alternate and any(answer.alternate for answer in laid) else ""
    keyed, brief = _legend(words, prompt, {answer.card.suit for answer in laid})
    return keyed + aside, brief + aside


def _legend(words: Translator, prompt: Prompt, left: Collection[Suit]) -> tuple[str, str]:
    """Return which key means which suit, in the order in which a bare rank means them, or what else keys mean here.

    The second one is without keys. Nothing where a bare rank means one suit alone, which the stage shows.

    Args:
        words: The language.
        prompt: What is asked.
        left: The suits that can still be answered.
    """
    if prompt.legend is not None:
        legend = words(prompt.legend).strip()
        return legend, legend
    if len(prompt.bare) == 1:
        return "", ""
    keys = dict(zip(prompt.suits, SUIT_KEYS, strict=False))
    signs = [(keys.get(suit, ""), words(suit.sign)) for suit in prompt.bare or prompt.suits if suit in left]
    return "".join(key + sign for key, sign in signs), "".join(sign for _key, sign in signs) if prompt.bare else ""


def _sits(prompt: Prompt) -> set[int]:
    """Return the seats that can be pointed at."""
    return {answer.seat for answer in prompt.answers if isinstance(answer, ChooseSeat)}


def pointing(body: Body, prompt: Prompt) -> Body:
    """Put its key before the name of every seat that can be pointed at, where the figures of a round stand."""
    sits = _sits(prompt) if isinstance(body, TableBody) else set()
    if not isinstance(body, TableBody) or not sits:
        return body
    names = (f"{seat + 1} {name}" if seat in sits else name for seat, name in enumerate(body.names))
    return replace(body, names=tuple(names))
