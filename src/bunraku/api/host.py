"""The Python interface to this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from bunraku.api.compile import is_path
from bunraku.api.options import JobOptions
from bunraku.base.usage import UsageError
from bunraku.catalog.catalog import Catalog
from bunraku.jobs.keywords import checked_arguments, checked_record
from bunraku.jobs.observer import SILENT, Observer
from bunraku.jobs.project_context import context_in

if TYPE_CHECKING:
    from bunraku.apply.direct import Direct
    from bunraku.apply.plan import Plan
    from bunraku.apply.report import Report
    from bunraku.jobs.apply import ApplyJob
    from bunraku.providers.listing import Observed


class Host:
    """This machine: apply catalogs, show what they would change, read resources and facts.

    ``directory`` is where the project is searched, as for ``bunraku apply`` there. ``statedir`` and
    ``vardir`` are directories for the state of runs; by default they are Puppet's. The keywords are those
    of every job. Raises UsageError, PuppetError and TypeError.

    >>> Host(no_project=True).facts("kernel")
    {'kernel': 'Linux'}
    """

    @checked_arguments
    def __init__(
        self,
        directory: str | os.PathLike[str] = ".",
        *,
        statedir: str | None = None,
        vardir: str | None = None,
        observer: Observer = SILENT,
        **options: Unpack[JobOptions],
    ) -> None:
        if not os.path.isdir(directory):
            raise UsageError(f"cannot find the directory {os.fspath(directory)}")
        self.directory = directory
        self.observer = observer
        self.state = {"statedir": statedir, "vardir": vardir}
        self.options = options
        self.context = context_in(directory, observer, below=True, **options)

    @checked_arguments
    def plan(self, what: str | os.PathLike[str] | Catalog | None = None, **options: Any) -> Plan:
        """Return the changes that :meth:`apply` would make; nothing is changed.

        >>> found = Host(no_project=True).plan("file { '/nowhere/at/all': ensure => absent }")
        >>> found.steps
        ()
        """
        job = self._job(what, options)
        return job.plan(job.catalog())

    @checked_arguments
    def apply(
        self,
        what: str | os.PathLike[str] | Catalog | None = None,
        *,
        noop: bool | None = None,
        **options: Any,
    ) -> Report:
        """Apply code, a manifest, a catalog or the main manifest; return the report of the run.

        Report and state are written where Puppet has them. The keywords are the fields of
        :class:`bunraku.jobs.apply.ApplyOptions`, such as ``tags`` and ``show_diff``.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     host = Host(no_project=True, vardir=folder)
        ...     report = host.apply(f"file {{ '{folder}/motd': content => 'Hello' }}")
        ...     [status.changed for status in report.statuses.values() if status.events]
        [True]
        """
        from bunraku.apply.records import Records

        job = self._job(what, {**options, "noop": noop})
        records = Records(job.host, job.directories, reports=True)
        with records.locked():
            return job.apply(job.catalog(), records, ())

    @checked_arguments
    def resources(
        self, type_name: str, title: str | None = None, extra: Sequence[str] = ()
    ) -> list[Observed]:
        """Return the resources of a type, or the one with a title; ``extra`` names parameters to return.

        >>> [one.attributes["ensure"] for one in Host(no_project=True).resources("user", "root")]
        ['present']
        """
        from bunraku.jobs.resource import read_or_change

        return read_or_change(self._machine(), type_name, title, extra=extra)[0]

    @checked_arguments
    def change(self, type_name: str, title: str, values: Mapping[str, str]) -> Observed:
        """Change attributes of a resource and return it as it is afterwards; PuppetError if that fails."""
        from bunraku.jobs.resource import read_or_change

        return read_or_change(self._machine(), type_name, title, values)[0][0]

    @checked_arguments
    def facts(self, *names: str) -> dict[str, Any]:
        """Return the facts of this machine and of the project's modules; some by name, or all."""
        from bunraku.facts.legacy import fact_value
        from bunraku.jobs.facts import FactsOptions, machine_facts

        found = machine_facts(self.context, FactsOptions(names)).values
        return {name: fact_value(found, name) for name in names} if names else found

    def _machine(self) -> Direct:
        from bunraku.jobs.resource import ResourceOptions, machine_of

        return machine_of(
            self.context,
            ResourceOptions(statedir=self.state["statedir"], vardir=self.state["vardir"]),
        )

    def _job(
        self, what: str | os.PathLike[str] | Catalog | None, options: Mapping[str, Any]
    ) -> ApplyJob:
        from bunraku.jobs.apply import ApplyJob, ApplyOptions
        from bunraku.jobs.compile import CodeOrManifest

        given: dict[str, Any] = {**self.state, **options}
        if isinstance(what, Catalog):
            given["catalog_text"] = what.to_json()
        elif what is not None and is_path(what):
            given["what"] = CodeOrManifest(path=os.fspath(what))
        elif what is not None:
            given["what"] = CodeOrManifest(code=str(what))
        return ApplyJob(self.context, checked_record(ApplyOptions, given))
