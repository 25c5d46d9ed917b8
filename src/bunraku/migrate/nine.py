"""Removals and changes in OpenVox 9, found in manifests of Puppet 8 and in their catalogs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Source, Span
from bunraku.base.text_edits import Edit
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.dialects.puppet_9 import PUPPET_9
from bunraku.engine.request import ResolvedRequest
from bunraku.migrate import rules
from bunraku.migrate.findings import Finding, Findings
from bunraku.migrate.rules import Rule
from bunraku.migrate.trees import Tree
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node

Catalog = Mapping[str, Any]
CHECKSUM = lazy_pattern(r"^\{\w{3,10}\}\S", re.MULTILINE)
"""Content that the agent of Puppet 8 takes for the checksum of a file in a filebucket."""
HAS_EFFECTS = (nodes.Call, nodes.MethodCall, nodes.Assignment)
"""Expressions that an edit does not remove, and lists that hold an unknown number of arguments."""
MOST_ARGUMENTS = 4


def findings_of_nine(
    found: Findings,
    sources: Iterable[Source],
    resolved: ResolvedRequest,
    catalog: Catalog | None,
) -> None:
    """Add the parts of the sources and the catalog that OpenVox 9 reads differently."""
    trees = {}
    for source in sources:
        tree = trees[source.path] = Tree(source, PUPPET_8.parse(source).program)
        OpenVox9(tree, found, resolved).look()
    for resource in catalog["resources"] if catalog is not None else ():
        content = resource.get("parameters", {}).get("content")
        if resource["type"] == "File" and isinstance(content, str) and CHECKSUM.search(content):
            checksum_content(found, trees.get(resource.get("file", "")), resource, content)


class OpenVox9:
    """Looks through the tree of one source."""

    def __init__(self, tree: Tree, findings: Findings, resolved: ResolvedRequest) -> None:
        self.tree = tree
        self.findings = findings
        self.settings = resolved.request.settings
        self.removed_types = {
            name
            for name in PUPPET_9.runtime.removed_types
            if resolved.autoloader.resource_type(name) is None
        }

    def look(self) -> None:
        """Look at every node."""
        for node in self.tree.nodes():
            looker = LOOKERS.get(node.__class__)
            if looker is not None:
                looker(self, node)

    def report(
        self, rule: Rule, node: Node, old: str = "", new: str = "", edits: tuple[Edit, ...] = ()
    ) -> None:
        """Add a finding."""
        self.findings.add(Finding(rule, self.tree.span(node), old, new, (), edits))

    def call(self, node: nodes.Call) -> None:
        """Look at a call of ``regsubst`` and at ``Deferred('name', arguments)``."""
        if isinstance(node.callee, nodes.Name) and node.callee.value == "regsubst":
            self.regsubst(node, node.arguments, MOST_ARGUMENTS)
        elif isinstance(node.callee, nodes.Reference) and node.callee.value == "Deferred":
            self.deferred(node, node.arguments)

    def method_call(self, node: nodes.MethodCall) -> None:
        """Look at ``$text.regsubst(…)`` and at ``Deferred.new('name', arguments)``."""
        name = node.name.value if isinstance(node.name, nodes.Name) else None
        if name == "regsubst":
            self.regsubst(node, node.arguments, MOST_ARGUMENTS - 1)
        elif name == "new" and isinstance(node.receiver, nodes.Reference):
            if node.receiver.value == "Deferred":
                self.deferred(node, node.arguments)

    def regsubst(self, node: Node, arguments: list[nodes.Expression], most: int) -> None:
        """Report an encoding; the edit removes it."""
        if len(arguments) != most + 1:
            return
        edits: tuple[Edit, ...] = ()
        if not any(isinstance(one, nodes.Unfold) for one in arguments):
            if not isinstance(arguments[-1], HAS_EFFECTS):
                edits = (Edit(arguments[-2].end, arguments[-1].end, ""),)
        new = "error: regsubst() expects between 3 and 4 arguments, got 5"
        self.report(rules.ENCODING, node, new=new, edits=edits)

    def deferred(self, node: Node, arguments: list[nodes.Expression]) -> None:
        """Report a deferred call, unless the settings say when it happens."""
        if "preprocess_deferred" not in self.settings:
            self.report(rules.DEFERRED, node, "called when the resource is applied", BEFORE_ALL)
        match arguments:
            case [nodes.String(value="regsubst"), nodes.List(values=given) as values]:
                self.regsubst(values, given, MOST_ARGUMENTS)

    def resource(self, node: nodes.Resource) -> None:
        """Report resources of a type that is in no agent package any more."""
        self.type_name(node.type_name)

    def type_name(self, node: Node) -> None:
        """Report a name of, or a reference to, a type that OpenVox 9 lacks."""
        if isinstance(node, nodes.Name | nodes.Reference):
            name = node.value.lower().removeprefix("::")
            if name in self.removed_types:
                self.report(rules.TYPE, node, new=f"error: Unknown resource type: '{name}'")

    def variable(self, node: nodes.Variable) -> None:
        """Report settings and facts that are removed, and settings with another default."""
        name = node.name.removeprefix("::")
        space, _, setting = name.rpartition("::")
        if name in REMOVED_FACTS:
            self.report(rules.SERVER_FACT, node, new=f"error: Unknown variable: '{name}'")
        elif space == "settings" and setting in PUPPET_9.removed_settings:
            self.report(rules.SETTING, node, new=f"error: Unknown variable: '{name}'")
        elif space == "settings" and setting in PUPPET_9.changed_settings:
            if setting not in self.settings:
                old = shown(PUPPET_8.default_settings()[setting])
                new = shown(PUPPET_9.changed_settings[setting])
                self.report(rules.CHANGED_DEFAULT, node, old, new)

    def access(self, node: nodes.Access) -> None:
        """Report ``$server_facts['pe_serverversion']``."""
        left, key = node.left, node.keys[0]
        if isinstance(left, nodes.Variable) and left.name.removeprefix("::") == "server_facts":
            if isinstance(key, nodes.String | nodes.Name) and key.value in REMOVED_FACTS:
                self.report(rules.SERVER_FACT, node, new="undef")


BEFORE_ALL = "called before the catalog is applied"
REMOVED_FACTS = frozenset({"pe_serverversion"})
LOOKERS: dict[type[Node], Callable[..., None]] = {
    nodes.Call: OpenVox9.call,
    nodes.MethodCall: OpenVox9.method_call,
    nodes.Resource: OpenVox9.resource,
    nodes.Reference: OpenVox9.type_name,
    nodes.Variable: OpenVox9.variable,
    nodes.Access: OpenVox9.access,
}


def shown(value: object) -> str:
    """Return the default of a setting as Puppet code."""
    return str(value).lower() if isinstance(value, bool) else f"'{value}'"


def checksum_content(
    found: Findings, tree: Tree | None, resource: Mapping[str, Any], content: str
) -> None:
    """Report the content of a file that looks like a checksum, where the resource is written."""
    if tree is None or "source" in resource["parameters"]:
        return
    span = content_place(tree, int(resource.get("line", 1)))
    old, new = "the file of that checksum in the filebucket", "the text itself"
    found.add(Finding(rules.CHECKSUM, span, old, new, (f"'{content}'",)))


def content_place(tree: Tree, line: int) -> Span:
    """Return the place of ``content`` in the resource of a line, else the line."""
    for node in tree.nodes():
        if isinstance(node, nodes.Resource):
            for body in node.bodies:
                if tree.source.line(body.title.start) != line != tree.source.line(node.start):
                    continue
                for one in body.operations:
                    if isinstance(one, nodes.Attribute) and one.name == "content":
                        return tree.span(one.value)
    start = tree.source.offset(line, 0)
    return tree.source.span(start, start + len(tree.source.line_text(line)))
