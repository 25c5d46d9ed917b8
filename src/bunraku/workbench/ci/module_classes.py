"""The classes through which a module is used, and the operating systems that it supports."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.engine.programs import parse_program
from bunraku.facts.facterdb import FactSet
from bunraku.project.kept_names import kept_names
from bunraku.project.reading import json_object
from bunraku.syntax.nodes import (
    Call,
    ClassDefinition,
    DefineDefinition,
    MethodCall,
    Node,
    Resource,
    children,
)
from bunraku.workbench.analysis.names import included_classes, titled_classes
from bunraku.workbench.analysis.private import is_private
from bunraku.workbench.ci.role_nodes import classes_below
from bunraku.world.protocol import World


def entry_classes(root: str, module: str, dialect: Dialect, world: World) -> list[str]:
    """Return the classes through which a module is used, sorted by name.

    Private classes, and classes that other classes or defined types of the module declare or inherit,
    are compiled with those.

    >>> from bunraku.dialects.languages import dialect_named
    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> files = {
    ...     "/ntp/manifests/init.pp": b"class ntp { contain ntp::config }",
    ...     "/ntp/manifests/config.pp": b"class ntp::config { }",
    ... }
    >>> entry_classes("/ntp", "ntp", dialect_named("8"), DictionaryWorld(files))
    ['ntp']
    """
    manifests = os.path.join(root, "manifests")
    if not world.is_directory(manifests):
        return []
    paths = {
        name: os.path.join(manifests, *(name.split("::")[1:] or ["init"])) + ".pp"
        for name in sorted(classes_below(manifests, module, world))
    }
    texts = {path: world.read(path).decode("utf-8", "replace") for path in paths.values()}

    def find() -> list[str]:
        return public_classes(
            {name: Source(texts[path], path) for name, path in paths.items()}, dialect
        )

    return kept_names(f"entry classes {[*paths]}", texts, dialect, find)


def public_classes(sources: Mapping[str, Source], dialect: Dialect) -> list[str]:
    """Return the entry classes of the manifests of a module, which are in the order of the expected names."""
    classes: dict[str, ClassDefinition] = {}
    declared: set[str] = set()
    for name, source in sources.items():
        for one in parse_program(source, dialect).program.definitions:
            if isinstance(one, ClassDefinition | DefineDefinition):
                own = one.name.removeprefix("::")
                declared.update(used for used in declared_in(one) if used != own)
                if isinstance(one, ClassDefinition) and own == name:
                    classes[name] = one
    public = [name for name, one in classes.items() if not is_private(one)]
    return [name for name in public if name not in declared] or public


def declared_in(definition: ClassDefinition | DefineDefinition) -> Iterator[str]:
    """Yield the names of the classes that a definition declares or inherits."""
    if isinstance(definition, ClassDefinition) and definition.parent:
        yield definition.parent.removeprefix("::")
    waiting: list[Node] = [definition.body]
    while waiting:
        node = waiting.pop()
        found: Iterable[tuple[Node, str]] = ()
        if isinstance(node, Call | MethodCall):
            found = included_classes(node)
        elif isinstance(node, Resource):
            found = titled_classes(node)
        for _, name in found:
            yield name.lower().removeprefix("::")
        waiting += children(node)


def supported_systems(root: str, world: World) -> Iterator[str]:
    """Yield the operating systems in ``metadata.json`` by the names of FacterDB.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> text = b'{"operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]}]}'
    >>> list(supported_systems("/ntp", DictionaryWorld({"/ntp/metadata.json": text})))
    ['debian-12']
    """
    entries = json_object(world, f"{root}/metadata.json").get("operatingsystem_support")
    for entry in entries if isinstance(entries, list) else ():
        yield from systems_of(entry)


def systems_of(entry: Any) -> Iterator[str]:
    """Yield the names for an entry of ``operatingsystem_support``; releases are optional."""
    name = entry.get("operatingsystem") if isinstance(entry, Mapping) else None
    if not isinstance(name, str):
        return
    system = name.lower().replace(" ", "")
    releases = entry.get("operatingsystemrelease")
    if not isinstance(releases, list) or not releases:
        yield system
        return
    for release in releases:
        # Windows has releases such as "2012 R2", Amazon's are years.
        yield f"{system}-{str(release).lower().replace(' ', '')}"


def usual_machine(known: Mapping[str, FactSet], system: str) -> FactSet | None:
    """Return the fact set of an operating system; that of a 64-bit PC if there are several.

    >>> known = {
    ...     one: FactSet(one, "4.5", "/f") for one in ("debian-12-aarch64", "debian-12-x86_64")
    ... }
    >>> usual_machine(known, "debian-12").name
    'debian-12-x86_64'
    """
    fitting = [one for name, one in known.items() if name.rpartition("-")[0] == system]
    usual = [one for one in fitting if one.name.endswith(("-x86_64", "-x64"))]
    return next(iter(usual or fitting), None)
