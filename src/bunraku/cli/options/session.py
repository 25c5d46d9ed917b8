"""What the commands ``agent`` and ``ssl`` share: host, settings, messages and their destinations."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack

from bunraku.agent.settings import AgentSettings
from bunraku.apply.log import Destination
from bunraku.base.records import record
from bunraku.cli.options.agent import agent_settings
from bunraku.cli.options.logdest import opened_destinations
from bunraku.cli.options.shared import paint_for
from bunraku.cli.output.output import Paint, write
from bunraku.cli.report.console import Console
from bunraku.engine.dialects import find_dialect
from bunraku.world.linux import LinuxHost


@record(slots=False)
class Session:
    """One call of a command."""

    options: argparse.Namespace
    host: LinuxHost
    settings: AgentSettings
    version: str
    """The version of Puppet that the agent emulates."""
    level: str
    console: Console
    paint: Paint

    def destinations(self, stack: ExitStack, names: str = "") -> Sequence[Destination]:
        """Return the destinations of messages; UsageError for one that cannot be used."""
        return opened_destinations(names, self.console, stack)

    def say(self, line: str) -> None:
        """Print a line for the person who waits."""
        write(f"{line}\n")


def session_of(options: argparse.Namespace, level: str) -> Session:
    """Return the session of a command line; PuppetError or UsageError for wrong settings."""
    host, paint = LinuxHost(), paint_for(options)
    level = "debug" if options.debug else level
    found = agent_settings(options, host)
    if "http_user_agent" not in found.given:
        from bunraku.base.version import version as bunraku_version

        version = bunraku_version().strip("()").replace(" ", "-")
        given = {**found.given, "http_user_agent": f"bunraku/{version}"}
        found = AgentSettings(given, found.certname, found.by_option)
    version = find_dialect(None, "puppet", {}).version
    return Session(options, host, found, version, level, Console(level, paint), paint)
