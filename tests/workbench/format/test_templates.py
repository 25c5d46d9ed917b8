"""The code in the tags of EPP templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.workbench.format.format import format_source
from bunraku.workbench.format.pieces import Style

CASES = [
    ("<%- |$a,  $b=1| -%>\n", "<%- |$a, $b = 1| -%>\n"),
    ("a  <%=$a+1%>  ( b )\n", "a  <%=$a + 1%>  ( b )\n"),
    (
        "<%   if $a{ -%>\n  x <% }else{%>y<% } %>\n",
        "<%   if $a { -%>\n  x <% } else {%>y<% } %>\n",
    ),
    ("<%= f({ 'a'=>{ 'b' => 1} }) %>", "<%= f({ 'a' => { 'b' => 1 } }) %>"),
    (
        "<%- | String    $a,\n      Integer   $bc  = 1\n| -%>\n",
        "<%- | String    $a,\n      Integer   $bc  = 1\n| -%>\n",
    ),
    ("<% # a  comment\n%>$a =1\n<%# $a  =1 %>", "<% # a  comment\n%>$a =1\n<%# $a  =1 %>"),
]


@pytest.mark.parametrize(("before", "after"), CASES)
def test_blanks_in_tags(before, after):
    found = format_source(Source(before, is_template=True), Style())
    assert (found.text, found.errors, found.problem) == (after, [], "")


def test_only_some_lines():
    source = Source("<% f( 1 ) %>\n<% f( 2 ) %>\n", is_template=True)
    assert format_source(source, Style(), [range(2, 3)]).text == "<% f( 1 ) %>\n<% f(2) %>\n"


def test_templates_are_stable():
    for path in sorted(Path("/usr/share/puppet/modules").glob("*/templates/**/*.epp")):
        text = path.read_text("utf-8", "surrogateescape")
        found = format_source(Source(text, str(path), is_template=True), Style())
        assert found.problem == "", path
