"""Errors of deployments."""

from __future__ import annotations

from bunraku.base.errors import Issue

R10K_FILE_UNREADABLE = Issue("R10K_FILE_UNREADABLE", "{reason}")
R10K_SETTING_INVALID = Issue("R10K_SETTING_INVALID", "{name}: {reason}")
R10K_SETTING_KIND = Issue("R10K_SETTING_KIND", "{name}: {reason}")
R10K_SOURCE_INVALID = Issue("R10K_SOURCE_INVALID", "{reason}")
R10K_COLLISION = Issue(
    "R10K_COLLISION", "Environment collision at {path} between {second} and {first}"
)
R10K_LOG_OUTPUT = Issue("R10K_LOG_OUTPUT", "{reason}")
R10K_CREDENTIALS = Issue("R10K_CREDENTIALS", "{reason}")
R10K_NO_PUPPETFILE = Issue("R10K_NO_PUPPETFILE", "{reason}")
R10K_SETTING_MISTYPED = Issue(
    "R10K_SETTING_MISTYPED",
    "Unknown setting {name}{near}",
    hint="r10k ignores settings that it does not know; 'bunraku r10k' does, too",
)
R10K_SETTING_UNKNOWN = Issue("R10K_SETTING_UNKNOWN", "Unknown setting {name}: it is ignored")
