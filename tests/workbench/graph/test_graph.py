"""Graphs of catalogs: edges with kinds, cycles, differences, layout, and what each format says."""

from __future__ import annotations

import json
import re
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from bunraku import compile as compile_code
from bunraku.catalog.catalog import Catalog
from bunraku.workbench.graph.build import graph_of
from bunraku.workbench.graph.data import graph_data
from bunraku.workbench.graph.difference import difference_graph
from bunraku.workbench.graph.dot import dot_text
from bunraku.workbench.graph.expanded import expanded_graph
from bunraku.workbench.graph.layout import layers_of, layout
from bunraku.workbench.graph.mermaid import mermaid_text
from bunraku.workbench.graph.model import of_kinds
from bunraku.workbench.graph.svg import parts_of, svg_text

HOSTILE = "a</script><script>alert(1)</script>\n\"'\\ --> ]]> `#;&amp;\u2028\x1b[31m"
CODE = """
class a { file { '/tmp/zz1': ensure => file } -> notify { 'say "hi"': } }
class b { require a
  file { '/tmp': ensure => directory }
  d { 'x': }
}
define d { notify { "in ${title}": } }
define d::e { }
d::e { 'y': }
include b
Class['b'] ~> notify { 'last': }
"""


def graph(code: str):
    return graph_of(compile_code(code, cycles=False))


def edges(found, *layers):
    return {(one.source, one.target, one.kind) for one in found.edges if one.layer in layers}


def test_relationships_are_stated_or_automatic():
    assert edges(graph(CODE), "relationships") == {
        ("Class[A]", "Class[B]", "require"),
        ("Class[B]", "Notify[last]", "notify"),
        ("File[/tmp/zz1]", 'Notify[say "hi"]', "before"),
        ("File[/tmp]", "File[/tmp/zz1]", "automatic"),
    }


def test_nodes_have_kinds_and_containers():
    nodes = {one.name: (one.kind, one.container) for one in graph(CODE).nodes}
    assert nodes["Class[A]"] == ("class", "Stage[main]")
    assert nodes["D[x]"] == ("defined type", "Class[B]")
    assert nodes["Notify[in x]"] == ("resource", "D[x]")


def test_cycles_go_through_containers():
    found = graph(CODE)
    assert found.cycles == (
        ("Class[A]", "Class[B]", "File[/tmp/zz1]", "File[/tmp]", 'Notify[say "hi"]'),
    )
    marked = {(one.source, one.target) for one in found.edges if one.on_cycle}
    assert ("Class[A]", "Class[B]") in marked
    assert ("File[/tmp]", "File[/tmp/zz1]") in marked
    assert ("Class[B]", "Notify[last]") not in marked
    assert graph("notify { 'a': } -> notify { 'b': }").cycles == ()


def test_expanded_relationships_are_those_of_puppet():
    """The lines are those of ``puppet apply --graph``, without what an agent adds to each catalog."""
    text = dot_text(expanded_graph(graph(CODE)), "Expanded_relationships")
    found = {
        one.replace("[main]]", "[Main]]")
        for one in re.findall(r'^ *("Whit.* -> .*")', text, re.MULTILINE)
    }
    assert found >= {
        '"Whit[Admissible_class[A]]" -> "File[/tmp/zz1]"',
        '"Whit[Completed_class[A]]" -> "Whit[Admissible_class[B]]"',
        '"Whit[Admissible_class[B]]" -> "Whit[Admissible_d[x]]"',
        '"Whit[Completed_d[x]]" -> "Whit[Completed_class[B]]"',
        '"Whit[Completed_d::E[y]]" -> "Whit[Completed_class[Main]]"',
        '"Whit[Completed_class[B]]" -> "Notify[last]"',
        '"Whit[Admissible_class[Settings]]" -> "Whit[Completed_class[Settings]]"',
    }


