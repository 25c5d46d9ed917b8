"""Run the checks of a machine and collect what they find."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.workbench.doctor import agent, database, disks, environments, permissions, server
from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined

Check = Callable[[Examined], Iterator[FoundFault | Gap] | Iterator[FoundFault]]
CHECKS: Mapping[str, Check] = {
    "keys": permissions.check_keys,
    "passwords": permissions.check_passwords,
    "directories": permissions.check_directories,
    "owner of the authority": permissions.check_owner,
    "autosigning": permissions.check_autosign,
    "space on disks": disks.check_space,
    "temporary files": disks.check_left_files,
    "puppet.conf": server.check_settings,
    "files of the server": server.check_other_files,
    "server": server.check_servers,
    "runs of the agent": agent.check_runs,
    "disabled agent": agent.check_disabled,
    "locks of the agent": agent.check_locks,
    "pid files": agent.check_pid_files,
    "source of the catalog": agent.check_catalog,
    "PuppetDB": database.check_database,
    "queue of the PuppetDB": database.check_queue,
    "environments": environments.check_environments,
    "deployments": environments.check_deployments,
}
"""What is checked → the check."""
MODULES = (agent, database, disks, environments, permissions, server)


@record(frozen=True)
class Examination:
    """What was found, what this machine does not have, and what could not be checked."""

    findings: tuple[FoundFault, ...]
    absent: tuple[Gap, ...]
    unchecked: tuple[Gap, ...]


def faults(*modules: object) -> dict[str, Fault]:
    """Return the faults that modules of checks declare, by code."""
    found = [one for module in modules for one in vars(module).values() if isinstance(one, Fault)]
    return {one.code: one for one in sorted(found, key=lambda one: one.code)}


def examine(
    machine: Examined, checks: Mapping[str, Check], selects: Callable[[str], bool]
) -> Examination:
    """Run checks; what is not readable is a gap, and the rest is checked nevertheless.

    ``selects`` is whether findings with a code are wanted.
    """
    findings: dict[FoundFault, None] = {}
    gaps: dict[Gap, None] = {}
    for subject, check in checks.items():
        for one in results(machine, subject, check):
            if isinstance(one, Gap):
                gaps[one] = None
            elif selects(one.code):
                findings[one] = None
    return Examination(
        tuple(sorted(findings, key=lambda one: (one.severity, one.code, one.place))),
        tuple(one for one in gaps if one.absent),
        tuple(one for one in gaps if not one.absent),
    )


def results(machine: Examined, subject: str, check: Check) -> Iterator[FoundFault | Gap]:
    """Yield what a check finds, and the reason if it cannot end."""
    try:
        yield from check(machine)
    except OSError as error:
        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        yield Gap(subject, f"{where}{error.strerror or error}")
    except UnicodeEncodeError:  # such as the URL of a PuppetDB
        yield Gap(subject, "a name or an address is not valid UTF-8")
    except PuppetError as error:
        yield Gap(subject, error.message)


def selection(codes: Collection[str], only: Collection[str], ignored: Collection[str]) -> set[str]:
    """Return the codes that are wanted.

    >>> sorted(selection({"a", "b", "c"}, ["a", "b"], ["b"]))
    ['a']
    """
    return (set(only) or set(codes)) - set(ignored)
