"""Write ``companion.pot``, the list of every template in the code, for translators.

``python -m companion.ui.words.extract`` (or ``make words``) after a sentence was added or changed; needs Babel.
"""

from __future__ import annotations

from pathlib import Path

from . import CATALOGUES, DOMAIN

ROOT = CATALOGUES.parents[1]
LIST = CATALOGUES / f"{DOMAIN}.pot"


def templates() -> dict[str, list[str]]:
    """Return every template marked in the code, with the files it stands in."""
    from babel.messages.extract import extract_from_dir  # noqa: PLC0415

    found: dict[str, set[str]] = {}
    for file, _line, template, _comments, _context in extract_from_dir(
        str(ROOT), [("**.py", "python")], keywords={"_": None, "N_": None}
    ):
        assert isinstance(template, str)  # plural forms are not used
        found.setdefault(template, set()).add((Path(ROOT.name) / file).as_posix())
    return {template: sorted(files) for template, files in sorted(found.items())}


def written() -> str:
    """Return the list as gettext writes it."""
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    entries = (
        f'{"".join(f"#: {file}{chr(10)}" for file in files)}msgid {_quoted(template)}\nmsgstr ""\n'
        for template, files in templates().items()
    )
    return "\n".join((head, *entries))


def _quoted(template: str) -> str:
    return '"' + template.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


if __name__ == "__main__":
    LIST.write_text(written(), encoding="utf-8")
    print(f"{len(templates())} templates in {LIST}")
