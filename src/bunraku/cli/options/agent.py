"""Options of the commands ``agent`` and ``ssl``, and the settings that they and puppet.conf give."""

from __future__ import annotations

import argparse
import os
import posixpath
from typing import Any

from bunraku.agent.settings import AgentSettings
from bunraku.base.usage import UsageError
from bunraku.cli.options.declarations import Rules, defaults_of
from bunraku.cli.options.puppet_settings import PUPPET_SETTINGS, chosen_settings
from bunraku.cli.options.shared import node_argument
from bunraku.jobs.facts_files import machine_name
from bunraku.jobs.puppet_conf import read_configuration
from bunraku.modules.settings import DEFAULTS, duration, own_directories, resolve_one
from bunraku.world.linux import LinuxHost

NODE_AND_SERVERS = f"""
[node and servers]
--certname NAME: the node's name (default: its FQDN)
--server NAME: the server (default: puppet)
--serverport PORT: its port (default: 8140)
--ca-server NAME: the server of the certificate authority (default: that of --server)
--ca-port PORT: its port (default: that of --serverport)
--confdir DIR: directory of puppet.conf (default: Puppet's, which depends on the user)
--vardir DIR: directory for all that the agent keeps (default: Puppet's)
--ssldir DIR: directory of keys and certificates (default: ssl below --confdir)
--waitforcert TIME: time between two requests for the certificate; 0 does not wait (default: 2m; 0
    with --onetime)
@environment: name of the environment
--config FILE: read settings from this file instead of puppet.conf
{PUPPET_SETTINGS}
"""
"""The node, its servers and its directories."""
NODE_RULES: Rules = {"certname": {"type": node_argument}, "config": {"dest": "settings_file"}}
RUNS = """
--[no-]noop: report changes without making them
--[no-]splay: wait a random time before a run
--[no-]show-diff: log the differences in files
--[no-]use-cached-catalog: apply the catalog of the last run without asking for a new one
--[no-]usecacheonfailure: apply the catalog of the last run if the server sends none (default: yes)
--[no-]ignoreschedules: ignore the schedules of resources
--[no-]evaltrace: log the duration of each resource (with --verbose)
--[no-]daemonize: run in the background (default: yes, unless --onetime)
--waitforlock TIME: time between two attempts to get the lock of runs (default: 0, none)
--maxwaitforlock TIME: longest time to wait for the lock of runs (default: 1m)
--splaylimit TIME: longest delay with --splay (default: that of --runinterval)
--runinterval TIME: time between two runs (default: 30m)
--tags TAGS: apply only resources with one of these comma-separated tags
--skip-tags TAGS: skip resources with one of these comma-separated tags
"""
"""The runs of an agent: each option is a setting."""
NAMED = (
    *("environment", "certname", "server", "serverport", "ca_server", "ca_port"),
    *("confdir", "vardir", "ssldir", "waitforcert", *defaults_of(RUNS, {})),
)
"""Settings whose options are in the help."""


def agent_settings(options: argparse.Namespace, host: LinuxHost) -> AgentSettings:
    """Return the settings of the command line, of puppet.conf and of the user."""
    own = {} if host.effective_user() == 0 else own_directories(os.path.expanduser("~"))
    chosen = chosen_settings(options, NAMED)
    for name in chosen:
        if name not in DEFAULTS:
            raise UsageError(f"Puppet 8 has no setting '{name}'", "agent")
    if getattr(options, "target", None):
        chosen |= directories_of_device(options.target, {**own, **chosen})
    confdir = chosen.get("confdir") or {**DEFAULTS, **own}["confdir"]
    configured = configuration(options.settings_file, f"{confdir}/puppet.conf", host)
    given = {**own, **configured, **chosen}
    name = agent_name(host, given)
    if given.get("use_srv_records") and not given.get("srv_domain"):
        given["srv_domain"] = (agent_name(host, {}).partition(".")[2]) or None
    found = AgentSettings(given, name, frozenset(chosen))
    found.check()
    return found


def directories_of_device(name: str, given: dict[str, Any]) -> dict[str, str]:
    """Return the settings of a device: its name and its own directories (``puppet device``)."""
    directory = posixpath.join(str(resolve_one("devicedir", given, name)), name)
    return {"certname": name, "confdir": directory, "vardir": directory}


def configuration(named: str | None, usual: str, host: LinuxHost) -> dict[str, Any]:
    """Return the settings of a puppet.conf; UsageError if it is named and cannot be read."""
    if named is not None:
        return read_configuration(os.path.abspath(named), "agent")
    return read_configuration(usual, "agent") if host.is_file(usual) else {}


def agent_name(host: LinuxHost, given: dict[str, Any]) -> str:
    """Return the full name of this machine, unless a setting names the node."""
    if given.get("certname"):
        return str(given["certname"])
    name = machine_name(host, with_external=False)
    if not name:
        raise UsageError("this machine has no name; give --certname NAME")
    return name


def seconds_of(option: str, text: str | None, examples: str, command: str) -> float | None:
    """Return the seconds of a duration that an option gives, None without one; UsageError for other text."""
    found = None if text is None else duration(text)
    if isinstance(found, str):
        raise UsageError(f"{option}: invalid time {text!r}: use {examples}", command)
    return found
