"""Resources with wrong values, and Puppet's messages for them."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

import bunraku
from bunraku import Catalog
from bunraku.apply.validate import run_without_machine
from bunraku.catalog.schema.builtin import builtin_resource_type
from bunraku.providers.registry import resource_type, type_names

HERE = Path(__file__).parents[1] / "apply"
RECORDED = HERE / "wrong_values.json"
KNOWN_DIFFERENCES = {
    "file { '/a': checksum => 'crc' }": "Puppet accepts it; with content, it ends with an undefined method, otherwise it ignores the value",
    "resources { 'nosuch': purge => true }": "unknown types are not checked without a machine; apply refuses it",
    "sshkey { 'a': type => 'nokey', key => 'x' }": "Puppet does not name the host in Sshkey[@]",
    "sshkey { 'a,b': type => 'rsa', key => 'x' }": "Puppet does not name the host in Sshkey[@ssh-rsa]",
    "sshkey { 'a b': type => 'rsa', key => 'x' }": "Puppet does not name the host in Sshkey[@ssh-rsa]",
    "sshkey { 'a': type => ['rsa', 'dsa'], key => 'x' }": "Puppet does not name the host in Sshkey[@]",
    "alternatives { 'editor': path => 'vim.basic' }": "on Red Hat, a family is accepted; without a machine, the system is not known",
    "concat_fragment { 'a': target => '/a', source => 'rel' }": "Puppet refuses it while it applies the catalog, after it has made an empty file",
}
"""Resources of which bunraku does not say what Puppet says, and why."""

OWN_WORDS = ("undefined method", "no implicit conversion", "TypeError", "can't convert")
"""Words of refusals in which Ruby itself complains of the kind of a value: ours have other words."""
CLASS_OF_ERROR = re.compile(r"[A-Z]\w*(::\w+)*: ")


def agrees(found: list[str], expected: str | None) -> bool:
    """Return whether bunraku's refusals are Puppet's.

    Puppet does not name the resource in some of its refusals; ours always do.
    """
    if expected is None or found == [expected]:
        return found == ([] if expected is None else [expected])
    if any(words in expected for words in OWN_WORDS):
        return len(found) == 1
    named = " failed on " in expected or expected.startswith("Validation of ")
    reason = CLASS_OF_ERROR.sub("", expected, count=1)
    return not named and len(found) == 1 and found[0].endswith(f": {reason}")


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
    """Return a directory with a stand-in for the modules of all types that Puppet's core lacks."""
    folder = Path(tempfile.mkdtemp(prefix="bunraku-types-"))
    atexit.register(shutil.rmtree, folder)
    types = folder / "types/lib/puppet/type"
    types.mkdir(parents=True)
    run = run_without_machine()
    for name in type_names():
        if builtin_resource_type(name) is not None:
            continue
        kind = resource_type(name, run)
        assert kind is not None
        provider = ["provider"] if kind.providers else []
        names = dict.fromkeys([kind.namevar, *(one.name for one in kind.attributes), *provider])
        lines = [
            f"  newparam(:{one}, namevar: {str(one == kind.namevar).lower()})" for one in names
        ]
        text = "\n".join([f"Puppet::Type.newtype(:{name}) do", *lines, "end", ""])
        (types / f"{name}.rb").write_text(text, "utf-8")
    return folder
