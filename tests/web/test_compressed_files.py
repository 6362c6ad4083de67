"""Styles and scripts go out compressed where a browser takes that, and are asked for once, not at each page."""

from __future__ import annotations

import re

from companion.ui.screens.phones import AllowGuests
from companion.web.limits import Limits
from tests.web.easy_limits import once
from tests.web.paired_page import PairedPage


def test_a_browser_that_takes_compressed_files_is_sent_a_third_of_their_bytes() -> None:
    page = PairedPage()
    try:
        phone = page.paired()
        whole = phone.get("/table.js", headers={"Accept-Encoding": "identity"})
        packed = phone.get("/table.js", headers={"Accept-Encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.content == whole.content
        assert "content-encoding" not in whole.headers
        assert int(packed.headers["content-length"]) < len(whole.content) / 2
    finally:
        page.stop()


LOADS = re.compile(r'(?:<link rel="(?:icon|stylesheet)" href=|<script[^>]* src=|from |import )"([^":]+)"')


def test_a_guest_opens_the_table_twice_and_the_wall_within_the_burst_of_a_stranger() -> None:
    page = PairedPage(Limits(stranger=once(20)))
    try:
        page.do(lambda: page.pairing.do(AllowGuests(True)))
        guest, kept = page.client(), set[str]()
        for path in ("/table", "/table", "/wall"):
            waiting = [path]
            while waiting:
                answer = guest.get(waiting.pop())
                assert answer.status_code == 200, answer.request.url
                waiting += [file for file in LOADS.findall(answer.text) if file not in kept | {*waiting}]
                if answer.headers.get("cache-control") == "max-age=60":
                    kept.add(answer.request.url.path)
    finally:
        page.stop()
