"""Puppetfiles: are they Ruby, and are their lines those of r10k?"""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.checks import issues
from bunraku.checks.ruby import check_ruby
from bunraku.checks.source import finding

DIRECTIVES = ("mod", "forge", "moduledir")
"""What a Puppetfile calls: r10k's documentation, doc/puppetfile.mkd."""
CALL = lazy_pattern(r"^([a-z_]\w*)(?:[ \t]+|\()(.?)")
QUOTES = frozenset("'\"")


def check_puppetfile(source: Source) -> list[Diagnostic]:
    """Return the syntax error of a Puppetfile, else the calls that r10k does not know."""
    found = check_ruby(source)
    if found:
        return found
    for number, line in enumerate(source.text.splitlines(), 1):
        call = CALL.match(line)
        if call is None:
            continue
        name, first = call.groups()
        near = suggestion(name, DIRECTIVES)
        if name not in DIRECTIVES and near:
            found.append(finding(issues.UNKNOWN_DIRECTIVE, source, number, name=name, near=near))
        elif name in DIRECTIVES and first.isalpha() and first.islower():
            found.append(finding(issues.NO_QUOTES, source, number, name=name))
    return found
