"""Which puppetlabs-firewall a catalog was written for: until version 6, or since version 7.

Version 7 replaced the providers ``iptables`` and ``ip6tables``, and the attribute ``action``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bunraku.providers.firewall.options import BEFORE_7
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.run import Run

OLD_PROVIDERS = frozenset({"iptables", "ip6tables", "iptables_chain"})
FOLDER = "puppet/provider/firewall"


def is_old(run: Run) -> bool:
    """Return whether a run has the module before version 7.

    The module on the machine decides; without one, an attribute or provider of the old module does.
    """
    key = (Run, "old firewall module")
    if key not in run.shared:
        installed = next(installed_generations(run), None)
        run.shared[key] = uses_old(run) if installed is None else installed
    return bool(run.shared[key])


def installed_generations(run: Run) -> Iterator[bool]:
    """Yield whether each installed module is an old one; the one that the run uses comes first."""
    libraries = [posixpath.join(one, "firewall/lib") for one in run.modules]
    for library in (*libraries, *run.libraries):
        for name, old in (("firewall.rb", False), ("iptables.rb", True)):
            if run.host.is_file(posixpath.join(library, FOLDER, name)):
                yield old


def uses_old(run: Run) -> bool:
    """Return whether a resource of the run sets what only the old module has."""
    return any(map(is_for_old, (*run.of_type("firewall"), *run.of_type("firewallchain"))))


def is_for_old(resource: ManagedResource) -> bool:
    """Return whether a resource sets an attribute or provider that only the old module has."""
    named = str(resource.known("provider")) in OLD_PROVIDERS
    return named or not BEFORE_7.isdisjoint(resource.original)
