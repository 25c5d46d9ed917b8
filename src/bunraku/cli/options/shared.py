"""Options that several commands share, under Puppet's own names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from bunraku.base.file_reading import LARGEST_FILE, read_whole
from bunraku.base.lazy_typing import TYPE_CHECKING, Any, Protocol, TextIO
from bunraku.base.usage import UsageError
from bunraku.cli.output.output import Paint, wants_colour
from bunraku.cli.output.streams import read_standard_input
from bunraku.dialects.languages import LANGUAGES
from bunraku.limits.limits import DEFAULT_BYTES, DEFAULT_SECONDS

if TYPE_CHECKING:
    from bunraku.cli.report.observer import TerminalObserver

COLOURS = {
    "auto": "auto",
    "always": "always",
    "never": "never",
    "ansi": "always",  # Puppet's name of the option
    "true": "always",
    "false": "never",
}


class TakesOptions(Protocol):
    """A parser of arguments, or a group of one."""

    def add_argument(self, *names: str, **rules: Any) -> argparse.Action:
        """Add an option."""


def group_of(parser: TakesOptions, title: str) -> TakesOptions:
    """Return a group of a parser's options; return a group itself."""
    if isinstance(parser, argparse.ArgumentParser):
        return parser.add_argument_group(title)
    return parser


def node_argument(text: str) -> str:
    """Return the name of a node that an option gives; raise ArgumentTypeError if it cannot be one."""
    from bunraku.modules.names import node_name_problem

    problem = node_name_problem(text)
    if problem is not None:
        raise argparse.ArgumentTypeError(f"invalid node name {text!r}: {problem}")
    return text


def add_output_options(parser: TakesOptions) -> None:
    """Add the options that every command has."""
    parser = group_of(parser, "general options")
    parser.add_argument(
        "--color",
        choices=list(COLOURS),
        default="auto",
        help="use of colours: auto means on a terminal, unless NO_COLOR is set (default: auto)",
    )
    parser.add_argument(
        "--debug", action="store_true", help="show debug messages and tracebacks of internal errors"
    )
    parser.add_argument(
        "--no-project",
        action="store_true",
        help="ignore bunraku.toml and the project in which the command runs",
    )


def add_language_options(parser: TakesOptions) -> None:
    """Add the options for the language of the text and its checks."""
    parser = group_of(parser, "language")
    parser.add_argument(
        "--language", choices=tuple(LANGUAGES), help="version of the Puppet language (default: 8)"
    )
    parser.add_argument(
        "--follow",
        choices=("puppet", "documents"),
        default="puppet",
        help="where Puppet's documentation and implementation disagree, follow the implementation "
        "(puppet) or the documentation (default: puppet)",
    )
    parser.add_argument(
        "--strict",
        choices=("off", "warning", "error"),
        help="severity of questionable code (default: error)",
    )
    parser.add_argument(
        "--tasks",
        action="store_true",
        help="allow plans, apply() and other parts of the language for tasks",
    )


def add_limit_options(parser: TakesOptions, unit: str = "catalog") -> None:
    """Add the limits of time and memory; ``unit`` is the name of the limited thing."""
    parser = group_of(parser, "limits")
    parser.add_argument(
        "--timeout",
        type=time_limit,
        default=DEFAULT_SECONDS,
        metavar="TIME",
        help=f"time limit for each {unit}, such as 30, 30s, 5m or 1h; 0 means no limit (default: 5m)",
    )
    parser.add_argument(
        "--memory",
        type=memory_size,
        default=DEFAULT_BYTES,
        metavar="SIZE",
        help="memory limit, such as 512M or 4G; 0 means the memory of the machine or container, "
        "which is always a limit (default: 4G)",
    )


def add_custom_fact_options(parser: argparse.ArgumentParser) -> None:
    """Add the time limit of custom facts."""
    parser.add_argument(
        "--fact-timeout",
        type=time_limit,
        default=10.0,
        metavar="TIME",
        help="time limit for each custom fact that does not declare one; 0 means no limit (default: 10s)",
    )


