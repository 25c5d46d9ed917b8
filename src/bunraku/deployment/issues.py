"""Errors of deployments, a block for each subject."""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- the Forge -------------------------------------------------------------------------------------

FORGE_BAD_NAME = Issue(
    "FORGE_BAD_NAME",
    "The name of a module of the Forge is its owner and its name, such as puppetlabs/stdlib; got '{name}'",
)
FORGE_BAD_VERSION = Issue(
    "FORGE_BAD_VERSION", "'{version}' is not a version of a module; expected one such as 1.2.3"
)
FORGE_BAD_URL = Issue("FORGE_BAD_URL", "The URL of the Forge cannot be used: {reason}")
FORGE_BAD_TOKEN = Issue(
    "FORGE_BAD_TOKEN",
    "The token for {url} has a character that a header cannot have",
    hint="the end of the line, if it was read from a file",
)
FORGE_NO_RELEASE = Issue("FORGE_NO_RELEASE", "The module release {release} does not exist on {url}")
FORGE_NO_MODULE = Issue("FORGE_NO_MODULE", "The module {slug} does not exist on {url}")
FORGE_NOTHING_RELEASED = Issue(
    "FORGE_NOTHING_RELEASED",
    "The module {slug} has no published release on {url}, so its latest version is not known",
    hint="declare a version",
)
FORGE_REFUSED = Issue("FORGE_REFUSED", "{url} refuses the request with status {status}: {reason}")
FORGE_BUSY = Issue(
    "FORGE_BUSY", "{url} answers with status {status}, also after {tries} attempts: {reason}"
)
FORGE_NOT_REACHED = Issue("FORGE_NOT_REACHED", "Cannot get {url}: {reason}")
FORGE_BAD_ANSWER = Issue("FORGE_BAD_ANSWER", "The answer of {url} cannot be used: {reason}")
FORGE_OFFLINE = Issue(
    "FORGE_OFFLINE",
    "{what} is not in the cache, and nothing is downloaded offline",
    hint="run the command once without --offline",
)
FORGE_NO_DIGEST = Issue(
    "FORGE_NO_DIGEST", "{url} has neither a SHA-256 nor an MD5 digest for the release {release}"
)
FORGE_WRONG_DIGEST = Issue(
    "FORGE_WRONG_DIGEST",
    "The archive of {release} has the {kind} digest {found}, but {url} promises {expected}",
    hint="the download is damaged, or the archive was replaced; it was not stored",
)
FORGE_CACHE = Issue("FORGE_CACHE", "Cannot use the cache of the Forge, {path}: {reason}")

# -- archives --------------------------------------------------------------------------------------

ARCHIVE_UNSAFE = Issue(
    "ARCHIVE_UNSAFE",
    "The archive {archive} is refused because of its member {member}: {reason}",
    hint="nothing of the archive was installed",
)
ARCHIVE_TOO_LARGE = Issue(
    "ARCHIVE_TOO_LARGE",
    "The archive {archive} is refused: {reason}",
    hint="nothing of the archive was installed",
)
ARCHIVE_DAMAGED = Issue("ARCHIVE_DAMAGED", "The archive {archive} cannot be read: {reason}")
ARCHIVE_NOT_UNPACKED = Issue(
    "ARCHIVE_NOT_UNPACKED", "Cannot unpack the archive {archive} to {directory}: {reason}"
)

# -- versions that fit together --------------------------------------------------------------------

RESOLVE_BAD_RANGE = Issue(
    "RESOLVE_BAD_RANGE",
    "'{versions}' is not a range of versions for {slug}; expected one such as '>= 1.0.0 < 2.0.0'",
)
RESOLVE_CONFLICT = Issue(
    "RESOLVE_CONFLICT",
    "No releases of the modules fit together:\n{sentences}",
    hint="allow another version of one of the named modules",
)
RESOLVE_TOO_DEEP = Issue(
    "RESOLVE_TOO_DEEP",
    "No releases of the modules that fit together were found in {attempts} attempts",
    hint="declare versions of more modules",
)

# -- the lock file ---------------------------------------------------------------------------------

LOCK_FOREIGN = Issue(
    "LOCK_FOREIGN",
    "{path} is a lock file of librarian-puppet, which has another format",
    hint="remove it, and write a new one with 'bunraku modules lock'",
)
LOCK_DAMAGED = Issue(
    "LOCK_DAMAGED",
    "The lock file {path} cannot be used: {reason}",
    hint="write a new one with 'bunraku modules lock'",
)
LOCK_SCHEMA = Issue(
    "LOCK_SCHEMA",
    "The lock file {path} has the schema {schema}; this version of bunraku reads {expected}",
    hint="use the version of bunraku that wrote it, or write a new one with 'bunraku modules lock'",
)
LOCK_NOT_READ = Issue("LOCK_NOT_READ", "Cannot read the lock file {path}: {reason}")
LOCK_NOT_WRITTEN = Issue("LOCK_NOT_WRITTEN", "Cannot write the lock file {path}: {reason}")
