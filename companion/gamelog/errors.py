"""The exceptions for an invalid line of a log."""

from __future__ import annotations

from companion.core.text import Text, tell

LONGEST_WORD = 40  # the most characters of a wrong word that a message quotes


class LogError(Exception):
    """A line breaks the format; the message says why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text  # the sentence, for people

    def __str__(self) -> str:
        return tell(self.text)


class InvalidLineError(Exception):
    """A line breaks the format, or the rules refuse it; its number and the reason."""

    def __init__(self, number: int, text: Text, players: tuple[str, ...] = ()) -> None:
        super().__init__(number, text)
        self.number = number  # the line's number; the header is line 1
        self.text = text  # the sentence, for people
        self.players = players

    def __str__(self) -> str:
        return f"{self.number}: {tell(self.text, self.players)}"


def wrong(template: str, **args: object) -> LogError:
    return LogError(Text(template, **args))


def shortened(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"
