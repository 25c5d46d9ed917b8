"""What can go wrong between a resource and its type; codes are Puppet's where it has one."""

from __future__ import annotations

from bunraku.errors import Issue

UNMATCHED_TITLE = Issue(
    "RUNTIME_ERROR",
    "The title '{title}' fits none of the forms that titles of {type} have",
    hint="the type's Ruby code lists the forms in title_patterns",
)
BROKEN_TYPE = Issue(
    "BROKEN_TYPE", "The resource type '{name}' cannot be read: {path}, line {line}, is no Ruby"
)
MISSING_TITLE_PATTERNS = Issue(
    "RUNTIME_ERROR",
    "{type} has several namevars ({namevars}) but its Ruby code does not say how titles give them",
)
