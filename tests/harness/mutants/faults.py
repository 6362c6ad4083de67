"""The faults of a module: mutmut's mutations of its functions, without those that no test can notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from functools import cached_property
from pathlib import Path

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation.file_mutation import ChildReplacementTransformer, MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

WORDS = m.Call(func=m.Name("N_") | m.Name("NC_"))
"""The wording of sentences is left out: a separate test compares it with the catalogues.

The choice of a sentence and its arguments are included.
"""
MISUSE = m.Raise(exc=m.Call(func=m.Name("TypeError") | m.Name("LookupError") | m.Name("NotImplementedError")))
"""Errors that a programmer gets for calling a function with wrong types are left out."""
STRICTLY = m.Arg(keyword=m.Name("strict"))
STRICT = m.Call(args=[m.ZeroOrMore(), STRICTLY])
REPR = m.FunctionDef(name=m.Name("__repr__"))
"""The representation of an object in tracebacks is left out."""
FUNCTION = m.FunctionDef()
"""mutmut leaves out what has a decorator; here its code is replaced like any other."""


@dataclass(frozen=True, eq=False)
class Fault:
    """One change in one function.

    Attributes:
        path: The file of the module, from the project's root.
        holders: The names that lead to the function: its own, or its class's and its own.
        lines: The lines from the beginning of the changed statement to the end of the change.
        whole: The module without the fault.
        put: Puts the fault into the module; None for no change, as a control.
    """

    path: Path
    holders: tuple[str, ...]
    lines: range
    whole: cst.Module
    put: cst.CSTTransformer | None

    @property
    def module(self) -> str:
        return ".".join(self.path.with_suffix("").parts)

    @cached_property
    def source(self) -> str:
        return self.whole.code if self.put is None else self.whole.visit(self.put).code

    def __str__(self) -> str:
        return f"{self.module}:{self.lines[0]} {'.'.join(self.holders)}"

    def diff(self) -> str:
        old, new = self.whole.code.splitlines(), self.source.splitlines()
        return "\n".join(
            line for line in unified_diff(old, new, lineterm="", n=0) if line[:2] not in {"--", "++", "@@"}
        )


def faults(path: Path) -> Iterator[Fault]:
    """Yield the faults of a module's functions, first to last."""
    wrapper = MetadataWrapper(cst.parse_module(path.read_text()))
    places, parents = wrapper.resolve(PositionProvider), wrapper.resolve(ParentNodeProvider)
    visitor = _Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    holders = _holders(module)
    for mutation in visitor.mutations:
        function = mutation.contained_by_top_level_function
        node, changed = mutation.original_node, mutation.mutated_node
        if isinstance(function, cst.FunctionDef) and not _only_less_strict(node, changed):
            statement = _statement(node, parents)
            end = places[statement if statement is function else node].end.line  # a default serves the whole function
            lines = range(places[statement].start.line, end + 1)
            yield Fault(path, holders[function], lines, module, _Put(function, node, changed))


def no_fault(path: Path) -> Iterator[Fault]:
    """Yield the first function of a module unchanged, as a control: a test that kills it proves nothing."""
    module = cst.parse_module(path.read_text())
    for holders in list(_holders(module).values())[:1]:
        yield Fault(path, holders, range(1, path.read_text().count("\n") + 1), module, None)


def _holders(module: cst.Module) -> dict[cst.FunctionDef, tuple[str, ...]]:
    found: dict[cst.FunctionDef, tuple[str, ...]] = {}
    for top in module.body:
        if isinstance(top, cst.FunctionDef):
            found[top] = (top.name.value,)
        elif isinstance(top, cst.ClassDef):
            found |= {
                sub: (top.name.value, sub.name.value) for sub in top.body.body if isinstance(sub, cst.FunctionDef)
            }
    return found


def _only_less_strict(node: cst.CSTNode, changed: cst.CSTNode) -> bool:
    """Return whether only the ``strict`` of a ``zip`` changed; the lengths never differ."""
    return m.matches(node, STRICT) and _without_strict(node).deep_equals(_without_strict(changed))


def _without_strict(call: cst.CSTNode) -> cst.CSTNode:
    arguments = [
        argument.with_changes(comma=cst.MaybeSentinel.DEFAULT) for argument in cst.ensure_type(call, cst.Call).args
    ]
    return call.with_changes(args=[argument for argument in arguments if not m.matches(argument, STRICTLY)])


def _statement(node: cst.CSTNode, parents: Mapping[cst.CSTNode, cst.CSTNode]) -> cst.CSTNode:
    while not isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
        node = parents[node]
    return node


class _Visitor(MutationVisitor):
    """Finds the possible mutations."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if m.matches(node, WORDS | MISUSE | REPR | STRICTLY):
            return True
        return not m.matches(node, FUNCTION) and super()._skip_node_and_children(node)


class _Put(ChildReplacementTransformer):
    """Replaces a node of one function, and leaves other functions alone."""

    def __init__(self, function: cst.FunctionDef, old: cst.CSTNode, new: cst.CSTNode) -> None:
        super().__init__(old, new)
        self._function = function
        self._inside = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node is self._function:
            self._inside = True
        return (self._inside or not isinstance(node, cst.FunctionDef)) and super().on_visit(node)
