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
SECRET_SHOWN = Issue(
    "SECRET_SHOWN",
    "{resource} shows a Sensitive value in '{name}'",
    hint="agents and PuppetDB show it in logs and reports; wrap the value in Sensitive()",
)
DATADIR_MISSING = Issue("HIERA_NO_DATADIR", "The directory of data does not exist: {name}")
EMPTY_LEVEL = Issue(
    "HIERA_EMPTY_LEVEL", "No file is of the level '{path}', and no level reads other files of data"
)
UNKNOWN_FACT = Issue("UNKNOWN_FACT", "No node has the {kind} '{name}'")
PRIVATE_KEY = Issue(
    "PRIVATE_KEY", "A private key in plain text", hint="encrypt it, or store it outside of git"
)
PLAIN_SECRET = Issue(
    "PLAIN_SECRET", "The value of '{key}' is not encrypted", hint="'eyaml encrypt' encrypts it"
)
SCRIPT_LINE_END = Issue(
    "SCRIPT_LINE_END",
    "The first line of this script ends with a carriage return, which becomes part of the interpreter's name",
    hint="use the line ends of Unix",
)
SCRIPT_MARK = Issue(
    "SCRIPT_BYTE_ORDER_MARK",
    "This script begins with a byte order mark, so the system does not see its '#!'",
    hint="save the file as UTF-8 without the mark",
)
LINE_ENDS = Issue(
    "LINE_ENDS",
    "The lines of this file now end with carriage returns, which agents copy",
    hint="use the line ends of Unix, as before",
)
CONFLICT_MARKER = Issue("CONFLICT_MARKER", "A conflict of git is not resolved")
INVISIBLE_CHARACTER = Issue(
    "INVISIBLE_CHARACTER", "This line has the invisible character {character}"
)
CONFUSABLE_LETTER = Issue(
    "CONFUSABLE_LETTER",
    "'{word}' has Latin letters and {character}, which looks like '{latin}'",
    hint="write the whole word with Latin letters",
)
NOT_CHECKED = Issue("NOT_CHECKED", "Not checked: {reason}")
CATALOGS_CHANGED = Issue(
    "CATALOGS_CHANGED",
    "The catalogs of {nodes} change",
    hint="--fail-on-changes allows no change; --ignore and --ignore-attr leave out those that are expected",
)
NOT_AS_PUPPET = Issue("NOT_AS_PUPPET", "{node}: {reason}")
