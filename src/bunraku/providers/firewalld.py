"""firewalld by ``firewall-cmd``, or by ``firewall-offline-cmd`` while the service is stopped.

The types ``firewalld_…`` share the results of queries in a run until something changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.resource_type import Reference
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Finished

Value = Any
LONGEST_NAME = 17
ARGUMENT = re.compile(r"('[^']*'| )")


class Queries:
    """What a run knows about firewalld: whether it runs, and the answers to queries."""

    def __init__(self) -> None:
        self.online: bool | None = None
        """Whether the service runs; None if its programs are not installed."""
        self.known: dict[tuple[str, ...], Finished] = {}
        self.read_at = -1
        """The number of changes of the run at which the answers were true."""

    @classmethod
    def of(cls, run: Run) -> Queries:
        """Return the queries of a run, one object for all types."""
        found: Queries = run.shared.setdefault((cls, "queries"), cls())
        if found.read_at != run.changes:
            found.known.clear()
            found.read_at = run.changes
        return found


class FirewallCommand(Provider):
    """Runs ``firewall-cmd`` for a resource."""

    name = "firewall_cmd"

    def suitable(self) -> bool:
        """Return True; the programs may be installed during the run."""
        return True

    # -- the service -----------------------------------------------------------------------------

    def is_online(self) -> bool:
        """Return whether the service runs; asked again until it does."""
        queries = Queries.of(self.run)
        if not queries.online and ("--state",) not in queries.known:
            if self.host.find_program("firewall-cmd") is None:
                queries.online = None
            else:
                done = self.attempt(("firewall-cmd", "--state"))
                queries.known["--state",] = done
                queries.online = done.code == 0
        return bool(queries.online)

    def is_available(self) -> bool:
        """Return whether the programs are installed."""
        return self.is_online() or Queries.of(self.run).online is not None

    def reload(self) -> None:
        """Let the running service read its settings again."""
        if self.is_online():
            self.change("--reload", permanent=False)

    # -- commands --------------------------------------------------------------------------------

    def command(self, words: Sequence[str], place: Sequence[str], *, permanent: bool) -> list[str]:
        """Return a command; quotes are removed from its words. ResourceFailure if it is not installed."""
        online = self.is_online()
        program = "firewall-cmd" if online else "firewall-offline-cmd"
        if self.host.find_program(program) is None:
            raise ResourceFailure(f"Command {self.name} is missing")
        plain = [word.replace("'", "") for word in words]
        return [program, *(["--permanent"] if permanent and online else []), *place, *plain]

    def query(self, *words: str, place: Sequence[str] = (), permanent: bool = True) -> Finished:
        """Run a command that changes nothing, and return its result also if it fails."""
        command = tuple(self.command(words, place, permanent=permanent))
        known = Queries.of(self.run).known
        if command not in known:
            known[command] = self.attempt(command)
        return known[command]

    def output(self, *words: str, place: Sequence[str] = (), permanent: bool = True) -> str:
        """Return the output of a command that changes nothing; ResourceFailure if it fails."""
        done = self.query(*words, place=place, permanent=permanent)
        if done.code != 0:
            command = " ".join(self.command(words, place, permanent=permanent))
            text = f"Execution of '{command}' returned {done.code}: {done.output.strip()}"
            raise ResourceFailure(text)
        return done.output

    def change(self, *words: str, place: Sequence[str] = (), permanent: bool = True) -> None:
        """Run a command that makes a change; ResourceFailure if it fails."""
        command = self.command(words, place, permanent=permanent)
        Queries.of(self.run).known.clear()
        self.execute(*command)

    def difference(
        self, option: str, current: Sequence[str], wanted: Sequence[str], place: Sequence[str]
    ) -> None:
        """Add and remove elements so that exactly the wanted ones are left."""
        for one in dict.fromkeys(wanted):
            if one not in current:
                self.change(f"--add-{option}", one, place=place)
        for one in dict.fromkeys(current):
            if one not in wanted:
                self.change(f"--remove-{option}", one, place=place)


# -- resources of a zone or a policy ---------------------------------------------------------------


def place_parameters(subject: str) -> tuple[Parameter, ...]:
    """Return the parameters that say to which zone or policy something belongs."""
    return tuple(
        Parameter(kind, about=f"The {kind} of the {subject}.") for kind in ("zone", "policy")
    )


def place_option(resource: ManagedResource) -> list[str]:
    """Return the option that names the zone or the policy of a resource."""
    kind = "policy" if resource["zone"] is None else "zone"
    return [f"--{kind}", to_s(resource[kind])]


def check_place(resource: ManagedResource) -> None:
    """Raise InvalidValue unless a resource sets either a zone or a policy."""
    unset = [kind for kind in ("zone", "policy") if resource[kind] is None]
    if not unset:
        raise InvalidValue("only one of the parameters zone and policy may be supplied")
    if len(unset) == 2:
        raise InvalidValue("one of the parameters zone and policy must be supplied")


def required_place(resource: ManagedResource) -> Iterator[Reference]:
    """Yield the zone or the policy of a resource, and the service."""
    for kind in ("zone", "policy"):
        if resource[kind] is not None:
            yield f"firewalld_{kind}", to_s(resource[kind])
    yield "service", "firewalld"


def split_arguments(written: Value) -> list[str]:
    """Return arguments one by one; quotes hold words together.

    >>> split_arguments("-j LOG --log-prefix 'IPTABLES DROPPED'")
    ['-j', 'LOG', '--log-prefix', "'IPTABLES DROPPED'"]
    """
    text = " ".join(map(to_s, written)) if isinstance(written, list) else to_s(written or "")
    return [word for word in ARGUMENT.split(text) if word not in ("", " ")]


# -- properties ------------------------------------------------------------------------------------


class Elements(Property):
    """A list of elements whose order does not count."""

    def __init__(self, name: str, *, bare: bool = False, about: str) -> None:
        super().__init__(name, many=True, text=True, about=about)
        self.bare = bare
        """Whether messages show the elements without quotes."""

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the elements are the wanted ones."""
        return sorted(current) == sorted(resource.accepted(self.name))

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Format elements for messages."""
        if self.bare and isinstance(value, list):
            return f"[{', '.join(value)}]"
        return super().shown(resource, value)


class Purge(Property):
    """Whether what the catalog lacks is removed; the state says that there was something."""

    def __init__(self, name: str, *, about: str) -> None:
        super().__init__(name, words=("false", "true"), about=about)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Leave the removal, which happened before the run."""
