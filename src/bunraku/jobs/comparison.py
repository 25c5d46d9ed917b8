"""The catalogs of nodes before and after a change, compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.catalog.compare import Difference
from bunraku.workbench.origins.causes import Cause


@record()
class NodeComparison:
    """A node's two catalogs compared, or why they were not: one is missing, or did not compile.

    ``ruby`` has what the compiles needed Ruby for. ``problems`` are faults of the new catalog that the old
    one does not have: an agent would fail, or a secret is public. ``causes`` say why a resource or a parameter
    differs; ``inputs`` are the changed inputs of the node's compile: one of them is a cause that ``causes`` lacks.
    """

    node: str
    difference: Difference = field(default_factory=Difference)
    missing: str = ""
    findings: list[tuple[str, Diagnostic]] = field(default_factory=list)
    ruby: Sequence[str] = ()
    problems: Sequence[Diagnostic] = ()
    causes: Mapping[tuple[str, str], tuple[Cause, ...]] = field(default_factory=dict)
    inputs: Sequence[Cause] = ()

    @property
    def status(self) -> str:
        """The result in one word: ``failed``, ``differs`` or ``same``."""
        if self.findings:
            return "failed"
        return "differs" if self.missing or self.difference else "same"


@record(frozen=True)
class Comparison:
    """The comparisons of all nodes, and the names of the two sides."""

    old: str
    new: str
    nodes: Sequence[NodeComparison]

    @property
    def status(self) -> str:
        """The worst result of a node: ``failed``, ``differs`` or ``same``."""
        found = {one.status for one in self.nodes}
        return next((one for one in ("failed", "differs") if one in found), "same")
