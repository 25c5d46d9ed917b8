"""Puppetfiles: are they Ruby, and do they declare what r10k takes?"""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.checks.ruby import check_ruby
from bunraku.project.issues import PUPPETFILE_NOT_LITERAL, PUPPETFILE_NOT_RUBY
from bunraku.project.puppetfile import read_puppetfile_text, without_secret


def check_puppetfile(source: Source) -> list[Diagnostic]:
    """Return the syntax error of a Puppetfile, else what is wrong with its declarations.

    Code that bunraku does not run is only a warning here: r10k runs it.
    """
    found = syntax_error(source)
    if found:
        return found
    root = os.path.dirname(os.path.abspath(source.path))
    read = read_puppetfile_text(source, root).findings
    return [
        replace(one, severity="warning") if one.code == PUPPETFILE_NOT_LITERAL.code else one
        for one in read
        if one.code != PUPPETFILE_NOT_RUBY.code
    ]


def explained(source: Source, findings: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Return the findings about a Puppetfile, with Ruby's own message for a syntax error."""
    if all(one.code != PUPPETFILE_NOT_RUBY.code for one in findings):
        return findings
    return syntax_error(source) or findings


def syntax_error(source: Source) -> list[Diagnostic]:
    """Return the first syntax error of a Puppetfile."""
    return [replace(one, place=without_secret(one.place)) for one in check_ruby(source)]
