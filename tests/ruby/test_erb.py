"""ERB templates that need no Ruby: their text, and the code that they leave to Ruby."""

from __future__ import annotations

from typing import Any

import pytest

from bunraku.ruby.syntax.erb import Unsupported, ruby_text
from bunraku.ruby.translate.compile import compile_template
from bunraku.ruby.values.objects import NeedsRuby
from support.erb import in_scope, without_ruby

VARIABLES: dict[str, Any] = {
    "text": "x",
    "nothing": None,
    "yes": True,
    "no": False,
    "numbers": [3, 1, 2],
    "words": ["b", "a"],
    "table": {"k": "v", "b": [1, {"z": None}]},
    "five": 5,
    "rare": 'é\n"#{x}',
}


def rendered(text: str, language: str = "8") -> str:
    """The text of a template without Ruby; NeedsRuby or Unsupported where it is left to Ruby."""
    found: str = in_scope(VARIABLES, lambda scope: without_ruby(scope, text), language)
    return found


# Results of Ruby 3.1; test_erb_differential.py compares with Ruby itself.
TEXTS = [
    ("a<%= @text %>b", "axb"),
    (
        "<% if @nothing -%>\nx\n<% elsif @yes -%>\ny <%= @numbers %>\n<% end -%>",
        "y [3, 1, 2]\n",
    ),
    ("<% @numbers.each do |x| -%>\n <%= x %>\n<% end -%>", " 3\n 1\n 2\n"),
    ("<% @table.each do |k, v| %><%= k %>=<%= v %>;<% end %>", 'k=v;b=[1, {"z"=>nil}];'),
    ("<%= @numbers.sort.map { |x| x * 2 }.join(',') %>", "2,4,6"),
    ("<% @words.sort.each_with_index do |x, i| %><%= i %><%= x.upcase %><% end %>", "0A1B"),
    ("<%= @rare.inspect %>", '"é\\n\\"\\#{x}"'),
    ("<%= if @yes then 'yes ' + @text end %><%= if @no then 1 end %>", "yes x"),
    ("<% x = []; @numbers.each { |y| x << y unless y == 1 } -%>\n<%= x.join('-') %>", "3-2"),
    ("<% if @text =~ /(x)/ %><%= $1 %><% end %>", "x"),
    ("<% case @text when 'y', 'x' then %>A<% when /q/ %>B<% else %>C<% end %>", "A"),
    ("<%= scope['text'] %><%= scope.lookupvar('five') + 1 %>", "x6"),
    ("<%= scope.function_versioncmp(['1.2', '1.10']) %>", "-1"),
    ("<% @numbers.each do |x| next if x == 1 %><%= x %><% end %>", "32"),
    ("<% @table.map do |k, v| -%><%= k %>,<% end -%>", "k,b,"),
    ("<%= Array(@nothing).empty? %><%= [@words].flatten.compact.include?('a') %>", "truetrue"),
    ("<%# a\n b %>x<%= -7 / 2 %> <%= -7 % 3 %> <%%= %>", "x-4 2 <%= %>"),
    ("<% x = @numbers.find { |v| v > 2 } || 'none' %><%= x %><% y ||= 4 %><%= y %>", "34"),
    ("<%= @table['b'][1].has_key?('z') and not @no %>", "true"),
    ("<%= @numbers.inject(0) { |s, v| s + v } %>", "6"),
    ("<%= @words.sort { |a, b| b <=> a } %>", '["b", "a"]'),
    ("<%= '%05d|%-5s|%s%%' % [@five, @text, @words] %>", '00005|x    |["b", "a"]%'),
    ("<%= defined?(@text) && @text %><%= defined?(@other).inspect %>", "xnil"),
    ("<% h = { 'a' => 1, :b => 2 }; h['q'] = 3 %><%= h %>", '{"a"=>1, :b=>2, "q"=>3}'),
    ("<%= @words.map(&:upcase).join %><%= 'a,b;c'.split(/[,;]/) %>", 'BA["a", "b", "c"]'),
    ("<% scope.setvar('q', {}); scope['q'][:a] = 1 %><%= scope['q'][:a] %>", "1"),
    ("<% # a comment %>is no text\n<%= 1 %>", "1"),
    ("x <%# c -%>\ny", "x y"),
    ("<%= 0 ? 'yes' : 'no' %><%= '' ? 'yes' : 'no' %>", "yesyes"),
    ("<%= 1 == true %><%= 1 == 1.0 %><%= [1, true].include?(true) %>", "falsetruetrue"),
    ("<% begin; Integer('x'); v = 1; rescue ArgumentError => e; v = 2; end %><%= v %>", "2"),
    ("<% x = [1, nil]; x[1] ||= 5; x[0] += 3 %><%= x %>", "[4, 5]"),
    ("<% a, b = @numbers; c, d = 'x', 'y' %><%= a %><%= b %><%= c %><%= d %>", "31xy"),
    ("<%= [1, 1.0, true, 'a', 'a'].uniq %>", '[1, 1.0, true, "a"]'),
]


