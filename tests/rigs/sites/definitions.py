"""The definitions in the manifests of a site, and the keys that they look up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.syntax import nodes
from rigs.sites.uses import LOOKUPS, key_of, option, plain, uses

INTERPOLATED = re.compile(r"""%\{(?:lookup|hiera|alias)\(["']([^"')]+)["']\)\}""")


@dataclass
class Definitions:
    """Classes, node definitions and type aliases by their name, and the keys to look up.

    ``wanted`` maps a key that has no default value to the type of its value (None: any); of those in
    ``merged`` all values of the hierarchy count.
    """

    classes: dict[str, Path] = field(default_factory=dict)
    aliases: dict[str, nodes.Expression] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    hosts: list[tuple[nodes.NodeDefinition, Source]] = field(default_factory=list)
    declared: dict[str, dict[str, nodes.Expression]] = field(default_factory=dict)
    wanted: dict[str, nodes.Expression | str | None] = field(default_factory=dict)
    merged: set[str] = field(default_factory=set)

    def want(self, key: str, kind: nodes.Expression | str | None) -> None:
        """Note a key; a later place that says more of its type wins."""
        if key and self.wanted.get(key) is None:
            self.wanted[key] = kind


def read(manifests: Iterable[Path]) -> Definitions:
    """The definitions of some manifests; those that do not parse are passed over."""
    dialect = dialect_named("8", "puppet")
    found = Definitions()
    trees: list[nodes.Node] = []
    for path in manifests:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        program = dialect.parse(Source(text, str(path))).program
        for definition in program.definitions:
            note(found, definition, path, program.source)
        trees += [program.body, *program.definitions]
    for tree in trees:
        for call, kind in lookups(tree, None):
            note_lookup(found, call, kind)
    for tree in trees:
        for key, use in uses(tree, found.declared):
            if found.wanted.get(key, "") is None:
                found.wanted[key] = use
    return found


def note(found: Definitions, definition: nodes.Node, path: Path, source: Source) -> None:
    """Note a definition; of a class also the parameters that must be looked up."""
    if isinstance(definition, nodes.ClassDefinition | nodes.DefineDefinition):
        types = {one.name: one.type for one in definition.parameters if one.type is not None}
        found.declared.setdefault(plain(definition.name), types)
    match definition:
        case nodes.ClassDefinition():
            name = plain(definition.name)
            found.classes.setdefault(name, path)
            for parameter in definition.parameters:
                if parameter.value is None:
                    found.want(f"{name}::{parameter.name}", parameter.type)
        case nodes.TypeAlias():
            found.aliases.setdefault(plain(definition.name), definition.type)
        case nodes.FunctionDefinition():
            found.functions.add(plain(definition.name))
        case nodes.NodeDefinition():
            found.hosts.append((definition, source))


def lookups(
    tree: nodes.Node, kind: nodes.Expression | None
) -> Iterator[tuple[nodes.Call, nodes.Expression | None]]:
    """The calls of lookup functions in a tree, each with the type of the parameter it is for."""
    if isinstance(tree, nodes.Call) and isinstance(tree.callee, nodes.Name):
        if plain(tree.callee.value) in LOOKUPS:
            yield tree, kind
    for child in nodes.children(tree):
        wanted = None
        if isinstance(tree, nodes.Parameter) and child is tree.value:
            wanted = tree.type
        yield from lookups(child, wanted)


def note_lookup(found: Definitions, call: nodes.Call, kind: nodes.Expression | None) -> None:
    """Note the key of a call that has no default value."""
    assert isinstance(call.callee, nodes.Name)
    function = plain(call.callee.value)
    first, *rest = call.arguments or [nodes.Nop(0, 0)]
    if isinstance(first, nodes.Hash) and not has_default(first):
        found.want(key_of(call) or "", option(first, "value_type") or kind)
        return
    if not isinstance(first, nodes.String | nodes.Name) or call.block is not None:
        return
    key = first.value.removeprefix("::")
    if function not in {"lookup", "hiera"}:
        found.merged.add(key)
    if function != "lookup":
        if not rest:
            found.want(key, kind or LOOKUPS[function])
        return
    if len(rest) > 2 or any(has_default(one) for one in rest):
        return
    given = rest[0] if rest and isinstance(rest[0], nodes.Reference | nodes.Access) else None
    merged = {"hash": "Hash", "deep": "Hash", "unique": "Array"}
    words = {one.value for one in map(unquoted, rest[1:]) if one is not None}
    by_merge = next((merged[word] for word in words if word in merged), None)
    if by_merge:
        found.merged.add(key)
    found.want(key, given or kind or by_merge)


def unquoted(tree: nodes.Node) -> nodes.String | nodes.Name | None:
    """A word as an argument, None for anything else."""
    return tree if isinstance(tree, nodes.String | nodes.Name) else None


def has_default(options: nodes.Node) -> bool:
    """Whether a hash of options gives a default value."""
    if not isinstance(options, nodes.Hash):
        return False
    keys = {one.value for one in (unquoted(entry.key) for entry in options.entries) if one}
    return "default_value" in keys or "default_values_hash" in keys


def interpolated_keys(files: Iterable[Path]) -> Iterator[str]:
    """The keys that data look up themselves."""
    for path in files:
        yield from INTERPOLATED.findall(path.read_text("utf-8", "replace"))
