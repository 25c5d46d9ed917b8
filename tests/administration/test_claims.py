"""What the pages about the site and the promise say is so: licences, metrics, programs, units."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXTRAS = ("eyaml", "dask", "postgresql", "repl", "server", "srv", "test")
METRIC = re.compile(r"\b((?:puppet|bunraku|process)[a-z]*_[a-z_]+)(?:\{([^}]*)\})?")
NAMED = re.compile(r'# HELP (\w+) |gauge\(\s*"(\w+)"|^    name = "(bunraku_\w+)"', re.MULTILINE)
SOURCES = ("src/bunraku/server/metrics.py", "src/bunraku/puppetdb/server/metrics.py")


def packages() -> set[str]:
    """Return the packages that bunraku needs, also for its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(one for name in EXTRAS for one in extras[name])]
    return {re.match(r"[\w.-]+", one)[0] for one in needed}


def declared_licence(name: str) -> str:
    """Return what the metadata of an installed package declare about its licence."""
    found = metadata(name)
    classifiers = found.get_all("Classifier") or []
    texts = [found.get("License-Expression"), found.get("License"), *classifiers]
    return " ".join(text for text in texts if text and len(text) < 200)


def licences() -> dict[str, str]:
    """Return the table of the page."""
    page = (ROOT / "docs/promise.md").read_text()
    table = page.partition("<!-- licences -->")[2].partition("<!-- end of licences -->")[0]
    rows = [line.split(" | ") for line in table.strip().splitlines()[2:]]
    return {row[0].removeprefix("| "): row[1] for row in rows}


def test_the_page_has_the_licence_of_each_package():
    assert licences().keys() == packages()


@pytest.mark.parametrize(("name", "licence"), licences().items())
def test_a_licence_is_the_one_of_the_metadata(name, licence):
    try:
        declared = declared_licence(name)
    except PackageNotFoundError:
        pytest.skip(f"{name} is not installed")
    assert licence in declared or licence.partition("-")[0] in declared


def test_the_versions_of_python_are_those_of_the_package():
    page = (ROOT / "docs/promise.md").read_text()
    first, last = re.search(r"^\| Python \| 3\.(\d+) to 3\.(\d+);", page, re.MULTILINE).groups()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">=3.{first}"
    found = re.findall(r"Python :: 3\.(\d+)", " ".join(project["classifiers"]))
    assert [int(one) for one in found] == list(range(int(first), int(last) + 1))


def test_what_is_deprecated_is_in_the_changes():
    """Nothing is today; then the pages must not say so any more."""
    announced = "### Deprecated" in (ROOT / "CHANGELOG.md").read_text()
    for page in ("promise.md", "stable.md"):
        text = (ROOT / "docs" / page).read_text()
        assert ("Nothing is deprecated at present." in text) is not announced


# -- dashboards ----------------------------------------------------------------------------------


