"""The data of a site in a recorded compile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.base.records import record
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.site.data import Data, SiteData
from bunraku.world.recording import Recording


@record(frozen=True)
class RecordedSite:
    """The data of a site for a recorded compile, which cannot be repeated once it asked for some."""

    below: SiteData
    recording: Recording

    def query(self, query: Json) -> list[Json]:
        """See :class:`SiteData`."""
        self.recording.cannot_repeat("it queries the data of a site")
        return self.below.query(query)

    def exported(self, type_: str, condition: Json) -> Sequence[Data]:
        """See :class:`SiteData`."""
        self.recording.cannot_repeat("it collects the resources that a site stores")
        return self.below.exported(type_, condition)

    def nodes(self) -> list[str]:
        """See :class:`SiteData`."""
        self.recording.cannot_repeat("it asks for the nodes of a site")
        return self.below.nodes()

    def facts(self, node: str) -> dict[str, Any] | None:
        """See :class:`SiteData`."""
        self.recording.cannot_repeat("it asks for facts of a site")
        return self.below.facts(node)
