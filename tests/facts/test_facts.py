"""Facts: of a machine that is a dictionary, of this one, external ones, legacy ones."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from bunraku.cli.main import main
from bunraku.facts.collect import COLLECTORS, collect_facts
from bunraku.facts.external import external_facts
from bunraku.facts.legacy import is_legacy, legacy_facts, without_legacy
from bunraku.facts.probe import Probe
from bunraku.facts.virtual import virtual_facts
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine

KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaMDEyMzQ1"
FILES = {
    "/etc/os-release": 'NAME="Rocky Linux"\nVERSION="9.4 (Blue Onyx)"\nID="rocky"\n'
    'ID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\nPRETTY_NAME="Rocky Linux 9.4 (Blue Onyx)"\n',
    "/etc/redhat-release": "Rocky Linux release 9.4 (Blue Onyx)\n",
    "/etc/selinux/config": "# x\nSELINUX=enforcing\nSELINUXTYPE=targeted\n",
    "/sys/fs/selinux/enforce": "1",
    "/sys/fs/selinux/policyvers": "33",
    "/proc/self/mounts": "/dev/vda1 / xfs rw,seclabel 0 0\nselinuxfs /sys/fs/selinux selinuxfs rw 0 0"
    "\n/dev/vdb /mnt/my\\040disk ext4 rw 0 0\nsystemd-1 /proc/x autofs rw 0 0\n",
    "/proc/self/status": "Name:\tpython\nUid:\t7\t7\t7\t7\nGid:\t9\t9\t9\t9\n",
    "/etc/passwd": "root:x:0:0::/:/bin/sh\nada:x:7:9::/:/bin/sh\n",
    "/etc/group": "root:x:0:\nmath:x:9:\n",
    "/proc/uptime": "180061.5 2.0\n",
    "/proc/loadavg": "0.10 0.20 0.30 1/200 4\n",
    "/proc/filesystems": "nodev\tsysfs\n\txfs\n\text4\n\tfuseblk\n",
    "/proc/meminfo": "MemTotal:       2097152 kB\nMemFree: 1 kB\nMemAvailable:   1048576 kB\n"
    "SwapTotal:       1048576 kB\nSwapFree:        1048576 kB\nHugePages_Total:       0\n",
    "/proc/cpuinfo": "processor\t: 0\nmodel name\t: CPU X\ncpu MHz\t\t: 2400.004\nphysical id\t: 0\n\n"
    "processor\t: 1\nmodel name\t: CPU X\ncpu MHz\t\t: 2400.004\nphysical id\t: 0\n",
    "/sys/class/dmi/id/product_name": "Standard PC",
    "/sys/class/dmi/id/sys_vendor": "QEMU",
    "/sys/class/dmi/id/chassis_type": "1",
    "/sys/class/dmi/id/bios_vendor": "SeaBIOS",
    "/sys/block/vda/device/vendor": "0x1af4\n",
    "/sys/block/vda/size": "20971520\n",
    "/sys/block/vda/queue/rotational": "0\n",
    "/sys/block/vda/vda1/size": "20969472\n",
    "/sys/block/loop0/loop/backing_file": "/images/a.img\n",
    "/sys/block/loop0/size": "2048\n",
    "/sys/block/ram0/size": "2048\n",
    "/proc/sys/kernel/hostname": "web1\n",
    "/etc/resolv.conf": "search example.com other.example\n",
    "/sys/class/net/lo/mtu": "65536\n",
    "/sys/class/net/lo/address": "00:00:00:00:00:00\n",
    "/sys/class/net/eth0.5/mtu": "1500\n",
    "/sys/class/net/eth0.5/address": "02:00:00:00:00:05\n",
    "/sys/class/net/eth0.5/ifindex": "4\n",
    "/sys/class/net/bonding_masters": "bond0\n",
    "/run/systemd/netif/leases/4": "ADDRESS=10.0.5.9\nSERVER_ADDRESS=10.0.5.1\n",
    "/proc/net/route": "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\n"
    "eth0.5\t00000000\t0105000A\t0003\t0\t0\t0\t00000000\t0\n",
    "/proc/net/if_inet6": "00000000000000000000000000000001 01 80 10 80       lo\n"
    "fe80000000000000000000fffe000005 04 40 20 80   eth0.5\n".replace(
        "fe80000000000000", "fe80" + 4 * "000"
    )
    + "20010db8000000000000000000000005 04 40 00 01   eth0.5\n",
    "/etc/ssh/ssh_host_ed25519_key.pub": f"ssh-ed25519 {KEY} root@web1\n",
}
WORLD = DictionaryWorld(
    {path: text.encode() for path, text in FILES.items()},
    programs={
        ("uname", "-srmp"): "Linux 5.14.0-427.el9.x86_64 x86_64 x86_64\n",
        ("date", "+%Z"): "CET\n",
        ("lscpu",): "Thread(s) per core:  2\nCore(s) per socket:  1\n",
        ("lspci",): "00:01.0 Ethernet controller: Red Hat, Inc. Virtio network device\n",
        ("lsblk", "-dnP", "-o", "SERIAL,WWN", "/dev/vda"): 'SERIAL="S 1" WWN=""\n',
        ("blkid",): '/dev/vda1: UUID="11-22" TYPE="xfs" PARTUUID="33"\n',
    },
    disks={"/": (10 * 2**30, 5 * 2**30, 4 * 2**30)},
    addresses=(
        ("lo", "127.0.0.1", "255.0.0.0"),
        ("eth0.5", "169.254.3.3", "255.255.0.0"),
        ("eth0.5", "10.0.5.9", "255.255.255.0"),
    ),
    variables={"PATH": "/usr/bin", "FACTER_rack": "r7"},
)


@pytest.fixture(scope="module")
def facts():
    return collect_facts(WORLD, pytest.fail, [])


def test_os(facts):
    release = {"full": "9.4", "major": "9", "minor": "4"}
    assert facts["os"] == {
        "architecture": "x86_64",
        "distro": {
            "codename": "Blue Onyx",
            "description": "Rocky Linux release 9.4 (Blue Onyx)",
            "id": "Rocky",
            "release": release,
        },
        "family": "RedHat",
        "hardware": "x86_64",
        "name": "Rocky",
        "release": release,
        "selinux": {
            "config_mode": "enforcing",
            "config_policy": "targeted",
            "current_mode": "enforcing",
            "enabled": True,
            "enforced": True,
            "policy_version": "33",
        },
    }
    assert facts["kernelmajversion"] == "5.14"
    assert facts["kernelversion"] == "5.14.0"
    assert facts["kernelrelease"] == "5.14.0-427.el9.x86_64"


def test_running_system(facts):
    assert facts["identity"] == {
        "gid": 9,
        "group": "math",
        "privileged": False,
        "uid": 7,
        "user": "ada",
    }
    assert facts["system_uptime"]["uptime"] == "2 days"
    assert facts["load_averages"] == {"15m": 0.3, "1m": 0.1, "5m": 0.2}
    assert (facts["timezone"], facts["path"], facts["filesystems"]) == (
        "CET",
        "/usr/bin",
        "ext4,xfs",
    )
    assert (facts["virtual"], facts["is_virtual"]) == ("kvm", True)
    assert facts["fips_enabled"] is False
    assert facts["ssh"]["ed25519"]["key"] == KEY
    assert facts["ssh"]["ed25519"]["fingerprints"]["sha1"].startswith("SSHFP 4 1 ")
    assert "ruby" not in facts


def test_hardware(facts):
    assert facts["processors"] == {
        "cores": 1,
        "count": 2,
        "isa": "x86_64",
        "models": ["CPU X", "CPU X"],
        "physicalcount": 1,
        "speed": "2.40 GHz",
        "threads": 2,
    }
    assert facts["memory"]["system"]["capacity"] == "50.00%"
    assert facts["memory"]["swap"]["used"] == "0 bytes"
    assert facts["dmi"] == {
        "bios": {"vendor": "SeaBIOS"},
        "chassis": {"type": "Other"},
        "manufacturer": "QEMU",
        "product": {"name": "Standard PC"},
    }
    assert facts["disks"]["vda"] == {
        "serial": "S 1",
        "size": "10.00 GiB",
        "size_bytes": 10737418240,
        "type": "ssd",
        "vendor": "0x1af4",
    }
    assert list(facts["partitions"]) == ["/dev/loop0", "/dev/vda1"]
    assert facts["partitions"]["/dev/loop0"]["backing_file"] == "/images/a.img"
    assert facts["partitions"]["/dev/vda1"] == {
        "filesystem": "xfs",
        "mount": "/",
        "partuuid": "33",
        "size": "10.00 GiB",
        "size_bytes": 10736369664,
        "uuid": "11-22",
    }
    assert list(facts["mountpoints"]) == ["/", "/mnt/my disk"]
    assert facts["mountpoints"]["/"]["capacity"] == "55.56%"
    assert facts["mountpoints"]["/mnt/my disk"]["size_bytes"] == 0


def test_networking(facts):
    found = facts["networking"]
    assert found["fqdn"] == "web1.example.com"
    assert found["primary"] == "eth0.5"
    assert found["ip"] == "10.0.5.9", "an address of the link only is passed over"
    assert found["ip6"] == "2001:db8::5"
    assert found["dhcp"] == "10.0.5.1"
    assert found["scope6"] == "global"
    assert sorted(found["interfaces"]) == ["eth0.5", "lo"]
    assert "mac" not in found["interfaces"]["lo"]
    one = found["interfaces"]["eth0.5"]
    assert [binding["address"] for binding in one["bindings"]] == ["169.254.3.3", "10.0.5.9"]
    assert [binding["scope6"] for binding in one["bindings6"]] == ["global", "link"]
    assert one["bindings6"][0]["flags"] == ["temporary"]


@pytest.mark.parametrize(
    ("release", "version_file", "found"),
    [
        (
            "NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian\nVERSION_ID=22.04",
            "",
            ("Ubuntu", "Debian", "22.04"),
        ),
        ("NAME='Debian GNU/Linux'\nID=debian\nVERSION_ID=12", "12.05", ("Debian", "Debian", "12")),
        ("NAME='Alpine Linux'\nID=alpine\nVERSION_ID=3.19.1", "", ("Alpine", "alpine", "3")),
        ("NAME=SLES\nID=sles\nID_LIKE=suse\nVERSION_ID=15", "", ("SLES", "Suse", "15")),
    ],
)
def test_distributions(release, version_file, found):
    files = {"/etc/os-release": release.encode()}
    if version_file:
        files["/etc/debian_version"] = version_file.encode()
    told = collect_facts(DictionaryWorld(files), pytest.fail, [])["os"]
    assert (told["name"], told["family"], told["release"]["major"]) == found


DMI = "/sys/class/dmi/id/"
MACHINES = [
    ({}, {"virt-what": "kvm\ndocker\n"}, "kvm", {"kvm": {}}),
    (
        {},
        {"virt-what": "xen\nxen-hvm\n"},
        "xenhvm",
        {"xen": {"context": "pv", "privileged": False}},
    ),
    (
        {f"{DMI}product_name": b"HVM domU", "/proc/xen/capabilities": b"control_d\n"},
        {},
        "xen0",
        {"xen": {"context": "hvm", "privileged": True}},
    ),
    (
        {f"{DMI}product_name": b"VirtualBox\n"},
        {"dmidecode": "String 1: vboxVer_6.1.4\nString 2: vboxRev_136177\n", "virt-what": "kvm\n"},
        "kvm",
        {"virtualbox": {"version": "6.1.4", "revision": "136177"}},
    ),
    (
        {f"{DMI}sys_vendor": b"VMware, Inc.\n"},
        {"dmidecode": "\tAddress: 0xEA490\n"},
        "physical",
        {"vmware": {"version": "ESXi 6.7"}},
    ),
    ({f"{DMI}sys_vendor": b"Microsoft Corporation"}, {}, "physical", {"hyperv": {}}),
    (
        {f"{DMI}bios_vendor": b"Google", f"{DMI}sys_vendor": b"Google"},
        {},
        "gce",
        {"kvm": {"google": True}},
    ),
    ({f"{DMI}bios_vendor": b"Amazon EC2"}, {}, "kvm", {"kvm": {}}),
]
"""Files and programs of a machine → the facts ``virtual`` and ``hypervisors`` of Facter 4.3."""


@pytest.mark.parametrize(("files", "programs", "virtual", "hypervisors"), MACHINES)
def test_hypervisors(files, programs, virtual, hypervisors):
    world = DictionaryWorld(files, programs={(name,): text for name, text in programs.items()})
    found = virtual_facts(Probe(world))
    assert (found["virtual"], found["hypervisors"]) == (virtual, hypervisors)


def test_nothing_can_be_read():
    found = collect_facts(DictionaryWorld({}), pytest.fail, [])
    assert found["virtual"] == "physical"
    assert "networking" not in found


def test_external_facts_win_and_variables_over_them():
    files = {
        **WORLD.files,
        "/a/role.yaml": b"role: web\nrack: a\nsince: 2024-01-01\n",
        "/a/more.json": b'{"Nested": {"x": [1, null]}}',
        "/a/kernel.txt": b"kernel=Mine\r\nno fact\n=x\n",
        "/a/.hidden.txt": b"hidden=1",
        "/a/readme.md": b"not=read",
        "/a/run": b"#!",
        "/b/role.yaml": b"role: never\nother: b\n",
    }
    world = DictionaryWorld(
        files, programs={("/a/run",): "printed=1\n"}, variables={"FACTER_rack": "r7"}
    )
    found = collect_facts(world, pytest.fail, ["/a", "/b", "/none"])
    assert (found["role"], found["rack"], found["other"]) == ("web", "r7", "b")
    assert found["since"] == "2024-01-01"
    assert found["nested"] == {"x": [1, None]}
    assert (found["kernel"], found["printed"]) == ("Mine", "1")
    assert not {"hidden", "not"} & set(found)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.yaml", b"a: [1"), ("a.json", b"{"), ("a.json", b"[1]"), ("a.yaml", b"a: !!python/x b: c")],
)
def test_broken_external_facts_are_a_warning(name, content):
    found = []
    world = DictionaryWorld({f"/d/{name}": content})
    assert external_facts(world, ["/d"], found.append) == {}
    assert [one.code for one in found] == ["EXTERNAL_FACTS_DROPPED"]
    assert found[0].file == f"/d/{name}"


def test_legacy_facts(facts):
    found = legacy_facts(facts)
    assert found["osfamily"] == "RedHat"
    assert found["ipaddress_eth0_5"] == "10.0.5.9"
    assert found["memorysize_mb"] == 2048.0
    assert found["processor1"] == "CPU X"
    assert found["interfaces"] == "eth0.5,lo"
    assert found["sshed25519key"] == KEY
    assert all(is_legacy(name) for name in found)
    assert not any(is_legacy(name) for name in facts)
    assert without_legacy({**facts, **found}) == facts


def test_command(capsys, monkeypatch, tmp_path):
    (tmp_path / "a.json").write_text('{"role": {"name": "web", "ports": [80, 81]}}')
    assert main(["facts", "show", "--external-dir", str(tmp_path), "role.ports.1", "nix"]) == 0
    assert json.loads(capsys.readouterr().out) == {"nix": "", "role.ports.1": 81}
    arguments = ["facts", "show", "--external-dir", str(tmp_path), "role", "--render-as", "yaml"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "role:\n  name: web\n  ports:\n  - 80\n  - 81\n"
    assert (
        main(["facts", "show", "--external-dir", str(tmp_path), "role.name", "--value-only"]) == 0
    )
    assert capsys.readouterr().out == "web\n"
    assert main(["facts", "show", "--value-only"]) == 2


VOLATILE = {"load_averages", "memory", "system_uptime", "path", "facterversion"}


USED = {"available", "available_bytes", "capacity", "used", "used_bytes"}
OF_IP = {"mtu"} if shutil.which("ip") is None else set()
"""What Facter asks ``ip`` of iproute2 for, and has not without it; bunraku reads ``/sys``."""


def settled(fact):
    """A fact without the free space of disks, which other programs change."""
    if not isinstance(fact, dict):
        return fact
    return {name: settled(value) for name, value in fact.items() if name not in USED | OF_IP}


def test_agrees_with_facter_of_this_machine():
    facter = shutil.which("facter")
    if facter is None:
        pytest.skip("facter is not installed")
    command = [facter, "--json", "--no-external-facts", "--no-custom-facts"]
    theirs = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    ours = collect_facts(Machine(), pytest.fail, [])
    left_out = {"ruby", "augeas", "puppetversion", "aio_agent_version", "os_service_default"}
    for name in sorted(set(theirs) - VOLATILE - left_out):
        assert settled(ours.get(name)) == settled(theirs[name]), name
    for name in VOLATILE & set(theirs) & set(ours):
        assert type(ours[name]) is type(theirs[name])
    assert set(ours["memory"]["system"]) == set(theirs["memory"]["system"])


def test_only_what_finds_the_named_facts_is_run():
    whole = collect_facts(Machine(), [].append, [])
    assert set(collect_facts(Machine(), [].append, [], names=["os.family"])) < set(whole)
    for name in ("os", "networking", "is_virtual", "path"):
        assert collect_facts(Machine(), [].append, [], names=[name]).get(name) == whole.get(name)
    assert set(collect_facts(Machine(), [].append, [], names=["unknown"])) == set(whole)


def test_every_fact_of_a_collector_is_listed_for_it():
    for world in (
        Machine(),
        DictionaryWorld({name: text.encode() for name, text in FILES.items()}),
    ):
        for collector, names in COLLECTORS.items():
            assert set(collector(Probe(world))) <= names
