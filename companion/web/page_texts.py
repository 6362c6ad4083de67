"""Texts that the page shows beside the panel, translated."""

from __future__ import annotations

import msgspec

from companion.core.text import N_, Text
from companion.ui.translations import Translator

TEXTS = {
    "lost": N_("Connection lost, trying again."),
    "sleeps": N_("The box sleeps: the next key only wakes it."),
    "unanswered": N_("No answer to {key}."),
    "unsent": N_("{keys} not sent."),
    "look": N_("Look at the panel before you press again."),
    "refused": N_("{key} was not taken."),
    "many": N_("Too many keys at once."),
    "minus": N_("No number below zero can be entered here."),
    "status": N_("The server said {status}."),
    "held": N_("{key} (held)"),
    "does-held": N_("held: {does}"),
    "on-key": N_("hold:"),
    "lit": N_("Lamp: lit"),
    "dark": N_("Lamp: dark"),
    "panel": N_("Panel"),
    "keypad": N_("Keypad"),
    "left": N_("left"),
    "right": N_("right"),
    "up": N_("up"),
    "down": N_("down"),
    "choose": N_("choose"),
    "keys": N_("Keys"),
    "keyboard": N_("On the computer’s keyboard"),
    "turn": N_("turn"),
    "choose-it": N_("choose ●"),
    "back": N_("back, ● held"),
    "named": N_("the key of that name"),
    "hash-held": N_("# held"),
    "star-held": N_("* held"),
    "hold": N_("With a finger or the mouse, keep # or * down for a moment to hold it."),
    "table": N_("The table for phones"),
    "history": N_("History"),
    "phones": N_("On a phone, the page for phones is quicker: one tap lays a card."),
    "letters": N_("Where a name is asked, letters write it and Enter settles it."),
    "long-name": N_("A name has 1 to 20 characters"),
    "labels": N_("The words on a key say what it does now; a key without words can be pressed all the same."),
}
"""Each sentence by its name in the page's script; the script fills in the braces."""


def translated(language: str) -> bytes:
    """Return the sentences in a language, with its two-letter code, as one line of JSON."""
    words = Translator(language)
    return msgspec.json.encode(
        {"language": language, "said": {name: words(Text(said)) for name, said in TEXTS.items()}}
    )
