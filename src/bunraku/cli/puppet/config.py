"""``puppet config print``: the values of settings, for a section of puppet.conf."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.cli import exits
from bunraku.cli.exits import UsageError
from bunraku.cli.options.node import node_name
from bunraku.cli.output.output import write
from bunraku.cli.puppet.arguments import Call, add_rendering, call_of, parser_for
from bunraku.cli.puppet.epp import environment_of
from bunraku.dialects.known_settings import near_setting
from bunraku.facts.collect import MachineFacts
from bunraku.formats.json import json_text
from bunraku.modules.settings import resolve
from bunraku.world.machine import Machine

NO_MANIFEST = "no_manifest"
"""The value of ``manifest`` for an environment without a directory (Puppet 7.23)."""


def print_settings(words: Sequence[str]) -> int:
    """Print one value, or lines ``NAME = VALUE`` in the order of the names."""
    parser = parser_for("config print", "Show the values of settings.")
    parser.add_argument("names", nargs="*", metavar="SETTING", help="settings (default: all)")
    parser.add_argument(
        "--section", default="main", metavar="NAME", help="section of puppet.conf (default: main)"
    )
    add_rendering(parser, ("console", "json", "s"))
    section = parser.parse_known_args(list(words))[0].section
    call = call_of(parser, words, section)
    values = setting_values(call)
    names = call.options.names
    names = sorted(values) if names in ([], ["all"]) else sorted(set(names))
    for name in names:
        if name not in values:
            raise UsageError(f"unknown setting '{name}'{near_setting(name) or ''}", parser.prog)
    write(rendered({name: values[name] for name in names}, call.options.render_as))
    return exits.OK


def setting_values(call: Call) -> dict[str, Any]:
    """Return the values of all settings; ``manifest`` and ``modulepath`` are the environment's."""
    name = node_name(MachineFacts(Machine(), lambda _: None).facts({"networking"}))
    values = resolve(call.given, name)
    environment = environment_of(call)
    values["modulepath"] = ":".join(environment.modulepath)
    values["manifest"] = environment.manifest or NO_MANIFEST
    return values


def rendered(values: Mapping[str, Any], style: str) -> str:
    """Return the settings in a format."""
    texts = {name: text_of(value) for name, value in values.items()}
    if style == "json":
        return json_text(texts) + "\n"
    if len(texts) == 1:
        return next(iter(texts.values())) + "\n"
    return "".join(f"{name} = {text}\n" for name, text in texts.items())


def text_of(value: Any) -> str:
    """Return a value as Puppet prints it.

    >>> text_of(True), text_of(None), text_of(["a", "b"])
    ('true', '', '["a", "b"]')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return json.dumps(value)
    return str(value)
