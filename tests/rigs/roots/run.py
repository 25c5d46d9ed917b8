"""Run a case with bunraku or with real Puppet."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bunraku.providers.index import type_class
from rigs.roots import base, case, layers
from rigs.roots.sandbox import NAMESPACES

LIMIT = 900.0
"""Seconds that a case may take; a few are usual."""

SOURCE = Path(__file__).parents[3] / "src"


@dataclass(frozen=True)
class Program:
    """A command that applies a manifest, and its requirements in the root."""

    command: str
    binds: dict[str, str] = field(default_factory=dict)
    """Folders of this machine by their place in the root."""
    is_puppet: bool = False
    """Whether the program needs the Ruby code of modules that Debian lacks."""


VARIABLES = {
    "PYTHONPATH": "/opt/bunraku/source:/opt/bunraku/packages",
    "PYTHONPYCACHEPREFIX": "/opt/bunraku/bytecode",
}
"""The environment in which ``python3 -m bunraku`` is this source tree, where no case needs its own."""

# No variables: the commands of the cases would inherit them.
BUNRAKU = (
    "python3 -X pycache_prefix=/opt/bunraku/bytecode -c '"
    'import runpy, sys; sys.path[:1] = ["/opt/bunraku/source", "/opt/bunraku/packages"]; '
    'runpy.run_module("bunraku", run_name="__main__")\' '
    "apply --verbose"
)
PUPPET = Program(
    "puppet apply --color=false --verbose --modulepath {modulepath} {options} {manifest}",
    is_puppet=True,
)


def bunraku(options: Sequence[str] = ()) -> Program:
    """Return this source tree, run by the root's own Python with the packages of this environment.

    Bytecode is kept between the cases: without it each run would compile all modules.
    """
    bytecode = base.CACHE / "bytecode" / hashlib.sha256(str(SOURCE).encode()).hexdigest()[:12]
    bytecode.mkdir(parents=True, exist_ok=True)
    folders = {
        "source": SOURCE,
        "packages": Path(sysconfig.get_path("purelib")),
        "bytecode": bytecode,
    }
    return Program(
        f"{BUNRAKU} {shlex.join(options)} --modulepath {{modulepath}} {{options}} {{manifest}}",
        {f"/opt/bunraku/{name}": str(folder) for name, folder in folders.items()},
    )


def lent_modules(path: Path) -> dict[str, Path]:
    """Return the modules of a case that the root lacks, by name, and where this machine has them.

    RigError names a module that this machine lacks, too.
    """
    found = {}
    for name in case.load(path).uses:
        if (base.ensure() / "usr/share/puppet/modules" / name).is_symlink():
            continue
        folder = Path("/etc/alternatives") / f"puppet-module-{name}"
        if not folder.is_dir():
            raise base.RigError(f"Debian's package of the module {name} is not installed")
        found[name] = folder.resolve()
    return found


def foreign_modules(asked: case.Case) -> dict[str, Path]:
    """Return where this machine has the modules of a case that Debian lacks (BUNRAKU_RIG_MODULES).

    RigError names a module that is not there.
    """
    place = os.environ.get("BUNRAKU_RIG_MODULES")
    if asked.foreign and place is None:
        raise base.RigError("BUNRAKU_RIG_MODULES does not name the directory of foreign modules")
    found = {name: Path(place or "", name) for name in asked.foreign}
    for name, folder in found.items():
        if not folder.is_dir():
            raise base.RigError(f"the foreign module {name} is not in {place}")
    return found


def stubs(asked: case.Case) -> dict[str, str]:
    """Return files of types, which stand for the foreign modules of a case: text by path.

    They declare the attributes only, which is what a compile needs. bunraku's own providers do the rest.
    """
    return {
        f"{module}/lib/puppet/type/{name}.rb": stub(name)
        for module, names in asked.foreign.items()
        for name in names
    }


def stub(name: str) -> str:
    """Return Ruby code that declares the attributes of one of bunraku's types."""
    kind = type_class(name)
    lines = [
        f"  new{'property' if one.is_property else 'param'}(:{one.name}"
        f"{', namevar: true' if one.name == kind.namevar else ''})"
        for one in kind.attributes
    ]
    lines += ["  newparam(:provider)"] if kind.providers else []
    return "\n".join([f"Puppet::Type.newtype(:{name}) do", *lines, "end", ""])


def check_sandbox() -> None:
    """Raise RigError if this machine cannot mount a root and start systemd in it."""
    in_namespaces({"base": [str(base.ensure())], "binds": {}}, "a root with systemd")


def run_case(path: Path, program: Program) -> dict[str, Any]:
    """Return the outcome of a case; RigError if it cannot be set up or does not end."""
    asked = case.load(path)
    modules = lent_modules(path) | (foreign_modules(asked) if program.is_puppet else {})
    lent = {f"/usr/share/puppet/modules/{name}": folder for name, folder in modules.items()}
    request = {
        "case": str(path.resolve()),
        "stubs": {} if program.is_puppet else stubs(asked),
        "base": [str(folder) for folder in layers.of(asked.packages)],
        "command": program.command,
        "binds": program.binds | {place: str(folder) for place, folder in lent.items()},
    }
    return in_namespaces(request, path.stem)


def in_namespaces(request: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the outcome of a request to ``inside.py``, which runs in fresh namespaces."""
    with tempfile.TemporaryDirectory(prefix="bunraku-rig-") as scratch:
        folder = Path(scratch)
        (folder / "request.json").write_text(json.dumps(request))
        inside = [sys.executable, str(Path(__file__).parent / "inside.py"), scratch]
        try:
            done = subprocess.run(
                ["unshare", *NAMESPACES, *inside],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise base.RigError(f"{name} did not end in {LIMIT:.0f} seconds") from error
        if done.returncode != 0:
            raise base.RigError(f"{name} cannot be run: {done.stderr.strip()}")
        found: dict[str, Any] = json.loads((folder / "outcome.json").read_text())
        return found
