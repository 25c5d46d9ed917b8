"""Which nodes of a fleet bunraku could apply, and what stops it: over saved catalogs and PuppetDBs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from bunraku.apply.coverage import ChosenWay, Target, Way, choices_of
from bunraku.apply.validate import run_without_machine
from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.base.usage import UsageError
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.schema.builtin import builtin_resource_type, vendored_resource_type
from bunraku.jobs.fleet_sources import NodeCatalog, catalogs_of
from bunraku.jobs.paths import existing_directories
from bunraku.providers.managed_resource import bare
from bunraku.providers.registry import resource_type
from bunraku.providers.secrets import REDACTED
from bunraku.values.sensitive import Sensitive
from bunraku.world.machine import Machine

WAYS: tuple[Way, ...] = ("native", "ruby", "none")
"""The ways from the best: a node has the worst of its resources."""
WINDOWS = "windows"


@record(frozen=True)
class FleetOptions:
    """The sources of the catalogs: files, folders, databases and URLs of PuppetDBs.

    ``puppet`` says whether an installed Puppet may manage resources. ``module_path`` has directories of
    modules, separated by colons; with it, a type and a provider must be Puppet's own or those of a module.
    """

    sources: Sequence[str]
    puppet: bool = True
    module_path: str = ""


@record(frozen=True)
class Lack:
    """Why bunraku does not manage resources of a type itself."""

    way: Way
    type: str
    missing: str
    reason: str


@record(frozen=True)
class FleetNode:
    """What could manage a node, and how many resources each reason concerns."""

    name: str
    family: str | None
    way: Way
    lacks: Mapping[Lack, int]
    source: str = ""
    """The file or the database that has the catalog."""


@record(frozen=True)
class FleetReason:
    """A reason with its nodes: how many have it, how many have no other one, and one of them."""

    lack: Lack
    nodes: int
    only: int
    resources: int
    example: str


@record(frozen=True, slots=False)
class Fleet:
    """The nodes of a fleet, by name and source: catalogs of one name in two sources are two nodes."""

    nodes: Sequence[FleetNode]

    @cached_property
    def named(self) -> Mapping[str, int]:
        """How many nodes have a name."""
        return Counter(one.name for one in self.nodes)

    def shown(self, node: FleetNode) -> str:
        """Return the name of a node, with its source if others have the name, too."""
        return f"{node.name} in {node.source}" if self.named[node.name] > 1 else node.name

    def count(self, way: Way) -> int:
        """Return the number of nodes that can be managed in a way."""
        return sum(1 for one in self.nodes if one.way == way)

    def reasons(self) -> list[FleetReason]:
        """Return the reasons, those of most nodes first."""
        having: dict[Lack, list[FleetNode]] = {}
        for node in self.nodes:
            for lack in node.lacks:
                having.setdefault(lack, []).append(node)
        found = [
            FleetReason(
                lack,
                len(nodes),
                sum(1 for node in nodes if len(node.lacks) == 1),
                sum(node.lacks[lack] for node in nodes),
                self.shown(nodes[0]),
            )
            for lack, nodes in having.items()
        ]
        return sorted(found, key=lambda one: (-one.nodes, one.lack.type, one.lack.reason))

    def exit_code(self) -> int:
        """Return 1 if a node cannot be applied at all, else 0."""
        return 1 if self.count("none") else 0


def fleet_of(options: FleetOptions) -> Fleet:
    """Return what could manage the nodes of the sources.

    PuppetError if a source cannot be read, UsageError if it has no catalog.
    """
    judge = FleetJudge(options)
    found = [judge.node(one) for one in catalogs_of(options.sources, Machine())]
    if not found:
        raise UsageError(f"--nodes: no catalog is in {', '.join(options.sources)}")
    return Fleet(sorted(found, key=lambda one: (one.name, one.source)))


class FleetJudge:
    """Judges the catalogs of nodes."""

    def __init__(self, options: FleetOptions) -> None:
        self.options = options
        self.run = run_without_machine()
        self.run.code = Machine()
        self.run.modules = existing_directories(options.module_path, "--modulepath")
        self.types = {path.stem for path in self.files("type/*.rb")}
        self.providers = {(path.parent.name, path.stem) for path in self.files("provider/*/*.rb")}

    def files(self, pattern: str) -> Iterator[Path]:
        """Yield the files of Puppet's code in the modules."""
        for folder in self.run.modules:
            yield from Path(folder).glob(f"*/lib/puppet/{pattern}")

    def node(self, given: NodeCatalog) -> FleetNode:
        """Return what could manage a node."""
        if given.family is not None and given.family.lower() == WINDOWS:
            return hopeless(given, "system", "bunraku does not run on Windows")
        if given.error:
            return hopeless(given, "catalog", given.error)
        try:
            catalog = Catalog(given.catalog)
        except PuppetError as error:
            return hopeless(given, "catalog", str(error))
        target = Target(puppet=self.options.puppet, family=given.family)
        choices = choices_of(catalog, self.run, target)
        counts = Counter(self.lack(one) for one in choices if one.way != "native")
        way = max((one.way for one in counts), key=WAYS.index, default=WAYS[0])
        return FleetNode(given.name, given.family, way, counts, given.source)

    def lack(self, choice: ChosenWay) -> Lack:
        """Return why bunraku does not manage a resource itself."""
        found = Lack(choice.way, choice.type, str(choice.missing), choice.reason)
        unknown = self.unknown(choice) if self.options.module_path else ""
        return (
            replace(found, way="none", reason=f"no module has the {unknown}") if unknown else found
        )

    def unknown(self, choice: ChosenWay) -> str:
        """Return what neither Puppet nor a module has of what a resource needs; empty if nothing."""
        if choice.type not in self.types and not is_of_puppet(choice.type):
            return "type"
        named = choice.resource.parameters.get("provider")
        if choice.missing != "provider" or named is None:
            return ""
        kind = resource_type(choice.type, self.run)
        name = str(bare(named))
        if (choice.type, name) in self.providers or (kind and name in kind.known_providers()):
            return ""
        return f"provider {REDACTED if isinstance(named, Sensitive) else name}"


def is_of_puppet(name: str) -> bool:
    """Return whether a type is Puppet's own, or of the modules of its packages."""
    return builtin_resource_type(name) is not None or vendored_resource_type(name) is not None


def hopeless(given: NodeCatalog, missing: str, reason: str) -> FleetNode:
    """Return a node that bunraku cannot apply, for a reason outside of its catalog."""
    lacks = {Lack("none", "", missing, reason): 0}
    return FleetNode(given.name, given.family, "none", lacks, given.source)
