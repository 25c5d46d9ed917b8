"""Rules of IPv4 before version 7 of puppetlabs-firewall."""

from __future__ import annotations

from bunraku.providers.firewall.old_rules import FEATURES, OldRules


class OldIptables(OldRules):
    """Reads and changes the rules of IPv4."""

    name = "iptables"
    protocol = "IPv4"
    features = FEATURES | {"netmap", "isfragment", "clusterip", "ipvs"}


provider = OldIptables
