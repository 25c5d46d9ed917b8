"""The plugins, the facts and the name of a node in a run."""

from __future__ import annotations

from bunraku.agent import issues
from bunraku.agent.facts import find_facts
from bunraku.agent.plugins import Plugins, mounts
from bunraku.agent.run.state import RunState
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.suggestions import suggestion
from bunraku.modules.names import node_name_problem

PLUGIN_MODE = 0o755
"""The mode of the directories of plugins, before that of the server is known."""


def copies_plugins(state: RunState) -> bool:
    """Return whether plugins are copied before the first catalog."""
    return not state.settings.flag("use_cached_catalog") and not state.failing


def copy_plugins(state: RunState) -> None:
    """Copy the plugins of the environment; a failure leads to the cached catalog, or is raised."""
    plugins = Plugins(
        state.settings,
        state.host,
        state.servers,
        state.log,
        state.log.destinations,
        state.choices.level,
    )
    try:
        state.records.make_directory(state.settings.text("vardir"))
        for mount in mounts(state.settings):
            if not state.host.is_directory(mount.directory):
                state.host.make_directory(mount.directory, PLUGIN_MODE)
        with state.timed("plugin_sync"):
            plugins.copy(state.environment)
    except PuppetError as error:
        if not state.falls_back or state.settings.flag("ignore_plugin_errors"):
            raise
        state.log("err", error.message)
        state.failing = True
    except OSError as error:
        path = state.settings.text("vardir")
        raise issues.PLUGINS_FAILED(name=path, reason=error.strerror or error) from None


def collect_facts(state: RunState) -> None:
    """Collect the facts."""

    def warn(finding: Diagnostic) -> None:
        state.log("warning", finding.message)

    for directory in state.settings.text("factpath").split(":"):
        if state.host.is_directory(directory):
            state.log("info", "Loading facts")
    with state.timed("fact_generation"):
        state.facts = find_facts(
            state.host, state.settings, state.servers.version, warn, state.choices.patience
        )


def find_node_name(state: RunState) -> None:
    """Take the node's name from the fact of node_name_fact; PuppetError if it cannot be one."""
    fact = state.settings.text("node_name_fact")
    if not fact:
        return
    if copies_plugins(state):  # they can have the fact
        copy_plugins(state)
    collect_facts(state)
    value = state.facts.get(fact)
    if not isinstance(value, str):
        found = "there is none" if fact not in state.facts else "it is not a text"
        reason = f"{found}{suggestion(fact, state.facts)}"
        raise issues.NODE_NAME_FACT(fact=fact, reason=reason)
    problem = node_name_problem(value)
    if problem is not None:
        raise issues.NODE_NAME_FACT(fact=fact, reason=problem)
    state.node = state.report.host = value