def expressions() -> list[str]:
    """Return the expressions of the dashboard and of the alert rules."""
    board = json.loads((ROOT / "integrations/grafana/bunraku.json").read_text())
    rules = yaml.safe_load((ROOT / "integrations/prometheus/alerts.yml").read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return queries + [rule["expr"] for group in rules["groups"] for rule in group["rules"]]


def metrics() -> set[str]:
    """Return the names of the metrics of server and PuppetDB."""
    found = [one for path in SOURCES for one in NAMED.findall((ROOT / path).read_text())]
    return {name for one in found for name in one if name}


def test_each_metric_of_dashboard_and_alerts_exists():
    used = {name for text in expressions() for name, _labels in METRIC.findall(text)}
    assert len(used) > 10
    assert used <= metrics()


def test_the_dashboard_shows_each_metric():
    used = {name for text in expressions() for name, _labels in METRIC.findall(text)}
    assert metrics() <= used


# -- pages ---------------------------------------------------------------------------------------


def test_each_figure_of_the_comparison_names_a_program_and_a_page_that_exist():
    page = (ROOT / "docs/comparison.md").read_text()
    rows = [line for line in page.splitlines() if re.search(r"`benchmarks/\w+\.py`", line)]
    assert len(rows) >= 7
    for row in rows:
        for path in re.findall(r"`(benchmarks/\w+\.py)`", row):
            assert (ROOT / path).exists()
        for path in re.findall(r"\]\(([\w-]+\.md)", row):
            assert (ROOT / "docs" / path).exists()


FIGURES = {
    "performance.md": ("8.4×", "25.0×", "15.8×", "12.6×", "9.8×", "9.9×", "9.7×", "12.9×", "9.0×", "8.2×", "9.7×", "5.0×", "220 MB", "2157 MB", "72 MB", "875 MB", "0.7×", "2.2×"),
    "deployments.md": ("| 9 |", "| 53 |", "| 5 |", "| 21 |"),
    "lint.md": ("21 times",),
    "reference-pages.md": ("17.6 times",),
    "server.md": ("about 20 runs a second", "36,000 agents"),
    "editor.md": ("| 110 |", "| 1,485 |", "| 685 |", "| 98,894 |", "134;", "135 answers"),
    "rspec.md": ("6.5×", "14.8×", "5.4×", "13.3×", "| 6,326 |", "| 6,700 |", "0.9×"),
}  # fmt: skip
"""Page → what its tables have, which the comparison repeats."""


OTHERS = {"1642", "5000", "500", "401", "2.9", "43", "8.28", "8"}
"""Sizes of the work and versions: what the comparison says beside its figures."""
PEAK = "peak memory"


def number(figure: str) -> str:
    """Return the number in a figure.

    >>> number("| 2,905 |"), number("8.4×")
    ('2905', '8.4')
    """
    return re.search(r"\d+(?:\.\d+)?", figure.replace(",", ""))[0]


def said() -> set[str]:
    """Return the numbers that the comparison says were measured."""
    page = (ROOT / "docs/comparison.md").read_text()
    rows = [line.split(" | ")[2] for line in page.splitlines() if line.count(" | ") >= 3]
    rows += re.findall(r"^\* .*(?:\n  .*)*", page, re.MULTILINE)
    texts = [re.sub(r"\]\([^)]*\)|(?<=\d),(?=\d{3})", "", row) for row in rows]
    return {one for text in texts for one in re.findall(r"\d+(?:\.\d+)?", text)}


@pytest.mark.parametrize(("page", "figures"), FIGURES.items())
def test_the_figures_of_the_comparison_are_on_the_pages_that_measured_them(page, figures):
    text = (ROOT / "docs" / page).read_text()
    for figure in figures:
        assert figure in text
        assert number(figure) in said()


def test_the_comparison_has_no_other_figures():
    known = {number(figure) for figures in FIGURES.values() for figure in figures}
    assert said() == known | memory_ratios() | OTHERS


def memory_ratios() -> set[str]:
    """Return the least and the largest ratio of memory that the page about performance has."""
    page = (ROOT / "docs/performance.md").read_text()
    found = re.findall(rf"^\| `\w+\.pp`, {PEAK} \|.*\| ([\d.]+)× \|", page, re.MULTILINE)
    return {min(found, key=float), max(found, key=float)}


# -- units ---------------------------------------------------------------------------------------

UNITS = sorted((ROOT / "src/bunraku/administration/units").iterdir())


def test_units_start_programs_that_a_minimal_system_has():
    for unit in UNITS:
        programs = re.findall(r"^Exec\w+=[+@-]*(\S+)", unit.read_text(), re.MULTILINE)
        assert set(programs) <= {
            "/bin/sh",
            "/usr/bin/bunraku",
            "/usr/bin/install",
            "/usr/bin/systemd-tmpfiles",
        }


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_no_mistake_in_the_units(tmp_path):
    for unit in UNITS:
        text = re.sub(r"/usr/bin/bunraku", "/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / one.name) for one in UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    own = [line for line in done.stderr.splitlines() if "bunraku" in line]
    assert own == []
