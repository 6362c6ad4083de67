"""Pictures for the tests of this folder."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from PIL import Image

SIZE = (128, 64)


def noise(seed: int) -> Image.Image:
    """Return a picture with random pixels."""
    return Image.frombytes("1", SIZE, random.Random(seed).randbytes(SIZE[0] * SIZE[1] // 8))


def blank() -> Image.Image:
    return Image.new("1", SIZE)


def dots(*places: tuple[int, int]) -> Image.Image:
    """Return a black picture with these pixels lit."""
    picture = blank()
    for place in places:
        picture.putpixel(place, 1)
    return picture


def inverse(picture: Image.Image) -> Image.Image:
    # Not ImageChops.invert: it turns 1 into 254, which is still lit.
    return Image.frombytes("1", picture.size, bytes(byte ^ 0xFF for byte in picture.tobytes()))


def pictures() -> st.SearchStrategy[Image.Image]:
    """Draw pictures of every kind: single dots, which shrink well, and noise."""
    place = st.tuples(st.integers(0, SIZE[0] - 1), st.integers(0, SIZE[1] - 1))
    return st.one_of(
        st.lists(place, max_size=4).map(lambda places: dots(*places)),
        st.integers(0, 2**32).map(noise),
    )
