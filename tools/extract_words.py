"""Writes ``companion.pot``, the list of all sentences in code and pages, and updates and compiles the catalogues.

Run ``python -m tools.extract_words`` (or ``make words``) after adding or changing a sentence; needs Babel. New
sentences are added to the catalogues untranslated; unused ones are removed.

They are found in the syntax trees, not by Babel: that reads tokens, and finds a template within an f-string on Python
3.12 and newer only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jinja2 import Environment, nodes

from companion.ui.translations import DOMAIN
from tools.catalogues import CATALOGUES, CONTEXT, PLURAL, compile_all, read

ROOT = CATALOGUES.parents[1]
DEVICES = ROOT.parent / "hardware"
LIST = CATALOGUES / f"{DOMAIN}.pot"
HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'


@cache
def templates() -> dict[str, list[str]]:
    """Return every template marked in the code, with the files that contain it."""
    found: dict[str, set[str]] = {}
    for file in (*ROOT.rglob("*.*"), *DEVICES.rglob("*.py")):
        if file.suffix in FINDERS:
            for template in FINDERS[file.suffix](file.read_text(encoding="utf-8")):
                found.setdefault(template, set()).add(file.relative_to(ROOT.parent).as_posix())
    return {template: sorted(files) for template, files in sorted(found.items())}


def marked(module: str) -> Iterator[str]:
    """Yield the templates marked in a module: the first argument of ``_`` and ``N_``, all of ``NC_`` and ``NN_``."""
    for node in ast.walk(ast.parse(module)):
        match node:
            case ast.Call(ast.Name("NN_"), [ast.Constant(str(one)), ast.Constant(str(many)), *context]):
                before = "".join(f"{each.value!s}{CONTEXT}" for each in context if isinstance(each, ast.Constant))
                yield f"{before}{one}{PLURAL}{many}"
            case ast.Call(ast.Name("_" | "N_"), [ast.Constant(str(template)), *_]):
                yield template
            case ast.Call(ast.Name("NC_"), [ast.Constant(str(context)), ast.Constant(str(template)), *_]):
                yield f"{context}{CONTEXT}{template}"


def said(page: str) -> Iterator[str]:
    """Yield the templates in a page's template: the first argument of ``say``, both arguments of ``NC_``."""
    for call in Environment().parse(page).find_all(nodes.Call):
        name = getattr(call.node, "name", None) or getattr(call.node, "attr", None)
        match name, [getattr(argument, "value", None) for argument in call.args]:
            case "say", [str(template), *_]:
                yield template
            case "NC_", [str(context), str(template)]:
                yield f"{context}{CONTEXT}{template}"


FINDERS = {".py": marked, ".html": said}
"""What yields the templates in a file, by the file's suffix."""


def written(words: dict[str, str] | None = None, head: str = HEAD) -> str:
    """Return the list in gettext's format.

    Args:
        words: A language's translations by template; without them the list is for every language.
        head: The header of the list.
    """
    spoken = {} if words is None else words
    entries = (
        f"{''.join(f'#: {file}{chr(10)}' for file in files)}{_entry(template, spoken.get(template, ''))}"
        for template, files in templates().items()
    )
    return "\n".join((head, *entries))


def head_of(catalogue: Path) -> str:
    """Return what stands before the first template of a catalogue."""
    return catalogue.read_text(encoding="utf-8").partition("\n\n")[0] + "\n"


def _entry(template: str, words: str) -> str:
    context, _mark, plain = template.rpartition(CONTEXT)
    before = f"msgctxt {_quoted(context)}\n" if context else ""
    one, _mark, many = plain.partition(PLURAL)
    if not many:
        return f"{before}msgid {_quoted(plain)}\nmsgstr {_quoted(words)}\n"
    forms = "".join(f"msgstr[{place}] {_quoted(form)}\n" for place, form in enumerate(words.split(PLURAL)))
    return f"{before}msgid {_quoted(one)}\nmsgid_plural {_quoted(many)}\n{forms}"


def _quoted(template: str) -> str:
    return '"' + template.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def main() -> None:
    """Write the list and the catalogues, and print how many templates are untranslated."""
    LIST.write_text(written(), encoding="utf-8")
    print(f"{len(templates())} templates in {LIST}")
    for catalogue in sorted(CATALOGUES.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        words = read(catalogue)
        catalogue.write_text(written(words, head_of(catalogue)), encoding="utf-8")
        missing = [template for template in templates() if not words.get(template)]
        print(f"{catalogue.parent.parent.name}: {len(missing)} without words")
    compile_all(CATALOGUES)


if __name__ == "__main__":
    main()
