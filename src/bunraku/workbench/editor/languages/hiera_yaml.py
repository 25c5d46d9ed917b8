"""What a ``hiera.yaml`` of version 3, 4 or 5 names: files of data, functions, variables, facts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.hiera.config import EXTENSIONS, FUNCTION_KEYS, LOCATION_KEYS
from bunraku.workbench.editor.languages.yaml_data import YamlReader, entries, root_entries, scalars
from bunraku.workbench.editor.mentions import Mention, PuppetSymbol

INTERPOLATION = re.compile(r"%\{[^}]*\}")
HIERARCHIES = ("hierarchy", "plan_hierarchy", "default_hierarchy")
DATADIR = "data"
"""The directory of data of a version since 4, if no level and no default names one."""
OLD_DATADIR = "/etc/puppetlabs/code/environments/%{environment}/hieradata"
"""That of version 3."""
MAPPED = "mapped_paths"
PATHS = frozenset(LOCATION_KEYS) - {MAPPED, "uri", "uris"}


@record(frozen=True)
class OldBackend:
    """A backend of version 3: where its files are, and how their names end."""

    datadir: str
    extension: str


def mentions_in_hiera_yaml(source: Source) -> list[Mention]:
    """Return the files of data, the functions and the variables that a ``hiera.yaml`` names.

    An interpolation in a path stands for any text. A name in the hierarchy of version 3 is a file of each backend.

    >>> text = "hierarchy:\\n- name: os\\n  path: 'os/%{facts.os.name}.yaml'\\n"
    >>> found = mentions_in_hiera_yaml(Source(text, "/c/hiera.yaml"))
    >>> [(one.symbol.kind, one.symbol.name) for one in found]
    [('file', '/c/data/os/*.yaml'), ('variable', 'facts'), ('fact', 'os')]
    >>> text = ":yaml:\\n  :datadir: hi\\n:hierarchy:\\n- common\\n"
    >>> [one.symbol.name for one in mentions_in_hiera_yaml(Source(text, "/c/hiera.yaml"))]
    ['/c/hi', '/c/hi/common.yaml']
    """
    reader = HieraReader(source)
    reader.read()
    return sorted(reader.found, key=lambda one: (one.range.start, one.range.end))


class HieraReader(YamlReader):
    """Reads one configuration; the forms of its entries show the version, also while someone types."""

    def read(self) -> None:
        """Add the mentions."""
        top = by_name(root_entries(self.text))
        defaults = by_name(entries(top.get("defaults")))
        if "datadir" in top:
            defaults["datadir"] = top["datadir"]  # version 4
        datadir = scalar_text(defaults.get("datadir")) or DATADIR
        self.add_level(defaults, datadir)
        backends = [*self.old_backends(top)]
        for name in HIERARCHIES:
            for level in items(top.get(name)):
                if level.__class__.__name__ == "ScalarNode":
                    self.add_old_level(level, backends)
                else:
                    self.add_level(by_name(entries(level)), datadir)
        self.add_interpolations()

    def add_file(self, node: Any, *parts: str, extension: str = "") -> None:
        """Add the file or directory that a scalar names; the parts are joined."""
        path = os.path.join(os.path.dirname(self.source.path), *parts)
        if not path.endswith(extension):
            path += extension
        name = os.path.normpath(INTERPOLATION.sub("*", path))
        self.add(PuppetSymbol("file", name), self.start_of(node), node.value)

    # -- versions 4 and 5 ------------------------------------------------------------------------

    def add_level(self, named: Mapping[str, Any], datadir: str) -> None:
        """Add what a level names; ``datadir`` is that of the defaults."""
        folder = scalar_text(named.get("datadir")) or datadir
        extension = EXTENSIONS.get(scalar_text(named.get("backend")), "")
        if extension and "name" in named and not PATHS & {*named}:
            named = {**named, "path": named["name"]}  # version 4: the name is the path
        for name, value in named.items():
            for scalar in scalars(value):
                if name == "datadir":
                    self.add_file(scalar, scalar.value)
                elif name in PATHS:
                    self.add_file(scalar, folder, scalar.value, extension=extension)
                elif name in FUNCTION_KEYS:
                    self.add_name("function", scalar.value, self.start_of(scalar))
        self.add_mapped_paths(items(named.get(MAPPED)), folder)

    def add_mapped_paths(self, nodes: list[Any], folder: str) -> None:
        """Add the variable and the path of ``mapped_paths``: the second name is that of each value."""
        if len(nodes) == 3 and all(map(scalar_text, nodes)):
            self.add_variable_or_fact(nodes[0].value, self.start_of(nodes[0]))
            self.add_file(nodes[2], folder, nodes[2].value)

    # -- version 3 -------------------------------------------------------------------------------

    def old_backends(self, top: Mapping[str, Any]) -> Iterator[OldBackend]:
        """Yield the backends, and add the directories that they name."""
        names = [*filter(None, map(scalar_text, items(top.get("backends"))))]
        for name in names or ["yaml"]:
            settings = by_name(entries(top.get(name)))
            for scalar in items(settings.get("datadir")):
                self.add_file(scalar, scalar.value)
            extension = scalar_text(settings.get("extension"))
            yield OldBackend(
                scalar_text(settings.get("datadir")) or OLD_DATADIR,
                f".{extension}" if extension else EXTENSIONS.get(name, f".{name}"),
            )

    def add_old_level(self, level: Any, backends: list[OldBackend]) -> None:
        """Add the files of a name in the hierarchy."""
        for one in backends:
            self.add_file(level, one.datadir, level.value, extension=one.extension)


def by_name(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    """Return the values of a mapping by key; keys of version 3 can be Ruby's symbols."""
    return {key.value.removeprefix(":"): value for key, value in pairs}


def items(node: Any) -> list[Any]:
    """Return the items of a list, or a scalar as the only one."""
    if node.__class__.__name__ == "SequenceNode":
        return list(node.value)
    return [node] if node.__class__.__name__ == "ScalarNode" else []


def scalar_text(node: Any) -> str:
    """Return the text of a scalar; none for other nodes."""
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else ""
