"""Connections to a PostgreSQL server, tried with ``psql``."""

from __future__ import annotations

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.psql_program import is_secret, settings, statement
from bunraku.types.ruby_semantics.values import to_s

OPTIONS = {
    "host": "--host",
    "port": "--port",
    "db_username": "--username",
    "db_name": "--dbname",
}
LOG = "PostgresqlValidator.attempt_connection:"


class Connection(Provider):
    """Runs a query until the server answers."""

    name = "ruby"

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the server answers; it is asked several times."""
        for _ in range(resource["tries"]):
            if self.answers(resource):
                return True
            seconds = resource["sleep"]
            self.run.log("warning", f"{LOG} Sleeping for {seconds} seconds")
            self.host.sleep(seconds)
        return False

    def answers(self, resource: ManagedResource) -> bool:
        """Return whether a query prints something."""
        secret = is_secret(resource, "command")
        wanted = statement(to_s(resource["command"]), secret=secret, option="--command")
        words = [to_s(resource["psql_path"] or ""), "--tuples-only", "--quiet", "--no-psqlrc"]
        for name, option in OPTIONS.items():
            words += [] if resource[name] is None else [option, to_s(resource[name])]
        done = self.attempt(
            (*words, *wanted.options),
            merged=False,
            content=wanted.content,
            user=resource["run_as"],
            environment=self.environment(resource),
        )
        return done.output != ""

    def environment(self, resource: ManagedResource) -> dict[str, str | None]:
        """Return the variables for the connection, with the password."""
        found = settings(resource["connect_settings"])
        if resource["db_password"] is not None:
            found["PGPASSWORD"] = to_s(resource["db_password"])
        self.run.secrets.add(found.get("PGPASSWORD"))
        return found

    def create(self, resource: ManagedResource) -> None:
        """Fail: the server did not answer."""
        place = f"{to_s(resource['host'])}:{to_s(resource['port'])}"
        raise ResourceFailure(f"Unable to connect to PostgreSQL server! ({place})")


provider = Connection
