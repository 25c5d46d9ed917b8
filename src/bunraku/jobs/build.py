"""Build the archive of a module's release, as the Forge takes it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import is_present
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.checks.metadata import check_metadata
from bunraku.formats.json import parse_json
from bunraku.jobs.checked_files import text_of
from bunraku.workbench.module_archive import (
    EARLIEST,
    NotPackable,
    archive,
    check_paths,
    contents_of,
)
from bunraku.world.whole_files import make_folders, write_whole

TIME = "SOURCE_DATE_EPOCH"
"""The variable with the time of all entries: https://reproducible-builds.org/specs/source-date-epoch/."""


@record(frozen=True)
class BuildOptions:
    """The directory of a module, and that of the archive: ``pkg`` in the module without one."""

    module: str = "."
    out: str = ""


@record(frozen=True)
class BuildResult:
    """The archive, its number of files, what it leaves out, and the findings in ``metadata.json``.

    Without an ``archive``, the metadata has errors.
    """

    archive: str = ""
    files: int = 0
    left_out: Sequence[str] = ()
    links: Sequence[str] = ()
    findings: Sequence[Diagnostic] = ()


def build(options: BuildOptions) -> BuildResult:
    """Write the archive of a module. Raises UsageError."""
    path = os.path.join(options.module, "metadata.json")
    if not is_present(path):
        raise UsageError(
            f"{options.module} is not a module: it has no metadata.json "
            "(bunraku new module NAME makes one)"
        )
    source = Source(text_of(path), os.path.normpath(path), on_disk=True)
    findings = check_metadata(source)
    if any(one.severity == "error" for one in findings):
        return BuildResult(findings=findings)
    metadata = parse_json(source.text)
    if "name" not in metadata:
        raise UsageError(f"cannot build the module: {source.path} has no name")
    try:
        return write_archive(options, metadata, findings)
    except NotPackable as error:
        raise UsageError(f"cannot build the module: {error}") from error
    except OSError as error:
        raise UsageError(f"cannot build the module: {error.filename}: {error.strerror}") from error


def write_archive(
    options: BuildOptions, metadata: dict[str, str], findings: Sequence[Diagnostic]
) -> BuildResult:
    """Write the archive of a module whose metadata has no errors."""
    release = f"{metadata['name'].replace('/', '-')}-{metadata['version']}"
    folder = options.out or os.path.join(options.module, "pkg")
    contents = contents_of(options.module, folder)
    seconds = time_of_entries()
    check_paths(release, contents.entries)
    make_folders(folder, 0o777)
    path = os.path.normpath(os.path.join(folder, f"{release}.tar.gz"))
    write_whole(path, archive(options.module, release, contents.entries, seconds))
    files = sum(not entry.is_directory for entry in contents.entries)
    return BuildResult(path, files, contents.left_out, contents.links, findings)


def time_of_entries() -> int:
    """Return the time of all entries, in seconds since 1970. Raises UsageError."""
    text = os.environ.get(TIME, "")
    if text and not text.isdecimal():
        raise UsageError(f"{TIME} must be a number of seconds, not {text!r}")
    return int(text) if text else EARLIEST
