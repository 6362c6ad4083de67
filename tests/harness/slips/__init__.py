"""Simulates people who mistype one thing in a game, and measures what the box does about it.

How to get cases::

    from tests.harness.slips.cases import cases, case, honest_game
    for each in cases("eternity", range(20)):   # one game a seed, one slip of each kind in it
        each.alarm, each.slip, each.session, each.truth, each.typed, each.refused, each.refused_keys

`Case` (``tests/harness/slips/case.py``) holds what the box has, what was meant and how it was noticed.
``python -m tests.harness.slips [--games N] [GAME...]`` prints the figures.

The people are simulated like this: a whole honest game is dealt and played at random by the oracle, every card entered.
In one entry a person makes one slip. After it they go on as if nothing had happened, key by key, and spell each card by
what the box asks for then. They notice a refused entry, an alert that the honest game does not have, a question of
another kind than what they have to say, a key that means nothing, and a table at the end of a round that differs from
their own. They do not notice a wrong card or a wrong player on the panel.
"""
