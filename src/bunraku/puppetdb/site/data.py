"""The catalogs and facts of a site's nodes, as a compile uses them, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from bunraku.base.records import record
from bunraku.puppetdb.json_values import Json

Data = Mapping[str, Any]


class SiteData(Protocol):
    """Catalogs and facts of nodes."""

    def query(self, query: Json) -> list[Json]:
        """Return the rows that a query in its JSON form selects."""

    def exported(self, type_: str, condition: Json) -> Sequence[Data]:
        """Return the exported resources of a type, sorted by node.

        Resources that do not meet the condition may be among them. Each has ``certname``, ``title``,
        ``tags`` and ``parameters``.
        """

    def nodes(self) -> list[str]:
        """Return the sorted names of the nodes that have facts."""

    def facts(self, node: str) -> dict[str, Any] | None:
        """Return the facts of a node; None if there are none."""


EXPORTED_FIELDS = ("certname", "type", "title", "tags", "parameters")


@record(frozen=True)
class QueriedData:
    """The data behind a function that answers queries: of a database, or of a server."""

    query: Callable[[Json], list[Json]]

    def exported(self, type_: str, condition: Json) -> Sequence[Data]:
        """See :class:`SiteData`."""
        conditions: list[Json] = [["=", "type", type_], ["=", "exported", True]]
        if condition is not None:
            conditions.append(condition)
        fields: list[Json] = [*EXPORTED_FIELDS]
        order: Json = ["order_by", ["certname", "title"]]
        found = self.query(["from", "resources", ["extract", fields, ["and", *conditions]], order])
        return [row for row in found if isinstance(row, dict)]

    def nodes(self) -> list[str]:
        """See :class:`SiteData`."""
        found = self.query(["from", "factsets", ["extract", ["certname"]]])
        return sorted([str(row["certname"]) for row in found if isinstance(row, dict)])

    def facts(self, node: str) -> dict[str, Any] | None:
        """See :class:`SiteData`."""
        condition: Json = ["=", "certname", node]
        found = self.query(["from", "facts", ["extract", ["name", "value"], condition]])
        facts = {str(row["name"]): row["value"] for row in found if isinstance(row, dict)}
        return facts or None
