"""The files of an authority in puppetserver's layout: one writer at a time, each file written whole."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep

from bunraku.base.file_reading import read_whole
from bunraku.ca import issues
from bunraku.ca.settings import AuthoritySettings
from bunraku.certificates.keys import PRIVATE_MODE, PUBLIC_MODE
from bunraku.world.whole_files import write_whole

DIRECTORY_MODE = 0o750
LOCK_FILE = ".bunraku.lock"
ENDING = ".pem"
LONGEST_NAME = 250
"""Bytes of a name whose file with its ending fits in a directory."""
POLL_SECONDS = 0.02


class Directory:
    """The files of an authority. Methods that write need the lock."""

    def __init__(self, settings: AuthoritySettings) -> None:
        self.settings = settings

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other threads and processes from changing the authority; make missing directories.

        Raises PuppetError if another keeps the lock too long, or the directory cannot be written.
        """
        path = os.path.join(self.settings.cadir, LOCK_FILE)
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except FileNotFoundError:
            raise issues.NO_AUTHORITY(cadir=self.settings.cadir) from None
        except OSError as error:
            raise issues.UNWRITABLE(path=path, reason=error.strerror or error) from None
        try:
            keep_owner(path)
            self.wait_for(handle, path)
            self.make_folders()
            yield
        finally:
            os.close(handle)

    def wait_for(self, handle: int, path: str) -> None:
        """Wait for the lock; raise PuppetError after the time of the settings."""
        end = monotonic() + self.settings.lock_seconds
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:
                if error.errno not in {errno.EWOULDBLOCK, errno.EINTR}:
                    raise issues.UNWRITABLE(path=path, reason=error.strerror or error) from None
            if monotonic() > end:
                raise issues.LOCKED(cadir=self.settings.cadir, lock=path)
            sleep(POLL_SECONDS)

    def certificate_path(self, name: str) -> str | None:
        """Return the path of a node's certificate, also if there is none; None for impossible names."""
        return path_in(self.settings.signeddir, name)

    def request_path(self, name: str) -> str | None:
        """Return the path of a node's request, also if there is none; None for impossible names."""
        return path_in(self.settings.csrdir, name)

    def has_certificate(self, name: str) -> bool:
        """Return whether the authority keeps a certificate of a node."""
        path = self.certificate_path(name)
        return path is not None and os.path.isfile(path)

    def has_request(self, name: str) -> bool:
        """Return whether a request of a node is pending."""
        path = self.request_path(name)
        return path is not None and os.path.isfile(path)

    def make_folders(self) -> None:
        """Make the directories of requests and certificates; raise PuppetError."""
        for folder in (self.settings.csrdir, self.settings.signeddir):
            make_folder(folder)


def path_in(folder: str, name: str) -> str | None:
    """Return the path of a node's file; None for a name that cannot be a file's.

    >>> path_in("/ca/signed", "web.example.com"), path_in("/ca/signed", "../ca_key")
    ('/ca/signed/web.example.com.pem', None)
    """
    if not name or "/" in name or "\0" in name:
        return None
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return None
    return os.path.join(folder, name + ENDING) if size <= LONGEST_NAME else None


def names_in(folder: str) -> list[str]:
    """Return the names of the nodes that have a file in a folder, sorted; none without the folder."""
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        return sorted(
            entry.name.removesuffix(ENDING)
            for entry in entries
            if entry.name.endswith(ENDING) and not entry.name.startswith(".") and entry.is_file()
        )
    return []


def optional_content(path: str | None) -> bytes | None:
    """Return the content of a file, None without one; raise PuppetError if it cannot be read."""
    if path is None:
        return None
    try:
        return read_whole(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise issues.BAD_FILE(path=path, reason=error.strerror or error) from None


def write_public(path: str, content: bytes) -> None:
    """Write a file that all users may read; raise PuppetError."""
    write(path, content, PUBLIC_MODE)


def write_secret(path: str, content: bytes) -> None:
    """Write a file that the owner and the group may read; raise PuppetError."""
    write(path, content, PRIVATE_MODE)


def write(path: str, content: bytes, mode: int) -> None:
    """Write a file atomically, with its mode from the first byte; raise PuppetError."""
    try:
        write_whole(path, content, mode=mode)
        keep_owner(path)
    except OSError as error:
        raise issues.UNWRITABLE(path=path, reason=error.strerror or error) from None


def keep_owner(path: str) -> None:
    """Give a file that root wrote to the owner of its directory so that the server can use it.

    An existing directory of puppetserver belongs to the user ``puppet``.
    """
    if os.geteuid() != 0:
        return
    folder = os.stat(os.path.dirname(path) or ".")
    file = os.lstat(path)
    if (file.st_uid, file.st_gid) != (folder.st_uid, folder.st_gid):
        os.chown(path, folder.st_uid, folder.st_gid, follow_symlinks=False)


def make_folder(path: str) -> None:
    """Make a directory with those above it, if absent; raise PuppetError."""
    try:
        above = os.path.dirname(path)
        if above and not os.path.isdir(above):
            make_folder(above)
        if not os.path.isdir(path):
            os.mkdir(path, DIRECTORY_MODE)
            keep_owner(path)
    except OSError as error:
        raise issues.UNWRITABLE(path=path, reason=error.strerror or error) from None


def link_old_directory(cadir: str, confdir: str) -> None:
    """Make the place of Puppet 6, ``ssl/ca``, a link to the directory beside ``confdir``.

    Programs that look there find the authority. Other directories get no link, and an existing
    path stays as it is. Raise PuppetError.
    """
    new = os.path.join(os.path.dirname(confdir.rstrip("/")), "puppetserver", "ca")
    old = os.path.join(confdir, "ssl", "ca")
    if os.path.abspath(cadir) != os.path.abspath(new) or os.path.lexists(old):
        return
    make_folder(os.path.dirname(old))
    try:
        os.symlink(os.path.abspath(new), old)
    except OSError as error:
        raise issues.UNWRITABLE(path=old, reason=error.strerror or error) from None


def remove(path: str | None) -> bool:
    """Remove a file; return whether there was one. Raise PuppetError."""
    if path is None:
        return False
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise issues.UNWRITABLE(path=path, reason=error.strerror or error) from None
    return True


def filled_lines(path: str) -> list[str]:
    """Return the lines of a text file that are not blank; none without the file."""
    text = (optional_content(path) or b"").decode("utf-8", "replace")
    return [line.strip() for line in text.splitlines() if line.strip()]


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write a text file that all users may read; raise PuppetError."""
    write_public(path, "".join(f"{line}\n" for line in lines).encode())
