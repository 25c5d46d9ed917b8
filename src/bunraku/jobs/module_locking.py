"""Choose versions of modules that fit together, write them to the lock file, and find newer ones.

A version that the Puppetfile pins stays, also where the metadata of another module excludes it: that is
a note. The versions of the other modules of the Forge are chosen by the resolver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record, replace
from bunraku.base.source import NOWHERE, Place
from bunraku.deployment import issues
from bunraku.deployment.contents import Contents
from bunraku.deployment.lock_file import (
    LockedModule,
    LockFile,
    declaration,
    declarations_digest,
    directory_in,
    write_lock_file,
)
from bunraku.deployment.locked_sources import absolute
from bunraku.deployment.releases import ANY_VERSION, Release, UnusableRelease, dependencies_of
from bunraku.deployment.resolver import ChosenModule, FixedModule, WantedModule, resolve_modules
from bunraku.deployment.site_contents import Log, each_module
from bunraku.deployment.store import LINK, Tree
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.jobs.module_site import ModuleSite, ModulesOptions, chosen_modules
from bunraku.project.declared_modules import DeclaredModule, ForgeModule, GitModule, LocalModule
from bunraku.values.version import SemVer, SemVerRange

Dependencies = tuple[tuple[str, str], ...]


@record(frozen=True)
class Dependency:
    """A dependency in the metadata of a module: ``module`` needs ``slug`` in a range of versions."""

    module: str
    slug: str
    versions: str
    place: Place = NOWHERE

    @property
    def name(self) -> str:
        """The name of the needed module without its owner."""
        return self.slug.partition("-")[2]


@record(frozen=True)
class VersionChange:
    """A module whose locked version changed; ``before`` is empty for a new one, ``after`` for a removed one."""

    name: str
    before: str
    after: str


@record()
class LockResult:
    """A lock file that was made.

    ``missing`` are dependencies that the Puppetfile does not declare, ``unmet`` those whose version is another one.
    ``pinned`` are modules that were to be updated, but whose version the Puppetfile pins.
    """

    path: str
    lock: LockFile
    is_written: bool = False
    changes: list[VersionChange] = field(default_factory=list)
    missing: list[Dependency] = field(default_factory=list)
    unmet: list[tuple[Dependency, str]] = field(default_factory=list)
    pinned: list[DeclaredModule] = field(default_factory=list)


def lock(
    options: ModulesOptions,
    *,
    add_dependencies: bool = False,
    log: Log = lambda _level, _text: None,
) -> LockResult:
    """Write the lock file; what is locked stays as it is where the Puppetfile still permits it.

    Raise PuppetError with the errors of all modules.
    """
    with ModuleSite(replace(options, locked=False), log) as site:
        return write_lock(site, Locking(site, add_dependencies=add_dependencies))


def update(options: ModulesOptions, log: Log = lambda _level, _text: None) -> LockResult:
    """Write the lock file with the newest versions of the named modules, or of all. Raise PuppetError.

    Dependencies stay in the lock file if they were added to it.
    """
    with ModuleSite(replace(options, locked=False), log) as site:
        declared = site.declarations
        modules = chosen_modules(declared.modules, options.names, declared.path)
        old = site.lock.modules if site.lock is not None else ()
        added = any(not one.declared for one in old)
        newer = [one.directory for one in modules]
        newer += [absolute(one, declared.root) for one in old if not options.names]
        locking = Locking(site, newer=newer, add_dependencies=added)
        result = write_lock(site, locking)
        result.pinned = [one for one in modules if options.names and is_pinned(one)]
        return result


def write_lock(site: ModuleSite, locking: Locking) -> LockResult:
    """Write the lock file that a resolution gives."""
    if site.declarations.is_module:
        raise issues.LOCK_OF_FIXTURES(path=site.declarations.path)
    made = locking.lock_file()
    result = LockResult(site.lock_path, made, missing=locking.missing, unmet=locking.unmet)
    result.changes = list(changes(site.lock, made))
    result.is_written = write_lock_file(site.lock_path, made)
    return result


def is_pinned(module: DeclaredModule) -> bool:
    """Return whether the Puppetfile itself names the version, so that an update cannot change it."""
    source = module.source
    if isinstance(source, ForgeModule):
        return source.version not in {"", "latest"}
    return bool(getattr(source, "fixed", False))


def changes(before: LockFile | None, after: LockFile) -> Iterable[VersionChange]:
    """Yield the modules whose version is another one."""
    old = {one.directory: one for one in before.modules} if before is not None else {}
    new = {one.directory: one for one in after.modules}
    for directory in sorted({*old, *new}):
        first, second = old.get(directory), new.get(directory)
        texts = [locked_text(one) if one is not None else "" for one in (first, second)]
        if texts[0] != texts[1]:
            named = second or first
            yield VersionChange(named.name if named else "", *texts)


def locked_text(module: LockedModule) -> str:
    """Return the version of a locked module; a commit with its ref."""
    if module.kind != "git":
        return module.version or module.commit or module.ref[:12]
    ref = "" if module.commit.startswith(module.ref) else module.ref
    return f"{ref} ({module.commit[:7]})" if ref else module.commit[:12]


# -- the resolution ----------------------------------------------------------------------------------


@record(frozen=True)
class FoundModule:
    """What is known of a declared module before the resolution: its slug, version and dependencies."""

    module: DeclaredModule
    slug: str
    version: str = ""
    dependencies: Dependencies = ()
    locked: LockedModule | None = None


class Locking:
    """Chooses a version for each declared module.

    ``newer`` are the directories of modules that may get newer versions than those in the lock file.
    ``add_dependencies`` chooses versions of what is needed and not declared, too.
    """

    def __init__(
        self, site: ModuleSite, *, newer: Sequence[str] = (), add_dependencies: bool = False
    ) -> None:
        self.site = site
        self.root = site.declarations.root
        self.newer = frozenset(newer)
        self.add_dependencies = add_dependencies
        self.missing: list[Dependency] = []
        self.unmet: list[tuple[Dependency, str]] = []
        self.local = {one.name for one in site.declarations.modules}
        old = site.lock.modules if site.lock is not None else ()
        self.old = {absolute(one, self.root): one for one in old}

    def lock_file(self) -> LockFile:
        """Return the lock file. Raise PuppetError."""
        declared = self.site.declarations.modules
        found = self.found([one for one in declared if not isinstance(one.source, LocalModule)])
        chosen = self.resolve(found)
        locked = [self.locked_module(one, chosen) for one in found]
        if self.add_dependencies:
            locked += self.added(found, chosen)
        locked = with_needs(locked)
        self.note_dependencies(locked)
        return LockFile(declarations_digest(declared, self.root), tuple(locked))

    # -- what is known before --------------------------------------------------------------------

    def found(self, modules: Sequence[DeclaredModule]) -> list[FoundModule]:
        """Return what is known of each module; raise the errors of all."""
        errors: list[PuppetError] = []
        found: list[FoundModule] = []
        results = each_module(
            *(self.site.forges[0], self.site.pool_size, self.found_one, modules),
            asks=lambda one: one.directory in self.newer or isinstance(one.source, ForgeModule),
        )
        for module, one in results:
            if isinstance(one, PuppetError):
                errors.append(one.at(Place(module.path, module.line, module.column)))
            else:
                found.append(one)
        if errors:
            others = [finding for error in errors for finding in error]
            raise PuppetError(others[0], others[1:])
        return found

    def found_one(self, module: DeclaredModule) -> FoundModule | PuppetError:
        """Return what is known of a module, or why it cannot be had."""
        source = module.source
        try:
            if isinstance(source, ForgeModule):
                return self.of_forge(module, source)
            if isinstance(source, GitModule) and module.directory in self.newer:
                self.site.git.refs(source.remote)  # a tag that is known is not asked for otherwise
            return self.of_content(module)
        except PuppetError as error:
            return error

    def of_forge(self, module: DeclaredModule, source: ForgeModule) -> FoundModule:
        """Return a module of the Forge; its dependencies are known if its version is pinned."""
        slug = f"{module.owner}-{module.name}"
        if not is_pinned(module):
            self.site.releases(slug)  # the resolver asks one by one, for what is known then
            return FoundModule(module, slug)
        _contents, release = self.release(slug, source.version)
        return FoundModule(module, slug, source.version, release.dependencies)

    def release(self, slug: str, version: str) -> tuple[Contents, Release]:
        """Return a release and the Forge that has it: the first one that knows the module."""
        *others, last = self.site.forges
        for contents in others:
            if contents.forge.releases(slug):
                return contents, contents.forge.release(slug, version)
        return last, last.forge.release(slug, version)

    def of_content(self, module: DeclaredModule) -> FoundModule:
        """Return a module of another source, whose metadata is in its files."""
        old = self.kept(module)
        source = module.source
        if old is not None and old.kind == "git":
            source = replace(source, ref=old.commit, control_branch=False)
        wanted = replace(module, source=source)
        content = self.site.forges[0].of_module(wanted, self.site.ref_rules)
        metadata = metadata_in(self.site, content.tree)
        slug = str(metadata.get("name") or f"{module.owner}-{module.name}").replace("/", "-")
        version = str(metadata.get("version") or "")
        known = declaration(module, self.root)
        locked = LockedModule(
            module.name,
            known["kind"],
            known["directory"],
            slug=slug,
            version=version,
            remote=known["remote"],
            ref=known["ref"],
            commit=content.revision if known["kind"] != "tarball" else "",
            subdirectory=known.get("subdirectory", ""),
            digest=f"sha256:{known['ref']}" if known["kind"] == "tarball" and known["ref"] else "",
            dependencies=dependencies_in(metadata),
        )
        return FoundModule(module, slug, version, locked.dependencies, locked)

    def kept(self, module: DeclaredModule) -> LockedModule | None:
        """Return the locked module that stays, because the declaration is still the same."""
        old = self.old.get(module.directory)
        if old is None or module.directory in self.newer or not old.declared:
            return None
        known = declaration(module, self.root)
        parts = ("kind", "remote", "ref", "subdirectory")
        same = all(getattr(old, part) == known.get(part, "") for part in parts)
        return old if same else None

    # -- choosing ----------------------------------------------------------------------------------

    def resolve(self, found: Sequence[FoundModule]) -> dict[str, ChosenModule]:
        """Return the chosen modules by slug: pinned ones fit every range."""
        self.by_name = {one.module.name: one for one in found}
        wanted, fixed = [], []
        for one in found:
            place = Place(one.module.path, one.module.line, one.module.column)
            if one.locked is None and not one.version:
                wanted.append(WantedModule(one.slug, place=place))
            elif is_slug(one.slug):
                needs = tuple(self.needed(one.dependencies))
                fixed.append(FixedModule(one.slug, "", needs, place))
        old = [one for path, one in self.old.items() if path not in self.newer]
        preferred = {one.slug: one.version for one in old if one.kind == "forge"}
        chosen = resolve_modules(
            wanted,
            self.releases,
            fixed=fixed,
            preferred=preferred,
            url=self.site.forges[0].forge.url,
        )
        return {one.release.slug: one for one in chosen}

    def releases(self, slug: str) -> list[Release]:
        """Return the releases of a module with the dependencies that count for the choice."""
        return [
            replace(one, dependencies=tuple(self.needed(one.dependencies)))
            for one in self.site.releases(slug)
        ]

    def needed(self, dependencies: Dependencies) -> Iterable[tuple[str, str]]:
        """Yield the dependencies that restrict the choice.

        A declared module of the same name takes the place of one with another owner.
        """
        for slug, versions in dependencies:
            known = self.by_name.get(slug.partition("-")[2])
            if known is None:
                if self.add_dependencies and slug.partition("-")[2] not in self.local:
                    yield slug, versions
            elif known.locked is None and not known.version:
                yield known.slug, versions if known.slug == slug else ANY_VERSION

    # -- the result --------------------------------------------------------------------------------

    def locked_module(self, found: FoundModule, chosen: Mapping[str, ChosenModule]) -> LockedModule:
        """Return a declared module as it is locked."""
        if found.locked is not None:
            return found.locked
        version = found.version or chosen[found.slug].release.version
        directory = directory_in(found.module.directory, self.root)
        return self.locked_release(found.slug, version, directory)

    def locked_release(self, slug: str, version: str, directory: str) -> LockedModule:
        """Return a release as it is locked."""
        contents, release = self.release(slug, version)
        return LockedModule(
            slug.partition("-")[2],
            "forge",
            directory,
            slug=slug,
            version=version,
            forge=contents.forge.url,
            digest=contents.forge.digest(slug, version),
            dependencies=release.dependencies,
        )

    def added(
        self, found: Sequence[FoundModule], chosen: Mapping[str, ChosenModule]
    ) -> Iterable[LockedModule]:
        """Yield the modules that are needed and not declared."""
        known = {one.slug for one in found}
        for slug, one in chosen.items():
            if slug not in known and not one.fixed:
                name = slug.partition("-")[2]
                directory = directory_in(f"{self.site.declarations.moduledir}/{name}", self.root)
                locked = self.locked_release(slug, one.release.version, directory)
                yield replace(locked, declared=False)

    def note_dependencies(self, locked: Sequence[LockedModule]) -> None:
        """Note the dependencies that are not locked, and those that are in another version."""
        places = {
            one.directory: Place(one.path, one.line) for one in self.site.declarations.modules
        }
        by_name = {one.name: one for one in locked}
        for one in locked:
            place = places.get(absolute(one, self.root), NOWHERE)
            for slug, versions in one.dependencies:
                need = Dependency(one.slug or one.name, slug, versions, place)
                other = by_name.get(need.name)
                if other is None and need.name not in self.local:
                    self.missing.append(need)
                elif other is not None and not is_met(need, other.slug, other.version):
                    self.unmet.append((need, other.version))


def with_needs(locked: Iterable[LockedModule]) -> list[LockedModule]:
    """Return locked modules with the names of those that need them."""
    modules = list(locked)
    needs: dict[str, list[str]] = {}
    for one in modules:
        for slug, _versions in one.dependencies:
            needs.setdefault(slug.partition("-")[2], []).append(one.name)
    return [replace(one, needed_by=tuple(needs.get(one.name, ()))) for one in modules]


def is_met(need: Dependency, slug: str, version: str) -> bool:
    """Return whether a module meets a dependency; unknown versions, and other owners, meet all."""
    if slug != need.slug:
        return True
    try:
        return SemVerRange.parse(need.versions).includes(SemVer.parse(version))
    except PuppetError:
        return True


def is_slug(text: str) -> bool:
    """Return whether a text is a name with an owner."""
    owner, _, name = text.partition("-")
    return bool(owner and name)


# -- metadata ----------------------------------------------------------------------------------------


def metadata_in(site: ModuleSite, tree: Tree) -> dict[str, Any]:
    """Return the metadata of a module in the store; nothing for damaged or absent metadata."""
    entry = tree.entries.get("metadata.json")
    if entry is None or entry[0] == LINK:
        return {}
    try:
        found = parse_json(site.store.read(entry).decode("utf-8", "replace"))
    except FormatError:
        return {}
    return found if isinstance(found, dict) else {}


def dependencies_in(metadata: Mapping[str, Any]) -> Dependencies:
    """Return the dependencies in metadata; those that are damaged are none."""
    try:
        return tuple(dependencies_of(metadata.get("dependencies") or ()))
    except UnusableRelease:
        return ()


def lock_data(result: LockResult) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "schema": 1,
        "path": result.path,
        "written": result.is_written,
        "changes": [
            {"name": one.name, "before": one.before or None, "after": one.after or None}
            for one in result.changes
        ],
        "missing": [need_data(one) for one in result.missing],
        "unmet": [{**need_data(need), "locked": version} for need, version in result.unmet],
        "pinned": [one.title for one in result.pinned],
    }


def need_data(need: Dependency) -> dict[str, Any]:
    """Return a dependency for programs."""
    return {"module": need.module, "needs": need.slug, "versions": need.versions}
