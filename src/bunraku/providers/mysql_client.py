"""What the types of MySQL and MariaDB share: the client program, the server's version, names in SQL.

Statements go to the client's standard input, so that no hash of a password is in a list of processes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from bunraku.base.records import record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.mysql_session import MysqlSession, is_plain
from bunraku.providers.provider import ENGLISH, WITHOUT_USER, Provider, shown_words
from bunraku.world.host import Command, Finished

MORE_PROGRAMS = "/usr/libexec:/usr/local/libexec:/usr/local/bin"
"""Directories that are searched after those of PATH."""
SYSTEM = "--database=mysql"
"""The option for the database with the tables of the server."""
VERSION = re.compile(r"\d+\.\d+\.\d+")
LINE = re.compile(r"at line (\d+)")
QUOTED_NAME = re.compile(r"(['`\"]).*\1@")


def numbers(version: str) -> tuple[int, ...]:
    """Return the parts of a version.

    >>> numbers("10.1.21") > numbers("10.1.3")
    True
    """
    return tuple(map(int, version.split(".")))


@record(frozen=True)
class ServerVersion:
    """The kind of a server, ``mysql``, ``mariadb`` or ``percona``, and its version."""

    kind: str
    version: tuple[int, ...]

    @staticmethod
    def of(text: str) -> ServerVersion | None:
        """Read the output of ``mysqld -V``; None if it has no version."""
        match = VERSION.search(text)
        if match is None:
            return None
        is_mariadb, is_percona = "mariadb" in text.lower(), re.search(r"(?i)\s\(percona", text)
        kind = "mariadb" if is_mariadb else "percona" if is_percona else "mysql"
        return ServerVersion(kind, numbers(match[0]))

    def since(self, *, mysql: str | None = None, mariadb: str | None = None) -> bool:
        """Return whether the server has at least a version; None for never. Percona counts as MySQL."""
        first = mariadb if self.kind == "mariadb" else mysql
        return first is not None and self.version >= numbers(first)

    @property
    def has_alter_user(self) -> bool:
        """Whether ``ALTER USER`` changes limits and authentication."""
        return self.since(mysql="5.7.6", mariadb="10.2.0")


def find_program(provider: Provider, name: str, more: str = MORE_PROGRAMS) -> str | None:
    """Return the path of a program, which may be outside of PATH."""
    return provider.host.find_program(name) or provider.host.find_program(name, more)


def daemon_version(provider: Provider) -> ServerVersion | None:
    """Return the version in the fact ``mysqld_version``, or of the installed server; None without."""
    text = provider.run.facts().get("mysqld_version")
    if isinstance(text, str) and text:
        return ServerVersion.of(text)
    for name in ("mysqld", "mariadbd"):
        program = find_program(provider, name)
        if program is not None:
            return ServerVersion.of(provider.attempt((program, "--no-defaults", "-V")).output)
    return None


class MysqlProvider(Provider):
    """Runs statements with the client, as the user of root's ``.mylogin.cnf`` or ``.my.cnf``."""

    name = "mysql"
    is_independent = True

    def suitable(self) -> bool:
        """Return whether the machine has the client."""
        return find_program(self, "mysql") is not None

    @property
    def server(self) -> ServerVersion:
        """The version of the server, which may be on another machine."""
        key = (ServerVersion, "")
        if key not in self.run.shared:
            self.run.shared[key] = daemon_version(self) or self.answered_version()
        found: ServerVersion = self.run.shared[key]
        return found

    def answered_version(self) -> ServerVersion:
        """Ask the server for its version."""
        rows = self.ask("mysql", "SELECT CONCAT(VERSION(), ' (', @@version_comment, ')')")
        version = ServerVersion.of(rows.output)
        if version is None:
            raise ResourceFailure(f"the server has no version: {rows.output.strip()}")
        return version

    # -- statements ------------------------------------------------------------------------------

    def client(self) -> str:
        """Return the name of the client."""
        return "mariadb" if self.server.since(mariadb="11.0.0") else "mysql"

    def login_options(self) -> list[str]:
        """Return the options that name the file with root's password."""
        root = self.host.user("root")
        home = root.home if root is not None else "/root"
        if self.host.is_file(f"{home}/.mylogin.cnf"):
            self.variables["MYSQL_TEST_LOGIN_FILE"] = f"{home}/.mylogin.cnf"
            return []
        return (
            [f"--defaults-extra-file={home}/.my.cnf"]
            if self.host.is_file(f"{home}/.my.cnf")
            else []
        )

    def words(self, client: str, *options: str) -> tuple[str, ...]:
        """Return the client with options; ResourceFailure if it is missing."""
        program = find_program(self, client)
        if program is None:
            raise ResourceFailure(f"Command {client} is missing")
        return (program, *self.login_options(), *options)

    def ask(self, client: str, *statements: str, options: Sequence[str] = ()) -> Finished:
        """Run statements one after the other; raise ResourceFailure for the first that fails."""
        words = self.words(client, *options)
        content = "".join(f"{one};\n" for one in statements).encode("utf-8", "surrogateescape")
        done = self.attempt((*words, "-NB"), content=content, merged=False)
        if done.code != 0:
            raise ResourceFailure(failed_statement(" ".join(words), statements, done))
        return done

    def rows(self, *statements: str) -> list[str]:
        """Return the lines that statements print."""
        return self.ask(self.client(), *statements).output.splitlines()

    def change(self, *statements: str) -> None:
        """Run statements in the database of the system, with one client for successive resources.

        A statement with its own ends or comments gets a client of its own.
        """
        if all(map(is_plain, statements)):
            for one in statements:
                self.change_in_session(one)
        else:
            self.ask(self.client(), *statements, options=[SYSTEM])

    def change_in_session(self, statement: str) -> None:
        """Run a statement in the session; raise ResourceFailure if it fails."""
        words = self.words(self.client(), SYSTEM)
        session = self.session((*words, "--force", "--unbuffered", "-NB"))
        done = session.run(statement)
        if session.concerns(statement):
            session.close()
        if done.code != 0:
            raise ResourceFailure(failed_statement(" ".join(words), [statement], done))

    def session(self, words: tuple[str, ...]) -> MysqlSession:
        """Return the session of the run, which ends before the next resource of another kind."""
        key = (MysqlSession, "")
        if key not in self.run.shared:
            variables = {**WITHOUT_USER, **ENGLISH, **self.variables}
            command = Command(words, environment=variables, merged=True)
            self.run.log("debug", f"Executing: '{shown_words(words)}'")
            self.run.shared[key] = MysqlSession(self.host, command)
            self.run.postponed["mysql"] = self.end_session
        found: MysqlSession = self.run.shared[key]
        return found

    def end_session(self) -> None:
        """End the session."""
        self.run.shared.pop((MysqlSession, "")).close()


