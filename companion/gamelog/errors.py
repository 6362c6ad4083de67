"""The fault of a line: why it is not of the format, in a sentence."""

from __future__ import annotations

from companion.core.text import Text, tell

LONGEST_WORD = 40
"""As much of a wrong word is repeated in a sentence about it."""


class LogError(Exception):
    """A line that is not of the format, or cannot be.

    Attributes:
        text: The sentence, for people.
    """

    def __init__(self, text: Text) -> None:
        """Keep the sentence."""
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return tell(self.text)


def wrong(template: str, **args: object) -> LogError:
    """Return the fault that a template words."""
    return LogError(Text(template, **args))


def shortened(word: str) -> str:
    """Return as much of a wrong word as is repeated in a sentence."""
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"
