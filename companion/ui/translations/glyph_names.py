"""Words that replace glyphs on the web page's keys and for screen readers."""

from companion.core.text import NC_

GLYPH_NAMES = {
    "sea": NC_("glyph", "sea"),
    "sky": NC_("glyph", "sky"),
    "earth": NC_("glyph", "earth"),
    "tree": NC_("glyph", "trees"),
    "peninsula": NC_("glyph", "tricks"),
    "pledge": NC_("glyph", "pledge"),
    "turn": NC_("glyph", "turn"),
    "lead": NC_("glyph", "lead"),
    "alert": NC_("glyph", "alert"),
    "check": NC_("glyph", "chosen"),
    "undo": NC_("glyph", "undo"),
    "back": NC_("glyph", "back"),
    "crown": NC_("glyph", "monarch"),
    "dealer": NC_("glyph", "dealer"),
    "pen": NC_("glyph", "correction"),
    "red": NC_("glyph", "red"),
    "black": NC_("glyph", "black"),
    "coin": NC_("glyph", "points"),
    "ace": NC_("glyph", "aces"),
    "sun": NC_("glyph", "sun"),
    "moon": NC_("glyph", "moon"),
    "globe": NC_("planet", "earth"),
    "noon": NC_("glyph", "noon"),
    "dusk": NC_("glyph", "dusk"),
    "night": NC_("glyph", "night"),
    "dawn": NC_("glyph", "dawn"),
    "anyday": NC_("glyph", "any"),
    "sacred": NC_("glyph", "sacred"),
    "mineral": NC_("glyph", "mineral"),
    "animal": NC_("glyph", "animal"),
    "technology": NC_("glyph", "technology"),
    "culture": NC_("glyph", "culture"),
    "light": NC_("glyph", "light"),
    "beauty": NC_("glyph", "beauty"),
    "reason": NC_("glyph", "reason"),
    "chair": NC_("glyph", "chair"),
    "front": NC_("glyph", "front"),
    "mixed": NC_("glyph", "mixed"),
    "winner": NC_("glyph", "winner"),
}
"""The word for each glyph, by glyph name; the plural if it is counted."""

ONE = {
    "tree": NC_("glyph", "tree"),
    "peninsula": NC_("glyph", "trick"),
    "coin": NC_("glyph", "point"),
    "ace": NC_("glyph", "ace"),
}
"""The singular words, for glyphs that are counted."""
