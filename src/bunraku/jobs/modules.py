"""Install the modules that a directory declares, and remove those that it does not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.deployment.deployed import reported
from bunraku.deployment.installation import (
    FAILED,
    Installer,
    InstallRules,
    LinkResult,
    ModuleResult,
    make_link,
)
from bunraku.deployment.purging import unmanaged_modules
from bunraku.deployment.site_contents import Log, each_module
from bunraku.engine.git_program import git
from bunraku.jobs.deploy_data import errors_data
from bunraku.jobs.module_site import ModuleSite, ModulesOptions, chosen_modules
from bunraku.project.declared_modules import LocalModule


@record()
class InstallResult:
    """What became of modules.

    ``path`` declares them. ``strays`` are directories that nothing declares, ``removed`` those that
    were removed.
    """

    path: str
    modules: list[ModuleResult] = field(default_factory=list)
    links: list[LinkResult] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    @property
    def errors(self) -> list[PuppetError]:
        """All errors in order."""
        found = [*(one.error for one in self.modules), *(one.error for one in self.links)]
        return [one for one in found if one is not None]

    @property
    def is_whole(self) -> bool:
        """Whether all modules are as declared."""
        links = all(one.outcome != FAILED for one in self.links)
        return links and all(one.is_done for one in self.modules)


def install(options: ModulesOptions, log: Log = lambda _level, _text: None) -> InstallResult:
    """Install the declared modules. Errors of single modules are in the result.

    Raise PuppetError for settings, declarations and names that cannot be used.
    """
    with ModuleSite(options, log) as site, ExitStack() as stack:
        return install_modules(site, stack)


def install_modules(site: ModuleSite, stack: ExitStack) -> InstallResult:
    """Install the modules of a site; ``stack`` holds their directories."""
    options, declared = site.options, site.declarations
    available = [*site.modules]
    if declared.is_module:
        from bunraku.jobs.module_dependencies import needed_modules  # a Puppetfile names all

        available += needed_modules(site)
    modules = chosen_modules(available, options.names, declared.path)
    result = InstallResult(declared.path)
    installable = [one for one in modules if not isinstance(one.source, LocalModule)]
    exclude_spec = not declared.is_module and site.settings.deploy.exclude_spec
    rules = InstallRules(options.force, exclude_spec)
    installer = Installer(site.directories, rules, site.content, site.locked, site.place_of)
    places = [os.path.dirname(one.directory) for one in installable]
    site.directories.hold(places, stack, site.log)
    contents = each_module(site.forges[0], site.pool_size, installer.content, installable)
    for module, content in contents:
        result.modules.append(installer.install(module, content))
    if not options.names:
        result.links = [make_link(declared.moduledir, one) for one in declared.links]
        sort_strays(site, result, [one.directory for one in available])
    return result


def sort_strays(site: ModuleSite, result: InstallResult, modules: Sequence[str]) -> None:
    """Find what nothing declares in the directories of modules; remove it if that is asked for.

    ``modules`` are the directories of modules. What belongs to the git repository of the project is never a stray.
    """
    declared = site.declarations
    present: dict[str, list[str]] = {}
    for directory in declared.directories:
        with suppress(FileNotFoundError):
            present[directory] = [name for name in os.listdir(directory) if name[0] != "."]
    managed = [*modules, *(one.path for one in result.links)]
    strays = unmanaged_modules(present, managed, root=declared.root)
    if strays:
        tracked = tracked_paths(declared.root, strays)
        strays = [path for path in strays if path not in tracked]
    if not site.options.purge:
        result.strays = strays
        return
    for path in strays:
        site.log("info", f"Removing unmanaged path {path}")
        with reported(path):
            site.directories.state(os.path.dirname(path)).remove(os.path.basename(path))
        result.removed.append(path)


def tracked_paths(root: str, paths: Sequence[str]) -> set[str]:
    """Return those of some paths in which the git repository of a project has files."""
    try:
        listed = git(root, "ls-files", "-z", "--full-name", "--", *paths)
        above = git(root, "rev-parse", "--show-toplevel")
    except PuppetError:
        return set()
    files = [f"{above}/{name}" for name in listed.split("\0") if name]
    real = {path: real_place(path) for path in paths}
    return {
        path
        for path, place in real.items()
        if any(file == place or file.startswith(f"{place}/") for file in files)
    }


def real_place(path: str) -> str:
    """Return a path whose directory has no links in it."""
    return f"{os.path.realpath(os.path.dirname(path))}/{os.path.basename(path)}"


def install_data(result: InstallResult) -> dict[str, Any]:
    """Return a result for programs."""
    return {
        "schema": 1,
        "declarations": result.path,
        "modules": [module_data(one) for one in result.modules],
        "links": [
            {"name": one.link.name, "path": one.path, "outcome": one.outcome}
            for one in result.links
        ],
        "strays": result.strays,
        "removed": result.removed,
        "errors": list(errors_data(result.errors)),
    }


def module_data(one: ModuleResult) -> dict[str, Any]:
    """Return what became of a module, for programs."""
    return {
        "name": one.module.name,
        "directory": one.module.directory,
        "outcome": one.outcome,
        "version": one.layer.version if one.layer else None,
        "revision": one.layer.revision or None if one.layer else None,
        "before": one.before.version if one.before else None,
        "reason": one.reason or None,
        "edited": list(one.edited),
        "file": one.module.path,
        "line": one.module.line,
    }
