"""The facts of a usual machine, whose names facts of others have, too."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_typing import Any
from bunraku.facts.built_in_systems import built_in_facts

USUAL_SYSTEM = "debian-12-x86_64"


@remembered(1)
def sample_facts() -> Mapping[str, Any]:
    """Return the facts."""
    return built_in_facts(USUAL_SYSTEM)
