"""``r10k puppetfile``: the modules of a Puppetfile in the current directory."""

from __future__ import annotations

import os

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.output.output import write_error
from bunraku.cli.r10k.deploy import settings_of_call
from bunraku.cli.r10k.failures import report_failure, with_hint
from bunraku.cli.r10k.words import Call
from bunraku.deployment.r10k_log import R10kLog
from bunraku.jobs.deploy import Deployment, DeployOptions
from bunraku.jobs.r10k_puppetfile import (
    InstallOptions,
    check_puppetfile,
    install_modules,
    purge_modules,
    read_modules,
)


def prepared(call: Call, log: R10kLog) -> tuple[InstallOptions, Deployment]:
    """Return what a call asks for, and the settings; a settings file is not needed."""
    found = settings_of_call(call, log)
    options = InstallOptions(
        os.getcwd(),
        call.text("puppetfile") or "Puppetfile",
        call.text("moduledir") or "modules",
        call.text("module-exclude-regex"),
        "force" in call.options,
    )
    return options, Deployment(DeployOptions(link=False), log.say, found.settings)


def install(call: Call, log: R10kLog) -> int:
    """Install the modules."""
    errors = install_modules(*prepared(call, log))
    for error in errors:
        report_failure(error, log)
    return exits.FINDINGS if errors else exits.OK


def check(call: Call, log: R10kLog) -> int:
    """Check whether the Puppetfile can be read."""
    options, site = prepared(call, log)
    try:
        check_puppetfile(options, site)
    except PuppetError as error:
        write_error("".join(f"{with_hint(one)}\n" for one in error))
        return exits.FINDINGS
    write_error("Syntax OK\n")
    return exits.OK


def purge(call: Call, log: R10kLog) -> int:
    """Remove what the Puppetfile does not declare."""
    options, site = prepared(call, log)
    purge_modules(read_modules(options, site.log).modules, site.log, options.root)
    return exits.OK
