"""Puppet's settings: their defaults in Puppet 8, and the values of ``$settings::x``.

A default may refer to other settings (``$vardir/state``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from bunraku.base import system
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.modules import issues
from bunraku.modules.ini import read_sections
from bunraku.world.protocol import World

ENVIRONMENT_PATHS = (
    "/etc/puppetlabs/code/environments",
    "/etc/puppetlabs/puppet/environments",
    "/etc/puppet/code/environments",
    "/etc/puppet/environments",
)
"""The directories of the environments on servers: of Puppet since version 4, of PE 3, of Debian, of Puppet 3."""

# The order is that of $settings::all_local.
DEFAULTS: dict[str, Any] = {
    "confdir": "/etc/puppetlabs/puppet",
    "codedir": "/etc/puppetlabs/code",
    "vardir": "/opt/puppetlabs/puppet/cache",
    "logdir": "/var/log/puppetlabs/puppet",
    "log_level": "notice",
    "disable_warnings": [],
    "merge_dependency_warnings": False,
    "strict": "error",
    "disable_i18n": True,
    "priority": None,
    "trace": False,
    "puppet_trace": False,
    "profile": False,
    "versioned_environment_dirs": False,
    "static_catalogs": True,
    "settings_catalog": True,
    "strict_environment_mode": False,
    "autoflush": True,
    "syslogfacility": "daemon",
    "statedir": "$vardir/state",
    "rundir": "/var/run/puppetlabs",
    "genconfig": False,
    "genmanifest": False,
    "color": "ansi",
    "mkusers": False,
    "manage_internal_file_permissions": True,
    "onetime": False,
    "path": "none",
    "libdir": "$vardir/lib",
    "environment": "production",
    "environmentpath": "$codedir/environments",
    "report_configured_environmentpath": True,
    "use_last_environment": True,
    "always_retry_plugins": True,
    "diff_args": "-u",
    "diff": "diff",
    "show_diff": False,
    "daemonize": True,
    "maximum_uid": 4294967290,
    "route_file": "$confdir/routes.yaml",
    "node_terminus": "plain",
    "node_cache_terminus": None,
    "data_binding_terminus": "hiera",
    "hiera_config": "$confdir/hiera.yaml",
    "binder_config": None,
    "catalog_terminus": "compiler",
    "catalog_cache_terminus": None,
    "facts_terminus": "facter",
    "trusted_external_command": None,
    "default_file_terminus": "rest",
    "http_proxy_host": "none",
    "http_proxy_port": 3128,
    "http_proxy_user": "none",
    "http_proxy_password": "none",
    "no_proxy": "localhost, 127.0.0.1",
    "http_keepalive_timeout": 4,
    "http_debug": False,
    "http_connect_timeout": 120,
    "http_read_timeout": 600,
    "http_user_agent": "bunraku",
    "filetimeout": 15,
    "environment_timeout": 0,
    "environment_data_provider": None,
    "prerun_command": "",
    "postrun_command": "",
    "freeze_main": False,
    "preview_outputdir": "$vardir/preview",
    "location_trusted": False,
    "module_repository": "https://forgeapi.puppet.com",
    "module_working_dir": "$vardir/puppet-module",
    "forge_authorization": None,
    "module_groups": None,
    "certname": "",
    "dns_alt_names": "",
    "csr_attributes": "$confdir/csr_attributes.yaml",
    "certdir": "$ssldir/certs",
    "ssldir": "$confdir/ssl",
    "ssl_lockfile": "$ssldir/ssl.lock",
    "publickeydir": "$ssldir/public_keys",
    "requestdir": "$ssldir/certificate_requests",
    "privatekeydir": "$ssldir/private_keys",
    "privatedir": "$ssldir/private",
    "passfile": "$privatedir/password",
    "hostcsr": "$requestdir/$certname.pem",
    "hostcert": "$certdir/$certname.pem",
    "hostprivkey": "$privatekeydir/$certname.pem",
    "hostpubkey": "$publickeydir/$certname.pem",
    "localcacert": "$certdir/ca.pem",
    "ca_fingerprint": None,
    "ssl_trust_store": None,
    "hostcrl": "$ssldir/crl.pem",
    "certificate_revocation": "chain",
    "ciphers": "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA256:DHE-RSA-AES256-SHA256:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA256:AES256-SHA256",
    "key_type": "rsa",
    "named_curve": "prime256v1",
    "digest_algorithm": "sha256",
    "supported_checksum_types": ["sha256", "sha384", "sha512", "sha224", "md5"],
    "logdest": None,
    "ca_name": "Puppet CA: $certname",
    "cadir": "/etc/puppetlabs/puppetserver/ca",
    "cacert": "$cadir/ca_crt.pem",
    "cakey": "$cadir/ca_key.pem",
    "capub": "$cadir/ca_pub.pem",
    "cacrl": "$cadir/ca_crl.pem",
    "csrdir": "$cadir/requests",
    "signeddir": "$cadir/signed",
    "serial": "$cadir/serial",
    "autosign": "$confdir/autosign.conf",
    "allow_duplicate_certs": False,
    "ca_ttl": 157680000,
    "ca_refresh_interval": 86400,
    "crl_refresh_interval": 86400,
    "hostcert_renewal_interval": 2592000,
    "keylength": 4096,
    "cert_inventory": "$cadir/inventory.txt",
    "config_file_name": "puppet.conf",
    "config": "$confdir/${config_file_name}",
    "pidfile": "$rundir/${run_mode}.pid",
    "sourceaddress": None,
    "manifest": "",
    "modulepath": "",
    "config_version": "",
    "user": "puppet",
    "group": "puppet",
    "default_manifest": "./manifests",
    "disable_per_environment_manifest": False,
    "masterport": 8140,
    "serverport": 8140,
    "bucketdir": "$vardir/bucket",
    "trusted_oid_mapping_file": "$confdir/custom_trusted_oid_mapping.yaml",
    "basemodulepath": "$codedir/modules:/opt/puppetlabs/puppet/modules",
    "vendormoduledir": "/opt/puppetlabs/puppet/vendor_modules",
    "ssl_client_header": "HTTP_X_CLIENT_DN",
    "ssl_client_verify_header": "HTTP_X_CLIENT_VERIFY",
    "yamldir": "$vardir/yaml",
    "server_datadir": "$vardir/server_data",
    "reports": "store",
    "exclude_unchanged_resources": True,
    "reportdir": "$vardir/reports",
    "reporturl": "http://localhost:3000/reports/upload",
    "fileserverconfig": "$confdir/fileserver.conf",
    "devicedir": "$vardir/devices",
    "deviceconfig": "$confdir/device.conf",
    "node_name_value": "$certname",
    "node_name_fact": "",
    "statefile": "$statedir/state.yaml",
    "statettl": 2764800,
    "transactionstorefile": "$statedir/transactionstore.yaml",
    "clientyamldir": "$vardir/client_yaml",
    "client_datadir": "$vardir/client_data",
    "write_catalog_summary": True,
    "classfile": "$statedir/classes.txt",
    "resourcefile": "$statedir/resources.txt",
    "puppetdlog": "$logdir/puppetd.log",
    "deviceconfdir": "$confdir/devices",
    "server": "puppet",
    "server_list": [],
    "use_srv_records": False,
    "srv_domain": None,
    "http_extra_headers": [],
    "ignoreschedules": False,
    "default_schedules": True,
    "noop": False,
    "runinterval": 1800,
    "runtimeout": 3600,
    "ca_server": "$server",
    "ca_port": "$serverport",
    "preferred_serialization_format": "json",
    "allow_pson_serialization": False,
    "agent_catalog_run_lockfile": "$statedir/agent_catalog_run.lock",
    "agent_disabled_lockfile": "$statedir/agent_disabled.lock",
    "usecacheonfailure": True,
    "include_legacy_facts": False,
    "fact_name_length_soft_limit": 2560,
    "fact_value_length_soft_limit": 4096,
    "top_level_facts_soft_limit": 512,
    "number_of_facts_soft_limit": 2048,
    "payload_soft_limit": 16777216,
    "use_cached_catalog": False,
    "ignoremissingtypes": False,
    "splaylimit": "$runinterval",
    "splay": False,
    "clientbucketdir": "$vardir/clientbucket",
    "report_server": "$server",
    "report_port": "$serverport",
    "report": True,
    "report_include_system_store": False,
    "resubmit_facts": False,
    "publicdir": "/opt/puppetlabs/puppet/public",
    "lastrunfile": "$publicdir/last_run_summary.yaml",
    "lastrunreport": "$statedir/last_run_report.yaml",
    "graph": False,
    "graphdir": "$statedir/graphs",
    "waitforcert": 120,
    "maxwaitforcert": float("inf"),
    "waitforlock": 0,
    "maxwaitforlock": 60,
    "plugindest": "$libdir",
    "pluginsource": "puppet:///plugins",
    "pluginfactdest": "$vardir/facts.d",
    "pluginfactsource": "puppet:///pluginfacts",
    "localedest": "$vardir/locales",
    "localesource": "puppet:///locales",
    "pluginsignore": ".svn CVS .git .hg",
    "ignore_plugin_errors": False,
    "factpath": "$vardir/lib/facter:$vardir/facts",
    "tags": "",
    "skip_tags": "",
    "evaltrace": False,
    "preprocess_deferred": False,
    "summarize": False,
    "external_nodes": "none",
    "ldapssl": False,
    "ldaptls": False,
    "ldapserver": "ldap",
    "ldapport": 389,
    "ldapstring": "(&(objectclass=puppetClient)(cn=%s))",
    "ldapclassattrs": "puppetclass",
    "ldapstackedattrs": "puppetvar",
    "ldapattrs": "all",
    "ldapparentattr": "parentnode",
    "ldapuser": "",
    "ldappassword": "",
    "ldapbase": "",
    "storeconfigs": False,
    "storeconfigs_backend": "puppetdb",
    "max_errors": 10,
    "max_warnings": 10,
    "max_deprecations": 10,
    "strict_variables": True,
    "tasks": False,
    "document_all": False,
    "rich_data": True,
}
USER_DIRECTORIES: Mapping[str, str] = {
    "confdir": "~/.puppetlabs/etc/puppet",
    "codedir": "~/.puppetlabs/etc/code",
    "vardir": "~/.puppetlabs/opt/puppet/cache",
    "publicdir": "~/.puppetlabs/opt/puppet/public",
    "rundir": "~/.puppetlabs/var/run",
    "logdir": "~/.puppetlabs/var/log",
}
"""The directories of a user other than root (Puppet 8, configuration directories)."""
REFERENCE = lazy_pattern(r"\$(?:\{(\w+)\}|(\w+))")
ALIASES = {"master": "server"}


def own_directories(home: str) -> dict[str, str]:
    """Return Puppet's directories of a user other than root.

    >>> own_directories("/home/a")["confdir"]
    '/home/a/.puppetlabs/etc/puppet'
    """
    return {name: path.replace("~", home, 1) for name, path in USER_DIRECTORIES.items()}


def resolve(
    given: Mapping[str, Any], certname: str = "", defaults: Mapping[str, Any] = DEFAULTS
) -> dict[str, Any]:
    """Return all settings: those given, the defaults of the rest, references to others filled in.

    >>> resolve({"vardir": "/v"})["statedir"]
    '/v/state'
    """
    values = unresolved(given, certname, defaults)
    return {name: fill(values, name, value) for name, value in values.items()}


def user_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings of this process's user: the directories of other users than root are their own.

    >>> user_settings({"vardir": "/v"})["statedir"]
    '/v/state'
    """
    is_root = system.HAS_OWNERS and system.user() == 0
    own = {} if is_root else own_directories(os.path.expanduser("~"))
    return resolve({**own, **given})


