"""Deploy environments: from the sources of r10k.yaml to directories that Puppet reads."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.deployment import issues
from bunraku.deployment.contents import Contents
from bunraku.deployment.credentials import without_credentials
from bunraku.deployment.deploy import (
    Deployer,
    DeployRules,
    EnvironmentResult,
)
from bunraku.deployment.deployed import Deployed, DeploymentState, is_state, reported
from bunraku.deployment.environment_declarations import ModuleArguments, environments_of_sources
from bunraku.deployment.environment_names import folded_name, unknown_environments
from bunraku.deployment.environment_plan import PreparedEnvironment
from bunraku.deployment.environment_sources import (
    EnvironmentSource,
    SourceEnvironments,
    read_sources,
    refuse_collisions,
)
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.forge_modules import ForgeModules
from bunraku.deployment.generated_types import TypesGenerator
from bunraku.deployment.git_cache import GitCache
from bunraku.deployment.layers import Layer
from bunraku.deployment.purging import unmanaged_environments
from bunraku.deployment.r10k_file import find_settings_file, r10k_settings, read_settings_file
from bunraku.deployment.r10k_settings import R10kSettings
from bunraku.deployment.r10k_unknown import refuse_mistyped
from bunraku.deployment.site_contents import Log, forge_modules, git_remotes, open_store
from bunraku.deployment.store import Store
from bunraku.deployment.update import update_of
from bunraku.project.declared_modules import DeclaredModule, is_named
from bunraku.project.module_options import ModuleOptions, Option
from bunraku.world import processes

MODIFIED = "$modifiedenvs"
LOST = "lost+found"
"""The directory in which a check of a file system puts what it finds."""


@record()
class DeployOptions:
    """What is deployed, and how. Empty values are those of r10k.yaml.

    ``environments`` are names of environments, as Puppet knows them or as branches; none stands for all.
    ``modules`` deploys the modules of existing environments, too. With ``modules_only``, nothing but modules
    is deployed; with ``only_modules``, nothing but those. ``settings`` have the form of r10k.yaml and go before the file. ``force`` overwrites local edits.
    ``link`` makes hard links to the store, which all environments share; otherwise files are
    copied. With ``locked``, the lock file beside a Puppetfile counts. ``strict`` refuses
    settings that look mistyped, which r10k ignores. ``config`` is the path of an r10k.yaml, searched if it is empty.
    """

    environments: Sequence[str] = ()
    modules: bool = False
    modules_only: bool = False
    only_modules: Sequence[str] = ()
    config: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict, shown=False)
    force: bool = True
    incremental: bool = False
    branch_override: str = ""
    offline: bool = False
    link: bool = True
    locked: bool = True
    strict: bool = True

    @property
    def leaves_control(self) -> bool:
        """Whether only modules are deployed, all or some."""
        return self.modules_only or bool(self.only_modules)


@record()
class DeployResult:
    """What became of all environments.

    ``unknown`` are names of environments and modules that nothing declares, each with a hint. ``problems`` are
    what sources report: levels and messages. ``removed`` are environments that no source declares any more.
    ``postrun`` is the error of the command after the deployment, ``flushes`` are those of servers
    that were not flushed.
    """

    environments: list[EnvironmentResult] = field(default_factory=list)
    unknown: list[PuppetError] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    postrun: PuppetError | None = None
    flushes: list[PuppetError] = field(default_factory=list)

    @property
    def errors(self) -> list[PuppetError]:
        """All errors."""
        return [*self.others, *[error for one in self.environments for error in one.errors]]

    @property
    def others(self) -> list[PuppetError]:
        """The errors that are not of one environment."""
        return [*self.unknown, *([self.postrun] if self.postrun else []), *self.flushes]

    @property
    def is_whole(self) -> bool:
        """Whether all that was asked for is deployed."""
        return not self.errors and not any(level == "error" for level, _text in self.problems)


class Deployment:
    """The environments of an r10k.yaml, and the store that their files come from.

    Raise PuppetError for settings that cannot be used.
    """

    def __init__(
        self,
        options: DeployOptions,
        log: Log = lambda _level, _text: None,
        settings: R10kSettings | None = None,
    ) -> None:
        self.options = options
        self.log = log
        self.settings = settings or settings_of_file(options, log)
        self.other_forges: dict[str, Contents] = {}
        self.opened: list[ForgeModules] = []

    # -- where things are --------------------------------------------------------------------------

    @cached_property
    def store(self) -> Store:
        """The store, in ``cachedir``, else in the cache of this user."""
        return open_store(self.settings, link=self.options.link)

    @cached_property
    def git(self) -> GitCache:
        """The copies of git remotes."""
        return git_remotes(self.settings, self.store, offline=self.options.offline)

    @cached_property
    def contents(self) -> Contents:
        """What fetches contents into the store."""
        return self.contents_of_forge("")

    def contents_of_forge(self, url: str) -> Contents:
        """Return what fetches contents from a Forge; the empty URL is that of the settings."""
        offline = self.options.offline
        forge = forge_modules(self.settings, self.store, self.log, offline=offline, url=url)
        self.opened.append(forge)
        return Contents(self.store, self.git, forge)

    def contents_of(self, url: str) -> Contents:
        """Return what fetches contents where a Puppetfile names a Forge, if the settings let it count."""
        forge = self.settings.forge
        if not url or not forge.allow_puppetfile_override:
            return self.contents
        if url not in self.other_forges:
            self.other_forges[url] = self.contents_of_forge(url)
            self.other_forges[url].pointers = self.contents.pointers
        return self.other_forges[url]

    def close(self) -> None:
        """Close the connections to Forges."""
        for forge in self.opened:
            forge.close()

    @cached_property
    def sources(self) -> list[EnvironmentSource]:
        """The sources of the settings."""
        return read_sources(self.settings)

    @cached_property
    def declared(self) -> list[SourceEnvironments]:
        """The environments of each source; for modules alone, as they were when it was last asked."""
        leaves = self.options.leaves_control
        branches = self.git.known_branches if leaves else self.git.branches
        return environments_of_sources(
            self.sources, branches, module_of_arguments, self.git.directory
        )

    @cached_property
    def environments(self) -> list[DeclaredEnvironment]:
        """All environments; two in one directory raise PuppetError."""
        found = [one for source in self.declared for one in source.environments]
        refuse_collisions(found)
        return found

    def chosen(self, result: DeployResult) -> list[DeclaredEnvironment]:
        """Return the environments that were asked for; unknown names go to the result."""
        names = [folded_name(name) for name in self.options.environments]
        known = [one.directory_name for one in self.environments]
        reason = unknown_environments(names, known)
        if reason:
            result.unknown.append(issues.UNKNOWN_ENVIRONMENT(reason=reason))
        return [one for one in self.environments if not names or one.directory_name in names]

    def rules(self) -> DeployRules:
        """Return how environments are deployed."""
        options, deploy = self.options, self.settings.deploy
        return DeployRules(
            modules=options.modules,
            modules_only=options.leaves_control,
            only=frozenset(options.only_modules),
            force=options.force,
            incremental=options.incremental,
            locked=options.locked,
            purge_levels=frozenset(deploy.purge_levels),
            allowlist=deploy.purge_allowlist,
            exclude_spec=deploy.exclude_spec,
            default_ref=self.settings.git.default_ref,
            branch_override=options.branch_override,
            pool_size=self.settings.pool_size,
        )

    def check_lock(self) -> None:
        """Raise WRITE_LOCK if the settings forbid deployments."""
        reason = self.settings.deploy.write_lock
        if reason is not None:
            raise issues.WRITE_LOCK(reason=reason)

    @contextmanager
    def states(
        self, environments: Iterable[DeclaredEnvironment] = ()
    ) -> Iterator[Mapping[str, DeploymentState]]:
        """Hold the base directories against other deployments; yield their states.

        They are those that exist, and those of the environments to deploy. No remote is asked.
        """
        bases = {os.path.realpath(source.basedir) for source in self.sources}
        used = {os.path.realpath(one.basedir) for one in environments}
        bases = {base for base in bases if base in used or os.path.isdir(base)}
        yield from self.hold(sorted(bases), {})

    def hold(
        self, bases: Sequence[str], held: dict[str, DeploymentState]
    ) -> Iterator[Mapping[str, DeploymentState]]:
        """Hold base directories, one inside the other."""
        if len(held) == len(bases):
            yield held
            return
        base = bases[len(held)]
        state = DeploymentState(base, self.store)
        text = f"Waiting for another deployment in {base}"
        with state.held(lambda: self.log("warn", text)):
            yield from self.hold(bases, {**held, base: state})


def settings_of_file(options: DeployOptions, log: Log) -> R10kSettings:
    """Return the settings of the file that counts, under those of the options. Raise PuppetError."""
    path = options.config
    if not path:
        path, warnings = find_settings_file(os.getcwd())
        for text in warnings:
            log("warn", text)
    if not path:
        raise issues.NO_SETTINGS()
    document = read_settings_file(path)
    if options.strict:
        refuse_mistyped(document, log)
    settings = r10k_settings(document, options.settings)
    for text in settings.warnings:
        log("warn", text)
    return settings


def module_of_arguments(arguments: ModuleArguments) -> DeclaredModule:
    """Return the module that an environment of a ``yaml``, ``yamldir`` or ``exec`` source declares."""
    start = Place(arguments.path, arguments.line)
    values = arguments.options
    if not isinstance(values, Mapping):
        values = {"type": "forge", "version": values}
    options = [Option(str(name), value, lambda: start) for name, value in values.items()]
    findings: list[Diagnostic] = []
    read = ModuleOptions(arguments.title, options, start, lambda: start, findings.append)
    found = read.module(arguments.root, arguments.moduledir)
    errors = [one for one in findings if one.severity == "error"]
    if found is None or errors:
        raise PuppetError(errors[0], errors[1:])
    return found


# -- jobs ------------------------------------------------------------------------------------------


def deploy(
    options: DeployOptions,
    log: Log = lambda _level, _text: None,
    before: Callable[[Deployment, PreparedEnvironment], None] = lambda _site, _prepared: None,
) -> DeployResult:
    """Deploy environments, or modules of them. Errors of single environments are in the result.

    ``before`` is called before each switch; a PuppetError that it raises forbids it. Raise PuppetError for settings that cannot be used, a write lock, and sources that cannot be read.
    """
    site = Deployment(options, log)
    site.check_lock()
    result = DeployResult()
    for one in site.declared:
        result.problems += [(problem.level, problem.message) for problem in one.problems]
    for level, text in result.problems:
        log(level, text)
    chosen = site.chosen(result)
    types = (
        TypesGenerator(site.settings.deploy, log) if site.settings.deploy.generate_types else None
    )
    deployer = Deployer(site.contents, site.rules(), log, site.contents_of, types)
    deployer.is_whole = not result.unknown
    ended = False
    made_here = () if options.leaves_control else site.environments
    try:
        with site.states(made_here) as states:
            for environment in chosen:
                if options.leaves_control and not os.path.isdir(environment.path):
                    continue
                state = states[os.path.realpath(environment.basedir)]
                made = deployer.deploy(state, environment, partial(before, site))
                result.environments.append(made)
                log_errors(made.errors, log)
            note_unknown_modules(options, deployer, result)
            if "deployment" in site.settings.deploy.purge_levels and not options.leaves_control:
                remove_undeclared(site, states, result)
    except KeyboardInterrupt:
        ended = True
        raise
    finally:
        site.close()
        note_moved_tags(site, log)
        note_pointers(site, log)
        if not ended:
            postrun(site.settings, result, options, log)
        log_errors([*result.unknown, *([result.postrun] if result.postrun else [])], log)
    return result


def log_errors(errors: Iterable[PuppetError], log: Log) -> None:
    """Report errors."""
    for error in errors:
        for finding in error:
            log("error", finding.message)


def note_unknown_modules(options: DeployOptions, deployer: Deployer, result: DeployResult) -> None:
    """Note the modules that were asked for and that no environment declares.

    That is not known if an environment does not exist or could not be read.
    """
    if result.errors:
        return
    for name in options.only_modules:
        if not any(is_named(one, name) for one in deployer.seen):
            known = {one.title if "/" in name else one.name for one in deployer.seen}
            near = suggestion(name, known)
            result.unknown.append(issues.UNKNOWN_MODULE(name=name, near=near))


def note_moved_tags(site: Deployment, log: Log) -> None:
    """Warn of tags that name another commit than when they were fetched: r10k does not follow them."""
    for remote, tag in site.git.moved_tags:
        log("warn", f"The tag {tag} of {without_credentials(remote)} was moved")


def note_pointers(site: Deployment, log: Log) -> None:
    """Warn of files that are only pointers into git's large file storage: they are deployed as they are."""
    for remote, commit, path in site.contents.pointers:
        log(
            "warn",
            f"{path} in commit {commit} of {remote} is a pointer of git LFS, not its content",
        )


