"""Ruby code of modules: is it Ruby? Files, and the tags of ERB templates."""

from __future__ import annotations

import re

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Source
from bunraku.checks import issues
from bunraku.checks.source import finding
from bunraku.ruby.syntax.encoding import source_text
from bunraku.ruby.syntax.erb import RubyText, Unsupported, ruby_text
from bunraku.ruby.syntax.grammar import has_reader
from bunraku.ruby.syntax.tree import mistake_line
from bunraku.world import processes
from bunraku.world.machine import Machine

RUBY_MESSAGE = re.compile(r"^-:(\d+): (.+)$", re.MULTILINE)
OPEN_TAG = "a tag without end"


def check_ruby(source: Source) -> list[Diagnostic]:
    """Return the first syntax error of a Ruby file."""
    code = source_text(source.text.encode("utf-8", "surrogateescape"))
    found = first_error(code)
    if found is None:
        return []
    line, message = found
    if message is None:
        return [finding(issues.FILE_NOT_RUBY, source, line)]
    return [finding(issues.FILE_SYNTAX, source, line, message=message)]


def check_erb(source: Source) -> list[Diagnostic]:
    """Return the first syntax error of an ERB template."""
    try:
        code = ruby_text(source.text)
    except Unsupported as error:
        if error.what != OPEN_TAG:
            return []  # not UTF-8: only Ruby renders it
        return [finding(issues.OPEN_TAG, source, error.line)]
    found = first_error(code.code)
    if found is None:
        return []
    line, message = found
    if message is None:
        return [finding(issues.NOT_RUBY, source, line_in(code, line))]
    return [finding(issues.RUBY_SYNTAX, source, line_in(code, line), message=message)]


def first_error(code: str) -> tuple[int, str | None] | None:
    """Return the line and message of the first syntax error, the message None without Ruby.

    bunraku's grammar of Ruby rejects some valid code; if Ruby is installed, it checks the code that the
    grammar rejects, and all code where the grammar is not installed. Raise NO_RUBY_READER without both.
    """
    said = None if has_reader() else ruby_says(code)
    if said is None:
        line = mistake_line(code)
        if line is None:
            return None
        said = ruby_says(code)
        if said is None:
            return line, None
    return said or None


def line_in(code: RubyText, line: int) -> int:
    """Return the template's line of a line of its code."""
    return code.lines[min(line, len(code.lines)) - 1]


def ruby_says(code: str) -> tuple[int, str] | tuple[()] | None:
    """Return line and message of the syntax error that Ruby reports, () for none; None without Ruby."""
    command = Machine().environment_variable("BUNRAKU_RUBY") or "ruby"
    content = code.encode("utf-8", "surrogateescape")
    try:
        done = processes.run([command, "--disable-all", "-c", "-"], content=content)
    except OSError:
        return None
    if done.returncode == 0:
        return ()
    found = RUBY_MESSAGE.search(done.stderr.decode("utf-8", "replace"))
    return (int(found[1]), found[2]) if found else None
