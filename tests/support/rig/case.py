"""Cases: reading them, and laying out their initial state in a root."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from support.rig.container import Root

LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC).timestamp()
CORE_MODULES = (
    "augeas_core",
    "cron_core",
    "host_core",
    "mailalias",
    "mount_core",
    "sshkeys_core",
    "selinux_core",
)
KEYS = {"title", "topic", "about", "uses", "systemd", "files", "debs", "units", "shell", "modules", "manifest", "options",
        "runs", "watch", "compare", "environment"}  # fmt: skip


@dataclass
class Case:
    """One case: what there is at first, the manifest, and how it is applied."""

    name: str
    title: str
    topic: str
    manifest: str
    uses: list[str] = field(default_factory=list)  # Debian's modules wanted besides the core ones
    systemd: bool = False  # boot the root with real systemd
    files: dict[str, Any] = field(default_factory=dict)
    debs: list[dict[str, Any]] = field(default_factory=list)
    units: list[dict[str, Any]] = field(default_factory=list)
    shell: str = ""
    modules: dict[str, str] = field(default_factory=dict)
    options: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    runs: list[dict[str, Any]] = field(default_factory=lambda: [{}, {}])
    watch: list[str] = field(default_factory=list)  # units whose state is captured
    compare: list[str] = field(
        default_factory=list
    )  # levels that count for this case (default: all)


def load(path: Path) -> Case:
    """Read one case; an unknown key is an error."""
    data = yaml.safe_load(path.read_text("utf-8"))
    if unknown := set(data) - KEYS:
        raise SystemExit(f"rig: {path}: unknown keys {sorted(unknown)}")
    data.pop("about", None)
    data["options"] = [str(option) for option in data.get("options", [])]
    return Case(name=path.stem, **data)


def lay_out(case: Case, root: Root) -> None:
    """Bring a fresh root to the case's initial state."""
    for path, spec in case.files.items():
        put(root.path, path, spec)
    for spec in case.units:
        add_unit(root, spec)
    add_packages(case.debs, root)
    rig = root.path / "rig"
    for path, text in case.modules.items():
        put(root.path, f"/rig/modules/{path}", text)
    (rig / "modules").mkdir(parents=True, exist_ok=True)
    for module in (*CORE_MODULES, *case.uses):
        (rig / "modules" / module).symlink_to(f"/usr/share/puppet/modules/{module}")
    if case.systemd:
        root.boot()
        for spec in case.units:
            if spec.get("running"):
                check(root.run(["systemctl", "start", spec["name"]]), f"starting {spec['name']}")
    if case.shell:
        check(root.run(case.shell), "shell")


def check(done: subprocess.CompletedProcess[bytes], what: str) -> None:
    """Stop when a step of the layout failed: the case itself is wrong."""
    if done.returncode != 0:
        raise SystemExit(
            f"rig: layout failed ({what}): {done.stdout.decode()}{done.stderr.decode()}"
        )


def put(root: Path, path: str, spec: Any) -> None:
    """Make one path. A string is a file's content; a mapping may say content, hex, link, hardlink, fifo, mode, owner, group, age."""
    spec = {"content": spec} if isinstance(spec, str) else dict(spec or {})
    place = root / path.strip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    if "link" in spec:
        place.symlink_to(spec["link"])
        return
    if "hardlink" in spec:
        os.link(root / spec["hardlink"].strip("/"), place)
        return
    if path.endswith("/"):
        place.mkdir(exist_ok=True)
        mode = "0755"
    elif "fifo" in spec:
        os.mkfifo(place)
        mode = "0644"
    else:
        place.write_bytes(
            bytes.fromhex(spec["hex"]) if "hex" in spec else spec.get("content", "").encode()
        )
        mode = "0644"
    for option in ("owner", "group"):
        if option in spec:
            program = "chown" if option == "owner" else "chgrp"
            subprocess.run(
                ["chroot", root, program, str(spec[option]), "/" + path.strip("/")], check=True
            )
    os.chmod(place, int(str(spec.get("mode", mode)), 8))
    when = dt.datetime.now(dt.UTC).timestamp() - spec["age"] if "age" in spec else LONG_AGO
    os.utime(place, (when, when))


