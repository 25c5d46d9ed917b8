"""A walk through a syntax tree that calls a method for each class of nodes."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any
from bunraku.syntax.nodes import Node, Program, children


class NodeVisitor:
    """Visits the nodes of a syntax tree, as :class:`ast.NodeVisitor` visits those of Python.

    A subclass has a method ``visit_CLASS`` for each class of nodes that it is interested in. Nodes below
    one that has such a method are visited only if the method calls :meth:`generic_visit`.

    >>> import bunraku
    >>> class Titles(bunraku.NodeVisitor):
    ...     def __init__(self):
    ...         self.found = []
    ...
    ...     def visit_ResourceBody(self, node):
    ...         self.found.append(node.title.value)
    ...         self.generic_visit(node)
    >>> titles = Titles()
    >>> titles.visit(bunraku.parse("class a { file { '/b': } }  notify { 'c': }"))
    >>> titles.found
    ['/b', 'c']
    """

    def visit(self, node: Node | Program) -> Any:
        """Call the method for the class of a node, or :meth:`generic_visit`, and return its result."""
        method = getattr(self, f"visit_{type(node).__name__}", self.generic_visit)
        return method(node)

    def generic_visit(self, node: Node | Program) -> None:
        """Visit the nodes directly below one, in the order of the source."""
        for child in [node.body] if isinstance(node, Program) else children(node):
            self.visit(child)
