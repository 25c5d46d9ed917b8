"""Resources with wrong values, and Puppet's messages for them."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path

import bunraku
from bunraku import Catalog
from bunraku.apply.validate import run_without_machine
from bunraku.providers.registry import resource_type

HERE = Path(__file__).parents[1] / "apply"
RECORDED = HERE / "wrong_values.json"
KNOWN_DIFFERENCES = {
    "file { '/a': checksum => 'crc' }": "Puppet accepts it; with content, it ends with an undefined method, otherwise it ignores the value",
    "resources { 'nosuch': purge => true }": "unknown types are not checked without a machine; apply refuses it",
    "sshkey { 'a': type => 'nokey', key => 'x' }": "Puppet does not name the host in Sshkey[@]",
    "sshkey { 'a,b': type => 'rsa', key => 'x' }": "Puppet does not name the host in Sshkey[@ssh-rsa]",
    "sshkey { 'a b': type => 'rsa', key => 'x' }": "Puppet does not name the host in Sshkey[@ssh-rsa]",
    "sshkey { 'a': type => ['rsa', 'dsa'], key => 'x' }": "Puppet does not name the host in Sshkey[@]",
    "concat_fragment { 'a': target => '/a', source => 'rel' }": "Puppet refuses it while it applies the catalog, after it has made an empty file",
}
"""Resources of which bunraku does not say what Puppet says, and why."""
OF_MODULES = (
    "anchor",
    "concat_file",
    "concat_fragment",
    "file_line",
    "ini_setting",
    "ini_subsetting",
    "mailalias",
)
"""The types that modules declare in Ruby; a stand-in declares them here."""


def lines() -> list[str]:
    """Return the resources of the table, each as Puppet code."""
    text = (HERE / "wrong_values.pp").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def recorded() -> dict[str, str | None]:
    """Return Puppet's refusal of each resource, None for those that it accepts."""
    found: dict[str, str | None] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def catalog_of(line: str) -> Catalog:
    """Return the catalog of a resource."""
    return bunraku.compile(line, modulepath=[str(modules())])


@cache
def modules() -> Path:
    """Return a directory with a module that declares the types of Debian's modules."""
    folder = Path(tempfile.mkdtemp(prefix="bunraku-types-"))
    atexit.register(shutil.rmtree, folder)
    types = folder / "types/lib/puppet/type"
    types.mkdir(parents=True)
    run = run_without_machine()
    for name in OF_MODULES:
        kind = resource_type(name, run)
        assert kind is not None
        names = dict.fromkeys([kind.namevar, *(one.name for one in kind.attributes)])
        lines = [
            f"  newparam(:{one}, namevar: {str(one == kind.namevar).lower()})" for one in names
        ]
        text = "\n".join([f"Puppet::Type.newtype(:{name}) do", *lines, "end", ""])
        (types / f"{name}.rb").write_text(text, "utf-8")
    return folder
