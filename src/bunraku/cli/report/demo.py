"""``bunraku server demo``: a whole site on this machine, in a temporary directory, until Ctrl-C."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from time import sleep

from bunraku.base.excerpt import visible
from bunraku.cli import exits
from bunraku.cli.output.output import write
from bunraku.cli.report.dashboard import PUPPETBOARD
from bunraku.demonstration.running_site import (
    COMMAND,
    Addresses,
    Site,
    make_site,
    run_agent,
    start_servers,
)
from bunraku.demonstration.site_files import NODES
from bunraku.jobs.serving.process import server_function
from bunraku.jobs.serving.systemd import VARIABLES
from bunraku.world.scratch import scratch_directory

INTERVAL = 30
"""Seconds between two runs of the agents."""
STEP = 0.2
CURL = "curl --cacert ssl/certs/ca.pem --cert ssl/certs/localhost.pem --key ssl/private_keys/localhost.pem"
DESCRIPTION = """\

The server is {server}, PuppetDB is {puppetdb} and {plain}.
The agents change files below {folder}/roots only. They run every {interval} seconds:
edit environments/production/manifests/site.pp there, and watch.

Start here, since the paths of the certificates are relative:
  cd {folder}
Status and metrics of the server:
  curl --cacert ssl/certs/ca.pem {server}/status/v1/services
  {curl} {server}/metrics
Nodes, resources and metrics of PuppetDB:
  {curl} -G {puppetdb}/pdb/query/v4 --data-urlencode 'query=nodes[certname, latest_report_status] {{}}'
  {curl} -G {puppetdb}/pdb/query/v4 --data-urlencode 'query=resources[certname, title] {{ type = "File" }}'
  {curl} {puppetdb}/metrics
  bunraku query 'reports[certname, status] {{}}' --storedconfigs {plain}
Certificates of the authority:
  {curl} {server}/puppet-ca/v1/certificate_statuses/all
"""


def demonstrate() -> int:
    """Run a site until a signal comes; leave nothing behind. UsageError if a server cannot start."""
    server_function(COMMAND)  # its packages are installed
    inherited = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    with scratch_directory() as folder, ExitStack() as running:
        write(f"A site is made in {folder}.\n")
        write("")
        site = make_site(folder, inherited)
        addresses = start_servers(site, running)
        with suppress(KeyboardInterrupt):
            write(description(folder, addresses))
            write(dashboard(addresses))
            write("Press Ctrl-C to stop and remove everything.\n\n")
            write("")
            run_agents(site, addresses)
    return exits.OK


def run_agents(site: Site, addresses: Addresses) -> None:
    """Run the agents one after the other, again and again, until a signal comes; print their messages."""
    while True:
        for node in NODES:
            lines, outcome = run_agent(site, addresses, node)
            for line in lines:
                write(f"{node}: {visible(line)}\n")
            write(f"{node}: the run is complete: {outcome}\n")
            write("")
        for _ in range(int(INTERVAL / STEP)):
            sleep(STEP)


def description(folder: str, addresses: Addresses) -> str:
    """Return where to look."""
    return DESCRIPTION.format(
        server=addresses.server,
        puppetdb=addresses.puppetdb,
        plain=addresses.plain,
        folder=folder,
        interval=INTERVAL,
        curl=CURL,
    )


def dashboard(addresses: Addresses) -> str:
    """Return how to start a dashboard on the PuppetDB, as ``bunraku puppetdb demo`` does."""
    host, _, port = addresses.plain.removeprefix("http://").rpartition(":")
    return PUPPETBOARD.format(host=host, port=port)
