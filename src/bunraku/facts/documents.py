"""Facts in files, JSON or YAML, plain or as Puppet stores them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from bunraku.base.file_reading import read_whole
from bunraku.base.source import Place
from bunraku.facts.issues import BAD_FACTS_FILE
from bunraku.formats.document import Format, read_document
from bunraku.formats.json import as_json
from bunraku.formats.shape import SCALAR, Fields, HashOf

Facts = dict[str, Any]
FACTS_EXTENSIONS = (".yaml", ".yml", ".json")
"""Extensions of facts files."""
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


def facts_files(folder: str) -> dict[str, str]:
    """Return the facts files in a folder by the node's name: ``web1.example.com.yaml``, also ``.json``."""
    found: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        stem, extension = os.path.splitext(name)
        if extension in FACTS_EXTENSIONS and stem and not name.startswith("."):
            found.setdefault(stem, os.path.join(folder, name))
    return found


def read_facts(path: str) -> dict[str, Any]:
    """Return the facts in a file; PuppetError if it cannot be read or has something else."""
    try:
        content = read_whole(path)
    except OSError as error:
        failure = BAD_FACTS_FILE(reason=error.strerror or str(error))
        raise failure.at(Place(path)) from None
    return facts_in(content, path)


def with_names(data: Mapping[Any, Any]) -> Facts:
    """Return facts as an agent sends them to a server, in JSON: all keys are text.

    >>> with_names({1: "a", "b": {True: 2}})
    {'1': 'a', 'b': {'true': 2}}
    """
    found: Facts = as_json(data)
    return found
