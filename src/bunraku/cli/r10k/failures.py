"""Errors in the words of r10k, with its exit codes."""

from __future__ import annotations

from collections.abc import Iterable

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.cli import exits
from bunraku.cli.output.output import write_error
from bunraku.deployment import issues
from bunraku.deployment.credentials import without_password
from bunraku.deployment.r10k_issues import (
    R10K_CREDENTIALS,
    R10K_FILE_UNREADABLE,
    R10K_LOG_OUTPUT,
    R10K_SETTING_INVALID,
    R10K_SETTING_KIND,
)
from bunraku.deployment.r10k_log import R10kLog

BAD_SETTINGS = 8
LOCKED = 16
CRASHES = (R10K_FILE_UNREADABLE, R10K_SETTING_KIND, R10K_LOG_OUTPUT, R10K_CREDENTIALS)
"""Errors that end r10k itself, before its log is set up."""
LOCK = "Making changes to deployed environments has been administratively disabled."


def report_failure(error: PuppetError, log: R10kLog) -> int:
    """Report an error; return the exit code."""
    if error.is_a(*CRASHES):
        return runtime_error(str(error))
    if error.is_a(R10K_SETTING_INVALID):
        log.say("error", "\n".join(nested(error)))
        return BAD_SETTINGS
    if error.is_a(issues.NO_SETTINGS):
        log.say("fatal", error.message)
        return BAD_SETTINGS
    if error.is_a(issues.WRITE_LOCK):
        log.say("fatal", LOCK)
        log.say("fatal", f"Reason: {error.arguments['reason']}")
        return LOCKED
    for one in error:
        log.say("error", with_hint(one))
    return exits.FINDINGS


def runtime_error(message: str) -> int:
    """Report what r10k itself does not handle; return the exit code."""
    write_error(f"\nr10k: Runtime error: {without_password(message)}\n")
    return exits.FINDINGS


def with_hint(finding: Diagnostic) -> str:
    """Return a message with its place and its hint."""
    place = f" ({finding.place})" if finding.place.file else ""
    return f"{finding.message}{place}" + (f"; {finding.hint}" if finding.hint else "")


def nested(findings: Iterable[Diagnostic]) -> list[str]:
    """Return refused settings under the names of their groups, with their places."""
    lines = ["Validation failed for 'global' settings group:"]
    before: list[str] = []
    for one in findings:
        names = str(one.arguments["name"]).split(".")
        for depth, name in enumerate(names):
            if before[: depth + 1] == names[: depth + 1]:
                continue
            indent = " " * (8 * depth + 4)
            group = f"{indent}    Validation failed for '{name}' settings group:"
            lines += [f"{indent}{name}:", *([group] if depth + 1 < len(names) else [])]
        reason = str(one.arguments["reason"])
        where = f" ({one.place})" if one.place.file else ""
        lines.append(f"{' ' * (8 * (len(names) - 1) + 8)}{reason}{where}")
        before = names
    return lines
