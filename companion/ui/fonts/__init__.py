"""Bitmap fonts, symbols and large drawings for a 1-bit panel.

`face("text").draw(image, (0, 0), "Béa " + glyph("crown"))` draws a line; `picture("sea")` is a large symbol.
The files are made by `python -m tools.bake_fonts`; their origins and licences are in `LICENSES`.
"""

from companion.ui.fonts.bitmap_fonts import BitmapFont, FaceName, face
from companion.ui.fonts.drawings import PICTURES, picture
from companion.ui.fonts.large_symbols import has_drawing, large
from companion.ui.symbol_characters import GLYPHS, glyph

__all__ = ["GLYPHS", "PICTURES", "BitmapFont", "FaceName", "face", "glyph", "has_drawing", "large", "picture"]
