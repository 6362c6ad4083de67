"""Styles and scripts go out compressed where a browser takes that."""

from __future__ import annotations

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
