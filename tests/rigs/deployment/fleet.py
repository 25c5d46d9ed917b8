"""A fleet of nodes: what deployments change, as a plan says it and as catalogs show it afterwards.

A control repository with five roles is deployed. Then three changes follow: a profile, a module,
a key of data. For each, ``deploy environment production --plan`` names the nodes; after the deployment, all
nodes are compiled in the deployed environment, and their catalogs compared with those before it.

    make deploy-fleet COUNT=1000
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bunraku.demonstration import synthetic_site
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from support.git_remotes import VARIABLES, Remote

SITE = "node default {\n  include \"role::${trusted['extensions']['pp_role']}\"\n}\n"
HIERA = """\
version: 5
hierarchy:
  - {name: roles, path: "roles/%{trusted.extensions.pp_role}.yaml"}
  - {name: systems, path: "systems/%{facts.os.name}.yaml"}
  - {name: common, path: common.yaml}
"""
BASE = """\
class profile::base(String $motd, Integer $level = 1) {
  file { '/etc/motd': content => "${motd} ${trusted['certname']}\\n", mode => '0644' }
  file { '/etc/level': content => String($level) }
  package { 'openssh-server': ensure => installed }
  -> service { 'ssh': ensure => running, enable => true }
}
"""
PROFILE = """\
class profile::NAME(Integer $workers = 2) {
  file { '/etc/NAME.conf': content => "workers=${workers} memory=${facts['memory']['system']['total_bytes']}\\n" }
  user { 'NAME': ensure => present }
  ['a', 'b', 'c', 'd'].each |$part| {
    file { "/etc/NAME.d/${part}": content => "${part} of rack ${facts['site_01']}\\n" }
  }
}
"""
MODULE = "class ntp(Array $servers = ['VERSION.pool.ntp.org']) {\n  file { '/etc/ntp.conf': content => $servers.join(',') }\n}\n"
WITH_NTP = ("mail", "cache")
Row = tuple[str, int, int, float, float, bool]
"""Change; nodes of the plan; nodes that changed; seconds of plan and deployment; whether all agrees."""


class Fleet:
    """A site in a directory: remotes, an r10k.yaml, a PuppetDB in a file, and the deployed environment."""

    def __init__(self, top: Path, count: int) -> None:
        self.top = top
        self.module = Remote(top, "ntp", {"manifests/init.pp": MODULE.replace("VERSION", "1")})
        self.control = Remote(top, "control", self.files(), "production")
        sources = {"main": {"remote": self.control.url, "basedir": str(top / "env")}}
        settings = {"cachedir": str(top / "store"), "sources": sources}
        (top / "r10k.yaml").write_text(json.dumps(settings))
        self.database = str(top / "site.db")
        database = SqliteDatabase(self.database)
        for number in range(count):
            facts = {**synthetic_site.facts(number), "environment": "production"}
            command = Command("replace facts", 5, synthetic_site.certname(number), b"", 0)
            payload = json.dumps(facts).encode()
            process(database, Command(command.name, 5, command.certname, payload, 0))
        database.close()

    def files(self) -> dict[str, str]:
        """Return the files of the control repository."""
        files = {
            "manifests/site.pp": SITE,
            "hiera.yaml": HIERA,
            "environment.conf": "modulepath = site:modules\n",
            "Puppetfile": f"mod 'ntp', git: '{self.module.url}', branch: 'main'\n",
            "site/profile/manifests/base.pp": BASE,
            "data/common.yaml": "profile::base::motd: Welcome to\n",
            "data/systems/Rocky.yaml": "profile::base::level: 2\n",
        }
        for name in synthetic_site.ROLES:
            ntp = "  include ntp\n" if name in WITH_NTP else ""
            files[f"site/role/manifests/{name}.pp"] = (
                f"class role::{name} {{\n  include profile::base\n  include profile::{name}\n{ntp}}}\n"
            )
            files[f"site/profile/manifests/{name}.pp"] = PROFILE.replace("NAME", name)
            files[f"data/roles/{name}.yaml"] = f"profile::{name}::workers: 4\n"
        return files

    # -- the changes -------------------------------------------------------------------------------

    def change_profile(self) -> None:
        """Change a profile of one role."""
        text = PROFILE.replace("NAME", "web").replace("of rack", "in rack")
        self.control.commit({"site/profile/manifests/web.pp": text})

    def bump_module(self) -> None:
        """Change a module that two roles use."""
        self.module.commit({"manifests/init.pp": MODULE.replace("VERSION", "2")})

    def change_data(self) -> None:
        """Change a key of data of one operating system."""
        self.control.commit({"data/systems/Rocky.yaml": "profile::base::level: 3\n"})

    # -- commands ----------------------------------------------------------------------------------

    def run(self, *words: str) -> tuple[int, str, float]:
        """Return exit code, output and seconds of a command."""
        start = perf_counter()
        environment = {**os.environ, **VARIABLES, "XDG_CACHE_HOME": str(self.top / "cache")}
        done = subprocess.run(
            [sys.executable, "-m", "bunraku", *words],
            cwd=self.top,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in {0, 1}:
            raise RuntimeError(f"{words}: {done.returncode}\n{done.stderr[-2000:]}")
        return done.returncode, done.stdout, perf_counter() - start

    def deploy(self) -> float:
        """Deploy the environment; return the seconds. RuntimeError if it is not deployed."""
        code, out, seconds = self.run("deploy", "environment", "production")
        if code:
            raise RuntimeError(f"deploy: {code}\n{out[-2000:]}")
        return seconds

    def plan(self) -> tuple[dict[str, object], float]:
        """Return the plan as data, and its seconds."""
        words = ("--plan", "--facts-from", self.database, "--format", "json")
        _code, out, seconds = self.run("deploy", "environment", "production", *words)
        return json.loads(out), seconds

    def compile(self, folder: str) -> None:
        """Compile all nodes in the deployed environment."""
        where = ("--environmentpath", "env", "--facts-from", self.database)
        code, out, _seconds = self.run(
            "compile", "--nodes", *where, "--all", "--output-folder", folder
        )
        assert code == 0, out[-2000:]

    def differences(self) -> dict[str, object]:
        """Return the differences of the catalogs before and after, as data."""
        return json.loads(self.run("diff", "before", "after", "--format", "json")[1])


def changes_of(data: dict) -> dict[str, str]:
    """Return the changes of each node that has some, as text."""
    return {
        one["node"]: json.dumps({**one, "ruby": None}, sort_keys=True)
        for one in data["nodes"]
        if one["status"] != "same"
    }


def rows_of(fleet: Fleet) -> list[Row]:
    """Return a row for each change."""
    fleet.deploy()
    fleet.compile("before")
    rows = []
    changes = (
        ("nothing", lambda: None),
        ("a profile", fleet.change_profile),
        ("a module", fleet.bump_module),
        ("a key of data", fleet.change_data),
    )
    for name, change in changes:
        change()
        planned, seconds = fleet.plan()
        deployed = fleet.deploy()
        fleet.compile("after")
        there = changes_of(fleet.differences())
        here = changes_of(planned)
        agrees = without_places(here) == without_places(there)
        rows.append((name, len(here), len(there), seconds, deployed, agrees))
        (fleet.top / "before").rename(fleet.top / f"before-{len(rows)}")
        (fleet.top / "after").rename(fleet.top / "before")
    return rows


def without_places(changes: dict[str, str]) -> dict[str, object]:
    """Return changes without the files and lines of resources, which are named from where a command runs."""
    found = {}
    for node, text in changes.items():
        found[node] = json.loads(text, object_hook=without_place)
    return found


def without_place(data: dict) -> dict:
    """Return an object without a place."""
    return {name: value for name, value in data.items() if name not in {"file", "line", "place"}}


def main() -> int:
    """Print a table; the exit code is 1 if a plan was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    count = parser.parse_args().count
    with tempfile.TemporaryDirectory() as folder:
        rows = rows_of(Fleet(Path(folder), count))
    print(f"{count} nodes")
    print("change          plan  changed  plan s  deploy s  agrees")
    for name, planned, changed, seconds, deployed, agrees in rows:
        text = "yes" if agrees else "NO"
        print(f"{name:15} {planned:4}  {changed:7}  {seconds:6.1f}  {deployed:8.1f}  {text}")
    return 0 if all(row[-1] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
