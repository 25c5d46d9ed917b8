"""Prepared machines for facts: programs and files that facts read, and the facts of other operating systems.

On a bare machine nearly all facts of modules have no value, because what they describe is not installed.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COMMON: dict[str, Any] = {
    "is_virtual": False,
    "virtual": "physical",
    "interfaces": "eth0,lo",
    "macaddress": "02:fc:00:00:00:01",
    "mountpoints": {
        "/": {"device": "/dev/sda1", "filesystem": "ext4", "options": ["rw"], "size_bytes": 1 << 30}
    },
    "system_uptime": {"days": 3, "hours": 77, "seconds": 277201, "uptime": "3 days"},
}
"""Facts for which Facter reads what a sandbox hides (``/proc/1/environ``, devices)."""

SYSTEMS: dict[str, dict[str, Any]] = {
    "debian": {},
    "redhat": {
        "os": {
            "name": "Rocky", "family": "RedHat", "architecture": "x86_64", "hardware": "x86_64",
            "release": {"full": "9.4", "major": "9", "minor": "4"},
            "selinux": {"enabled": True, "enforced": True, "current_mode": "enforcing"},
        },
        "operatingsystem": "Rocky", "osfamily": "RedHat", "operatingsystemrelease": "9.4",
        "operatingsystemmajrelease": "9", "selinux": True,
    },
    "suse": {
        "os": {"name": "SLES", "family": "Suse", "release": {"full": "15.5", "major": "15", "minor": "5"}},
        "operatingsystem": "SLES", "osfamily": "Suse", "operatingsystemrelease": "15.5",
        "operatingsystemmajrelease": "15",
    },
    "gentoo": {
        "os": {"name": "Gentoo", "family": "Gentoo", "release": {"full": "2.15", "major": "2", "minor": "15"}},
        "operatingsystem": "Gentoo", "osfamily": "Gentoo", "operatingsystemrelease": "2.15",
    },
    "freebsd": {
        "kernel": "FreeBSD", "kernelrelease": "14.0-RELEASE",
        "os": {"name": "FreeBSD", "family": "FreeBSD", "release": {"full": "14.0-RELEASE", "major": "14"}},
        "operatingsystem": "FreeBSD", "osfamily": "FreeBSD", "operatingsystemrelease": "14.0-RELEASE",
    },
    "darwin": {
        "kernel": "Darwin",
        "os": {"name": "Darwin", "family": "Darwin", "release": {"full": "23.1.0", "major": "23", "minor": "1"}},
        "operatingsystem": "Darwin", "osfamily": "Darwin", "macosx_productversion_major": "14.1",
    },
    "solaris": {
        "kernel": "SunOS",
        "os": {"name": "Solaris", "family": "Solaris", "release": {"full": "11.4", "major": "11", "minor": "4"}},
        "operatingsystem": "Solaris", "osfamily": "Solaris",
    },
    "windows": {
        "kernel": "windows", "kernelmajversion": "10.0",
        "os": {"name": "windows", "family": "windows", "release": {"full": "2019", "major": "2019"}},
        "operatingsystem": "windows", "osfamily": "windows", "operatingsystemrelease": "2019",
    },
}  # fmt: skip
"""Operating system → the facts that differ from those of the machine."""

PROGRAMS: dict[str, dict[str, str]] = {
    "apt-cache": {"*": "Package: samba\nVersion: 2:4.17.12+dfsg-0+deb12u1\n"},
    "apt-get": {
        "*": "Inst bash [5.2-1] (5.2-2 Debian:12/stable [amd64])\n"
        "Inst openssl [3.0.9-1] (3.0.11-1 Debian-Security:12/stable-security [amd64])\n"
    },
    "blkid": {
        "*-s UUID*": "2c4a7f5e-7d0b-4bd1-a0a2-6a7a9d3b6f11\n",
        "*": '/dev/sda1: UUID="2c4a" TYPE="ext4"\n',
    },
    "certbot": {"*": "certbot 2.1.0\n"},
    "consul": {"*": "Consul v1.16.1\nRevision e0ab4d29\n"},
    "docker": {
        "version*": '{"Client":{"Version":"24.0.5","ApiVersion":"1.43"},"Server":{"Version":"24.0.5","ApiVersion":"1.43"}}\n',
        "info*": '{"ID":"AB","Containers":3,"Images":7,"Driver":"overlay2","Swarm":{"LocalNodeState":"active","ControlAvailable":true,"NodeID":"n1"}}\n',
        "network ls*": "NETWORK ID NAME DRIVER SCOPE\nd1 bridge bridge local\nd2 mynet overlay swarm\n",
        "network inspect*": '[{"Name":"bridge","Id":"d1","Driver":"bridge","Containers":{}}]\n',
        "swarm join-token*": "SWMTKN-1-abc-def\n",
        "*": "alpha\n",
    },
    "dpkg-query": {"*": "install ok installed 1.2.3-4\n"},
    "erl": {"*": '"/usr/lib/erlang/lib/ssl-10.8.7/ebin"'},
    "find": {},
    "getenforce": {"*": "Enforcing\n"},
    "gluster": {
        "peer status*": "Number of Peers: 1\n\nHostname: gfs2\nUuid: 1234\nState: Peer in Cluster (Connected)\n",
        "volume list*": "data\nbackup\n",
        "volume info*--xml": "<?xml version='1.0'?><cliOutput><volInfo><volumes><volume><name>data</name><bricks>"
        "<brick><name>gfs1:/b1</name></brick></bricks><options><option><name>auth.allow</name><value>*</value>"
        "</option></options></volume></volumes></volInfo></cliOutput>\n",
        "*--xml": "<?xml version='1.0'?><cliOutput><opRet>0</opRet></cliOutput>\n",
        "*": "Volume Name: data\nBricks:\nBrick1: gfs1:/b1\nOptions Reconfigured:\nauth.allow: *\n",
    },
    "haproxy": {"*": "HA-Proxy version 2.6.12-1 2023/03/28 - https://haproxy.org/\n"},
    "ip": {
        "route*": "default via 192.0.2.1 dev eth0 proto static\n192.0.2.0/24 dev eth0 proto kernel scope link src 192.0.2.7\n",
        "*": "2: eth0: <UP> mtu 1500\n    inet 192.0.2.7/24 brd 192.0.2.255 scope global eth0\n",
    },
    "ip6tables": {"*": "ip6tables v1.8.9 (nf_tables)\n"},
    "ipmitool": {
        "lan print*": "IP Address Source : Static\nIP Address : 192.0.2.9\nSubnet Mask : 255.255.255.0\nMAC Address : 00:11:22:33:44:55\n",
        "*": "Device ID : 32\nFirmware Revision : 2.60\nManufacturer ID : 674\n",
    },
    "iptables": {"*": "iptables v1.8.9 (nf_tables)\n"},
    "java": {
        "*": 'openjdk version "17.0.8" 2023-07-18\nOpenJDK Runtime Environment (build 17.0.8+7)\n    java.home = /usr/lib/jvm/java-17\n'
    },
    "lldpctl": {
        "*": "<?xml version='1.0'?><lldp label='LLDP'><interface label='Interface' name='eth0'/></lldp>\n"
    },
    "lvs": {"*": "  root vg0 -wi-ao---- 20.00\n  swap vg0 -wi-ao---- 2.00\n"},
    "mysql": {
        "--version*": "mysql  Ver 15.1 Distrib 10.11.4-MariaDB, for debian-linux-gnu (x86_64)\n",
        "*": "1\n",
    },
    "mysqld": {"*": "mysqld  Ver 10.11.4-MariaDB-1~deb12u1 for debian-linux-gnu on x86_64\n"},
    "nginx": {"*": "nginx version: nginx/1.22.1\n"},
    "nmcli": {"*": "nmcli tool, version 1.42.4\n"},
    "openssl": {
        "version*": "OpenSSL 3.0.11 19 Sep 2023 (Library: OpenSSL 3.0.11 19 Sep 2023)\n",
        "*": "sha256\n",
    },
    "php": {
        "*": "PHP 8.2.7 (cli) (built: Jun  9 2023 19:37:27) (NTS)\nCopyright (c) The PHP Group\n"
    },
    "pip": {"*": "pip 23.0.1 from /usr/lib/python3/dist-packages/pip (python 3.11)\n"},
    "pip3": {"*": "pip 23.0.1 from /usr/lib/python3/dist-packages/pip (python 3.11)\n"},
    "podman": {"*": "podman version 4.3.1\n"},
    "psql": {"*": "psql (PostgreSQL) 15.3 (Debian 15.3-0+deb12u1)\n"},
    "pvs": {"*": "  /dev/sda2 vg0 lvm2 a--  20.00 1.00\n"},
    "python": {"*": "Python 2.7.18\n"},
    "python2": {"*": "Python 2.7.18\n"},
    "python3": {"*": "Python 3.11.2\n"},
    "rabbitmqadmin": {"*": "rabbitmqadmin 3.10.8\n"},
    "rabbitmqctl": {
        "status*": 'Status of node rabbit@vm ...\n[{pid,1},{running_applications,[{rabbit,"RabbitMQ","3.10.8"}]}]\n',
        "*": '"/usr/lib/rabbitmq/plugins"\n[{nodes,[{disc,[rabbit@vm]}]},{cluster_name,<<"rabbit@vm">>}]\n',
    },
    "redis-server": {
        "*": "Redis server v=7.0.11 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1\n"
    },
    "rpm": {"*": "bash-5.1.8-6.el9.x86_64\nopenssl-3.0.7-24.el9.x86_64\n"},
    "rsyslogd": {
        "*": "rsyslogd  8.2302.0 (aka 2023.02) compiled with:\n\tFEATURE_REGEXP:\t\tYes\n"
    },
    "ssh": {"*": "OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.9 30 May 2023\n"},
    "sshd": {
        "-T": "port 22\nciphers aes256-ctr\n",
        "*": "OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.9 30 May 2023\n",
    },
    "sudo": {"*": "Sudo version 1.9.13p3\nSudoers policy plugin version 1.9.13p3\n"},
    "svn": {"*": "1.14.2\n"},
    "sysctl": {"*": "kernel.shmmax = 18446744073692774399\nvm.swappiness = 60\n"},
    "systemctl": {
        "--version*": "systemd 252 (252.6-1)\n+PAM +AUDIT\n",
        "show*": "MainPID=17\nActiveState=active\n",
        "*": "active\n",
    },
    "systemd-detect-virt": {"*": "kvm\n"},
    "tuned-adm": {"*active*": "Current active profile: virtual-guest\n", "*": "virtual-guest\n"},
    "unbound": {"*": "Version 1.17.1\n\nConfigure line: --with-libevent\n"},
    "vgs": {"*": "  vg0\n  data\n"},
    "virtualenv": {"*": "virtualenv 20.17.1+ds from /usr/lib/python3\n"},
    "yum": {
        "*": "Updated Packages\nbash.x86_64  5.1.8-9.el9  baseos\nopenssl.x86_64  3.0.7-25.el9  baseos\n"
    },
    "zfs": {
        "*": "The following filesystem versions are supported:\n 1   Initial ZFS filesystem version\n 5   Enhanced\n"
    },
    "zpool": {"*": "This system supports ZFS pool feature flags.\nNAME\ntank\n"},
}
"""Program → a pattern of its arguments → what it prints."""
OTHERS = """
    auditctl automount borg collectd crypto-policies dnf easyrsa eselect firewall-cmd firewall-offline-cmd fw_cmd grub-mkconfig
    grub2-mkconfig icinga2 initctl ipa keepalived kinit klist mariadb mariadbd mesos-master mongod mongosh needs-restarting
    netstat nft nodetool nomad openresty pacman platform-python portageq prelink proxysql puppetdb sar service sinfo slurmctld
    slurmd slurmdbd sql ss update-crypto-policies valkey-server VBoxManage vmware-toolbox-cmd xcode-select zdb node npm gem go
    git ruby-build rbenv facter-program kubectl kubelet helm etcd etcdctl vault terraform nomad telegraf influxd grafana-server
    elasticsearch kibana logstash filebeat metricbeat mongo pg_config pgbouncer postgres postconf exim dovecot httpd apache2ctl
    apachectl varnishd squid named bind unbound-control chronyc ntpq ntpd timedatectl hostnamectl localectl loginctl getcap
    snmpget snmpd zabbix_agentd zabbix_server nagios icinga sensu-agent crictl containerd runc lxc lxd virsh qemu-img
    vmtoolsd dmidecode lshw lspci smartctl mdadm multipath iscsiadm megacli MegaCli storcli hpacucli ssacli omreport
    lsuser dscacheutil sw_vers pkg pkg_info pkgutil zonename prtconf psrinfo emerge equery zypper snap flatpak
