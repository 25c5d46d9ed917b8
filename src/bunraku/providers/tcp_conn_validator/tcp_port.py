"""The provider of ``tcp_conn_validator``: it connects until a server answers."""

from __future__ import annotations

import errno
from typing import Any
from urllib.parse import urlsplit

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s

Value = Any
LONGEST_CONNECT = 120.0
"""The seconds that a connection may take, without the setting ``http_connect_timeout``."""
HTTP = 80


class TcpPort(Provider):
    """Connects to a port; the name is that of Puppet's provider."""

    name = "tcp_port"

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether a connection is possible within the time limit."""
        address, port = self.target(resource)
        begin, pause = self.host.monotonic(), resource["try_sleep"]
        while not (success := self.connects(address, port)):
            if self.host.monotonic() - begin >= resource["timeout"]:
                break
            text = f"Failed to connect to the host; sleeping {pause} seconds before retry"
            self.run.log("debug", text)
            self.host.sleep(pause)
        if not success:
            text = f"within timeout window of {resource['timeout']} seconds; giving up."
            self.run.log("notice", f"Failed to connect to the host {text}")
        return success

    def connects(self, address: str, port: int) -> bool:
        """Return whether a server accepts a connection; OSError if that cannot be tried."""
        limit = self.run.web.network.connecting
        try:
            self.host.connect(address, port, LONGEST_CONNECT if limit is None else limit)
        except TimeoutError:
            return False
        except OSError as error:
            if error.errno not in (errno.ECONNREFUSED, errno.EHOSTUNREACH):
                raise
            self.run.log(
                "debug", f"Unable to connect to tcp host ({address}:{port}): {error.strerror}"
            )
            return False
        return True

    def target(self, resource: ManagedResource) -> tuple[str, int]:
        """Return address and port: those of the name of the resource if it is a host."""
        try:
            parts = urlsplit(f"http://{resource.name}")
            if parts.hostname is None:
                raise ValueError(resource.name)
            return self.host.address(parts.hostname), parts.port or HTTP
        except (OSError, ValueError):
            port = to_s(resource["port"]) if resource["port"] is not None else "0"
            if not port.isdecimal():
                raise ResourceFailure(f"getaddrinfo: {port} is not a port") from None
            return self.host.address(to_s(resource["host"])), int(port)

    def create(self, resource: ManagedResource) -> None:
        """Raise ResourceFailure: the server does not accept connections."""
        address, port = self.target(resource)
        raise ResourceFailure(f"Unable to connect to the  host. ({address}:{port})")


provider = TcpPort
