"""Settings of the authority: those of ``puppet.conf``, and ``certificate-authority`` in ``ca.conf``.

Source: ``certificate_authority.clj`` of OpenVox Server, and its page "Configuration: ca.conf".
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TypeAlias

from bunraku.base.records import record, replace
from bunraku.base.suggestions import suggestion
from bunraku.ca import issues

Setting: TypeAlias = "bool | int | str"

YEAR = 365 * 86400
CA_TTL = 5 * YEAR
RENEWAL_TTL = 90 * 86400
LONGEST_TTL = 50 * YEAR
KEY_LENGTH = 4096
LOCK_SECONDS = 60.0
UNITS = {"y": YEAR, "d": 86400, "h": 3600, "m": 60, "s": 1}
DURATION = re.compile(r"(?:\d+[ydhms])+", re.ASCII)
PATHS: Mapping[str, str] = {
    "cacert": "ca_crt.pem",
    "cakey": "ca_key.pem",
    "capub": "ca_pub.pem",
    "cacrl": "ca_crl.pem",
    "rootkey": "root_key.pem",
    "serial": "serial",
    "cert_inventory": "inventory.txt",
    "csrdir": "requests",
    "signeddir": "signed",
    "infra_crl_path": "infra_crl.pem",
    "infra_nodes_path": "infra_inventory.txt",
    "infra_node_serials_path": "infra_serials",
}
"""Setting → name of the file below ``cadir``."""
FLAGS = frozenset(
    [
        "allow_duplicate_certs",
        "allow_subject_alt_names",
        "allow_authorization_extensions",
        "allow_auto_renewal",
        "enable_infra_crl",
    ]
)
TIMES = frozenset(["ca_ttl", "auto_renewal_cert_ttl"])
OF_CA_CONF = (FLAGS - {"allow_duplicate_certs"}) | TIMES
"""Settings in ``ca.conf``, with ``-`` for ``_``."""
WITHOUT_EFFECT = frozenset(
    [
        "access_control",
        "allow_header_cert_info",
        "certificate_status",
        "crl_lock_timeout_seconds",
        "inventory_lock_timeout_seconds",
        "proxy_config",
        "serial_lock_timeout_seconds",
    ]
)
"""Other settings of ``ca.conf``: locks and rules that puppetserver has in another form."""


@record(frozen=True)
class AuthoritySettings:
    """The settings of an authority; times are in seconds.

    Paths that are not given are those of puppetserver below ``cadir``. ``autosign`` is true, false, or the path of a policy executable or of a list of names. With
    ``enable_infra_crl``, clients get the revocation list of infrastructure nodes alone.
    """

    cadir: str
    cacert: str = ""
    cakey: str = ""
    capub: str = ""
    cacrl: str = ""
    rootkey: str = ""
    serial: str = ""
    cert_inventory: str = ""
    csrdir: str = ""
    signeddir: str = ""
    infra_crl_path: str = ""
    infra_nodes_path: str = ""
    infra_node_serials_path: str = ""
    ca_name: str = "Puppet CA"
    ca_ttl: int = CA_TTL
    keylength: int = KEY_LENGTH
    autosign: bool | str = False
    allow_duplicate_certs: bool = False
    allow_subject_alt_names: bool = False
    allow_authorization_extensions: bool = False
    allow_auto_renewal: bool = False
    auto_renewal_cert_ttl: int = RENEWAL_TTL
    enable_infra_crl: bool = False
    lock_seconds: float = LOCK_SECONDS

    def __post_init__(self) -> None:
        for name, file in PATHS.items():
            if not getattr(self, name):
                setattr(self, name, os.path.join(self.cadir, file))


def settings_in(cadir: str, values: Mapping[str, object] | None = None) -> AuthoritySettings:
    """Return the settings for a directory; raise PuppetError for an unknown or a wrong one.

    >>> settings_in("/ca", {"ca_ttl": "1y"}).cacert, settings_in("/ca", {"ca_ttl": "1y"}).ca_ttl
    ('/ca/ca_crt.pem', 31536000)
    """
    known = {*PATHS, *FLAGS, *TIMES, "ca_name", "keylength", "autosign"}
    given: dict[str, Setting] = {}
    for name, value in (values or {}).items():
        if name not in known:
            raise issues.UNKNOWN_SETTING(name=name, near=suggestion(name, known))
        given[name] = checked(name, value)
    return replace(AuthoritySettings(cadir), **given)


def of_ca_conf(document: object) -> dict[str, object]:
    """Return the settings in a parsed ``ca.conf``, by their names with ``_``.

    Raises PuppetError for unknown settings.

    >>> of_ca_conf({"certificate-authority": {"allow-subject-alt-names": True}})
    {'allow_subject_alt_names': True}
    """
    section = document.get("certificate-authority") if isinstance(document, dict) else None
    if section is None:
        return {}
    if not isinstance(section, dict):
        raise issues.BAD_SETTING(name="certificate-authority", reason="it is not a hash")
    found: dict[str, object] = {}
    for key, value in section.items():
        name = str(key).replace("-", "_")
        if name in OF_CA_CONF:
            found[name] = checked(name, value)
        elif name not in WITHOUT_EFFECT:
            known = [one.replace("_", "-") for one in OF_CA_CONF]
            raise issues.UNKNOWN_SETTING(name=key, near=suggestion(str(key), known))
    return found


def checked(name: str, value: object) -> Setting:
    """Return the value of a setting in its type; raise PuppetError if it has another one."""
    if name in FLAGS:
        return flag(name, value)
    if name in TIMES:
        return duration(name, value)
    if name == "autosign":
        return autosign(value)
    if name == "keylength":
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise issues.BAD_SETTING(name=name, reason=f"expected a number of bits, got '{value}'")
    return str(value)


def flag(name: str, value: object) -> bool:
    """Return a boolean; raise PuppetError for other values."""
    found = {"true": True, "false": False}.get(str(value).lower())
    if found is None:
        raise issues.BAD_SETTING(name=name, reason=f"expected true or false, got '{value}'")
    return found


def autosign(value: object) -> bool | str:
    """Return the setting ``autosign``; raise PuppetError for a path that is not absolute."""
    if str(value).lower() in {"true", "false"}:
        return str(value).lower() == "true"
    if not isinstance(value, str) or not os.path.isabs(value):
        reason = f"expected true, false or an absolute path, got '{value}'"
        raise issues.BAD_SETTING(name="autosign", reason=reason)
    return value


def duration(name: str, value: object) -> int:
    """Return a time in seconds; raise PuppetError for a text without units or an excessive time.

    >>> duration("ca_ttl", "1d 2h"), duration("ca_ttl", 60)
    (93600, 60)
    """
    seconds = value if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(value, str):
        text = value.replace(" ", "")
        if text.isdecimal() and text.isascii():
            seconds = int(text)
        elif DURATION.fullmatch(text):
            pairs = re.findall(r"(\d+)([ydhms])", text)
            seconds = sum(int(digits) * UNITS[unit] for digits, unit in pairs)
    if seconds is None or not 0 < seconds <= LONGEST_TTL:
        reason = f"expected a time of at most {LONGEST_TTL} seconds such as 5y, got '{value}'"
        raise issues.BAD_SETTING(name=name, reason=reason)
    return seconds
