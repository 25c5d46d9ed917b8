"""Data that a test brings along: Hiera's, and what PuppetDB has of other nodes.

They become files that only the compile sees, so Hiera and the query engine read them as they
read any others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.catalog.catalog import Catalog
from bunraku.formats.json import json_text
from bunraku.puppetdb.site.documents import items_of
from bunraku.workbench.testing.subject import REFERENCE
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.overlay import Overlay
from bunraku.world.protocol import World

FOLDER = "/bunraku-test"
"""The directory of the files that only the compile sees."""
HIERA_CONFIG = f"{FOLDER}/hiera.yaml"
STORED = f"{FOLDER}/puppetdb.json"
PLAIN = "test "
"""Begins the names of levels that have none in the test."""
OTHER_NODE = "other.example.com"
Files = dict[str, bytes]


@record(frozen=True)
class HieraData:
    """Data of the global layer, which wins over those of the environment and of modules.

    ``levels`` has a name and the data of each level, the highest first. A name such as
    ``os/%{facts.os.family}`` is that of a level whose data depend on the node: ``files`` has them by
    the name with the facts in their places. ``config`` is the path of a ``hiera.yaml`` instead.
    """

    levels: Sequence[str] = ()
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    config: str | None = None

    def contents(self) -> Files:
        """Return the configuration and the files of data.

        >>> sorted(hiera_data([{"a": 1}]).contents())
        ['/bunraku-test/data/test 1.json', '/bunraku-test/hiera.yaml']
        """
        hierarchy = [{"name": one, "path": f"{one}.json"} for one in self.levels]
        config = {
            "version": 5,
            "defaults": {"datadir": "data", "data_hash": "json_data"},
            "hierarchy": hierarchy,
        }
        found = {f"{FOLDER}/data/{name}.json": as_json(one) for name, one in self.files.items()}
        return {HIERA_CONFIG: as_json(config), **found}

    def over(self, below: HieraData | None) -> HieraData:
        """Return these data above others; the path of a configuration replaces all."""
        if below is None or self.config is not None:
            return self
        if below.config is not None:
            raise ValueError("give either data for Hiera or the path of a hiera.yaml, not both")
        own = self.renumbered(1 + sum(one.startswith(PLAIN) for one in below.levels))
        levels = [*own.levels, *(one for one in below.levels if one not in own.levels)]
        return HieraData(levels, {**below.files, **own.files})

    def renumbered(self, first: int) -> HieraData:
        """Return the same data with other numbers in the names of plain levels."""
        plain = [one for one in self.levels if one.startswith(PLAIN)]
        names = {one: f"{PLAIN}{number}" for number, one in enumerate(plain, first)}
        return HieraData(
            [names.get(one, one) for one in self.levels],
            {names.get(name, name): one for name, one in self.files.items()},
        )


def hiera_data(
    data: Sequence[Mapping[str, Any]],
    levels: Sequence[str] = (),
    files: Mapping[str, Mapping[str, Any]] | None = None,
) -> HieraData:
    """Return data of plain levels, the highest first, above those of named levels.

    >>> hiera_data([{"a": 1}], ["common"], {"common": {"b": 2}}).levels
    ['test 1', 'common']
    """
    plain = {f"{PLAIN}{number}": one for number, one in enumerate(data, 1)}
    return HieraData([*plain, *levels], {**plain, **(files or {})})


def as_hiera_data(value: Any) -> HieraData:
    """Return data for Hiera that a test gives as a hash, a list of them, or a path.

    >>> as_hiera_data("spec/fixtures/hiera.yaml").config
    'spec/fixtures/hiera.yaml'
    """
    if isinstance(value, HieraData):
        return value
    if isinstance(value, str | os.PathLike):
        return HieraData(config=os.fspath(value))
    return hiera_data(value if isinstance(value, list | tuple) else [value])


def as_json(value: Any) -> bytes:
    """Return data as the content of a file; TypeError for values that JSON does not have."""
    return json_text(value).encode("utf-8", "surrogateescape")


@record(slots=False)
class OtherNodes:
    """What PuppetDB has of other nodes: exported resources, catalogs and facts.

    Collectors find the exported resources; ``puppetdb_query`` finds all.

    >>> nodes = OtherNodes()
    >>> nodes.export("Host[web1]", node="web1.example.com", ip="192.0.2.7")
    >>> nodes.catalogs["web1.example.com"]["resources"][0]["parameters"]
    {'ip': '192.0.2.7'}
    """

    catalogs: dict[str, dict[str, Any]] = field(default_factory=dict)
    node_facts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.catalogs or self.node_facts)

    def export(
        self,
        what: str | Catalog,
        /,
        *,
        node: str = OTHER_NODE,
        tags: Sequence[str] = (),
        **params: Any,
    ) -> None:
        """Add an exported resource by its reference and parameters, or those of a catalog.

        A catalog's own name is that of the node. Raises ValueError for a text that is not a reference.
        """
        if isinstance(what, Catalog):
            self.catalog(what)
            return
        self.add(node, resource_data(what, params, tags, exported=True))

    def resource(self, node: str, what: str, /, *, tags: Sequence[str] = (), **params: Any) -> None:
        """Add a resource of a node that is not exported, for queries."""
        self.add(node, resource_data(what, params, tags, exported=False))

    def facts(self, node: str, facts: Mapping[str, Any]) -> None:
        """Add facts of a node, for queries."""
        self.node_facts.setdefault(node, {}).update(facts)

    def catalog(self, catalog: Catalog) -> None:
        """Add all resources of a compiled catalog, also those that it only exports."""
        data = getattr(catalog, "stored_data", catalog.to_data)()
        for one in items_of(data["resources"]):
            self.add(catalog.name, one)

    def add(self, node: str, resource: Mapping[str, Any]) -> None:
        """Add a resource to the catalog of a node."""
        empty = {"name": node, "version": "1", "environment": "production", "resources": []}
        self.catalogs.setdefault(node, {**empty, "edges": []})["resources"].append(resource)

    def contents(self) -> Files:
        """Return the file with all documents."""
        facts = [{"name": name, "values": values} for name, values in self.node_facts.items()]
        return {STORED: as_json([*self.catalogs.values(), *facts])}


def resource_data(
    reference: str, params: Mapping[str, Any], tags: Sequence[str], *, exported: bool
) -> dict[str, Any]:
    """Return a resource as a catalog has it."""
    found = REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(f"not a reference: {reference!r}; expected a text such as 'Host[web1]'")
    parts = found[1].split("::")
    kind = "::".join(part[:1].upper() + part[1:] for part in parts)
    return {
        "type": kind,
        "title": found[2],
        "tags": sorted({*(part.lower() for part in parts), *tags}),
        "exported": exported,
        "parameters": dict(params),
    }


def world_with(files: Files, world: World) -> World:
    """Return a world that has files on top of those of another one."""
    return Overlay(DictionaryWorld(files), world) if files else world


class HieraOfTest:
    """The data for Hiera of one test, which it gives before it compiles; the fixture ``hiera``."""

    def __init__(self) -> None:
        self.data: HieraData | None = None

    def __call__(
        self, *data: Mapping[str, Any] | str, levels: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        """Give data: hashes, the highest level first, or the path of a ``hiera.yaml``.

        ``levels`` has levels below those by name: ``os/%{facts.os.family}`` is a level for each value
        of the fact, and has the data that ``levels`` has for ``os/Debian``. A later call gives higher
        levels than those before.

        >>> hiera = HieraOfTest()
        >>> hiera(
        ...     {"ntp::servers": ["a"]}, levels={"os/%{facts.os.family}": {}, "os/Debian": {"b": 1}}
        ... )
        >>> hiera.data.levels
        ['test 1', 'os/%{facts.os.family}']
        """
        paths = [one for one in data if not isinstance(one, Mapping)]
        if paths:
            if len(data) > 1 or levels:
                raise ValueError("give either data for Hiera or the path of a hiera.yaml, not both")
            given = as_hiera_data(paths[0])
        else:
            hashes = [one for one in data if isinstance(one, Mapping)]
            given = levels_of(hashes, levels or {})
        self.data = given.over(self.data)


def levels_of(
    hashes: Sequence[Mapping[str, Any]], levels: Mapping[str, Mapping[str, Any]]
) -> HieraData:
    """Return data of plain levels above those of named levels; names with facts come first.

    A name without ``%{`` is the data of such a level if one fits, else a level.
    """
    patterns = {name: as_pattern(name) for name in levels if "%{" in name}
    order = [
        name
        for name in levels
        if name in patterns or not any(one.fullmatch(name) for one in patterns.values())
    ]
    files = {name: one for name, one in levels.items() if name not in patterns}
    defaults = [name for name in patterns if levels[name]]
    if defaults:
        raise ValueError(f"the level {defaults[0]!r} has no data of its own; give {{}}")
    return hiera_data(hashes, order, files)


def as_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of the names that a level with facts may have.

    >>> as_pattern("os/%{facts.os.family}").fullmatch("os/Debian") is not None
    True
    """
    parts = re.split(r"%\{[^}]*\}", name)
    return re.compile(".+".join(map(re.escape, parts)))