def resolve_one(
    name: str, given: Mapping[str, Any], certname: str, defaults: Mapping[str, Any] = DEFAULTS
) -> Any:
    """Return one setting, as :func:`resolve` does.

    >>> resolve_one("statedir", {"vardir": "/v"}, "web1")
    '/v/state'
    """
    values = unresolved(given, certname, defaults)
    return fill(values, name, values[name])


def unresolved(
    given: Mapping[str, Any], certname: str, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Return all settings with references to others as they are written."""
    values = {**defaults, **given}
    if not values["certname"]:
        values["certname"] = certname
    return values


def fill(values: Mapping[str, Any], name: str, value: Any, seen: tuple[str, ...] = ()) -> Any:
    """Return a setting's value with the settings that it names in the place of their names."""
    if value.__class__ is not str or "$" not in value:
        return value
    if name in seen:
        raise issues.ILLEGAL_SETTING_REFERENCE(name=name)

    def replace(found: re.Match[str]) -> str:
        other = found[1] or found[2]
        if other == "run_mode":
            return "server"
        if other not in values:
            return found[0]
        inner = fill(values, other, values[other], (*seen, name))
        return "" if inner is None else str(inner)

    # Text of manifests and commands is not a template.
    return value if name == "code" else REFERENCE.sub(replace, value)


def convert(name: str, text: str) -> Any:
    """Return a setting's text (from a file or the command line) as the kind of value it has.

    >>> convert("strict_variables", "false"), convert("serverport", "8141")
    (False, 8141)
    """
    default = DEFAULTS.get(name)
    if default.__class__ is bool:
        return {"true": True, "false": False}.get(text.strip().lower(), text)
    if default.__class__ is int:
        return duration(text)
    if default.__class__ is list:
        return [item for item in re.split(r"\s*,\s*", text.strip()) if item]
    return text


def wrong_value(name: str, value: Any) -> str | None:
    """Return what the value of a setting must be, if it is of another kind; None for a right one.

    A text that refers to other settings is not checked.

    >>> wrong_value("noop", "maybe"), wrong_value("runinterval", 1800)
    ('use true or false', None)
    >>> wrong_value("key_type", "dsa")
    'use rsa, ec'
    """
    default = DEFAULTS.get(name)
    if not isinstance(value, str) or "$" in value:
        return None
    if value not in WORDS.get(name, (value,)):
        return f"use {', '.join(WORDS[name])}"
    if default.__class__ is bool:
        return "use true or false"
    if default.__class__ is int and not (name in ENDLESS and value == "unlimited"):
        return "use a number, or a duration such as 30s, 5m, 1h or 1d"
    return None


WORDS = {
    "digest_algorithm": ("sha256", "sha384", "sha512", "sha224", "md5"),
    "key_type": ("rsa", "ec"),
    "log_level": ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"),
    "strict": ("off", "warning", "error"),
}
"""The settings whose values are words, with these (Puppet 7.23 refuses others)."""
ENDLESS = frozenset({"environment_timeout", "statettl", "maxwaitforlock"})
"""Durations that can be ``unlimited``."""
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "y": 365 * 86400}


def duration(text: str) -> int | str:
    """Return a whole number, or a time as ``30m`` in seconds; other text unchanged.

    >>> duration("2h")
    7200
    """
    found = re.fullmatch(r"\s*(-?\d+)([smhdy]?)\s*", text)
    return int(found[1]) * UNITS[found[2]] if found else text


def read_configuration(path: str, world: World, mode: str = "server") -> dict[str, Any]:
    """Return the settings of a ``puppet.conf``; those of the section for the mode win over ``main``."""
    sections = {ALIASES.get(key, key): one for key, one in read_sections(path, world).items()}
    texts = {**sections.get("main", {}), **sections.get(mode, {})}
    return {name: convert(name, text) for name, text in texts.items()}
