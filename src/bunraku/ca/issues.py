"""Errors of the certificate authority."""

from __future__ import annotations

from bunraku.base.errors import Issue

BAD_SETTING = Issue("CA_BAD_SETTING", "Invalid setting '{name}': {reason}")
UNKNOWN_SETTING = Issue("CA_UNKNOWN_SETTING", "Unknown setting '{name}' of the authority{near}")
LOCKED = Issue(
    "CA_LOCKED",
    "Another process changes the certificate authority in '{cadir}'",
    hint="wait until it has finished; the lock is the file '{lock}'",
)
UNWRITABLE = Issue("CA_UNWRITABLE", "Cannot write '{path}': {reason}")
NO_AUTHORITY = Issue(
    "CA_NO_AUTHORITY",
    "There is no certificate authority in '{cadir}'",
    hint="make one with 'bunraku ca setup', or set cadir",
)
PARTIAL = Issue(
    "CA_PARTIAL",
    "The certificate authority in '{cadir}' is incomplete: {missing} missing",
    hint="restore the missing files, or remove the others and make a new authority",
)
NO_SIGNER = Issue(
    "CA_NO_SIGNER", "No certificate in '{cacert}' has the public key of the private key '{cakey}'"
)
NO_LIST = Issue(
    "CA_NO_LIST", "No revocation list in '{cacrl}' is issued by the authority '{issuer}'"
)
BAD_FILE = Issue("CA_BAD_FILE", "Malformed file '{path}': {reason}")
BAD_CHAIN = Issue("CA_BAD_CHAIN", "Invalid certs and/or CRLs: {reason}")
FILES_EXIST = Issue(
    "CA_FILES_EXIST",
    "Existing file at '{path}'",
    hint="to replace the authority, delete its files first; all certificates that it issued "
    "become invalid",
)
REFUSED_LISTS = Issue("CA_REFUSED_LISTS", "{reason}")
HALF_A_KEY = Issue(
    "CA_HALF_A_KEY",
    "There is a key '{present}', but not the other half of the pair '{absent}'",
    hint="restore the missing file, or remove the other",
)
CERTIFICATE_EXISTS = Issue(
    "CA_CERTIFICATE_EXISTS",
    "Existing file at '{path}'",
    hint="delete it to generate a new certificate",
)
