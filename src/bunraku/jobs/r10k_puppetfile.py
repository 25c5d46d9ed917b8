"""Install the modules of one Puppetfile, without an environment: ``r10k puppetfile``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from hashlib import sha256

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import text_on_disk
from bunraku.base.records import record
from bunraku.base.source import Place, Source
from bunraku.deployment import issues
from bunraku.deployment.contents import RefRules
from bunraku.deployment.deployed import Deployed, reported
from bunraku.deployment.installation import (
    KEPT,
    UNCHANGED,
    Installer,
    InstallRules,
    ModuleDirectories,
    ModuleResult,
    device,
)
from bunraku.deployment.purging import unmanaged_modules
from bunraku.deployment.r10k_issues import R10K_NO_PUPPETFILE
from bunraku.deployment.site_contents import Log, each_module, warn_of_control_branch
from bunraku.jobs.deploy import Deployment
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    LocalModule,
)
from bunraku.project.puppetfile import Puppetfile, read_puppetfile_text
from bunraku.values.regexp.regexp import Regexp
from bunraku.world.linked_files import remove_tree


@record(frozen=True)
class InstallOptions:
    """The Puppetfile of a directory, and how its modules are installed.

    ``puppetfile`` and ``moduledir`` are relative to ``root``. Modules whose names match ``exclude`` are left
    out. Without ``force``, modules that somebody has edited stay.
    """

    root: str
    puppetfile: str = "Puppetfile"
    moduledir: str = "modules"
    exclude: str = ""
    force: bool = False

    @property
    def path(self) -> str:
        """The path of the Puppetfile."""
        return os.path.normpath(os.path.join(self.root, self.puppetfile))


def read_modules(options: InstallOptions, log: Log) -> Puppetfile:
    """Return what the Puppetfile declares; raise PuppetError if it is absent or has errors."""
    try:
        text = text_on_disk(options.path)
    except OSError as error:
        raise R10K_NO_PUPPETFILE(reason=f"{error.strerror} - {options.path}") from None
    found = read_puppetfile_text(
        Source(text, options.path), options.root, moduledir=options.moduledir
    )
    errors = [one for one in found.findings if one.severity == "error"]
    if errors:
        raise PuppetError(errors[0], errors[1:])
    for finding in found.findings:
        log("warn", finding.message)
    warn_of_control_branch(found.modules, log)
    return found


def check_puppetfile(options: InstallOptions, site: Deployment) -> Puppetfile:
    """Return what the Puppetfile declares; also raise PuppetError for git modules without a ref."""
    found = read_modules(options, site.log)
    if not site.settings.git.default_ref:
        for module in found.modules:
            source = module.source
            named = isinstance(source, GitModule) and not (
                source.ref
                or source.control_branch
                or source.default_branch
                or source.override_branch
            )
            if named:
                place = Place(module.path, module.line, module.column)
                raise issues.NO_REF(name=module.name).at(place)
    return found


# -- installing --------------------------------------------------------------------------------------


def install_modules(options: InstallOptions, site: Deployment) -> list[PuppetError]:
    """Install the modules of a Puppetfile, each whole and in one switch; return the errors.

    Modules that the Puppetfile does not declare are removed, unless there are errors. Raise PuppetError
    for a Puppetfile that cannot be read.
    """
    puppetfile = read_modules(options, site.log)
    modules = wanted(options, puppetfile)
    directories = RecordsInStore(options.root, site.store)
    refs = RefRules("", "", site.settings.git.default_ref)
    installer = Installer(
        directories,
        InstallRules(options.force, site.settings.deploy.exclude_spec, overwrite_unknown=True),
        lambda module, live: site.contents.of_module(module, refs, release_of(module, live)),
        {},
    )
    distant = [one for one in modules if not isinstance(one.source, LocalModule)]
    pool_size = site.settings.pool_size
    contents = list(each_module(site.contents, pool_size, installer.content, distant))
    errors = [found for _module, found in contents if isinstance(found, PuppetError)]
    if errors:
        return errors
    with ExitStack() as held:
        for directory in sorted({os.path.dirname(one.directory) for one in modules}):
            held.enter_context(directories.state(directory).held())
        results = [installer.install(module, content) for module, content in contents]
        for result in results:
            report_module(result, site.log)
        errors = [one.error for one in results if one.error is not None]
        if not errors:
            purge_modules(modules, site.log, options.root)
    return errors


def release_of(module: DeclaredModule, live: Deployed | None) -> str:
    """Return the version of a module of the Forge that is installed."""
    layer = live.layers[0] if live is not None else None
    is_release = (
        layer is not None and layer.kind == "forge" and isinstance(module.source, ForgeModule)
    )
    return layer.version if layer is not None and is_release else ""


def report_module(result: ModuleResult, log: Log) -> None:
    """Report a module in the words of r10k."""
    path = result.module.directory
    if result.outcome == KEPT:
        log("warn", f"Skipping {path} due to local modifications")
    elif result.outcome != UNCHANGED and result.error is None:
        if result.edited:
            log("warn", f"Overwriting local modifications to {path}")
        log("info", f"Deploying module to {path}")


class RecordsInStore(ModuleDirectories):
    """Directories of modules whose records are in the store: r10k leaves nothing in a project.

    If the store is on another file system, which a rename cannot leave, they are beside the modules.
    """

    def records_root(self, directory: str) -> str:
        """Return the directory of the records."""
        name = sha256(os.fsencode(os.path.abspath(directory))).hexdigest()
        place = self.store.directory("installed", name)
        return place if device(place) == device(directory) else super().records_root(directory)


def wanted(options: InstallOptions, puppetfile: Puppetfile) -> list[DeclaredModule]:
    """Return the modules that are not excluded."""
    if not options.exclude:
        return list(puppetfile.modules)
    excluded = Regexp(options.exclude).first_search
    return [one for one in puppetfile.modules if not excluded(one.name)]


def purge_modules(modules: Sequence[DeclaredModule], log: Log, root: str) -> None:
    """Remove what the Puppetfile does not declare from the directories of modules."""
    directories = {os.path.dirname(one.directory) for one in modules}
    present = {one: os.listdir(one) for one in directories if os.path.isdir(one)}
    for path in unmanaged_modules(present, [one.directory for one in modules], root=root):
        with reported(path):
            remove_tree(path)
        log("info", f"Removing unmanaged path {path}")
