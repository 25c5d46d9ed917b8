"""What an environment is to have, before anything of it is switched."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress

from bunraku.base.file_reading import text_on_disk
from bunraku.base.records import field, record
from bunraku.deployment import issues
from bunraku.deployment.deployed import Deployed, DeploymentState
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.git_cache import located
from bunraku.deployment.layers import DEPLOYMENT_INFO, Layer
from bunraku.deployment.lock_file import LockedModule
from bunraku.deployment.site_contents import Log
from bunraku.deployment.update import Update, is_in
from bunraku.project.declared_modules import DeclaredModule

SHOWN_COMMIT = 12
"""How many digits of a commit are shown."""


@record()
class EnvironmentPlan:
    """The layers of an environment, and what else decides what happens to its files.

    ``directories`` are those that modules are installed to, ``of_puppetfile`` those of the modules of the
    Puppetfile alone, which are searched for others. ``local`` are the directories of modules
    that belong to the site. ``frozen`` are those of modules whose version cannot change, ``kept`` those of
    layers that are not deployed: both are left alone, also if somebody has edited them.
    ``locked`` are the modules of the lock file by their absolute directories.
    """

    environment: DeclaredEnvironment
    live: Deployed | None
    signature: str
    layers: list[Layer] = field(default_factory=list)
    directories: list[str] = field(default_factory=list)
    of_puppetfile: list[str] = field(default_factory=list)
    local: list[str] = field(default_factory=list)
    frozen: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    declared: list[DeclaredModule] = field(default_factory=list)
    locked: Mapping[str, LockedModule] = field(default_factory=dict)

    def keep(self, layers: Iterable[Layer]) -> None:
        """Add layers that are there already and are not deployed."""
        for layer in layers:
            self.layers.append(layer)
            self.kept.append(layer.directory)

    @property
    def untouched(self) -> list[str]:
        """The directories of layers that are left alone."""
        return [*self.frozen, *self.kept]

    @property
    def active(self) -> list[Layer]:
        """The layers that are compared with what is there."""
        return [layer for layer in self.layers if layer.directory not in self.untouched]


@record(frozen=True)
class PreparedEnvironment:
    """What a deployment of an environment does: its content is in the store, nothing is switched."""

    state: DeploymentState
    plan: EnvironmentPlan
    update: Update
    was_absent: bool


def log_changes(prepared: PreparedEnvironment, log: Log) -> None:
    """Log the paths that a deployment changes: r10k names what it purges, and files that were edited.

    The files of a new environment are not named.
    """
    update = prepared.update
    paths = {path.rstrip("/") for path in update.purged}
    for path in sorted(paths):
        if not is_in(os.path.dirname(path), paths):
            log("info", f"Removing unmanaged path {update.root}/{path}")
    for path in update.edited:
        log("debug", f"Found local modifications in {update.root}/{path}")
    if prepared.was_absent:
        return
    for path in update.changed:
        log("debug", f"Writing {update.root}/{path}")
    for path in update.removed:
        if path.rstrip("/") not in paths:
            log("debug", f"Removing {update.root}/{path}")


def relative_to(environment: DeclaredEnvironment, path: str) -> str:
    """Return a path relative to an environment; raise BAD_PATH for one outside of it."""
    root = os.path.normpath(environment.path)
    normal = os.path.normpath(path)
    if normal == root:
        return ""
    if not normal.startswith(f"{root}/"):
        raise issues.BAD_PATH(path=path)
    return normal[len(root) + 1 :]


def is_foreign(plan: EnvironmentPlan) -> bool:
    """Return whether neither bunraku nor r10k made what is in the place of an environment of a branch.

    r10k replaces it.
    """
    environment = plan.environment
    return (
        plan.live is None
        and environment.kind == "git"
        and not os.path.isdir(f"{environment.path}/.git")
        and not os.path.lexists(f"{environment.path}/{DEPLOYMENT_INFO}")
    )


def same_layers(plan: EnvironmentPlan) -> bool:
    """Return whether the live environment has been deployed with the layers of a plan."""
    return plan.live is not None and list(plan.live.layers) == plan.layers


def place_of_text(
    environment: DeclaredEnvironment, base: Layer | None, name: str, text: str
) -> str:
    """Return where a file of a control repository with this text is found.

    It is in the environment, in the working tree of a repository of this machine, or only in a commit.
    """
    live = f"{environment.path}/{name}"
    if base is None or base.kind != "git":
        return live
    for path in (live, f"{located(environment.remote)}/{name}"):
        with suppress(OSError):
            if text_on_disk(path) == text:
                return path
    return f"{base.remote}@{base.revision[:SHOWN_COMMIT]}:{name}" if text else live
