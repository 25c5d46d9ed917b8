"""A private PostgreSQL for the tests: from Debian's binaries, in a temporary folder, without a port.

All workers of one test run share the server: the first starts it, the last stops it.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

WITH_PASSWORDS = "with_passwords"
"""The group of users who need a password; all others need none."""
USER = "bunraku"
SECONDS = 60
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "60",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "deadlock_timeout": "50ms",
}


def programs() -> Path | None:
    """Return the folder of the newest server that is installed; None if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=version)
    return found[-1].parent if found else None


def version(initdb: Path) -> int:
    """Return the version of a server by its folder."""
    name = initdb.parts[-3]
    return int(name) if name.isdigit() else 0


def reason_to_skip() -> str | None:
    """Return why there is no server on this machine; None if there is one."""
    if programs() is None:
        return "PostgreSQL is not installed (Debian: apt install postgresql)"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed (pip install 'bunraku[postgresql]')"
    return None


def owner() -> str | None:
    """Return the user that the server runs as: not root, which it refuses; None for this user."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Server:
    """A server in a folder, which the processes that use it share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.users = folder / "users"
        self.owner = owner()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the other processes of this test run out."""
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def enter(self) -> None:
        """Begin to use the server; start it if no other process has."""
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o755)
        with self.locked():
            self.users.mkdir(exist_ok=True)
            if not self.pid():
                self.start()
            (self.users / str(os.getpid())).touch()

    def leave(self) -> None:
        """End the use of the server; stop it if no other process uses it."""
        with self.locked():
            (self.users / str(os.getpid())).unlink(missing_ok=True)
            alive = [one for one in self.users.iterdir() if Path("/proc", one.name).exists()]
            if not alive:
                self.stop()
        if not alive:
            shutil.rmtree(self.folder, ignore_errors=True)

    def pid(self) -> int | None:
        """Return the number of the server's process; None if it does not run."""
        try:
            number = int((self.data / "postmaster.pid").read_text().split("\n")[0])
        except FileNotFoundError:
            return None
        return number if Path("/proc", str(number)).exists() else None

    def run(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a program of PostgreSQL as the owner."""
        folder = programs()
        assert folder is not None
        with (self.folder / f"{program}.log").open("ab") as log:
            return subprocess.Popen(
                [str(folder / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self.owner,
                group=None if self.owner is None else pwd.getpwnam(self.owner).pw_gid,
                extra_groups=None if self.owner is None else [],
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
                cwd=self.folder,
                start_new_session=True,
            )

    def start(self) -> None:
        """Make the server's files if they are missing, and start it."""
        if not self.data.exists():
            self.data.mkdir()
            if self.owner is not None:
                shutil.chown(self.data, self.owner)
            options = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C"]
            process = self.run("initdb", *options, f"--username={USER}", str(self.data))
            assert process.wait(SECONDS) == 0, (self.folder / "initdb.log").read_text()
            settings = {**SETTINGS, "unix_socket_directories": str(self.data)}
            with (self.data / "postgresql.conf").open("a") as file:
                file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
            access = self.data / "pg_hba.conf"
            access.write_text(f"local all +{WITH_PASSWORDS} scram-sha-256\n{access.read_text()}")
        process = self.run("pg_ctl", "start", "--wait", "-D", str(self.data))
        assert process.wait(SECONDS) == 0, (self.folder / "pg_ctl.log").read_text()

    def stop(self) -> None:
        """Stop the server at once, and wait until it is gone."""
        number = self.pid()
        if number is None:
            return
        os.kill(number, signal.SIGQUIT)
        end = time.monotonic() + SECONDS
        while (self.data / "postmaster.pid").exists() and time.monotonic() < end:
            time.sleep(0.02)

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql:///{name}?host={self.data}&user={USER}"

    def create(self, name: str) -> str:
        """Create a schema, which is made faster than a database, and return a URL that uses it."""
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def create_database(self, name: str, password: str | None = None) -> str:
        """Create a database for a test that copies all of one, and return its URL.

        With a password it belongs to a user of its name, who cannot connect without it; the URL
        does not have it.
        """
        import psycopg
        from psycopg.sql import SQL, Identifier, Literal

        user, owner, group = Identifier(name), Identifier(USER), Identifier(WITH_PASSWORDS)
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            if password is not None:
                known = connection.execute(
                    "SELECT FROM pg_roles WHERE rolname = %s", [WITH_PASSWORDS]
                )
                if known.fetchone() is None:
                    connection.execute(SQL("CREATE ROLE {}").format(group))
                create = SQL("CREATE ROLE {} LOGIN PASSWORD {} IN ROLE {}")
                connection.execute(create.format(user, Literal(password), group))
                owner = user
            connection.execute(SQL("CREATE DATABASE {} OWNER {}").format(user, owner))
        url = self.url(name)
        return url if password is None else url.replace(f"user={USER}", f"user={name}")


@contextmanager
def running_server() -> Iterator[Server]:
    """Return the server of this test run; skip the test if there is none on this machine."""
    reason = reason_to_skip()
    if reason is not None:
        pytest.skip(reason)
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"process-{os.getpid()}")
    server = Server(Path(tempfile.gettempdir()) / f"bunraku-postgresql-{run}")
    server.enter()
    try:
        yield server
    finally:
        server.leave()
