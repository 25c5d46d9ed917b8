"""Folders that only this user can change, opened without a moment in which they could be swapped.

A name is followed step by step from ``/``: each step opens a part relative to the folder before it
and checks the opened file. Links are followed by reading them, never by the kernel, so the
folders that they lead through are checked as well. Once a folder is found to be writable by the
effective user and root alone, no other user can replace files in it.
"""

from __future__ import annotations

import errno
import os
import stat

from bunraku.base import system

PRIVATE = 0o700
FOR_OTHERS = 0o022
"""The bits that let others write. The mask of an access control list shows in those of the group."""
MOST_LINKS = 40
FOLDER = os.O_RDONLY | system.DIRECTORY | system.NO_LINK | system.PLAIN
STEP = FOLDER | getattr(os, "O_PATH", 0)
"""Flags to open a folder that may be unreadable, such as those above a home directory."""


class NotPrivate(Exception):
    """A folder that other users can change; ``path`` is where they can, ``cause`` is why."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path} {cause}")
        self.path = path
        self.cause = cause


def user_name(user: int) -> str:
    """Return the name of a user, or the number of one without a name.

    >>> user_name(0)
    'root'
    """
    import pwd  # only a refusal needs it

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


def is_trusted(status: os.stat_result) -> bool:
    """Return whether a file or folder belongs to the effective user or to root."""
    return status.st_uid in (0, system.user())


def check_owner(status: os.stat_result, path: str) -> None:
    """Raise NotPrivate unless a file or folder belongs to the effective user or to root."""
    if not is_trusted(status):
        owner, user = user_name(status.st_uid), user_name(system.user())
        raise NotPrivate(path, f"belongs to {owner}, not to {user}")


def check_closed(status: os.stat_result, path: str) -> None:
    """Raise NotPrivate if others may write to a folder."""
    if status.st_mode & FOR_OTHERS:
        mode = stat.S_IMODE(status.st_mode)
        raise NotPrivate(path, f"is writable by other users (mode {mode:04o})")


def open_private(path: str, inner: str, *, create: bool) -> int:
    """Return a descriptor of the folder ``inner`` in the folder of an absolute path.

    Both are made accessible to this user alone; missing folders are made so when ``create`` is true.
    Raises NotPrivate if another user could change the folder or one above it, OSError if there is no
    such folder.
    """
    if not system.OPENS_FOLDERS:
        raise OSError(errno.ENOSYS, "this system cannot open folders", path)
    walk = FolderWalk()
    try:
        walk.follow(path, create=create)
        walk.make_private()
        if walk.step(inner, create=create) is not None:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), walk.joined(inner))
        walk.make_private()
        return walk.take()
    finally:
        walk.close()


def make_private(path: str) -> None:
    """Make a folder that only this user can change; where folders have no owners, one in the user's home.

    Raises as :func:`open_private`.
    """
    if system.OPENS_FOLDERS:
        os.close(open_private(*os.path.split(path), create=True))
    else:
        os.makedirs(path, PRIVATE, exist_ok=True)


class FolderWalk:
    """A way through folders, each checked when it is entered; ``path`` is the present one."""

    def __init__(self) -> None:
        self.links = 0
        self.handle = -1
        self.status: os.stat_result
        self.to_root()

    def to_root(self) -> None:
        """Go to the root folder."""
        self.enter(os.open("/", STEP), "/")

    def enter(self, handle: int, path: str) -> None:
        """Go to an open folder, if it can be trusted."""
        self.close()
        self.handle, self.path = handle, path
        self.status = os.fstat(handle)
        check_owner(self.status, path)

    def follow(self, path: str, *, create: bool) -> None:
        """Go to a folder relative to the present one; missing ones are made if ``create`` is true."""
        ahead = path.split("/")[::-1]
        while ahead:
            name = ahead.pop()
            if name in {"", "."}:
                continue
            target = self.step(name, create=create)
            if target is not None:
                self.links += 1
                if self.links > MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), self.joined(name))
                if target.startswith("/"):
                    self.to_root()
                ahead += target.split("/")[::-1]

    def joined(self, name: str) -> str:
        """Return the path of a name in the present folder."""
        return os.path.normpath(os.path.join(self.path, name))

    def step(self, name: str, *, create: bool) -> str | None:
        """Enter a subfolder; return the target instead if it is a link."""
        if not self.status.st_mode & stat.S_ISVTX:
            check_closed(self.status, self.path)
        status = self.status_of(name, create=create)
        if self.status.st_mode & FOR_OTHERS:
            # In a sticky folder such as /tmp, other users can write, but not replace files of this user.
            check_owner(status, self.joined(name))
        if stat.S_ISLNK(status.st_mode):
            return os.readlink(name, dir_fd=self.handle)
        self.enter(os.open(name, STEP, dir_fd=self.handle), self.joined(name))
        return None

    def status_of(self, name: str, *, create: bool) -> os.stat_result:
        """Return the status of a name; a missing folder is made if ``create`` is true."""
        try:
            return os.stat(name, dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            if not create:
                raise
        try:
            os.mkdir(name, PRIVATE, dir_fd=self.handle)
        except FileExistsError:  # another process was faster
            pass
        else:
            # A umask may have taken bits away. The name is still that of the new folder, since
            # other users can neither write here nor rename files of this user.
            os.chmod(name, PRIVATE, dir_fd=self.handle)
        return os.stat(name, dir_fd=self.handle, follow_symlinks=False)

    def make_private(self) -> None:
        """Close the current folder to other users; raise NotPrivate if they could write to it."""
        check_closed(self.status, self.path)
        readable = os.open(".", FOLDER, dir_fd=self.handle)
        self.enter(readable, self.path)
        is_open = stat.S_IMODE(self.status.st_mode) & 0o777 != PRIVATE
        if is_open and self.status.st_uid == system.user():
            try:
                system.set_mode(self.handle, PRIVATE)
            except OSError as error:
                if error.errno != errno.EROFS:
                    raise

    def take(self) -> int:
        """Return the descriptor of the present folder, which the caller has to close."""
        handle, self.handle = self.handle, -1
        return handle

    def close(self) -> None:
        """Close the present folder."""
        if self.handle >= 0:
            os.close(self.take())
