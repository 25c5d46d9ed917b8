"""Bring a fresh sandbox to the initial state of a case."""

from __future__ import annotations

import datetime as dt
import os
import time
from pathlib import Path
from typing import Any

from rigs.roots import debs
from rigs.roots.case import Case
from rigs.roots.sandbox import Sandbox

LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC).timestamp()
"""The time of files that say no other."""

MODULES = (
    "augeas_core",
    "cron_core",
    "host_core",
    "mailalias",
    "mount_core",
    "sshkeys_core",
    "selinux_core",
)
"""The modules that Puppet's own packages bring along: every case has them."""


def lay_out(case: Case, sandbox: Sandbox) -> None:
    """Make files, units, packages and modules, start systemd, run the case's script."""
    for path, about in case.files.items():
        write(sandbox, path, {"content": about} if isinstance(about, str) else about or {})
    for unit in case.units:
        add_unit(sandbox, unit)
    if case.debs:
        add_packages(sandbox, case.debs)
    for path, text in case.modules.items():
        write(sandbox, f"/rig/modules/{path}", {"content": text})
    modules = sandbox.root / "rig/modules"
    modules.mkdir(parents=True, exist_ok=True)
    for name in (*MODULES, *case.uses, *case.foreign):
        (modules / name).symlink_to(f"/usr/share/puppet/modules/{name}")
    if case.systemd:
        sandbox.boot()
        for unit in case.units:
            if unit.get("running"):
                sandbox.must(["systemctl", "start", unit["name"]])
    if case.shell:
        sandbox.must(["sh", "-ec", case.shell])


def write(sandbox: Sandbox, path: str, about: dict[str, Any]) -> None:
    """Make one path: a folder if it ends with a slash, a link, a fifo, or a file with text or bytes."""
    place = inner_place(sandbox.root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    match about:
        case {"link": target}:
            place.symlink_to(target)
            return
        case {"hardlink": other}:
            place.hardlink_to(sandbox.root / other.strip("/"))
            return
        case {"fifo": _}:
            os.mkfifo(place)
        case {"hex": digits}:
            place.write_bytes(bytes.fromhex(digits))
        case _ if path.endswith("/"):
            place.mkdir(exist_ok=True)
        case _:
            place.write_text(about.get("content", ""), "utf-8")
    for program, name in (("chown", about.get("owner")), ("chgrp", about.get("group"))):
        if name is not None:
            sandbox.must([program, str(name), "/" + path.strip("/")])
    place.chmod(int(str(about.get("mode", "0755" if path.endswith("/") else "0644")), 8))
    when = time.time() - about["age"] if "age" in about else LONG_AGO
    os.utime(place, (when, when))


def inner_place(root: Path, path: str) -> Path:
    """Return a path of a root as a path of this machine; ValueError if a link leads out of the root."""
    place = root / path.strip("/")
    if not place.resolve().is_relative_to(root.resolve()):
        raise ValueError(f"a link in {path} leads out of the root: {place.resolve()}")
    return place


def add_unit(sandbox: Sandbox, about: dict[str, Any]) -> None:
    """Write a service of systemd: name, command, service (more settings), enabled, masked, running."""
    name = about["name"]
    settings = {
        "ExecStart": about.get("command", "/usr/bin/sleep infinity"),
        **about.get("service", {}),
    }
    service = "\n".join(f"{key}={value}" for key, value in settings.items())
    text = (
        f"[Unit]\nDescription={name}\n[Service]\n{service}\n[Install]\nWantedBy=multi-user.target\n"
    )
    write(sandbox, f"/etc/systemd/system/{name}.service", {"content": text})
    for key, action in (("enabled", "enable"), ("masked", "mask")):
        if about.get(key):
            sandbox.must(["systemctl", action, "--quiet", name])


def add_packages(sandbox: Sandbox, wanted: list[dict[str, Any]]) -> None:
    """Build packages: ``at`` says ``repo`` (offered to apt, the default), ``installed``, or a path for the file."""
    repository = sandbox.root / "srv/repo"
    repository.mkdir(parents=True, exist_ok=True)
    for about in wanted:
        at = about.get("at", "repo")
        if at == "repo":
            debs.build(about, repository)
        elif at == "installed":
            folder = sandbox.root / "rig" / about["name"]
            folder.mkdir()
            deb = debs.build(about, folder)
            sandbox.must(["dpkg", "--install", f"/{deb.relative_to(sandbox.root)}"])
        else:
            target = sandbox.root / at.strip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(debs.build(about, sandbox.top).read_bytes())
            target.chmod(0o644)
            os.utime(target, (LONG_AGO, LONG_AGO))
    debs.index(repository)
    source = Path("etc/apt/sources.list.d/rig.list")
    (sandbox.root / source).write_text("deb [trusted=yes] file:/srv/repo ./\n")
    sandbox.must(["apt-get", "-qq", "update"])