def add_unit(root: Root, spec: dict[str, Any]) -> None:
    """Write a small systemd service: name, command (default: sleep), enabled, reload, extra lines for [Service]."""
    lines = ["[Unit]", f"Description={spec['name']}", "[Service]"]
    lines += [f"ExecStart={spec.get('command', '/usr/bin/sleep infinity')}"]
    lines += [f"{key}={value}" for key, value in spec.get("service", {}).items()]
    lines += ["[Install]", "WantedBy=multi-user.target", ""]
    put(root.path, f"/etc/systemd/system/{spec['name']}.service", "\n".join(lines))
    if spec.get("enabled"):
        check(root.run(["systemctl", "enable", "-q", spec["name"]]), "enable")
    if spec.get("masked"):
        check(root.run(["systemctl", "mask", "-q", spec["name"]]), "mask")


def build_deb(spec: dict[str, Any], folder: Path) -> Path:
    """Make one .deb: name, version, files, conffiles, depends, conflicts, provides, scripts (postinst: text …)."""
    name, version = spec["name"], str(spec.get("version", "1.0"))
    tree = Path(tempfile.mkdtemp(dir=folder))
    tree.chmod(0o755)
    for path, text in spec.get("files", {f"/usr/share/{name}/version": version + "\n"}).items():
        put(tree, path, text)
    control = tree / "DEBIAN"
    control.mkdir()
    fields = {
        "Package": name, "Version": version, "Architecture": "all", "Maintainer": "Rig <rig@example.test>",
        "Depends": spec.get("depends"), "Conflicts": spec.get("conflicts"), "Provides": spec.get("provides"),
        "Description": f"test package {name}\n Made by the apply rig.",
    }  # fmt: skip
    (control / "control").write_text(
        "".join(f"{key}: {value}\n" for key, value in fields.items() if value)
    )
    if "conffiles" in spec:
        (control / "conffiles").write_text("".join(f"{path}\n" for path in spec["conffiles"]))
    for script, text in spec.get("scripts", {}).items():
        (control / script).write_text("#!/bin/sh\nset -e\n" + text)
        (control / script).chmod(0o755)
    target = folder / f"{name}_{version.replace(':', '%3a')}_all.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, target],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.rmtree(tree)
    return target


def add_packages(specs: list[dict[str, Any]], root: Root) -> None:
    """Make the case's packages: `at: installed` puts one on the root, `at: repo` offers it to apt, `at: PATH` leaves the file there."""
    if not specs:
        return
    repository = root.path / "srv/repo"
    repository.mkdir(parents=True, exist_ok=True)
    index = ""
    for spec in specs:
        at = spec.get("at", "repo")
        folder = repository if at == "repo" else Path(tempfile.mkdtemp(dir=root.path / "rig"))
        deb = build_deb(spec, folder)
        if at == "repo":
            control = subprocess.run(
                ["dpkg-deb", "-f", deb], capture_output=True, text=True, check=True
            ).stdout
            body = deb.read_bytes()
            index += f"{control}Filename: ./{deb.name}\nSize: {len(body)}\nSHA256: {hashlib.sha256(body).hexdigest()}\n\n"
        elif at == "installed":
            check(
                root.run(["dpkg", "-i", "/" + str(deb.relative_to(root.path))]),
                f"installing {deb.name}",
            )
        else:
            put(root.path, at, {"hex": deb.read_bytes().hex()})
    (repository / "Packages").write_text(index)
    (repository / "Packages.gz").write_bytes(gzip.compress(index.encode(), mtime=0))
    (root.path / "etc/apt/sources.list.d/rig.list").write_text(
        "deb [trusted=yes] file:/srv/repo ./\n"
    )
    check(root.run(["apt-get", "-qq", "update"]), "apt-get update")
