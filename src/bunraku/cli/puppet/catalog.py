"""``puppet catalog compile`` and ``find``: the catalog of a node on standard output."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_imports import Imported
from bunraku.catalog.wire import catalog_to_data
from bunraku.cli import exits
from bunraku.cli.exits import UsageError
from bunraku.cli.options.node import node_name
from bunraku.cli.options.shared import split_path
from bunraku.cli.output.output import write
from bunraku.cli.puppet.arguments import Call, add_rendering, call_of, parser_for
from bunraku.engine.compile import compile_resolved
from bunraku.engine.request import Request, ResolvedRequest, resolve
from bunraku.facts.documents import read_facts
from bunraku.formats.json import json_text
from bunraku.modules.environment import environment_directories
from bunraku.modules.node import agent_facts, server_facts
from bunraku.world.machine import Machine

MachineFacts = Imported("bunraku.facts.collect", "MachineFacts")
puppet_text = Imported("bunraku.server.compiling.labels", "puppet_text")

INDENTED = frozenset({"console"})


def compile_node(words: Sequence[str]) -> int:
    """Compile a catalog."""
    return found("compile", words)


def find(words: Sequence[str]) -> int:
    """Compile a catalog; the terminus is always the compiler."""
    return found("find", words)


def found(action: str, words: Sequence[str]) -> int:
    """Print the catalog, or Puppet's messages about the failure."""
    parser = parser_for(f"catalog {action}", "Compile a catalog.")
    parser.add_argument("node", nargs="?", metavar="CERTNAME", help="name of the node")
    parser.add_argument("--terminus", choices=("compiler",), help="where catalogs come from")
    add_rendering(parser, ("console", "json", "pson", "rich_data_json"))
    call = call_of(parser, words, "server")
    resolved: ResolvedRequest | None = None
    started = time.monotonic()
    request = request_of(call)
    try:
        resolved = resolve(request, call.messages)
        catalog, _value = compile_resolved(resolved)
        data = identified(catalog_to_data(catalog))
        text = json_text(data, indent=call.options.render_as in INDENTED)
    except PuppetError as error:
        failed(call, action, text_of(error, request, resolved))
        return exits.FINDINGS
    took = time.monotonic() - started
    where = f"in environment {resolved.environment.name} in {took:.2f} seconds"
    call.messages.say("notice", f"Compiled catalog for {request.node} {where}")
    write(text + "\n")
    return exits.OK


def identified(data: dict[str, Any]) -> dict[str, Any]:
    """Return a catalog with the version and the identifier that a compile of Puppet gives it."""
    data["version"] = data["version"] or int(Machine().now())
    data["catalog_uuid"] = data["catalog_uuid"] or str(uuid4())
    return data


def text_of(error: PuppetError, request: Request, resolved: ResolvedRequest | None) -> str:
    """Return the text of an error as Puppet words it."""
    if resolved is None:
        return str(error)
    name = resolved.environment.name
    return str(puppet_text(error, name, request.node, resolved.dialect.parse))


def failed(call: Call, action: str, text: str) -> None:
    """Print an error as often as Puppet does: each layer of its command line logs it."""
    for line in (text, text, *[f"Could not call 'find' on 'catalog': {text}"] * 2):
        call.messages.error(line)
    call.messages.error(f"Try 'puppet help catalog {action}' for usage")


def request_of(call: Call) -> Request:
    """Return the request that the settings describe."""
    refuse_unsupported(call)
    node, facts = node_and_facts(call)
    settings = dict(call.given)
    fields = environment_fields(call, settings)
    return Request(
        node=node,
        facts={**agent_facts(node), **facts},
        server_facts=server_facts(Machine()),
        adds_versions=True,
        settings=settings,
        language=call.options.language,
        follow=call.options.follow,
        **fields,
    )


def refuse_unsupported(call: Call) -> None:
    """Raise UsageError for settings that would change the catalog and are not supported."""
    if call.values.get("storeconfigs"):
        raise UsageError(
            "--storeconfigs is not supported here; use 'bunraku compile --storedconfigs URL'",
            "puppet catalog",
        )


def environment_fields(call: Call, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the request fields of the environment.

    Without a directory, ``production`` is an empty environment with the modules of the settings, since
    Puppet makes its directory. The manifest and modulepath of the command line win over the environment's.
    """
    fields: dict[str, Any] = {}
    if "modulepath" in call.chosen:
        fields["modulepath"] = split_path(call.text("modulepath"))
    if call.chosen.get("manifest"):
        fields["path"] = os.path.abspath(call.text("manifest"))
    name, folders = call.text("environment"), call.text("environmentpath").split(":")
    exists = any(os.path.isdir(path) for path in environment_directories(folders, name))
    if exists or name != "production":
        settings["environmentpath"] = call.text("environmentpath")
        return fields
    settings.pop("environmentpath", None)
    fields.setdefault(
        "modulepath", split_path(call.text("modulepath") or call.text("basemodulepath"))
    )
    if "path" not in fields:
        fields["code"] = ""
    return fields


def node_and_facts(call: Call) -> tuple[str, dict[str, Any]]:
    """Return the name of the node, by default this machine's, and its facts."""
    terminus, given = call.text("facts_terminus"), call.options.node or call.text("certname")
    if terminus in STORED:
        name = given or node_name(MachineFacts(Machine(), lambda _: None).facts({"networking"}))
        return name, stored_facts(call, name, terminus)
    if terminus != "facter":
        known = ", ".join(("facter", *STORED))
        message = f"--facts_terminus {terminus} is not supported: use one of {known}"
        raise UsageError(message, "puppet catalog")
    facts = MachineFacts(Machine(), lambda _: None).facts(None)
    return given or node_name(facts), facts


STORED = {
    "yaml": ("yamldir", "yaml"),
    "json": ("server_datadir", "json"),
}
"""Terminus → the setting with the directory of its files, and their extension."""


def stored_facts(call: Call, node: str, terminus: str) -> dict[str, Any]:
    """Return the facts of a node that a directory has; none without a file, as in Puppet."""
    directory, extension = STORED[terminus]
    path = os.path.join(call.text(directory), "facts", f"{node}.{extension}")
    return read_facts(path) if os.path.isfile(path) else {}
