"""Definitions of a project: its classes, and the nodes that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.engine.manifests import read_text
from bunraku.project.kept_names import kept_names
from bunraku.project.reading import names_in
from bunraku.syntax import nodes
from bunraku.world.protocol import World


def class_names(
    modules: Mapping[str, str], pattern: str, world: World, dialect: Dialect
) -> list[str]:
    """Return the sorted names of the classes in modules that match a pattern such as ``role::*``.

    ``modules`` maps names to directories. Only files whose name may match are read; a file with
    syntax errors counts as far as it can be parsed.
    """
    names = {
        path: name
        for module, directory in modules.items()
        for path, name in manifest_names(world, f"{directory}/manifests", module)
        if fnmatchcase(name, pattern)
    }
    texts = {path: read_text(world, path) for path in names}

    def find() -> list[str]:
        sources = ((Source(text, path), names[path]) for path, text in texts.items())
        return sorted(name for source, name in sources if defines_class(source, name, dialect))

    return kept_names(f"classes {[*names.values()]}", texts, dialect, find)


def manifest_names(world: World, directory: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield each manifest below a directory with the name that autoloading gives to it."""
    if not world.is_directory(directory):
        return
    for entry in names_in(world, directory):
        path = f"{directory}/{entry}"
        if world.is_directory(path):
            yield from manifest_names(world, path, f"{prefix}::{entry}")
        elif entry.endswith(".pp"):
            stem = entry.removesuffix(".pp")
            plain = stem == "init" and "::" not in prefix
            yield path, prefix if plain else f"{prefix}::{stem}"


def defines_class(source: Source, name: str, dialect: Dialect) -> bool:
    """Return whether a manifest defines a class of a name."""
    return any(
        isinstance(one, nodes.ClassDefinition) and one.name.removeprefix("::") == name
        for one in definitions(source, dialect)
    )


def named_nodes(paths: list[str], world: World, dialect: Dialect) -> list[str]:
    """Return the names that node definitions in manifests spell out, sorted; no patterns."""
    found = set()
    for path in paths:
        for one in definitions(Source(read_text(world, path), path), dialect):
            if isinstance(one, nodes.NodeDefinition):
                found |= {
                    match.value
                    for match in one.matches
                    if isinstance(match, nodes.String | nodes.Name)
                }
    return sorted(found)


def definitions(source: Source, dialect: Dialect) -> list[nodes.Node]:
    """Return the definitions in a manifest."""
    return list(dialect.parse(source).program.definitions)