def add_process_options(parser: TakesOptions) -> None:
    """Add the options for where many nodes are compiled."""
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (default: one per CPU)")
    parser.add_argument(
        "--executor",
        default="processes",
        metavar="NAME",
        help="where nodes are compiled: processes of this machine, dask=ADDRESS of a Dask scheduler, or "
        "MODULE:FACTORY, a function that returns an executor (default: processes)",
    )


def time_limit(text: str) -> float:
    """Return the seconds of a time limit; the reader is imported when needed."""
    from bunraku.limits.texts import parse_seconds

    try:
        return parse_seconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"invalid time {text!r}: {error}") from None


def positive(text: str) -> int:
    """Return a whole number from 1."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def memory_size(text: str) -> int:
    """Return the bytes of ``--memory``; the reader is imported when needed."""
    from bunraku.limits.texts import parse_size

    try:
        return parse_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"invalid size {text!r}: {error}") from None


def add_modulepath_option(parser: TakesOptions) -> None:
    """Add the directories of modules."""
    parser.add_argument(
        "--modulepath",
        default="",
        metavar="PATH",
        help="directories of modules, separated by colons",
    )


def add_setting_options(parser: TakesOptions) -> None:
    """Add Puppet's settings as options; ``--set`` takes those without an option of their own."""
    parser = group_of(parser, "environment and settings")
    parser.add_argument(
        "--strict-variables",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="make reading an unset variable an error (default: yes)",
    )
    parser.add_argument(
        "--environment", metavar="NAME", help="name of the environment (default: production)"
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="read settings from this puppet.conf; command-line options override it",
    )
    parser.add_argument(
        "--environmentpath",
        metavar="PATH",
        help="directories of environments, separated by colons",
    )
    parser.add_argument(
        "--basemodulepath",
        metavar="PATH",
        help="directories of modules that all environments use, separated by colons",
    )
    parser.add_argument("--hiera-config", metavar="FILE", help="hiera.yaml of the global layer")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other setting of Puppet; can be repeated",
    )


def named_pairs(pairs: Sequence[str], command: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names and texts of ``--set``; UsageError for a mistake or an unknown setting.

    >>> list(named_pairs(["noop=true", "tags=a=b"]))
    [('noop', 'true'), ('tags', 'a=b')]
    """
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not name or not equals:
            raise UsageError(f"--set requires NAME=VALUE, not {pair!r}", command)
        from bunraku.dialects.known_settings import near_setting

        near = near_setting(name)
        if near is not None:
            raise UsageError(f"--set: unknown setting '{name}'{near}", command)
        yield name, text


def paint_for(options: argparse.Namespace, stream: TextIO | None = None) -> Paint:
    """Return the colours for a stream (standard error when none is named)."""
    return Paint(enabled=wants_colour(COLOURS[options.color], stream or sys.stderr))


def level_of(options: argparse.Namespace) -> str:
    """Return the least urgent level of messages that ``--debug`` and ``--verbose`` ask for."""
    if options.debug:
        return "debug"
    return "info" if getattr(options, "verbose", False) else "notice"


def observer_of(options: argparse.Namespace, level: str = "warning") -> TerminalObserver:
    """Return what prints messages of a level and above, and progress."""
    from bunraku.cli.report.log import Printer
    from bunraku.cli.report.observer import TerminalObserver

    return TerminalObserver(Printer(level, paint_for(options)))


def read_text(path: str, most: int = LARGEST_FILE) -> str:
    """Return a file's text (``-`` is standard input), bytes kept whole.

    Raises UsageError for files that cannot be read, are not regular or larger than ``most`` bytes.
    """
    try:
        content = read_standard_input(most) if path == "-" else read_whole(path, most)
        return content.decode("utf-8", "surrogateescape")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
