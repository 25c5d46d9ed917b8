"""The facts that an agent sends with its request for a catalog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.agent.settings import AgentSettings
from bunraku.apply.times import iso_time
from bunraku.base.errors import Diagnostic
from bunraku.facts.collect import collect_facts
from bunraku.facts.custom import FactFiles, PuppetForFacts, library_facts
from bunraku.facts.external import FOLDERS
from bunraku.formats.encoding import to_bytes
from bunraku.formats.json import json_text
from bunraku.modules.node import agent_facts
from bunraku.world.protocol import World

Facts = dict[str, Any]


def plugin_facts(world: World, settings: AgentSettings) -> FactFiles:
    """Return the files of facts among the plugins that were copied from the server."""
    return library_facts(
        world, settings.text("libdir"), settings.text("pluginfactdest"), settings.text("factpath")
    )


def find_facts(
    world: World,
    settings: AgentSettings,
    version: str,
    warn: Callable[[Diagnostic], None],
    patience: float,
) -> Facts:
    """Return the facts of this machine and those about the agent.

    ``patience`` is the time limit of a custom fact in seconds.
    """
    puppet = {"puppetversion": version}
    found = collect_facts(
        world,
        warn,
        FOLDERS,
        legacy=settings.flag("include_legacy_facts"),
        files=plugin_facts(world, settings),
        patience=patience,
        puppet=PuppetForFacts(puppet, lambda: settings.values),
    )
    chosen = settings.text("environment") if "environment" in settings.given else None
    own = agent_facts(settings.name, chosen)
    own |= {"clientnoop": settings.flag("noop"), "clientversion": version}
    return found | puppet | own


def facts_text(name: str, facts: Facts, now: float, kept: float) -> str:
    """Return facts as JSON, as an agent sends them; ``kept`` is for how many seconds they hold.

    >>> facts_text("web1", {"a": None}, 0.0, 1800.0)[:38]
    '{"name":"web1","values":{"a":""},"time'
    """
    data = {
        "name": name,
        "values": {key: sanitized(value) for key, value in facts.items()},
        "timestamp": iso_time(now),
        "expiration": iso_time(now + kept),
    }
    return to_bytes(json_text(data)).decode("utf-8", "replace")


def sanitized(value: Any) -> Any:
    """Return a fact as it is sent: data, and text for all that is none."""
    if isinstance(value, dict):
        return {str(key): sanitized(item) for key, item in value.items()}
    if isinstance(value, list):
        return [sanitized(item) for item in value]
    if value is None:
        return ""
    return value if isinstance(value, str | bool | int | float) else str(value)
