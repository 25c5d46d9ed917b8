"""Examine this machine or site, and say what to do."""

from __future__ import annotations

import argparse

from bunraku.base.excerpt import visible
from bunraku.cli import exits
from bunraku.cli.options.declarations import DATA_FORMATS, GENERAL, TEXT, Rules
from bunraku.cli.options.puppet_settings import PUPPET_SETTINGS, chosen_settings
from bunraku.cli.options.records import record_of
from bunraku.cli.options.shared import paint_for
from bunraku.cli.output.output import Paint, write
from bunraku.formats.json import json_text
from bunraku.jobs.doctor import COMMAND, DoctorOptions, doctor, examination_data
from bunraku.workbench.doctor.examine import Examination

SETTINGS = True
"""Every setting of Puppet is an option."""
COLOURS = {"error": "red", "warning": "yellow"}


OPTIONS = f"""
--puppetdb URL: a PuppetDB, or the file of its database
--deploy-config FILE: an r10k.yaml, for its environments
--only CODE...: only faults with this code; can be repeated
--ignore CODE...: no faults with this code; can be repeated
--format: default: text
{PUPPET_SETTINGS}
{GENERAL}
"""
RULES: Rules = {"puppetdb": TEXT, "deploy_config": TEXT, "format": DATA_FORMATS}


def run(options: argparse.Namespace) -> int:
    """Print the findings; 1 for findings, 2 if something could not be checked."""
    settings = chosen_settings(options, (), COMMAND)
    found = doctor(record_of(DoctorOptions, options, settings=settings))
    if options.format == "json":
        write(json_text(examination_data(found), indent=True) + "\n")
    else:
        write(text_of(found, paint_for(options)))
    if found.findings:
        return exits.FINDINGS
    return exits.TROUBLE if found.unchecked else exits.OK


def text_of(found: Examination, paint: Paint) -> str:
    """Return the lines for a person: findings with hints, what is not here, what was not checked."""
    lines = []
    for one in found.findings:
        severity = paint(COLOURS[one.severity], f"{one.severity}:")
        lines.append(f"{severity} {visible(f'{one.place}: {one.message}')} [{one.code}]")
        lines.append(f"  hint: {visible(one.hint)}")
    for heading, gaps in (("not checked", found.unchecked), ("not here", found.absent)):
        lines += [visible(f"{heading}: {one.subject}: {one.reason}") for one in gaps]
    errors = sum(one.severity == "error" for one in found.findings)
    counts = (errors, len(found.findings) - errors, len(found.unchecked))
    lines.append("errors: {}, warnings: {}, not checked: {}".format(*counts))
    return "".join(f"{line}\n" for line in lines)
