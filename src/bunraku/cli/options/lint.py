"""The options of ``bunraku lint``, from the command line and from files as puppet-lint reads them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from bunraku.base.file_reading import read_whole
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli.options.config_file import reason_against, warn_of_ignored
from bunraku.cli.options.declarations import GENERAL, Rules, choice, declare
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import IGNORED_PATHS, LintSettings, UnknownCheck

CONFIGURATION = ("/etc/puppet-lint.rc", "~/.puppet-lint.rc", ".puppet-lint.rc")
"""Files with options, the later ones stronger."""
PUPPET_LINT = "puppet-lint"
FORMATS = (PUPPET_LINT, "text", "json", "sarif", "github", "junit", "codeclimate")


OPTIONS = """
files [PATH]...: manifests and directories; - reads standard input. Without PATH, the current
    directory
--only-checks CHECKS: run only these checks (a,b,c)
@fail_on_warnings
--error-level: print only findings of this level (default: all)
--log-format FORMAT: the line for each finding, with %%{path}, %%{filename}, %%{fullpath},
    %%{line}, %%{column}, %%{kind}, %%{KIND}, %%{check}, %%{message}
--with-filename: print the path before each finding
--with-context: print the line of each finding
--show-ignored: also print what control comments suppress, with the reasons
--relative: check the layout of a module from its root; the name of its directory does not matter
-f --fix: correct what can be corrected
--ignore-paths PATHS: skip paths that match these patterns (a,b,c)
--top-scope-variables VARS: top-scope variables that are not facts (a,b,c)
--plugins: also run the checks of voxpupuli-puppet-lint-plugins
--list-checks: print the names of the checks; with --plugins, of all
--config -c FILE: a file with further options
--no-config: do not read /etc/puppet-lint.rc, ~/.puppet-lint.rc and .puppet-lint.rc
--json: print puppet-lint's JSON
--sarif: the same as --format sarif
--codeclimate-report-file FILE: also write a Code Climate report
--format: format of the report (default: puppet-lint's lines)
"""
RULES: Rules = {
    "error_level": choice("all", "warning", "error"),
    "config": {"dest": "options_file"},
    "format": choice(*FORMATS),
}


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
    declare(parser, OPTIONS, RULES)
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
    declare(parser, GENERAL, {})


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
