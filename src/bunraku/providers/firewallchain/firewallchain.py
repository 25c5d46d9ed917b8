"""Chains as puppetlabs-firewall manages them since version 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.firewallchain.names import OF_TABLE, ChainName, misfits, parse
from bunraku.providers.iptables import IP_PROTOCOLS, TablesProvider
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

Value = Any


class Chains(TablesProvider):
    """Reads and changes the chains of IPv4 and IPv6."""

    name = "firewallchain"

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the states of all chains; those of tables that nothing has used yet accept packets."""
        found: dict[str, State] = {}
        for protocol in IP_PROTOCOLS:
            for table, chains in OF_TABLE.items():
                for chain in chains:
                    found[f"{chain}:{table}:{protocol}"] = chain_state("accept")
            for saved in self.tables.saved(protocol).chains:
                name = f"{saved.name}:{saved.table}:{protocol}"
                found[name] = chain_state(saved.policy)
        return found

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a chain; empty if it is absent."""
        state = self.instances(None).get(resource.name, {})
        self.before[resource.name] = state
        return state

    # -- changing --------------------------------------------------------------------------------

    def flush(self, resource: ManagedResource) -> None:
        """Create, change or delete the chain."""
        name = parse(resource.name)
        assert name is not None
        check(resource, name)
        known = self.before.get(resource.name)
        if resource["ensure"] == ABSENT:
            self.delete(name)
        elif known:
            self.update(name, known, to_s(resource["policy"] or "accept"))
        else:
            action = "-L" if name.is_built_in else "-N"
            chain = () if name.is_built_in else (name.chain,)
            self.change(name, (action, *chain))

    def update(self, name: ChainName, known: State, policy: str) -> None:
        """Change the policy of a chain of the kernel."""
        if name.is_built_in and (known.get("policy") or "accept") != policy:
            self.change(name, ("-P", name.chain, policy.upper()))

    def delete(self, name: ChainName) -> None:
        """Delete a chain with its rules; a chain of the kernel gets its first policy back."""
        self.tables.change(name.protocol, ["-t", name.table, "-F", name.chain])
        if name.is_built_in:
            self.change(name, ("-P", name.chain, "ACCEPT"))
        else:
            self.change(name, ("-X", name.chain))

    def change(self, name: ChainName, words: Sequence[str]) -> None:
        """Change a table, and save the rules."""
        self.tables.change(name.protocol, ["-t", name.table, *words])
        self.tables.persist(name.protocol, old=False)


def chain_state(policy: str | None) -> State:
    """Return the state of a chain, without a policy for a chain of users."""
    return {"ensure": "present", **({} if policy is None else {"policy": policy})}


def check(resource: ManagedResource, name: ChainName) -> None:
    """Raise ResourceFailure for a chain that its table does not have, and for a needless policy."""
    for problem in misfits(name):
        raise ResourceFailure(problem)
    if not name.is_built_in and "policy" in resource:
        raise ResourceFailure(
            f"'policy' can only be set on Internal Chains. Setting for '{resource.name}' is invalid"
        )
    if name.is_built_in and resource["ensure"] == ABSENT:
        resource.run.log(
            "warning",
            f"Inbuilt Chains may not be deleted. Chain `{resource.name}` will be flushed and have "
            "it's policy reverted to default.",
        )


provider = Chains
