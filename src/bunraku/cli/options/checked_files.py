"""The options of commands that check files."""

from __future__ import annotations

import argparse

from bunraku.base.lazy_typing import Any
from bunraku.cli.options.declarations import GENERAL, LANGUAGE, Rules, choice, limits
from bunraku.cli.options.shared import read_text
from bunraku.cli.report.formats import FORMATS

CHECKED_FILES = f"""
files [FILE]...: files and directories; - reads standard input. Without FILE and -e, the project in
    which the command runs
-e --execute CODE: check this code
--epp: the text of -e or - is an EPP template
@exclude
--format: format of the report (default: text)
@fail_on_warnings
{LANGUAGE}
{limits("file")}
{GENERAL}
"""
"""What is checked, and how it is reported."""
CHECKED_RULES: Rules = {"format": choice("text", *FORMATS)}


def checked_fields(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the record of a job that checks files."""
    return {
        "files": options.files,
        "code": options.execute,
        "epp": options.epp,
        "standard_input": read_text("-") if "-" in options.files else "",
        "exclude": options.exclude,
    }
