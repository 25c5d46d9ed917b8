"""The classes of Debian's Puppet modules: the request for each, and the recorded part of an answer."""

from __future__ import annotations

import hashlib
import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"
PACKAGES = Path(__file__).parents[1] / "debian-packages.txt"
SETTINGS = {"strict": "warning", "strict_variables": False}


def class_names() -> list[str]:
    """The classes, in the order of the list."""
    lines = (DATA / "classes.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[0] for line in lines if line and not line.startswith("#")]


def packages() -> list[str]:
    """The Debian packages that hold the modules."""
    lines = PACKAGES.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def installed_versions() -> dict[str, str]:
    """Package → version, of those that are installed; empty where there is no dpkg."""
    try:
        done = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Package} ${Version} ${Status}\n", *packages()],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return {}
    rows = [line.split(" ", 2) for line in done.stdout.splitlines()]
    return {name: version for name, version, status in rows if status.endswith("ok installed")}


def lay_out_modules(folder: Path) -> str:
    """A folder with links to the modules of the packages, and to no others; its path."""
    listed = subprocess.run(["dpkg", "-L", *packages()], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        path = Path(line)
        if path.parent.name == "modules.available" and path.is_dir():
            link = folder / path.name.rpartition("-")[2]
            if not link.exists():
                link.symlink_to(path)
    return str(folder)


@cache
def facts() -> Any:
    """The facts of the node."""
    return json.loads((DATA / "classes_facts.json").read_text(encoding="utf-8"))


def request(name: str, modulepath: str) -> dict[str, Any]:
    """The batch request that includes a class."""
    return {
        "id": name,
        "code": f"include {name}",
        "facts": facts(),
        "modulepath": [modulepath],
        "settings": SETTINGS,
        "timeout": 60,
    }


def workload(name: str, modulepath: str) -> dict[str, Any]:
    """The batch request that compiles a workload of the benchmarks."""
    path = Path(__file__).parents[2] / "benchmarks" / "workloads" / name
    asked = request(name, modulepath)
    return {**asked, "code": path.read_text(encoding="utf-8"), "node": "bench.example.org"}


def kept(answer: Any, modulepath: str) -> str:
    """The compared value: the digest of a catalog, or the place of an error."""
    if answer["status"] != "ok":
        error = answer["error"]
        place = f"{error.get('file')}:{error['line']}"
        return f"error {place.replace(modulepath + '/', '')}"
    catalog = {
        "resources": [canonical(resource) for resource in answer["resources"]],
        "edges": answer["edges"],
        "classes": answer["classes"],
        "relationships": answer["relationships"],
    }
    text = json.dumps(catalog, sort_keys=True).replace(modulepath + "/", "")
    return hashlib.sha256(text.encode()).hexdigest()


def differs(found: str, recorded: str) -> bool:
    """Return whether outcomes differ; where Puppet names no place of an error, bunraku may name one."""
    placeless = recorded == "error None:None" and found.startswith("error ")
    return found != recorded and not placeless


def canonical(resource: Any) -> list[Any]:
    """A resource with its fields and parameters in their order."""
    names = ("type", "title", "tags", "exported", "line", "file", "kind", "sensitive_parameters")
    return [*map(resource.get, names), list(resource["parameters"].items())]
