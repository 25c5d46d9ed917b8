"""Tasks, as their metadata describes them."""

from __future__ import annotations

import json
import posixpath

from bunraku.base.lazy_typing import Any
from bunraku.workbench.docs.comments import read_comment
from bunraku.workbench.docs.model import DocumentedParameter, Task
from bunraku.workbench.docs.tags import Tag


def read_task(text: str, path: str) -> Task | None:
    """Return the task of a metadata file; None for an empty object. Raises ValueError.

    >>> read_task('{"description": "Restarts."}', "tasks/restart.json").name
    'restart'
    """
    data = object_of(json.loads(text), "the metadata")
    if not data:
        return None
    parameters = object_of(data.get("parameters") or {}, "'parameters'")
    comment = read_comment(str(data.get("description") or ""))
    tags = [parameter_tag(name, one) for name, one in parameters.items()]
    return Task(
        "puppet_tasks",
        posixpath.basename(path).replace(".json", ""),
        path,
        0,
        comment,
        text,
        [DocumentedParameter(name) for name in parameters],
        data.get("supports_noop") or False,
        data.get("input_method"),
        tags,
    )


def parameter_tag(name: str, properties: Any) -> Tag:
    """Return the tag of a parameter."""
    found = object_of(properties, f"the parameter '{name}'")
    return Tag("param", found.get("description") or "", [found.get("type")], name)


def object_of(value: Any, name: str) -> dict[str, Any]:
    """Return a JSON object; raise InvalidMetadata for another value."""
    if isinstance(value, dict):
        return value
    raise InvalidMetadata(f"{name} is not an object")


class InvalidMetadata(ValueError):
    """The metadata of a task has not the form that it needs."""
