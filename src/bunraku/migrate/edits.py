"""Edits of constructs that keep their old meaning in the new language."""

from __future__ import annotations

from typing import Any

from bunraku.base.text_edits import Edit
from bunraku.dialects.puppet_3.values import number as puppet_3_number
from bunraku.dialects.puppet_3.values import plain_text
from bunraku.migrate.marked import is_marked, modern, modern_number
from bunraku.migrate.trees import Tree
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node
from bunraku.values.numbers import parse_number

Value = Any
Edits = tuple[Edit, ...]
OPERATIONS = (nodes.Arithmetic, nodes.Comparison, nodes.Match, nodes.In)


def quoted(text: str) -> str:
    """Return a text in single quotes, escaped for the new language.

    >>> print(quoted("it's"), quoted("a\\\\b"))
    'it\\'s' 'a\\\\b'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Editor:
    """Makes edits of the nodes of one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def around(self, node: Node, before: str, after: str) -> Edits:
        """Return text before and after a node."""
        return Edit(node.start, node.start, before), Edit(node.end, node.end, after)

    def instead(self, node: Node, text: str) -> Edits:
        """Return text in place of a node."""
        return (Edit(node.start, node.end, text),)

    def is_later_parameter(self, node: Node) -> bool:
        """Return whether a variable is another parameter, in the default of a parameter."""
        above = self.tree.parent(node)
        while above is not None and not isinstance(above, nodes.Parameter):
            above = self.tree.parent(above)
        definition = None if above is None else self.tree.parent(above)
        parameters = getattr(definition, "parameters", ())
        return any(item.name == getattr(node, "name", "") for item in parameters)

    # -- truth and comparison --------------------------------------------------------------------

    def true_text(self, node: Node) -> Edits:
        """Return a condition that is false for the empty string, too."""
        again = self.tree.expression(node)
        if again is None or isinstance(node, nodes.Name):
            return ()
        if isinstance(node, nodes.String):
            return self.instead(node, "false")
        return self.around(node, "(", f" and {again} != '')")

    def true_fact(self, node: Node) -> Edits:
        """Return a condition on a fact's text."""
        if not isinstance(node, nodes.Variable):
            return ()
        return self.instead(node, f"(\"${{{node.name}}}\" != '')")

    def empty_comparison(self, node: Node) -> Edits:
        """Return a comparison with '' and undef, both."""
        if isinstance(node, nodes.Comparison):
            return self.empty_operands(node)
        above = self.tree.parent(node)
        other = "undef" if isinstance(node, nodes.String) else "''"
        if isinstance(above, nodes.CaseOption):
            return (Edit(node.end, node.end, f", {other}"),)
        if isinstance(above, nodes.SelectorEntry):
            return (Edit(above.start, above.start, f"{other} => {self.tree.text(above.value)}, "),)
        return ()

    def empty_operands(self, node: nodes.Comparison) -> Edits:
        """Return the edit of an operator."""
        for here, there in ((node.left, node.right), (node.right, node.left)):
            if is_empty(there) and not is_empty(here):
                again = self.tree.expression(here)
                if again is None:
                    return ()
                joint = "or" if node.operator == "==" else "and"
                other = "undef" if isinstance(there, nodes.String) else "''"
                return self.around(node, "(", f" {joint} {again} {node.operator} {other})")
        return ()

    def facts_as_text(self, node: Node, which: list[bool]) -> Edits:
        """Operands that are facts, as text."""
        if not isinstance(node, OPERATIONS):
            return ()
        found: Edits = ()
        for operand, wanted in zip((node.left, node.right), which, strict=True):
            if wanted:
                if not isinstance(operand, nodes.Variable):
                    return ()
                found += self.instead(operand, f'"${{{operand.name}}}"')
        return found

    def compared_numbers(self, node: Node, left: Value, right: Value) -> Edits:
        """Equality of numbers: text with text where both look the same, else as numbers."""
        same_text = plain_text(left) == plain_text(right)
        operands = [(node, right)]
        if isinstance(node, nodes.Comparison):
            operands = [(node.left, left), (node.right, right)]
        if same_text:
            for operand, value in operands:
                if is_marked(value) and value.origin == self.tree.span(operand):
                    return self.instead(operand, quoted(str.__str__(value)))
        return self.as_numbers(node, left, right)

    def as_numbers(self, node: Node, *values: Value) -> Edits:
        """Operands that are text, as numbers."""
        if isinstance(node, nodes.UnaryMinus):
            operands = [node.expression]
        elif isinstance(node, OPERATIONS):
            operands = [node.left, node.right]
        else:
            return ()
        found: Edits = ()
        for operand, value in zip(operands, values, strict=True):
            if modern(value).__class__ is str:
                found += self.as_number(operand, value)
        return found

    def as_number(self, operand: Node, value: Value) -> Edits:
        """Return an operand that is text, as a number."""
        wanted = puppet_3_number(value)
        if isinstance(operand, nodes.String | nodes.Name):
            same = modern_number(value) == wanted and wanted is not None
            return self.instead(operand, value if same else plain_text(wanted))
        if wanted is None or parse_number(value) != wanted:
            return ()
        return self.around(operand, "Numeric(", ")")

    def ordered_texts(self, node: Node) -> Edits:
        """Return a comparison in which letter case counts."""
        if not isinstance(node, nodes.Comparison):
            return ()
        left, right = self.tree.text(node.left), self.tree.text(node.right)
        return self.instead(node, f"compare({left}, {right}, false) {node.operator} 0")

    def same_collections(self, node: Node) -> Edits:
        """Equality of arrays or hashes in which letter case counts, as it does in keys."""
        if not isinstance(node, nodes.Comparison):
            return ()
        left, right = self.tree.text(node.left), self.tree.text(node.right)
        return self.instead(node, f"({{ {left} => 1 }} {node.operator} {{ {right} => 1 }})")

    def matched_text(self, node: Node) -> Edits:
        """Return the left side of a match as text."""
        if isinstance(node, nodes.Match):
            if isinstance(node.left, nodes.Variable):
                return self.instead(node.left, f'"${{{node.left.name}}}"')
            if isinstance(node.left, nodes.Undef):
                return self.instead(node.left, "''")
            literal = isinstance(node.left, nodes.Boolean)
            if literal or modern_number(self.tree.text(node.left)) is not None:
                return self.instead(node.left, quoted(self.tree.text(node.left)))
        return ()

    def contained(self, node: Node, collection: Value) -> Edits:
        """``in`` with letter case."""
        if not isinstance(node, nodes.In):
            return ()
        left, right = self.tree.text(node.left), self.tree.text(node.right)
        if collection.__class__ is str:
            return self.instead(node, f"({right} =~ Regexp({left}, true))")
        if self.tree.expression(node.left) is None:
            return ()
        items = right if collection.__class__ is list else f"{right}.keys"
        test = f"$item =~ String and compare($item, {left}, false) == 0"
        return self.instead(node, f"({items}.any |$item| {{ {test} }})")

    def index(self, node: Node, container: Value, key: Value) -> Edits:
        """Return a key of the kind that the container has."""
        if not isinstance(node, nodes.Access):
            return ()
        written = node.keys[0]
        if container.__class__ is list:
            return self.as_number(written, key) if modern(key).__class__ is str else ()
        if is_marked(key):
            return self.instead(written, quoted(str.__str__(key)))
        if key.__class__ is str and modern_number(key) in modern(container):
            return self.as_number(written, key)
        return ()

    # -- text ------------------------------------------------------------------------------------

    def joined(self, node: Node) -> Edits:
        """Return an array in a string, its elements without gaps."""
        return self.interpolated(node, "join(flatten({}), '')")

    def variable(self, node: Node, expression: str) -> Edits:
        """Return another expression in place of a variable, in a string or outside."""
        if isinstance(self.tree.parent(node), nodes.Interpolation):
            inner = expression.removeprefix("$") if "(" not in expression else expression
            return self.interpolated(node, inner)
        return self.instead(node, expression)

    def interpolated(self, node: Node, form: str) -> Edits:
        """Return the new expression for an old one inside a string."""
        inner = node.expression if isinstance(node, nodes.Interpolation) else node
        again = self.tree.expression(inner)
        if again is None:
            return ()
        text = self.tree.source.text
        if text[node.start - 2 : node.start] == "${":
            return self.instead(node, form.format(again))
        if text[node.start] == "$" and not text.startswith("${", node.start):
            return self.instead(node, "${" + form.format(again) + "}")
        if text.startswith("${", node.start) and text[node.end - 1] == "}":
            return self.instead(node, "${" + form.format(again) + "}")
        return ()


def is_empty(node: Node) -> bool:
    """Return whether a node is undef or the empty string, as written."""
    return isinstance(node, nodes.Undef) or (isinstance(node, nodes.String) and not node.value)
