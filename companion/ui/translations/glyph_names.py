"""Words that replace glyphs on the web page's keys and for screen readers."""

from companion.core.text import NC_, NN_

GLYPH_NAMES = {
    "sea": NC_("glyph", "sea"),
    "sky": NC_("glyph", "sky"),
    "earth": NC_("glyph", "earth"),
    "tree": NN_("tree", "trees", "glyph"),
    "peninsula": NN_("trick", "tricks", "glyph"),
    "pledge": NC_("glyph", "pledge"),
    "turn": NC_("glyph", "turn"),
    "lead": NC_("glyph", "lead"),
    "alert": NC_("glyph", "alert"),
    "check": NC_("glyph", "chosen"),
    "undo": NC_("glyph", "undo"),
    "back": NC_("glyph", "back"),
    "crown": NN_("monarch", "monarchs", "glyph"),
    "dealer": NC_("glyph", "dealer"),
    "pen": NC_("glyph", "correction"),
    "red": NC_("glyph", "red"),
    "black": NC_("glyph", "black"),
    "coin": NN_("point", "points", "glyph"),
    "ace": NN_("ace", "aces", "glyph"),
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
    "chair": NN_("chair", "chairs", "glyph"),
    "front": NC_("glyph", "front"),
    "mixed": NC_("glyph", "mixed"),
    "winner": NC_("glyph", "winner"),
}
"""The word for each glyph, by glyph name; those that are counted have a plural."""

ALONE = frozenset(("chair", "crown"))
"""Counted glyphs that stand for one thing where no number is written before them; the others stand for many."""
