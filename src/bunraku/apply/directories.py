"""The directories and files of a machine in which runs keep their state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from bunraku.base.records import field, record

OF_ROOT = "/var/lib/bunraku"
"""The directory in which runs of root keep their state."""


@record(frozen=True)
class Directories:
    """The directories of state; ``settings`` may set others under Puppet's names.

    ``files`` are the paths of files that are not at their usual places, by the names of settings.
    """

    var: str
    state: str
    public: str
    bucket: str
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def report(self) -> str:
        """The report of the last run."""
        return self.files.get("lastrunreport") or os.path.join(self.state, "last_run_report.yaml")

    @property
    def summary(self) -> str:
        """The figures of the last run."""
        return self.files.get("lastrunfile") or os.path.join(self.public, "last_run_summary.yaml")

    @property
    def memory(self) -> str:
        """The state for the next run: times of checks and audited values."""
        return self.files.get("statefile") or os.path.join(self.state, "state.yaml")

    @property
    def store(self) -> str:
        """The values at the end of the last run, used to recognise corrective changes."""
        return self.files.get("transactionstorefile") or os.path.join(
            self.state, "transactionstore.yaml"
        )

    @property
    def lock(self) -> str:
        """The lock that a run holds."""
        return self.files.get("agent_catalog_run_lockfile") or os.path.join(
            self.state, "apply.lock"
        )

    @property
    def classes(self) -> str:
        """The list of the classes of the last catalog."""
        return self.files.get("classfile") or os.path.join(self.state, "classes.txt")

    @property
    def resources(self) -> str:
        """The list of the resources of the last catalog."""
        return self.files.get("resourcefile") or os.path.join(self.state, "resources.txt")


def directories_of(settings: Mapping[str, Any], *, root: bool, home: str) -> Directories:
    """Return the directories of state of root or of another user.

    >>> directories_of({}, root=True, home="/root").report
    '/var/lib/bunraku/state/last_run_report.yaml'
    >>> directories_of({"statedir": "/srv/state"}, root=True, home="/root").memory
    '/srv/state/state.yaml'
    """
    var = str(settings.get("vardir") or (OF_ROOT if root else f"{home}/.local/state/bunraku"))
    return Directories(
        var,
        str(settings.get("statedir") or os.path.join(var, "state")),
        str(settings.get("publicdir") or os.path.join(var, "public")),
        str(settings.get("clientbucketdir") or os.path.join(var, "clientbucket")),
    )
