"""An automatic checker finds no fault in the pages, in any language, light or dark; a text browser can watch."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.games.seeds import deal
from tests.harness.slips.honest import HABITS
from tests.web.tapped_evening import set_up, tapped
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

CHECK = "return axe.run(document, { resultTypes: ['violations'], %s }).then((found) => found.violations)"


def faults(browser: Browser, only: str = "") -> str:
    """Return what axe-core finds wrong with the page that is open, by all its rules or by one."""
    browser.run(resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    violations: list[dict[str, Any]] = browser.run(CHECK % (f"runOnly: ['{only}']" if only else ""))
    return "\n".join(f"{one['id']}: {one['help']}: {node['html'][:160]}" for one in violations for node in one["nodes"])


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_checker_finds_nothing_on_any_page(browser: Browser, tmp_path: Path, scheme: str) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url, browser.preferring("prefers-color-scheme", scheme):
        browser.open_table(url)
        tapped(browser, dealt, 8)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert faults(browser) == ""
        browser.choose("entries")
        assert faults(browser) == ""
        browser.choose("back")
        browser.choose("menu")
        assert faults(browser) == ""
        for path in ("table/rules", "table?lang=ja", "table?lang=fr"):
            browser.go(f"{url}{path}")
            assert faults(browser) == "", path
        browser.go(f"{url}table?lang=en")
