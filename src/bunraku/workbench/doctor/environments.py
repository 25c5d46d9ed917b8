"""The environments: their settings, modules, data, generated types and deployments."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator
from subprocess import TimeoutExpired

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Source
from bunraku.checks.hiera_config import check_hiera_config
from bunraku.checks.settings_files import check_environment_conf
from bunraku.deployment.deployed import Deployed, DeploymentState, is_state
from bunraku.deployment.generated_types import DIRECTORY as TYPES
from bunraku.deployment.store import Store
from bunraku.deployment.update import update_of
from bunraku.modules.environment import read_environment
from bunraku.project.puppetfile import read_puppetfile
from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined, few_names, length

DEPLOY = "bunraku deploy {name}"
CONF = Fault(
    "environment-conf-invalid",
    "error",
    "line {line}: {reason}",
    "correct the line, or deploy again: " + DEPLOY,
)
UNUSED = Fault(
    "environment-conf-unused", "warning", "line {line}: {reason}", "correct or remove the line"
)
MODULES = Fault(
    "modules-missing",
    "error",
    "modules of the Puppetfile are not installed ({count}): {names}",
    DEPLOY,
)
PUPPETFILE = Fault(
    "puppetfile-invalid",
    "error",
    "line {line}: {reason}",
    "bunraku validate {place} shows the line",
)
HIERA = Fault(
    "hiera-invalid", "error", "line {line}: {reason}", "bunraku validate {place} shows the line"
)
DATA = Fault(
    "hiera-data-missing",
    "warning",
    "line {line}: {reason}",
    "add the directory to the repository, or correct datadir",
)
STALE_TYPES = Fault(
    "generated-types-stale",
    "error",
    "the generated type {type} is missing or older than {source}",
    "puppet generate types --environment {name} --force; or remove {place}: bunraku reads Ruby types itself",
)
UNFINISHED = Fault(
    "deployment-unfinished",
    "error",
    "a deployment of {name} was interrupted {age} ago",
    DEPLOY + " completes it and removes what is left",
)
CHANGED = Fault(
    "deployment-changed",
    "warning",
    "files differ from what was deployed ({count}), such as {file}",
    "bunraku deploy status shows them; " + DEPLOY + " restores them",
)
BEHIND = Fault(
    "deployment-behind",
    "warning",
    "{name} is at {deployed}, and its branch {branch} is at {newest}",
    DEPLOY,
)
HOUR, SECONDS = 3600.0, 20.0


def check_environments(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find faults of the files of each environment."""
    yield from check_hiera(machine, machine.of_server("confdir"))
    if not machine.environments:
        yield Gap("environments", f"none in {':'.join(machine.basedirs)}", absent=True)
    for path in machine.environments:
        yield from check_conf(machine, path)
        yield from check_modules(machine, path)
        yield from check_hiera(machine, path)
        yield from check_types(machine, path)


def check_conf(machine: Examined, path: str) -> Iterator[FoundFault]:
    """Find lines of an environment.conf that are not settings of environments."""
    for one in checked(machine, f"{path}/environment.conf", check_environment_conf):
        fault = CONF if one.severity == "error" else UNUSED
        yield fault.at(
            one.place.where[0] or path,
            line=one.line,
            reason=one.message,
            name=os.path.basename(path),
        )


def check_hiera(machine: Examined, path: str) -> Iterator[FoundFault]:
    """Find a configuration of Hiera that cannot be read, and directories of data that are missing."""
    for one in checked(machine, f"{path}/hiera.yaml", check_hiera_config):
        fault = HIERA if one.severity == "error" else DATA
        yield fault.at(one.place.where[0] or path, line=one.line, reason=one.message)


def checked(
    machine: Examined, path: str, check: Callable[[Source], list[Diagnostic]]
) -> list[Diagnostic]:
    """Return what a check finds in a file, nothing if it is absent. Raise OSError."""
    if not machine.host.is_file(path):
        return []
    text = machine.host.read(path).decode("utf-8", "surrogateescape")
    return check(Source(text, path, on_disk=True))


def check_modules(machine: Examined, path: str) -> Iterator[FoundFault]:
    """Find modules of a Puppetfile whose directories are missing or empty."""
    found = read_puppetfile(path, machine.host)
    for one in found.findings:
        if one.severity == "error":
            yield PUPPETFILE.at(found.path, line=one.line, reason=one.message)
    missing = [one.name for one in found.names if not machine.names(one.directory)]
    if missing:
        name = os.path.basename(path)
        yield MODULES.at(found.path, count=len(missing), names=few_names(missing), name=name)


