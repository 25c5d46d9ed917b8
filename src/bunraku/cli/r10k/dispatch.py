"""From the words of a call of ``r10k`` to its exit code."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.version import version
from bunraku.cli import exits
from bunraku.cli.output.output import write, write_error
from bunraku.cli.r10k.commands import R10K
from bunraku.cli.r10k.failures import report_failure, runtime_error
from bunraku.cli.r10k.help import help_text
from bunraku.cli.r10k.words import Call, WrongWords, commands_named, parse
from bunraku.deployment.r10k_log import R10kLog, level_of

SPOKEN = "5.0.2"
"""The version of r10k whose command line this is."""
Action = Callable[[Call, R10kLog], int]


def run(words: Sequence[str]) -> int:
    """Run a call of ``r10k``; return r10k's exit code."""
    try:
        call = parse(R10K, words)
        if call.name == "help":
            write(help_text(tuple(commands_named(R10K, call.arguments))))
            return exits.OK
    except WrongWords as wrong:
        write_error(f"{wrong}\n")
        return exits.FINDINGS
    puppet = call.text("puppet-path")
    if puppet and not os.access(puppet, os.X_OK):
        write_error(f"The specified puppet executable {puppet} is not executable.\n")
        write(help_text(call.path))
        return exits.FINDINGS
    if call.help_of is not None:
        write(help_text(call.help_of))
        return exits.OK
    if call.name == "version":
        write(f"r10k {SPOKEN} (bunraku {version()})\n")
        return exits.OK
    return run_action(call)


def run_action(call: Call) -> int:
    """Run a command that reads the settings."""
    unknown = [f"--{name}" for name in call.options if name not in call.path[-1].accepts]
    log = R10kLog(write_error, colour="color" in call.options)
    try:
        if "verbose" in call.options:
            log.level = level_of(call.options["verbose"])
        if unknown:
            return runtime_error(f"'r10k {call.name}' cannot handle {', '.join(unknown)}")
        return action_of(call.name)(call, log)
    except PuppetError as error:
        return report_failure(error, log)


def action_of(name: str) -> Action:
    """Import the function of a command."""
    match name:
        case "deploy environment":
            from bunraku.cli.r10k.deploy import environment as action
        case "deploy module":
            from bunraku.cli.r10k.deploy import module as action
        case "deploy display":
            from bunraku.cli.r10k.deploy import display as action
        case "puppetfile install":
            from bunraku.cli.r10k.puppetfile import install as action
        case "puppetfile check":
            from bunraku.cli.r10k.puppetfile import check as action
        case "puppetfile purge":
            from bunraku.cli.r10k.puppetfile import purge as action
        case _:
            raise KeyError(name)
    return action
