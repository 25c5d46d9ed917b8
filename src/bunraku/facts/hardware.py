"""Facts of the hardware: processors, memory, firmware, disks and mounts."""

from __future__ import annotations

import re
from typing import Any

from bunraku.facts.collectors import collects
from bunraku.facts.probe import Probe, known
from bunraku.facts.units import human_bytes, human_hertz, share

Facts = dict[str, Any]
SECTOR = 512
"""Bytes that ``size`` below /sys/block counts, independent of the disk's own sector size."""


@collects("processors")
def processor_facts(probe: Probe) -> Facts:
    """Return the fact ``processors``."""
    rows = [
        (name, value) for name, value in probe.fields("/proc/cpuinfo", ":")
    ]  # processor after processor, so names come again and again
    count = sum(name == "processor" for name, _ in rows)
    if not count:
        return {}
    packages = {value for name, value in rows if name == "physical id"} or {
        probe.text(f"{folder}/{name}/topology/physical_package_id")
        for folder in ("/sys/devices/system/cpu",)
        for name in probe.names(folder)
        if re.fullmatch(r"cpu\d+", name)
    } - {""}
    clock = next((value for name, value in reversed(rows) if name in ("cpu MHz", "clock")), "")
    megahertz = re.match(r"\d+", clock)
    topology = dict(
        line.split(":", 1) for line in probe.output("lscpu").splitlines() if ":" in line
    )
    return {
        "processors": known(
            cores=number(topology.get("Core(s) per socket")),
            count=count,
            isa=probe.kernel[3].rpartition(".")[2],
            models=[value for name, value in rows if name in ("model name", "cpu")],
            physicalcount=len(packages),
            speed=human_hertz(int(megahertz[0]) * 1_000_000) if megahertz else None,
            threads=number(topology.get("Thread(s) per core")),
        )
    }


def number(text: str | None) -> int | None:
    """Return a whole number from a program's text."""
    return int(text) if text is not None and text.strip().isdigit() else None


@collects("memory")
def memory_facts(probe: Probe) -> Facts:
    """Return the fact ``memory``: the system's, and swap if there is any."""
    told: dict[str, int] = {}
    for name, value in probe.fields("/proc/meminfo", ":"):
        amount = value.partition(" ")[0]
        if amount.isdigit():
            told[name] = int(amount) * 1024
    if "MemTotal" not in told:
        return {}
    free = sum(told.get(name, 0) for name in ("Buffers", "Cached", "MemFree"))
    found = {"system": amounts(told["MemTotal"], told.get("MemAvailable", free))}
    if told.get("SwapTotal"):
        found["swap"] = amounts(told["SwapTotal"], told.get("SwapFree", 0))
    return {"memory": found}


def amounts(total: int, available: int) -> Facts:
    """Return the figures of a kind of memory.

    >>> amounts(2048, 1024)["capacity"], amounts(2048, 2048)["capacity"]
    ('50.00%', '0.00%')
    """
    used = total - available
    return {
        "available": human_bytes(available),
        "available_bytes": available,
        "capacity": f"{used / total * 100:.2f}%",
        "total": human_bytes(total),
        "total_bytes": total,
        "used": human_bytes(used),
        "used_bytes": used,
    }


# -- firmware --------------------------------------------------------------------------------------

# Kinds of chassis by their number in SMBIOS (DSP0134, 7.4.1), from 1 on.
CHASSIS = [
    "Other",
    "",
    "Desktop",
    "Low Profile Desktop",
    "Pizza Box",
    "Mini Tower",
    "Tower",
    "Portable",
    "Laptop",
    "Notebook",
    "Hand Held",
    "Docking Station",
    "All in One",
    "Sub Notebook",
    "Space-Saving",
    "Lunch Box",
    "Main System Chassis",
    "Expansion Chassis",
    "SubChassis",
    "Bus Expansion Chassis",
    "Peripheral Chassis",
    "Storage Chassis",
    "Rack Mount Chassis",
    "Sealed-Case PC",
    "Multi-system",
    "CompactPCI",
    "AdvancedTCA",
    "Blade",
    "Blade Enclosure",
    "Tablet",
    "Convertible",
    "Detachable",
]


@collects("dmi")
def dmi_facts(probe: Probe) -> Facts:
    """Return the fact ``dmi``: the data of the firmware that this user may read."""

    def entry(name: str) -> str:
        return probe.text(f"/sys/class/dmi/id/{name}")

    kind = entry("chassis_type")
    chassis = CHASSIS[int(kind) - 1] if kind.isdigit() and 0 < int(kind) <= len(CHASSIS) else None
    parts = {
        "bios": known(
            release_date=entry("bios_date"),
            vendor=entry("bios_vendor"),
            version=entry("bios_version"),
        ),
        "board": known(
            asset_tag=entry("board_asset_tag"),
            manufacturer=entry("board_vendor"),
            product=entry("board_name"),
            serial_number=entry("board_serial"),
        ),
        "chassis": known(asset_tag=entry("chassis_asset_tag"), type=chassis),
        "manufacturer": entry("sys_vendor"),
        "product": known(
            name=entry("product_name"),
            serial_number=entry("product_serial"),
            uuid=entry("product_uuid"),
            version=entry("product_version"),
        ),
    }
    found = {name: part for name, part in parts.items() if part}
    return {"dmi": found} if found else {}


