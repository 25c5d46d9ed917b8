"""The page of graphs in headless Chromium: it opens fast, finds, filters, opens containers, and harmful names do nothing."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import pytest

from bunraku.catalog.catalog import Catalog
from bunraku.cli.pages.render import graph_page
from bunraku.workbench.graph.build import graph_of
from bunraku.workbench.graph.difference import difference_graph
from bunraku.workbench.graph.formats import graph_page_data

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync --window-size=1300,900"
)
HOSTILE = "</script><script>document.title = 'harm'</script><img src=x onerror=\"document.title='harm'\">\n'\"\\"
HELPERS = """
const by = id => document.getElementById(id), count = () => by("count").textContent;
const set = (id, value, event = "input") => { by(id).value = value; by(id).dispatchEvent(new Event(event)); };
const hits = () => [...document.querySelectorAll("#hits button")].map(one => one.textContent);
"""


def run(folder, graph, script: str):
    """Return what a function body returns on the page, and the milliseconds until the graph was drawn."""
    text = graph_page(*graph_page_data([graph], []))
    end = (
        "<script>{ const drawn = performance.now(); const result = document.createElement('pre');"
        f" result.id = 'result'; result.textContent = JSON.stringify([(() => {{ {HELPERS}{script} }})(), drawn]);"
        " document.body.append(result); }</script></body>"
    )
    file = folder / "page.html"
    file.write_text(text.replace("</body>", end), encoding="utf-8")
    done = subprocess.run(
        [
            CHROMIUM,
            *FLAGS.split(),
            f"--user-data-dir={folder}/profile",
            "--dump-dom",
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr
    return json.loads(html.unescape(found[1]))


def catalog(resources, edges=(), name="web1"):
    data = [
        {
            "type": reference.partition("[")[0],
            "title": reference.partition("[")[2][:-1],
            "parameters": values,
        }
        for reference, values in resources.items()
    ]
    ends = [{"source": source, "target": target} for source, target in edges]
    return Catalog({"name": name, "resources": data, "edges": ends})


def large_catalog(resources: int, edges: int):
    """Classes of 31 resources; each resource is before some later ones."""
    classes = [f"Class[Part{number}]" for number in range(resources // 32)]
    files = [f"File[/etc/part{number}/file]" for number in range(resources - len(classes))]
    step = (edges - len(files)) // len(files) + 1
    values = {
        name: {
            "before": [
                files[(at + 7 * one) % len(files)]
                for one in range(1, step + 1)
                if at + 7 * one < len(files)
            ]
        }
        for at, name in enumerate(files)
    }
    contained = [(classes[at % len(classes)], name) for at, name in enumerate(files)]
    return catalog({**{name: {} for name in classes}, **values}, contained)


SMALL = catalog(
    {
        "Class[A]": {},
        "Class[B]": {},
        "File[/a]": {"before": "Package[b]"},
        "Package[b]": {"notify": "Service[c]"},
        "Service[c]": {},
        "Exec[d]": {},
    },
    [
        ("Class[A]", "File[/a]"),
        ("Class[A]", "Package[b]"),
        ("Class[B]", "Service[c]"),
        ("Class[B]", "Exec[d]"),
    ],
)


def test_a_large_page_opens_within_two_seconds(tmp_path):
    graph = graph_of(large_catalog(5000, 20_000))
    assert len(graph.nodes) == 5000
    assert len(graph.edges) > 19_900
    script = 'by("open-all").click(); return [count(), performance.now()]'
    (shown, opened), drawn = run(tmp_path, graph, script)
    assert shown.startswith("5000 of 5000 nodes")
    assert drawn < 2000
    assert opened - drawn < 2000


def test_search_filters_and_neighbourhoods(tmp_path):
    script = """
const found = [count()];
set("search", "/A"); found.push(hits());
document.querySelector("#hits button").click();
found.push(by("details").querySelector("h2").textContent);
by("focus").click(); found.push(count());
set("after", "2"); found.push(count());
by("everything").click(); found.push(count());
const box = [...document.querySelectorAll("#kinds input")].find(one => one.dataset.name === "notify");
box.click(); found.push(count()); box.click();
by("close-all").click(); found.push(count());
set("within", by("within").options[1].value, "change"); found.push(count());
set("within", "-1", "change");
document.querySelector("#types input").click(); found.push(count());
by("nested").click(); found.push(count());
return found;
"""
    found, _ = run(tmp_path, graph_of(SMALL), script)
    assert found == [
        "6 of 6 nodes, 2 of 6 edges",
        ["File[/a]"],
        "File[/a]",
        "2 of 6 nodes, 1 of 6 edges",
        "3 of 6 nodes, 2 of 6 edges",
        "6 of 6 nodes, 2 of 6 edges",
        "6 of 6 nodes, 1 of 6 edges",
        "6 of 6 nodes, 1 of 6 edges",
        "3 of 6 nodes, 1 of 6 edges",
        "4 of 6 nodes, 2 of 6 edges",
        "4 of 6 nodes, 2 of 6 edges",
    ]


def test_cycles_and_differences_are_listed(tmp_path):
    old = catalog({"File[/a]": {"mode": "1"}, "Notify[old]": {}})
    new = catalog(
        {"File[/a]": {"mode": "2", "before": "Notify[new]"}, "Notify[new]": {"before": "File[/a]"}}
    )
    script = """
const texts = selector => [...document.querySelectorAll(selector)].map(one => one.textContent);
set("search", "file"); document.querySelector("#hits button").click();
return [texts("#cycles button"), texts("#states li"), texts("#details p"), document.querySelector("header .subtitle").textContent];
"""
    found, _ = run(tmp_path, difference_graph(old, new, ("old.json", "new.json")), script)
    assert found == [
        ["2 nodes: File[/a], Notify[new]"],
        ["1 added", "1 removed", "1 changed"],
        ["resource", "changed: before, mode", "On a cycle: it depends on itself"],
        "old.json compared with new.json",
    ]


def test_harmful_names_do_nothing(tmp_path):
    resources = {f"Notify[{HOSTILE}]": {"before": f"Notify[b{HOSTILE}]"}, f"Notify[b{HOSTILE}]": {}}
    graph = graph_of(catalog(resources, [(f"Notify[b{HOSTILE}]", f"Notify[{HOSTILE}]")], HOSTILE))
    script = """
set("search", "onerror"); document.querySelector("#hits button").click();
return [document.title.slice(0, 9), document.images.length, hits().length, by("details").querySelector("h2").textContent];
"""
    found, _ = run(tmp_path, graph, script)
    assert found == ["Graph of ", 0, 2, f"Notify[{HOSTILE}]"]


def test_equal_graphs_give_equal_pages():
    first, second = (graph_page(*graph_page_data([graph_of(SMALL)], [])) for _ in range(2))
    assert first == second
    assert not re.search(r"""(?:src|href)=["'](?!#)|url\(|@import""", first)
