"""Environments as the file server sees them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from posixpath import dirname
from threading import Lock

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.deployment.live_trees import Identity, tree_identity
from bunraku.modules.environment import Environment
from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.world.file_signatures import Signature, signature_of

CONFIGURATION = "environment.conf"
ABSENT: Signature = ()


@record(frozen=True)
class Served:
    """The modules of an environment by name, in the order of the modulepath.

    ``directory`` is the environment's own; only files of modules inside of it can be part of a
    static catalog. ``tree`` is which tree that directory was, see :mod:`bunraku.deployment.live_trees`.
    """

    name: str
    modules: Mapping[str, str] = field(default_factory=dict)
    modulepath: tuple[str, ...] = ()
    directory: str | None = None
    tree: Identity = ()

    def is_current(self) -> bool:
        """Return whether no deployment has switched the directory, if its tree is known."""
        if self.directory is None or not self.tree:
            return True
        return tree_identity(self.directory) == self.tree


def served(environment: Environment) -> Served:
    """Return what is served of an environment: its modules, without those vendored with Puppet."""
    folders = frozenset(environment.modulepath)
    modules = {name: path for name, path in environment.module_paths if dirname(path) in folders}
    return Served(environment.name, modules, environment.modulepath, environment.path)


@record(frozen=True)
class Known:
    """An environment that was loaded, and what shows that it is the same still."""

    environment: Environment
    served: Served
    version: int
    configuration: Signature | None

    def is_current(self) -> bool:
        """Return whether the environment's directory, configuration and modules have not changed."""
        path = self.environment.path
        if self.configuration is None or path is None or not self.served.is_current():
            return False
        self.environment.files.refresh()
        unchanged = self.environment.files.version == self.version
        return unchanged and configuration_of(path) == self.configuration


def configuration_of(path: str) -> Signature | None:
    """Return the signature of an environment's configuration; None if it is unreliable."""
    file = f"{path}/{CONFIGURATION}"
    found = signature_of(file)
    return found if found is not None or os.path.lexists(file) else ABSENT


class ServedEnvironments:
    """Finds environments by name, for several threads; loads them again when they have changed.

    ``load`` raises PuppetError for unknown ones. Modules with broken metadata are not served.
    """

    def __init__(self, load: Callable[[str], Environment]) -> None:
        self.load = load
        self.known: dict[str, Known] = {}
        self.lock = Lock()

    def __call__(self, name: str) -> Served | None:
        """Return an environment; None if there is none with the name."""
        if ENVIRONMENT_NAME.fullmatch(name) is None:
            return None
        with self.lock:
            known = self.known.get(name)
            if known is not None and known.is_current():
                return known.served
            return self.loaded(name)

    def loaded(self, name: str) -> Served | None:
        """Load an environment."""
        self.known.pop(name, None)
        try:
            environment = self.load(name)
            path = environment.path
            configuration = None if path is None else configuration_of(path)
            tree = () if path is None else tree_identity(path)
            if path is not None:  # once more, now that its state is known
                environment = self.load(name)
        except PuppetError:
            return None
        found = replace(served(environment), tree=tree)
        known = Known(environment, found, environment.files.version, configuration)
        self.known[name] = known
        return found

    def forget(self) -> None:
        """Load all environments again when they are requested next."""
        with self.lock:
            self.known.clear()
