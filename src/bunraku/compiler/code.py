"""From a program to a code object."""

from __future__ import annotations

import ast
from types import CodeType

from bunraku.base.source import Source
from bunraku.compiler import control as emit_control
from bunraku.compiler import definitions, expressions, resources
from bunraku.compiler.code_names import remember_text, unit_name
from bunraku.compiler.rules import CompilerRules
from bunraku.syntax import nodes

EMITTERS = (emit_control, definitions, expressions, resources)


def to_ast(source: Source, program: nodes.Program, rules: CompilerRules) -> ast.Module:
    """Return the Python syntax tree of a manifest or template."""
    return definitions.emit_module(source, program, unit_name(source), rules)


def to_code(source: Source, program: nodes.Program, rules: CompilerRules) -> CodeType:
    """Return the code object of a manifest or template; its file name is that of the source.

    Raise PuppetError for code that the compiler rejects, and RecursionError for code that nests
    deeper than Python can compile.
    """
    name = unit_name(source)
    if not source.on_disk:
        remember_text(name, source.text)
    tree = to_ast(source, program, rules)
    return compile(tree, name, "exec", dont_inherit=True, optimize=0)
