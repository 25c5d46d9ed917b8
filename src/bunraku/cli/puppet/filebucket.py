"""``puppet filebucket``: contents of files in a bucket on this machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.output.output import write, write_error
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.differences import compared
from bunraku.providers.filebucket.bucket import Bucket
from bunraku.world.linux import LinuxHost
from bunraku.world.whole_files import KEY_MODE, write_whole

MODES = ("backup", "diff", "get", "list", "restore")
OPTIONS = """
mode MODE: backup, diff, get, list, restore
names [FILE]...: files or checksums
-l --local: use $clientbucketdir
-r --remote: not supported
-b --bucket FOLDER: use the bucket in this directory
-f --fromdate DATE: list: contents stored since then
-t --todate DATE: list: contents stored until then
"""
COMMAND = "puppet filebucket"
DATES = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S")


def run_mode(words: Sequence[str]) -> int:
    """Run a mode; exit code 1 for unknown checksums and paths that cannot be used."""
    rules = {"mode": {"choices": MODES}}
    parser = parser_for("filebucket", "Store and show contents of files.", OPTIONS, rules)
    call = call_of(parser, words, "user")
    if call.options.remote or not (call.options.local or call.options.bucket):
        raise UsageError("a filebucket on a server is not supported; use --local", COMMAND)
    path = os.path.abspath(call.options.bucket or call.text("clientbucketdir"))
    bucket = Bucket(LinuxHost(), "local", path, call.messages.say)
    try:
        return RUN[call.options.mode](call, bucket)
    except (ResourceFailure, PuppetError, OSError) as error:
        call.messages.error(f"Could not run: {error}")
        return exits.FINDINGS


def names_of(call: Call, *meanings: str) -> list[str]:
    """Return the arguments of a mode; UsageError for another number of them."""
    names: list[str] = call.options.names
    if len(names) != len(meanings):
        raise UsageError(f"{call.options.mode} requires {' and '.join(meanings)}", COMMAND)
    return names


def backup(call: Call, bucket: Bucket) -> int:
    """Store files and print their checksums; missing ones are reported."""
    if not call.options.names:
        raise UsageError("backup requires a FILE", COMMAND)
    for name in call.options.names:
        if not os.path.exists(name):
            write_error(f"{name}: no such file\n")
        elif not os.access(name, os.R_OK):
            write_error(f"{name}: cannot read file\n")
        else:
            write(f"{name}: {bucket.backup(os.path.abspath(name))}\n")
    return exits.OK


def get(call: Call, bucket: Bucket) -> int:
    """Print a content."""
    (digest,) = names_of(call, "a checksum")
    write(content(bucket, digest).decode("utf-8", "surrogateescape"))
    return exits.OK


def content(bucket: Bucket, digest: str) -> bytes:
    """Return a content; ResourceFailure for an unknown checksum."""
    return b"".join(bucket.content(digest))


def restore(call: Call, bucket: Bucket) -> int:
    """Write a content to a file, with the permissions that the file has."""
    path, digest = names_of(call, "a file", "a checksum")
    mode = os.stat(path).st_mode & 0o7777 if os.path.exists(path) else KEY_MODE
    write_whole(os.path.abspath(path), content(bucket, digest), mode=mode)
    return exits.OK


def diff(call: Call, bucket: Bucket) -> int:
    """Print the difference of two files or contents."""
    left, right = names_of(call, "a file or checksum", "a file or checksum")
    old, new = (one if os.path.exists(one) else stored(bucket, one) for one in (left, right))
    labels = ("--label", left, "--label", right)
    write(compared(bucket.host, old, new, labels=labels))
    return exits.OK


def stored(bucket: Bucket, digest: str) -> str:
    """Return the path of a content in the bucket; ResourceFailure for an unknown checksum."""
    bucket.content(digest)
    return bucket.contents(digest)


def list_contents(call: Call, bucket: Bucket) -> int:
    """Print the stored contents by the paths that they came from, the oldest first."""
    earliest = date(call.options.fromdate, "--fromdate", 0.0)
    latest = date(call.options.todate, "--todate", bucket.host.now())
    found = sorted(
        (path, when, digest) for path, when, digest in entries(bucket) if earliest <= when <= latest
    )
    for path, when, digest in found:
        at = datetime.fromtimestamp(when, UTC).astimezone()
        write(f"{digest} {at:%Y-%m-%d %H:%M:%S} {path}\n")
    return exits.OK


def entries(bucket: Bucket) -> list[tuple[str, float, str]]:
    """Return each original path with the time when it was stored and the checksum."""
    found = []
    for folder, _, names in os.walk(bucket.path):
        if "paths" in names:
            file = os.path.join(folder, "paths")
            when = os.stat(file).st_mtime
            found += [(path, when, os.path.basename(folder)) for path in bucket.lines(file)]
    return found


def date(text: str | None, option: str, otherwise: float) -> float:
    """Return the time of an option in seconds, in this machine's time zone.

    >>> date(None, "--todate", 1.0)
    1.0
    """
    if text is None:
        return otherwise
    for form in DATES:
        try:
            return datetime.strptime(text, form).astimezone().timestamp()
        except ValueError:
            continue
    raise UsageError(f"{option}: expected YYYY-MM-DD or YYYY-MM-DD HH:MM:SS", COMMAND)


RUN = {"backup": backup, "diff": diff, "get": get, "list": list_contents, "restore": restore}
