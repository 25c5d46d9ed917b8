"""Privileges of users, as the server prints them with ``SHOW GRANTS``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.mysql_client import MysqlProvider, account
from bunraku.providers.mysql_grant.privileges import (
    ALL,
    GRANT,
    PROXY,
    Grant,
    merged,
    read_grant,
    sql_privileges,
    sql_table,
)
from bunraku.providers.provider import State
from bunraku.world.host import Finished

STATEMENTS = "SELECT CONCAT('SHOW GRANTS FOR ', QUOTE(User), '@', QUOTE(Host), ';') FROM mysql.user"
USERS = "SELECT CONCAT(User, '@', Host) FROM mysql.user"
FLUSH = "FLUSH PRIVILEGES"
"""Lets the server read its tables again, in the same call as a change."""
NO_GRANT = "There is no such grant defined for user"
"""The error for a role, and for a user whose host the server cannot resolve."""
ERROR = re.compile(r"^ERROR.*", re.MULTILINE)


class Grants(MysqlProvider):
    """Reads the grants of all users with two calls of the client."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the grants by user and table."""
        statements = self.ask(self.client(), STATEMENTS, options=["--raw"]).output
        lines = self.shown(statements).output.splitlines()
        grants = filter(None, map(read_grant, lines))
        return {grant.name: self.state_of(grant) for grant in merged(grants, self.server)}

    def shown(self, statements: str) -> Finished:
        """Run the statements that show grants; users without grants are skipped."""
        words = (*self.words(self.client()), "--force", "-NB")
        done = self.attempt(
            words, content=statements.encode("utf-8", "surrogateescape"), merged=False
        )
        others = [line for line in ERROR.findall(done.errors) if NO_GRANT not in line]
        if others or (done.code != 0 and not ERROR.search(done.errors)):
            reason = "; ".join(others) or done.errors.strip()
            raise ResourceFailure(f"#mysql had an error ->  {reason}")
        return done

    def state_of(self, grant: Grant) -> State:
        """Return the state of a resource."""
        return {
            "ensure": "present",
            "privileges": grant.privileges,
            "table": grant.table,
            "user": grant.user,
            "options": grant.options,
        }

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Grant the privileges."""
        privileges, options = resource.accepted("privileges"), resource.accepted("options")
        self.grant(resource["user"], resource["table"], privileges, options)

    def grant(
        self, user: str, table: str, privileges: Sequence[str], options: Sequence[str]
    ) -> None:
        """Grant privileges on a table, or those of another user."""
        target = account(table) if PROXY in privileges else sql_table(table)
        words = f"GRANT {sql_privileges(privileges)} ON {target} TO {account(user)}"
        self.change(words + " WITH GRANT OPTION" * list(options).count(GRANT), FLUSH)

    def revoke(self, user: str, table: str, privileges: Sequence[str]) -> None:
        """Revoke privileges; with all of them also the option to grant, which needs its own statement."""
        target = account(table) if PROXY in privileges else sql_table(table)
        tail = f"ON {target} FROM {account(user)}"
        whole = ALL in privileges and PROXY not in privileges
        option = [f"REVOKE GRANT OPTION {tail}"] if whole else []
        self.change(*option, f"REVOKE {sql_privileges(privileges)} {tail}", FLUSH)

    def destroy(self, resource: ManagedResource) -> None:
        """Revoke all privileges, unless the user is gone."""
        state = self.state(resource)
        if state["user"] in self.rows(USERS):
            proxy = PROXY in state["privileges"]
            self.revoke(state["user"], state["table"], state["privileges"] if proxy else [ALL])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the privileges or the options; the user and the table cannot change."""
        state = self.state(resource)
        if name == "privileges":
            self.set_privileges(state, value)
        elif name == "options":
            self.revoke(state["user"], state["table"], [ALL])
            self.grant(state["user"], state["table"], state["privileges"], value)
        state[name] = value

    def set_privileges(self, state: State, wanted: Sequence[str]) -> None:
        """Revoke the privileges that are not wanted, then grant the others."""
        current = state["privileges"]
        if ALL in current:
            lost, gained = current, wanted
        elif ALL in wanted:
            lost, gained = [], wanted
        else:
            lost = [one for one in current if one not in wanted]
            gained = [one for one in wanted if one not in current]
        if lost:
            self.revoke(state["user"], state["table"], lost)
        if gained:
            self.grant(state["user"], state["table"], gained, state.get("options", ()))


provider = Grants
