"""``puppet catalog compile`` and ``find``: the catalog of a node on standard output."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.catalog.wire import catalog_to_data
from bunraku.cli import exits
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.engine.compile import compile_resolved
from bunraku.engine.request import Request, ResolvedRequest, resolve
from bunraku.facts.collect import MachineFacts
from bunraku.formats.json import json_text
from bunraku.jobs.facts_files import facts_on, machine_name, node_name
from bunraku.jobs.puppet_environment import (
    STORED,
    environment_fields,
    identified,
    stored_facts,
    trusted_of,
)
from bunraku.modules.node import agent_facts, server_facts
from bunraku.runtime.error_texts import puppet_text
from bunraku.world.machine import Machine

OPTIONS = """
node [CERTNAME]: name of the node
--terminus: where catalogs come from
@os: the facts of an operating system, such as debian-12, with names of the node; can be
    repeated
@facterdb
"""
INDENTED = frozenset({"console"})


def compile_node(words: Sequence[str]) -> int:
    """Compile a catalog."""
    return found("compile", words)


def find(words: Sequence[str]) -> int:
    """Compile a catalog; the terminus is always the compiler."""
    return found("find", words)


def found(action: str, words: Sequence[str]) -> int:
    """Print the catalog, or Puppet's messages about the failure."""
    rules = {"terminus": {"choices": ("compiler",)}}
    formats = ("console", "json", "pson", "rich_data_json")
    parser = parser_for(f"catalog {action}", "Compile a catalog.", OPTIONS, rules, formats=formats)
    call = call_of(parser, words, "server" if action == "compile" else "user")
    resolved: ResolvedRequest | None = None
    started = time.monotonic()
    request = request_of(call)
    try:
        resolved = resolve(request, call.messages)
        catalog, _value = compile_resolved(resolved)
        data = identified(catalog_to_data(catalog))
        if request.storedconfigs is not None:
            from bunraku.jobs.puppet_stored_configs import store

            store(call, request, catalog, data)
        text = json_text(data, indent=call.options.render_as in INDENTED)
    except PuppetError as error:
        compiling = resolved is not None and call.section == "server"
        failed(call, action, text_of(error, request, resolved), 2 if compiling else 1)
        return exits.FINDINGS
    took = time.monotonic() - started
    where = f"in environment {resolved.environment.name} in {took:.2f} seconds"
    call.messages.say("notice", f"Compiled catalog for {request.node} {where}")
    write(text + "\n")
    return exits.OK


def text_of(error: PuppetError, request: Request, resolved: ResolvedRequest | None) -> str:
    """Return the text of an error as Puppet words it."""
    if resolved is None:
        return str(error)
    return puppet_text(error, resolved.environment.name, request.node)


def failed(call: Call, action: str, text: str, times: int) -> None:
    """Print an error as often as Puppet does: each layer of its command line logs it.

    The compiler logs it ``times``: also for itself where it runs as a server's.
    """
    for line in (*[text] * times, *[f"Could not call 'find' on 'catalog': {text}"] * 2):
        call.messages.error(line)
    call.messages.error(f"Try 'puppet help catalog {action}' for usage")


def request_of(call: Call) -> Request:
    """Return the request that the settings describe."""
    return request_for(call, *node_and_facts(call))


def request_for(call: Call, node: str, facts: dict[str, Any]) -> Request:
    """Return the request for a node with facts, in the environment of the settings."""
    storedconfigs = None
    if call.values.get("storeconfigs"):
        from bunraku.jobs.puppet_stored_configs import site_of

        storedconfigs = site_of(call)
    settings = dict(call.given)
    fields = environment_fields(call, settings)
    return Request(
        node=node,
        facts=facts,
        trusted=trusted_of(facts),
        server_facts=server_facts(Machine()),
        adds_versions=True,
        settings=settings,
        language=call.options.language,
        follow=call.options.follow,
        storedconfigs=storedconfigs,
        **fields,
    )


def node_and_facts(call: Call) -> tuple[str, dict[str, Any]]:
    """Return the name of the node, by default this machine's, and its facts.

    Puppet adds the facts of an agent to the facts of this machine only, with this machine's name.
    """
    terminus, given = call.text("facts_terminus"), call.options.node or call.text("certname")
    if systems := getattr(call.options, "os", ()):
        facts = facts_on(systems, call.options.facterdb, given or None, None)
        return node_name(facts), facts
    if terminus in STORED:
        name = given or machine_name(Machine())
        return name, stored_facts(call, name, terminus)
    if terminus != "facter":
        known = ", ".join(("facter", *STORED))
        message = f"--facts_terminus {terminus} is not supported: use one of {known}"
        raise UsageError(message, "puppet catalog")
    facts = MachineFacts(Machine(), lambda _: None).facts(None)
    own = call.text("certname") or node_name(facts)
    return given or own, {**facts, **agent_facts(own), **facts}