def failed_statement(command: str, statements: Sequence[str], done: Finished) -> str:
    """Return the message of a failed statement, as if it had been the only one."""
    text = f"{done.output}{done.errors}".strip()
    starts = list(accumulate((one.count("\n") + 1 for one in statements), initial=1))
    match = LINE.search(text)
    line = int(match[1]) if match is not None else 1
    index = max(number for number, start in enumerate(starts[:-1]) if start <= line)
    text = LINE.sub(f"at line {line - starts[index] + 1}", text, count=1)
    return f"Execution of '{command} -e {statements[index]}' returned {done.code}: {text}"


# -- names -----------------------------------------------------------------------------------------


def text_literal(text: str) -> str:
    """Return a text as a literal of SQL.

    >>> text_literal("o'brien")
    "'o''brien'"
    """
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def account(name: str) -> str:
    """Return the name of a user in SQL; a name that has quotes itself is passed on as it is.

    >>> account("a@b@localhost"), account("o'brien@%")
    ("'a@b'@'localhost'", "'o''brien'@'%'")
    """
    user, at, machine = name.rpartition("@")
    if QUOTED_NAME.match(name):
        return f"'{user}'@'{machine}'"
    return f"{text_literal(user)}@{text_literal(machine)}" if at else text_literal(name)


def quoted_identifier(name: str) -> str:
    """Return the name of a database in SQL.

    >>> quoted_identifier("a`b")
    '`a``b`'
    """
    return "`" + name.replace("`", "``") + "`"
