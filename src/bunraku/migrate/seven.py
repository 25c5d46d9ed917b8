"""Code that Puppet 7 accepts, with or without a warning, and Puppet 8 rejects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bunraku.base.source import Source, Span
from bunraku.base.text_edits import Edit
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.facts.legacy import PATHS, dig
from bunraku.migrate import rules
from bunraku.migrate.edits import Editor
from bunraku.migrate.findings import Finding, Findings
from bunraku.migrate.rules import Rule
from bunraku.migrate.static import Static
from bunraku.migrate.trees import Tree
from bunraku.runtime.log import LogEntry
from bunraku.syntax import nodes

RULES = {
    "UNKNOWN_VARIABLE": rules.UNKNOWN,
    "NUMERIC_COERCION": rules.COERCED,
    "DUPLICATE_KEY": rules.DUPLICATE_KEYS,
}
"""Code of a warning → the rule."""
NEVER_ERRORS = frozenset({"deprecations"})
"""Codes of warnings that Puppet 8 prints, too."""


def findings_of_seven(
    found: Findings,
    sources: Iterable[Source],
    entries: Iterable[LogEntry],
    facts: Mapping[str, Any],
) -> None:
    """Turn a run's warnings into findings, and look for flat facts."""
    trees = {}
    for source in list(sources):
        tree = Tree(source, PUPPET_8.parse(source).program)
        trees[source.path] = tree
        static = Static(tree, found, "", facts, lambda _pattern, _importer: None)
        for node in tree.nodes():
            if isinstance(node, nodes.Variable):
                static.variable(node)
            elif isinstance(node, nodes.Access):
                flat_fact(static, node)
            elif isinstance(node, nodes.Hash):
                static.hash(node)
    for entry in entries:
        tree_of = trees.get(entry.file or "")
        if entry.level != "warning" or entry.code in NEVER_ERRORS:
            continue
        if entry.code and tree_of is not None and entry.line:
            warned(found, tree_of, entry)


def flat_fact(static: Static, node: nodes.Access) -> None:
    """``$facts['osfamily']``."""
    if not isinstance(node.left, nodes.Variable) or node.left.name not in ("facts", "::facts"):
        return
    key = node.keys[0]
    name = getattr(key, "value", None)
    path = PATHS.get(name) if isinstance(name, str) and len(node.keys) == 1 else None
    if path is None or dig(static.facts, path) is None or name not in static.facts:
        return
    text = "][".join(f"'{part}'" for part in path.split("."))
    edit = Edit(key.start, key.end, text)
    static.report(rules.LEGACY_FACTS, node.start, node.end, (edit,))


def warned(found: Findings, tree: Tree, entry: LogEntry) -> None:
    """Report a warning that is now an error."""
    rule: Rule = RULES.get(entry.code or "", rules.STRICT)
    source = tree.source
    span = warning_place(source, entry)
    edits: tuple[Edit, ...] = ()
    if rule is rules.UNKNOWN:
        for node in tree.nodes():
            if isinstance(node, nodes.Variable) and node.start == span.start:
                name = node.name.removeprefix("::")
                edits = Editor(tree).variable(node, f"getvar('{name}')")
                span = tree.span(node)
    if rule is rules.DUPLICATE_KEYS and any(
        item.rule is rule and item.span.source.path == source.path for item in found.found.values()
    ):
        return
    found.add(Finding(rule, span, "a warning", f"error: {entry.message}", (), edits))


def warning_place(source: Source, entry: LogEntry) -> Span:
    """Return the place of a warning, else its line."""
    line = entry.line or 1
    start = source.offset(line, 0)
    text = source.line_text(line)
    if entry.column:
        return source.span(start + entry.column - 1, start + len(text))
    return source.span(start + len(text) - len(text.lstrip()), start + len(text))
