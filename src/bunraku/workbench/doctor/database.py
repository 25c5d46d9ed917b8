"""The PuppetDB: whether it answers, its queue, and what it knows about the nodes of the site."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.puppetdb.commands.queue import REASON
from bunraku.puppetdb.commands.segments import FORM
from bunraku.puppetdb.site.tls import tls_files
from bunraku.puppetdb.timestamps import to_milliseconds
from bunraku.web.requests import HttpRequest
from bunraku.workbench.doctor.findings import Fault, FoundFault, Gap
from bunraku.workbench.doctor.machine import Examined, few_names, length

LONG, OLD = 1000, 600.0
"""Commands that wait, and the seconds that the oldest one may wait."""
SILENT = 2 * 3600.0
OLDEST_AGENT = 7
"""The first number of the oldest agents that were tried with the server."""
UNREACHABLE = Fault(
    "database-unreachable",
    "error",
    "{reason}",
    "see on its host whether bunraku puppetdb or puppetdb runs: ss -ltnp; bunraku query asks it",
)
NEWER = Fault(
    "database-newer",
    "error",
    "{reason}",
    "install the release of bunraku that wrote it, or a newer one",
)
OLDER = Fault(
    "database-older", "warning", "{reason}", "start bunraku puppetdb or bunraku server with it once"
)
LONG_QUEUE = Fault(
    "queue-long",
    "error",
    "commands wait ({count} in the queue), the oldest for {age}",
    "the server must run and must be able to write the database; its log has the reason",
)
DISCARDED = Fault(
    "commands-discarded",
    "warning",
    "commands failed and were set aside ({count}), such as {name}",
    "the files have the reason; remove {place} when it is solved",
)
SILENT_NODES = Fault(
    "nodes-silent",
    "warning",
    "nodes have sent no report for more than two hours ({count}): {names}",
    "bunraku doctor on these nodes; for nodes that do not exist any more: puppet node deactivate NAME, or --node-ttl of bunraku puppetdb",
)
FAILED_NODES = Fault(
    "nodes-failed",
    "warning",
    "the last run of nodes failed ({count}): {names}",
    "bunraku query 'reports[certname, logs] {{ latest_report? = true and status = \"failed\" }}'",
)
OLD_AGENTS = Fault(
    "agents-old",
    "warning",
    "nodes have an agent older than Puppet 7 ({count}): {names}",
    "install a newer agent there; https://docs.openvoxproject.org has packages",
)
CODES = {"PUPPETDB_NEWER_SCHEMA": NEWER, "PUPPETDB_OLDER_SCHEMA": OLDER}
NODES = "nodes[certname, report_timestamp, latest_report_status] { node_state = 'active' }"
VERSIONS = "facts[certname, value] { name = 'puppetversion' }"
DEPTH = "/metrics/v2/read/puppetlabs.puppetdb.mq:name=global.depth"


def check_database(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find a database that cannot be asked, and faults of the nodes in it."""
    if not machine.database:
        yield Gap("PuppetDB", "no puppetdb.conf, no database of a server", absent=True)
        return
    try:
        nodes = machine.query(NODES)
        versions = machine.query(VERSIONS)
        if not all(isinstance(one, Mapping) for one in (*nodes, *versions)):
            yield Gap("nodes of the site", "the PuppetDB does not answer with rows")
            return
    except PuppetError as error:
        fault = CODES.get(error.code, UNREACHABLE)
        address = machine.database.rstrip("/")
        reason = error.message.replace(address, machine.shown_database.rstrip("/"))
        yield fault.at(machine.shown_database, reason=reason)
        yield Gap("nodes of the site", "the PuppetDB could not be asked")
        return
    yield from check_nodes(machine, nodes)
    yield from check_agents(machine, versions)


def check_nodes(machine: Examined, nodes: list[Any]) -> Iterator[FoundFault]:
    """Find nodes without a new report, or with a failed one."""
    oldest = (machine.host.now() - SILENT) * 1000
    silent, failed = [], []
    for node in nodes:
        stamp = node.get("report_timestamp")
        if (to_milliseconds(stamp) or 0) < oldest:
            silent.append(str(node.get("certname")))
        elif node.get("latest_report_status") == "failed":
            failed.append(str(node.get("certname")))
    for fault, names in ((SILENT_NODES, silent), (FAILED_NODES, failed)):
        if names:
            yield fault.at(machine.shown_database, count=len(names), names=few_names(names))


def check_agents(machine: Examined, versions: list[Any]) -> Iterator[FoundFault]:
    """Find agents that are older than those that the server supports."""
    old = [
        f"{one.get('certname')} ({one.get('value')})"
        for one in versions
        if (number := str(one.get("value")).partition(".")[0]).isdecimal()
        and int(number) < OLDEST_AGENT
    ]
    if old:
        yield OLD_AGENTS.at(machine.shown_database, count=len(old), names=few_names(old))


def check_queue(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find commands that wait too long, or were discarded."""
    name = machine.database
    if name.startswith(("http://", "https://")):
        yield from check_remote_queue(machine)
    elif name:
        vardir = f"{machine.of_server('vardir')}/bunraku/puppetdb"
        stem = vardir if "://" in name else name.removesuffix(".queue")
        yield from check_folders(machine, f"{stem}.queue", f"{stem}.discarded")


def check_folders(machine: Examined, queue: str, discarded: str) -> Iterator[FoundFault]:
    """Find commands that wait or were discarded in the folders of a server on this machine."""
    waiting = [one for one in machine.names(queue) if "_" in one or FORM.fullmatch(one)]
    ages = [machine.age(f"{queue}/{one}") for one in waiting]
    if waiting and (len(waiting) > LONG or max(ages) > OLD):
        yield LONG_QUEUE.at(queue, count=len(waiting), age=length(max(ages)))
    failed = [one for one in machine.names(discarded) if not one.endswith(REASON)]
    if failed:
        yield DISCARDED.at(discarded, count=len(failed), name=failed[0])


def check_remote_queue(machine: Examined) -> Iterator[FoundFault | Gap]:
    """Find a long queue of a PuppetDB that is asked over HTTP."""
    tls = tls_files(machine.given, machine.host)
    request = HttpRequest("GET", f"{machine.database.rstrip('/')}{DEPTH}", tls=tls, seconds=10.0)
    try:
        with machine.host.http(request) as response:
            data: Any = json.loads(response.read()) if response.status == 200 else None
    except (OSError, ValueError) as error:
        yield Gap("queue of the PuppetDB", str(error))
        return
    value = data.get("value") if isinstance(data, Mapping) else None
    count = value.get("Count") if isinstance(value, Mapping) else None
    if not isinstance(count, int):
        yield Gap("queue of the PuppetDB", "it does not show its metrics to this machine")
    elif count > LONG:
        yield LONG_QUEUE.at(machine.shown_database, count=count, age="an unknown time")
