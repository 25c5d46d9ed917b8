"""Errors in titles and types of resources; the codes are Puppet's where it has one."""

from __future__ import annotations

from bunraku.base.errors import Issue

UNMATCHED_TITLE = Issue.general(
    "INVALID_TITLE",
    "The title '{title}' does not match any title pattern of {type}",
    hint="the type's Ruby code lists them in title_patterns",
    words='No set of title patterns matched the title "{title}".',
)
BROKEN_TYPE = Issue(
    "BROKEN_TYPE",
    "Cannot read the resource type '{name}': Ruby syntax error in {path}, line {line}",
)
FAILED_TYPE = Issue.general(
    "FAILED_TYPE",
    "Could not autoload puppet/type/{name}: {reason}",
    hint="see {path}, line {line}",
)
OLD_CALL = Issue.general(
    "OLD_CALL",
    "Could not autoload puppet/type/{name}: undefined method `newtype' for Puppet:Module",
    hint="write Puppet::Type.newtype in {path}; Puppet 3 was the last with Puppet.newtype",
)
MISSING_TITLE_PATTERNS = Issue.general(
    "MISSING_TITLE_PATTERNS",
    "{type} has several namevars ({namevars}), but its Ruby code has no title_patterns",
    words="you must specify title patterns when there are two or more key attributes",
)
