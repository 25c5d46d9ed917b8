"""Install the modules of one Puppetfile, without an environment: ``r10k puppetfile``."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from hashlib import sha256

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.base.source import Place, Source
from bunraku.deployment import issues
from bunraku.deployment.contents import RefRules
from bunraku.deployment.deploy import Deployer, DeployRules
from bunraku.deployment.deployed import Deployed, DeploymentState, reported
from bunraku.deployment.layers import Layer
from bunraku.deployment.purging import unmanaged_modules
from bunraku.deployment.r10k_issues import R10K_NO_PUPPETFILE
from bunraku.deployment.site_contents import Log
from bunraku.deployment.update import Update, update_of
from bunraku.jobs.deploy import Deployment
from bunraku.project.declared_modules import DeclaredModule, GitModule, LocalModule
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
        with open(options.path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
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
    return found


def check_puppetfile(options: InstallOptions, site: Deployment) -> Puppetfile:
    """Return what the Puppetfile declares; also raise PuppetError for git modules without a ref."""
    found = read_modules(options, site.log)
    if not site.settings.git.default_ref:
        for module in found.modules:
            source = module.source
            named = isinstance(source, GitModule) and not (
                source.ref or source.control_branch or source.default_branch
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
    installer = Installer(options, site)
    with ThreadPoolExecutor(site.settings.pool_size) as pool:
        found = list(pool.map(installer.fetched, modules))
    errors = [one for one in found if isinstance(one, PuppetError)]
    if errors:
        return errors
    with ExitStack() as held:
        for directory in sorted({os.path.dirname(one.directory) for one in modules}):
            held.enter_context(installer.state(directory).held())
        for module, layer in zip(modules, found, strict=True):
            if isinstance(layer, Layer):
                installer.put(module, layer)
        purge_modules(modules, site.log, options.root)
    return []


def wanted(options: InstallOptions, puppetfile: Puppetfile) -> list[DeclaredModule]:
    """Return the modules that are not excluded."""
    if not options.exclude:
        return list(puppetfile.modules)
    excluded = Regexp(options.exclude).first_search
    return [one for one in puppetfile.modules if not excluded(one.name)]


class Installer:
    """Puts single modules into their directories."""

    def __init__(self, options: InstallOptions, site: Deployment) -> None:
        self.options = options
        self.site = site
        deploy = site.settings.deploy
        rules = DeployRules(exclude_spec=deploy.exclude_spec)
        self.deployer = Deployer(site.contents, rules, site.log)
        self.refs = RefRules("", "", site.settings.git.default_ref)
        self.states: dict[str, DeploymentState] = {}

    def state(self, directory: str) -> DeploymentState:
        """Return the records of the modules in a directory.

        They are in the store, unless that is on another file system, which a rename cannot leave.
        """
        found = self.states.get(directory)
        if found is None:
            found = self.states[directory] = DeploymentState(directory, self.site.store)
            name = sha256(os.fsencode(os.path.abspath(directory))).hexdigest()
            place = self.site.store.directory("installed", name)
            if os.stat(place).st_dev == os.stat(nearest(directory)).st_dev:
                found.root = place
        return found

    def fetched(self, module: DeclaredModule) -> Layer | PuppetError | None:
        """Return the content of a module, or why it cannot be had; None for a local one."""
        if isinstance(module.source, LocalModule):
            return None
        try:
            state = self.state(os.path.dirname(module.directory))
            live = state.live(os.path.basename(module.directory))
            previous = live.layers[0] if live is not None else None
            return self.deployer.module_layer(module, "", self.refs, previous)
        except PuppetError as error:
            return error.at(Place(module.path, module.line, module.column))

    def put(self, module: DeclaredModule, layer: Layer) -> None:
        """Put the content of a module into its directory."""
        path = module.directory
        state = self.state(os.path.dirname(path))
        name = os.path.basename(path)
        live = state.live(name)
        previous = live.layers if live is not None else ()
        with reported(path):
            update = update_of(path, [layer], previous)
            if update.edited and not self.may_overwrite(path):
                return
            if update.is_empty and list(previous) == [layer]:
                return
            self.site.log("info", f"Deploying module to {path}")
            self.switch(state, name, layer, update)

    def may_overwrite(self, path: str) -> bool:
        """Report a module that was edited; return whether it is overwritten."""
        what = "Overwriting local modifications to" if self.options.force else "Skipping"
        why = "" if self.options.force else " due to local modifications"
        self.site.log("warn", f"{what} {path}{why}")
        return self.options.force

    def switch(self, state: DeploymentState, name: str, layer: Layer, update: Update) -> None:
        """Put a module in place and write its record."""
        made = Deployed(0, time.time(), name, layer.revision or layer.version, (layer,))
        state.switch(name, update, made, {}, [])


def nearest(directory: str) -> str:
    """Return a directory, or the first one above it that is there."""
    while not os.path.isdir(directory):
        directory = os.path.dirname(directory)
    return directory


# -- purging -----------------------------------------------------------------------------------------


def purge_modules(modules: Sequence[DeclaredModule], log: Log, root: str) -> None:
    """Remove what is in the directories of modules and is no module of the Puppetfile."""
    directories = {os.path.dirname(one.directory) for one in modules}
    present = {one: os.listdir(one) for one in directories if os.path.isdir(one)}
    for path in unmanaged_modules(present, [one.directory for one in modules], root=root):
        with reported(path):
            remove_tree(path)
        log("info", f"Removing unmanaged path {path}")
