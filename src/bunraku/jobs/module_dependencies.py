"""The modules that a module needs by its metadata, where its fixtures do not name them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from bunraku.base.paths import relative
from bunraku.base.records import replace
from bunraku.base.source import Place
from bunraku.deployment.releases import Release
from bunraku.deployment.resolver import WantedModule, resolve_modules
from bunraku.jobs.module_graph import read_metadata
from bunraku.jobs.module_locking import Dependency, dependencies_in, is_met
from bunraku.jobs.module_site import ModuleSite
from bunraku.project.declared_modules import DeclaredModule, ForgeModule


def needed_modules(site: ModuleSite) -> Iterator[DeclaredModule]:
    """Yield what the metadata of a module needs, with what that needs, and nothing else names.

    Installed releases stay if they are in the ranges; otherwise all are chosen again. Raise PuppetError.
    """
    declared = site.declarations
    known = {one.name for one in declared.modules} | {one.name for one in declared.links}
    known |= set(site.project.value("modules", {}))
    wanted = list(needs_of(declared.root, known))
    versions = installed_versions(site, wanted, known) if wanted else {}
    if versions is None:
        versions = chosen_versions(site, wanted, known)
    for slug, version in versions.items():
        owner, _, name = slug.partition("-")
        directory = f"{declared.moduledir}/{name}"
        path = relative(f"{declared.root}/metadata.json")
        yield DeclaredModule(slug, name, owner, ForgeModule(version), directory, path, 1)


def needs_of(directory: str, known: set[str]) -> Iterator[Dependency]:
    """Yield the dependencies in the metadata of a module that are not known by their names."""
    for slug, versions in dependencies_in(read_metadata(directory)):
        need = Dependency(os.path.basename(directory), slug, versions)
        if need.name not in known:
            yield need


def installed_versions(
    site: ModuleSite, wanted: list[Dependency], known: set[str]
) -> dict[str, str] | None:
    """Return the installed releases, if they have all that is wanted; None otherwise."""
    found: dict[str, str] = {}
    waiting = list(wanted)
    while waiting:
        need = waiting.pop()
        directory = f"{site.declarations.moduledir}/{need.name}"
        live = site.directories.live(directory)
        if live is None or not is_met(need, need.slug, live.layers[0].version):
            return None
        if need.slug not in found:
            found[need.slug] = live.layers[0].version
            waiting += needs_of(directory, known)
    return found


def chosen_versions(site: ModuleSite, wanted: list[Dependency], known: set[str]) -> dict[str, str]:
    """Return the newest releases that fit together. Raise PuppetError."""

    def releases(slug: str) -> list[Release]:
        return [without_known(one, known) for one in site.releases(slug)]

    place = Place(relative(f"{site.declarations.root}/metadata.json"), 1)
    asked = [WantedModule(one.slug, one.versions, place) for one in wanted]
    chosen = resolve_modules(asked, releases, url=site.forges[0].forge.url)
    return {one.release.slug: one.release.version for one in chosen}


def without_known(release: Release, known: set[str]) -> Release:
    """Return a release without the dependencies that are there already."""
    kept = [one for one in release.dependencies if one[0].partition("-")[2] not in known]
    return replace(release, dependencies=tuple(kept))
