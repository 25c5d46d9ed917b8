"""Check the style of manifests, as puppet-lint does, and correct it."""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import read_whole
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.checks.kinds import MANIFEST
from bunraku.cli import exits
from bunraku.cli.options.shared import UsageError, add_output_options, paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import (
    IGNORED_PATHS,
    SYNTAX,
    Finding,
    Outcome,
    Settings,
    UnknownCheck,
    is_ignored,
    lint_source,
)
from bunraku.world.whole_files import edit_whole

CONFIGURATION = ("/etc/puppet-lint.rc", "~/.puppet-lint.rc", ".puppet-lint.rc")
"""Files with options, the later ones stronger."""
PUPPET_LINT = "puppet-lint"
FIELD = re.compile(r"%\{(\w+)\}")
"""A field of ``--log-format``."""
REPORTS = {
    "json": "bunraku.cli.report.findings",
    "sarif": "bunraku.cli.report.sarif",
    "github": "bunraku.cli.report.findings",
    "junit": "bunraku.cli.report.junit",
    "codeclimate": "bunraku.cli.report.codeclimate",
}
"""Format → the module that writes it; others are not imported."""


class CheckSwitch(argparse.Action):
    """``--CHECK-check`` and ``--no-CHECK-check``, which are not listed one by one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Add the check of an option and whether it runs to ``switches``."""
        name = (option_string or "--").removeprefix("--").removesuffix("-check")
        wanted = not name.startswith("no-")
        namespace.switches = [*namespace.switches, (name.removeprefix("no-"), wanted)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku lint``."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="PATH",
        help="manifests and directories; - reads standard input. Without PATH, the current directory",
    )
    parser.add_argument("--only-checks", metavar="CHECKS", help="run only these checks (a,b,c)")
    parser.add_argument(
        "--fail-on-warnings", action="store_true", help="also exit with 1 for warnings"
    )
    parser.add_argument(
        "--error-level",
        choices=("all", "warning", "error"),
        default="all",
        help="print only findings of this level (default: all)",
    )
    parser.add_argument(
        "--log-format",
        metavar="FORMAT",
        help="the line for each finding, with %%{path}, %%{filename}, %%{fullpath}, %%{line}, "
        "%%{column}, %%{kind}, %%{KIND}, %%{check}, %%{message}",
    )
    parser.add_argument(
        "--with-filename", action="store_true", help="print the path before each finding"
    )
    parser.add_argument(
        "--with-context", action="store_true", help="print the line of each finding"
    )
    parser.add_argument(
        "--show-ignored",
        action="store_true",
        help="also print what control comments suppress, with the reasons",
    )
    parser.add_argument(
        "--relative",
        action="store_true",
        help="check the layout of a module from its root; the name of its directory does not matter",
    )
    parser.add_argument("-f", "--fix", action="store_true", help="correct what can be corrected")
    parser.add_argument(
        "--ignore-paths", metavar="PATHS", help="skip paths that match these patterns (a,b,c)"
    )
    parser.add_argument(
        "--top-scope-variables",
        metavar="VARS",
        help="top-scope variables that are not facts (a,b,c)",
    )
    parser.add_argument(
        "--plugins",
        action="store_true",
        help="also run the checks of voxpupuli-puppet-lint-plugins",
    )
    parser.add_argument("--list-checks", action="store_true", help="print the names of all checks")
    parser.add_argument("--config", "-c", metavar="FILE", help="a file with further options")
    parser.add_argument(
        "--no-config",
        action="store_true",
        help="do not read /etc/puppet-lint.rc, ~/.puppet-lint.rc and .puppet-lint.rc",
    )
    parser.add_argument("--json", action="store_true", help="print puppet-lint's JSON")
    parser.add_argument("--sarif", action="store_true", help="the same as --format sarif")
    parser.add_argument(
        "--codeclimate-report-file", metavar="FILE", help="also write a Code Climate report"
    )
    parser.add_argument(
        "--format",
        choices=("puppet-lint", "text", *REPORTS),
        default=PUPPET_LINT,
        help="format of the report (default: puppet-lint's lines)",
    )
    parser.set_defaults(switches=[])
    for name in checks():
        parser.add_argument(
            f"--{name}-check",
            f"--no-{name}-check",
            action=CheckSwitch,
            dest="switches",
            nargs=0,
            help=argparse.SUPPRESS,
        )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the findings; with ``--fix``, write the corrected files."""
    gc.disable()  # syntax trees hold no cycles, and there are many nodes in them
    options = with_configuration(options)
    if options.list_checks:
        write("".join(f"{name}\n" for name in checks()))
        return exits.OK
    settings = settings_of(options)
    try:
        chosen = settings.chosen()
    except UnknownCheck as error:
        raise UsageError(str(error)) from error
    outcomes = []
    for source in sources(options, settings):
        outcome = lint_source(source, chosen, settings, fix=options.fix)
        warn_of_comments(outcome)
        outcomes.append(outcome)
    if options.fix:
        write_fixed(outcomes)
    print_report(outcomes, options)
    if options.codeclimate_report_file:
        write_code_climate(outcomes, options.codeclimate_report_file)
    return exit_code(outcomes, options)


def exit_code(outcomes: Iterable[Outcome], options: argparse.Namespace) -> int:
    """Return 1 for errors that remain, and for warnings with ``--fail-on-warnings``."""
    failing = {"error", "warning"} if options.fail_on_warnings else {"error"}
    for outcome in outcomes:
        found = (one for one in outcome.findings if one.severity in failing)
        if outcome.errors or any(map(outcome.remains, found)):
            return exits.FINDINGS
    return exits.OK


# -- options -----------------------------------------------------------------------------------


def with_configuration(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options with those of configuration files before them."""
    words: list[str] = []
    if not options.no_config:
        for path in map(os.path.expanduser, CONFIGURATION):
            if os.path.isfile(path):
                words += words_of(path)
    if options.config:
        words += words_of(options.config)
    if not words:
        return options
    parser = argparse.ArgumentParser(prog="puppet-lint.rc", exit_on_error=False, add_help=False)
    add_arguments(parser)
    try:
        base, unknown = parser.parse_known_args(words)
    except argparse.ArgumentError as error:
        raise UsageError(f"configuration of lint: {error}") from error
    if unknown:
        known = [f"--{name.replace('_', '-')}" for name in vars(base)]
        known += [f"--{no}{name}-check" for name in checks() for no in ("", "no-")]
        raise UsageError(
            f"configuration of lint: unknown option '{unknown[0]}'{suggestion(unknown[0], known)}"
        )
    for name, value in vars(base).items():
        given = getattr(options, name)
        if name == "switches":
            options.switches = [*value, *given]
        elif given == parser.get_default(name):
            setattr(options, name, value)
    return options


