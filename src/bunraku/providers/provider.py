"""The base class of providers: one way to read and change the state of the resources of a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from bunraku.catalog.schema.titles import flat
from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Command, Finished

if TYPE_CHECKING:
    from bunraku.providers.managed_resource import ManagedResource
    from bunraku.providers.run import Run

Value = Any
WITHOUT_USER: Mapping[str, str | None] = dict.fromkeys(("HOME", "USER", "LOGNAME"))
"""Environment variables that programs do not get so that they do not depend on the user."""
ENGLISH: Mapping[str, str | None] = {
    **dict.fromkeys(
        (
            "LANGUAGE",
            "LC_COLLATE",
            "LC_CTYPE",
            "LC_MESSAGES",
            "LC_MONETARY",
            "LC_NUMERIC",
            "LC_TIME",
        )
    ),
    "LANG": "C",
    "LC_ALL": "C",
}
"""Variables that make programs print English."""
Words = tuple[str, ...] | str
"""A program with its arguments, or a command line for the shell."""
State = dict[str, Value]
"""The state of a resource: property → value."""


class Provider:
    """One way to manage the resources of a type; one object serves all resources of a run.

    A subclass needs ``name`` and either :meth:`instances` (all resources of the machine in one query,
    which :meth:`get` uses) or its own :meth:`get` and :meth:`exists`.

    >>> class Motd(Provider):
    ...     name = "motd"
    ...
    ...     def instances(self, wanted):
    ...         return {"motd": {"ensure": "present", "text": "hello"}}
    """

    name = ""
    source: ClassVar[str] = ""
    """Where the provider finds resources if others look there, too; only the first of them lists."""
    is_independent: ClassVar[bool] = False
    """Whether the resources never depend on what other providers postpone (:attr:`Run.postponed`).

    It is done before the next resource of any other provider.
    """
    programs: ClassVar[tuple[str, ...]] = ()
    """Programs that a machine needs for the provider to work."""
    features: ClassVar[frozenset[str]] = frozenset()
    """Features that attributes and their values require."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.host = run.host
        self.variables: dict[str, str | None] = {}
        """Additional environment variables for the programs of the provider."""
        self.timeout: float | None = None
        """The limit of the next program in seconds; None without one."""
        self.states: dict[str, State] | None = None
        """The result of :meth:`instances` by name; None before the first call."""

    # -- suitability ------------------------------------------------------------------------------

    def suitable(self) -> bool:
        """Return whether the provider works on this machine."""
        return all(self.host.find_program(program) for program in self.programs)

    def supports(self, feature: str) -> bool:
        """Return whether the provider has a feature on this machine."""
        return feature in self.features

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the existing resources of the machine, by name.

        ``wanted`` are the resources of the catalog that will be applied so that one query can read
        them all. None requests every existing resource, for ``bunraku resource TYPE``.
        """
        raise ResourceFailure(
            f"To support listing resources of this type the '{self.name}' provider needs to "
            "implement an 'instances' class method returning the current set of resources. We "
            "recommend porting your module to the simpler Resource API instead: "
            "https://puppet.com/search/docs?keys=resource+api"
        )

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read the state of all resources of the provider, before the first of them is applied."""
        if type(self).instances is not Provider.instances:
            self.states = dict(self.instances(resources))

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a resource; empty if it is absent."""
        if self.states is None:
            self.prefetch([resource])
        return (self.states or {}).get(resource.name, {})

    def take(self, resource: ManagedResource, state: State) -> None:
        """Let a state that :meth:`instances` returned be that of a resource."""
        self.states = {} if self.states is None else self.states
        self.states[resource.name] = state

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether a resource exists."""
        found: Value = self.state(resource).get("ensure", ABSENT)
        return bool(found != ABSENT)

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property, ``absent`` if the resource has none."""
        return self.state(resource).get(name, ABSENT)

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create a resource with all its properties."""
        raise ResourceFailure(f"the provider {self.name} cannot create resources")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a resource."""
        raise ResourceFailure(f"the provider {self.name} cannot remove resources")

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Change one property."""
        raise ResourceFailure(f"the provider {self.name} cannot set {name}")

    def flush(self, resource: ManagedResource) -> None:
        """Write the collected changes of a resource; called once after the last change."""

    def finish_run(self) -> None:
        """Do what is left after all resources of the run; called if one of them has the provider."""

    # -- programs --------------------------------------------------------------------------------

    def check_words(self, words: Words) -> None:
        """Raise ResourceFailure for arguments that others must not see."""

    def attempt(
        self,
        words: Words,
        *,
        merged: bool = True,
        content: bytes = b"",
        localized: bool = False,
        directory: str | None = None,
        user: str | int | None = None,
        group: str | int | None = None,
        umask: int | None = None,
        environment: Mapping[str, str | None] | None = None,
    ) -> Finished:
        """Run a program or a command line; return its output and exit code, also if it fails.

        Messages are in English unless ``localized``. If the program cannot start, the exit code is 1.
        Raise CommandTimeout after :attr:`timeout` seconds.
        """
        words = as_texts(words)
        self.check_words(words)
        english = {} if localized else ENGLISH
        variables = {**WITHOUT_USER, **english, **self.variables, **(environment or {})}
        self.run.log("debug", f"Executing: '{shown_words(words)}'")
        command = Command(
            words,
            environment=variables,
            directory=directory,
            user=user,
            group=group,
            umask=umask,
            timeout=self.timeout,
            merged=merged,
            content=content,
        )
        try:
            return self.host.execute(command)
        except OSError as error:
            program = words.split()[0] if isinstance(words, str) else words[0]
            reason = f"Error: Could not execute posix command: {error.strerror} - {program}"
            return Finished(1, reason if merged else "", reason)

    def execute(self, *words: str, content: bytes = b"") -> Finished:
        """Run a program; raise ResourceFailure with its output unless it exits with 0."""
        texts = as_texts(words)
        return successful(texts, self.attempt(texts, content=content))


def as_texts(words: Words) -> Words:
    """Return a command whose words are texts: Puppet flattens arrays and converts other values."""
    if isinstance(words, str) or all(isinstance(one, str) for one in words):
        return words
    return tuple(map(to_s, flat(words)))


def successful(words: Words, done: Finished) -> Finished:
    """Return the result of a command; raise ResourceFailure with its output if it failed."""
    if done.code != 0:
        text = f"Execution of '{shown_words(words)}' returned {done.code}: {done.output.strip()}"
        raise ResourceFailure(text)
    return done


def shown_words(words: Words) -> str:
    """Format a command for messages."""
    return words if isinstance(words, str) else " ".join(words)


class ForeignProvider(Provider):
    """A provider of Puppet that bunraku does not have: it is never suitable."""

    def __init__(self, run: Run, name: str) -> None:
        super().__init__(run)
        self.name = name

    def suitable(self) -> bool:
        """Return False: bunraku does not have the provider."""
        return False

    def supports(self, feature: str) -> bool:
        """Return True: the features are unknown, and the provider never runs."""
        return True
