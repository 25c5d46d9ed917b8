"""The types for logical volumes, and those for ZFS."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.providers.logical_volume.lvm import LogicalVolumes
from bunraku.providers.volume_group.lvm import VolumeGroups
from support.applying import apply, declared
from support.host import Expected, MemoryHost, link

BIN = "/usr/bin"
PVS = (f"{BIN}/pvs", "-o", "pv_name,vg_name", "--separator", ",")
PROPERTIES = ("zfs", "get", "-H", "-o", "property,value", "all", "tank")


def test_groups_are_listed_once_and_links_are_followed() -> None:
    devices = Expected(PVS, "  PV,VG\n  /dev/sda,a\n  /dev/sdb,b\n  /dev/sdc,\n")
    commands = [
        Expected((f"{BIN}/vgs",), "  VG #PV\n  a 1\n  b 1\n"),
        devices,
        devices,
        Expected((f"{BIN}/vgreduce", "b", "/dev/sdb")),
        Expected((f"{BIN}/vgextend", "b", "/dev/sdc")),
    ]
    entries = {"/dev/disk": link("sda")}
    host = MemoryHost(entries, commands=commands, installed=VolumeGroups.programs)
    wanted = {
        "a": {"ensure": "present", "physical_volumes": "/dev/disk", "followsymlinks": True},
        "b": {"ensure": "present", "physical_volumes": ["/dev/sdc"]},
    }

    done = apply(host, declared("volume_group", wanted))

    text = "physical_volumes changed ['/dev/sdb'] to ['/dev/sdc']"
    assert done.changes == [f"Volume_group[b]/physical_volumes: {text}"]


@pytest.mark.parametrize(
    ("wanted", "smallest", "changes"), [("2G", False, 1), ("1024m", False, 0), ("512M", True, 0)]
)
def test_sizes_are_compared_in_any_unit(wanted: str, smallest: bool, changes: int) -> None:
    unit, shown = ("g", "1.00g") if wanted == "2G" else ("m", "1024.00m")
    size = Expected(
        (f"{BIN}/lvs", "--noheading", "--unit", unit, "/dev/b/a"), f"  a b -wi-- {shown} \n"
    )
    commands = [
        Expected((f"{BIN}/lvs", "b"), "  LV VG Attr\n  a b -wi-a-----\n"),
        size,
        size,
        Expected((f"{BIN}/lvextend", "-L", wanted, "/dev/b/a")),
        Expected((f"{BIN}/blkid", "/dev/b/a"), code=2),
    ]
    commands = commands if changes else commands[:2]
    host = MemoryHost(commands=commands, installed=LogicalVolumes.programs)
    values = {"ensure": "present", "volume_group": "b", "size": wanted}

    done = apply(host, declared("logical_volume", {"a": {**values, "size_is_minsize": smallest}}))

    assert len(done.changes) == changes


def test_volume_never_shrinks() -> None:
    shown = Expected(
        (f"{BIN}/lvs", "--noheading", "--unit", "m", "/dev/b/a"), "  a b -wi-- 1024.00m \n"
    )
    listed = Expected((f"{BIN}/lvs", "b"), "  LV VG Attr\n  a b -wi-a-----\n")
    host = MemoryHost(commands=[listed, shown, shown], installed=LogicalVolumes.programs)
    values = {"ensure": "present", "volume_group": "b", "size": "512M"}

    done = apply(host, declared("logical_volume", {"a": values}))

    text = "Decreasing the size requires manual intervention (512M < 1024M)"
    assert f"Error: {text}" in done.lines


def test_a_volume_that_is_purged_is_removed_from_its_group() -> None:
    lines = "  LV VG Attr\n  a b -wi-a-----\n"
    commands = [
        Expected((f"{BIN}/lvs",), lines),
        Expected((f"{BIN}/lvs", "b"), lines),
        Expected((f"{BIN}/blkid", "/dev/b/a"), '/dev/b/a: TYPE="ext4"'),
        Expected((f"{BIN}/dmsetup", "remove", "b-a")),
        Expected((f"{BIN}/lvremove", "-f", "/dev/b/a")),
    ]
    host = MemoryHost(commands=commands, installed=LogicalVolumes.programs)

    done = apply(host, declared("resources", {"logical_volume": {"purge": True}}))

    assert done.changes == ["Logical_volume[a]/ensure: removed"]


def test_properties_of_a_file_system_are_read_at_once() -> None:
    commands = [
        Expected((f"{BIN}/zfs", "list", "tank")),
        Expected((f"{BIN}/zfs", *PROPERTIES[1:]), "atime\ton\ncompression\toff\nsync\talways\n"),
        Expected((f"{BIN}/zfs", "set", "compression=lz4", "tank")),
    ]
    host = MemoryHost(commands=commands, installed=["zfs"])
    values = {"ensure": "present", "atime": "on", "compression": "lz4"}

    done = apply(host, declared("zfs", {"tank": values}))

    assert done.changes == ["Zfs[tank]/compression: compression changed 'off' to 'lz4'"]


@pytest.mark.parametrize(
    ("type_", "attributes"),
    [
        ("physical_volume", {"name": "sdb"}),
        ("physical_volume", {"unless_vg": "-"}),
        ("volume_group", {"createonly": "perhaps"}),
        ("logical_volume", {"name": "/dev/a"}),
        ("logical_volume", {"extents": "10%all"}),
        ("logical_volume", {"minor": 256}),
        ("logical_volume", {"mirror": 5}),
        ("logical_volume", {"resize_fs": "no"}),
        ("filesystem", {"name": "sdb"}),
        ("zpool", {"disk": "a", "mirror": "b c"}),
        ("zpool", {"raidz": "a,b"}),
    ],
)
def test_wrong_values(type_: str, attributes: dict[str, object]) -> None:
    with pytest.raises(PuppetError):
        apply(MemoryHost(), declared(type_, {"x": attributes}))
