"""The QR code that pairs a phone, as a picture and as SVG."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from companion.ui.qr_code import qr_rows

from .symbols import path

QUIET_ZONE = 4
"""The margin around the code, in modules: without it cameras do not find the code."""


@lru_cache(maxsize=4)
def pairing_code(link: str) -> Image.Image | None:
    """Return the QR code of a link that pairs, a pixel for each module, lit where it is dark; do not draw on it.

    None without a link or the package segno.
    """
    rows = qr_rows(link)
    if not rows:
        return None
    code = Image.new("1", (len(rows) + 2 * QUIET_ZONE,) * 2)
    for y, row in enumerate(rows, QUIET_ZONE):
        for x, module in enumerate(row, QUIET_ZONE):
            code.putpixel((x, y), 255 * (module == "#"))
    return code


@lru_cache(maxsize=4)
def pairing_svg(link: str) -> str:
    """Return the QR code of a link that pairs as an SVG element, dark on white; empty where there is none."""
    code = pairing_code(link)
    if code is None:
        return ""
    return (
        f'<svg class="qr" viewBox="0 0 {code.width} {code.height}" role="img" aria-label="QR">'
        f'<path fill="#fff" d="M0 0h{code.width}v{code.height}h-{code.width}z"></path>'
        f'<path fill="#000" d="{path(code)}"></path></svg>'
    )
