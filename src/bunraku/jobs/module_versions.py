"""Which modules have newer versions: those that the Puppetfile permits, and those beyond it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.deployment.lock_file import LockedModule
from bunraku.deployment.locked_sources import absolute
from bunraku.deployment.site_contents import Log, each_module
from bunraku.jobs.module_locking import Locking, locked_text
from bunraku.jobs.module_site import ModuleSite, ModulesOptions, chosen_modules
from bunraku.project.declared_modules import DeclaredModule, ForgeModule, GitModule, LocalModule
from bunraku.values.version import SemVer


@record(frozen=True)
class ModuleAge:
    """A module: the version that is ``current``, the newest ``permitted`` one, and the newest of all.

    ``current`` is that of the lock file, else the installed one; empty without both. ``is_moved`` is whether
    the remote has another commit for a tag.
    """

    module: DeclaredModule
    current: str
    permitted: str
    newest: str
    is_moved: bool = False

    @property
    def is_outdated(self) -> bool:
        """Whether there is anything newer."""
        return self.current not in {"", self.permitted} or self.newest != self.permitted


def module_ages(options: ModulesOptions, log: Log = lambda _level, _text: None) -> list[ModuleAge]:
    """Return the versions of the named modules, or of all. Raise PuppetError."""
    with ModuleSite(options, log) as site:
        declared = site.declarations
        modules = chosen_modules(declared.modules, options.names, declared.path)
        modules = [one for one in modules if not isinstance(one.source, LocalModule)]
        locking = Locking(site, newer=[one.directory for one in declared.modules])
        locked = {absolute(one, declared.root): one for one in locking.lock_file().modules}
        ages = each_module(
            *(site.forges[0], site.pool_size),
            lambda one: age_of(site, one, locked[one.directory]),
            modules,
            asks=lambda _module: True,
        )
        return [age for _module, age in ages]


def age_of(site: ModuleSite, module: DeclaredModule, permitted: LockedModule) -> ModuleAge:
    """Return the versions of a module."""
    current = current_module(site, module, permitted)
    text = locked_text(permitted)
    now = locked_text(current) if current is not None else ""
    newest = newest_version(site, module, permitted) or text
    is_moved = (
        isinstance(module.source, GitModule)
        and current is not None
        and current.ref == permitted.ref
        and current.commit != permitted.commit
        and permitted.ref in site.git.refs(module.source.remote).tags
    )
    return ModuleAge(module, now, text, newest, is_moved)


def current_module(
    site: ModuleSite, module: DeclaredModule, permitted: LockedModule
) -> LockedModule | None:
    """Return a module as it is locked, else as it is installed."""
    for one in () if site.lock is None else site.lock.modules:
        if absolute(one, site.declarations.root) == module.directory:
            return one
    live = site.directories.live(module.directory)
    if live is None:
        return None
    layer = live.layers[0]
    if layer.kind == "forge":
        return replace(permitted, version=layer.version)
    return replace(permitted, ref=layer.version, commit=layer.revision)


def newest_version(site: ModuleSite, module: DeclaredModule, permitted: LockedModule) -> str:
    """Return the newest version of all: a release, or a tag; empty where versions have no order."""
    if isinstance(module.source, ForgeModule):
        releases = site.releases(permitted.slug)
        stable = [one for one in releases if not SemVer.parse(one.version).prerelease]
        newest = next((one.version for one in (*stable, *releases)), permitted.version)
        return newest if is_higher(newest, permitted.version) else permitted.version
    if not isinstance(module.source, GitModule) or version_of_tag(permitted.ref) is None:
        return ""
    tags = site.git.refs(module.source.remote).tags
    higher = list(newer_tags(permitted.ref, list(tags)))
    return higher[-1] if higher else ""


def is_higher(first: str, second: str) -> bool:
    """Return whether a version is higher than another one."""
    return SemVer.parse(first).order > SemVer.parse(second).order


def newer_tags(ref: str, tags: Sequence[str]) -> Iterator[str]:
    """Yield the tags with higher versions than a ref, the lowest first, without pre-releases.

    >>> list(newer_tags("v1.9.0", ["v1.10.0", "1.2.0", "v2.0.0-rc1", "nightly"]))
    ['v1.10.0']
    """
    known = version_of_tag(ref)
    versions = [(version_of_tag(tag), tag) for tag in tags]
    ordered = sorted(
        (version.order, tag) for version, tag in versions if version and not version.prerelease
    )
    for order, tag in ordered:
        if known is not None and order > known.order:
            yield tag


def version_of_tag(tag: str) -> SemVer | None:
    """Return the version that a tag names, with or without ``v``; None for others.

    >>> str(version_of_tag("v1.2.3")), version_of_tag("main")
    ('1.2.3', None)
    """
    try:
        return SemVer.parse(tag.removeprefix("v"))
    except PuppetError:
        return None


def outdated_data(ages: Sequence[ModuleAge]) -> dict[str, Any]:
    """Return all modules with their versions for programs."""
    return {
        "schema": 1,
        "modules": [
            {
                "name": one.module.name,
                "title": one.module.title,
                "current": one.current or None,
                "permitted": one.permitted,
                "newest": one.newest,
                "moved": one.is_moved,
                "outdated": one.is_outdated,
                "file": one.module.path,
                "line": one.module.line,
            }
            for one in ages
        ],
    }
