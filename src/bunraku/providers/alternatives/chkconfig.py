"""Alternatives of chkconfig: the program ``alternatives`` of Red Hat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bunraku.providers.alternatives.provider import AlternativesProvider
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.systems import is_red_hat

DIRECTORY = "/var/lib/alternatives"
CURRENT = re.compile(r"status is (\w+)\.\n\slink currently points to (.*/[^/]*)\n")


class Chkconfig(AlternativesProvider):
    """Displays each alternative that is needed."""

    name = "chkconfig"
    programs = ("alternatives",)

    def suitable(self) -> bool:
        """Return whether the system is of the family of Red Hat and has the program."""
        return is_red_hat(self.host) and super().suitable()

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the alternatives of resources, or all of the machine."""
        known = names(self)
        found = {}
        for name in known if wanted is None else dict.fromkeys(one.name for one in wanted):
            if name in known and (state := self.displayed(name)) is not None:
                found[name] = state
        return found

    def displayed(self, name: str) -> State | None:
        """Return the path, mode and family of an alternative; None, with a warning, if it is not shown."""
        done = self.attempt((self.program, "--display", name))
        current = CURRENT.search(done.output)
        if done.code != 0 or current is None:
            self.run.log("warning", f"Failed to parse alternatives entry {name}")
            return None
        path = current[2]
        family = re.search(
            rf"^{re.escape(path)} - family (.+) priority \d+$", done.output, re.MULTILINE
        )
        return {"path": path, "mode": current[1], "family": family[1] if family else None}

    def state(self, resource: ManagedResource) -> State:
        """Return the state of an alternative; ResourceFailure if there is none, as in the module."""
        found = super().state(resource)
        if not found:
            raise ResourceFailure("undefined method `[]' for nil:NilClass")
        return found

    def family(self, resource: ManagedResource) -> str | None:
        """Return the family of the selected program, None if it has none."""
        found: str | None = self.state(resource)["family"]
        return found


def names(provider: AlternativesProvider) -> list[str]:
    """Return the names of all alternatives."""
    host = provider.host
    return host.list_directory(DIRECTORY) if host.is_directory(DIRECTORY) else []


provider = Chkconfig