@pytest.mark.parametrize(("template", "text"), TEXTS)
def test_templates_are_rendered_without_ruby(template: str, text: str) -> None:
    assert rendered(template) == text


@pytest.mark.parametrize(
    "template",
    [
        "<%= @nothing + 1 %>",
        "<%= @text + 1 %>",
        "<%= @nothing['a'] %>",
        "<% @numbers << 4 %>",
        "<% @table['x'] = 1 %>",
        "<%= [1, 'a'].sort %>",
        "<%= ['aa', 'bb'].sort_by { |x| x.size } %>",
        "<%= @rare.upcase %>",
        "<%= 1 / 0 %>",
        "<%= scope['numbers'].push(1) %>",
    ],
)
def test_what_is_not_known_exactly_is_left_to_ruby_while_it_runs(template: str) -> None:
    with pytest.raises(NeedsRuby):
        rendered(template)


@pytest.mark.parametrize(
    ("template", "what", "line"),
    [
        ("\n<%= @text.to_yaml %>", "the method 'to_yaml'", 2),
        ("<%= text %>", "'text'", 1),
        ("<%# a\n\n b %>\n<%= `ls` %>", "'subshell'", 4),
        ("<% if %>", "code that is not understood", 1),
        ("a\n<%= 1", "a tag without end", 2),
        ("a\n<% b = 1 # c %><%= b %>", "a comment to the end of the template", 2),
        ("<%# coding: latin-1 %><%= 1 %>", "a comment that says how to read the template", 1),
    ],
)
def test_what_only_ruby_can_do_is_named_with_its_line(template: str, what: str, line: int) -> None:
    with pytest.raises(Unsupported) as caught:
        rendered(template)
    assert (caught.value.what, caught.value.line) == (what, line)


def test_what_may_never_run_does_not_send_a_template_to_ruby() -> None:
    template = "<% if @no %><%= @text.to_yaml %><% end %>x"
    assert rendered(template) == "x"
    with pytest.raises(NeedsRuby):
        rendered(template.replace("@no", "@yes"))


def test_bare_names_are_variables_in_puppet_3_alone() -> None:
    assert rendered("<%= text %>", "3.8") == "x"


def test_the_code_has_the_lines_of_the_template() -> None:
    text = "a\n<%# b\n c %>\n<% if @x -%>\n<%= @y %>\n<% end -%>"
    code = compile_template(text, "/t.erb", old=False)
    lines = {
        line
        for inner in code.co_consts
        if hasattr(inner, "co_lines")
        for *_, line in inner.co_lines()
    }
    assert code.co_filename == "/t.erb"
    assert {4, 5} <= lines
    assert ruby_text(text).lines[:4] == [1, 3, 4, 5]