def configured_settings() -> Settings:
    """Return the settings that ``bunraku lint`` has here without options; raise UsageError."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    settings = settings_of(with_configuration(parser.parse_args([])))
    try:
        settings.chosen()
    except UnknownCheck as error:
        raise UsageError(f"configuration of lint: {error}") from error
    return settings


def words_of(path: str) -> list[str]:
    """Return the options in a file: as on a command line, over any number of lines."""
    try:
        text = read_whole(path).decode()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    return shlex.split(text, comments=True)


def listed(text: str | None) -> tuple[str, ...] | None:
    """Return the words between commas.

    >>> listed("a,b"), listed(None)
    (('a', 'b'), None)
    """
    return None if text is None else tuple(filter(None, text.split(",")))


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings of the checks; the last switch of a check decides."""
    switches = dict(options.switches)
    paths = listed(options.ignore_paths)
    return Settings(
        only=listed(options.only_checks),
        enabled=tuple(name for name, wanted in switches.items() if wanted),
        disabled=tuple(name for name, wanted in switches.items() if not wanted),
        relative=options.relative,
        ignore_paths=IGNORED_PATHS if paths is None else paths,
        top_scope_variables=listed(options.top_scope_variables) or (),
        plugins=options.plugins,
    )


def sources(options: argparse.Namespace, settings: Settings) -> Iterable[Source]:
    """Yield the manifests to check."""
    for name in options.files or ["."]:
        if name == "-":
            yield Source(read_text(name), name)
        elif os.path.isdir(name):
            options.with_filename = True
            walk = import_module("bunraku.cli.options.checked_files").walk_of(options)
            for path, kind in walk.files(name):
                if kind == MANIFEST and not is_ignored(path, settings):
                    yield Source(read_text(path), path, on_disk=True)
        elif not os.path.exists(name):
            near = import_module("bunraku.cli.options.project").near_path(name)
            raise UsageError(f"cannot find {name}{near}")
        elif not is_ignored(name, settings):
            options.with_filename = options.with_filename or len(options.files) > 1
            yield Source(read_text(name), name, on_disk=True)


# -- reports -----------------------------------------------------------------------------------


def warn_of_comments(outcome: Outcome) -> None:
    """Print a warning for each control comment that opens or closes nothing."""
    for line, text in outcome.comments.unmatched:
        write_error(f"warning: {outcome.source.path}:{line}: {text}\n")


def write_fixed(outcomes: Iterable[Outcome]) -> None:
    """Write the corrected files: all of them, or none if one cannot be written."""
    new = {
        one.source.path: one.fixed.encode("utf-8", "surrogateescape")
        for one in outcomes
        if one.fixed is not None and one.source.on_disk
    }
    try:
        edit_whole(new)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from error


