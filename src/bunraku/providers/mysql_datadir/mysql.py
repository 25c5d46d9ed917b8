"""Directories that the server or its script initializes."""

from __future__ import annotations

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_client import daemon_version, find_program
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s

SCRIPTS = "/usr/libexec:/usr/share/mysql/scripts:/usr/local/libexec:/usr/local/bin"
"""Further directories of the server and its scripts."""
LOG = "/var/tmp/mysqld_initialize.log"  # noqa: S108 (the default of the module)


class DataDirectory(Provider):
    """Runs ``mysqld --initialize-insecure``, or ``mysql_install_db`` on MariaDB and old servers."""

    name = "mysql"

    def suitable(self) -> bool:
        """Return whether the machine has the server."""
        return find_program(self, "mysqld", SCRIPTS) is not None

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the directory has tables of the system."""
        tables = f"{resource.name}/mysql"
        return self.host.is_directory(tables) and any(self.host.scan(tables))

    def create(self, resource: ManagedResource) -> None:
        """Initialize the directory."""
        options = list(self.options(resource))
        version = daemon_version(self)
        if version is not None and version.since(mysql="5.7.6"):
            log = resource["log_error"] or LOG
            # The module takes any value but true and false as a request for a password of root.
            secure = resource["insecure"] not in (None, True, False)
            initialize = "--initialize" if secure else "--initialize-insecure"
            self.start("mysqld", *options, f"--log-error={log}", initialize)
        else:
            self.start("mysql_install_db", *options)

    def options(self, resource: ManagedResource) -> list[str]:
        """Return the options of both programs; ResourceFailure if the file of options is missing."""
        extra, base = resource["defaults_extra_file"], resource["basedir"]
        if extra is not None and self.host.status(extra, follow=True) is None:
            raise ResourceFailure(f"Defaults-extra-file {extra} is missing.")
        return [
            *([] if extra is None else [f"--defaults-extra-file={extra}"]),
            *([] if base is None else [f"--basedir={base}"]),
            f"--datadir={resource.name}",
            f"--user={to_s(resource['user'] or 'mysql')}",
        ]

    def start(self, name: str, *options: str) -> None:
        """Run a program; ResourceFailure if it is missing or fails."""
        program = find_program(self, name, SCRIPTS)
        if program is None:
            raise ResourceFailure(f"Command {name} is missing")
        self.execute(program, *options)

    def destroy(self, resource: ManagedResource) -> None:
        """Refuse to remove data."""
        raise ResourceFailure("ERROR: `Resource` can not be removed.")


provider = DataDirectory
