"""Facts in files, JSON or YAML, plain or as Puppet stores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.facts.issues import BAD_FACTS_FILE
from bunraku.formats.document import Format, read_document
from bunraku.formats.json import as_json
from bunraku.formats.shape import SCALAR, Fields, HashOf

Facts = dict[str, Any]
FACTS = HashOf(key=SCALAR, expected="a Hash of facts")
"""Facts by name; YAML makes numbers and Booleans of some names."""
STORED = Fields({"name": SCALAR, "values": FACTS}, required=("name", "values"))
"""Facts as Puppet stores them, with the name of the node."""


def facts_in(content: str | bytes, path: str, format_: Format | None = None) -> Facts:
    """Return the facts in a text, whose format is that of the file's name unless it is given.

    Raises PuppetError, with the place, for anything but a hash. An empty text has no facts.

    >>> facts_in("{name: web1, values: {role: db}}", "web1.yaml")
    {'role': 'db'}
    """
    document = read_document(content, path, BAD_FACTS_FILE, format_)
    data = document.data
    if data is None:
        return {}
    stored = isinstance(data, Mapping) and {"name", "values"} <= data.keys()
    document.check(STORED if stored else FACTS, BAD_FACTS_FILE)
    return with_names(data["values"] if stored else data)


def with_names(data: Mapping[Any, Any]) -> Facts:
    """Return facts as they travel from an agent to a server, in JSON: all keys are text.

    >>> with_names({1: "a", "b": {True: 2}})
    {'1': 'a', 'b': {'true': 2}}
    """
    found: Facts = as_json(data)
    return found
