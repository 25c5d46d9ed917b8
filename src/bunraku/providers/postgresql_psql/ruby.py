"""Statements of SQL that ``psql`` runs."""

from __future__ import annotations

import re

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.psql_program import is_secret, settings, statement
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.world.host import Finished

SETTING = re.compile(r"^(\w+)=((?:.|\n)+)$", re.MULTILINE)
COUNT = "SELECT COUNT(*) FROM ({}) count"
HIDDEN_SETTING = "NEWPGPASSWD"
SECRET_SETTINGS = ("PGPASSWORD", HIDDEN_SETTING)


class Psql(Provider):
    """Runs ``psql`` as the user of the database."""

    name = "ruby"

    def count(self, resource: ManagedResource, sql: str, name: str) -> Finished:
        """Run the query of a condition; the output is the number of rows."""
        return self.run_sql(resource, COUNT.format(sql), name)

    def run_sql(self, resource: ManagedResource, sql: str, name: str) -> Finished:
        """Run SQL, the value of an attribute; return the output of psql and its exit code."""
        path = resource["search_path"]
        if path is not None:
            names = path if isinstance(path, list) else [path]
            sql = f"set search_path to {','.join(map(to_s, names))}; {sql}"
        secret = resource.is_true("sensitive") or is_secret(resource, name)
        wanted = statement(sql, secret=secret)
        words = [to_s(resource["psql_path"])]
        for option, value in (("-d", resource["db"]), ("-p", resource["port"])):
            words += [] if value is None else [option, to_s(value)]
        done = self.attempt(
            (*words, "-t", "-X", *wanted.options),
            content=wanted.content,
            directory=resource["cwd"],
            user=resource["psql_user"],
            group=resource["psql_group"],
            environment=self.environment(resource),
        )
        return wanted.result(done)

    def environment(self, resource: ManagedResource) -> dict[str, str | None]:
        """Return the variables of ``connect_settings`` and ``environment``."""
        found = settings(resource["connect_settings"])
        given = resource["environment"]
        for setting in given if isinstance(given, list) else [] if given is None else [given]:
            match = SETTING.search(setting)
            if match is None:
                text = f"Cannot understand environment setting {inspect(setting)}"
                resource.log("warning", text)
                continue
            name, value = match.groups()
            if name in found:
                shown = "****" if name == HIDDEN_SETTING else value
                text = f"Overriding environment setting '{name}' with '{shown}'"
                resource.log("warning", text)
            found[name] = value
        for name in SECRET_SETTINGS:
            self.run.secrets.add(found.get(name))
        return found


provider = Psql
