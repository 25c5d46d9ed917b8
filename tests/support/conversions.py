"""Values of simple Puppet expressions (literals, types, ``Type(…)``) without the runtime."""

from __future__ import annotations

from typing import Any

from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.parser.parser import parse
from bunraku.types.convert.convert import new
from bunraku.types.model import Type
from bunraku.types.type_reader import TypeReader


class Evaluator(TypeReader):
    """Reads types and calls of types in text."""

    def value(self, node: nodes.Node) -> Any:
        """The value of an expression."""
        if isinstance(node, nodes.Call):
            type_ = self.value(node.callee)
            assert isinstance(type_, Type)
            return new(type_, [self.value(argument) for argument in node.arguments])
        if isinstance(node, nodes.MethodCall) and node.name.value == "new":
            return new(self.value(node.receiver), [self.value(item) for item in node.arguments])
        return super().value(node)


def evaluate(text: str) -> Any:
    """The value of an expression."""
    source = Source(text)
    body: Any = parse(source).program.body
    if isinstance(body, nodes.Block):
        body = body.statements[0]
    return Evaluator(None, source).value(body)
