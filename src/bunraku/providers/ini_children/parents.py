"""The releases of the parents' code whose behaviour bunraku knows, by checksums of the files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from bunraku.providers.ini_file import Emptied

INI = ("ini_setting", "ruby")
OPENSTACK_INI = ("openstack_config", "ini_setting")
OPENSTACK = ("openstack_config", "ruby")
INI_PROVIDER = "puppet/provider/ini_setting/ruby.rb"
INI_FILE = "puppet/util/ini_file.rb"
INI_SECTION = "puppet/util/ini_file/section.rb"
OPENSTACK_PROVIDER = "puppet/provider/openstack_config/ruby.rb"
OPENSTACK_INI_PROVIDER = "puppet/provider/openstack_config/ini_setting.rb"
OPENSTACK_FILE = "puppet/util/openstackconfig.rb"
OPENSTACK_SECTION = "puppet/util/openstackconfig/section.rb"
FILES: Mapping[tuple[str, str], tuple[str, ...]] = {
    INI: (INI_PROVIDER, INI_FILE, INI_SECTION),
    OPENSTACK_INI: (INI_PROVIDER, INI_FILE, INI_SECTION, OPENSTACK_INI_PROVIDER),
    OPENSTACK: (OPENSTACK_PROVIDER, OPENSTACK_FILE, OPENSTACK_SECTION),
}
"""The files that decide how a parent behaves."""
EMPTIED: Mapping[str, Emptied] = {
    "47a6af78096d2089": "bare",
    "68ed290cc87dada3": "bare",
    "ddbcf1568b273f99": "bare",
    "ca123f2e0c0e5b1d": "bare",
    "f5c3f6b2062ccb72": "bare",
    "652a7e4d852632b8": "bare",
    "36d453c77594f628": "blank",
    "575fdbac51db4386": "never",
    "310fb69dbe37f008": "never",
}
"""The files of inifile 3.1.0 to 6.3.1: checksum → what happens to empty sections."""
KNOWN: Mapping[str, frozenset[str]] = {
    INI_PROVIDER: frozenset(
        {
            "c51c08118ff0810f",
            "955a067b4626a4bb",
            "a10ca944b7c2a0cb",
            "c641e280f060a644",
            "de3265d644c197c9",
        }
    ),
    INI_FILE: frozenset(EMPTIED),
    INI_SECTION: frozenset({"77b842d2c40c69b2", "1d9c59c785a4f6c9", "3f38d33813bff690"}),
    OPENSTACK_PROVIDER: frozenset({"393cc8b2c093b850"}),
    OPENSTACK_INI_PROVIDER: frozenset({"ad680855c315834a"}),
    OPENSTACK_FILE: frozenset({"3ce0bd3f269f1172"}),
    OPENSTACK_SECTION: frozenset({"117f4447b2cad2cd"}),
}
"""The known code of each file: inifile 3.1.0 to 6.3.1, openstacklib since July 2022."""


def checksum(source: str) -> str:
    """Return the checksum of a Ruby file without indentation, comment lines and blank lines."""
    lines = (line.strip() for line in source.splitlines())
    code = "\n".join(line for line in lines if line and not line.startswith("#"))
    return hashlib.sha256(code.encode("utf-8", "surrogateescape")).hexdigest()[:16]
