"""Names of Puppet's certificate extensions: registered identifiers, and those of a site.

Sources: ``lib/puppet/ssl/oids.rb`` of OpenVox, and Puppet 8 manual, "SSL configuration: CSR
attributes and certificate extensions".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from bunraku.base.file_reading import read_whole
from bunraku.base.source import Place
from bunraku.certificates import issues
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml import load_plain

REGISTERED_ARC = "1.3.6.1.4.1.34380.1.1"
PRIVATE_ARC = "1.3.6.1.4.1.34380.1.2"
AUTHORIZATION_ARC = "1.3.6.1.4.1.34380.1.3"
ARCS = (REGISTERED_ARC, PRIVATE_ARC, AUTHORIZATION_ARC)
CLI_AUTHORIZATION = f"{AUTHORIZATION_ARC}.39"
AUTOMATIC_RENEWAL = f"{AUTHORIZATION_ARC}.2"
REGISTERED: Mapping[str, str] = {
    "pp_uuid": "Puppet Node UUID",
    "pp_instance_id": "Puppet Node Instance ID",
    "pp_image_name": "Puppet Node Image Name",
    "pp_preshared_key": "Puppet Node Preshared Key",
    "pp_cost_center": "Puppet Node Cost Center Name",
    "pp_product": "Puppet Node Product Name",
    "pp_project": "Puppet Node Project Name",
    "pp_application": "Puppet Node Application Name",
    "pp_service": "Puppet Node Service Name",
    "pp_employee": "Puppet Node Employee Name",
    "pp_created_by": "Puppet Node created_by Tag",
    "pp_environment": "Puppet Node Environment Name",
    "pp_role": "Puppet Node Role Name",
    "pp_software_version": "Puppet Node Software Version",
    "pp_department": "Puppet Node Department Name",
    "pp_cluster": "Puppet Node Cluster Name",
    "pp_provisioner": "Puppet Node Provisioner Name",
    "pp_region": "Puppet Node Region Name",
    "pp_datacenter": "Puppet Node Datacenter Name",
    "pp_zone": "Puppet Node Zone Name",
    "pp_network": "Puppet Node Network Name",
    "pp_securitypolicy": "Puppet Node Security Policy Name",
    "pp_cloudplatform": "Puppet Node Cloud Platform Name",
    "pp_apptier": "Puppet Node Application Tier",
    "pp_hostname": "Puppet Node Hostname",
    "pp_owner": "Puppet Node Owner",
}
"""The registered extensions in the order of their numbers, from 1: short name → long name."""
SHORT_NAMES: Mapping[str, str] = {
    **{f"{REGISTERED_ARC}.{number}": name for number, name in enumerate(REGISTERED, 1)},
    f"{AUTHORIZATION_ARC}.1": "pp_authorization",
    AUTOMATIC_RENEWAL: "pp_auth_auto_renew",
    f"{AUTHORIZATION_ARC}.13": "pp_auth_role",
    CLI_AUTHORIZATION: "pp_cli_auth",
}
"""Identifier → short name."""
LONG_NAMES: Mapping[str, str] = {
    **REGISTERED,
    "pp_authorization": "Certificate Extension Authorization",
    "pp_auth_role": "Puppet Node Role Name for Authorization",
}
"""Short name → the name in the text of a certificate; Puppet 7.23 has none for the others."""
IDENTIFIERS: Mapping[str, str] = {name: oid for oid, name in SHORT_NAMES.items()}
"""Short name → identifier."""
MAPPING_KEY = "oid_mapping"
IDENTIFIER = re.compile(r"[0-2](?:\.(?:0|[1-9][0-9]*))+")


def is_below(arc: str, oid: str) -> bool:
    """Return whether an identifier is in an arc.

    >>> is_below(REGISTERED_ARC, "1.3.6.1.4.1.34380.1.1.13"), is_below("1.3.6", "1.3.61")
    (True, False)
    """
    return oid.startswith(f"{arc}.")


def is_puppet_extension(oid: str) -> bool:
    """Return whether an extension is one of Puppet's, which ``$trusted`` has."""
    return any(is_below(arc, oid) for arc in ARCS)


def short_name(oid: str, mapping: Mapping[str, str] | None = None) -> str:
    """Return the short name of an identifier, or the identifier if it has none.

    A registered name wins over one of a site's mapping.

    >>> short_name("1.3.6.1.4.1.34380.1.1.13"), short_name("1.3.6.1.4.1.34380.1.2.1")
    ('pp_role', '1.3.6.1.4.1.34380.1.2.1')
    """
    return SHORT_NAMES.get(oid) or (mapping or {}).get(oid, oid)


NameKind: TypeAlias = 'Literal["shortname", "longname"]'


def load_mapping(path: str, kind: NameKind = "shortname") -> dict[str, str]:
    """Return the names in a ``custom_trusted_oid_mapping.yaml``, which can be absent.

    Raises PuppetError for a file that cannot be read or has other content.
    """
    try:
        content = read_whole(path)
    except FileNotFoundError:
        return {}
    except OSError as error:
        reason = error.strerror or error
        raise issues.UNREADABLE_FILE(what="the mapping", path=path, reason=reason) from None
    return read_mapping(content, path, kind)


def read_mapping(
    content: bytes | str, path: str = "", kind: NameKind = "shortname"
) -> dict[str, str]:
    """Return identifier → name of a mapping's text; raise PuppetError if it is invalid.

    >>> read_mapping("oid_mapping: {1.3.6.1.4.1.34380.1.2.1: {shortname: a, longname: A}}")
    {'1.3.6.1.4.1.34380.1.2.1': 'a'}
    """
    place = Place(path)
    try:
        document = load_plain(content)
    except FormatError as error:
        place = Place(path, error.line, error.column)
        raise issues.BAD_MAPPING(reason=error.problem).at(place) from None
    entries = document.get(MAPPING_KEY) if isinstance(document, dict) else None
    if not isinstance(entries, dict):
        raise issues.BAD_MAPPING(reason=f"it has no hash '{MAPPING_KEY}'").at(place)
    found = {}
    for oid, names in entries.items():
        problem = problem_of(oid, names)
        if problem is not None:
            raise issues.BAD_MAPPING(reason=problem).at(place)
        found[oid] = names[kind]
    return found


def problem_of(oid: object, names: object) -> str | None:
    """Return what is wrong with an entry of a mapping."""
    if not isinstance(oid, str) or not IDENTIFIER.fullmatch(oid):
        return f"'{oid}' is not an object identifier; quote it"
    if not isinstance(names, dict):
        return f"the entry of '{oid}' is not a hash"
    for name in ("shortname", "longname"):
        if not isinstance(names.get(name), str):
            return f"incomplete definition of '{oid}': it has no {name}"
    return None
