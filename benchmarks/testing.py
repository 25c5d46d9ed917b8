"""Compare the pytest plugin with rspec-puppet: the same tests of 500 compiles, one process each, in turn.

testing.py [--compiles 500] [--rounds 3] [--write] [--busy]

Both suites are written into a temporary directory. They compile classes of Debian's modules, each time with
other parameters, so no catalog is reused, and ask the same question about each catalog. All tests must
pass. ``--write`` puts the figures into docs/testing.md.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import measure

MODULES = Path("/usr/share/puppet/modules")
PAGE = Path(__file__).parent.parent / "docs" / "testing.md"
BEGIN, END = "<!-- speed -->\n", "<!-- end of speed -->\n"
CLASSES = {
    "ntp": ("driftfile", "/var/lib/ntp/drift%d", "File[/etc/ntp.conf]"),
    "memcached": ("pidfile", "/run/memcached%d.pid", "File[/etc/memcached.conf]"),
    "apache": ("serveradmin", "root%d@example.com", "Service[httpd]"),
    "mysql::server": ("service_name", "mysql%d", "Package[mysql-server]"),
}
"""The parameter that differs, its value, and the resource that a test looks for."""
FACTS = "debian-11-x86_64"
PLUGIN = "bunraku.workbench.testing.pytest_plugin"


def cases(count: int) -> list[tuple[str, str, str, str]]:
    """Return class, parameter, value and resource of each test."""
    kinds = [*CLASSES.items()]
    found = []
    for number in range(count):
        name, (parameter, value, resource_) = kinds[number % len(kinds)]
        found.append((name, parameter, value % number, resource_))
    return found


def python_suite(count: int) -> str:
    """Return the tests for pytest."""
    lines = ["import pytest", "", f"pytestmark = pytest.mark.puppet(facts={FACTS!r})", ""]
    for number, (name, parameter, value, resource_) in enumerate(cases(count)):
        call = f"compile({name!r}, params={{{parameter!r}: {value!r}}})"
        lines += [f"def test_{number}(compile):", f"    assert {call}.contains({resource_!r})", ""]
    return "\n".join(lines)


def ruby_suite(count: int) -> str:
    """Return the examples for rspec-puppet."""
    lines = [
        "require 'rspec-puppet'",
        "require 'facterdb'",
        f"RSpec.configure {{ |c| c.module_path = '{MODULES}' }}",
        "wanted = { operatingsystem: 'Debian', operatingsystemmajrelease: '11' }",
        "facts = FacterDB.get_facts(wanted).max_by { |one| Gem::Version.new(one[:facterversion]) }",
    ]
    for name, parameter, value, resource_ in cases(count):
        kind, _, title = resource_.rstrip("]").partition("[")
        lines += [
            f"describe '{name}', type: :class do",
            "  let(:facts) { facts }",
            f"  let(:params) {{ {{ {parameter}: '{value}' }} }}",
            f"  it {{ is_expected.to contain_{kind.lower()}('{title}') }}",
            "end",
        ]
    return "\n".join(lines) + "\n"


def seconds(command: list[str], folder: Path, passed: str) -> float:
    """Return the processor time of a suite; it must print how many tests passed."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0 or not re.search(passed, done.stdout):
        raise SystemExit(f"{command[0]} failed:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def text_of(found: dict[str, list[float]], count: int, others: float) -> str:
    """Return the figures as sentences of docs/testing.md."""
    middle = {name: statistics.median(figures) for name, figures in found.items()}
    ratio = middle["rspec-puppet"] / middle["pytest"]
    rounds = len(found["pytest"])
    how = "one run of each" if rounds == 1 else f"medians of {rounds} runs ± half of their range"
    return (
        f"{count} tests, each with a compile of its own, take {measure.shown(found['pytest'])} of processor time with the "
        f"plugin and\n{measure.shown(found['rspec-puppet'])} with rspec-puppet 2.9 and Puppet 7.23: {ratio:.0f} times as "
        f"much. Each is one process from its start to its\nend, in turn ({how}, `benchmarks/testing.py`). "
        f"Other programs used {others:.1f} processors meanwhile.\n"
    )


def works_in(folder: Path, count: int) -> dict[str, Callable[[], float]]:
    """Write both suites; return the work of each."""
    (folder / "bunraku.toml").write_text(f'modulepath = ["{MODULES}"]\n', encoding="utf-8")
    (folder / "test_classes.py").write_text(python_suite(count), encoding="utf-8")
    (folder / "classes_spec.rb").write_text(ruby_suite(count), encoding="utf-8")
    pytest = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-q"]
    return {
        "pytest": partial(seconds, [*pytest, "test_classes.py"], folder, rf"\b{count} passed"),
        "rspec-puppet": partial(
            seconds, ["rspec", "classes_spec.rb"], folder, rf"\b{count} examples, 0 failures"
        ),
    }


def main() -> int:
    """Measure, print and, with ``--write``, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiles", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    measure.add_options(parser)
    options = parser.parse_args()
    if not shutil.which("rspec"):
        raise SystemExit("rspec is not installed")
    with tempfile.TemporaryDirectory() as name, measure.watched(options) as watch:
        works = works_in(Path(name).resolve(), options.compiles)
        found = measure.in_turn(works, options.rounds)
    text = text_of(found, options.compiles, watch.share())
    print(text, end="")
    if measure.may_write(options, watch):
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