def remove_undeclared(
    site: Deployment, states: Mapping[str, DeploymentState], result: DeployResult
) -> None:
    """Remove the directories of environments that no source declares; report what cannot be searched."""
    for source in site.sources:
        if os.path.realpath(source.basedir) not in states:
            error = issues.NO_ENVIRONMENTS(name=source.name, path=source.basedir)
            result.unknown.append(error)
    for base, state in states.items():
        names = {
            one.directory_name for one in site.environments if os.path.realpath(one.basedir) == base
        }
        names |= {os.path.relpath(one, base).partition("/")[0] for one in states if one != base}
        with suppress(FileNotFoundError):
            present = [name for name in os.listdir(base) if not is_state(name)]
            for name in unmanaged_environments(present, {*names, LOST}):
                try:
                    with reported(f"{base}/{name}"):
                        state.remove(name)
                    site.log("info", f"Removing unmanaged path {base}/{name}")
                    result.removed.append(f"{base}/{name}")
                except PuppetError as error:
                    result.unknown.append(error)


def postrun(settings: R10kSettings, result: DeployResult, options: DeployOptions, log: Log) -> None:
    """Run the command of the settings after a deployment; its failure goes to the result."""
    command = list(settings.postrun)
    names = [one.environment.directory_name for one in result.environments]
    if options.leaves_control:
        names = [one.environment.directory_name for one in result.environments if one.changed]
        if not names:
            return
    if not command:
        return
    command = [part.replace(MODIFIED, " ".join(names)) for part in command]
    log("debug", "Executing postrun command.")
    try:
        done = processes.run(command)
    except OSError as error:
        result.postrun = issues.POSTRUN_FAILED(program=command[0], reason=error.strerror)
        return
    if done.returncode:
        reason = processes.ending(done.returncode << 8) if done.returncode > 0 else "a signal"
        result.postrun = issues.POSTRUN_FAILED(program=command[0], reason=reason)


