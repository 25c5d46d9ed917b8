"""Time nodes whose Hiera data come through a backend written in Ruby, beside real Puppet.

    backends.py [--runs N] [--keep FOLDER]

The site is made here: 12 modules with 36 classes, 324 parameters that are looked up automatically, some
400 resources, and 104 KB of YAML in four layers that the backend merges deeply. It is measured with two
backends that answer the same: ``plain`` is one function that bunraku translates to Python; ``library`` has
its work in a class of the module's ``lib`` folder, so all of it runs in Ruby. CPU seconds of all
processes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BACKENDS = HERE / "workloads" / "layers"
"""The backends in Ruby."""
LAYERS = ("common", "os/Debian", "role/web", "node/bench.example.org")
"""The files that are merged, the weakest first."""
MODULES = 12
CLASSES = 3
PARAMETERS = 9
KINDS = ("String[1]", "Integer", "Boolean", "Array[String]", "Hash")
SITES = {
    "plain": "backend that is translated to Python",
    "library": "backend with a Ruby class, run in Ruby",
}
TARGETS = {"plain": 5.0, "library": 5.0}
Row = dict[str, Any]

HIERARCHY = """\
version: 5
hierarchy:
  - name: Layers
    lookup_key: layers::merged
    options:
      folder: %(folder)s
      layers: [common, 'os/%%{facts.os.name}', role/web, 'node/%%{trusted.certname}']
  - name: Files
    datadir: %(folder)s
    data_hash: yaml_data
    path: rest.yaml
"""


FILES = """\
  $p4.each |String $entry, Hash $about| {
    file { "/srv/%s/${entry}":
      ensure  => if $about['enabled'] { 'file' } else { 'absent' },
      owner   => 'root',
      content => "# ${facts['networking']['fqdn']}: ${about['ports'].join(' ')}\\n",
      require => Notify['%s'],
    }
  }
"""
"""What a class declares with its parameters, besides showing them all."""


def classes() -> Iterator[tuple[str, int]]:
    """The names of all classes, with their number."""
    for number in range(MODULES * CLASSES):
        module, part = divmod(number, CLASSES)
        name = f"area{module}" if part == 0 else f"area{module}::part{part}"
        yield name, number


def default_of(kind: str) -> str:
    """A default in Puppet code."""
    return {
        "String[1]": "'unset'",
        "Integer": "0",
        "Boolean": "false",
        "Array[String]": "[]",
        "Hash": "{}",
    }[kind]


def value_of(kind: str, name: str, layer: int) -> Any:
    """The value that a layer has for a parameter."""
    match kind:
        case "String[1]":
            return f"{name} of layer {layer} on %{{facts.os.name}}"
        case "Integer":
            return layer * 1000 + len(name)
        case "Boolean":
            return layer % 2 == 0
        case "Array[String]":
            return [f"{name}-{layer}-{item}" for item in range(6)]
    return {
        f"entry{item}": {
            "enabled": item % 2 == 0,
            "ports": [8000 + item, 9000 + layer],
            f"layer{layer}": {
                "owner": f"user{item}",
                "comment": f"set by layer {layer} for {name}",
            },
        }
        for item in range(11)
    }


def data_of(layer: int) -> dict[str, Any]:
    """The content of a layer's file: the weakest has nearly all keys, the others fewer."""
    found: dict[str, Any] = {}
    for name, number in classes():
        for at in range(PARAMETERS):
            if (number + at) % (2, 3, 5, 7)[layer] != 1:
                continue
            kind = KINDS[at % len(KINDS)]
            found[f"{name}::p{at}"] = value_of(kind, f"{name}::p{at}", layer)
    return found


