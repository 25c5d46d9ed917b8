"""The settings of r10k 5.0.2 as records (r10k's ``doc/dynamic-environments/configuration.mkd``)."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.lazy_typing import Any
from bunraku.base.records import field, record

CONFIG_FILE = "r10k.yaml"
DEFAULT_PATH = f"/etc/puppetlabs/r10k/{CONFIG_FILE}"
OLD_PATH = f"/etc/{CONFIG_FILE}"


@record(frozen=True)
class RepositorySettings:
    """How to authenticate at one remote. Keys and tokens are paths of files that hold them."""

    remote: str = field(default="", shown=False)
    private_key: str = ""
    oauth_token: str = ""
    github_app_id: str = ""
    github_app_key: str = ""
    github_app_ttl: str = ""
    proxy: str = field(default="", shown=False)


@record(frozen=True)
class GitSettings:
    """The group ``git``. ``default_ref`` is for modules that name no revision; empty: they fail."""

    provider: str = ""
    default_ref: str = ""
    username: str = ""
    private_key: str = ""
    oauth_token: str = ""
    github_app_id: str = ""
    github_app_key: str = ""
    github_app_ttl: str = "120"
    proxy: str = field(default="", shown=False)
    repositories: tuple[RepositorySettings, ...] = ()

    def for_remote(self, remote: str) -> RepositorySettings:
        """Return the settings of a remote; those of the group where it has none of its own."""
        own = next((one for one in self.repositories if one.remote == remote), None)
        return own or RepositorySettings(
            remote,
            self.private_key,
            self.oauth_token,
            self.github_app_id,
            self.github_app_key,
            self.github_app_ttl,
            self.proxy,
        )


@record(frozen=True)
class ForgeSettings:
    """The group ``forge``. The token is sent as it is, with its scheme: ``Bearer …``."""

    baseurl: str = field(default="", shown=False)
    proxy: str = field(default="", shown=False)
    authorization_token: str = field(default="", shown=False)
    allow_puppetfile_override: bool = False


@record(frozen=True)
class DeploySettings:
    """The group ``deploy``. ``write_lock`` is the reason for a lock, which may be empty; None locks nothing."""

    write_lock: str | None = None
    purge_levels: tuple[str, ...] = ("deployment", "puppetfile")
    purge_allowlist: tuple[str, ...] = ()
    generate_types: bool = False
    puppet_path: str = "/opt/puppetlabs/bin/puppet"
    puppet_conf: str = "/etc/puppetlabs/puppet/puppet.conf"
    exclude_spec: bool = True


@record(frozen=True)
class LogOutput:
    """One entry of ``logging.outputs``; an empty ``level`` is that of the run."""

    kind: str
    level: str = ""
    only_at: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


@record(frozen=True)
class LoggingSettings:
    """The group ``logging``."""

    level: str = ""
    outputs: tuple[LogOutput, ...] = ()
    disable_default_stderr: bool = False


@record(frozen=True)
class R10kSettings:
    """All settings of one file, with r10k's defaults.

    ``sources`` are the declarations as written; :mod:`bunraku.deployment.environment_sources` reads
    them, because r10k checks them when it deploys. ``warnings`` are about deprecated settings.
    """

    cachedir: str = ""
    sources: Any = field(default=None, shown=False)
    postrun: tuple[str, ...] = ()
    pool_size: int = 4
    proxy: str = field(default="", shown=False)
    git: GitSettings = field(default_factory=GitSettings)
    forge: ForgeSettings = field(default_factory=ForgeSettings)
    deploy: DeploySettings = field(default_factory=DeploySettings)
    logging: LoggingSettings = field(default_factory=LoggingSettings)
    path: str = ""
    warnings: tuple[str, ...] = ()
