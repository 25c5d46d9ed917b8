"""The protocol of Jolokia, in which PuppetDB and puppetserver give their metrics.

https://jolokia.org/reference/html/manual/jolokia_protocol.html, version 7.2; only reading.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping
from time import time
from typing import TypeAlias
from urllib.parse import unquote

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.json_values import Json, read_json
from bunraku.web.http import Document, Request, Response, json_response

LONGEST_REQUEST = 1024 * 1024
PROTOCOL: Document = {"agent": "1.7.2", "protocol": "7.2", "info": {}}
Attributes: TypeAlias = "dict[str, Document]"
Beans: TypeAlias = "Mapping[str, Attributes]"
"""The attributes of each bean, by the names of the beans."""
Find: TypeAlias = "Callable[[], Beans]"
"""Returns the beans, for requests that are about them."""
ESCAPED = re.compile(r"!(.)")


class Failure(Exception):
    """Raised with the status and the message of a request that Jolokia refuses."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


def answer_jolokia(find: Find, request: Request, route: str) -> Response:
    """Return the response to a request about beans; ``route`` is the path below ``/metrics/v2``."""
    if request.method == "POST" and not route.strip("/"):
        return json_response(answer_body(find, request.read(LONGEST_REQUEST)))
    return json_response(jolokia_answer(find, request_in(route.removeprefix("/"))))


def request_in(route: str) -> dict[str, Json]:
    """Return the request that a path describes; ``!/`` is a slash within a part.

    >>> request_in("read/java.lang:type=Memory/HeapMemoryUsage/used")["attribute"]
    'HeapMemoryUsage'
    >>> request_in("read/puppetserver:name=a!/b/Count")["mbean"]
    'puppetserver:name=a/b'
    """
    parts = [ESCAPED.sub(r"\1", part) for part in re.split(r"(?<!!)/", unquote(route))]
    found: dict[str, Json] = {"type": parts[0] or "version"}
    if found["type"] in {"read", "search"}:
        names = ("mbean", "attribute", "path")
        found.update(zip(names, [*parts[1:3], *filter(None, ["/".join(parts[3:])])], strict=False))
    elif parts[1:] and parts[1]:
        found["path"] = "/".join(parts[1:])
    return found


def answer_body(find: Find, body: bytes) -> Document:
    """Return the responses to the requests in a body: one object, or a list of them."""
    try:
        value = read_json(body)
    except PuppetError as error:
        return {
            "status": 400,
            "error_type": "java.lang.IllegalArgumentException",
            "error": error.message,
        }
    if isinstance(value, list):
        return [jolokia_answer(find, one if isinstance(one, dict) else {}) for one in value]
    return jolokia_answer(find, value if isinstance(value, dict) else {})


def jolokia_answer(find: Find, request: Mapping[str, Json]) -> Document:
    """Return the response to one request, with its own status."""
    try:
        return {
            "request": request,
            "value": requested_value(find, request),
            "timestamp": int(time()),
            "status": 200,
        }
    except Failure as failure:
        return {
            "request": request,
            "error_type": failure.kind,
            "error": f"{failure.kind} : {failure}",
            "status": failure.status,
        }


def requested_value(find: Find, request: Mapping[str, Json]) -> Document:
    """Return the value of a request; raise Failure if there is none."""
    match request.get("type"):
        case "version":
            return PROTOCOL
        case "list":
            return listed(find())
        case "search":
            pattern = str(request.get("mbean", ""))
            return [name for name in find() if fits_pattern(name, pattern)]
        case "read":
            return read(find(), request)
    raise Failure(
        400, "java.lang.IllegalArgumentException", f"Unsupported type '{request.get('type')}'"
    )


def read(found: Beans, request: Mapping[str, Json]) -> Document:
    """Return the attributes of a bean, or of the beans that a pattern fits, by name."""
    name, wanted = str(request.get("mbean", "")), request.get("attribute")
    if "*" in name or "?" in name:
        fitting = [one for one in found if fits_pattern(one, name)]
        return {one: attributes_of(one, found[one], wanted) for one in fitting}
    exact = next((one for one in found if fits_pattern(one, name)), None)
    if exact is None:
        raise Failure(
            404, "javax.management.InstanceNotFoundException", f"No MBean '{name}' exists"
        )
    return attributes_of(exact, found[exact], wanted)


def attributes_of(name: str, attributes: Attributes, wanted: Json) -> Document:
    """Return all attributes, the one that a text names, or those that a list or commas name."""
    if isinstance(wanted, str) and "," in wanted:
        wanted = [*wanted.split(",")]
    if not wanted:
        return attributes
    names = [str(one) for one in (wanted if isinstance(wanted, list) else [wanted])]
    for one in names:
        if one not in attributes:
            raise Failure(
                404,
                "javax.management.AttributeNotFoundException",
                f"No attribute '{one}' in {name}",
            )
    if isinstance(wanted, list):
        return {one: attributes[one] for one in names}
    return attributes[names[0]]


def fits_pattern(name: str, pattern: str) -> bool:
    """Return whether the name of a bean fits a pattern; the order of properties does not matter.

    >>> fits_pattern("a:name=x,type=T", "a:type=T,name=*"), fits_pattern("a:name=x", "b:*")
    (True, False)
    """
    domain, _, properties = name.partition(":")
    domains, _, wanted = pattern.partition(":")
    if not fnmatch.fnmatchcase(domain, domains):
        return False
    patterns = set(wanted.split(","))
    some = "*" in patterns
    patterns.discard("*")
    own = properties.split(",")
    matched = all(any(fnmatch.fnmatchcase(one, pattern) for one in own) for pattern in patterns)
    return matched and (some or len(patterns) == len(own))


def listed(beans: Beans) -> Document:
    """Return the beans by domain and properties, with their attributes."""
    found: dict[str, dict[str, Document]] = {}
    for name, attributes in beans.items():
        domain, _, properties = name.partition(":")
        found.setdefault(domain, {})[properties] = {
            "attr": {key: {"rw": False, "type": "double", "desc": key} for key in attributes},
            "desc": "Information on the management interface of the MBean",
        }
    return found
