"""The base class of all package providers, which read all packages in one query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State, Words, shown_words
from bunraku.providers.run import Run
from bunraku.providers.secrets import passwords_in

PURGED = "purged"
DISABLED = "disabled"
MISSING = (ABSENT, PURGED, DISABLED, None)
"""The states of packages that are not installed."""
COMMON_FEATURES = frozenset({"installable", "uninstallable", "upgradeable"})


class PackageProvider(Provider):
    """Installs and removes packages of one package system."""

    can_purge: ClassVar[bool] = False
    """Whether the system keeps configuration files of removed packages and can purge them."""
    virtual_by_default: ClassVar[bool] = True
    """The default of ``allow_virtual``."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.found: dict[ManagedResource, State] = {}
        """The states by resource at the time when the resource was applied."""
        self.newest: dict[ManagedResource, Any] = {}
        """The latest versions by resource, if they were read."""
        self.read_at = -1
        """The number of changes in the run at the time of the query."""

    def check_words(self, words: Words) -> None:
        """Raise ResourceFailure for a URL with a password: other users see the arguments of programs."""
        if any(passwords_in(words)):
            program = shown_words(words).split()[0]
            raise ResourceFailure(
                f"other users could see the password of a URL among the arguments of {program}; "
                "store the password in the configuration of the program, or install from a file"
            )

    # -- states ----------------------------------------------------------------------------------

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read all packages in one query."""
        super().prefetch(resources)
        self.read_at = self.run.changes

    def state(self, resource: ManagedResource) -> State:
        """Return the state of a package from the common query, or from its own if it was not found."""
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
        """Return whether a package that the common query did not find cannot be installed."""
        return self.read_at == self.run.changes and not resource.is_true("allow_virtual")

    def query(self, resource: ManagedResource) -> State | None:
        """Return the current state of one package; None if it is not installed."""
        return dict(self.instances([resource])).get(resource.name)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether a version that differs from the wanted text is correct nevertheless."""
        return False

    def latest(self, resource: ManagedResource) -> Any:
        """Return the latest available version."""
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

    def disable(self, resource: ManagedResource) -> None:
        """Disable a set of packages."""
        raise ResourceFailure(f"the provider {self.name} cannot disable packages")

    def reinstall(self, resource: ManagedResource) -> None:
        """Install a package again."""
        raise ResourceFailure(f"the provider {self.name} cannot reinstall packages")

    def set_mark(self, resource: ManagedResource, mark: str) -> None:
        """Hold a package at its version, or release it."""
        raise ResourceFailure(f"the provider {self.name} cannot hold packages")

    def flush(self, resource: ManagedResource) -> None:
        """Drop the state of a changed package."""
        self.found.pop(resource, None)


def package_of(resource: ManagedResource) -> PackageProvider:
    """Return the provider of a package."""
    found = resource.provider
    assert isinstance(found, PackageProvider)
    return found


def version_of(resource: ManagedResource) -> str | None:
    """Return the wanted version; None for one of the words of ``ensure``."""
    wanted = resource["ensure"]
    return None if wanted in ENSURE_WORDS else str(wanted)


ENSURE_WORDS = frozenset({"present", "absent", "purged", "disabled", "latest"})


def flags(options: Iterable[str | Mapping[str, str]] | None) -> list[str]:
    """Return the arguments in ``install_options`` and ``uninstall_options``.

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


def private_options(
    resource: ManagedResource, short: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Return the options that may be arguments, and the values of those that others must not see.

    ``short`` has the long names of short options. Several values of an option are separated by spaces.
    """
    words = flags(resource["install_options"])
    if not resource.is_private("install_options"):
        return words, {}
    public: list[str] = []
    private: dict[str, list[str]] = {}
    while words:
        word, *words = words
        name, is_set, value = word.partition("=")
        if word.startswith("-") and not is_set and words and not words[0].startswith("-"):
            is_set, (value, *words) = "=", words
        name = short.get(name, name)
        if not name.startswith("-"):
            raise ResourceFailure("a secret among install_options must be the value of an option")
        if is_set:
            private.setdefault(name.lstrip("-"), []).append(value)
        else:
            public.append(word)
    return public, {name: " ".join(values) for name, values in private.items()}


def variable_name(prefix: str, option: str) -> str:
    """Return the environment variable that a program reads instead of a long option.

    >>> variable_name("npm_config_", "cache-min")
    'npm_config_cache_min'
    """
    return prefix + option.replace("-", "_")