def write(path: Path, text: str) -> None:
    """Write a file and make the folders it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_site(root: Path, kind: str) -> int:
    """Write an environment with its data and modules; how many bytes of YAML it merges."""
    environment = root / "environments" / "production"
    folder = environment / "layers"
    write(environment / "environment.conf", "manifest = site.pp\nmodulepath = modules\n")
    write(environment / "hiera.yaml", HIERARCHY % {"folder": folder})
    size = 0
    for number, layer in enumerate(LAYERS):
        text = json.dumps(data_of(number), indent=1)
        write(folder / f"{layer}.yaml", text)
        size += len(text)
    write(folder / "rest.yaml", "area0::p0: from the last level\n")
    for name, _number in classes():
        module, _, part = name.partition("::")
        parameters = [
            f"  {KINDS[at % len(KINDS)]} $p{at} = {default_of(KINDS[at % len(KINDS)])},\n"
            for at in range(PARAMETERS)
        ]
        told = ", ".join(f"$p{at}" for at in range(PARAMETERS))
        body = f"  notify {{ '{name}': message => [{told}] }}\n" + FILES % (name, name)
        text = f"class {name} (\n{''.join(parameters)}) {{\n{body}}}\n"
        write(environment / "modules" / module / "manifests" / f"{part or 'init'}.pp", text)
    write(environment / "site.pp", "".join(f"include {name}\n" for name, _ in classes()))
    library = environment / "modules" / "layers" / "lib"
    functions = library / "puppet" / "functions" / "layers"
    source = "merged.rb" if kind == "plain" else "merged_by_stack.rb"
    write(functions / "merged.rb", (BACKENDS / source).read_text("utf-8"))
    if kind == "library":
        stack = (BACKENDS / "stack.rb").read_text("utf-8")
        write(library / "puppet_x" / "layers" / "stack.rb", stack)
    return size


def measured(command: list[str], environment: dict[str, str]) -> Row:
    """The JSON line that a program prints; what went wrong where it prints none."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["it failed"])[-1]}
    found: Row = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def measure_site(root: Path, runs: int, turns: int = 3) -> tuple[Row, Row | None]:
    """Both sides in turn, each time in a new process: medians of their first and warm compiles."""
    ours: list[Row] = []
    theirs: list[Row] = []
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(turns):
            command = [sys.executable, str(HERE / "one_process.py"), "site", str(root), str(runs)]
            ours.append(measured(command, {"XDG_CACHE_HOME": cache}))
            if shutil.which("puppet"):
                script = [str(HERE / "puppet_site.rb"), str(root), str(max(3, runs // 3))]
                theirs.append(measured(["ruby", *script], {}))
    return median_of(ours), median_of(theirs) if theirs else None


def median_of(turns: list[Row]) -> Row:
    """The medians of what several processes measured; the first error if there was one."""
    for one in turns:
        if "error" in one:
            return one
    found: Row = {
        name: statistics.median(one[name] for one in turns)
        for name in ("first", "warm", "megabytes")
    }
    return {**turns[0], **found, "new": turns[0]["first"]}


def rows(runs: int = 10, keep: Path | None = None) -> list[Row]:
    """The rows of the table of benchmarks."""
    found: list[Row] = []
    for kind, about in SITES.items():
        with tempfile.TemporaryDirectory() as scratch:
            root = keep / kind if keep else Path(scratch)
            size = make_site(root, kind)
            found += site_rows(
                f"Hiera data of {size // 1000} KB through a {about}", root, kind, runs
            )
    return found


def site_rows(work: str, root: Path, kind: str, runs: int) -> list[Row]:
    """The rows of one site; both sides must have made the same resources."""
    ours, theirs = measure_site(root, runs)
    for one in (ours, theirs):
        if one and "error" in one:
            return [{"work": work, "unit": "s", "error": one["error"]}]
    compared = ("messages", "resources")
    if theirs and any(theirs[name] != ours[name] for name in compared):
        return [{"work": work, "unit": "s", "error": "the resources differ from Puppet's"}]
    names = {"new": "first compile", "first": "first compile, code cached", "warm": "warm"}
    return [
        {
            "work": f"{work}: {title}",
            "unit": "s",
            "bunraku": ours[name],
            "puppet": theirs and theirs["first" if name == "new" else name],
            "target": TARGETS[kind] if name == "warm" else None,
            "round_trips": ours["round_trips"],
        }
        for name, title in names.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--keep", type=Path, help="write the sites to this folder and leave them")
    options = parser.parse_args()
    for row in rows(options.runs, options.keep):
        print(json.dumps(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
