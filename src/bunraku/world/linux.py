"""This machine, which can be changed: files, owners, programs and locks."""

from __future__ import annotations

import errno
import fcntl
import grp
import os
import pwd
import select
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, BinaryIO

from bunraku.world.augeas import LibraryTree, is_installed
from bunraku.world.dialogue import ProgramDialogue
from bunraku.world.host import (
    Account,
    AccountGroup,
    Command,
    CommandTimeout,
    Dialogue,
    FileStatus,
    Finished,
    Kind,
    OutputTooLarge,
    ServiceRecord,
)
from bunraku.world.machine import Machine, possible
from bunraku.world.selinux import default_context
from bunraku.world.whole_files import NewFile, remove_abandoned, synchronize, temporary_path

KINDS: tuple[tuple[int, Kind], ...] = (
    (stat.S_IFREG, "file"),
    (stat.S_IFDIR, "directory"),
    (stat.S_IFLNK, "link"),
    (stat.S_IFIFO, "fifo"),
    (stat.S_IFSOCK, "socket"),
    (stat.S_IFCHR, "characterSpecial"),
    (stat.S_IFBLK, "blockSpecial"),
)
NAMES = dict(KINDS)
SECURITY_CONTEXT = "security.selinux"
"""The extended attribute with the SELinux context of a file."""
LARGEST_OUTPUT = 100 << 20
"""The largest output of a command in bytes."""
SOCKET_TIMEOUT = 60
"""The seconds to wait for a server at a socket."""
POLL = 0.2
"""Seconds between two checks of a command's limits."""
SYSTEM_FOLDERS = ("/usr/sbin", "/sbin")
CHUNK = 1 << 20
"""Bytes that are copied at once."""
DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class LinuxHost(Machine):
    """This machine; the user that runs bunraku needs the permission to make the changes."""

    # -- files -----------------------------------------------------------------------------------

    def status(self, path: str, *, follow: bool = False) -> FileStatus | None:
        """See :class:`Host`."""
        try:
            found = os.stat(possible(path), follow_symlinks=follow)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return status_of(found)

    def link_target(self, path: str) -> str:
        """See :class:`Host`."""
        return os.readlink(possible(path))

    def open(self, path: str) -> BinaryIO:
        """See :class:`Host`."""
        handle = os.open(possible(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(errno.EINVAL, "it is not a regular file", path)
            return os.fdopen(handle, "rb")
        except BaseException:
            os.close(handle)
            raise

    def scan(self, path: str) -> Iterator[tuple[str, FileStatus]]:
        """See :class:`Host`."""
        with os.scandir(possible(path)) as entries:
            found = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        for entry in found:
            with suppress(FileNotFoundError):  # removed since
                yield entry.name, status_of(entry.stat(follow_symlinks=False))

    def replace_file(
        self,
        path: str,
        content: Iterable[bytes],
        *,
        mode: int,
        owner: tuple[int, int] | None = None,
        check: Callable[[str], None] | None = None,
        staging: str | None = None,
    ) -> None:
        """See :class:`Host`."""
        directory = staging or os.path.dirname(possible(path)) or "."
        remove_abandoned(directory)
        new = NewFile(directory)
        try:
            with os.fdopen(new.create(0o600), "wb") as file:
                for piece in content:
                    file.write(piece)
                file.flush()
                if owner is not None:
                    os.fchown(file.fileno(), *owner)
                os.fchmod(file.fileno(), mode)
                synchronize(file.fileno())
            if check is not None:
                check(new.path)
            try:
                os.replace(new.path, path)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                write_in_place(path, new.path)  # a mount point, such as /etc/hosts in containers
        except OSError as error:
            if error.filename in (None, new.path):  # not an error of the source of the content
                error.filename = path
                del error.filename2  # None would be a part of the text
            raise
        finally:
            with suppress(OSError):
                os.unlink(new.path)
            new.release()

    def make_directory(self, path: str, mode: int) -> None:
        """See :class:`Host`."""
        os.mkdir(possible(path), 0o700)
        os.chmod(path, mode)

    def make_link(self, path: str, target: str) -> None:
        """See :class:`Host`."""
        os.symlink(possible(target), possible(path))

    def replace_link(self, path: str, target: str) -> None:
        """See :class:`Host`."""
        directory = os.path.dirname(possible(path)) or "."
        remove_abandoned(directory)
        temporary = temporary_path(directory)
        os.symlink(possible(target), temporary)
        try:
            os.replace(temporary, path)
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)
            raise

    def remove_file(self, path: str) -> None:
        """See :class:`Host`."""
        os.unlink(possible(path))

    def remove_tree(self, path: str) -> None:
        """See :class:`Host`."""
        import shutil  # slow to import; most runs remove no directory

        shutil.rmtree(possible(path))

    def rename(self, path: str, target: str) -> None:
        """See :class:`Host`."""
        os.replace(possible(path), possible(target))

    def set_mode(self, path: str, mode: int) -> None:
        """See :class:`Host`."""
        os.chmod(possible(path), mode)

    def set_owner(self, path: str, uid: int, gid: int, *, follow: bool = False) -> None:
        """See :class:`Host`."""
        os.chown(possible(path), uid, gid, follow_symlinks=follow)

    # -- SELinux ---------------------------------------------------------------------------------

    def security_context(self, path: str) -> str | None:
        """See :class:`Host`."""
        try:
            found = os.getxattr(possible(path), SECURITY_CONTEXT, follow_symlinks=False)
        except OSError as error:
            if error.errno in (errno.ENODATA, errno.ENOTSUP, errno.ENOENT):
                return None
            raise
        return found.rstrip(b"\0").decode("utf-8", "surrogateescape")

    def set_security_context(self, path: str, context: str) -> None:
        """See :class:`Host`."""
        value = context.encode("utf-8", "surrogateescape") + b"\0"
        os.setxattr(possible(path), SECURITY_CONTEXT, value, follow_symlinks=False)

    def default_security_context(self, path: str, mode: int) -> str | None:
        """See :class:`Host`."""
        return default_context(possible(path), mode)

    # -- users and groups ------------------------------------------------------------------------

    def user(self, name: str | int) -> Account | None:
        """See :class:`Host`."""
        try:
            found = pwd.getpwuid(name) if isinstance(name, int) else pwd.getpwnam(name)
        except (KeyError, OverflowError, ValueError):
            return None
        return account_of(found)

    def group(self, name: str | int) -> AccountGroup | None:
        """See :class:`Host`."""
        try:
            found = grp.getgrgid(name) if isinstance(name, int) else grp.getgrnam(name)
        except (KeyError, OverflowError, ValueError):
            return None
        return AccountGroup(found.gr_name, found.gr_gid, tuple(found.gr_mem))

    def users(self) -> list[Account]:
        """See :class:`Host`."""
        return [account_of(found) for found in pwd.getpwall()]

    def groups(self) -> list[AccountGroup]:
        """See :class:`Host`."""
        return [
            AccountGroup(found.gr_name, found.gr_gid, tuple(found.gr_mem))
            for found in grp.getgrall()
        ]

    def effective_user(self) -> int:
        """See :class:`Host`."""
        return os.geteuid()

    # -- configuration files ---------------------------------------------------------------------

    def has_augeas(self) -> bool:
        """See :class:`Host`."""
        return is_installed()

    def open_augeas(
        self, root: str, load_path: str, *, type_check: bool, autoload: bool
    ) -> LibraryTree:
        """See :class:`Host`."""
        return LibraryTree(root, load_path, type_check=type_check, autoload=autoload)

    # -- the network -----------------------------------------------------------------------------

    def service_records(self, name: str) -> list[ServiceRecord]:
        """See :class:`Host`."""
        from bunraku.world.service_records import service_records

        return service_records(name)

    def address(self, name: str) -> str:
        """See :class:`Host`."""
        import socket

        try:
            return str(socket.getaddrinfo(possible(name), None)[0][4][0])
        except UnicodeError:  # a part of the name is empty or longer than 63 characters
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None

    def connect(self, address: str, port: int, seconds: float) -> None:
        """See :class:`Host`."""
        import socket

        socket.create_connection((address, port), seconds).close()

    def ask_socket(self, path: str, method: str, target: str, content: bytes) -> bytes:
        """See :class:`Host`."""
        import socket
        from http.client import HTTPConnection, HTTPException

        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        connection = HTTPConnection("localhost")
        with socket.socket(socket.AF_UNIX) as channel:
            channel.settimeout(SOCKET_TIMEOUT)
            channel.connect(path)
            connection.sock = channel
            try:
                connection.request(method, target, content or None, headers)
                return connection.getresponse().read()
            except HTTPException as error:
                raise OSError(errno.EPROTO, f"The answer is not HTTP: {error}") from None

    # -- programs --------------------------------------------------------------------------------

    def find_program(self, name: str, path: str | None = None) -> str | None:
        """See :class:`Host`."""
        try:
            places = possible(path or search_path()).split(os.pathsep)
            paths = [name] if "/" in possible(name) else [os.path.join(one, name) for one in places]
        except OSError:
            return None
        return next(filter(is_program, paths), None)

    def execute(self, command: Command) -> Finished:
        """See :class:`Host`; daemons that the command starts continue."""
        from tempfile import TemporaryFile  # slow to import; some runs start no program

        words = command.words
        line = words if isinstance(words, str) else None
        arguments = line.split() if line is not None else list(words)
        if line is not None and needs_shell(line):
            arguments = ["/bin/sh", "-c", line]
        settings = environment_of(command)
        for text in (*arguments, *settings, *settings.values(), command.directory or "/"):
            possible(text)
        user, group, groups = self.identity(command)
        # Output goes to files: processes that the command leaves running may keep them open and write.
        with TemporaryFile() as given, TemporaryFile() as output, TemporaryFile() as errors:
            given.write(command.content)
            given.seek(0)
            program = subprocess.Popen(
                arguments,
                cwd=command.directory,
                env=settings,
                stdin=given if command.content else subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if command.merged else errors,
                start_new_session=True,
                umask=-1 if command.umask is None else command.umask,
                user=user,
                group=group,
                extra_groups=groups,
            )
            code = code_of(program, command.timeout, output)
            return Finished(code, text_in(output), text_in(errors))

    def identity(self, command: Command) -> tuple[int | None, int | None, list[int] | None]:
        """Return the user, group and other groups of a command as IDs; OSError for unknown names."""
        if command.user is None and command.group is None:
            return None, None, None
        uid, gid, groups = None, None, None
        if command.user is not None:
            account = self.user(number_of(command.user))
            number = number_of(command.user)
            if account is None and isinstance(number, str):
                raise OSError(errno.EINVAL, f"Could not find user {command.user}")
            if account is None:
                uid = int(number)
            else:
                uid, gid = account.uid, account.gid
                groups = os.getgrouplist(account.name, account.gid)
        if command.group is not None:
            found = self.group(number_of(command.group))
            if found is None:
                raise OSError(errno.EINVAL, f"Could not find group {command.group}")
            gid, groups = found.gid, groups or []
        return uid, gid, groups

    def dialogue(self, command: Command) -> Dialogue:
        """See :class:`Host`; daemons that the program starts continue."""
        assert not isinstance(command.words, str)
        return ProgramDialogue(command.words, environment_of(command), merged=command.merged)

    def sleep(self, seconds: float) -> None:
        """See :class:`Host`."""
        time.sleep(seconds)

    def monotonic(self) -> float:
        """See :class:`Host`."""
        return time.monotonic()

    @contextmanager
    def lock(self, path: str) -> Iterator[bool]:
        """See :class:`Host`; the kernel releases the lock if the process is killed."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(possible(path), flags, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
            yield True
            os.ftruncate(handle, 0)
        finally:
            os.close(handle)


def is_program(path: str) -> bool:
    """Return whether a path is a file that this process may run."""
    return os.access(path, os.X_OK) and not os.path.isdir(path)


def status_of(found: os.stat_result) -> FileStatus:
    """Convert the status that the system returns for a file."""
    return FileStatus(
        NAMES.get(stat.S_IFMT(found.st_mode), "unknown"),
        stat.S_IMODE(found.st_mode),
        found.st_uid,
        found.st_gid,
        found.st_size,
        found.st_atime,
        found.st_mtime,
        found.st_ctime,
        found.st_dev,
        found.st_ino,
    )


def write_in_place(path: str, new: str) -> None:
    """Give a file that cannot be replaced the content, owner and mode of another one.

    A reader may see a part of the content meanwhile, and a process that is killed leaves one. The
    space for a longer content is reserved first, so a full disk does not leave a partial one.
    """
    flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(new, "rb") as source, os.fdopen(os.open(path, flags), "wb") as target:
        wanted = os.fstat(source.fileno())
        handle = target.fileno()
        size = os.fstat(handle).st_size
        if wanted.st_size > size:
            try:
                os.posix_fallocate(handle, size, wanted.st_size - size)
            except OSError:
                os.ftruncate(handle, size)
                raise
        while piece := source.read(CHUNK):
            target.write(piece)
        target.flush()
        os.ftruncate(handle, wanted.st_size)
        os.fchown(handle, wanted.st_uid, wanted.st_gid)
        os.fchmod(handle, stat.S_IMODE(wanted.st_mode))
        synchronize(handle)


def account_of(found: pwd.struct_passwd) -> Account:
    """Convert an entry of the user database."""
    return Account(
        found.pw_name, found.pw_uid, found.pw_gid, found.pw_dir, found.pw_shell, found.pw_gecos
    )


def number_of(name: str | int) -> str | int:
    """Convert a numeric user or group to a number."""
    return int(name) if isinstance(name, str) and name.isdigit() else name


SHELL_LETTERS = frozenset("*?{}[]<>()~&|\\$;'`\"\n#=%")
"""The characters that require a shell to run a line."""
SHELL_WORDS = frozenset(
    [
        "!",
        ".",
        ":",
        "break",
        "case",
        "continue",
        "do",
        "done",
        "elif",
        "else",
        "esac",
        "eval",
        "exec",
        "exit",
        "export",
        "fi",
        "for",
        "if",
        "in",
        "readonly",
        "return",
        "set",
        "shift",
        "then",
        "times",
        "trap",
        "unset",
        "until",
        "while",
    ]
)
"""The words of a shell that are not programs."""


def needs_shell(line: str) -> bool:
    """Return whether a command line needs a shell.

    >>> needs_shell("/bin/echo a b"), needs_shell("/bin/echo a | wc"), needs_shell("exit 3")
    (False, True, True)
    """
    words = line.split(None, 1)
    return bool(words) and (words[0] in SHELL_WORDS or not SHELL_LETTERS.isdisjoint(line))


def search_path() -> str:
    """Return the directories of programs: those of ``PATH``, and of system programs after them.

    Puppet adds the latter for users whose ``PATH`` lacks them (setting ``path``, Puppet 7.23).
    """
    given = os.environ.get("PATH", DEFAULT_PATH)
    folders = given.split(":")
    return ":".join([given, *(folder for folder in SYSTEM_FOLDERS if folder not in folders)])


def environment_of(command: Command) -> dict[str, str]:
    """Return the variables of a command."""
    found = {**os.environ, "PATH": search_path()}
    for name, value in command.environment.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def code_of(program: subprocess.Popen[bytes], timeout: float | None, output: IO[bytes]) -> int:
    """Wait for a program and return its exit code.

    Its process group is killed when it takes too long or prints more than LARGEST_OUTPUT, and
    after an exception.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    try:
        ending = os.pidfd_open(program.pid)
    except ProcessLookupError:
        return program.wait()
    try:
        while not select.select([ending], [], [], POLL)[0]:
            if deadline is not None and time.monotonic() > deadline:
                raise CommandTimeout(f"the command ran longer than {timeout} seconds")
            check_size(output)
        check_size(output)  # a fast program can print more and end between two checks
        return program.wait()
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        raise
    finally:
        os.close(ending)


def check_size(output: IO[bytes]) -> None:
    """Raise OutputTooLarge if a program has printed more than LARGEST_OUTPUT."""
    if os.fstat(output.fileno()).st_size > LARGEST_OUTPUT:
        raise OutputTooLarge(errno.EFBIG, f"The command printed more than {LARGEST_OUTPUT} bytes")


def text_in(file: IO[bytes]) -> str:
    """Return the text written to a file."""
    file.seek(0)
    return file.read().decode("utf-8", "surrogateescape")