# -- rollback and status ---------------------------------------------------------------------------


@record(frozen=True)
class EnvironmentStatus:
    """A deployed environment: its records, oldest first, the live one, and what was edited since."""

    name: str
    path: str
    live: Deployed | None
    deployments: tuple[Deployed, ...]
    edited: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def status(options: DeployOptions) -> list[EnvironmentStatus]:
    """Return the state of all environments in the base directories, without asking a remote.

    Raise PuppetError for settings that cannot be used, and NOT_DEPLOYED for an unknown name.
    """
    site = Deployment(options)
    found = []
    for base in sorted({os.path.realpath(source.basedir) for source in site.sources}):
        state = DeploymentState(base, site.store)
        with suppress(FileNotFoundError):
            for name in sorted(os.listdir(base)):
                path = f"{base}/{name}"
                if os.path.isdir(path) and not is_state(name):
                    found.append(status_of(state, name, path))
    wanted = [folded_name(name) for name in options.environments]
    known = {one.name for one in found}
    for name in wanted:
        if name not in known:
            raise issues.NOT_DEPLOYED(name=name, near=suggestion(name, known))
    return [one for one in found if not wanted or one.name in wanted]


def status_of(state: DeploymentState, name: str, path: str) -> EnvironmentStatus:
    """Return the state of one environment."""
    live = state.live(name)
    edited: Sequence[str] = ()
    missing: Sequence[str] = ()
    if live is not None:
        update = update_of(path, live.layers, live.layers)
        missing = [one for one in update.edited if not os.path.lexists(f"{path}/{one}")]
        edited = [one for one in update.edited if one not in missing]
    return EnvironmentStatus(
        name, path, live, tuple(state.history(name, live)), tuple(edited), tuple(missing)
    )


