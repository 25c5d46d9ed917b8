"""``puppet parser validate``: the syntax of manifests, with Puppet's messages and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.fences import fenced
from bunraku.base.source import Source
from bunraku.cli import exits
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.options.shared import read_text
from bunraku.cli.output.output import write
from bunraku.engine.programs import check_program
from bunraku.formats.json import json_text


def validate(words: Sequence[str]) -> int:
    """Validate manifests, standard input, or the manifest of the environment."""
    about = "Validate the syntax of one or more Puppet manifests."
    options = "files [MANIFEST]...: files to validate"
    parser = parser_for("parser validate", about, options, formats=("console", "json", "s"))
    call = call_of(parser, words, "user")
    files = call.options.files
    if not files and sys.stdin is not None and not sys.stdin.isatty():
        return report(call, {"STDIN": errors_of(call, Source(read_text("-")))})
    if not files:
        path = default_manifest(call)
        call.messages.say(
            "notice", f"No manifest specified. Validating the default manifest {path}"
        )
        files = [path]
    found = {path: errors_of_files(call, path) for path in files if os.path.exists(path)}
    missing = [path for path in files if not os.path.exists(path)]
    if missing:
        listed = repr(f"   {missing[0]}\n") if len(missing) == 1 else ""
        listed = listed or ", ".join(repr(f"   {path}\n") for path in missing)
        listed = listed.replace("'", '"')
        call.messages.error(f"One or more file(s) specified did not exist:\n[{listed}]")
        call.messages.error("Try 'puppet help parser validate' for usage")
        return exits.FINDINGS
    return report(call, found)


def default_manifest(call: Call) -> str:
    """Return the manifest that is validated without arguments."""
    if call.text("manifest"):
        return call.text("manifest")
    folder = call.text("environmentpath").partition(":")[0]
    return os.path.join(folder, call.text("environment"), "manifests")


def errors_of_files(call: Call, path: str) -> list[Diagnostic]:
    """Return the errors in a manifest, or those in the first wrong one of a directory."""
    with fenced(path if os.path.isdir(path) else os.path.dirname(path)):
        return errors_in_fence(call, path)


def errors_in_fence(call: Call, path: str) -> list[Diagnostic]:
    """Return the errors as :func:`errors_of_files` does; links are not followed out of the project."""
    if not os.path.isdir(path):
        return errors_of(call, Source(read_text(path), os.path.abspath(path), on_disk=True))
    below = (os.path.join(at, name) for at, _, names in os.walk(path) for name in names)
    for name in sorted(one for one in below if one.endswith(".pp")):
        found = errors_of(call, Source(read_text(name), os.path.abspath(name), on_disk=True))
        if found:
            return found
    return []


def errors_of(call: Call, source: Source) -> list[Diagnostic]:
    """Return the errors in a manifest; its warnings are printed."""
    checked = check_program(source, call.dialect, dict(call.given))
    for finding in checked.findings:
        if finding.severity != "error":
            call.messages.say("warning", with_place(finding))
    return checked.errors


def with_place(finding: Diagnostic) -> str:
    """Return a message with its place, as Puppet formats it."""
    file, line, column = finding.puppet_place.where
    named = (("file", file), ("line", line), ("column", column))
    where = ", ".join(f"{name}: {value}" for name, value in named if value)
    return f"{finding.message} ({where})" if where else finding.message


def report(call: Call, errors: dict[str, list[Diagnostic]]) -> int:
    """Print the errors; return the exit code.

    Several errors of a file are printed when they are found; the end names their number, or a single
    error with the environment (Puppet 7.23, ``Puppet::Pops::IssueReporter``).
    """
    failing = {path: found for path, found in errors.items() if found}
    for found in failing.values():
        for one in found if len(found) > 1 else ():
            call.messages.error(with_place(one))
    if call.options.render_as == "json" and failing:
        data = {path: as_data(call, found) for path, found in failing.items()}
        write(json_text(data, indent=True) + "\n")
        return exits.FINDINGS
    if call.options.render_as == "s" and not failing:
        write("{}\n")
    for found in failing.values():
        call.messages.error(summary(found) if len(found) > 1 else in_environment(call, found[0]))
    return exits.FINDINGS if failing else exits.OK


def summary(found: list[Diagnostic]) -> str:
    """Return the number of the errors of a file."""
    return f"Language validation logged {len(found)} errors. Giving up"


def in_environment(call: Call, finding: Diagnostic) -> str:
    """Return an error with its place and the environment."""
    return f"Could not parse for environment {call.text('environment')}: {with_place(finding)}"


def as_data(call: Call, found: list[Diagnostic]) -> dict[str, object]:
    """Return the error of a file, or the number of its errors, as ``--render-as json`` shows it."""
    file, line, column = found[0].puppet_place.where
    if len(found) > 1:
        text, line, column = summary(found), None, None
        environment = call.text("environment")
        full = f"Could not parse for environment {environment}: {text} (file: {file})"
    else:
        text, full = found[0].message, in_environment(call, found[0])
    return {
        "issue_code": None if len(found) > 1 else found[0].code,
        "message": text,
        "full_message": full,
        "file": file,
        "line": line,
        "pos": column,
    }
