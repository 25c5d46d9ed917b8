"""The result of ``bunraku ci`` for programs."""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import in_order
from bunraku.jobs.ci_result import CiResult
from bunraku.jobs.ci_summary import unknown
from bunraku.jobs.comparison_data import comparison_data
from bunraku.jobs.finding_data import finding_data


def ci_data(result: CiResult) -> dict[str, Any]:
    """Return the result for programs."""
    comparison = result.comparison
    data: dict[str, Any] = {
        "schema": 1,
        "old": result.old,
        "new": result.new,
        "passed": result.passed,
        "files": result.files,
        "diagnostics": [finding_data(one) for one in in_order(result.findings)],
        "unchanged": [finding_data(one) for one in in_order(result.unchanged)],
        "gone": [finding_data(one) for one in in_order(result.gone)],
        "failures": [
            {
                "node": one.node,
                "failed_before": one.before,
                "not_checked": one in result.unchecked,
                "diagnostic": finding_data(one.finding),
            }
            for one in result.failures
        ],
        "repaired": result.repaired,
        "not_checked": unknown(result),
        "notes": list(result.notes),
        "comparison": None,
        "against": None,
    }
    against = result.against
    if against is not None:
        data["against"] = {
            "puppet": against.version,
            "failed": against.failed,
            "left_out": against.left_out,
            "comparison": comparison_data(against.comparison),
        }
    if comparison is not None:
        data["comparison"] = comparison_data(comparison)
    return data
