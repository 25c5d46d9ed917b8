"""Commands as on a system that lacks some modules, functions or packages.

The command runs in a process of its own. The standard library is loaded before anything is hidden: its
own modules are those of this system.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

PACKAGES = ("orjson", "tree_sitter", "tree_sitter_ruby")
"""Packages with compiled code that a new version of Python may lack."""
POSIX_MODULES = (
    "fcntl pwd grp resource termios tty pty syslog posix readline curses crypt nis spwd _posixshmem"
)
POSIX_FUNCTIONS = (
    "chown chroot ctermid fchdir fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg"
    " getpgid getpgrp getresuid getsid getuid initgroups killpg lchown lockf mkfifo"
    " mknod nice openpty pidfd_open pipe2 posix_fadvise posix_fallocate posix_openpt posix_spawn"
    " posix_spawnp pread preadv pwrite pwritev readv register_at_fork sched_getaffinity"
    " sched_yield sendfile setegid seteuid setgid setgroups setpgid setpriority setsid setuid"
    " statvfs fstatvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid"
    " WNOWAIT WEXITED P_PID"
    " getxattr setxattr listxattr removexattr memfd_create copy_file_range fdatasync"
    " O_CLOEXEC O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_NOCTTY O_PATH O_DSYNC O_SYNC O_ASYNC"
)
"""Names of ``os`` that Windows lacks; ``environb`` and ``getppid`` are left to the standard library."""
SIGNALS = (
    "SIGHUP SIGALRM SIGPROF SIGVTALRM SIGKILL SIGUSR1 SIGUSR2 SIGPIPE SIGCHLD SIGQUIT SIGSTOP SIGCONT SIGTSTP"
    " SIG_BLOCK SIG_UNBLOCK SIG_SETMASK ITIMER_REAL ITIMER_PROF ITIMER_VIRTUAL alarm setitimer getitimer"
    " pthread_sigmask pthread_kill sigpending sigwait siginterrupt pause"
)

PROGRAM = """
import json, sys
modules, windows, arguments = json.loads(sys.argv[1])

class Filtered:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in modules else self.finder.find_spec(name, path, target)

if windows is not None:
    import asyncio, concurrent.futures, ctypes, email, encodings.idna, getpass, http.client, inspect
    import logging.handlers, multiprocessing.pool, multiprocessing.resource_tracker, os, platform, select
    import selectors, shutil, signal, socket, sqlite3, ssl, subprocess, tarfile, tempfile, threading, _signal
    import importlib.resources, importlib.metadata, zipfile, webbrowser, pathlib, pydoc, pdb, code, urllib.request
    import multiprocessing.popen_spawn_posix, multiprocessing.context, multiprocessing.spawn
    for name in windows["os"]:
        if hasattr(os, name):
            delattr(os, name)
    os.supports_dir_fd = os.supports_fd = os.supports_follow_symlinks = frozenset()
    for name in windows["signal"]:
        for module in (signal, _signal):
            if hasattr(module, name):
                delattr(module, name)
    for owner, names in ((socket, ["AF_UNIX", "SOCK_CLOEXEC", "SCM_RIGHTS"]), (select, ["poll", "epoll"])):
        for name in names:
            if hasattr(owner, name):
                delattr(owner, name)
    files = {name: getattr(os, name) for name in ("open", "stat", "mkdir", "unlink", "rename", "readlink", "rmdir", "chmod")}
    def without_descriptors(call):
        def called(*args, dir_fd=None, src_dir_fd=None, dst_dir_fd=None, **keywords):
            if (dir_fd, src_dir_fd, dst_dir_fd) != (None, None, None):
                raise NotImplementedError("dir_fd unavailable on this platform")
            return call(*args, **keywords)
        return called
    for name, call in files.items():
        setattr(os, name, without_descriptors(call))
    shutil._use_fd_functions = False
    kill = os.kill
    subprocess.Popen.kill = lambda self: self.poll() is None and kill(self.pid, 9)
    started = subprocess.Popen.__init__
    def start(self, *args, **keywords):
        if keywords.get("pass_fds") or keywords.get("preexec_fn"):
            raise ValueError("not supported on Windows")
        if keywords.get("process_group", -1) not in (-1, None) or keywords.get("start_new_session"):
            raise ValueError("a process group, which Windows ignores")
        started(self, *args, **keywords)
    subprocess.Popen.__init__ = start

if windows is not None:
    import errno, fcntl, types
    def locking(handle, mode, size):
        for kind in (fcntl.LOCK_EX, fcntl.LOCK_SH):  # POSIX locks no bytes of a file that is open for reading
            try:
                return fcntl.lockf(handle, kind | fcntl.LOCK_NB, size, 0, 1)
            except OSError as error:
                if error.errno != errno.EBADF:
                    raise PermissionError(errno.EACCES, "locked") from None
    sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)

for name in list(sys.modules):
    if name.partition(".")[0] in modules:
        del sys.modules[name]
sys.meta_path[:] = map(Filtered, sys.meta_path)

from bunraku.cli.main import main
if not arguments or isinstance(arguments[0], str):
    sys.argv[1:] = arguments
    sys.exit(main(arguments))
import contextlib, io, os
results = []
for words in arguments:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    results.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(results))
"""


def on_windows():
    """Return what Windows lacks, as :func:`command_without` takes it."""
    return {"os": POSIX_FUNCTIONS.split(), "signal": SIGNALS.split()}


def command_without(modules, *arguments, directory: Path, windows=None, **keywords):
    """Run a command where modules cannot be imported; with ``windows``, names of modules are missing, too."""
    return process_without(modules, list(map(str, arguments)), directory, windows, **keywords)


def commands_without(modules, commands, directory: Path, windows=None, **keywords):
    """Run commands in one process; return exit code, standard output and standard error of each."""
    done = process_without(modules, commands, directory, windows, **keywords)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def process_without(modules, arguments, directory, windows, **keywords):
    """Run the program with the arguments of one command, or with those of several."""
    names = modules.split() if isinstance(modules, str) else list(modules)
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([names, windows, arguments])],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **keywords,
    )
