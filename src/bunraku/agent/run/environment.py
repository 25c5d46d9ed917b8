"""The environment of a run: that of the options, of the last run or of the server."""

from __future__ import annotations

from bunraku.agent import issues
from bunraku.agent.http import Query, RefusedAnswer, encoded
from bunraku.agent.run.state import RunState
from bunraku.base.errors import PuppetError
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml import load_plain

NOT_FOUND = 404
DIGEST = "sha256"


def choose_environment(state: RunState) -> None:
    """Take the environment of the last run or of the server, unless an option sets it."""
    settings = state.settings
    if "environment" in settings.by_option or settings.flag("strict_environment_mode"):
        return
    last = last_environment(state) if settings.flag("use_last_environment") else None
    if last is None:
        last = environment_of_server(state)
    if last:
        state.switch(last)


def last_environment(state: RunState) -> str | None:
    """Return the environment that the server chose in the last run; empty if it chose none.

    None means that there was no run of an agent.
    """
    try:
        summary = load_plain(state.host.read(state.records.directories.summary))
        found = summary["application"]
        if found["run_mode"] != "agent":
            return None
        initial, converged = found["initial_environment"], found["converged_environment"]
    except (OSError, FormatError, ValueError, KeyError, TypeError):
        return None
    return "" if initial == converged else str(converged)


def environment_of_server(state: RunState) -> str | None:
    """Return the environment that the server has for this node; None if it does not say."""
    name = encoded(state.node)
    pairs = [
        ("environment", state.environment),
        ("configured_environment", state.configured or state.environment),
        ("transaction_uuid", state.report.transaction),
    ]
    try:
        with state.timed("node_retrieval"):
            node = state.servers.json(Query("puppet", f"/node/{name}", pairs))
    except PuppetError as error:
        text = "Unable to fetch my node definition, but the agent run will continue:"
        state.log("warning", text)
        state.log("warning", error.message)
        return None
    found = node.get("environment") if isinstance(node, dict) else None
    if not isinstance(found, str):
        return None
    if found != state.environment:
        state.log(
            "notice",
            f"Local environment: '{state.environment}' doesn't match server specified node "
            f"environment '{found}', switching agent to '{found}'.",
        )
    return found


def environment_exists(state: RunState) -> bool:
    """Return whether the server has the environment; PuppetError if it must have it."""
    pairs = [
        ("recurse", "false"),
        ("links", "manage"),
        ("checksum_type", DIGEST),
        ("source_permissions", "ignore"),
        ("environment", state.environment),
    ]
    path = "/file_metadatas/" + state.settings.text("pluginsource").rpartition("/")[2]
    try:
        state.servers.json(Query("fileserver", path, pairs))
    except RefusedAnswer as error:
        if error.status != NOT_FOUND:
            state.log("err", error.message)
            return False
        if state.settings.flag("strict_environment_mode"):
            raise issues.ENVIRONMENT_MISSING(name=state.environment) from None
        text = "not found on server, skipping initial pluginsync."
        state.log("notice", f"Environment '{state.environment}' {text}")
        return False
    except PuppetError as error:
        state.log("err", error.message)
        return False
    return True
