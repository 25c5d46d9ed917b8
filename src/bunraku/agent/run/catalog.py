"""The catalog of a run: from the server, or that of an earlier run."""

from __future__ import annotations

import re

from bunraku.agent.catalogs import CatalogRequest, ReceivedCatalog, request_catalog
from bunraku.agent.facts import facts_text
from bunraku.agent.run.state import RunState
from bunraku.base.errors import PuppetError
from bunraku.providers.type_modules import module_hint

UNKNOWN_TYPE = re.compile(r"Unknown resource type: '(\w+)'")


def explicitly_kept(state: RunState) -> ReceivedCatalog | None:
    """Return the cached catalog if the settings require it; None if there is none, too."""
    if not state.uses_kept:
        return None
    answer = state.kept.read(state.log)
    if answer is None:
        state.uses_kept = state.falls_back = False
        return None
    state.report.cached = "explicitly_requested"
    found = answer.catalog.environment
    state.log("info", f"Using cached catalog from environment '{found}'")
    if found != state.environment and not state.settings.flag("strict_environment_mode"):
        state.log(
            "notice",
            f"Local environment: '{state.environment}' doesn't match the environment of the cached "
            f"catalog '{found}', switching agent to '{found}'.",
        )
        state.switch(found)
    return answer


def chosen_catalog(state: RunState) -> ReceivedCatalog | None:
    """Return a catalog of the server, or the cached one after a failure; None without one."""
    if state.failing:
        return kept_after_failure(state, same=False) or new_catalog(state)
    return new_catalog(state) or kept_after_failure(state)


def new_catalog(state: RunState) -> ReceivedCatalog | None:
    """Return a catalog of the server; log an error and return None without one."""
    wanted = CatalogRequest(
        state.node,
        facts_text(
            state.node,
            state.facts,
            state.host.now(),
            state.settings.number("runinterval"),
        ),
        state.environment,
        state.configured,
        state.report.transaction,
        state.choices.job,
        ".".join(state.settings.words("supported_checksum_types")),
    )
    try:
        with state.timed("config_retrieval"):
            present = state.kept.tagged(state.environment)
            return request_catalog(state.servers, state.log, wanted, present)
    except PuppetError as error:
        text = f"Could not retrieve catalog from remote server: {error.message}"
        state.log("err", text)
        unknown = UNKNOWN_TYPE.search(text)
        if unknown is not None and (hint := module_hint(unknown[1])) is not None:
            state.log("notice", f"{unknown[1]}: {hint} of the server")
        return None


def kept_after_failure(state: RunState, *, same: bool = True) -> ReceivedCatalog | None:
    """Return the cached catalog, if it may be used; ``same`` requires the same environment."""
    if not state.falls_back:
        state.log("warning", "Not using cache on failed catalog")
        return None
    answer = state.kept.read(state.log)
    if answer is None:
        return None
    found = answer.catalog.environment
    if same and found != state.environment:
        state.log(
            "err",
            f"Not using cached catalog because its environment '{found}' does not match "
            f"'{state.environment}'",
        )
        return None
    state.report.cached = "on_failure"
    state.log("info", f"Using cached catalog from environment '{found}'")
    return answer
