"""The screens: immutable values, each with a view and a transition for each key."""