def rollback(
    options: DeployOptions, number: int = 0, log: Log = lambda _level, _text: None
) -> DeployResult:
    """Put an older deployment of environments in place: the one before, or the one with a number.

    After a rollback, the one before is older than the restored one. Files that nothing has deployed stay.
    Raise PuppetError, and leave all environments as they are, if one does not have such a deployment.
    """
    site = Deployment(options, log)
    site.check_lock()
    with site.states() as states:
        names = dict.fromkeys(map(folded_name, options.environments))
        targets = [rollback_of(states, name, number) for name in names]
        return DeployResult([roll_back(one, log) for one in targets])


@record(frozen=True)
class Rollback:
    """A rollback that is possible: the environment, its live deployment, and the one to restore."""

    state: DeploymentState
    environment: DeclaredEnvironment
    live: Deployed | None
    target: Deployed


def rollback_of(states: Mapping[str, DeploymentState], name: str, number: int) -> Rollback:
    """Return what a rollback of an environment restores. Raise PuppetError if it is impossible."""
    state, environment = deployed_environment(states, name)
    live = state.live(environment.directory_name)
    return Rollback(state, environment, live, target_of(state, environment, live, number))


def roll_back(chosen: Rollback, log: Log) -> EnvironmentResult:
    """Restore a deployment, and return what became of the environment."""
    environment, target = chosen.environment, chosen.target
    made = EnvironmentResult(environment)
    again = replace(target, time=time.time(), restored=origin(target))
    try:
        with reported(environment.path):
            previous: Sequence[Layer] = chosen.live.layers if chosen.live is not None else ()
            update = made.update = update_of(environment.path, target.layers, previous)
            directories = [one.directory for one in target.layers]
            made.deployed = chosen.state.switch(
                environment.directory_name, update, again, {}, directories
            )
            made.changed = True
    except PuppetError as error:
        made.errors.append(error)
        return made
    log("info", f"Environment {environment.directory_name} is now at {target.signature}")
    return made


