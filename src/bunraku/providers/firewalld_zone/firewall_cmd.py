"""Zones of firewalld."""

from __future__ import annotations

from typing import ClassVar

from bunraku.providers.firewalld_places import Places


class Zones(Places):
    """Reads and changes zones."""

    kind = "zone"
    plural = "zones"
    lists: ClassVar[dict[str, str]] = {
        "interfaces": "interface",
        "sources": "source",
        "protocols": "protocol",
        "icmp_blocks": "icmp-block",
    }

    def properties_of_new(self) -> tuple[str, ...]:
        """Return the properties that a new zone gets at once, in order."""
        return (
            *("target", "sources", "protocols", "interfaces", "icmp_blocks"),
            "icmp_block_inversion",
        )


provider = Zones
