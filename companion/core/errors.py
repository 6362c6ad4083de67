"""The one way a game says no."""

from __future__ import annotations

from .text import Text


class Refused(Exception):
    """An event that cannot be: the state it was meant for is untouched.

    Attributes:
        reason: A stable code, for programs and tests.
        text: The sentence, for people.
    """

    def __init__(self, reason: str, template: str, **args: object) -> None:
        """Refuse for a reason, in a sentence made from a template."""
        super().__init__(reason)
        self.reason = reason
        self.text = Text(template, **args)

    def __str__(self) -> str:
        return str(self.text)
