"""Layers over the base root: Debian's packages that some cases need, installed once for each set of packages.

A layer is the upper directory of an overlay in which apt installed the packages from this machine's own
sources. Services do not start during the installation.
"""

from __future__ import annotations

import fcntl
import hashlib
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from rigs.roots import base

LIMIT = 1200.0
"""Seconds that an installation may take; 20 to 60 are usual."""

SCRIPT = """
cd {layer}
mkdir upper work root
mount -t overlay -o redirect_dir=off,index=off,metacopy=off,lowerdir={base},upperdir=upper,workdir=work overlay root
cd root
mount -t proc proc proc
mount --rbind /dev dev
cp /etc/resolv.conf etc/resolv.conf
printf '#!/bin/sh\nexit 101\n' >usr/sbin/policy-rc.d
chmod 755 usr/sbin/policy-rc.d
mkdir -p etc/apt/sources.list.d
cp {sources} etc/apt/sources.list.d/
printf '%s;\\n' {options} >etc/apt/apt.conf.d/99layer
export DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 TMPDIR=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin
chroot . apt-get -q update
chroot . apt-get -q -y install {packages}
chroot . apt-get clean
rm -rf etc/apt/sources.list.d/* etc/apt/apt.conf.d/99layer var/lib/apt/lists/* usr/sbin/policy-rc.d
: >etc/resolv.conf
"""


def of(packages: Sequence[str]) -> list[Path]:
    """Return the directories of a root with packages, the uppermost first; RigError if it cannot be made."""
    root = base.ensure()
    if not packages:
        return [root]
    wanted = sorted(set(packages))
    name = hashlib.sha256(" ".join([root.name, *wanted]).encode()).hexdigest()[:12]
    layer = base.CACHE / f"layer-{name}"
    if not layer.exists():
        with (base.CACHE / f"{layer.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not layer.exists():
                make(layer, root, wanted)
    return [layer / "upper", root]


def make(layer: Path, root: Path, packages: Sequence[str]) -> None:
    """Install packages in a new layer; RigError with the last lines of apt if that fails."""
    fresh = layer.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    script = SCRIPT.format(
        layer=shlex.quote(str(fresh)),
        base=shlex.quote(str(root)),
        sources=shlex.join(base.apt_sources()),
        options=shlex.join(base.apt_options()),
        packages=shlex.join(packages),
    )
    try:
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-ec", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise base.RigError(f"{', '.join(packages)} were not installed in {LIMIT:.0f} s") from error
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines()[-3:]
        raise base.RigError(f"{', '.join(packages)} cannot be installed: {' / '.join(lines)}")
    shutil.rmtree(fresh / "work", ignore_errors=True)
    fresh.rename(layer)
