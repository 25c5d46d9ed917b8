"""Keys of hosts as lines of a file of known hosts."""

from __future__ import annotations

from bunraku.providers.base import ABSENT, ManagedResource, State
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.parsed_file import Entry, ParsedFile, split
from bunraku.providers.sshkey.type import host_of


class KnownHosts(ParsedFile):
    """Reads and writes files of known hosts."""

    name = "parsed"
    default_target = "/etc/ssh/ssh_known_hosts"
    properties = frozenset({"key", "type", "name"})
    new_mode = 0o644

    def parse(self, line: str) -> State | None:
        """Return names, type and key of a line."""
        if line.startswith("#") or not line.strip():
            return None
        names, kind, key = split(line, r"\s+", 3)
        host, *aliases = names.split(",")
        # A host has one key of each type: the name of the resource is made of both.
        return {
            "name": f"{host}@{kind}",
            "host": host,
            "type": kind,
            "key": key,
            "host_aliases": aliases,
        }

    def key(self, resource: ManagedResource) -> str:
        """Return host and type."""
        return f"{host_of(resource)}@{resource['type'] or ''}"

    def entry(self, resource: ManagedResource) -> Entry:
        """Return the entry of a resource, with host and type."""
        entry = super().entry(resource)
        if not entry.stored:
            entry.state |= {"host": host_of(resource), "type": resource["type"] or ABSENT}
        return entry

    def line(self, entry: Entry) -> str:
        """Return names, type and key."""
        state = entry.state
        for name in ("type", "key"):
            if state.get(name, ABSENT) == ABSENT:
                raise ResourceFailure(f"Field '{name}' is required")
        names = ",".join([state["host"], *map(str, state.get("host_aliases") or ())])
        return f"{names} {state['type']} {state['key']}"


provider = KnownHosts