""".split()  # noqa: SIM905
"""Further programs; they print a version and some lines."""
GENERIC = "{name} version 3.4.5 (release 2, built 2023-03-04)\nname: alpha\nstate = running\nsize: 10.5 MB\n"

FILES: dict[str, str] = {
    "/boot/grub/grub.cfg": "set default=0\n",
    "/etc/certbot/live/example.com/README": "x\n",
    "/etc/cvmfs/cvmfsfacts.yaml": "---\ncvmfspartsize: 20000\n",
    "/etc/foreman/dynflow/worker.yml": "---\n:concurrency: 5\n",
    "/etc/hostid": "abcd",
    "/etc/ipa/default.conf": "[global]\nbasedn = dc=example,dc=com\nrealm = EXAMPLE.COM\ndomain = example.com\nserver = ipa.example.com\n",
    "/etc/letsencrypt/live/example.com/cert.pem": "x\n",
    "/etc/libvirt/libvirt_uuid": "6f2f2f6e-0000-4000-8000-000000000001\n",
    "/etc/mongod.conf": "net:\n  port: 27017\n  bindIp: 127.0.0.1\n",
    "/etc/network/interfaces": "auto lo\niface lo inet loopback\n",
    "/etc/puppetlabs/puppetserver/bootstrap.cfg": "puppetlabs.services.ca.certificate-authority-service/certificate-authority-service\n",
    "/etc/ssh/sshd_config": "Port 22\nPermitRootLogin no\n",
    "/etc/sssd/sssd.conf": "[sssd]\ndomains = example.com\nservices = nss, pam\n[domain/example.com]\nid_provider = ldap\n",
    "/etc/sysconfig/network": "NETWORKING=yes\nHOSTNAME=web1\n",
    "/etc/sysconfig/prelink": "PRELINKING=yes\n",
    "/etc/wls_domains.yaml": "---\ndomains: {}\n",
    "/opt/puppetlabs/server/pe_version": "2023.4.0\n",
    "/opt/puppetlabs/server/pe_build": "2023.4.0\n",
    "/opt/splunk/etc/splunk.version": "VERSION=9.1.0\nBUILD=1c86ca0bacc3\nPRODUCT=splunk\nPLATFORM=Linux-x86_64\n",
    "/root/.my.cnf": "[client]\nuser=root\n",
    "/root/.ssh/id_rsa.pub": "ssh-rsa AAAAB3NzaC1yc2E root@vm\n",
    "/srv/bitwarden/bwdata/env/global.override.env": "globalSettings__installation__id=1234\n",
    "/usr/local/rvm/bin/rvm": "#!/bin/sh\necho 'rvm 1.29.12 (latest) by Michal Papis'\n",
    "/usr/share/doc/auditd/examples/rules/10-base-config.rules": "-D\n",
    "/usr/share/easy-rsa/easyrsa": "#!/bin/sh\necho 'Version: 3.1.0'\n",
    "/usr/share/grafana/VERSION": "9.5.3\n",
    "/var/lib/BackupPC/.ssh/id_rsa.pub": "ssh-rsa AAAAB3NzaC1yc2E backuppc@vm\n",
    "/var/lib/backuppc/.ssh/id_rsa.pub": "ssh-rsa AAAAB3NzaC1yc2E backuppc@vm\n",
    "/var/lib/jenkins/config.xml": "<hudson><version>2.401.1</version></hudson>\n",
    "/var/lib/net-snmp/snmpd.conf": "oldEngineID 0x80001f8880\n",
    "/var/lib/nomad/server/node-id": "5f0b3a3e-0000-4000-8000-000000000002",
    "/var/lib/pgsql/.ssh/id_rsa.pub": "ssh-rsa AAAA postgres@vm\n",
    "/var/lib/snmp/snmpd.conf": "oldEngineID 0x80001f8880\n",
    "/var/run/reboot-required": "*** System restart required ***\n",
}  # fmt: skip
"""Files that facts read; they are only there in a mount namespace (see :func:`mount_files`)."""
REPLACED = frozenset({"apt-get"})
"""Programs that take the place of the machine's."""
MOUNTED = ("boot", "etc", "opt", "root", "srv", "usr", "var")