def test_differences_have_states():
    old = compile_code("file { '/a': mode => '0644' } -> notify { 'x': }")
    new = compile_code("file { '/a': mode => '0600' } ~> notify { 'y': }")
    found = difference_graph(old, new, ("old", "new"))
    states = {one.name: (one.state, one.changes) for one in found.nodes if one.state}
    assert states["File[/a]"] == ("changed", ("before", "mode", "notify"))
    assert states["Notify[y]"] == ("added", ())
    assert states["Notify[x]"] == ("removed", ())
    assert {(one.kind, one.state) for one in found.edges if one.layer == "relationships"} == {
        ("notify", "added"),
        ("before", "removed"),
    }
    assert 'label = "Notify[x] (removed)"' in dot_text(found)
    assert ":::removed" in mermaid_text(found)


def test_secrets_are_in_no_format():
    code = "file { '/a': content => Sensitive('s3cret'), owner => 'plain-value' }"
    found = difference_graph(compile_code("notify { 'x': }"), compile_code(code), ("a", "b"))
    for text in (
        json.dumps(graph_data(found)),
        dot_text(found),
        mermaid_text(found),
        svg_text(found),
    ):
        assert "s3cret" not in text
        assert "plain-value" not in text


def hostile():
    resources = [
        {"type": "Class", "title": "main"},
        {"type": "Notify", "title": HOSTILE, "parameters": {"before": f"Notify[b{HOSTILE}]"}},
        {"type": "Notify", "title": f"b{HOSTILE}"},
    ]
    contains = [{"source": "Class[main]", "target": f"Notify[{HOSTILE}]"}]
    return Catalog({"name": HOSTILE, "resources": resources, "edges": contains})


def test_hostile_titles_do_no_harm():
    found = graph_of(hostile())
    root = ET.fromstring(svg_text(found))
    assert {one.tag.rpartition("}")[2] for one in root.iter()} <= {
        "svg",
        "title",
        "style",
        "defs",
        "marker",
        "path",
        "g",
        "rect",
        "text",
    }
    dot = dot_text(of_kinds(found, ["relationships"]))
    assert all(line.count('"') - line.count('\\"') in (2, 4, 6) for line in dot.split("\n")[3:-2])
    for line in mermaid_text(found).split("\n")[1:-1]:
        assert "<" not in line
        assert line.count('"') in (0, 2)
        assert line.startswith("  n")


def test_containers_in_a_circle_are_drawn():
    resources = [{"type": "Class", "title": name} for name in ("A", "B")]
    contains = [{"source": f"Class[{a}]", "target": f"Class[{b}]"} for a, b in ("AB", "BA")]
    found = graph_of(Catalog({"name": "x", "resources": resources, "edges": contains}))
    names = {part.name for part in parts_of(layout(found, nested=True))}
    assert names == {"Class[A]", "Class[B]"}


@pytest.mark.parametrize("nested", [True, False])
def test_parts_do_not_overlap(nested):
    code = CODE + "".join(f"notify {{ 'n{n}': before => Notify['last'] }}\n" for n in range(30))
    found = graph(code)
    root = layout(found, nested=nested)
    levels = [root.parts, *(part.parts for part in parts_of(root))]
    for one, other in (pair for parts in levels for pair in combinations(parts, 2)):
        assert (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.y + one.height <= other.y
            or other.y + other.height <= one.y
        )
    for part in parts_of(root):
        for inner in part.parts:
            assert part.x <= inner.x
            assert inner.x + inner.width <= part.x + part.width
            assert inner.y + inner.height <= part.y + part.height


def test_layers_follow_the_edges():
    assert layers_of([0, 1, 2, 3], [(0, 1), (1, 2), (0, 3), (3, 2), (2, 0)]) == [[0], [1, 3], [2]]


def test_equal_catalogs_give_equal_texts():
    first, second = graph(CODE), graph(CODE)
    assert svg_text(first) == svg_text(second)
    assert dot_text(first) == dot_text(second)
