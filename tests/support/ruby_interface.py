"""The methods of Puppet's Ruby classes, in Puppet and in the process that runs the Ruby code of modules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "ruby_interface_modules"
KINDS = ("instance", "class")
INTERNAL = "bunraku_"
"""The beginning of the names of methods that only bunraku's own code calls."""
Methods = Mapping[str, Any]


def request(names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the batch request for the methods of some classes, or of all that there are."""
    given = "" if names is None else json.dumps(list(names))
    return {
        "id": "interface",
        "code": f"notice(m::interface({given}))",
        "modulepath": [str(FOLDER)],
        "timeout": 60,
    }


def interface(answer: Any) -> dict[str, Methods | None]:
    """Return the methods by class from an answer; None for a class that does not exist."""
    assert answer["error"] is None, answer["error"]
    found: dict[str, Methods | None] = json.loads(answer["notices"][0]["message"])
    return found


def own_names(name: str, classes: Mapping[str, Methods | None], kind: str) -> list[str]:
    """Return the methods of a class that the class above it does not have."""
    found = classes[name]
    assert found is not None
    above = classes.get(found["above"]) or {kind: []}
    return sorted(set(found[kind]) - set(above[kind]))


def names(name: str, rows: Mapping[str, Methods], kind: str) -> set[str]:
    """Return all recorded methods of a class, with those of the classes above it."""
    found: set[str] = set()
    while name in rows:
        found.update(rows[name][kind])
        name = rows[name]["above"]
    return found


def lacking(here: Methods, theirs: set[str], kind: str) -> list[str]:
    """Return the methods that Puppet's class has and bunraku's does not have."""
    return sorted(theirs - set(here[kind]))


def surplus(here: Methods, theirs: set[str], kind: str) -> list[str]:
    """Return the methods that bunraku's class has and Puppet's does not have."""
    more = set(here[kind]) - theirs
    return sorted(name for name in more if not name.startswith(INTERNAL))
