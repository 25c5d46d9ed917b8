"""``puppet facts show``, ``find`` and ``info``: the facts of this machine, and those of other nodes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.cli.puppet.parser import with_place
from bunraku.facts.collect import collect_facts
from bunraku.facts.custom import PuppetForFacts, fact_files
from bunraku.facts.external import FOLDERS
from bunraku.facts.legacy import fact_value
from bunraku.formats.json import json_text
from bunraku.jobs.facts_files import node_name
from bunraku.jobs.puppet_environment import STORED, environment_of, stored_facts, stored_file
from bunraku.modules.node import agent_facts
from bunraku.modules.settings import user_settings
from bunraku.world.machine import Machine

SHOWN = """
facts [FACT]...: dotted names (default: all)
--terminus: where facts come from
--custom-dir DIR: more facts in Ruby
--config-file FILE: not supported
--external-dir DIR: more external facts
--no-block: no facts are blocked
--no-cache: no facts are cached
--show-legacy: also show legacy facts
--value-only: only the value of the one FACT
--timing: not supported
"""
FORMATS = ("console", "json", "yaml")
FACTER = "facter"
"""The terminus with the facts of this machine."""


def show(words: Sequence[str]) -> int:
    """Print facts of this machine; an unknown fact is an empty string, as in Puppet."""
    rules = {"terminus": {"choices": (FACTER,)}}
    parser = parser_for("facts show", "Show facts of this machine.", SHOWN, rules, formats=FORMATS)
    call = call_of(parser, words, "user")
    check_supported(call, parser.prog)
    names = call.options.facts
    found = machine_facts(call, names or None)
    if names:
        found = {name: fact_value(found, name) for name in sorted(set(names))}
    if call.options.value_only and len(found) == 1:
        write(only_value(next(iter(found.values())), call.options.render_as))
    else:
        write(facts_text(found, call.options.render_as))
    return exits.OK


def check_supported(call: Call, command: str) -> None:
    """Raise UsageError for options that would change the facts and are not supported."""
    options = call.options
    for name in ("config_file", "timing"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} is not supported", command)
    if options.value_only and len(options.facts) != 1:
        raise UsageError("--value-only requires exactly one FACT", command)


def machine_facts(call: Call, names: Sequence[str] | None) -> dict[str, Any]:
    """Return facts of this machine, with those of the modules; their warnings are printed."""

    def warn(finding: Diagnostic) -> None:
        call.messages.say("warning", finding.message)

    more = call.options.external_dir
    folders = [*([more] if more else []), *FOLDERS]
    legacy = call.options.show_legacy or bool(names)
    modules = [path for _, path in environment_of(call).module_paths]
    custom = call.options.custom_dir
    files = fact_files(Machine(), modules, [custom] if custom else [])
    own = {"puppetversion": call.dialect.version}
    return collect_facts(
        Machine(),
        warn,
        folders,
        legacy=legacy,
        names=names,
        files=files,
        puppet=PuppetForFacts(own, lambda: user_settings(call.given)),
    )


def only_value(value: Any, style: str) -> str:
    """Return a value without its name; text as it is."""
    return value + "\n" if isinstance(value, str) else facts_text(value, style)


def facts_text(data: Any, style: str) -> str:
    """Return facts in a format."""
    if style != "yaml":
        return json_text(data, indent=True) + "\n"
    from bunraku.formats.yaml_writer import yaml_text

    return f"---\n{yaml_text(data)}"


def find(words: Sequence[str]) -> int:
    """Print the facts of a node with their name, or nothing if they are not known, as in Puppet."""
    options = "node [CERTNAME]: name of the node\n--terminus: where facts come from"
    rules = {"terminus": {"choices": (FACTER, *STORED)}}
    parser = parser_for("facts find", "Show the facts of a node.", options, rules, formats=FORMATS)
    parser.set_defaults(external_dir=None, show_legacy=False)
    call = call_of(parser, words, "user")
    try:
        found = facts_of_node(call, call.options.node or call.text("certname"))
    except PuppetError as error:
        call.messages.error(with_place(error.diagnostic))
        return exits.FINDINGS
    if found is not None:
        style = call.options.render_as
        write(json_text(found) + "\n" if style == "json" else facts_text(found, style))
    return exits.OK


def facts_of_node(call: Call, name: str) -> dict[str, Any] | None:
    """Return the facts of a node with its name and their expiration; None if the terminus has none."""
    terminus = call.options.terminus or call.text("facts_terminus")
    if terminus not in STORED:
        facts = machine_facts(call, None)
        name = name or node_name(facts)
        return stored(call, name, {**facts, **agent_facts(name)})
    if not os.path.isfile(stored_file(call, name, terminus)):
        return None
    return stored(call, name, stored_facts(call, name, terminus))


def stored(call: Call, name: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a node as Puppet stores them; they expire after a ``runinterval``."""
    seconds = Machine().now() + float(call.values["runinterval"])
    when = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f000+00:00")
    return {"name": name, "values": facts, "expiration": when}


def info(words: Sequence[str]) -> int:
    """Print where facts come from by default."""
    call = call_of(parser_for("facts info", "Show the default terminus."), words, "user")
    write(f"Run mode 'user': {call.text('facts_terminus')}\n")
    return exits.OK
