"""Options that several commands share, under Puppet's own names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence

from bunraku.base.file_reading import LARGEST_FILE, read_whole
from bunraku.base.lazy_typing import TYPE_CHECKING, Any, Protocol, TextIO
from bunraku.base.standard_streams import read_standard_input
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.output.output import Paint, wants_colour, write_error
from bunraku.project.options import TABLE

if TYPE_CHECKING:
    from bunraku.base.errors import PuppetError
    from bunraku.cli.report.observer import TerminalObserver
    from bunraku.project.options import Option, Table

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


def node_argument(text: str) -> str:
    """Return the name of a node that an option gives; raise ArgumentTypeError if it cannot be one."""
    from bunraku.modules.names import node_name_problem

    problem = node_name_problem(text)
    if problem is not None:
        raise argparse.ArgumentTypeError(f"invalid node name {text!r}: {problem}")
    return text


def add_option(parser: TakesOptions, name: str, table: Table = TABLE, **rules: Any) -> None:
    """Add an option of the table as a flag.

    ``rules``, which are those of ``add_argument``, replace what the table has, for a command that uses
    the option in its own way; ``flags`` are the names of the flag.
    """
    option = table[name]
    flags = rules.pop("flags", option.flags) or (f"--{name.replace('_', '-')}",)
    found = {**flag_rules(option), **OF_COMMAND_LINE.get(name, {})}
    found["help"] = option.meaning + FURTHER.get(option.kind, "")
    parser.add_argument(*flags, **{**found, **rules})


OF_COMMAND_LINE: dict[str, dict[str, Any]] = {"color": {"choices": list(COLOURS)}}
"""Name of an option → rules that only its flag has."""
FURTHER = {
    "paths": ", separated by colons",
    "globs": "; can be repeated",
    "table": "; can be repeated",
}
"""Kind of an option → what its help says about the values on a command line."""


def flag_rules(option: Option) -> dict[str, Any]:
    """Return what ``add_argument`` gets for an option."""
    kind = option.kind
    if kind == "flag":
        if option.default is None:
            return {"action": argparse.BooleanOptionalAction, "default": None}
        return {"action": "store_true"}
    if kind == "choice":
        return {"choices": option.choices, "default": option.default}
    if kind in {"globs", "table"}:
        return {"action": "append", "default": [], "metavar": option.metavar or METAVARS[kind]}
    metavar = option.metavar or METAVARS[kind]
    return {"type": READERS.get(kind), "default": option.default, "metavar": metavar}


METAVARS = {
    "text": "NAME",
    "node": "NAME",
    "number": "N",
    "path": "FILE",
    "data": "FILE",
    "paths": "PATH",
    "source": "SOURCE",
    "time": "TIME",
    "size": "SIZE",
    "globs": "GLOB",
    "table": "NAME=VALUE",
}
"""Kind of an option → its value in the help."""


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


READERS: dict[str, Callable[[str], Any]] = {
    "node": node_argument,
    "number": int,
    "time": time_limit,
    "size": memory_size,
}
"""Kind of an option → the function that reads its value on the command line."""


def named_pairs(pairs: Sequence[str], command: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names and texts of ``--set``; UsageError for a mistake or an unknown setting.

    >>> list(named_pairs(["noop=true", "tags=a=b"]))
    [('noop', 'true'), ('tags', 'a=b')]
    """
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not name or not equals:
            raise UsageError(f"--set requires NAME=VALUE, not {pair!r}", command)
        from bunraku.project.option_kinds import wrong_setting

        problem = wrong_setting(name, text)
        if problem is not None:
            raise UsageError(f"--set: {problem}", command)
        yield name, text


def paint_for(options: argparse.Namespace, stream: TextIO | None = None) -> Paint:
    """Return the colours for a stream (standard error when none is named)."""
    return Paint(enabled=wants_colour(COLOURS[options.color], stream or sys.stderr))


def report_error(error: PuppetError, options: object = None) -> int:
    """Report an error that ends a command, in the colours of its options; return the exit code."""
    from bunraku.cli.report.findings import text_report

    paint = Paint(enabled=False)
    if isinstance(options, argparse.Namespace) and "color" in options:
        paint = paint_for(options)
    write_error(text_report(error, paint))
    return exits.FINDINGS


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