# -- disks -----------------------------------------------------------------------------------------


@collects("disks")
def disk_facts(probe: Probe) -> Facts:
    """Return the fact ``disks``."""
    found = {}
    for name in probe.names("/sys/block"):
        folder = f"/sys/block/{name}"
        if not probe.folder(f"{folder}/device"):
            continue
        rotates = probe.text(f"{folder}/queue/rotational")
        size = number(probe.text(f"{folder}/size"))
        names = identities(probe.output("lsblk", "-dnP", "-o", "SERIAL,WWN", f"/dev/{name}"))
        found[name] = known(
            model=probe.text(f"{folder}/device/model"),
            serial=names.get("SERIAL"),
            size=None if size is None else human_bytes(size * SECTOR),
            size_bytes=None if size is None else size * SECTOR,
            type=("ssd" if rotates == "0" else "hdd") if rotates else None,
            vendor=probe.text(f"{folder}/device/vendor"),
            wwn=names.get("WWN"),
        )
    return {"disks": found} if found else {}


def identities(output: str) -> dict[str, str]:
    """Return the columns of a device in the output of ``lsblk -P``, which writes some characters as numbers.

    >>> identities('SERIAL="S 1" WWN="naa.\\\\x24"')
    {'SERIAL': 'S 1', 'WWN': 'naa.$'}
    """
    return {
        name: re.sub(r"\\x([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), value).strip()
        for name, value in re.findall(r'(\w+)="([^"]*)"', output)
    }


@collects("partitions")
def partition_facts(probe: Probe) -> Facts:
    """Return the fact ``partitions``: disks, device mapper, loop devices with a backing file."""
    blocks = probe.names("/sys/block")
    if not blocks:
        return {}
    labels = block_labels(probe.output("blkid"))
    mounted = {device: path for device, path, _, _ in reversed(probe.mounts)}
    found: Facts = {}

    def add(device: str, folder: str, backing_file: str = "") -> None:
        size = number(probe.text(f"{folder}/size")) or 0
        told = labels.get(device, {})
        found[device] = known(
            backing_file=backing_file,
            filesystem=told.get("TYPE"),
            label=told.get("LABEL"),
            mount=mounted.get(device),
            partlabel=told.get("PARTLABEL"),
            partuuid=told.get("PARTUUID"),
            size=human_bytes(size * SECTOR),
            size_bytes=size * SECTOR,
            uuid=told.get("UUID"),
        )

    for name in blocks:
        folder = f"/sys/block/{name}"
        if probe.folder(f"{folder}/device"):
            for part in probe.names(folder):
                if name in part and probe.folder(f"{folder}/{part}"):
                    add(f"/dev/{part}", f"{folder}/{part}")
        elif probe.folder(f"{folder}/dm"):
            mapped = probe.text(f"{folder}/dm/name")
            add(f"/dev/mapper/{mapped}" if mapped else f"/dev/{name}", folder)
        elif probe.folder(f"{folder}/loop"):
            add(f"/dev/{name}", folder, probe.text(f"{folder}/loop/backing_file"))
    return {"partitions": found}


def block_labels(output: str) -> dict[str, dict[str, str]]:
    """Return the output of ``blkid`` for each device.

    >>> block_labels('/dev/sda1: LABEL="my root" UUID="1-2" TYPE="ext4"')["/dev/sda1"]["LABEL"]
    'my root'
    """
    found = {}
    for line in output.splitlines():
        device, _, rest = line.partition(": ")
        found[device] = dict(re.findall(r'(\w+)="([^"]*)"', rest))
    return found


@collects("mountpoints")
def mountpoint_facts(probe: Probe) -> Facts:
    """Return the fact ``mountpoints``; below /proc and /sys only memory file systems."""
    found = {}
    for device, path, kind, options in probe.mounts:
        if kind == "autofs" or (path.startswith(("/proc", "/sys")) and kind != "tmpfs"):
            continue
        try:
            total, free, available = probe.world.disk_space(path)
        except OSError:
            total = free = available = 0
        used = total - free
        found[path] = {
            "available": human_bytes(available),
            "available_bytes": available,
            "capacity": share(used, used + available),
            "device": root_device(probe) if device == "/dev/root" else device,
            "filesystem": kind,
            "options": options,
            "size": human_bytes(total),
            "size_bytes": total,
            "used": human_bytes(used),
            "used_bytes": used,
        }
    return {"mountpoints": found} if found else {}


def root_device(probe: Probe) -> str:
    """Return the root device from the kernel's command line."""
    told = re.search(r"\broot=(\S+)", probe.text("/proc/cmdline"))
    if told is None:
        return "/dev/root"
    name, equals, wanted = told[1].partition("=")
    if not equals:
        return name
    labels = block_labels(probe.output("blkid"))
    return next((device for device, one in labels.items() if one.get(name) == wanted), told[1])
