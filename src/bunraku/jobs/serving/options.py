"""How a site and a database are served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from bunraku.base.records import record
from bunraku.limits.limits import DEFAULT_BYTES, DEFAULT_SECONDS

COMMAND = "server"
"""The command that messages about a site name."""
Address = tuple[str, int]
"""Host and port."""
ClientAuth = Literal["need", "want", "none"]


@record()
class ServerOptions:
    """How a site is served.

    ``settings`` are those of the options. ``timeout`` is in seconds, ``memory`` in bytes. ``puppetdb`` is
    a URL or a database, ``none`` for no PuppetDB. ``fronts`` is the number of processes that accept connections. ``deploy_config`` is the file that allows deployments.
    """

    settings: Mapping[str, Any]
    listen: tuple[str, int] | None = None
    listen_plain: tuple[str, int] | None = None
    allow_remote_http: bool = False
    access_log: str | None = None
    pid_file: str | None = None
    auth_conf: str | None = None
    no_ca: bool = False
    puppetdb: str | None = None
    code_id_command: str | None = None
    code_content_command: str | None = None
    deploy_config: str | None = None
    timeout: float = DEFAULT_SECONDS
    memory: int = DEFAULT_BYTES
    soft_write_failure: bool = False
    reuse_catalogs: bool = True
    verify_catalogs: int = 0
    background_compiles: bool = True
    max_active_instances: int | None = None
    max_requests_per_instance: int = 0
    max_connections: int = 0
    fronts: int = 1
    debug: bool = False


@record()
class DatabaseOptions:
    """A database, and how it is served. Times are in milliseconds, time limits in seconds.

    ``listen`` is the address without TLS, None for none; ``ssl_listen`` that with TLS. ``file`` is the
    archive of an export or an import, ``nodes`` the size of a demonstration.
    """

    database: str
    action: str = "serve"
    file: str = ""
    nodes: int = 50
    queue: str | None = None
    listen: Address | None = None
    ssl_listen: Address | None = None
    allow_remote_http: bool = False
    ssl_cert: str = ""
    ssl_key: str = ""
    ssl_ca_cert: str | None = None
    ssl_crl_path: str | None = None
    client_auth: ClientAuth = "need"
    certificate_allowlist: str | None = None
    access_log: str | None = None
    pid_file: str | None = None
    node_ttl: int = 0
    node_purge_ttl: int = 0
    report_ttl: int = 0
    resource_events_ttl: int | None = None
    gc_interval: int = 0
    max_command_size: int = 0
    query_timeout_default: float = 0.0
    query_timeout_max: float = 0.0
    facts_blocklist: str = ""
    facts_blocklist_type: str = "literal"
    debug: bool = False
