"""Keys on GPIO lines: a matrix keypad, buttons, a knob."""
