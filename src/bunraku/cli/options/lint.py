"""The options of ``bunraku lint``, from the command line and from files as puppet-lint reads them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from bunraku.base.file_reading import read_whole
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli.options.config_file import reason_against, warn_of_ignored
from bunraku.cli.options.shared import add_options, add_output_options
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import IGNORED_PATHS, LintSettings, UnknownCheck

CONFIGURATION = ("/etc/puppet-lint.rc", "~/.puppet-lint.rc", ".puppet-lint.rc")
"""Files with options, the later ones stronger."""
PUPPET_LINT = "puppet-lint"
FORMATS = (PUPPET_LINT, "text", "json", "sarif", "github", "junit", "codeclimate")


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


def add_lint_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku lint``."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="PATH",
        help="manifests and directories; - reads standard input. Without PATH, the current directory",
    )
    parser.add_argument("--only-checks", metavar="CHECKS", help="run only these checks (a,b,c)")
    add_options(parser, "fail_on_warnings")
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
    parser.add_argument(
        "--list-checks",
        action="store_true",
        help="print the names of the checks; with --plugins, of all",
    )
    parser.add_argument(
        "--config", "-c", dest="options_file", metavar="FILE", help="a file with further options"
    )
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
        choices=FORMATS,
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


def with_configuration(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options with those of configuration files before them."""
    words: list[str] = []
    if not options.no_config:
        for path in map(os.path.expanduser, CONFIGURATION):
            if os.path.isfile(path) and is_trusted(path):
                words += options_in_file(path)
    if options.options_file:
        words += options_in_file(options.options_file)
    if not words:
        return options
    parser = argparse.ArgumentParser(prog="puppet-lint.rc", exit_on_error=False, add_help=False)
    add_lint_options(parser)
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


def is_trusted(path: str) -> bool:
    """Return whether no other user can have written a file of options; print a warning otherwise."""
    here = os.getcwd()
    reason = reason_against(path, [here] if path == CONFIGURATION[-1] else [], here)
    if reason is not None:
        warn_of_ignored(os.path.abspath(path), os.path.abspath(path), reason)
    return reason is None


def configured_settings() -> LintSettings:
    """Return the settings that ``bunraku lint`` has here without options; raise UsageError."""
    parser = argparse.ArgumentParser()
    add_lint_options(parser)
    settings = settings_of(with_configuration(parser.parse_args([])))
    try:
        settings.chosen()
    except UnknownCheck as error:
        raise UsageError(f"configuration of lint: {error}") from error
    return settings


def options_in_file(path: str) -> list[str]:
    """Return the options in a file: as on a command line, over any number of lines."""
    import shlex

    try:
        text = read_whole(path).decode()
        words = shlex.split(text, comments=True)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {path}: it is not UTF-8") from None
    except ValueError as error:  # a quote without its end
        raise UsageError(f"cannot read {path}: {str(error).lower()}") from None
    return words


def listed(text: str | None) -> tuple[str, ...] | None:
    """Return the words between commas.

    >>> listed("a,b"), listed(None)
    (('a', 'b'), None)
    """
    return None if text is None else tuple(filter(None, text.split(",")))


def settings_of(options: argparse.Namespace) -> LintSettings:
    """Return the settings of the checks; the last switch of a check decides."""
    switches = dict(options.switches)
    paths = listed(options.ignore_paths)
    return LintSettings(
        only=listed(options.only_checks),
        enabled=tuple(name for name, wanted in switches.items() if wanted),
        disabled=tuple(name for name, wanted in switches.items() if not wanted),
        relative=options.relative,
        ignore_paths=IGNORED_PATHS if paths is None else paths,
        top_scope_variables=listed(options.top_scope_variables) or (),
        plugins=options.plugins,
    )
