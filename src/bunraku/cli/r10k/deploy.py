"""``r10k deploy``: environments, modules, and what there is."""

from __future__ import annotations

import os

from bunraku.base.records import record
from bunraku.cli import exits
from bunraku.cli.output.output import write
from bunraku.cli.r10k.words import Call
from bunraku.deployment import issues
from bunraku.deployment.r10k_credentials import settings_of_options
from bunraku.deployment.r10k_file import find_settings_file, r10k_settings, read_settings_file
from bunraku.deployment.r10k_log import R10kLog
from bunraku.deployment.r10k_settings import R10kSettings
from bunraku.jobs.deploy import DeployOptions, DeployResult, deploy
from bunraku.jobs.r10k_display import displayed_sources


@record(frozen=True)
class Settings:
    """The settings file with the options over it; an empty path if there is no file."""

    path: str
    settings: R10kSettings
    overrides: dict[str, object]


def settings_of_call(call: Call, log: R10kLog) -> Settings:
    """Return the settings of a call, and let the log follow them. Raise PuppetError."""
    path = call.text("config")
    warnings: list[str] = []
    if not path:
        path, warnings = find_settings_file(os.getcwd())
    document = read_settings_file(path) if path else None
    overrides = settings_of_options(call.options, document.data if document else {})
    settings = r10k_settings(document, overrides)
    log.configure(settings.logging, write)
    for warning in warnings:
        log.say("warn", warning)
    return Settings(path, settings, overrides)


def deployment_settings(call: Call, log: R10kLog) -> Settings:
    """Return the settings of a call that needs a file. Raise NO_SETTINGS."""
    found = settings_of_call(call, log)
    if not found.path:
        raise issues.NO_SETTINGS()
    return found


def warn_of_two_names(call: Call, log: R10kLog) -> None:
    """Warn if both names of the option for modules are there."""
    if {"modules", "puppetfile"} <= call.options.keys():
        name = f"R10K::Action::Deploy::{call.path[-1].name.capitalize()}"
        conflict = "parameters 'puppetfile' and 'modules' conflict"
        log.say("warn", f"{name} {conflict}. Specify one or the other, but not both")


def environment(call: Call, log: R10kLog) -> int:
    """Deploy environments."""
    found = deployment_settings(call, log)
    warn_of_two_names(call, log)
    options = DeployOptions(
        environments=call.arguments,
        modules=bool({"modules", "puppetfile"} & call.options.keys()),
        config=found.path,
        settings=found.overrides,
        force="no-force" not in call.options,
        locked=False,
        strict=False,
        incremental="incremental" in call.options,
        branch_override=call.text("default-branch-override"),
    )
    return code_of_result(deploy(options, log.say))


def module(call: Call, log: R10kLog) -> int:
    """Deploy modules."""
    found = deployment_settings(call, log)
    named = call.text("environment")
    options = DeployOptions(
        environments=[named] if named else [],
        modules=True,
        modules_only=True,
        only_modules=call.arguments,
        config=found.path,
        settings=found.overrides,
        force="no-force" not in call.options,
        locked=False,
        strict=False,
    )
    return code_of_result(deploy(options, log.say))


def code_of_result(result: DeployResult) -> int:
    """Return the exit code of a deployment, whose errors are in the log already."""
    return exits.OK if result.is_whole else exits.FINDINGS


def display(call: Call, log: R10kLog) -> int:
    """Print the sources and their environments."""
    from bunraku.cli.r10k.display import json_form, yaml_form  # writes YAML; slow to import

    found = deployment_settings(call, log)
    warn_of_two_names(call, log)
    fetch = "fetch" in call.options
    options = DeployOptions(
        environments=call.arguments,
        config=found.path,
        settings=found.overrides,
        offline=not fetch,
        strict=False,
    )
    sources = displayed_sources(options, log.say, detail="detail" in call.options)
    write(json_form(sources) if call.text("format") == "json" else yaml_form(sources))
    return exits.OK
