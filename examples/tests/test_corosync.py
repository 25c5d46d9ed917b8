"""Many parameters at once."""

import re

import pytest


@pytest.mark.puppet(
    "corosync",
    params={
        "authkey": "/etc/puppet/authkey",
        "bind_address": "192.0.2.1",
        "multicast_address": "239.1.1.1",
        "enable_secauth": True,
    },
)
def test_corosync(catalog):
    assert catalog.contains("File[/etc/corosync/authkey]", mode="0400", owner="root")
    assert catalog.contains(
        "File[/etc/corosync/corosync.conf]", content=re.compile("bindnetaddr: 192.0.2.1")
    )
    assert catalog.contains("Service[corosync]").that_subscribes_to(
        "File[/etc/corosync/corosync.conf]", "File[/etc/corosync/authkey]"
    )
