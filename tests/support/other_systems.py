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
    " getpgid getpgrp getresuid getsid getuid initgroups killpg lchown lockf major makedev minor mkfifo"
    " mknod nice openpty pidfd_open pipe2 posix_fadvise posix_fallocate posix_openpt posix_spawn"
    " posix_spawnp pread preadv pwrite pwritev readv register_at_fork sched_getaffinity"
    " sched_yield sendfile setegid seteuid setgid setgroups setpgid setpriority setsid setuid"
    " statvfs fstatvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid"
    " WNOHANG WNOWAIT WEXITED WIFEXITED WEXITSTATUS WTERMSIG WIFSIGNALED WIFSTOPPED WSTOPSIG P_PID"
    " getxattr setxattr listxattr removexattr memfd_create copy_file_range fdatasync"
    " O_CLOEXEC O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_NOCTTY O_PATH O_DSYNC O_SYNC O_TMPFILE O_ASYNC"
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
    started = subprocess.Popen.__init__
    def start(self, *args, **keywords):
        if keywords.get("pass_fds") or keywords.get("preexec_fn"):
            raise ValueError("not supported on Windows")
        if keywords.get("process_group", -1) not in (-1, None) or keywords.get("start_new_session"):
            raise ValueError("a process group, which Windows ignores")
        started(self, *args, **keywords)
    subprocess.Popen.__init__ = start

for name in list(sys.modules):
    if name.partition(".")[0] in modules:
        del sys.modules[name]
sys.meta_path[:] = map(Filtered, sys.meta_path)

from bunraku.cli.main import main
sys.argv[1:] = arguments
sys.exit(main(arguments))
"""


def on_windows():
    """Return what Windows lacks, as :func:`command_without` takes it."""
    return {"os": POSIX_FUNCTIONS.split(), "signal": SIGNALS.split()}


def command_without(modules, *arguments, directory: Path, windows=None, **keywords):
    """Run a command where modules cannot be imported; with ``windows``, names of modules are missing, too."""
    names = modules.split() if isinstance(modules, str) else list(modules)
    wanted = json.dumps([names, windows, list(map(str, arguments))])
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, wanted],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **keywords,
    )
