"""Findings of ``bunraku check`` that no other command reports."""

from __future__ import annotations

from bunraku.base.errors import Issue

UNKNOWN_CLASS = Issue("UNKNOWN_CLASS", "Could not find class {name}")
UNKNOWN_TYPE = Issue("UNKNOWN_TYPE", "Unknown type: '{name}'")
MISSING_PARAMETER = Issue("MISSING_PARAMETER", "{reference} needs a value for parameter '{name}'")
FILE_NOT_FOUND = Issue("FILE_NOT_FOUND", "Could not find '{name}' in the {folder} of its module")
PRIVATE_NAME = Issue("PRIVATE_NAME", "'{name}' is private to module '{module}'")
MODULE_NOT_INSTALLED = Issue(
    "MODULE_NOT_INSTALLED",
    "Module '{name}' is not on the modulepath; its names are not checked",
    hint="install it, or give its directory with --modulepath",
)
