"""Differences in ERB templates: variables without ``@``, and legacy facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Source
from bunraku.base.text_edits import Edit
from bunraku.facts.legacy import fact_expression
from bunraku.migrate import rules
from bunraku.migrate.findings import Finding, Findings
from bunraku.migrate.old_facts import structured_path
from bunraku.ruby.process.bridge import dynamic_find
from bunraku.ruby.syntax.grammar import parse
from bunraku.ruby.values.kernel import KERNEL
from bunraku.runtime.markers import MISSING
from bunraku.runtime.state import Scope

Node = Any
TAG = lazy_pattern(r"<%%|<%(?P<kind>[-=#]?)(?P<code>.*?)(?P<end>-?%>)", re.DOTALL)
LOCAL = frozenset({"block_parameters", "lambda_parameters", "for", "rescue", "exception_variable"})
"""Nodes whose identifiers are new local variables."""
SEVERAL = frozenset({"left_assignment_list", "destructured_parameter", "splat_parameter"})
LOOKUPS = frozenset({"lookupvar", "[]"})


class Templates:
    """Checks the templates that a run renders, each with its visible variables."""

    def __init__(self, findings: Findings, facts: Mapping[str, Any]) -> None:
        self.findings = findings
        self.facts = facts
        self.sources: dict[str, Source] = {}
        self.roots: dict[str, Node] = {}

    def look(self, scope: Scope, path: str | None, text: str) -> None:
        """Look at a template that is rendered; text that has no file is passed over."""
        if path is None or "<%" not in text or not text.isascii():
            return
        source = self.sources.get(path)
        if source is None or source.text != text:
            source = self.sources[path] = Source(text, path, is_template=True)
            self.roots[path] = parse(ruby_code(text).encode())  # offsets of the text
        root = self.roots[path]
        local = set(local_names(root))
        for node in all_nodes(root):
            if node.type == "identifier":
                self.bare_name(scope, source, node, local)
            elif node.type == "instance_variable":
                self.legacy_fact(scope, source, node, node.text.decode()[1:])
            elif node.type in ("call", "element_reference"):
                name = looked_up(node)
                if name is not None:
                    self.legacy_fact(scope, source, node, name)

    def bare_name(self, scope: Scope, source: Source, node: Node, local: set[str]) -> None:
        """``<%= port %>``: a name that Puppet 3 looks up as a variable."""
        name = node.text.decode()
        if name in local or name in KERNEL or not is_value(node):
            return
        if dynamic_find(scope, f"${name}") is MISSING:
            return
        edits: tuple[Edit, ...] = ()
        fact = self.fact_path(scope, name)
        if fact is not None:
            edits = (Edit(node.start_byte, node.end_byte, f"@{fact_expression(fact)}"),)
        elif scope.find(f"${name}") is not MISSING:
            edits = (Edit(node.start_byte, node.start_byte, "@"),)
        new = f"error: undefined local variable or method '{name}'"
        span = source.span(node.start_byte, node.end_byte)
        self.findings.add(Finding(rules.TEMPLATE_NAMES, span, f"${name}", new, (), edits))

    def legacy_fact(self, scope: Scope, source: Source, node: Node, name: str) -> None:
        """``@osfamily``, ``scope['::osfamily']``: a legacy fact, if no variable hides it."""
        path = self.fact_path(scope, name.removeprefix("::"))
        if path is None:
            return
        span = source.span(node.start_byte, node.end_byte)
        edit = Edit(node.start_byte, node.end_byte, f"@{fact_expression(path)}")
        self.findings.add(Finding(rules.LEGACY_FACTS, span, "", "", (), (edit,)))

    def fact_path(self, scope: Scope, name: str) -> list[str] | None:
        """Return the path of a legacy fact; None if the name is that of another variable here."""
        if name not in self.facts:
            return None
        top = scope.compilation.top_scope.find(f"${name}")
        if dynamic_find(scope, f"${name}") is not top:
            return None
        return structured_path(name, self.facts)


def ruby_code(text: str) -> str:
    """Return the Ruby code of a template, each character at its position in the template.

    >>> ruby_code("a <%= b %>\\n")
    '  ;   b ; \\n'
    """
    out = []
    at = 0
    for match in TAG.finditer(text):
        out.append(blank(text[at : match.start()]))
        at = match.end()
        code = match["code"]
        if code is None or match["kind"] == "#":
            out.append(blank(match[0]))
        else:
            out.append(f";{' ' * (1 + len(match['kind']))}{code};{' ' * (len(match['end']) - 1)}")
    out.append(blank(text[at:]))
    return "".join(out)


def blank(text: str) -> str:
    """Return text with blanks in place of all but line feeds."""
    return "".join(letter if letter == "\n" else " " for letter in text)


def all_nodes(root: Node) -> Iterator[Node]:
    """Yield the nodes of a Ruby tree."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children


def local_names(root: Node) -> Iterator[str]:
    """Yield the names of all local variables; where each is visible is not considered."""
    for node in all_nodes(root):
        if node.type != "identifier" or node.parent is None:
            continue
        above = node.parent
        if above.type in ("assignment", "operator_assignment"):
            if above.child_by_field_name("left") == node:
                yield node.text.decode()
            continue
        several = False
        while above is not None and above.type in SEVERAL:
            above, several = above.parent, True
        if above is not None and (above.type in LOCAL or (several and above.type == "assignment")):
            yield node.text.decode()


def is_value(node: Node) -> bool:
    """Return whether an identifier is read as a value: it is not a method, a parameter or a target."""
    above = node.parent
    if above is None:
        return True
    if above.type == "call":
        return bool(above.child_by_field_name("method") != node)
    return above.type not in ("method", "singleton_method", "alias", "undef", "keyword_parameter")


def looked_up(node: Node) -> str | None:
    """Return the variable that ``scope.lookupvar('x')`` or ``scope['x']`` reads."""
    if node.type == "call":
        receiver, method = (node.child_by_field_name(name) for name in ("receiver", "method"))
        given = node.child_by_field_name("arguments")
        if receiver is None or method is None or given is None:
            return None
        if receiver.text != b"scope" or method.text.decode() not in LOOKUPS:
            return None
        arguments = given.named_children
    else:
        receiver, *arguments = node.named_children
        if receiver.text != b"scope":
            return None
    if len(arguments) != 1 or arguments[0].type != "string":
        return None
    parts = arguments[0].named_children
    if len(parts) != 1 or parts[0].type != "string_content":
        return None
    found: str = parts[0].text.decode()
    return found
