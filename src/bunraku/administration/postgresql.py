"""Copy the PostgreSQL database of a site out and in, with the programs of PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

from bunraku.administration import issues
from bunraku.administration import site as places
from bunraku.base.file_reading import read_whole
from bunraku.puppetdb.configuration import read_configuration
from bunraku.world import processes
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import KEY_MODE, write_whole


def dump(root: str, path: str) -> None:
    """Write the database of the site in a directory to a file, as it is in one moment. Raise PuppetError."""
    run_program(root, "pg_dump", "--format=custom", "--no-owner", f"--file={path}")


def load(root: str, path: str) -> None:
    """Replace the database by a file, in one transaction. Raise PuppetError; then it is as it was."""
    words = ("--clean", "--if-exists", "--no-owner", "--single-transaction", path)
    run_program(root, "pg_restore", *words)


def run_program(root: str, name: str, *words: str) -> None:
    """Run a program of PostgreSQL; PuppetError with what it reports if it fails."""
    with connection(root) as (url, variables):
        command = [name, "--no-password", f"--dbname={url}", *words]
        try:
            done = processes.run(command, environment={**os.environ, **variables})
        except OSError as error:
            raise issues.FAILED(action=f"start {name}", reason=error.strerror) from None
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise issues.FAILED(action=f"copy the database with {name}", reason=reason)


@contextmanager
def connection(root: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the URL without its password, and variables that name a private file with the password."""
    path = os.path.join(root, places.DATABASE_CONF)
    url = read_configuration({path: read_whole(path).decode()}).database or ""
    parts = urlsplit(url)
    if not parts.password:
        yield url, {}
        return
    host = parts.netloc.rpartition("@")[2]
    plain = parts._replace(netloc=f"{parts.username or ''}@{host}").geturl()
    with scratch_directory() as folder:
        file = os.path.join(folder, "pgpass")
        write_whole(file, f"*:*:*:*:{escaped(unquote(parts.password))}\n".encode(), mode=KEY_MODE)
        yield plain, {"PGPASSFILE": file}


def escaped(password: str) -> str:
    r"""Return a password as a file of PostgreSQL has it; see "The Password File" of its manual.

    >>> escaped("a:b\\")
    'a\\:b\\\\'
    """
    return password.replace("\\", "\\\\").replace(":", "\\:")
