"""QR codes for the panel and for pages: the address that pairs a phone, and the box's own Wi-Fi.

`segno` is imported when the first code is made: most evenings need none.
"""

from __future__ import annotations

from functools import lru_cache

MODULE = 2
"""The pixels of a module on the panel; a code with smaller ones is hardly ever read."""

LARGEST = 3
"""The largest version of a code that has room on 64 rows, with a margin: 29 modules."""

ESCAPED = '\\;,:"'
"""The characters of a network's name or password that a Wi-Fi code writes after a backslash."""


def pairing_link(address: str, token: str) -> str:
    """Return the address that a phone opens to be paired, in capitals, which make the code smaller.

    >>> pairing_link("http://192.168.1.7:8080", "MZXW6YTBOI")
    'HTTP://192.168.1.7:8080/P/MZXW6YTBOI'
    """
    return f"{address.rstrip('/')}/p/{token}".upper()


def wifi_text(name: str, password: str) -> str:
    r"""Return the text of a code with which a phone joins a network.

    >>> wifi_text("Companion-7F3A", "kx;49")
    'WIFI:T:WPA;S:Companion-7F3A;P:kx\\;49;;'
    """
    name, password = (
        "".join(f"\\{character}" if character in ESCAPED else character for character in text)
        for text in (name, password)
    )
    return f"WIFI:T:WPA;S:{name};P:{password};;"


@lru_cache(maxsize=4)
def qr_rows(text: str) -> tuple[str, ...]:
    """Return the rows of a QR code, ``#`` for a dark module and ``.`` for a light one, without a margin.

    Empty if there is no text, if segno is not installed, or if the code has no room on the panel.
    """
    if not text:
        return ()
    try:
        import segno  # see above
    except ModuleNotFoundError:
        return ()
    try:
        code = segno.make_qr(text, version=None, error="m", boost_error=False)
        if int(code.version) > LARGEST:
            code = segno.make_qr(text, version=LARGEST, error="l", boost_error=False)
    except segno.DataOverflowError:
        return ()
    return tuple("".join("#" if module else "." for module in row) for row in code.matrix)
