"""Resources of catalogs that contain others and manage nothing themselves."""

from __future__ import annotations

import json

from bunraku.cli.main import main


def test_a_node_block_contains_its_resources(tmp_path, capfd):
    """The ``node`` block of a manifest is a resource of type Node."""

    def resource(type_, title, kind, **parameters):
        return {
            "type": type_,
            "title": title,
            "kind": kind,
            "exported": False,
            "tags": [],
            "parameters": parameters,
        }

    catalog = {
        "name": "web1",
        "version": 1,
        "environment": "production",
        "catalog_format": 2,
        "classes": ["settings", "__node_regexp__web"],
        "resources": [
            resource("Stage", "main", "compilable_type"),
            resource("Class", "main", "class", name="main"),
            resource("Node", "__node_regexp__web", "unknown"),
            resource("Notify", "hello", "compilable_type"),
        ],
        "edges": [
            {"source": "Stage[main]", "target": "Class[main]"},
            {"source": "Class[main]", "target": "Node[__node_regexp__web]"},
            {"source": "Node[__node_regexp__web]", "target": "Notify[hello]"},
        ],
    }
    path = tmp_path / "catalog.json"
    path.write_text(json.dumps(catalog))
    directories = ("--statedir", str(tmp_path / "state"), "--vardir", str(tmp_path / "var"))
    assert main(["apply", "--catalog", str(path), *directories, "--color", "false"]) == 0
    assert "Main/Node[__node_regexp__web]/Notify[hello]/message" in capfd.readouterr().out
