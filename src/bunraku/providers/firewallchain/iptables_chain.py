"""Chains as puppetlabs-firewall managed them before version 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.firewallchain.names import BRIDGE, ChainName, parse
from bunraku.providers.iptables import PROGRAMS, FilterProvider
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State

Value = Any


class OldChains(FilterProvider):
    """Reads and changes the chains of IPv4, IPv6 and of bridges."""

    name = "iptables_chain"

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the states of all chains; a protocol without its program has none."""
        found: dict[str, State] = {}
        for protocol in PROGRAMS:
            try:
                chains = self.tables.saved(protocol).chains
            except ResourceFailure:
                continue
            for chain in chains:
                state = {"ensure": "present", "policy": chain.policy or ""}
                found[f"{chain.name}:{chain.table}:{protocol}"] = state
        return found

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a chain; empty if it is absent."""
        return self.instances(None).get(resource.name, {})

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the chain exists; the kernel makes its own chains when they are needed."""
        return is_of_kernel(chain_name(resource)) or super().exists(resource)

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property."""
        return self.state(resource).get(name, "")

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create a chain, with a policy on a bridge."""
        name = chain_name(resource)
        self.tables.change(name.protocol, ["-t", name.table, "-N", name.chain])
        if resource["policy"] is not None:
            self.set(resource, "policy", resource["policy"])

    def destroy(self, resource: ManagedResource) -> None:
        """Delete a chain with its rules."""
        name = chain_name(resource)
        for action in ("-F", "-X"):
            self.tables.change(name.protocol, ["-t", name.table, action, name.chain])

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Set the policy."""
        chain = chain_name(resource)
        words = ["-t", chain.table, "-P", chain.chain, str(value).upper()]
        self.tables.change(chain.protocol, words)

    def flush(self, resource: ManagedResource) -> None:
        """Save the rules of IPv4 or IPv6."""
        protocol = chain_name(resource).protocol
        if protocol != "ethernet":
            self.tables.persist(protocol, old=True)


def chain_name(resource: ManagedResource) -> ChainName:
    """Return the parts of the name of a chain, which were checked before."""
    name = parse(resource.name)
    assert name is not None
    return name


def is_of_kernel(name: ChainName) -> bool:
    """Return whether the kernel makes a chain."""
    return name.is_built_in or name.chain == BRIDGE


provider = OldChains
