"""Compare installed modules with what was installed, and their dependencies with what is there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.errors import Diagnostic, Issue, PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.base.paths import relative
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.deployment import issues
from bunraku.deployment.deployed import reported
from bunraku.deployment.layers import Layer, composed, parents, scan
from bunraku.deployment.site_contents import Log
from bunraku.deployment.store import has_content
from bunraku.formats.places import place_in_json
from bunraku.jobs.module_graph import read_metadata
from bunraku.jobs.module_locking import Dependency, dependencies_in, is_met
from bunraku.jobs.module_site import ModuleSite, ModulesOptions, chosen_modules
from bunraku.project.declared_modules import DeclaredModule, ForgeModule, GitModule, LocalModule
from bunraku.values.version import SemVer, SemVerRange

Steps = tuple[str | int, ...]
"""The keys and indexes that lead to a part of the metadata."""
ABSENT, UNKNOWN, BEHIND, EDITED, MISSING, FOREIGN = (
    *("absent", "unknown", "behind", "edited", "missing", "foreign"),
)


@record(frozen=True)
class ModuleDifference:
    """What is not as it was installed, or not as it is declared.

    ``kind`` is ``absent`` (the module is not there), ``unknown`` (bunraku has not installed it), ``behind``
    (another version is declared), or that of a file: ``edited``, ``missing``, ``foreign``.
    """

    module: DeclaredModule
    kind: str
    path: str = ""
    version: str = ""


def verify(
    options: ModulesOptions, log: Log = lambda _level, _text: None
) -> tuple[int, list[ModuleDifference]]:
    """Return the number of modules that were compared by content, and all differences. Raise PuppetError."""
    with ModuleSite(options, log) as site:
        modules = chosen_modules(site.modules, options.names, site.declarations.path)
        modules = [one for one in modules if not isinstance(one.source, LocalModule)]
        found = [difference for one in modules for difference in differences_of(site, one)]
        return len(modules), found


def differences_of(site: ModuleSite, module: DeclaredModule) -> Iterator[ModuleDifference]:
    """Yield what is different in the directory of a module."""
    live = site.directories.live(module.directory)
    if live is None:
        there = os.path.lexists(module.directory)
        yield ModuleDifference(module, UNKNOWN if there else ABSENT)
        return
    (layer,) = live.layers
    if not is_declared(module, layer):
        yield ModuleDifference(module, BEHIND, version=layer.version)
    with reported(module.directory):
        yield from file_differences(module, layer)


def is_declared(module: DeclaredModule, layer: Layer) -> bool:
    """Return whether what was installed is what is declared, as far as no remote must be asked."""
    source = module.source
    if isinstance(source, ForgeModule):
        return source.version in {"", "latest", layer.version}
    if isinstance(source, GitModule):
        return source.ref in {"", layer.version, layer.revision}
    return True


def file_differences(module: DeclaredModule, layer: Layer) -> Iterator[ModuleDifference]:
    """Yield the files that are not as they were installed, by their contents. Raise OSError."""
    files = composed([layer])
    for path, entry in files.items():
        place = f"{module.directory}/{path}"
        if not os.path.lexists(place):
            yield ModuleDifference(module, MISSING, path)
        elif not has_content(place, entry):
            yield ModuleDifference(module, EDITED, path)
    above = parents(files)
    for path in sorted(scan(module.directory)):
        if path not in files and path not in above:
            yield ModuleDifference(module, FOREIGN, path)


# -- dependencies --------------------------------------------------------------------------------------


@record(frozen=True)
class InstalledModule:
    """A module in a directory, with its metadata."""

    name: str
    slug: str
    version: str
    directory: str
    metadata: Mapping[str, Any]


def check(
    options: ModulesOptions, puppet: str = "", log: Log = lambda _level, _text: None
) -> tuple[int, list[Diagnostic]]:
    """Return the number of installed modules, and what they need and do not have.

    ``puppet`` is the version of Puppet that they are to work with; empty for any. Raise PuppetError.
    """
    with ModuleSite(options, log) as site:
        installed = {one.name: one for one in installed_modules(site)}
        found = [
            finding
            for one in installed.values()
            if not options.names or one.name in options.names or one.slug in options.names
            for finding in findings_of(one, installed, puppet)
        ]
        return len(installed), found


def installed_modules(site: ModuleSite) -> Iterator[InstalledModule]:
    """Yield the modules in the directories of the project; the first one of a name counts."""
    declared = site.declarations
    directories = [*declared.directories, *site.project.value("modulepath", ())]
    seen = set()
    for directory in dict.fromkeys([*directories, declared.moduledir]):
        for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else ():
            path = f"{directory}/{name}"
            if name not in seen and os.path.isdir(path) and name[0] != ".":
                seen.add(name)
                metadata = read_metadata(path)
                slug = str(metadata.get("name") or name).replace("/", "-")
                version = str(metadata.get("version") or "")
                yield InstalledModule(name, slug, version, path, metadata)


def findings_of(
    module: InstalledModule, installed: Mapping[str, InstalledModule], puppet: str
) -> Iterator[Diagnostic]:
    """Yield what a module needs and does not have."""
    for number, (slug, versions) in enumerate(dependencies_in(module.metadata)):
        need = Dependency(module.slug, slug, versions)
        other = installed.get(need.name)
        where: Steps = ("dependencies", number)
        if other is None:
            near = suggestion(need.name, installed)
            yield finding(
                module, where, issues.DEPENDENCY_ABSENT, slug=slug, versions=versions, near=near
            )
        elif not is_met(need, other.slug, other.version):
            yield finding(
                module,
                where,
                issues.DEPENDENCY_VERSION,
                slug=slug,
                versions=versions,
                version=other.version,
            )
    yield from puppet_findings(module, puppet)


def puppet_findings(module: InstalledModule, puppet: str) -> Iterator[Diagnostic]:
    """Yield the requirements of a module that a version of Puppet does not meet."""
    requirements = module.metadata.get("requirements") or ()
    for number, one in enumerate(requirements if isinstance(requirements, list) else ()):
        named = isinstance(one, dict) and one.get("name") in {"puppet", "openvox"}
        versions = str(one.get("version_requirement") or "") if named else ""
        if puppet and versions and not includes(versions, puppet):
            yield finding(
                module,
                ("requirements", number),
                issues.REQUIREMENT_VERSION,
                program=one["name"],
                versions=versions,
                version=puppet,
            )


def includes(versions: str, version: str) -> bool:
    """Return whether a range includes a version; a range that is not valid includes all."""
    try:
        return SemVerRange.parse(versions).includes(SemVer.parse(version))
    except PuppetError:
        return True


def finding(module: InstalledModule, where: Steps, issue: Issue, **words: object) -> Diagnostic:
    """Return an error at a place in the metadata of a module."""
    path = f"{module.directory}/metadata.json"
    text = read_whole(path).decode("utf-8", "replace")
    line, column = place_in_json(text, where) or (1, 1)
    place = Place.in_text(relative(path), text, line, column)
    return issue.diagnostic(place, "error", module=module.slug, **words)


def verify_data(result: tuple[int, Sequence[ModuleDifference]]) -> dict[str, Any]:
    """Return the differences for programs."""
    return {
        "schema": 1,
        "modules": result[0],
        "differences": [
            {
                "name": one.module.name,
                "directory": one.module.directory,
                "kind": one.kind,
                "path": one.path or None,
            }
            for one in result[1]
        ],
    }
