"""What a change costs in a fleet: nodes compiled, seconds and memory of ``compile --nodes``.

    python benchmarks/fleet.py [NODES [RESOURCES]]

makes up a control repository with Hiera in five levels (default: 1,000 nodes with 300 resources) in a
temporary directory, and compiles it: all, after no change, after a change of a profile that 2 % of the
nodes have, after a change of a common key that these nodes look up, and after all nodes reported a new
fact ``uptime``, which no code reads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROFILES = 50
"""Each is that of 2 % of the nodes."""
HIERA = """version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
- {name: node, path: 'nodes/%{trusted.certname}.yaml'}
- {name: profile, path: 'profile/%{facts.profile}.yaml'}
- {name: site, path: 'site/%{facts.site}.yaml'}
- {name: family, path: 'os/%{facts.os.family}.yaml'}
- {name: common, path: common.yaml}
"""
BASE = """class base(Array[String] $servers, String $domain, Integer $limit = 5, String $motd = 'x') {
  range(1, %(count)d).each |$n| {
    file { "/etc/base/${n}.conf": content => "${domain} ${limit} ${n} ${servers[0]}", mode => '0644' }
  }
}
"""
PROFILE = """class profile%(number)d(
  Integer $workers, String $level = 'low', Hash $options = {}, String $owner = lookup('owner'),
) {
  $key = lookup('keys::profile%(number)d')
  range(1, %(count)d).each |$n| {
    file { "/srv/%(number)d/${n}":
      content => epp('profile%(number)d/conf.epp', { 'n' => $n, 'workers' => $workers, 'key' => $key }),
      owner   => $owner,
      require => Class['base'],
    }
  }
}
"""
TEMPLATE = (
    "<%- | $n, $workers, $key | -%>\nworkers <%= $workers %>\nnumber <%= $n %>\nkey <%= $key %>\n"
)


def write(path: Path, text: str) -> None:
    """Write a file and the directories above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_fleet(root: Path, nodes: int, resources: int) -> None:
    """Write the control repository and the facts."""
    write(root / "environment.conf", "modulepath = modules\n")
    write(root / "hiera.yaml", HIERA)
    write(root / "manifests/site.pp", "include base\ninclude \"profile${facts['profile']}\"\n")
    write(root / "modules/base/manifests/init.pp", BASE % {"count": resources // 6})
    for number in range(PROFILES):
        values = {"number": number, "count": resources - resources // 6}
        module = root / f"modules/profile{number}"
        write(module / "manifests/init.pp", PROFILE % values)
        write(module / "templates/conf.epp", TEMPLATE)
        write(root / f"data/profile/{number}.yaml", f"profile{number}::workers: {number}\n")
    keys = "".join(f"keys::profile{number}: value {number}\n" for number in range(PROFILES))
    write(
        root / "data/common.yaml",
        f"base::servers: [a, b]\nbase::domain: example.org\nowner: root\n{keys}",
    )
    for site in range(5):
        write(root / f"data/site/{site}.yaml", f"base::servers: [server{site}]\n")
    write(root / "data/os/Debian.yaml", "base::motd: Debian\n")
    facts = json.loads((Path(__file__).parent / "facts.json").read_text(encoding="utf-8"))
    for number in range(nodes):
        node = f"node{number:04}.example.org"
        own = {**facts, "profile": number % PROFILES, "site": number % 5, "fqdn": node}
        write(root / f"facts/{node}.json", json.dumps(own))
        write(root / f"data/nodes/{node}.yaml", f"base::limit: {number}\n")


def compiled(root: Path, *options: str) -> tuple[int, float, float, float]:
    """Return the nodes compiled, seconds, seconds of processors, and the most MiB of one process."""
    command = [sys.executable, "-m", "bunraku", "compile", "--nodes", "--output-folder", "../out"]
    command += ["--facts-folder", "facts", "--summary", "json", *options]
    environment = {**os.environ, "XDG_CACHE_HOME": str(root.parent / "cache")}
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=root, env=environment, stdout=output, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        output.seek(0)
        found = json.loads(output.read())
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the compile ended with {process.returncode}: {found['failures'][:1]}")
    return found["compiled"], seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text, path
    path.write_text(text.replace(old, new), encoding="utf-8")


def main(nodes: int = 1000, resources: int = 300) -> None:
    """Print the table."""
    print("| change | nodes compiled | s | s of processors | MiB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "control"
        write_fleet(root, nodes, resources)

        def row(name: str, *options: str) -> None:
            count, seconds, busy, memory = compiled(root, *options)
            print(f"| {name} | {count} | {seconds:.1f} | {busy:.1f} | {memory:.0f} |", flush=True)

        row("full")
        row("nothing")
        edit(root / "modules/profile7/manifests/init.pp", "'low'", "'high'")
        row("one profile")
        edit(root / "data/common.yaml", "keys::profile9: value 9", "keys::profile9: other")
        row("one common key")
        for path in (root / "facts").iterdir():
            facts = json.loads(path.read_text(encoding="utf-8"))
            write(path, json.dumps({**facts, "uptime": "another one"}))
        row("`uptime` of all nodes")
        row("nothing, `--all`", "--all")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
