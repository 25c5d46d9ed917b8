"""ERB templates made at random over the part of Ruby that is rendered without Ruby, and their values."""

from __future__ import annotations

import random
from typing import Any

from bunraku.values.sensitive import Sensitive

VARIABLES: dict[str, Any] = {
    "s": "abc",
    "s2": "A b,c",
    "s3": "",
    "s4": "10",
    "s5": "é\n",
    "n": None,
    "t": True,
    "f": False,
    "i": 3,
    "j": -7,
    "z": 0,
    "fl": 1.5,
    "a": [3, 1, 2],
    "b": ["b", "a", "b"],
    "c": [],
    "d": [None, "x", [1, ["y"]], True],
    "e": [["k", 1], ["j", 2]],
    "g": [1, 2.0, 2],
    "h": {"k": "v", "b": [1, None]},
    "h2": {},
    "h3": {"one": 1, "two": 2, "three": 3},
    "hh": {"x": {"y": ["z"]}, "n": None},
    "m": [{"a": 1}, {"a": None, "b": "q"}],
    "sec": Sensitive("pw"),
}
STRINGS = [
    "''",
    "'a'",
    "'b,c'",
    "'10'",
    "'1.5'",
    "'a,b,,c,'",
    '"l1\\nl2\\n"',
    "'é'",
    "'undef'",
    '"q\\"#"',
    "'aXbXc'",
    "'-3'",
    "'\\\\1'",
]
PATTERNS = ["/a/", "/[a-c]+/", "/^b/i", "/(x)(y)?/", "/,/", "/\\s+/", "/$/", "/(?:a|b)c/", "//"]
KINDS = {
    "text": [*STRINGS, "@s", "@s2", "@s3", "@s4", "@s5", "scope['s2']"],
    "array": ["@a", "@b", "@c", "@d", "@e", "@g", "@m", "[1, 'x', nil]", "%w(c a B a)"],
    "hash": ["@h", "@h2", "@h3", "@hh", "{ 'p' => 1, :q => nil }"],
    "number": ["@i", "@j", "@z", "4", "-3"],
    "any": ["@n", "@t", "@f", "@fl", "@sec", "@nope", "nil", "true", ":k", "[]", "@d", "@hh"],
}
# {x} is an expression of the kind x, {string} and {pattern} literals, {small} a small number.
FORMS = {
    "text": [
        "{array}.join({string})",
        "{text}.strip",
        "{text}.upcase",
        "{text}.downcase",
        "{text}.capitalize",
        "{text}.chomp",
        "{text}.reverse",
        "{text}.gsub({pattern}, {string})",
        "{text}.sub({string}, {string})",
        "{text}.gsub({pattern}) {{ |m| m.upcase + '!' }}",
        "{any}.to_s",
        "{any}.inspect",
        "{text}.ljust({small})",
        "{text}.rjust({small})",
        "({text} + {text})",
        "'%s-%03d|%5s' % [{any}, {number}, {text}]",
        "{text}.tr({string}, {string})",
        '"<#{{{any}}}>"',
    ],
    "array": [
        "{text}.split({pattern})",
        "{text}.split({string})",
        "{text}.split",
        "{text}.scan({pattern})",
        "{hash}.keys",
        "{hash}.values",
        "{hash}.to_a",
        "{hash}.sort",
        "{array}.sort",
        "{array}.uniq",
        "{array}.compact",
        "{array}.flatten",
        "{array}.reverse",
        "{array}.map {{ |v| v.inspect }}",
        "{array}.map {{ |v, w| w }}",
        "{array}.map(&:to_s)",
        "({array} + {array})",
        "({array} - {array})",
        "({array} & {array})",
        "({array} | {array})",
        "{array}.select {{ |v| v == {any} }}",
        "{array}.reject {{ |v| v.nil? }}",
        "{hash}.sort_by {{ |k, v| k }}",
        "{hash}.map {{ |k, v| [v, k] }}",
        "{array}.sort {{ |v, w| w.to_s <=> v.to_s }}",
        "{array}.first({small})",
        "{array}[{small}, {small}]",
        "{array}[{small}..-1]",
        "{array}.zip({array})",
    ],
    "hash": [
        "{hash}.merge({hash})",
        "{hash}.select {{ |k, v| v }}",
        "{hash}.reject {{ |k| k.to_s == 'k' }}",
        "{hash}.invert",
        "{{ {text} => {any}, 'b' => {number} }}",
        "{array}.group_by {{ |v| v.is_a?(String) }}",
    ],
    "number": [
        "{text}.size",
        "{text}.to_i",
        "{array}.length",
        "{array}.count",
        "({number} + {number})",
        "({number} * {number})",
        "({number} / {number})",
        "({number} % {number})",
        "{array}.index({any})",
        "{array}.inject(0) {{ |s, v| s + 1 }}",
        "scope.function_versioncmp([{text}, {text}])",
    ],
    "any": [
        "{text}",
        "{array}",
        "{hash}",
        "{number}",
        "{array}[{small}]",
        "{hash}[{string}]",
        "{hash}.fetch({string}, {any})",
        "{array}.find {{ |v| v != {any} }}",
        "({any} && {any})",
        "({any} || {any})",
        "(!{any})",
        "({test} ? {any} : {any})",
        "Array({any})",
        "(x = {any}; x)",
        "{array}.max",
    ],
    "test": [
        "{any}",
        "{any}.nil?",
        "{any}.is_a?(Array)",
        "{any}.is_a?(String)",
        "{array}.include?({any})",
        "{hash}.has_key?({string})",
        "{array}.empty?",
        "{text}.empty?",
        "{any} == {any}",
        "{text} != {text}",
        "{number} >= {number}",
        "{text} =~ {pattern}",
        "{text} !~ {pattern}",
        "{array}.any? {{ |v| v == {any} }}",
        "({test} and {test})",
        "{text}.start_with?({string})",
        "has_variable?({string})",
    ],
}
STATEMENTS = [
    "<%= {any} %>|",
    "<%= {text} %>|\n",
    "<% l = {any} -%>\n<%= l.inspect %>",
    "<% l ||= {any} %><%= l %>",
    "<% if {test} -%>\n{statement}<% elsif {test} %>{statement}<% else -%>\n{statement}<% end %>",
    "<% unless {test} -%>\n  {statement}<%- end -%>\n",
    "<% {array}.each do |p| -%>\n<%= p %>,{statement}<% end -%>\n",
    "<% {hash}.each do |p, q| -%>\n<%= p %>=<%= q %>;<% end -%>\n",
    "<% {hash}.each_pair do |p, q| next if q.nil? %><%= p %>;<% end -%>\n",
    "<% {array}.each_with_index do |p, i| %><%= i %>:<%= p.inspect %>;<% end -%>\n",
    "<% l = []; {array}.each {{ |e| l << e.to_s unless e.nil? }} %><%= l.join('/') %>",
    "<% case {any} when {string}, nil then %>A<% when Array %>B<% when {pattern} %>C<% else %>D<% end %>",
    "<%= 'x' if {test} %>",
    "<%# no text %> <%% {small} %%>\r\n",
]


