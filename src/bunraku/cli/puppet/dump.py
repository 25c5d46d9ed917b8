"""``puppet parser dump``, and what it shares with ``puppet epp dump``: syntax trees as text."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import Rules, choice
from bunraku.cli.options.parser import Parser
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.options.shared import read_text
from bunraku.cli.output.output import write
from bunraku.cli.puppet.parser import with_place
from bunraku.engine.programs import check_program, parse_program
from bunraku.formats.json import json_text
from bunraku.syntax.nodes import Program
from bunraku.syntax.pn import to_pn
from bunraku.syntax.pn_forms import as_data, in_lines, read_pn

OPTIONS = """
files [{files}]...: files to show
-e --e SOURCE: show this text
--[no-]validate: report all errors, not only those of the syntax
--format: form of the tree; old, the default, is not supported
--pretty: several lines, with pn and json
"""
HEADER = "--[no-]header: print the name of a file before its result, if there are several"
HEADER_RULES: Rules = {"header": {"default": True}}
MISSING = "One or more file(s) specified did not exist:\n"
COMMAND_LINE = "command-line-string"
"""Puppet's file name of the text of ``-e``."""


def dump(words: Sequence[str]) -> int:
    """Print the syntax trees of manifests; a file that does not exist leaves exit code 0, as in Puppet."""
    parser = dump_parser("parser dump", "Show the syntax tree of manifests.", "MANIFEST")
    call = call_of(parser, words, "user")
    check_format(call, parser.prog)
    if call.options.source is not None or not call.options.files:
        printed(only_tree(call, is_template=False))
        return exits.OK
    there = [path for path in call.options.files if os.path.exists(path)]
    text = "".join(
        tree(call, Source(read_text(path), path, on_disk=True), f"--- {path}", f"--- {path}")
        for path in there
    )
    missing = [path for path in call.options.files if path not in there]
    if missing:
        text += MISSING + "\n".join(f"   {path}" for path in missing)
    printed(text)
    return exits.OK


def dump_parser(action: str, about: str, files: str, *, validates: bool = False) -> Parser:
    """Return the parser of a dump; ``validates`` is the default of ``--validate``."""
    rules: Rules = {
        "validate": {"default": validates},
        "format": choice("old", "pn", "json"),
        "e": {"dest": "source"},
    }
    text = OPTIONS.format(files=files)
    return parser_for(action, about, text, rules, formats=("console", "s"))


def check_format(call: Call, command: str) -> None:
    """Raise UsageError for a form of the tree that is not supported."""
    if call.options.format == "old":
        raise UsageError("--format old is not supported; use --format pn or json", command)


def only_tree(call: Call, *, is_template: bool) -> str:
    """Return the tree of the text of ``-e``, else of standard input."""
    name, text = COMMAND_LINE, call.options.source
    if text is None:
        name, text = "stdin", standard_input("parse", "puppet dump")
    source = Source(text, name)
    source.is_template = is_template
    return tree(call, source)


def standard_input(purpose: str, command: str) -> str:
    """Return standard input; UsageError on a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(f"No input to {purpose} given on command line or stdin", command)
    return read_text("-")


def tree(call: Call, source: Source, header: str = "", name: str = "") -> str:
    """Return the tree of a text with its header; empty for a wrong text, whose errors are printed.

    Without validation the errors do not name the file (Puppet 7.23, ``puppet parser dump``).
    """
    dialect = call.dialect
    if call.options.validate:
        checked = check_program(source, dialect, dict(call.given))
    else:
        plain = Source(source.text)
        plain.is_template = source.is_template
        checked = parse_program(plain, dialect)
    if not checked.errors:
        named = "" if call.options.format == "json" else header
        return named + shown(call, checked.program)
    if name:
        call.messages.error(name)
    print_errors(call, checked.errors)
    return ""


def shown(call: Call, program: Program) -> str:
    """Return a tree in the form that the options name."""
    text, pretty = to_pn(program), call.options.pretty
    if call.options.format == "json":
        return json_text(as_data(read_pn(text)), indent=pretty)
    return in_lines(read_pn(text)) if pretty else text


def print_errors(call: Call, errors: Sequence[Diagnostic]) -> None:
    """Print the errors of a text; several are followed by their number, as in Puppet."""
    for one in errors:
        call.messages.error(with_place(one))
    if len(errors) > 1:
        call.messages.error(f"Language validation logged {len(errors)} errors. Giving up")


def printed(text: str) -> None:
    """Print a result as Puppet's faces do: with one line end, unless the text ends in one."""
    write(text if text.endswith("\n") else text + "\n")
