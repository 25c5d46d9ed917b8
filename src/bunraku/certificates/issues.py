"""Errors of certificates, keys and the files that have them."""

from __future__ import annotations

from bunraku.base.errors import Issue

UNREADABLE_FILE = Issue("CERTIFICATES_UNREADABLE_FILE", "Cannot read {what} '{path}': {reason}")
INVALID_CONTENT = Issue(
    "CERTIFICATES_INVALID_CONTENT", "The file '{path}' has no valid {what}: {reason}"
)
BAD_MAPPING = Issue(
    "CERTIFICATES_BAD_MAPPING",
    "Invalid mapping of object identifiers: {reason}",
    hint="oid_mapping has an entry for each identifier, with a shortname and a longname",
)
UNUSABLE_CERTIFICATE = Issue(
    "CERTIFICATES_UNUSABLE_CERTIFICATE", "Cannot use the certificate: {reason}"
)
BAD_KEY_SETTING = Issue("CERTIFICATES_BAD_KEY_SETTING", "Unsupported key: {reason}")

BAD_ATTRIBUTES = Issue(
    "CERTIFICATES_BAD_ATTRIBUTES", "Cannot use the attributes of '{path}': {reason}"
)
BAD_ALTERNATIVE_NAME = Issue(
    "CERTIFICATES_BAD_ALTERNATIVE_NAME", "Invalid alternative name '{name}': {reason}"
)
UNWRITABLE_FILE = Issue("CERTIFICATES_UNWRITABLE_FILE", "Cannot write '{path}': {reason}")
INVALID_CERTIFICATE = Issue("CERTIFICATES_INVALID_CERTIFICATE", "{reason}")
MISMATCHED_KEY = Issue(
    "CERTIFICATES_MISMATCHED_KEY",
    "The certificate for '{subject}' does not match its private key",
    hint="remove both and request a new certificate: run 'puppetserver ca clean --certname {certname}'"
    " or 'bunraku ca clean --certname {certname}' on the server, then 'bunraku ssl clean' here",
)
