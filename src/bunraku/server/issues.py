"""Errors of the server: its configuration, its rules of access, and its compiles."""

from __future__ import annotations

from bunraku.base.errors import Issue

INVALID_RULES = Issue(
    "SERVER_INVALID_RULES",
    "Invalid rules of access: {reason}",
    hint="the form is that of puppetserver's auth.conf",
)
COMPILER_ENDED = Issue(
    "SERVER_COMPILER_ENDED",
    "The process that compiled the catalog ended unexpectedly",
    hint="the log of the server has the signal or exit code",
)
COMPILERS_LOST = Issue(
    "SERVER_COMPILERS_LOST",
    "The process that keeps the compile processes has ended",
    hint="the system may have killed it to free memory; start the server again",
)
COMPILERS_BUSY = Issue(
    "SERVER_COMPILERS_BUSY", "All processes that compile catalogs were busy for {seconds} seconds"
)
STORAGE_FAILED = Issue("SERVER_STORAGE_FAILED", "Cannot store the {what} of {node}: {reason}")
INVALID_TIMEOUT = Issue(
    "SERVER_INVALID_TIMEOUT",
    "Invalid environment_timeout '{text}' of the environment {environment}",
    hint="use a number of seconds, a duration such as 5m, or 'unlimited'",
)
INVALID_DEPLOYS = Issue(
    "SERVER_INVALID_DEPLOYS",
    "The configuration of deployments, {path}, cannot be used: {reason}",
)
DEPLOYS_FAILED = Issue("SERVER_DEPLOYS_FAILED", "Deployments cannot be started: {reason}")
FROM_HOME = Issue("SERVER_FROM_HOME", "{message}")
HOME_LOST = Issue(
    "SERVER_HOME_LOST",
    "The process that all front processes need does not answer",
    hint="the server is about to end; the log has the reason",
)
FRONTS_LOST = Issue(
    "SERVER_FRONTS_LOST",
    "The process that keeps the front processes has ended",
    hint="the system may have killed it to free memory; start the server again",
)
COMMAND_FAILED = Issue("SERVER_COMMAND_FAILED", "The {setting} {command} failed: {reason}")
