"""Tags of the catalog itself, as real Puppet 7.23 put them, in order."""

from __future__ import annotations

import pytest

import bunraku

RECORDED = [
    ("notify{a:}", "settings"),
    ("class a{} include a", "settings a class"),
    ("class a{} class{'a': tag=>'foo'}", "settings a foo class"),
    ("class a{} class b::c{ tag('zed') include a} include b::c", "settings b::c b c a class"),
    ("class a{} node default { include a }", "settings default a node class"),
    ("node default { notify{a:} }", "settings default node"),
    ("node n { tag('x::y') }", "settings n node"),
    ("define d() { include a } class a { } d{'dee':}", "settings a class"),
    ("class a { include b } class b { } class{'a': tag=>['q','r']}", "settings a b q r class"),
    ("class a inherits b { } class b { tag('pp') } include a", "settings b a class"),
    (
        "class a { tag('inner') include b } class b {} node /n/ { tag('intag') include a }",
        "settings __node_regexp__n a b node class",
    ),
]


@pytest.mark.parametrize(("code", "tags"), RECORDED)
def test_tags_of_the_catalog(code, tags):
    assert bunraku.compile(code, node="n").tags == tags.split()


def test_titles_that_are_no_strings_are_no_tags(tmp_path):
    (tmp_path / "stdlib").mkdir()  # its functions are there with the module only
    code = "ensure_resource('notify', [81, 'b']) create_resources('notify', {7 => {}})"
    catalog = bunraku.compile(code, modulepath=[tmp_path])
    found = {one.title: one for one in catalog.resources if one.type == "Notify"}
    assert {title: sorted(one.tags) for title, one in found.items()} == {
        "81": ["class", "notify"],
        "b": ["b", "class", "notify"],
        "7": ["class", "notify"],
    }
    assert found["81"].parameters == {"name": "81"}
    assert found["b"].parameters == {}
