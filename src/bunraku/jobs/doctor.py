"""Examine this machine or site and say what to do; nothing is changed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.modules.ini import read_settings
from bunraku.modules.settings import (
    DEFAULTS,
    own_directories,
    read_configuration,
    resolve,
    wrong_value,
)
from bunraku.puppetdb.client import Client, server_url
from bunraku.puppetdb.site.server import url_in
from bunraku.puppetdb.site.tls import machine_name, tls_files
from bunraku.server.settings import all_values, with_defaults
from bunraku.workbench.doctor import examine as engine
from bunraku.workbench.doctor.examine import Check, Examination
from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined
from bunraku.world.host import Host
from bunraku.world.linux import LinuxHost

COMMAND = "doctor"
SECONDS = 30.0
"""The time limit of a query."""


@record()
class DoctorOptions:
    """What is examined: settings of Puppet over those of puppet.conf, and the codes that are wanted.

    ``puppetdb`` is a URL or a database file, ``deploy_config`` an r10k.yaml; empty values are those of
    this machine. No code in ``only`` stands for all.
    """

    settings: Mapping[str, Any] = field(default_factory=dict, shown=False)
    puppetdb: str = ""
    deploy_config: str = ""
    only: Sequence[str] = ()
    ignore: Sequence[str] = ()


def doctor(options: DoctorOptions, host: Host | None = None) -> Examination:
    """Examine a machine. Raise UsageError for unknown codes and settings that cannot be read."""
    checks, known, gaps = all_checks()
    wanted = engine.selection(
        known, *(checked_codes(known, one) for one in (options.only, options.ignore))
    )
    try:
        machine = examined(options, host or LinuxHost())
    except PuppetError as error:  # the settings refer to themselves, or an r10k.yaml is wrong
        raise UsageError(str(error), COMMAND) from None
    found = engine.examine(machine, checks, wanted.__contains__)
    if not machine.has_anything:
        gaps = (
            *gaps,
            Gap(
                "site",
                f"nothing of Puppet is here; --confdir names another directory than {machine.of_agent('confdir')}",
            ),
        )
    return Examination(found.findings, found.absent, (*found.unchecked, *gaps))


def all_checks() -> tuple[dict[str, Check], dict[str, Fault], tuple[Gap, ...]]:
    """Return the checks, the faults that they find, and what cannot be checked without a package."""
    try:
        from bunraku.workbench.doctor import certificates
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "cryptography":
            raise
        gap = Gap(
            "certificates", "the package cryptography is not installed: pip install cryptography"
        )
        return dict(engine.CHECKS), engine.faults(*engine.MODULES), (gap,)
    checks = {
        "authority": certificates.check_authority,
        "certificate of this machine": certificates.check_host,
        **engine.CHECKS,
    }
    return checks, engine.faults(certificates, *engine.MODULES), ()


def checked_codes(known: Mapping[str, Fault], codes: Sequence[str]) -> Sequence[str]:
    """Return codes; UsageError for one that no check has."""
    for code in codes:
        if code not in known:
            near = suggestion(code, known)
            raise UsageError(f"unknown code '{code}'{near}; docs/doctor.md lists them", COMMAND)
    return codes


# -- the machine -------------------------------------------------------------------------------------


def examined(options: DoctorOptions, host: Host) -> Examined:
    """Return the machine with its settings, those given over those of puppet.conf."""
    home = os.path.expanduser("~")
    own = {} if host.effective_user() == 0 else own_directories(home)
    confdir = str(options.settings.get("confdir") or {**DEFAULTS, **own}["confdir"])
    configuration = str(options.settings.get("config") or f"{confdir}/puppet.conf")
    given = {"confdir": confdir, **options.settings}
    name = machine_name(host)
    agent = {**own, **configured(configuration, host, "agent"), **given}
    server = {**configured(configuration, host, "server"), **given}
    agent_values = resolve(agent, name)
    agent_values["certname"] = str(agent_values["certname"]).lower()
    server_values = all_values(with_defaults(server, name))
    database = options.puppetdb or database_of(host, confdir, str(server_values["vardir"]))
    basedirs, store = deployments(options.deploy_config)
    paths = [one for one in str(server_values["environmentpath"]).split(":") if one]
    return Examined(
        host,
        agent_values,
        server_values,
        agent,
        configuration,
        database,
        partial(database_rows, database, agent, host),
        list(dict.fromkeys([*paths, *basedirs])),
        store,
    )


def configured(path: str, host: Host, mode: str) -> dict[str, Any]:
    """Return the settings of a puppet.conf; without wrong ones, which a check reports."""
    try:
        found = read_configuration(path, host, mode) if host.is_file(path) else {}
    except PuppetError:
        return {}
    return {name: value for name, value in found.items() if wrong_value(name, value) is None}


def database_of(host: Host, confdir: str, vardir: str) -> str:
    """Return the PuppetDB of puppetdb.conf, else that of a bunraku server, empty without both."""
    path = f"{confdir}/puppetdb.conf"
    if host.is_file(path):
        try:
            return url_in(read_settings(path, host))
        except PuppetError:  # a check reports the line
            return ""
    own = f"{vardir}/bunraku/puppetdb.sqlite"
    return own if host.is_file(own) else ""


def deployments(path: str) -> tuple[list[str], str]:
    """Return the directories of environments of an r10k.yaml, and that of the store."""
    from bunraku.jobs.deploy import Deployment, DeployOptions

    if not path:
        from bunraku.deployment.store import store_directory

        return [], store_directory("")
    site = Deployment(DeployOptions(config=path, offline=True))
    return sorted({os.path.realpath(one.basedir) for one in site.sources}), site.store.root


def database_rows(database: str, settings: Mapping[str, Any], host: Host, query: str) -> list[Any]:
    """Return the rows of a query; the settings name the files for TLS. Raise PuppetError."""
    from bunraku.jobs.query import QueryOptions, query_rows

    if database.startswith(("http://", "https://")):
        tls = tls_files(settings, host)
        return Client(server_url(database), host, tls, SECONDS).query(query)
    return query_rows(query, QueryOptions(database, timeout=SECONDS))


# -- the result --------------------------------------------------------------------------------------


def examination_data(found: Examination) -> dict[str, Any]:
    """Return an examination as JSON has it."""
    return {
        "findings": [finding_data(one) for one in found.findings],
        "unchecked": [{"subject": one.subject, "reason": one.reason} for one in found.unchecked],
        "absent": [{"subject": one.subject, "reason": one.reason} for one in found.absent],
    }


def finding_data(found: FoundFault) -> dict[str, str]:
    """Return a finding as JSON has it."""
    return {name: getattr(found, name) for name in ("code", "severity", "message", "hint", "place")}
