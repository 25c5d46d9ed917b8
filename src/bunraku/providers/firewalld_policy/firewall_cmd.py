"""Policies of firewalld."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bunraku.providers.firewalld_places import Places


class Policies(Places):
    """Reads and changes policies."""

    kind = "policy"
    plural = "policies"
    lists: ClassVar[dict[str, str]] = {
        "ingress_zones": "ingress-zone",
        "egress_zones": "egress-zone",
        "icmp_blocks": "icmp-block",
    }

    def properties_of_new(self) -> tuple[str, ...]:
        """Return the properties that a new policy gets at once, in order."""
        return ("target", "ingress_zones", "egress_zones", "priority", "icmp_blocks")

    def difference(
        self, option: str, current: Sequence[str], wanted: Sequence[str], place: Sequence[str]
    ) -> None:
        """Remove and add elements; a zone cannot join the words ``ANY`` and ``HOST``."""
        kept = [one for one in current if one in wanted]
        super().difference(option, current, kept, place)
        super().difference(option, kept, wanted, place)


provider = Policies
