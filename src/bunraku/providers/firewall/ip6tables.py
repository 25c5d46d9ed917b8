"""Rules of IPv6 before version 7 of puppetlabs-firewall."""

from __future__ import annotations

from bunraku.providers.firewall.old_rules import FEATURES, OldRules


class OldIp6tables(OldRules):
    """Reads and changes the rules of IPv6."""

    name = "ip6tables"
    protocol = "IPv6"
    features = FEATURES | {"hop_limiting", "ishasmorefrags", "islastfrag", "isfirstfrag"}


provider = OldIp6tables