def write_programs(directory: Path) -> None:
    """Write the programs to a directory, which goes to the front of PATH."""
    directory.mkdir(parents=True)
    answers = {**{name: {"*": GENERIC.format(name=name)} for name in OTHERS}, **PROGRAMS}
    for name, cases in answers.items():
        if cases:
            write_program(directory / name, cases)


def write_program(path: Path, cases: Mapping[str, str]) -> None:
    """Write a program that prints the text of the first pattern that its arguments match."""
    lines = [
        f"{shell_pattern(pattern)}) cat <<'END'\n{text.rstrip(chr(10))}\nEND\n;;"
        for pattern, text in cases.items()
    ]
    path.write_text('#!/bin/sh\ncase "$*" in\n' + "\n".join(lines) + "\nesac\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def shell_pattern(pattern: str) -> str:
    """Return a pattern whose stars alone are special."""
    return "*".join(f"'{part}'" if part else "" for part in pattern.split("*"))


def write_system(directory: Path, name: str) -> None:
    """Write the facts of an operating system as external facts."""
    directory.mkdir(parents=True)
    (directory / "system.json").write_text(json.dumps({**COMMON, **SYSTEMS[name]}))


def mount_files(scratch: Path, programs: Path) -> None:
    """Lay the files over the disk of this process's mount namespace; root alone can do this.

    Programs are in ``/usr/bin`` and ``/usr/sbin`` too if the machine does not have them there.
    """
    scratch.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(scratch)], check=True)
    for name in MOUNTED:
        for kind in ("upper", "work"):
            (scratch / kind / name).mkdir(parents=True)
    for path, content in FILES.items():
        target = scratch / "upper" / path[1:]
        if not os.path.exists(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content)
            target.chmod(0o755 if content.startswith("#!") else 0o644)
    for program in programs.iterdir():
        target = scratch / "upper" / "usr" / "bin" / program.name
        if program.name in REPLACED or not os.path.exists(f"/usr/bin/{program.name}"):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(program.read_bytes())
            target.chmod(0o755)
    for name in MOUNTED:
        layers = f"lowerdir=/{name},upperdir={scratch}/upper/{name},workdir={scratch}/work/{name}"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, f"/{name}"], check=True)
