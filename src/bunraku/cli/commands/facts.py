"""Show this machine's facts, under Facter 4's names and in its structure."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, LANGUAGE, SETTINGS, Rules, choice
from bunraku.cli.options.shared import observer_of
from bunraku.cli.output.output import write, write_error
from bunraku.facts.legacy import fact_value
from bunraku.formats.json import json_text
from bunraku.jobs.facts import FactsOptions, machine_facts

INTERMIXED = True
"""Facts may be named after options."""


OPTIONS = f"""
facts [FACT]...: facts by dotted name, such as os.family (default: all); a leading word 'show' is
    ignored
--format --render-as: output format (default: json)
--external-dir DIR...: additional directory of external facts; can be repeated
--no-external-facts: omit external facts
--show-legacy: add legacy facts such as osfamily
--value-only: print only the value of the one FACT
@fact_timeout
@modulepath
{LANGUAGE}
{SETTINGS}
{GENERAL}
"""


def run(options: argparse.Namespace) -> int:
    """Collect and print the facts; an unknown fact is an empty string, as for Puppet."""
    if options.facts[:1] == ["show"]:
        del options.facts[0]
    if options.value_only and len(options.facts) != 1:
        raise UsageError("--value-only requires exactly one FACT")
    if options.external_dir and options.no_external_facts:
        raise UsageError("--external-dir and --no-external-facts exclude each other")
    context = context_of(options, observer_of(options), below=True)
    chosen = FactsOptions(
        options.facts,
        options.show_legacy,
        not options.no_external_facts,
        options.external_dir,
        options.fact_timeout,
    )
    facts = machine_facts(context, chosen)
    found = facts.values
    missing = {name: text for name in options.facts if (text := facts.missing(name))}
    for text in missing.values():
        write_error(f"error: {text}\n")
    if options.facts:
        found = {name: fact_value(found, name) for name in sorted(options.facts)}
    if options.value_only:
        (value,) = found.values()
        write(value + "\n" if isinstance(value, str) else FORMATS[options.render_as](value))
    else:
        write(FORMATS[options.render_as](found))
    return exits.FINDINGS if any(map(facts.is_left_out, missing)) else exits.OK


def as_json(data: Any) -> str:
    """Return indented JSON."""
    return json_text(data, indent=True) + "\n"


def as_yaml(data: Any) -> str:
    """Return facts as YAML."""
    from bunraku.formats.yaml_writer import yaml_text

    return yaml_text(data)


FORMATS = {"json": as_json, "yaml": as_yaml}
RULES: Rules = {"format": {**choice(*FORMATS), "dest": "render_as"}}