class Generator:
    """Makes templates; the same seed makes the same."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def template(self) -> str:
        """A template."""
        count = self.random.randint(1, 3)
        return "T" + "".join(self.fill(self.random.choice(STATEMENTS), 0) for _ in range(count))

    def fill(self, form: str, depth: int) -> str:
        """A form with its blanks filled in."""
        parts = {
            name: Blank(self, name, depth + 1)
            for name in (*FORMS, "string", "pattern", "small", "statement")
        }
        return form.format(**parts)

    def blank(self, name: str, depth: int) -> str:
        """The text for a blank."""
        choice = self.random.choice
        if name == "string":
            return choice(STRINGS)
        if name == "pattern":
            return choice(PATTERNS)
        if name == "small":
            return str(self.random.randint(-2, 6))
        if name == "statement":
            return "." if depth > 2 else self.fill(choice(STATEMENTS), depth)
        if name in KINDS and (depth > 4 or self.random.random() < 0.5):
            return choice(KINDS[name])
        return self.fill(choice(FORMS[name] if depth < 6 else ["true"]), depth)


class Blank:
    """A blank of a form, filled in again wherever it stands."""

    def __init__(self, generator: Generator, name: str, depth: int) -> None:
        self.generator = generator
        self.name = name
        self.depth = depth

    def __format__(self, _specification: str) -> str:
        return self.generator.blank(self.name, self.depth)
