"""Which cards of a prompt stand behind a switch on a live page."""

from __future__ import annotations

from companion.core.prompt import LayCard, Prompt

BESIDE = 16
"""Maximum number of cards in the alternate mode that are shown beside the others."""


def is_mode(prompt: Prompt) -> bool:
    """Return whether the alternate mode is switched on first, as its cards are too many to stand beside the others."""
    cards = [answer for answer in prompt.answers if isinstance(answer, LayCard)]
    aside = sum(card.alternate for card in cards)
    return BESIDE < aside < len(cards)
