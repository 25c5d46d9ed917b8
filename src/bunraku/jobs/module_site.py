"""The modules that a directory declares, and what their contents come from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.file_reading import text_on_disk
from bunraku.base.paths import relative
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place, Source
from bunraku.base.suggestions import suggestion
from bunraku.checks.puppetfile import explained
from bunraku.deployment import issues
from bunraku.deployment.contents import Content, Contents, RefRules
from bunraku.deployment.deployed import Deployed
from bunraku.deployment.forge_modules import ForgeModules
from bunraku.deployment.git_cache import GitCache
from bunraku.deployment.installation import ModuleDirectories
from bunraku.deployment.lock_file import (
    LockedModule,
    LockFile,
    kind_of_source,
    read_lock_file,
)
from bunraku.deployment.locked_sources import (
    absolute,
    check_declarations,
    check_digest,
    locked_modules,
)
from bunraku.deployment.r10k_file import find_settings_file, r10k_settings, read_settings_file
from bunraku.deployment.r10k_settings import R10kSettings
from bunraku.deployment.releases import Release
from bunraku.deployment.site_contents import Log, forge_modules, git_remotes, open_store
from bunraku.deployment.store import Store
from bunraku.engine.git_program import git
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    is_named,
)
from bunraku.project.detect import find_project, upwards
from bunraku.project.fixtures import LinkedModule, read_fixtures
from bunraku.project.model import MODULE, NOTHING, Project
from bunraku.project.module import FIXTURES
from bunraku.project.puppetfile import MODULEDIR, place_of_module, read_puppetfile_text
from bunraku.world.machine import Machine


@record()
class ModulesOptions:
    """Which modules, and how they are installed.

    ``directory`` is where the project is searched (default: the working directory), ``puppetfile`` a
    Puppetfile that counts for ``directory`` itself, ``moduledir`` the directory for modules where
    the Puppetfile names none. ``names`` chooses modules; none stands for all. ``config`` is the path of
    an r10k.yaml, ``settings`` go before it. ``cachedir`` is the store, by default in the cache of this
    user. ``forges`` are URLs that are tried in order. ``force`` overwrites edits and directories that
    something else has made. ``purge`` removes what nothing declares. With ``locked`` the lock file counts.
    ``link`` makes hard links to the store, otherwise files are copied: people edit these directories.
    ``report`` takes the warnings about the file that declares the modules.
    """

    directory: str = ""
    names: Sequence[str] = ()
    puppetfile: str = ""
    moduledir: str = ""
    config: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict, shown=False)
    cachedir: str = ""
    forges: Sequence[str] = field(default=(), shown=False)
    force: bool = False
    purge: bool = False
    locked: bool = True
    offline: bool = False
    link: bool = False
    pool_size: int = 0
    report: Callable[[Diagnostic], None] = field(default=lambda _finding: None, shown=False)


@record(frozen=True)
class Declarations:
    """The modules of a project: ``path`` declares them, ``root`` is the directory of the project.

    ``directories`` are those that modules are installed to, ``moduledir`` the one without another reason. ``links`` are modules in other
    directories. ``forge`` is the URL that the Puppetfile names. ``is_module`` is whether they are fixtures.
    """

    root: str
    path: str
    modules: tuple[DeclaredModule, ...]
    directories: tuple[str, ...]
    moduledir: str
    links: tuple[LinkedModule, ...] = ()
    forge: str = ""
    is_module: bool = False


def chosen_modules(
    modules: Sequence[DeclaredModule], names: Sequence[str], path: str
) -> list[DeclaredModule]:
    """Return the modules with names, all without any. Raise NOT_DECLARED; ``path`` declares them."""
    unknown = [name for name in names if not any(is_named(one, name) for one in modules)]
    if unknown:
        known = [one.title if "/" in unknown[0] else one.name for one in modules]
        near = suggestion(unknown[0], known)
        raise issues.NOT_DECLARED(path=relative(path), name=unknown[0], near=near)
    return [one for one in modules if not names or any(is_named(one, name) for name in names)]


class ModuleSite:
    """The modules of a directory with the store, the git remotes and the Forges.

    Raise PuppetError for settings that cannot be used.
    """

    def __init__(self, options: ModulesOptions, log: Log = lambda _level, _text: None) -> None:
        self.options = options
        self.log = log
        self.opened: list[ForgeModules] = []
        self.source: Source | None = None
        """The Puppetfile, once it is read."""
        self.directory = os.path.abspath(options.directory or os.getcwd())

    def __enter__(self) -> ModuleSite:
        """Begin a run."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the connections to Forges."""
        for forge in self.opened:
            forge.close()

    @cached_property
    def project(self) -> Project:
        """The project of the directory."""
        return find_project(self.directory, Machine())

    # -- what is declared --------------------------------------------------------------------------

    @cached_property
    def declarations(self) -> Declarations:
        """What the Puppetfile or the fixtures declare. Raise PuppetError for errors in them."""
        if self.options.puppetfile:
            path = os.path.join(self.directory, self.options.puppetfile)
            return self.of_puppetfile(self.directory, path)
        project = self.project
        root = project.root if project.kind != NOTHING else self.directory
        is_module = project.kind == MODULE
        above = [self.directory] if is_module else [root, *upwards(self.directory, Machine())]
        for place in above:
            if os.path.isfile(f"{place}/Puppetfile"):
                return self.of_puppetfile(place, f"{place}/Puppetfile")
        if project.kind == MODULE:
            return self.of_fixtures(project)
        raise issues.NO_PUPPETFILE(path=f"{root}/Puppetfile", reason="No such file or directory")

    def of_puppetfile(self, root: str, path: str) -> Declarations:
        """Return what a Puppetfile declares. Raise NO_PUPPETFILE, and the errors of the file."""
        try:
            text = text_on_disk(path)
        except OSError as error:
            raise issues.NO_PUPPETFILE(path=relative(path), reason=error.strerror) from None
        moduledir = self.options.moduledir or MODULEDIR
        self.source = source = Source(text, relative(path))
        found = read_puppetfile_text(source, root, moduledir=moduledir)
        self.check(explained(source, found.findings))
        directories = dict.fromkeys(os.path.dirname(one.directory) for one in found.modules)
        return Declarations(
            root, path, found.modules, tuple(directories), found.moduledir, forge=found.forge
        )

    def of_fixtures(self, project: Project) -> Declarations:
        """Return the modules that the tests of a module need, and the link to the module itself."""
        root = project.root
        found = read_fixtures(root, Machine())
        self.check(found.findings)
        directories = [os.path.dirname(one.directory) for one in found.modules]
        directories.append(f"{root}/{FIXTURES}")
        own = [LinkedModule(project.name, root, found.path, 1)] if project.name else []
        links = {one.name: one for one in [*own, *found.links]}
        return Declarations(
            root,
            found.path,
            tuple(replace(one, path=relative(one.path)) for one in found.modules),
            tuple(dict.fromkeys(directories)),
            f"{root}/{FIXTURES}",
            tuple(links.values()),
            is_module=True,
        )

    def check(self, findings: Sequence[Diagnostic]) -> None:
        """Raise the errors among the findings of a file of declarations, and report the warnings."""
        errors = [one for one in findings if one.severity == "error"]
        for finding in findings:
            if finding.severity != "error":
                self.options.report(finding)
        if errors:
            raise PuppetError(errors[0], errors[1:])

    def place_of(self, module: DeclaredModule) -> Place:
        """Return where a module is declared."""
        is_declared = self.source is not None and module.path == self.source.path
        return place_of_module(module, self.source if is_declared else None)

    # -- where contents come from ------------------------------------------------------------------

    @cached_property
    def settings(self) -> R10kSettings:
        """The settings of r10k.yaml; the defaults without one."""
        path = self.options.config
        if not path:
            path, warnings = find_settings_file(self.directory)
            for text in warnings:
                self.log("warn", text)
        document = read_settings_file(path) if path else None
        found = r10k_settings(document, self.options.settings)
        return replace(found, cachedir=self.options.cachedir)

    @cached_property
    def store(self) -> Store:
        """The store."""
        return open_store(self.settings, link=self.options.link)

    @cached_property
    def git(self) -> GitCache:
        """The copies of git remotes."""
        return git_remotes(self.settings, self.store, offline=self.options.offline)

    @cached_property
    def forges(self) -> list[Contents]:
        """What fetches contents, for each Forge in the order in which they are asked."""
        urls = list(self.options.forges)
        if not urls:
            own = self.declarations.forge if self.settings.forge.allow_puppetfile_override else ""
            urls = [own]
        return [self.contents_of_forge(url) for url in urls]

    def contents_of_forge(self, url: str) -> Contents:
        """Return what fetches contents from a Forge; the empty URL is that of the settings."""
        offline = self.options.offline
        forge = forge_modules(self.settings, self.store, self.log, offline=offline, url=url)
        self.opened.append(forge)
        return Contents(self.store, self.git, forge)

    @cached_property
    def directories(self) -> ModuleDirectories:
        """The directories of modules, with the records."""
        return ModuleDirectories(self.declarations.root, self.store)

    @cached_property
    def ref_rules(self) -> RefRules:
        """Which git ref a module gets: fixtures without one get the default branch, as in git."""
        if self.declarations.is_module:
            return RefRules(default="HEAD")
        follows = any(
            isinstance(one.source, GitModule) and one.source.control_branch
            for one in self.declarations.modules
        )
        branch = current_branch(self.declarations.root) if follows else ""
        return RefRules(branch, "", self.settings.git.default_ref)

    # -- the lock file -----------------------------------------------------------------------------

    @property
    def lock_path(self) -> str:
        """The path of the lock file, beside the Puppetfile."""
        return f"{self.declarations.path}.lock"

    @cached_property
    def lock(self) -> LockFile | None:
        """The lock file, if there is one; that of librarian-puppet does not count. Raise PuppetError."""
        if self.declarations.is_module:
            return None
        try:
            return read_lock_file(self.lock_path)
        except PuppetError as error:
            if not error.is_a(issues.LOCK_FOREIGN):
                raise
            self.log("info", f"{self.lock_path} is ignored: librarian-puppet has written it")
            return None

    @cached_property
    def modules(self) -> tuple[DeclaredModule, ...]:
        """The modules to install: exactly what the lock file says, if there is one and it counts.

        Raise LOCK_STALE.
        """
        declared = self.declarations
        if not self.options.locked or self.lock is None:
            return declared.modules
        check_declarations(self.lock, declared.modules, declared.root, self.lock_path)
        return tuple(locked_modules(self.lock, declared.modules, declared.root, self.lock_path))

    @cached_property
    def locked(self) -> dict[str, LockedModule]:
        """The locked modules by their absolute directories, if the lock file counts."""
        if not self.options.locked or self.lock is None:
            return {}
        return {absolute(one, self.declarations.root): one for one in self.lock.modules}

    # -- contents ----------------------------------------------------------------------------------

    def content(self, module: DeclaredModule, live: Deployed | None) -> Content:
        """Return the content of a module, of the first Forge that has it. Raise PuppetError."""
        kind = kind_of_source(module)
        before = live.layers[0] if live is not None else None
        installed = before.version if before is not None and before.kind == kind else ""
        locked = self.locked.get(module.directory)
        if not isinstance(module.source, ForgeModule):
            found = self.forges[0].of_module(module, self.ref_rules, installed)
            ref = locked.ref if locked is not None and kind == "git" else ""
            return replace(found, version=ref or found.version)
        contents, found = self.release(module, self.forges_for(locked), installed)
        digest = locked.digest if locked is not None else ""
        known = live is not None and live.signature == digest and installed == found.version
        if digest and not known:
            check_digest(contents, module, found.version, digest, self.lock_path)
        return found

    def release(
        self, module: DeclaredModule, forges: Sequence[Contents], installed: str
    ) -> tuple[Contents, Content]:
        """Return the content of a release and the Forge that it is from. Raise PuppetError."""
        *others, last = forges
        for contents in others:
            if contents.is_at_hand(module):
                return contents, contents.of_module(module, self.ref_rules, installed)
        for contents in others:
            try:
                return contents, contents.of_module(module, self.ref_rules, installed)
            except PuppetError as error:
                if not error.is_a(issues.FORGE_NO_MODULE, issues.FORGE_NO_RELEASE):
                    raise
        return last, last.of_module(module, self.ref_rules, installed)

    def releases(self, slug: str) -> tuple[Release, ...]:
        """Return the releases of a module on the first Forge that knows it, the highest first; or none."""
        found = (one.forge.releases(slug) for one in self.forges)
        return next(filter(None, found), ())

    def forges_for(self, locked: LockedModule | None) -> list[Contents]:
        """Return the Forges to ask for a module: the one in the lock file, or all in their order."""
        if locked is None or not locked.forge:
            return self.forges
        same = [one for one in self.forges if one.forge.url == locked.forge.rstrip("/")]
        return same or [*self.forges, self.contents_of_forge(locked.forge)]

    @property
    def pool_size(self) -> int:
        """How many remotes are asked at the same time."""
        return self.options.pool_size or self.settings.pool_size


def current_branch(root: str) -> str:
    """Return the branch that a repository has checked out; empty without one."""
    with suppress(PuppetError):
        return git(root, "symbolic-ref", "--short", "--quiet", "HEAD")
    return ""
