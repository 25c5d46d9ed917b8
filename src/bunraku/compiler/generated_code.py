"""The compiled code of a syntax tree, as text."""

from __future__ import annotations

import ast
import dis
import io

from bunraku.base.source import Source
from bunraku.compiler.code import to_ast, to_code
from bunraku.compiler.rules import CompilerRules
from bunraku.syntax.nodes import Program

DELICATE = frozenset("'\"\\")
"""Characters that an f-string cannot hold everywhere."""


def python_text(program: Program, source: Source, rules: CompilerRules) -> str:
    """Return the Python code; Puppet's variables are its names as they are, with their ``$``."""
    return ast.unparse(Formatted().visit(to_ast(source, program, rules)))


class Formatted(ast.NodeTransformer):
    """Replaces f-strings that not every Python can write by calls of ``format``.

    Before Python 3.12 the expressions in an f-string can hold neither backslashes nor all quotes. The
    text must be the same with each version. That it is right cannot be seen by parsing it again, for
    the names of variables in it are not Python's, so only f-strings without doubt are kept.

    >>> place = ast.Constant("it's ")
    >>> tree = ast.JoinedStr([place, ast.FormattedValue(ast.Name("a", ast.Load()), -1)])
    >>> print(ast.unparse(Formatted().visit(tree)))
    "it's {}".format(a)
    """

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Return the f-string, or the call that has the same value."""
        self.generic_visit(node)
        if not any(is_delicate(inner, node) for inner in ast.walk(node)):
            return node
        text, arguments = "", []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                text += "{}"
                arguments.append(part.value)
            elif isinstance(part, ast.Constant):
                text += str(part.value).replace("{", "{{").replace("}", "}}")
        method = ast.Attribute(ast.Constant(text), "format", ast.Load())
        return ast.Call(method, arguments, [])


def is_delicate(inner: ast.AST, outer: ast.JoinedStr) -> bool:
    """Return whether a node in an f-string has text that needs an escape, or is a string with parts."""
    if isinstance(inner, ast.JoinedStr):
        return inner is not outer
    if not isinstance(inner, ast.Constant) or not isinstance(inner.value, str | bytes):
        return False
    return bool(DELICATE.intersection(repr(inner.value).removeprefix("b")[1:-1]))


def bytecode_text(program: Program, source: Source, rules: CompilerRules) -> str:
    """Return the instructions, with the lines of the manifest, of all code in it."""
    output = io.StringIO()
    dis.dis(to_code(source, program, rules), file=output)
    return output.getvalue().rstrip("\n")
