"""One run of an agent: plugins, facts, catalog, changes, report. The order is that of Puppet's agent."""

from __future__ import annotations

from bunraku.agent import issues
from bunraku.agent.catalogs import ReceivedCatalog
from bunraku.agent.run.catalog import chosen_catalog, explicitly_kept
from bunraku.agent.run.changes import apply_changes, run_command
from bunraku.agent.run.environment import choose_environment, environment_exists
from bunraku.agent.run.facts import collect_facts, copies_plugins, copy_plugins, find_node_name
from bunraku.agent.run.report import finish_report
from bunraku.agent.run.state import RunState
from bunraku.base.errors import PuppetError
from bunraku.base.signals import Terminated
from bunraku.providers.errors import ResourceFailure

TRIES = 3
"""How often a run begins again in another environment after the second time."""


def run_once(state: RunState) -> int | None:
    """Run; return the exit code for ``--detailed-exitcodes``, None if no catalog was applied."""
    done = False
    find_server(state)
    try:
        try:
            find_node_name(state)
            done = converge_and_apply(state)
        except (PuppetError, ResourceFailure) as error:
            state.log("err", f"Failed to apply catalog: {error}")
        finally:
            done = run_command(state, "postrun_command") and done
    finally:
        finish_report(state)
    if state.signal is not None:
        raise Terminated(state.signal)
    return state.report.exit_code() if done else None


def converge_and_apply(state: RunState) -> bool:
    """Find the environment and the catalog, and apply it; return whether there was one."""
    answer = explicitly_kept(state)
    if answer is None:
        choose_environment(state)
    state.log("info", f"Using environment '{state.environment}'")
    if answer is None:
        if copies_plugins(state) and environment_exists(state):
            copy_plugins(state)
        collect_facts(state)
        answer = chosen_catalog(state)
    else:
        collect_facts(state)
    if answer is None:
        state.log("err", "Could not retrieve catalog; skipping run")
        return False
    answer = converged_answer(state, answer)
    if answer is None:
        return False
    if not state.settings.flag("noop"):
        state.log("info", f"Caching catalog for {state.node}")
        state.kept.write(answer, state.log)
    if not run_command(state, "prerun_command"):
        return False
    apply_changes(state, answer.catalog)
    return True


def find_server(state: RunState) -> None:
    """Choose the server of ``server_list``; PuppetError if none answers and nothing is cached."""
    listed = state.settings.words("server_list")
    if not listed:
        return
    state.servers.routes.forget()
    try:
        state.report.server_used = state.servers.routes.find("puppet", state.servers).text()
    except PuppetError:
        servers = ",".join(listed)
        if not state.falls_back:
            raise issues.NO_SERVER(servers=servers) from None
        state.failing = True
        text = "Could not select a functional puppet server from server_list:"
        state.log("err", f"{text} '{servers}'")


def converged_answer(state: RunState, answer: ReceivedCatalog) -> ReceivedCatalog | None:
    """Return the catalog of an environment that the server agrees with; None without one."""
    for tries in range(TRIES + 2):
        found = answer.catalog.environment
        if not found or found == state.environment:
            return answer
        if state.settings.flag("strict_environment_mode"):
            state.log(
                "err",
                f"Not using catalog because its environment '{found}' does not match agent "
                f"specified environment '{state.environment}' and strict_environment_mode is set",
            )
            return None
        if tries > TRIES:
            break
        state.log(
            "notice",
            f"Local environment: '{state.environment}' doesn't match server specified environment "
            f"'{found}', restarting agent run with environment '{found}'",
        )
        state.switch(found)
        copy_plugins(state)
        collect_facts(state)
        again = chosen_catalog(state)
        if again is None:
            state.log("err", "Could not retrieve catalog; skipping run")
            return None
        answer = again
    raise issues.UNSTABLE_ENVIRONMENT(tries=TRIES + 1)
