"""``--storeconfigs``: facts and catalogs are stored in the PuppetDB that ``puppetdb.conf`` names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.request import Request
from bunraku.jobs.puppet_environment import PuppetSettings
from bunraku.puppetdb.site.server import configured_url
from bunraku.puppetdb.site.tls import tls_files
from bunraku.puppetdb.timestamps import to_text
from bunraku.server.compiling.jobs import Job
from bunraku.server.compiling.stored import stored_catalog
from bunraku.server.facts import facts_payload
from bunraku.server.storage import Remote
from bunraku.world.machine import Machine

BACKEND = "puppetdb"


def site_of(call: PuppetSettings) -> str | None:
    """Return the URL of the PuppetDB; None without ``--storeconfigs``.

    UsageError for another ``storeconfigs_backend`` and a ``puppetdb.conf`` that cannot be used.
    """
    if not call.values.get("storeconfigs"):
        return None
    backend = call.text("storeconfigs_backend")
    if backend != BACKEND:
        message = f"--storeconfigs_backend {backend} is not supported: use {BACKEND}"
        raise UsageError(message, "puppet catalog")
    path = os.path.join(call.text("confdir"), "puppetdb.conf")
    try:
        return configured_url(path, Machine())
    except PuppetError as error:
        raise UsageError(f"{path}: {error}", "puppet catalog") from error


def store(
    call: PuppetSettings, request: Request, catalog: CompiledCatalog, data: Mapping[str, Any]
) -> None:
    """Store the facts of a node, and its catalog with exported resources; PuppetError if that fails.

    ``data`` is the catalog as it is printed: the stored one has its version and its identifier.
    """
    if request.storedconfigs is None:
        return
    world, producer = Machine(), call.text("certname") or None
    storage = Remote(request.storedconfigs, world, tls_files(call.given, world))
    timestamp = to_text(int(world.now() * 1000))
    facts = facts_payload(
        request.node, catalog.environment, request.facts, producer=producer, timestamp=timestamp
    )
    storage.store("facts", request.node, timestamp, facts)
    job = Job(
        "catalog",
        request.node,
        catalog.environment,
        {"certname": producer},
        transaction_uuid=str(uuid4()),
    )
    complete = catalog_to_data(catalog, with_exported=True)
    complete |= {name: data[name] for name in ("version", "catalog_uuid")}
    storage.store("catalog", request.node, timestamp, stored_catalog(complete, job, timestamp))
