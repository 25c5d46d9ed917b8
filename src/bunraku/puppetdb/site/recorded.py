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
    """The data of a site for a recorded compile, which records its questions."""

    below: SiteData
    recording: Recording

    def query(self, query: Json) -> list[Json]:
        """See :class:`SiteData`."""
        found: list[Json] = self.asked("query", query)
        return found

    def exported(self, type_: str, condition: Json) -> Sequence[Data]:
        """See :class:`SiteData`."""
        found: Sequence[Data] = self.asked("exported", type_, condition)
        return found

    def nodes(self) -> list[str]:
        """See :class:`SiteData`."""
        found: list[str] = self.asked("nodes")
        return found

    def facts(self, node: str) -> dict[str, Any] | None:
        """See :class:`SiteData`."""
        found: dict[str, Any] | None = self.asked("facts", node)
        return found

    def asked(self, method: str, *arguments: Any) -> Any:
        """Return an answer that is recorded; a failure cannot be repeated."""
        try:
            answer = getattr(self.below, method)(*arguments)
        except BaseException:
            self.recording.cannot_repeat("a query of the data of a site fails")
            raise
        self.recording.note_site(method, arguments, answer)
        return answer
