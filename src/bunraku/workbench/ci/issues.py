"""Errors of ``bunraku ci``."""

from __future__ import annotations

from bunraku.base.errors import Issue

NO_BASE = Issue(
    "NO_BASE",
    "Cannot find the revision to compare with: {reason}",
    hint="give --base REVISION; a shallow clone needs its history (fetch-depth: 0, GIT_DEPTH: 0)",
)
BAD_ONCEOVER = Issue("BAD_ONCEOVER", "Cannot read onceover.yaml: {reason}")
PUPPET_FAILED = Issue("PUPPET_FAILED", "Cannot compile with '{command}': {reason}")