def check_types(machine: Examined, path: str) -> Iterator[FoundFault]:
    """Find generated metadata of resource types that is older than the type, or missing beside others."""
    folder = f"{path}/{TYPES}"
    if not machine.host.is_directory(folder):
        return
    name = os.path.basename(path)
    for source in sources_of_types(machine, path):
        kind = os.path.basename(source).removesuffix(".rb")
        made, written = machine.status(f"{folder}/{kind}.pp"), machine.status(source)
        if written is not None and (made is None or made.modified < written.modified):
            yield STALE_TYPES.at(folder, type=kind, source=source[len(path) + 1 :], name=name)


def sources_of_types(machine: Examined, path: str) -> Iterator[str]:
    """Yield the Ruby files of resource types in the modules of an environment itself."""
    environment = read_environment(
        os.path.basename(path), path, machine.host, (), machine.server, None
    )
    for folder in environment.modulepath:
        for module in machine.names(folder) if folder.startswith(f"{path}/") else ():
            below = f"{folder}/{module}/lib/puppet/type"
            yield from (f"{below}/{one}" for one in machine.names(below) if one.endswith(".rb"))


def check_deployments(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find deployments that were interrupted, and deployed files that somebody changed."""
    states = [state for base in machine.basedirs for state in directories_of_records(machine, base)]
    if not states:
        yield Gap("deployments", "bunraku has deployed no environment here", absent=True)
    for base, root in states:
        staging = f"{root}/staging"
        for name in machine.names(staging):
            age = machine.age(f"{staging}/{name}")
            if age > HOUR:
                yield UNFINISHED.at(
                    f"{staging}/{name}", name=name.rpartition("-")[0], age=length(age)
                )
        yield from check_deployed(machine, base, root)


def directories_of_records(machine: Examined, base: str) -> Iterator[tuple[str, str]]:
    """Yield the directories with records for a directory of environments."""
    inside, (above, name) = f"{base}/.bunraku", os.path.split(base)
    for root in (inside, f"{above}/.{name}.bunraku"):
        if is_state(os.path.basename(root)) and machine.host.is_directory(f"{root}/records"):
            yield base, root


def check_deployed(machine: Examined, base: str, root: str) -> Iterator[FoundFault | Gap]:
    """Find files that are not as the live deployment of an environment has them."""
    state = DeploymentState(base, Store(machine.store), root)
    for name in machine.names(f"{root}/records"):
        live = state.live(name)
        if live is None:
            continue
        yield from check_branch(machine, f"{base}/{name}", live)
        update = update_of(f"{base}/{name}", live.layers, live.layers)
        if update.edited:
            count, file = len(update.edited), min(update.edited)
            yield CHANGED.at(f"{base}/{name}", count=count, file=file, name=name)


def branch_command(machine: Examined, remote: str, ref: str) -> list[str]:
    """Return the command that prints the commit of a branch.

    git refuses the repository of another user, also for root, unless its directory is named as one.
    """
    places = (f"{remote}/.git", remote) if os.path.isabs(remote) else ()
    for place in places:
        if machine.host.is_directory(place):
            return ["git", f"--git-dir={place}", "for-each-ref", "--format=%(objectname)", ref]
    return ["git", "ls-remote", "--", remote, ref]


def check_branch(machine: Examined, path: str, live: Deployed) -> Iterator[FoundFault | Gap]:
    """Find an environment that is not what its branch is now."""
    name = os.path.basename(path)
    for layer in live.layers:
        if layer.directory or layer.kind != "git":
            continue
        what = f"branch of the environment {name}"
        command = branch_command(machine, layer.remote, f"refs/heads/{layer.version}")
        try:
            done = machine.host.complete(command, {"GIT_TERMINAL_PROMPT": "0"}, SECONDS)
        except (OSError, TimeoutExpired):
            yield Gap(what, f"git did not read {layer.remote} in time")
            continue
        newest = done.stdout.decode("utf-8", "replace").partition("\t")[0].strip()
        if done.returncode:
            yield Gap(what, f"git cannot read {layer.remote}")
        elif newest and newest != layer.revision:
            yield BEHIND.at(
                path,
                name=name,
                deployed=layer.revision[:12],
                branch=layer.version,
                newest=newest[:12],
            )
