"""After an edit of a manifest, only the text around it is lexed again: the tokens are those of the whole text."""

from __future__ import annotations

import random

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.syntax.edited_tokens import LexedText, change_between, tokens_after_edit
from bunraku.syntax.lexer import Lexer, tokenize
from support.calls import calls_of

RULES = dialect_named("8").syntax
MANIFEST = """\
# A class.
# Two lines.
class ntp::server (
  Array[String] $servers = ['a', "b ${c['d']} e"],  # some
  Optional[Enum['x','y']] $mode = undef,
) inherits ntp {
  /* a
     comment */
  if $facts['os'] =~ /^(De|Re)/ and $servers[0] != 'it\\'s' {
    $port = $mode ? { 'x' => 123, default => 0x7b }
    file { "/etc/${title}.conf":
      content => "a \\q $port ${servers.map |$one| { "<${one}>" }}",
    }
  }
  ($a, $b) = [1, 2.5e3]
  # the end
  include ::ntp::other
}
"""
PIECES = [
    *("", "", "x", "'", '"', "$", "{", "}", "(", ")", "[", "/", "#", "\n", " ", "/*", "*/", "\\"),
    *("${a}", "$a", "::", "@(E)", "=>", "?", "~ /a b/", "0x", ".", "-", "\r\n", "\u00a0", "é"),
    *("# c\n", "\n# d", "'''", "\\q", "{ }", "8"),
]


def columns(tokens):
    """Return all that tokens are."""
    return [
        *(tokens.kinds, tokens.values, tokens.starts, tokens.ends),
        *(tokens.comment_runs, tokens.heredocs, tokens.warnings),
    ]


def lexed(text):
    return LexedText(text, tokenize(Source(text, "a.pp"), RULES))


def after(old, new):
    return tokens_after_edit(lexed(old), Source(new, "a.pp"), RULES)


def test_tokens_are_those_of_the_whole_text_after_random_edits():
    numbers = random.Random(1)
    text, before, partly = MANIFEST, lexed(MANIFEST), 0
    for _ in range(1500):
        start = numbers.randrange(len(text) + 1)
        end = min(len(text), start + numbers.choice([0, 0, 0, 1, 1, 5]))
        edited = f"{text[:start]}{numbers.choice(PIECES)}{text[end:]}"
        whole = lexed(edited)
        found = tokens_after_edit(before, Source(edited, "a.pp"), RULES)
        if found is not None:
            partly += 1
            assert columns(found.tokens) == columns(whole.tokens), (text, edited)
        has_mistakes = "ERROR" in whole.tokens.kinds or "/" in whole.tokens.kinds
        text, before = (MANIFEST, lexed(MANIFEST)) if has_mistakes else (edited, whole)
    assert partly > 500


def test_only_the_piece_around_an_edit_is_lexed():
    text = "class a {\n" + "  $a = 1 + 2\n" * 100 + "}\n"
    at = text.index("$a", 600)
    edited = f"{text[:at]}$b = 3\n  {text[at:]}"
    before = lexed(text)
    with calls_of(Lexer.scan) as calls:
        found = tokens_after_edit(before, Source(edited, "a.pp"), RULES)
    assert found is not None
    pieces = [len(one.arguments["self"].text) - one.arguments["at"] for one in calls]
    assert pieces
    assert sum(pieces) < 60
    assert columns(found.tokens) == columns(tokenize(Source(edited, "a.pp"), RULES))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("$a = 1 / 2\n$b = 3\n", "$a = 1 / 2\n$b = 3 / 4\n"),
        ("$a = @(E)\n b\n | E\n$b = 1\n", "$a = @(E)\n c\n | E\n$b = 1\n"),
        ("$a = 'x\n$b = 1\n", "$a = 'x'\n$b = 1\n"),
        ("$a = 1\n$b = 1\n", "$a = 'x\n$b = 1\n"),
    ],
)
def test_a_text_whose_tokens_depend_on_later_text_is_lexed_as_a_whole(old, new):
    assert after(old, new) is None


def test_a_brace_behind_a_question_mark_stays_that_of_a_selector():
    found = after("$a = $b ?\n{ 1 => 2 }\n", "$a = $b\n{ 1 => 2 }\n")
    assert found is None or "SELBRACE" not in found.tokens.kinds


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ("", "", (0, 0, 0)),
        ("a", "", (0, 1, 0)),
        ("aa", "aaa", (2, 2, 3)),
        ("abc", "axc", (1, 2, 2)),
    ],
)
def test_the_smallest_edit_is_found(old, new, change):
    found = change_between(old, new)
    assert (found.start, found.old_end, found.new_end) == change
