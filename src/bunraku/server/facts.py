"""Facts: as agents send them with the request of a catalog, or alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from time import time
from typing import Any
from urllib.parse import unquote

from bunraku.base.records import record
from bunraku.formats.encoding import to_bytes
from bunraku.formats.failure import FormatError
from bunraku.puppetdb.timestamps import to_text
from bunraku.server.authorization.rules import Caller
from bunraku.server.failures import Refused
from bunraku.server.formats import NAMES, PLAIN, Format, accepted, read, sent, unexpected
from bunraku.server.service import Service
from bunraku.server.storage import do_nothing
from bunraku.web.forms import percent_decoded
from bunraku.web.http import JSON_TYPE, Request, Response

IN_FORMS: tuple[Format, ...] = ("json", "pson", "yaml")
"""The formats of facts in a form, whose text is URL-encoded."""
IN_BODIES: tuple[Format, ...] = (*IN_FORMS, "msgpack")
INVENTORY = "_puppet_inventory_1"
"""The fact that has the packages of a node."""


@record(frozen=True)
class Facts:
    """The facts of a node."""

    values: Mapping[str, Any]


def submitted(parameters: Mapping[str, str], node: str) -> Facts | None:
    """Return the facts in the parameters of a request; None without facts; Refused if broken.

    Agents write the facts with two layers of URL encoding; ``parameters`` have one of them left.
    """
    text = parameters.get("facts")
    if not text:
        return None
    name = parameters.get("facts_format")
    if not name:
        raise Refused(500, f"Facts but no fact format provided for {node}")
    format_ = NAMES.get(unquote(name))
    if format_ not in IN_FORMS:
        raise Refused(500, "Unsupported facts format")
    plain = percent_decoded(text)
    try:
        document = read(to_bytes(plain), format_)
    except FormatError:
        raise Refused(
            500, f"Could not intern from {format_}: {unexpected(to_bytes(plain))}"
        ) from None
    return checked(document, node)


def checked(document: Any, node: str) -> Facts:
    """Return the facts of a document; Refused if it is of another shape or node."""
    values = document.get("values") if isinstance(document, Mapping) else None
    if not isinstance(values, Mapping):
        raise Refused(500, f"The facts of {node} are not a hash with 'name' and 'values'")
    name = document.get("name")
    if name != node:
        raise Refused(
            500,
            f'Catalog for "{node}" was requested with fact definition for the wrong node ("{name}").',
        )
    return Facts({str(key): value for key, value in values.items()})


def stored_facts(
    service: Service, node: str, environment: str, facts: Facts, caller: Caller
) -> str | None:
    """Store facts in the PuppetDB and return the UUID; None without a PuppetDB.

    PuppetError if that fails. As in PuppetDB's terminus, the trusted data become a fact, and the
    packages are taken out.
    """
    if service.storage is None:
        return None
    return service.storage.store(
        "facts", node, *facts_command(service, node, environment, facts, caller)
    )


def begin_facts(
    service: Service, node: str, environment: str, facts: Facts, caller: Caller
) -> Callable[[], None]:
    """Begin to store facts in the PuppetDB: they are stored at the end of the returned function.

    PuppetError if one of them fails.
    """
    if service.storage is None:
        return do_nothing
    return service.storage.begin(
        "facts", node, *facts_command(service, node, environment, facts, caller)
    )


def facts_command(
    service: Service, node: str, environment: str, facts: Facts, caller: Caller
) -> tuple[str, bytes]:
    """Return the time and the payload of the command that stores facts as they are now."""
    values = dict(facts.values)
    if caller.name == node and caller.trusted:
        values["trusted"] = caller.trusted
    timestamp = to_text(int(time() * 1000))
    payload = facts_payload(
        node, environment, values, producer=service.settings.certname, timestamp=timestamp
    )
    return timestamp, payload


def facts_payload(
    node: str, environment: str, values: Mapping[str, Any], *, producer: str | None, timestamp: str
) -> bytes:
    """Return the payload of the command that stores facts."""
    values = dict(values)
    inventory = values.pop(INVENTORY, None)
    payload: dict[str, Any] = {
        "certname": node,
        "values": values,
        "environment": environment,
        "producer_timestamp": timestamp,
        "producer": producer,
    }
    if isinstance(inventory, Mapping) and isinstance(inventory.get("packages"), list):
        payload["package_inventory"] = inventory["packages"]
    return json_bytes(payload)


def json_bytes(data: Any) -> bytes:
    """Return data as JSON; bytes that are not UTF-8 are replaced."""
    return to_bytes(json.dumps(data, ensure_ascii=False)).decode("utf-8", "replace").encode()


def answer_facts(service: Service, request: Request, node: str, caller: Caller) -> Response:
    """Store the facts of a node."""
    document = sent(request, service.settings.body, IN_BODIES)
    accepted(request, PLAIN)
    facts = checked(document, node)
    environment = request.parameters["environment"]
    uuid = stored_facts(service, node, environment, facts, caller)
    text = json.dumps({"uuid": uuid}, separators=(",", ":"))
    return Response(200, {"content-type": JSON_TYPE}, [text])
