"""Errors told to people, and the exceptions of games: a refused event, a wrong declaration."""

from __future__ import annotations

from .text import Text


class SentenceError(Exception):
    """The base of errors whose message is a sentence for people: a command prints it and ends."""


class IllegalEventError(Exception):
    """A game refuses an event; its state is unchanged. The reason is a stable code, for programs and tests."""

    def __init__(self, reason: str, template: str, **args: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.text = Text(template, **args)

    def __str__(self) -> str:
        return str(self.text)


class GameValueError(Exception):
    """A value is not what the declaration of a game promises; the message says how, after the function's name."""


class GameDeclarationError(SentenceError):
    """A part of a game's declaration is missing or wrong."""

    def __init__(self, game: str, wrong: str) -> None:
        super().__init__(f"{game}: {wrong}")
