"""Show the project in this directory, its configuration, and the reason for each value."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, LANGUAGE, NODE, SETTINGS, Rules
from bunraku.cli.options.shared import observer_of
from bunraku.cli.output.output import write
from bunraku.formats.json import json_text
from bunraku.jobs.configuration import (
    ConfiguredValue,
    configuration_data,
    configured_values,
    module_versions,
)
from bunraku.jobs.context import Context
from bunraku.project.missing import missing_data, missing_parts, other_versions
from bunraku.world.machine import Machine

OPTIONS = f"""
--format: output format (default: text)
@modulepath
{LANGUAGE}
{SETTINGS}
{NODE}
{GENERAL}
"""
RULES: Rules = {"format": DATA_FORMATS}


def run(options: argparse.Namespace) -> int:
    """Print the project and the values."""
    context = context_of(options, observer_of(options), below=True)
    shown = list(configured_values(context, vars(options), options.configured))
    notes = missing_parts(context.project, Machine())
    notes += other_versions(context.project, Machine())
    if context.fields["hiera_config"] is None:
        notes += missing_data(context.project, Machine())
    if options.format == "json":
        write(json_text(configuration_data(context.project, shown, notes), indent=True) + "\n")
    else:
        write(as_text(context, shown, notes))
    return exits.OK


def as_text(context: Context, shown: list[ConfiguredValue], notes: list[str]) -> str:
    """Return the values as lines: name, value, reason."""
    project = context.project
    named = f" {project.name}" if project.name else ""
    lines = [f"project: {project.kind}{named}", f"root: {project.root}"]
    lines.append(f"reason: {project.reason}")
    for one in shown:
        lines += [
            "",
            f"{one.name} = {setting_text(one.value)}",
            f"    {one.origin}: {reason_text(one)}",
        ]
    if modules := module_versions(project):
        lines += ["", "modules of the Puppetfile:", *(f"    {one.text}" for one in modules)]
    if notes:
        lines += ["", *(f"note: {note}" for note in notes)]
    return "\n".join(lines) + "\n"


def setting_text(value: Any) -> str:
    """Return a value as text in one line."""
    return json_text(value) if not isinstance(value, str) else value


def reason_text(one: ConfiguredValue) -> str:
    """Return the reason for a value with its place."""
    choice = one.choice
    place = ":".join(str(part) for part in (choice.file, choice.line) if part)
    return f"{choice.reason} ({place})" if place else choice.reason
