"""Host keys as lines of a ``known_hosts`` file."""

from __future__ import annotations

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import FilePart, ParsedFile, split
from bunraku.providers.provider import State
from bunraku.providers.sshkey.type import host_of
from bunraku.types.ruby_semantics.values import to_s


class KnownHosts(ParsedFile):
    """Reads and writes ``known_hosts`` files."""

    name = "parsed"
    default_target = "/etc/ssh/ssh_known_hosts"
    properties = frozenset({"key", "type", "name"})
    new_mode = 0o644

    def parse(self, line: str) -> State | None:
        """Return the names, type and key of a line."""
        if line.startswith("#") or not line.strip():
            return None
        names, kind, key = split(line, r"\s+", 3)
        host, *aliases = names.split(",")
        # A host has one key of each type: the name of the resource contains both.
        return {
            "name": f"{host}@{kind}",
            "host": host,
            "type": kind,
            "key": key,
            "host_aliases": aliases,
        }

    def key(self, resource: ManagedResource) -> str:
        """Return the host and the type."""
        return f"{host_of(resource)}@{to_s(resource['type'])}"

    def entry(self, resource: ManagedResource) -> FilePart:
        """Return the entry of a resource, with its host and type."""
        entry = super().entry(resource)
        if not entry.stored:
            entry.state |= {"host": host_of(resource), "type": resource["type"] or ABSENT}
        return entry

    def line(self, entry: FilePart) -> str:
        """Return the names, type and key."""
        state = entry.state
        for name in ("type", "key"):
            if state.get(name, ABSENT) == ABSENT:
                raise ResourceFailure(f"Field '{name}' is required")
        names = ",".join([state["host"], *map(to_s, state.get("host_aliases") or ())])
        return f"{names} {state['type']} {to_s(state['key'])}"


provider = KnownHosts
