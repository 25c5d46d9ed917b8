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
SECRET_EXPOSED = Issue(
    "SECRET_EXPOSED",
    "The value of '{name}' of {resource} was Sensitive and is not any more",
    hint="agents and PuppetDB show it in logs and reports; wrap the value in Sensitive()",
)
SOURCE_NOT_FOUND = Issue(
    "SOURCE_NOT_FOUND",
    "The source of {resource} does not exist: {source}",
    hint="agents fail; name a file that the module has below 'files'",
)
POLICY = Issue("POLICY", "{subject}: {message} (policy '{name}')")
BAD_POLICY = Issue("BAD_POLICY", "Cannot use the query of policy '{name}': {reason}")