def origin(deployed: Deployed) -> int:
    """Return the number that the content of a deployment had before rollbacks."""
    return deployed.restored or deployed.number


def deployed_environment(
    states: Mapping[str, DeploymentState], name: str
) -> tuple[DeploymentState, DeclaredEnvironment]:
    """Return an environment that is there, and the state of its base directory."""
    for base, state in states.items():
        if os.path.isdir(f"{base}/{name}"):
            return state, DeclaredEnvironment(name, name, base, "", "plain")
    known = [one for base in states for one in os.listdir(base)]
    raise issues.NOT_DEPLOYED(name=name, near=suggestion(name, known))


def target_of(
    state: DeploymentState, environment: DeclaredEnvironment, live: Deployed | None, number: int
) -> Deployed:
    """Return the deployment to put in place again. Raise PuppetError if there is none."""
    records = state.history(environment.directory_name, live)
    if number:
        wanted = [one for one in records if one.number == number]
    else:
        wanted = [
            one
            for one in records
            if live is not None and one.number < origin(live) and one.layers != live.layers
        ]
        if not wanted and live is not None:
            raise issues.NO_OLDER_DEPLOYMENT(path=environment.path, number=live.number)
    if not wanted:
        known = ", ".join(str(one.number) for one in records) or "none"
        raise issues.NO_DEPLOYMENT(path=environment.path, known=known)
    found = wanted[-1]
    for layer in found.layers:
        if state.store.tree(layer.tree.digest) is None:
            what = f"all content of deployment {found.number}"
            raise issues.NOT_IN_STORE(what=what, path=environment.path)
    return found
