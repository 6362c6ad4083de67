"""The page's own texts are in the language of the box."""

import json
import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from msgspec.structs import replace

from companion.ui.translations import languages
from companion.web.device_page import TEXTS, translated
from companion.web.site import PAGE
from tests.waiting import LAST_RESORT
from tests.web.loop_double import LoopDouble, frame

if TYPE_CHECKING:
    from tests.web.browser import Browser

SCRIPT = (PAGE / "script.js").read_text(encoding="utf-8")
INDEX = (PAGE / "index.html").read_text(encoding="utf-8")


def words_sent(standin: LoopDouble, count: int) -> list[dict[str, Any]]:
    """Return the first words that the stream sends, and show a frame in French after the first."""
    found: list[dict[str, Any]] = []
    with (
        httpx.Client(base_url=standin.server.url, timeout=LAST_RESORT, trust_env=False, verify=False) as one,
        one.stream("GET", "/events") as response,
    ):
        lines = response.iter_lines()
        while len(found) < count:
            if next(lines) == "event: words":
                found.append(json.loads(next(lines).removeprefix("data: ")))
                standin.mirror.show(replace(frame("en français"), language="fr"))
    return found


def test_the_page_is_told_the_words_of_a_language_and_again_when_it_changes(standin: LoopDouble) -> None:
    standin.show("in English")
    english, french = words_sent(standin, 2)
    assert (english["language"], english["said"]["panel"]) == ("en", "Panel")
    assert (french["language"], french["said"]["panel"]) == ("fr", "Écran")


@pytest.mark.parametrize("language", languages())
def test_every_sentence_of_the_page_is_there_in_every_language(language: str) -> None:
    message = json.loads(translated(language))
    assert message["said"].keys() == TEXTS.keys()
    for name, said in TEXTS.items():
        assert re.findall(r"{\w+}", message["said"][name]) == re.findall(r"{\w+}", said)


def test_the_page_asks_for_no_words_but_those_it_is_told() -> None:
    asked = {
        *re.findall(r'data-say="([\w-]+)"', INDEX),
        *re.findall(r'worded\((?:lit \? )?"([\w-]+)"', SCRIPT),
        *re.findall(r'"(\w+)"', next(line for line in SCRIPT.splitlines() if line.startswith("const CALLED"))),
        "dark",
        "lost",
    }
    assert asked - {"<", ">", "^"} == set(TEXTS)


def test_what_stands_in_the_page_before_it_is_told_is_the_same_in_english() -> None:
    for name, inside in re.findall(r'data-say="([\w-]+)">(.*?)</(?:dd|span|h2|summary|a|p)>', INDEX, re.DOTALL):
        assert " ".join(re.sub(r"</?kbd>", "", inside).split()) == TEXTS[name]
    assert f'data-lost="{TEXTS["lost"]}"' in INDEX


@pytest.mark.browser
def test_a_page_speaks_as_the_box_does(browser: "Browser", standin: LoopDouble) -> None:
    standin.mirror.show(replace(frame("日本語"), language="ja", asleep=True))
    page = browser
    page.open(standin.server.url)
    page.until(lambda: page.status() == "スリープ中です。次のキーで画面がつきます。", "the sentence")
    assert page.run("return document.documentElement.lang") == "ja"
    assert page.run("return document.querySelector('[data-say=hold]').textContent") == (
        "指やマウスでは、#や*を少し長く押し続けます。"
    )
    standin.mirror.show(replace(frame("français"), language="fr", asleep=True))
    page.until(lambda: page.status().startswith("Le boîtier dort"), "the sentence")
