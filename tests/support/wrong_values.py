"""Resources with wrong values, and what Puppet says of them."""

from __future__ import annotations

import json
from pathlib import Path

import bunraku
from bunraku import Catalog

HERE = Path(__file__).parents[1] / "apply"
RECORDED = HERE / "wrong_values.json"


def lines() -> list[str]:
    """Return the resources of the table, each as Puppet code."""
    text = (HERE / "wrong_values.pp").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def recorded() -> dict[str, str | None]:
    """Return Puppet's refusal of each resource, None for those that it accepts."""
    found: dict[str, str | None] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def catalog_of(line: str) -> Catalog:
    """Return the catalog of a resource."""
    return bunraku.compile(line)
