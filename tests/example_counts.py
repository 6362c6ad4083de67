"""How many examples a test looks at: few in the suite, many where there is time.

``COMPANION_EXAMPLES=many make test`` looks at all of them.
"""

from __future__ import annotations

import os

MANY = os.environ.get("COMPANION_EXAMPLES") == "many"


def examples(suite: int, many: int | None = None) -> int:
    """Return how many examples to look at.

    Args:
        suite: How many are enough every time.
        many: How many when everything is tried; twenty times as many if it is not said.
    """
    return (many or 20 * suite) if MANY else suite
