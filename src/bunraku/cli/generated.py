"""What the compiler makes of a syntax tree, as text."""

from __future__ import annotations

import ast
import dis
import io

from bunraku.compiler.code import to_ast, to_code
from bunraku.source import Source
from bunraku.syntax.nodes import Program


def python_text(program: Program, source: Source) -> str:
    """The Python code; Puppet's variables are its names as they are, with their ``$``."""
    return ast.unparse(to_ast(source, program))


def bytecode_text(program: Program, source: Source) -> str:
    """The instructions, with the lines of the manifest, of all code in it."""
    output = io.StringIO()
    dis.dis(to_code(source, program), file=output)
    return output.getvalue().rstrip("\n")
