"""The loop that turns keys into entries and entries into pictures."""
