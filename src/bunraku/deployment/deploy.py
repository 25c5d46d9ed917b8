"""Deployments: environments are built beside the live ones and switched in, each whole or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import NotRegular, text_on_disk
from bunraku.base.records import field, record
from bunraku.base.source import Place, Source
from bunraku.deployment import issues
from bunraku.deployment.contents import Content, Contents, RefRules
from bunraku.deployment.credentials import public_address, without_credentials
from bunraku.deployment.deployed import (
    Deployed,
    DeploymentState,
    is_same_info,
    reported,
)
from bunraku.deployment.deployment_info import deployment_info, json_info, kept_info
from bunraku.deployment.environment_plan import (
    EnvironmentPlan,
    PreparedEnvironment,
    is_foreign,
    log_changes,
    place_of_text,
    relative_to,
    same_layers,
)
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.generated_types import TypesGenerator
from bunraku.deployment.layers import DEPLOYMENT_INFO, Layer, path_is_below
from bunraku.deployment.lock_file import read_lock_text
from bunraku.deployment.locked_sources import (
    absolute,
    check_declarations,
    check_digest,
    locked_modules,
)
from bunraku.deployment.module_layers import KINDS, installed_version, is_static, remote_of
from bunraku.deployment.purging import unmanaged_content, unmanaged_in
from bunraku.deployment.site_contents import Log, each_module, warn_of_control_branch
from bunraku.deployment.store import LINK, has_content
from bunraku.deployment.update import Update, is_in, update_of
from bunraku.project.declared_modules import (
    DeclaredModule,
    LocalModule,
    SubversionModule,
    TarballModule,
    is_named,
)
from bunraku.project.puppetfile import Puppetfile, place_of_module, puppetfile_of_steps
from bunraku.project.puppetfile_syntax import Step, steps_of


@record(frozen=True)
class DeployRules:
    """How environments are deployed.

    ``modules`` deploys the modules of the Puppetfile, too, as it is always done for a new environment.
    With ``modules_only``, the control repository stays as it is, and nothing is purged; ``only`` are then
    the names of the modules that are deployed, all if it is empty.
    ``force`` overwrites files that somebody has edited; without it, such an environment is left
    alone and reported. ``incremental`` leaves modules alone whose version cannot change.
    With ``locked``, the lock file of the control repository counts.
    ``purge_levels`` and ``allowlist`` say what is removed, ``exclude_spec`` whether ``spec`` directories of
    modules are left out. ``default_ref`` and ``branch_override`` are git refs for modules without one.
    """

    modules: bool = False
    modules_only: bool = False
    only: frozenset[str] = frozenset()
    force: bool = True
    incremental: bool = False
    locked: bool = True
    purge_levels: frozenset[str] = frozenset({"deployment", "puppetfile"})
    allowlist: tuple[str, ...] = ()
    exclude_spec: bool = True
    default_ref: str = ""
    branch_override: str = ""
    pool_size: int = 4
    puppetfile_name: str = "Puppetfile"


@record()
class EnvironmentResult:
    """What became of an environment.

    ``was_absent`` is whether it was not there before. ``update`` is None if it could not be made. Without
    ``errors``, the environment is as declared, and ``changed`` is whether it was switched. ``modules`` are
    the names of the modules whose content is another one than before.
    """

    environment: DeclaredEnvironment
    was_absent: bool = False
    changed: bool = False
    errors: list[PuppetError] = field(default_factory=list)
    update: Update | None = None
    deployed: Deployed | None = None
    modules: list[str] = field(default_factory=list)


class Deployer:
    """Deploys environments into one base directory."""

    def __init__(
        self,
        contents: Contents,
        rules: DeployRules,
        log: Log,
        of_forge: Callable[[str], Contents] | None = None,
        types: TypesGenerator | None = None,
    ) -> None:
        self.contents = contents
        self.of_forge = of_forge or (lambda _url: contents)
        """What fetches the modules of a Puppetfile that names a Forge."""
        self.types = types
        """What generates the metadata of resource types, if that is asked for."""
        self.store = contents.store
        self.rules = rules
        self.log = log
        self.is_whole = True
        """Whether no environment of the run has failed until now; r10k writes that as ``deploy_success``."""
        self.sources: dict[str, Source] = {}
        """The Puppetfiles that were read, by their paths."""
        self.statements: dict[str, tuple[Step, ...]] = {}
        """The statements of the Puppetfiles, by their texts."""
        self.seen: set[DeclaredModule] = set()
        """All modules that the environments declare."""

    def deploy(
        self,
        state: DeploymentState,
        environment: DeclaredEnvironment,
        before: Callable[[PreparedEnvironment], None] = lambda _prepared: None,
    ) -> EnvironmentResult:
        """Deploy an environment, or only modules of it. All errors are in the result.

        ``before`` is called before the switch; a PuppetError that it raises leaves the environment as it is.
        """
        result = EnvironmentResult(environment)
        started = time.time()
        try:
            prepared = self.prepare(state, environment, result)
            if prepared is not None:
                before(prepared)
                with reported(environment.path):
                    self.apply(state, prepared, result, started)
        except PuppetError as error:
            result.errors.append(error)
        self.is_whole = self.is_whole and not result.errors
        return result

    def prepare(
        self, state: DeploymentState, environment: DeclaredEnvironment, result: EnvironmentResult
    ) -> PreparedEnvironment | None:
        """Fetch what an environment is to have, and return what it changes; None if errors forbid it.

        Nothing outside of the store is written. Raise PuppetError; errors of modules go to the result.
        """
        with reported(environment.path):
            is_directory = is_real_directory(environment.path)
            result.was_absent = not is_directory
            self.log("info", f"Deploying environment {environment.path}")
            live = state.live(environment.directory_name)
            plan = self.plan(environment, live, result)
            if result.errors:
                return None
            if not is_directory and os.path.lexists(environment.path):
                text = f"A directory replaces the file or link {environment.path}"
                self.log("warn", text)
            update = self.update(plan)
        result.update = update
        if update.edited and not self.report_edits(plan, update, result):
            return None
        return PreparedEnvironment(state, plan, update, result.was_absent)

    # -- what is to be there -----------------------------------------------------------------------

    def plan(
        self, environment: DeclaredEnvironment, live: Deployed | None, result: EnvironmentResult
    ) -> EnvironmentPlan:
        """Return the layers that an environment is to have. Errors of modules go to the result."""
        previous = live.layers if live is not None else ()
        base, signature = self.base_layer(environment, previous)
        plan = EnvironmentPlan(environment, live, signature)
        plan.layers = [base] if base is not None else []
        with_modules = self.rules.modules or self.rules.modules_only or result.was_absent
        puppetfile = self.puppetfile(environment, base, strict=with_modules)
        if puppetfile is None:
            plan.keep(layer for layer in previous if layer.directory)
            return plan
        modules = self.locked(plan, base, puppetfile.modules, strict=with_modules)
        declared = self.declared(environment, modules)
        plan.directories = directories_of(environment, declared)
        plan.of_puppetfile = directories_of(environment, modules)
        old = {layer.directory: layer for layer in previous if layer.directory}
        plan.declared = declared
        self.seen.update(declared)
        if not with_modules:
            plan.keep(old.values())
            return plan
        self.add_modules(plan, self.of_forge(puppetfile.forge), old, result)
        return plan

    def modules_of(self, environment: DeclaredEnvironment) -> list[DeclaredModule]:
        """Return the modules that an environment declares. Raise PuppetError."""
        base, _signature = self.base_layer(environment, ())
        puppetfile = self.puppetfile(environment, base, strict=True)
        return self.declared(environment, puppetfile.modules) if puppetfile is not None else []

    def base_layer(
        self, environment: DeclaredEnvironment, previous: Sequence[Layer]
    ) -> tuple[Layer | None, str]:
        """Return the layer of the control repository and the signature of the environment."""
        old = next((layer for layer in previous if not layer.directory), None)
        if self.rules.modules_only:
            return old, old.revision if old is not None else ""
        if environment.kind == "git":
            commit = self.contents.git.resolve(environment.remote, environment.ref)
            if commit is None:
                remote = without_credentials(environment.remote)
                raise issues.UNKNOWN_REF(remote=remote, ref=environment.ref, near="")
            tree = self.contents.of_commit(environment.remote, commit)
            content = Content(tree, environment.ref, commit)
        elif environment.kind in {"svn", "tarball"}:
            options = environment.options or {}
            source: SubversionModule | TarballModule
            if environment.kind == "svn":
                names = (options.get("username", ""), options.get("password", ""))
                source = SubversionModule(environment.remote, environment.ref, *names)
                content = self.contents.of_subversion(source)
            else:
                source = TarballModule(environment.remote, environment.ref)
                content = self.contents.of_tarball(source)
        else:
            return None, "plain-default"
        remote = public_address(environment.remote)
        return (
            Layer(
                "", content.tree, environment.kind, "", content.version, content.revision, remote
            ),
            content.revision,
        )

    def place_of(self, module: DeclaredModule) -> Place:
        """Return where a module is declared."""
        return place_of_module(module, self.sources.get(module.path))

    def puppetfile(
        self, environment: DeclaredEnvironment, base: Layer | None, *, strict: bool
    ) -> Puppetfile | None:
        """Return the Puppetfile of an environment; None for one that is not to be read.

        Raise the first of its errors, with the others, if ``strict``.
        """
        name = self.puppetfile_name(environment)
        text = self.text_of(environment, base, name)
        path = place_of_text(environment, base, name, text)
        self.sources[path] = source = Source(text, path)
        if source.text not in self.statements:  # most environments have the text of another one
            self.statements[source.text] = steps_of(source.text)
        steps = self.statements[source.text]
        puppetfile = puppetfile_of_steps(steps, source, environment.path)
        errors = [one for one in puppetfile.findings if one.severity == "error"]
        if errors and strict:
            raise PuppetError(errors[0], errors[1:])
        if strict:
            for finding in puppetfile.findings:
                self.log("warn", finding.message)
        return None if errors else puppetfile

    def puppetfile_name(self, environment: DeclaredEnvironment) -> str:
        """Return the name of the Puppetfile of an environment."""
        own = (environment.options or {}).get("puppetfile_name")
        return own or self.rules.puppetfile_name

    def text_of(self, environment: DeclaredEnvironment, base: Layer | None, name: str) -> str:
        """Return the text of a file of the control repository; empty if it does not exist."""
        if base is not None:
            entry = base.tree.entries.get(name)
            if entry is None or entry[0] == LINK:
                return ""
            return self.store.read(entry).decode("utf-8", "surrogateescape")
        path = f"{environment.path}/{name}"
        try:
            return text_on_disk(path)
        except NotRegular as error:
            raise issues.DEPLOYMENT_FAILED(path=path, reason=error.strerror) from None
        except OSError:
            return ""

    def locked(
        self,
        plan: EnvironmentPlan,
        base: Layer | None,
        modules: Sequence[DeclaredModule],
        *,
        strict: bool,
    ) -> Sequence[DeclaredModule]:
        """Return the modules of a Puppetfile as its lock file has them, and those that they need.

        Raise the errors of the lock file if ``strict``.
        """
        environment = plan.environment
        name = f"{self.puppetfile_name(environment)}.lock"
        path = f"{environment.path}/{name}"
        text = self.text_of(environment, base, name) if self.rules.locked else ""
        if not text:
            return modules
        try:
            lock = read_lock_text(path, text)
            check_declarations(lock, modules, environment.path, path)
        except PuppetError as error:
            if error.is_a(issues.LOCK_FOREIGN):
                self.log("warn", f"{path} is ignored: librarian-puppet has written it")
            elif strict:
                raise
            return modules
        own = {module.name for module in environment.modules}
        plan.locked = {
            absolute(one, environment.path): one for one in lock.modules if one.name not in own
        }
        return tuple(locked_modules(lock, modules, environment.path, path))

    def declared(
        self, environment: DeclaredEnvironment, modules: Sequence[DeclaredModule]
    ) -> list[DeclaredModule]:
        """Return the modules of an environment: its source's own go before those of the Puppetfile."""
        own = {module.name for module in environment.modules}
        found = list(environment.modules)
        for module in modules:
            if module.name not in own:
                found.append(module)
                continue
            text = f'Environment and puppetfile both define the "{module.name}" module'
            if environment.module_conflicts == "error":
                raise issues.MODULE_CONFLICT(name=module.name)
            level = "debug" if environment.module_conflicts == "override" else "warn"
            self.log(level, f"{text}. The puppetfile definition will be ignored")
        return found

    def add_modules(
        self,
        plan: EnvironmentPlan,
        contents: Contents,
        old: Mapping[str, Layer],
        result: EnvironmentResult,
    ) -> None:
        """Add the layers of the modules; what cannot be had is an error of the result."""
        environment = plan.environment
        if environment.kind != "git":
            warn_of_control_branch(plan.declared, self.log)
        rules = RefRules(
            environment.ref if environment.kind == "git" else "",
            self.rules.branch_override,
            self.rules.default_ref,
        )

        def layer_of_module(module: DeclaredModule) -> Layer | PuppetError | None:
            directory = relative_to(environment, module.directory)
            previous = old.get(directory)
            if isinstance(module.source, LocalModule):
                plan.local.append(directory)
                return None
            if self.rules.incremental and previous is not None and is_static(module, previous):
                plan.frozen.append(directory)
                return previous
            try:
                with reported(module.directory):
                    content = contents.of_module(module, rules, installed_version(module, previous))
                    found = self.module_layer(module, directory, content)
                    self.check_release(contents, plan, found, module, previous)
                    return found
            except PuppetError as error:
                return error.at(self.place_of(module))

        pool_size = self.rules.pool_size
        wanted = list(filter(self.is_wanted, plan.declared))
        for module, found in each_module(contents, pool_size, layer_of_module, wanted):
            if not isinstance(module.source, LocalModule):
                self.log("info", f"Deploying module to {module.directory}")
            if isinstance(found, PuppetError):
                result.errors.append(in_module(found, module))
            elif found is not None:
                plan.layers.append(found)
                if old.get(found.directory) != found:
                    result.modules.append(module.name)
        if self.rules.modules_only:
            names = {layer.directory for layer in plan.layers}
            plan.keep(layer for path, layer in old.items() if path not in names)
            plan.kept.append("")
            places = {path: number for number, path in enumerate(["", *old])}
            plan.layers.sort(key=lambda one: places.get(one.directory, len(places)))

    def is_wanted(self, module: DeclaredModule) -> bool:
        """Return whether a module is deployed in this run, or belongs to the site."""
        names = self.rules.only
        is_local = isinstance(module.source, LocalModule)
        return not names or is_local or any(is_named(module, name) for name in names)

    def module_layer(self, module: DeclaredModule, directory: str, content: Content) -> Layer:
        """Return the layer of a module."""
        kind = KINDS[type(module.source)]
        exclude = self.rules.exclude_spec if module.exclude_spec is None else module.exclude_spec
        return Layer(
            directory,
            content.tree,
            kind,
            module.name,
            content.version,
            content.revision if kind == "git" else "",
            remote_of(module.source),
            exclude,
        )

    def check_release(
        self,
        contents: Contents,
        plan: EnvironmentPlan,
        found: Layer,
        module: DeclaredModule,
        previous: Layer | None,
    ) -> None:
        """Raise LOCK_DIGEST if a release that is not deployed yet has another digest than the locked one."""
        locked = plan.locked.get(module.directory)
        is_new = previous is None or previous.version != found.version
        if locked is not None and locked.digest and found.kind == "forge" and is_new:
            path = f"{plan.environment.path}/{self.puppetfile_name(plan.environment)}.lock"
            check_digest(contents, module, found.version, locked.digest, path)

    # -- the change --------------------------------------------------------------------------------

    def update(self, plan: EnvironmentPlan) -> Update:
        """Return what changes the environment to what the plan says. Raise OSError.

        Where only modules are deployed, the rest of the environment is read only if several of them change.
        """
        if self.rules.modules_only:
            directories = [layer.directory for layer in plan.active]
            found = self.update_in(plan, directories)
            is_whole = self.types is not None and not (found.is_empty and same_layers(plan))
            if not is_whole and (found.is_empty or found.smallest(directories)):
                return found
        return self.update_in(plan, None)

    def update_in(self, plan: EnvironmentPlan, directories: Sequence[str] | None) -> Update:
        """Return what changes in directories of an environment, or in all of it."""
        root = plan.environment.path
        previous = plan.live.layers if plan.live is not None else ()
        return update_of(
            root,
            plan.active,
            [layer for layer in previous if layer.directory not in plan.untouched],
            local=[*plan.local, *plan.untouched],
            purge=lambda paths: self.purged(plan, paths),
            adopted=lambda path, entry: has_content(f"{root}/{path}", entry),
            within=directories,
        )

    def apply(
        self,
        state: DeploymentState,
        prepared: PreparedEnvironment,
        result: EnvironmentResult,
        started: float,
    ) -> None:
        """Make the environment what the plan says. Raise OSError and PuppetError."""
        plan, update = prepared.plan, prepared.update
        environment = plan.environment
        root = environment.path
        log_changes(prepared, self.log)
        deployed = Deployed(
            0, started, environment.name, plan.signature, tuple(plan.layers), environment.source
        )
        is_written = True
        if self.rules.modules_only:  # r10k leaves this file alone then
            extra = kept_info(root)
        else:
            info = deployment_info(plan, started, success=self.is_whole)
            extra = {DEPLOYMENT_INFO: json_info(info)}
            is_written = is_same_info(f"{root}/{DEPLOYMENT_INFO}", info)
        if not update.is_empty or result.was_absent or not same_layers(plan):
            result.deployed = self.switch(state, prepared, deployed, extra)
            result.changed = True
        else:
            if self.types is not None and not self.rules.modules_only:
                self.types.generate(environment, environment.basedir)
            if not is_written:
                state.write_extra(root, extra)
        if result.deployed is None:
            result.deployed = plan.live
        signature = plan.signature
        self.log("info", f"Environment {environment.directory_name} is now at {signature}")

    def switch(
        self,
        state: DeploymentState,
        prepared: PreparedEnvironment,
        deployed: Deployed,
        extra: Mapping[str, bytes],
    ) -> Deployed:
        """Put the new tree of an environment in place, with the metadata of its resource types.

        That is written into the directory of the environment: then no single module can be switched.
        """
        environment, update = prepared.plan.environment, prepared.update
        name, types = environment.directory_name, self.types
        if types is None:
            directories = [layer.directory for layer in prepared.plan.layers]
            return state.switch(name, update, deployed, extra, directories)

        def finish(tree: str) -> None:
            types.generate_in(environment, tree, update.carried)

        return state.switch(name, update, deployed, extra, (), finish)

    def report_edits(
        self, plan: EnvironmentPlan, update: Update, result: EnvironmentResult
    ) -> bool:
        """Report files that somebody has edited; return whether they are overwritten.

        A module whose directory was removed has no edits: it is installed again.
        """
        root = plan.environment.path
        places = sorted({place_of_edit(path, plan.layers) for path in update.edited})
        shown = [f"{root}/{place}".rstrip("/") for place in places]
        shown = [place for place in shown if os.path.lexists(place)]
        if not shown:
            return True
        if self.rules.force:
            for place in shown:
                self.log("warn", f"Overwriting local modifications to {place}")
            return True
        for place in shown:
            self.log("warn", f"Skipping {place} due to local modifications")
        result.errors.append(issues.EDITED(path=shown[0], files=", ".join(update.edited[:5])))
        return False

    def purged(self, plan: EnvironmentPlan, paths: Iterable[str]) -> set[str]:
        """Return the unmanaged paths that are removed."""
        present = list(paths)
        gone: set[str] = set()
        levels = self.rules.purge_levels
        if self.rules.modules_only:
            return gone
        if is_foreign(plan):
            return set(present)
        with_modules = self.rules.modules or plan.live is None
        modules = [layer.directory for layer in plan.layers if layer.directory] + plan.local
        base = next((layer for layer in plan.layers if not layer.directory), None)
        tracked = list(base.tree.entries) if base is not None else []
        if "puppetfile" in levels and with_modules:
            gone.update(unmanaged_in(plan.of_puppetfile, present, modules, tracked))
        if "environment" in levels:
            gone.update(
                unmanaged_content(
                    [path.rstrip("/") for path in present],
                    tracked,
                    modules=modules,
                    module_directories=plan.directories,
                    allowlist=self.rules.allowlist,
                )
            )
        return {path for path in present if is_in(path, gone)}


def directories_of(
    environment: DeclaredEnvironment, modules: Iterable[DeclaredModule]
) -> list[str]:
    """Return the directories that modules are installed to, relative to an environment. Raise BAD_PATH."""
    found = dict.fromkeys(os.path.dirname(module.directory) for module in modules)
    return [relative_to(environment, one) for one in found]


def is_real_directory(path: str) -> bool:
    """Return whether a path is a directory, and no link to one."""
    return os.path.isdir(path) and not os.path.islink(path)


def place_of_edit(path: str, layers: Sequence[Layer]) -> str:
    """Return the directory of the module that an edited file is in, or empty for the environment."""
    inner = [one.directory for one in layers if path_is_below(path, one.directory)]
    return max(inner, key=len, default="")


def in_module(error: PuppetError, module: DeclaredModule) -> PuppetError:
    """Return an error that names the module that it stops."""
    return error.having(message=f"Module {module.name}: {error.message}")
