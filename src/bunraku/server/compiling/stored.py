"""A catalog as ``replace catalog`` of PuppetDB has it, version 9."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.records import record
from bunraku.catalog.resource import texts_in
from bunraku.catalog.schema.builtin import builtin_resource_type
from bunraku.formats.encoding import to_bytes
from bunraku.formats.json import json_text
from bunraku.server.compiling.bodies import json_bytes
from bunraku.server.compiling.jobs import Job

Data = Mapping[str, Any]
REFERENCE = re.compile(r"([A-Z][\w:]*)\[(.*)\]", re.DOTALL)
RELATIONSHIPS = {
    "before": ("before", False),
    "notify": ("notifies", False),
    "require": ("required-by", True),
    "subscribe": ("subscription-of", True),
}
"""Metaparameter → the relationship in PuppetDB, and whether the other resource is its source."""
UNORDERED = frozenset(["alias", "audit", "before", "notify", "require", "subscribe", "tag"])
"""Metaparameters whose lists have no order: they are stored sorted."""
CONTENT = b',"resources":'
"""The beginning of the content in a payload: a quote within a string of JSON is escaped."""
SHARED_NAMES = frozenset({"Exec"})
"""Types of which several resources can have one name: it is not an alias."""


@record(frozen=True)
class Payload:
    """A payload in two parts: a JSON object, and the rest, which catalogs with the same content share.

    ``digest`` is that of the content, ``size`` the bytes of both. ``content`` is empty for one that need not be sent.
    """

    metadata: bytes
    content: bytes
    digest: str

    @staticmethod
    def of(whole: bytes, digest: str = "") -> Payload:
        """Return a payload in two parts; without a digest if its content is not found."""
        start = whole.find(CONTENT)
        if start < 0:
            return Payload(whole, b"", digest)
        content = whole[start:]
        return Payload(whole[:start] + b"}", content, digest or content_digest(content))

    @property
    def whole(self) -> bytes:
        """Both parts together."""
        return self.metadata[:-1] + self.content if self.content else self.metadata

    @property
    def is_without_content(self) -> bool:
        """Whether the content is missing because the job has named its digest."""
        return bool(self.digest) and not self.content

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.metadata) + len(self.content)


def content_digest(content: bytes) -> str:
    """Return the digest of the content of a catalog."""
    return sha256(content).hexdigest()


def stored_catalog(data: Data, job: Job, timestamp: str) -> bytes:
    """Return the payload of the command that stores a catalog.

    Sensitive parameters are left out. Edges of relationships are added to those of containment; one
    to a resource that the catalog lacks is left out. Bytes that are not UTF-8 are replaced. The content
    comes last, so :class:`Payload` finds it.
    """
    resources = [stored_resource(resource) for resource in data["resources"]]
    payload = {
        "version": str(data["version"]),
        "code_id": data["code_id"],
        "catalog_uuid": data["catalog_uuid"],
        "job_id": job.job_id,
        "certname": job.node,
        "transaction_uuid": job.transaction_uuid,
        "environment": data["environment"],
        "producer": job.settings.get("certname"),
        "producer_timestamp": timestamp,
        "resources": resources,
        "edges": [*containment(data["edges"]), *relationships(resources)],
    }
    return json_bytes(payload) or with_valid_bytes(payload)


def with_valid_bytes(payload: Data) -> bytes:
    """Return JSON with each byte that is not UTF-8 replaced."""
    return to_bytes(json_text(payload)).decode("utf-8", "replace").encode()


def stored_resource(resource: Data) -> dict[str, Any]:
    """Return a resource without secrets, with its name as an alias."""
    secret = resource.get("sensitive_parameters") or ()
    parameters = {
        name: value
        for name, value in (resource.get("parameters") or {}).items()
        if name not in secret
    }
    add_alias(resource["type"], parameters)
    for name in UNORDERED & parameters.keys():
        if isinstance(parameters[name], list):
            parameters[name] = sorted(parameters[name], key=str)
    found = {key: value for key, value in resource.items() if key != "sensitive_parameters"}
    found["title"] = str(resource["title"])
    found["parameters"] = parameters
    return found


def add_alias(type_: str, parameters: dict[str, Any]) -> None:
    """Add the value of the parameter that names a resource to its aliases."""
    if type_ in SHARED_NAMES:
        return
    given = parameters.get("alias")
    aliases = [] if given is None else list(given) if isinstance(given, list) else [given]
    name = parameters.get(name_parameter(type_))
    if name is not None and name not in aliases:
        aliases.append(name)
    if aliases:
        parameters["alias"] = aliases


@remembered(1024)
def name_parameter(type_: str) -> str:
    """Return the parameter that names resources of a type."""
    schema = builtin_resource_type(type_.lower())
    return schema.namevars[0] if schema is not None and len(schema.namevars) == 1 else "name"


def containment(edges: list[Data]) -> Iterator[Data]:
    """Yield the edges of a catalog."""
    for edge in edges:
        source, target = type_and_title(edge["source"]), type_and_title(edge["target"])
        if source is not None and target is not None:
            yield edge_of(source, target, "contains")


def relationships(resources: list[dict[str, Any]]) -> Iterator[Data]:
    """Yield an edge for each relationship between resources of a catalog."""
    known = names_in(resources)
    for resource in resources:
        own = (resource["type"], resource["title"])
        parameters = resource["parameters"]
        for name in RELATIONSHIPS.keys() & parameters.keys():
            relationship, reversed_ = RELATIONSHIPS[name]
            for text in texts_in(parameters[name]):
                other = known.get(type_and_title(text) or ("", ""))
                if other is not None:
                    source, target = (other, own) if reversed_ else (own, other)
                    yield edge_of(source, target, relationship)


def names_in(resources: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the resources by type and title, and by type and alias."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for resource in resources:
        own = (resource["type"], resource["title"])
        for alias in texts_in(resource["parameters"].get("alias", [])):
            found.setdefault((own[0], alias), own)
    for resource in resources:
        own = (resource["type"], resource["title"])
        found[own] = own
    return found


def type_and_title(text: str) -> tuple[str, str] | None:
    """Return type and title of a reference; None for other texts.

    >>> type_and_title("File[/a[1]]")
    ('File', '/a[1]')
    """
    found = REFERENCE.fullmatch(text)
    return None if found is None else (found[1], found[2])


def edge_of(source: tuple[str, str], target: tuple[str, str], relationship: str) -> Data:
    """Return an edge in PuppetDB's form."""
    return {
        "source": {"type": source[0], "title": source[1]},
        "target": {"type": target[0], "title": target[1]},
        "relationship": relationship,
    }
