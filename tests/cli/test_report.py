"""The printed report of a finding: place, excerpt, hint, calls."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.excerpt import excerpt
from bunraku.base.source import Place, Source
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import one_report

PLAIN = Paint(enabled=False)


def test_repeated_calls_are_counted():
    span = Source("f(1)", "site.pp").span(0, 4)
    finding = Diagnostic("X", "too deep", span.place, stack=(*[("f", span)] * 3, ("g", span)))
    assert one_report(finding, PLAIN).splitlines()[3:] == [
        "  in f site.pp:1:1 (3 times)",
        "  in g site.pp:1:1",
    ]


def test_carets_stand_below_wide_characters_tabs_and_bytes():
    text = "\t'日本é\udcff' + $x"
    start = text.index("$")
    _line, shown, carets = excerpt(Source(text).span(start, start + 2))
    # Two columns for each of 日本, one for the tab, the é and the byte.
    assert len(carets) == carets.index("^") + 2
    assert carets.index("^") == shown.index("$") + 2


def test_carets_end_with_the_line_where_the_span_does_not():
    _line, shown, carets = excerpt(Source("class a {\n  $x\n}").span(0, 16))
    assert shown == "class a {"
    assert carets == "^" * 9


def test_an_empty_line_has_no_excerpt():
    assert excerpt(Source("a\n").span(2, 2)) is None


def test_a_finding_without_a_place_names_none():
    assert one_report(Diagnostic("X", "no way"), PLAIN) == "error: no way [X]\n"


def test_further_lines_of_a_message_are_indented():
    finding = Diagnostic("X", "wrong:\n  a\n  b", Place(line=2))
    assert one_report(finding, PLAIN) == "-e:2: error: wrong: [X]\n    a\n    b\n"


def test_a_place_without_source_text_is_named():
    finding = Diagnostic("X", "bad", Place("hiera.yaml", 3))
    assert one_report(finding, PLAIN) == "hiera.yaml:3: error: bad [X]\n"


def test_a_message_cannot_move_the_cursor():
    assert "\x1b" not in one_report(Diagnostic("X", "\x1b[2J"), PLAIN)
