"""Reports as agents send them."""

from __future__ import annotations

UUID = "11111111-2222-3333-4444-555555555555"


def unchanged_report(node: str, **changes: object) -> dict[str, object]:
    """Return the report of a run that changed nothing, with some values replaced."""
    return {
        "host": node,
        "time": "2026-01-10T00:00:00.000000000+00:00",
        "configuration_version": 1,
        "transaction_uuid": UUID,
        "report_format": 12,
        "puppet_version": "7.23.0",
        "status": "unchanged",
        "noop": False,
        "noop_pending": False,
        "environment": "production",
        "logs": [],
        "metrics": {},
        "resource_statuses": {},
        "corrective_change": False,
        "catalog_uuid": UUID,
        "cached_catalog_status": "not_used",
        **changes,
    }
