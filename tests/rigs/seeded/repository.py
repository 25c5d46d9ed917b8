"""A control repository of 30 nodes in ten commits: the demo in ``examples/control`` and a layer of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

DEMO = Path(__file__).parents[3] / "examples" / "control"
LAYER = Path(__file__).parent / "repository"
NODES = [
    f"{role}{number:02}" for role in ("log", "mail", "cache", "vpn", "build") for number in (1, 2)
]
"""The nodes that the layer adds to the twenty of the demo."""
ROLES = {"log": "logs", "build": "builder"}
COMMITS = (
    (
        "Start with the nodes and the time",
        ("manifests", "facts", "modules/chrony", "environment.conf"),
    ),
    ("Add the hierarchy", ("hiera.yaml", "keys")),
    ("Add the web servers", ("modules/nginx", "modules/haproxy")),
    ("Add the databases", ("modules/postgresql", "modules/application")),
    ("Add monitoring", ("modules/monitoring",)),
    ("Collect logs", ("modules/rsyslog",)),
    ("Add mail and the cache", ("modules/postfix", "modules/cache")),
    ("Copy what is worth it", ("modules/backup",)),
    ("Add roles and profiles", ("site-modules",)),
    ("Add data and policies", ("data", "bunraku.toml", "README.md")),
)
PEOPLE = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "Demo"),
        ("EMAIL", "demo@example.com"),
        ("DATE", "2026-01-05T09:00:00Z"),
    )
}


def facts_of(node: str, number: int) -> str:
    """Return the facts of a node of the layer: every second one is of the other family."""
    kind = node.rstrip("0123456789")
    datacentre, system = ("ams", "RedHat") if number % 2 else ("fra", "Debian")
    name, release = ("Rocky", "9.4") if system == "RedHat" else ("Debian", "12.8")
    return f"""role: {ROLES.get(kind, kind)}
datacentre: {datacentre}
networking:
  fqdn: {node}.example.com
  hostname: {node}
  ip: 203.0.113.{number + 10}
os:
  family: {system}
  name: {name}
  release:
    full: "{release}"
    major: "{release.partition(".")[0]}"
processors:
  count: 2
"""


def make_repository(directory: Path) -> None:
    """Make the repository with its ten commits; they have the same names each time."""
    shutil.copytree(DEMO, directory, ignore=shutil.ignore_patterns("changes", "make-repository"))
    shutil.copytree(LAYER, directory, dirs_exist_ok=True)
    for number, node in enumerate(NODES):
        facts = facts_of(node, number)
        (directory / "facts" / f"{node}.example.com.yaml").write_text(facts, encoding="utf-8")
    git(directory, "init", "-q")
    git(directory, "symbolic-ref", "HEAD", "refs/heads/production")
    for subject, paths in COMMITS:
        git(directory, "add", *paths)
        git(directory, "-c", "commit.gpgsign=false", "commit", "-qm", subject)


def git(directory: Path, *arguments: str) -> str:
    """Run git in a directory and return its output."""
    command = ["git", *arguments]
    return subprocess.run(
        command,
        cwd=directory,
        env={**os.environ, **PEOPLE},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
