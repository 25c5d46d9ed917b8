"""The counted use of resource types on real nodes."""

from __future__ import annotations

import json
from pathlib import Path

from rigs.sites.type_use import Counted

LACKS = "bunraku does not have the type"


def write_node(folder: Path, name: str, *resources: tuple[str, str]) -> None:
    """Write the catalog of a node of the site ``a``."""
    listed = [{"type": kind, "title": title, "parameters": {}} for kind, title in resources]
    data = {"name": name, "environment": "e", "resources": listed, "edges": []}
    (folder / "a").mkdir(exist_ok=True)
    (folder / "a" / f"{name}.json").write_text(json.dumps(data))


def test_types_that_came_since_a_count_make_nodes_native(tmp_path: Path) -> None:
    write_node(tmp_path, "whole", ("File", "/a"))
    write_node(tmp_path, "became", ("Package_use", "a/b"), ("Resources", "package_use"))
    write_node(tmp_path, "lacks", ("Package_use", "a/b"), ("Motd", "a"))
    counted = Counted()
    counted.add_catalogs(tmp_path, tmp_path)
    earlier = {
        "nodes": 10,
        "native": 7,
        "next": [
            {"lacks": f"motd: {LACKS}", "nodes": 1, "native": 0},
            {"lacks": f"resources: {LACKS} package_use", "nodes": 1, "native": 0},
            {"lacks": f"package_use: {LACKS}", "nodes": 3, "native": 3},
        ],
    }
    assert counted.added_to(earlier) == {
        "nodes": 10,
        "native": 8,
        "next": [
            {"lacks": f"motd: {LACKS}", "nodes": 1, "native": 0},
            {"lacks": f"package_use: {LACKS}", "nodes": 2, "native": 2},
        ],
    }
