"""Bitmap fonts, symbols and large drawings for a 1-bit panel.

`face("text").draw(image, (0, 0), "Béa " + glyph("crown"))` draws a line; `large("sea", "Sea")` is a large symbol.
The files are made by `python -m tools.bake_fonts`; their origins and licences are in `LICENSES`.
"""

from companion.ui.fonts.bitmap_fonts import BitmapFont, FaceName, face
from companion.ui.fonts.drawings import PICTURES, has_drawing, large
from companion.ui.symbols import GLYPHS, glyph

__all__ = ["GLYPHS", "PICTURES", "BitmapFont", "FaceName", "face", "glyph", "has_drawing", "large"]
