"""Writes what is made from the parsers of the commands: the man page and the completion for bash, both in debian.

``python -m tools.command_documents`` after a command or an argument has changed; a test says when that was forgotten.
The completion is a plain script: nothing of the program is started while somebody types.
"""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from companion.cli.commands import COMMANDS, parser_of

from . import ROOT

MADE = "Made by python -m tools.command_documents."
FILES = {
    "/etc/companion.toml": "The settings, with comments.",
    "/var/lib/companion": "The games, a text file each, and what was chosen on the box.",
    "/opt/companion": "The installed versions.",
}


def main() -> None:
    """Write both files."""
    for name, text in made().items():
        file = ROOT / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def made() -> dict[Path, str]:
    """Return the text of each file that is made from the parsers."""
    parsers = list(every_parser())
    return {
        Path("debian/companion.1"): "\n".join(_man_page(parsers)) + "\n",
        Path("debian/completions/companion"): "\n".join(_completion(parsers)) + "\n",
    }


def every_parser() -> Iterator[ArgumentParser]:
    """Yield the parsers of all commands, each followed by those of its actions."""
    for name in COMMANDS:
        yield from _with_actions(parser_of(name))


def _with_actions(one: ArgumentParser) -> Iterator[ArgumentParser]:
    yield one
    for action in _actions_of(one).values():
        yield from _with_actions(action)


def _shown(one: ArgumentParser) -> list[Action]:
    """Return the arguments of a parser that its help shows, but for --help itself."""
    return [action for action in one._actions if SUPPRESS not in (action.help, action.dest, action.default)]


def _actions_of(one: ArgumentParser) -> Mapping[str, ArgumentParser]:
    """Return the parsers of the actions of a command by their names; most commands have none."""
    return next((action.choices for action in one._actions if isinstance(action, _SubParsersAction)), {})


# The man page


def _man_page(parsers: list[ArgumentParser]) -> Iterator[str]:
    yield f'.\\" {MADE}'
    yield ".TH COMPANION 1"
    yield from (".SH NAME", r"companion \- scorekeeper beside a card table")
    yield from (".SH SYNOPSIS", ".B companion", ".RI [ COMMAND ]", ".RI [ OPTION ...]")
    yield from (".SH DESCRIPTION", "The service", ".B companion.service", "runs", '.BR "companion run" .')
    yield "Without a command, the commands are listed;"
    yield r'.BI "companion " COMMAND " \-\-help"'
    yield "says what each of them takes."
    yield ".SH COMMANDS"
    for one in parsers:
        positional = " ".join(_named(action) for action in _shown(one) if not action.option_strings)
        yield f".SS {_troff(' '.join((one.prog, positional)).rstrip())}"
        yield _troff(one.description or "")
        for action in _shown(one):
            if action.help is not None and not isinstance(action, _SubParsersAction):
                options = ", ".join(action.option_strings)
                name = f"{options} {_named(action)}".strip() if options else _named(action)
                yield from (".TP", f".B {_troff(name)}", _troff(action.help))
    yield ".SH FILES"
    for name, about in FILES.items():
        yield from (".TP", f".I {name}", about)


def _named(action: Action) -> str:
    """Return how the value of an argument is written in a line of the man page; empty if it has none."""
    if action.nargs == 0:
        return ""
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    return {"?": f"[{value}]", "*": f"[{value} ...]", "+": f"{value} ..."}.get(str(action.nargs), str(value))


def _troff(text: str) -> str:
    """Return a text in which nothing is a command of troff."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("^", r"\(ha").replace("~", r"\(ti")
    return rf"\&{text}" if text[:1] in (".", "'") else text


# The completion


def _completion(parsers: list[ArgumentParser]) -> Iterator[str]:
    called = {one.prog.removeprefix("companion ").replace(" FILE ", " "): one for one in parsers}
    values = {
        f"{name} {option}": map(str, action.choices)
        for name, one in called.items()
        for action in _shown(one)
        for option in action.option_strings
        if action.choices
    }
    options = {
        name: ["--help", *(option for action in _shown(one) for option in action.option_strings[-1:])]
        for name, one in called.items()
    }
    actions = {name: names for name, one in called.items() if (names := _actions_of(one))}
    yield f"# Completes the commands and options of companion in bash. {MADE}"
    yield "_companion() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" each found=""'
    yield '    for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield '        each="${command:+$command }$each"'
    yield '        case "$each" in'
    for name in called:
        yield f'            "{name}") command="$each" ;;'
    yield "        esac"
    yield "    done"
    yield '    case "$command $before" in'
    yield from _found(values)
    yield '        *) case "$word" in'
    yield '            -*) case "$command" in'
    yield from _found({"": ["--help", "--version"], **options})
    yield "            esac ;;"
    yield '            *) case "$command" in'
    yield from _found({"": COMMANDS, **actions})
    yield "            esac ;;"
    yield "        esac ;;"
    yield "    esac"
    yield '    mapfile -t COMPREPLY < <(compgen -W "$found" -- "$word")'
    yield "}"
    yield "complete -o default -F _companion companion"


def _found(words: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the branches of a case that offer words."""
    for name, offered in words.items():
        yield f'        "{name}") found="{" ".join(offered)}" ;;'


if __name__ == "__main__":
    main()
