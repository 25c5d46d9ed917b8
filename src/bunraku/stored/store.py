"""Catalogs and facts of other nodes, read from files: what a PuppetDB would answer from.

A document is a catalog in its wire form (or as PuppetDB takes and gives it), a node's facts, or a
list of resources, of facts, or of documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from bunraku.errors import PuppetError
from bunraku.facts.external import parse_yaml
from bunraku.records import field, record
from bunraku.stored import issues
from bunraku.world import World

Data = dict[str, Any]
Exported = dict[str, list[Data]]
ENDINGS = (".json", ".yaml", ".yml")


@record(slots=False)
class Store:
    """What is stored, by node."""

    catalogs: dict[str, Data] = field(default_factory=dict)
    resources: list[Data] = field(default_factory=list)
    facts: dict[str, Data] = field(default_factory=dict)
    environments: dict[str, str] = field(default_factory=dict)

    @cached_property
    def exported(self) -> Exported:
        """The exported resources by their type."""
        return by_type(resource for resource in self.resources if resource["exported"])

    @property
    def nodes(self) -> list[str]:
        """The names of all nodes, sorted."""
        told = {resource["certname"] for resource in self.resources}
        return sorted({*self.catalogs, *self.facts, *told})

    # -- taking in -------------------------------------------------------------------------------

    def add(self, data: Any, name: str) -> bool:
        """Take in a document; ``name`` is the node of facts that do not say theirs."""
        if isinstance(data, list):
            return all(self.add(item, name) for item in data)
        if not isinstance(data, Mapping):
            return False
        if isinstance(data.get("data"), Mapping) and "document_type" in data:
            data = data["data"]
        node = data.get("certname") or data.get("name")
        if "resources" in data and node:
            self.add_catalog(str(node), data)
        elif "type" in data and "title" in data and "certname" in data:
            self.resources.append(stored_resource(data["certname"], data))
        elif isinstance(data.get("values"), Mapping) and node:
            self.add_facts(str(node), data["values"], data)
        elif "facts" in data and data.get("certname"):
            self.add_facts(str(node), fact_values(data["facts"]), data)
        elif {"certname", "name", "value"} <= set(data):
            self.facts.setdefault(str(data["certname"]), {})[str(data["name"])] = data["value"]
        elif name and data and not {"resources", "type"} & set(data):
            self.add_facts(name, data, {})
        else:
            return False
        return True

    def add_catalog(self, node: str, data: Mapping[str, Any]) -> None:
        """Take in a catalog."""
        self.catalogs[node] = dict(data)
        self.note_environment(node, data)
        given = data["resources"]
        if isinstance(given, Mapping):
            given = given.get("data") or ()
        environment = data.get("environment")
        self.resources += [
            stored_resource(node, one, environment) for one in given if isinstance(one, Mapping)
        ]

    def add_facts(self, node: str, values: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        """Take in a node's facts."""
        self.facts.setdefault(node, {}).update({str(name): one for name, one in values.items()})
        self.note_environment(node, data)

    def note_environment(self, node: str, data: Mapping[str, Any]) -> None:
        """Remember the environment that a document names."""
        if data.get("environment"):
            self.environments[node] = str(data["environment"])


def fact_values(facts: Any) -> Data:
    """Facts as a hash; PuppetDB gives them as a list of names and values too."""
    if isinstance(facts, Mapping) and isinstance(facts.get("data"), list):
        facts = facts["data"]
    if isinstance(facts, list):
        return {str(one["name"]): one.get("value") for one in facts if "name" in one}
    return dict(facts) if isinstance(facts, Mapping) else {}


def by_type(resources: Iterable[Data]) -> Exported:
    """Return resources grouped by their type."""
    found: Exported = {}
    for resource in resources:
        found.setdefault(resource["type"], []).append(resource)
    return found


def exported_among(store: Store | None, exports: Mapping[str, Sequence[Data]]) -> Exported:
    """Return exported resources by type: those of a store, and those given for each node.

    What is given for a node replaces what the store has for it. The order is that of the nodes' names.
    """
    kept = [] if store is None else store.resources
    found = [one for one in kept if one["exported"] and one["certname"] not in exports]
    found += [one for node in exports for one in exports[node]]
    return by_type(sorted(found, key=lambda one: str(one["certname"])))


def stored_resource(node: str, data: Mapping[str, Any], environment: Any = None) -> Data:
    """Return a resource with all fields that queries may use.

    Sensitive parameters are left out, as PuppetDB never stores them.
    """
    secret = data.get("sensitive_parameters") or ()
    parameters = dict(data.get("parameters") or {})
    return {
        "certname": node,
        "environment": data.get("environment", environment),
        "type": str(data.get("type", "")),
        "title": str(data.get("title", "")),
        "tags": list(data.get("tags") or ()),
        "exported": bool(data.get("exported")),
        "file": data.get("file"),
        "line": data.get("line"),
        "parameters": {name: one for name, one in parameters.items() if name not in secret},
    }


# -- reading ---------------------------------------------------------------------------------------

STORES: dict[Any, Store] = {}
"""Stores that were read, by their files: many compiles of one process ask the same."""


def read_store(path: str, world: World) -> Store:
    """The store in a file, or in the files of a folder and those below it."""
    files = stored_files(path, world)
    if not files and not world.is_directory(path):
        raise issues.STORED_NOT_FOUND(path=path)
    key = tuple((file, world.signature(file)) for file in files)
    known = STORES.get(key)
    if known is not None:
        return known
    store = Store()
    for file in files:
        data = read_document(file, world)
        stem = file.rpartition("/")[2].rpartition(".")[0]
        if data is not None and not store.add(data, stem):
            raise placed(issues.STORED_UNKNOWN(path=file), file, None)
    STORES.clear()
    if all(signature is not None for _, signature in key):
        STORES[key] = store
    return store


def stored_files(path: str, world: World) -> list[str]:
    """The files to read, sorted."""
    if not world.is_directory(path):
        return [path] if world.is_file(path) else []
    found: list[str] = []
    for name in world.list_directory(path):
        inner = f"{path.rstrip('/')}/{name}"
        if world.is_directory(inner):
            found += stored_files(inner, world)
        elif name.endswith(ENDINGS):
            found.append(inner)
    return found


def read_document(path: str, world: World) -> Any:
    """What a file holds."""
    kind = "JSON" if path.endswith(".json") else "YAML"
    try:
        text = world.read(path).decode("utf-8", "surrogateescape")
        if not text.strip():
            return None  # such as the target of a shell's redirection, before anything is written
        return json.loads(text) if kind == "JSON" else named(parse_yaml(text))
    except OSError as error:
        raise issues.STORED_NOT_FOUND(path=path) from error
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        line = re.search(r"line (\d+)", reason)
        failure = issues.STORED_BROKEN(path=path, kind=kind, reason=reason)
        raise placed(failure, path, int(line[1]) if line else None) from None


def named(value: Any) -> Any:
    """YAML's data as JSON has it: the keys of hashes are text.

    >>> named({1: [{True: 2.5}]})
    {'1': [{'true': 2.5}]}
    """
    if isinstance(value, Mapping):
        return {
            key if isinstance(key, str) else json.dumps(key, default=str): named(item)
            for key, item in value.items()
        }
    return [named(item) for item in value] if isinstance(value, list) else value


def placed(error: PuppetError, file: str, line: int | None) -> PuppetError:
    """The error with the place of what it is about."""
    error.diagnostic.file, error.diagnostic.line = file, line
    return error
