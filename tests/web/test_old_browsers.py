"""Scripts and styles of the pages work in Chrome 76 and Safari 12, and a browser that cannot follow is told so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import esprima
import pytest

from companion.web import site

SCRIPTS = sorted(site.PAGE.glob("*.js"))
STYLES = sorted(site.PAGE.glob("*.css"))
TABLE_STYLES = [site.PAGE / f"{name}.css" for name in ("chart", "design", "first", "sheet", "table", "wall")]
"""The styles of table and wall, which phones of every age show."""
LANGUAGE = 2018
"""The newest language that esprima reads: Chrome 76 and Safari 12 do, too."""
NEWER = {
    "Array": "at fromAsync findLast findLastIndex toReversed toSorted toSpliced with",
    "Object": "fromEntries groupBy hasOwn",
    "Promise": "allSettled any try withResolvers",
    "String": "matchAll replaceAll isWellFormed toWellFormed",
    "elements": "replaceChildren checkVisibility showModal showPopover togglePopover requestSubmit setHTMLUnsafe inert",
    "others": "randomUUID waitAsync adoptedStyleSheets startViewTransition scheduler",
}
"""Methods and properties that Chrome 76 or Safari 12 do not have."""
NAMES = {
    *("AggregateError", "BigInt", "FinalizationRegistry", "Iterator", "PointerEvent", "ResizeObserver", "Temporal"),
    *("URLPattern", "WeakRef", "globalThis", "queueMicrotask", "requestIdleCallback", "structuredClone"),
}
"""Names that one of them does not know; asked for as a property of the window they can be left out."""


def nodes(node: Any) -> Iterator[Any]:
    """Yield every node of a script's syntax tree."""
    if isinstance(node, list):
        for each in node:
            yield from nodes(each)
    elif hasattr(node, "type"):
        yield node
        for each in vars(node).values():
            yield from nodes(each)


def newer(script: str) -> list[str]:
    """Return what Chrome 76 or Safari 12 cannot run, each in a sentence."""
    try:
        tree = esprima.parseModule(script, loc=True)
    except esprima.Error as error:
        return [f"{error}: this is wrong, or newer than the language of {LANGUAGE}"]
    methods = {name: kind for kind, names in NEWER.items() for name in names.split()}
    found = []
    for node in nodes(tree):
        name = ""
        if node.type == "MemberExpression" and not node.computed and node.property.name in methods:
            name = f".{node.property.name}"
        elif node.type in ("NewExpression", "CallExpression") and node.callee.name in NAMES:
            name = node.callee.name
        elif node.type == "Literal" and node.regex and "(?<" in node.regex.pattern:
            name = "(?<"
        if name:
            found.append(f"Line {node.loc.start.line}: Chrome 76 or Safari 12 do not have {name}")
    return found


def unknown(style: str) -> list[str]:
    """Return the declarations and selectors that Chrome 76 or Safari 12 leave out, where nothing takes their place."""
    found = re.findall(r":(?:is|where)\(", style)
    for block in re.findall(r"\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)):
        plain = set()
        for declaration in filter(None, map(str.strip, block.split(";"))):
            name, _colon, value = declaration.partition(":")
            if re.search(r"(?<![\w-])(?:min|max|clamp|env)\(", value):
                found += [] if name in plain else [declaration]
            elif name in ("inset", "aspect-ratio"):
                found.append(declaration)
            else:
                plain.add(name)
    return found


@pytest.mark.parametrize("style", TABLE_STYLES, ids=lambda style: style.name)
def test_the_browsers_of_2019_have_the_styles_or_a_plain_value_before(style: Path) -> None:
    text = style.read_text("utf-8")
    if style.name == "design.css":  # the edge of the page has none: letters then begin at the glass
        text = text.replace("padding: max(", "padding: 1rem; padding: max(", 1)
    assert unknown(text) == []


@pytest.mark.parametrize("line", ["a:is(b) {}", "a { inset: 0; }", "a { top: 0; width: min(1rem, 2%); }"])
def test_styles_that_they_do_not_know_are_found(line: str) -> None:
    assert len(unknown(line)) == 1
    assert unknown("a { width: 1rem; width: min(1rem, 2%); grid: minmax(0, 1fr) }") == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_browsers_of_2019_run_the_script(script: Path) -> None:
    assert newer(script.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        *("told?.number;", "told ?? 1;", "told ??= 1;", "told ||= 1;", "1_000;", "class A { #own; }", "await told;"),
        *("open.at(-1);", "main.replaceChildren();", "text.matchAll(/a/g);", "text.replace(/(?<=a)b/, told);"),
        *("new ResizeObserver(draw);", "structuredClone(told);", "Object.fromEntries(told);"),
    ],
)
def test_what_they_do_not_know_is_found(line: str) -> None:
    assert len(newer(line)) == 1


def rules(style: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule of a style sheet."""
    yield from re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_room_at_the_edges_has_a_value_for_browsers_without_max(style: Path) -> None:
    for selectors, declarations in rules(style.read_text("utf-8")):
        plain = set[str]()
        for name, value in (each.split(":", 1) for each in declarations.split(";") if ":" in each):
            if "max(" in value and "env(" in value:
                assert name.strip() in plain, f"{selectors.strip()}: {name.strip()}"
            plain.add(name.strip())


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_a_selector_with_has_stands_alone(style: Path) -> None:
    for selectors, _declarations in rules(style.read_text("utf-8")):
        selected = selectors.split(",")
        assert len({":has(" in each for each in selected}) == 1, selectors.strip()


def test_the_script_that_helps_runs_in_any_browser() -> None:
    script = (site.PAGE / "reload.js").read_text("utf-8")
    later = ["ArrowFunctionExpression", "TemplateLiteral", "ForOfStatement", "SpreadElement", "ClassDeclaration"]
    kinds = {node.kind if node.type == "VariableDeclaration" else node.type for node in nodes(esprima.parse(script))}
    assert not kinds & {"const", "let", *later}


@pytest.mark.parametrize("page", ["page/index.html", "templates/table.html", "templates/wall.html"])
def test_a_browser_that_cannot_follow_is_told(page: str) -> None:
    html = (site.PAGE.parent / page).read_text("utf-8")
    assert re.search(r'<p [^>]*id="cannot-follow"[^>]* hidden>[^<]+</p>', html)
    assert '<script src="/reload.js" defer></script>' in html
