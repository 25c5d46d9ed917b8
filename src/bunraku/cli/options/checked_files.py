"""The options of commands that check files."""

from __future__ import annotations

import argparse

from bunraku.base.lazy_typing import Any
from bunraku.cli.options.shared import (
    add_language_options,
    add_limit_options,
    add_options,
    add_output_options,
    read_text,
)
from bunraku.cli.report.formats import FORMATS


def add_checked_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for what is checked, and how it is reported."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="files and directories; - reads standard input. Without FILE and -e, the project in "
        "which the command runs",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="check this code")
    parser.add_argument("--epp", action="store_true", help="the text of -e or - is an EPP template")
    add_options(parser, "exclude")
    parser.add_argument(
        "--format",
        choices=("text", *FORMATS),
        default="text",
        help="format of the report (default: text)",
    )
    add_options(parser, "fail_on_warnings")
    add_language_options(parser)
    add_limit_options(parser, "file")
    add_output_options(parser)


def checked_fields(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the record of a job that checks files."""
    return {
        "files": options.files,
        "code": options.execute,
        "epp": options.epp,
        "standard_input": read_text("-") if "-" in options.files else "",
        "exclude": options.exclude,
    }
