"""What an environment contains: its classes with their parameters, and its modules."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place, Source
from bunraku.engine.dialects import find_dialect
from bunraku.engine.request import DISK
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.quick_json import quick_bytes
from bunraku.modules.environment import Environment, Module, load_environment
from bunraku.modules.settings import resolve
from bunraku.ruby.schema.issues import INVALID_TRANSPORT
from bunraku.ruby.schema.transports import transports_in
from bunraku.runtime.state import Parse
from bunraku.server.compiling.jobs import Job, Result
from bunraku.syntax import nodes

Data: TypeAlias = "dict[str, Any]"
TRANSPORTS = "lib/puppet/transport/schema"
NOTHING = object()
NO_TASKS = (".json", ".md", ".conf")
"""Endings of files beside tasks."""


def classes_job(job: Job) -> Result:
    """Return the classes in the manifests of an environment, file by file."""
    environment = environment_of(job)
    dialect = find_dialect(job.language, "puppet", job.settings)
    found = [file_data(path, dialect.parse) for path in manifests_of(environment)]
    body = quick_bytes({"files": found, "name": environment.name})
    return Result("json", environment=environment.name, body=body)


def modules_job(job: Job) -> Result:
    """Return the names and versions of the modules of an environment."""
    environment = environment_of(job)
    modules = [module_data(module) for module in environment.modules.values()]
    body = quick_bytes({"modules": modules, "name": environment.name})
    return Result("json", environment=environment.name, body=body)


def transports_job(job: Job) -> Result:
    """Return the transports of devices in the modules of an environment, with sorted keys.

    PuppetError for a definition that is wrong, and for two of the same name.
    """
    environment = environment_of(job)
    found: dict[str, Data] = {}
    for path in transport_files(environment):
        for one in transports_in(DISK.read(path).decode("utf-8", "surrogateescape"), path):
            name = str(one["name"])
            if name in found:
                reason = f"'{name}' is already registered for '{environment.name}'"
                raise INVALID_TRANSPORT(reason=reason).at(Place(path))
            found[name] = one
    data = {"name": environment.name, "transports": list(found.values())}
    body = quick_bytes(data, sort_keys=True)
    return Result("json", environment=environment.name, body=body)


def transport_files(environment: Environment) -> list[str]:
    """Return the Ruby files with transports, of each name the first in the order of the modules."""
    found: dict[str, str] = {}
    for module in environment.modules.values():
        folder = module.path_of(TRANSPORTS)
        if DISK.is_directory(folder):
            names = sorted(name for name in DISK.list_directory(folder) if name.endswith(".rb"))
            for name in names:
                found.setdefault(name, f"{folder}/{name}")
    return list(found.values())


def tasks_job(job: Job) -> Result:
    """Return the tasks in the modules of an environment."""
    environment = environment_of(job)
    places = [{"name": environment.name, "code_id": None}]
    found = [
        {**data, "environment": places}
        for module in environment.modules.values()
        for data in tasks_in(module)
    ]
    return Result("json", environment=environment.name, body=quick_bytes(found))


def tasks_in(module: Module) -> Iterator[Data]:
    """Yield the tasks of a module: a program each, maybe with metadata beside it."""
    folder = module.path_of("tasks")
    try:
        names = DISK.list_directory(folder)
    except OSError:
        return
    stems = {os.path.splitext(name)[0] for name in names if not name.endswith(NO_TASKS)}
    for stem in sorted(stems):
        metadata = task_metadata(f"{folder}/{stem}.json")
        name = module.name if stem == "init" else f"{module.name}::{stem}"
        data: Data = {"name": name, "private": bool(metadata.get("private"))}
        if "description" in metadata:
            data["description"] = metadata["description"]
        yield data


def task_metadata(path: str) -> Data:
    """Return the metadata of a task; none without a file that can be read."""
    try:
        data = parse_json(DISK.read(path))
        quick_bytes(data)
    except (OSError, FormatError, TypeError):  # it has bytes that an answer cannot hold
        return {}
    return data if isinstance(data, dict) else {}


def environment_of(job: Job) -> Environment:
    """Return the environment of a job."""
    values = resolve(job.settings, job.node)
    return load_environment(
        job.environment,
        str(values["environmentpath"]).split(":"),
        DISK,
        base_modulepath=str(values["basemodulepath"]).split(":"),
        settings=values,
    )


def module_data(module: Module) -> Data:
    """Return the name of a module with its author, and its version."""
    name = module.metadata.get("name")
    text = name.replace("-", "/", 1) if isinstance(name, str) else module.name
    return {"name": text, "version": module.version}


# -- classes -----------------------------------------------------------------------------------------


def manifests_of(environment: Environment) -> Iterator[str]:
    """Yield the main manifests, and those of all modules in the order of their paths."""
    yield from environment.manifests()
    for module in sorted(environment.modules.values(), key=lambda module: module.path):
        yield from manifests_below(module.path_of("manifests"))


def manifests_below(folder: str) -> Iterator[str]:
    """Yield the manifests in a folder and the folders below it."""
    for directory, folders, names in os.walk(folder):
        folders.sort()
        yield from (f"{directory}/{name}" for name in sorted(names) if name.endswith(".pp"))


def file_data(path: str, parse: Parse) -> Data:
    """Return the classes of a manifest, or why it cannot be read."""
    try:
        text = DISK.read(path).decode("utf-8", "surrogateescape")
        source = Source(text, path)
        definitions = parse(source).checked().definitions
    except PuppetError as error:
        return {"error": str(error), "path": path}
    except OSError as error:
        return {"error": error.strerror or str(error), "path": path}
    classes = [
        class_data(one, source) for one in definitions if isinstance(one, nodes.ClassDefinition)
    ]
    return {"classes": classes, "path": path}


def class_data(definition: nodes.ClassDefinition, source: Source) -> Data:
    """Return the name and the parameters of a class."""
    return {
        "name": definition.name,
        "params": [parameter_data(one, source) for one in definition.parameters],
    }


def parameter_data(parameter: nodes.Parameter, source: Source) -> Data:
    """Return a parameter: its name, its type, and its default as source text and as a value."""
    found: Data = {}
    if parameter.value is not None:
        value = literal(parameter.value)
        if value is not NOTHING:
            found["default_literal"] = value
        found["default_source"] = source.text[parameter.value.start : parameter.value.end]
    found["name"] = parameter.name
    if parameter.type is not None:
        found["type"] = type_text(parameter.type, source)
    return found


def type_text(node: nodes.Node, source: Source) -> str:
    """Return a type as Puppet shows one that is not resolved."""
    text = source.text[node.start : node.end]
    if isinstance(node, nodes.Reference) and "::" in text:
        return f"TypeReference['{text}']"
    return text


def literal(node: nodes.Node) -> Any:
    """Return the value of a literal; NOTHING for other expressions, and for undef."""
    match node:
        case nodes.String() | nodes.Boolean() | nodes.Integer() | nodes.Float() | nodes.Name():
            return node.value
        case nodes.List():
            values = [literal(one) for one in node.values]
            return NOTHING if NOTHING in values else values
        case nodes.Hash():
            return literal_hash(node.entries)
    return NOTHING


def literal_hash(entries: list[nodes.Entry]) -> Any:
    """Return the value of a hash of literals with texts as keys."""
    found: Mapping[str, Any] = {str(literal(entry.key)): literal(entry.value) for entry in entries}
    keys = [literal(entry.key) for entry in entries]
    if not all(isinstance(key, str) for key in keys):
        return NOTHING
    return NOTHING if NOTHING in found.values() else found
