"""The formatter on whole manifests: safe, stable, whatever their layout, and in agreement with lint."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from bunraku.base.source import Source
from bunraku.workbench.format.format import Formatted, format_source
from bunraku.workbench.format.pieces import Style
from bunraku.workbench.lint.run import LintSettings, lint_source
from support.damaged_layout import with_damaged_layout
from support.programs import programs

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
MANIFESTS = sorted([*(REPOSITORY / "examples").rglob("*.pp"), *HERE.glob("*.pp")])
LANGUAGE = sorted((REPOSITORY / "tests/language").glob("*.pp"))
DEBIAN = Path("/usr/share/puppet/modules")
LINT = LintSettings()
CHECKS = LINT.chosen()
LAYOUT_CHECKS = [one for one in CHECKS if one.fixes == "layout"]
WELL_KEPT = (HERE / "well_kept.pp").read_text()


def formatted(text: str, path: str = "") -> Formatted:
    """The result for a text; never a problem."""
    found = format_source(Source(text, path), Style())
    assert found.problem == "", path
    return found


def corrected(text: str) -> str:
    """A text with the corrections of lint that keep the code."""
    return lint_source(Source(text), LAYOUT_CHECKS, LINT, fix=True).fixed or text


def findings(text: str) -> Counter[str]:
    """The numbers of the findings of lint, by check."""
    return Counter(one.check for one in lint_source(Source(text), CHECKS, LINT).findings)


def debian_manifests() -> list[Path]:
    """Every ninth manifest of Debian's modules."""
    return sorted(DEBIAN.glob("*/manifests/**/*.pp"))[::9]


def test_a_well_kept_manifest_stays():
    assert formatted(WELL_KEPT).text == WELL_KEPT


def test_manifests_are_stable():
    for path in (*MANIFESTS, *LANGUAGE, *debian_manifests()):
        found = formatted(path.read_text("utf-8", "surrogateescape"), str(path))
        assert formatted(found.text, str(path)).text == found.text, path


@settings(
    max_examples=60,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_programs_by_chance(program):
    text, _ = program
    found = formatted(text)
    assert formatted(found.text).text == found.text


@pytest.mark.parametrize("seed", range(200))
def test_the_layout_before_does_not_matter(seed):
    damaged = with_damaged_layout(WELL_KEPT, Random(seed))
    assert damaged != WELL_KEPT
    assert formatted(damaged).text == WELL_KEPT


def test_lint_and_the_formatter_do_not_undo_each_other():
    for path in (*MANIFESTS, *debian_manifests()):
        text = path.read_text("utf-8", "surrogateescape")
        first = formatted(text).text
        assert not findings(first) - findings(text), path
        fixed = corrected(first)
        assert formatted(fixed).text == fixed, path
        second = formatted(corrected(text)).text
        assert corrected(second) == second, path
