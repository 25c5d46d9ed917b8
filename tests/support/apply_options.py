"""Calls of ``puppet apply`` with options, and what they printed and left."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from bunraku.base.records import record
from rigs.roots.masks import steady

RECORDED = Path(__file__).parents[1] / "apply/options.json"
NOTIFY = "-e 'notify { \"a\": }'"
FALSE = "-e 'exec { \"/bin/false\": }'"
CALLS = (
    "--detailed-exitcodes -e 'notify { \"a\": noop => true }'",
    "--detailed-exitcodes -e 'exec { \"/bin/true\": }'",
    f"--detailed-exitcodes {FALSE}",
    '--detailed-exitcodes -e \'exec { ["/bin/false", "/bin/true"]: }\'',
    FALSE,
    "--detailed-exitcodes -e 'notify { \"a\"'",
    "-e 'fail(\"x\")'",
    "--detailed-exitcodes -e 'file { \"rel\": }'",
    "--noop --detailed-exitcodes -e 'exec { \"/bin/true\": }'",
    '--noop --detailed-exitcodes -e \'file { "DIR/f": source => "/nosuch" } exec { "/bin/true": onlyif => "/nosuch/x" }\'',
    "--noop --detailed-exitcodes -e 'fail(\"x\")'",
    '--detailed-exitcodes -e \'exec { "/bin/true": } ~> exec { "/bin/false": refreshonly => true }\'',
    f"--no-report {NOTIFY}",
    '--write-catalog-summary -e \'class a { notify { "X y": } } include a define d { file { "DIR/f": } } d { "q": } @notify { "v": }\'',
    "--noop --write-catalog-summary -e 'class b { notify { \"Z\": } } include b'",
    '--write-catalog-summary --tags nosuch -e \'exec { "/bin/false": } -> notify { "skipped": }\'',
    "DIR/nosuch.pp",
    "DIR/m",
    "DIR/m/a.pp DIR/m/b.pp",
    "-e ''",
    "--nosuch -e ''",
    '--logdest DIR/logs/deep/a.log -e \'notify { "a": } warning("w") exec { "/bin/false": } notify { "two\\nlines": }\'',
    '--logdest DIR/logs/a.json -e \'notify { "a": } warning("w") exec { "/bin/false": }\'',
    f"--logdest DIR/logs/a.json {NOTIFY}",
    f"--logdest DIR/logs/a.jsonl {NOTIFY}",
    f"--logdest console,DIR/logs/b.log {NOTIFY}",
    f"--logdest console --logdest DIR/logs/c.log {NOTIFY}",
    f"--logdest rel.log {NOTIFY}",
    f"--logdest DIR {NOTIFY}",
    f"--verbose --logdest DIR/logs/v.log {NOTIFY}",
    "--logdest DIR/logs/error.log -e 'fail(\"x\")'",
    "--catalog DIR/none.json",
    "--catalog DIR/bad.json",
    "--catalog DIR/list.json --detailed-exitcodes",
    "--catalog DIR/good.json",
    "--catalog DIR/good.json --detailed-exitcodes",
    "--catalog DIR/good.json --noop --detailed-exitcodes",
    f"--test {NOTIFY}",
)
"""The calls, one after the other in one directory, DIR."""
RESOURCES = (
    ("Stage", "main", None),
    ("Class", "main", None),
    ("Notify", "n", 1),
    ("Exec", "/bin/false", 2),
)
EDGES = (
    ("Stage[main]", "Class[main]"),
    ("Class[main]", "Notify[n]"),
    ("Class[main]", "Exec[/bin/false]"),
)
CATALOG = {
    "name": "web1",
    "version": 1,
    "environment": "production",
    "tags": [],
    "classes": [],
    "resources": [
        {"type": kind, "title": title, "tags": [], "exported": False}
        | ({"file": "/x.pp", "line": line} if line else {"parameters": {"name": title}})
        for kind, title, line in RESOURCES
    ],
    "edges": [{"source": source, "target": target} for source, target in EDGES],
}


@record(frozen=True)
class Outcome:
    """The result of a call: its exit code, its output without what changes, and the files it wrote."""

    exit: int
    stdout: str
    stderr: str
    files: dict[str, str]

    def data(self) -> dict[str, Any]:
        """Return the outcome as JSON data."""
        return {
            "exit": self.exit,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "files": self.files,
        }


def prepare(directory: Path) -> None:
    """Write the manifests and catalogs of the calls."""
    (directory / "m").mkdir()
    for name in "ab":
        (directory / "m" / f"{name}.pp").write_text(f"notify {{ 'm{name}': }}\n")
    (directory / "bad.json").write_text("{")
    (directory / "list.json").write_text("[]")
    (directory / "good.json").write_text(json.dumps(CATALOG))


def words(call: str, directory: Path) -> list[str]:
    """Return the words of a call."""
    return [word.replace("DIR", str(directory)) for word in shlex.split(call)]


def outcome(code: int, stdout: str, stderr: str, directory: Path) -> Outcome:
    """Return the result of a call; the log files and lists that it wrote are removed."""
    files = {}
    for path in sorted([*directory.glob("logs/**/*"), *directory.glob("var/state/*.txt")]):
        if path.is_file():
            files[str(path.relative_to(directory))] = path.read_text("utf-8")
            path.unlink()
    return Outcome(
        code,
        masked(stdout, directory),
        masked(stderr, directory),
        {name: masked(text, directory) for name, text in files.items()},
    )


def masked(text: str, directory: Path) -> str:
    """Return a text without what differs between runs and machines."""
    lines = (line for line in text.splitlines() if " Facter: " not in line)
    return steady("\n".join(lines)).replace(str(directory), "DIR")


def recorded() -> dict[str, Outcome]:
    """Return the outcomes of Puppet, by call."""
    found = json.loads(RECORDED.read_text("utf-8"))
    return {call: Outcome(**data) for call, data in found.items()}
