"""The base of all package providers: states by one query, and what it may leave out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.base import ABSENT, ManagedResource, Provider, Run, State
from bunraku.providers.errors import ResourceFailure

PURGED = "purged"
MISSING = (ABSENT, PURGED, "disabled", None)
"""The states of packages that are not installed."""


class PackageProvider(Provider):
    """Installs and removes packages of one system."""

    can_purge: ClassVar[bool] = False
    """Whether the system keeps configuration files of removed packages, and can remove them."""
    virtual_by_default: ClassVar[bool] = True
    """The default of ``allow_virtual``."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.found: dict[ManagedResource, State] = {}
        """The states by resource, as they were when the resource was applied."""
        self.newest: dict[ManagedResource, Any] = {}
        """The latest versions by resource, as far as they were looked up."""
        self.read_at = -1
        """The changes of the run at the time of the one query."""

    # -- states ----------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all packages by one query."""
        super().prefetch(resources)
        self.read_at = self.run.changes

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a package, by the one query or, if it was not there, by its own."""
        if resource not in self.found:
            if self.states is None:
                self.prefetch([resource])
            state = (self.states or {}).get(resource.name)
            if state is None and not self.surely_missing(resource):
                state = self.query(resource)
            self.found[resource] = state or {"ensure": PURGED if self.can_purge else ABSENT}
        return self.found[resource]

    def take(self, resource: ManagedResource, state: State) -> None:
        """Let a state of the one query be that of a package."""
        self.found[resource] = state

    def surely_missing(self, resource: ManagedResource) -> bool:
        """Return whether a package that the one query did not find cannot be there."""
        return self.read_at == self.run.changes and not resource.is_true("allow_virtual")

    def query(self, resource: ManagedResource) -> State | None:
        """Return the state of one package as it is now; None if it is not installed."""
        return dict(self.instances([resource])).get(resource.name)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether a version that is not the wanted text is right nevertheless."""
        return False

    def latest(self, resource: ManagedResource) -> Any:
        """Return the latest version that can be installed."""
        raise ResourceFailure(f"the provider {self.name} cannot look up the latest version")

    # -- changes ---------------------------------------------------------------------------------

    def install(self, resource: ManagedResource) -> None:
        """Install a package in the wanted version."""
        raise ResourceFailure(f"the provider {self.name} cannot install packages")

    def update(self, resource: ManagedResource) -> None:
        """Install the latest version of a package."""
        self.install(resource)

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a package."""
        raise ResourceFailure(f"the provider {self.name} cannot remove packages")

    def purge(self, resource: ManagedResource) -> None:
        """Remove a package with its configuration files."""
        raise ResourceFailure(f"the provider {self.name} cannot purge packages")

    def set_mark(self, resource: ManagedResource, mark: str) -> None:
        """Keep a package in its version, or no longer."""
        raise ResourceFailure(f"the provider {self.name} cannot hold packages")

    def flush(self, resource: ManagedResource) -> None:
        """Forget the state of a package that was changed."""
        self.found.pop(resource, None)


def package_of(resource: ManagedResource) -> PackageProvider:
    """Return the provider of a package."""
    found = resource.provider
    assert isinstance(found, PackageProvider)
    return found


def version_of(resource: ManagedResource) -> str | None:
    """Return the version that is wanted; None for one of the words of ``ensure``."""
    wanted = resource["ensure"]
    return None if wanted in ENSURE_WORDS else str(wanted)


ENSURE_WORDS = frozenset({"present", "absent", "purged", "disabled", "latest"})


def flags(options: Iterable[str | Mapping[str, str]] | None) -> list[str]:
    """Return the flags of ``install_options`` and ``uninstall_options``.

    >>> flags(["--quiet", {"-o": "a=b", "--root": "/srv"}])
    ['--quiet', '--root=/srv', '-o=a=b']
    """
    found: list[str] = []
    for option in options or ():
        if isinstance(option, Mapping):
            found.extend(f"{name}={option[name]}" for name in sorted(option))
        else:
            found.append(option)
    return found