def print_report(outcomes: Sequence[Outcome], options: argparse.Namespace) -> None:
    """Print the findings in the format that is wanted."""
    if options.json:
        write(puppet_lint_json(outcomes, options))
        return
    form = "sarif" if options.sarif else options.format
    if form == PUPPET_LINT:
        write("".join(line for one in outcomes for line in lines_of(one, options)))
        return
    found = [one for outcome in outcomes for one in outcome.diagnostics()]
    found = [one for one in found if is_shown(one.severity, options)]
    if form in REPORTS:
        write(getattr(import_module(REPORTS[form]), f"{form}_report")(found))
    else:
        report = import_module("bunraku.cli.report.findings").text_report
        write(report(found, paint_for(options, sys.stdout)))


def is_shown(severity: str, options: argparse.Namespace) -> bool:
    """Return whether findings of a severity are printed."""
    return options.error_level in {"all", severity}


def fields_of(
    outcome: Outcome, finding: Finding | Diagnostic, full_path: str
) -> dict[str, str | int]:
    """Return the fields of a finding, as ``--log-format`` names them."""
    path = outcome.source.path
    if isinstance(finding, Diagnostic):
        line, column = finding.line or 1, finding.column or 1
        kind, check, message = "error", SYNTAX, finding.message
    else:
        line, column = outcome.source.position(finding.problem.start)
        check, message = finding.check, finding.problem.message
        kind = "ignored" if finding.reason is not None else finding.severity
        kind = "fixed" if finding in outcome.corrected else kind
    return {
        "kind": kind,
        "check": check,
        "message": message,
        "line": line,
        "column": column,
        "fullpath": full_path,
        "path": path,
        "filename": os.path.basename(path),
        "KIND": kind.upper(),
    }


def shown_findings(
    outcome: Outcome, options: argparse.Namespace
) -> list[tuple[dict[str, str | int], str | None]]:
    """Return the fields of the findings that are printed, each with the reason to ignore it."""
    full_path = os.path.abspath(outcome.source.path)
    found: list[tuple[dict[str, str | int], str | None]] = [
        (fields_of(outcome, one, full_path), None) for one in outcome.errors
    ]
    for one in outcome.findings:
        fields = fields_of(outcome, one, full_path)
        if fields["kind"] == "ignored":
            wanted = options.show_ignored and options.error_level == "all"
        else:
            wanted = fields["kind"] == "fixed" or is_shown(str(fields["kind"]), options)
        if wanted:
            found.append((fields, one.reason))
    return found


def lines_of(outcome: Outcome, options: argparse.Namespace) -> Iterable[str]:
    """Yield puppet-lint's lines for the findings of a manifest."""
    form = options.log_format
    if not form:
        form = "%{KIND}: %{message} on line %{line} (check: %{check})"
        form = "%{path} - " + form if options.with_filename else form
    for fields, reason in shown_findings(outcome, options):
        yield filled(form, fields) + "\n"
        if reason:
            yield f"  {reason}\n"
        if options.with_context and fields["kind"] != "fixed":
            yield context_of(outcome.source, int(fields["line"]), int(fields["column"]))


def filled(form: str, fields: Mapping[str, str | int]) -> str:
    """Return a log format with its fields; unknown ones stay.

    >>> filled("%{line}: %{message} %{x}", {"line": 2, "message": "a"})
    '2: a %{x}'
    """
    return FIELD.sub(lambda match: str(fields.get(match[1], match[0])), form)


def context_of(source: Source, line: int, column: int) -> str:
    """Return the line of a finding, with a mark below its column."""
    text = source.line_text(line)
    indent = len(text) - len(text.lstrip())
    return f"\n  {text.strip()}\n{' ' * max(column + 1 - indent, 0)}^\n\n"


def puppet_lint_json(outcomes: Sequence[Outcome], options: argparse.Namespace) -> str:
    """Return an array of one array of findings for each file, as puppet-lint prints it."""
    found = []
    for outcome in outcomes:
        entries = [fields for fields, _ in shown_findings(outcome, options)]
        if options.with_context:
            for fields in entries:
                fields["context"] = outcome.source.line_text(int(fields["line"])).strip()
        found.append(entries)
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def write_code_climate(outcomes: Iterable[Outcome], path: str) -> None:
    """Write the findings that remain for Code Climate and GitLab."""
    found = [one for outcome in outcomes for one in outcome.diagnostics()]
    text = import_module("bunraku.cli.report.codeclimate").codeclimate_report(found)
    try:
        import_module("bunraku.world.whole_files").write_whole(path, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
