"""Kinds of files, by name and directory."""

from __future__ import annotations

import os

from bunraku.base.lazy_patterns import lazy_pattern

MANIFEST = "manifest"
EPP = "EPP template"
ERB = "ERB template"
RUBY = "Ruby code of a module"
HIERA = "Hiera configuration"
METADATA = "module metadata"
ENVIRONMENT_CONF = "environment.conf"
PUPPET_CONF = "puppet.conf"
PUPPETFILE = "Puppetfile"
BUNRAKU = "bunraku.toml"
YAML = "YAML"
JSON = "JSON"
HIERA_YAML = "Hiera data in YAML"
HIERA_JSON = "Hiera data in JSON"
HIERA_HOCON = "Hiera data in HOCON"
UNREADABLE = "a file that cannot be read"
"""The kind of a named pipe, a device, or a file that this user may not read; its text is the reason."""

NAMES = {
    "hiera.yaml": HIERA,
    "metadata.json": METADATA,
    "environment.conf": ENVIRONMENT_CONF,
    "puppet.conf": PUPPET_CONF,
    "Puppetfile": PUPPETFILE,
    "bunraku.toml": BUNRAKU,
}
EXTENSIONS = {
    ".pp": MANIFEST,
    ".epp": EPP,
    ".erb": ERB,
    ".rb": RUBY,
    ".yaml": YAML,
    ".yml": YAML,
    ".eyaml": HIERA_YAML,
    ".json": JSON,
}
IN_DATA = {
    ".yaml": HIERA_YAML,
    ".yml": HIERA_YAML,
    ".eyaml": HIERA_YAML,
    ".json": HIERA_JSON,
    ".conf": HIERA_HOCON,
}
LIBRARY = lazy_pattern(r"(?:^|/)lib/(?:puppet|puppet_x|facter)/")
"""The Ruby files that Puppet or an agent loads. Other Ruby code, of tests and tools, is not checked."""
KNOWN = "manifests (.pp), templates (.epp, .erb), Ruby code in lib/, YAML, JSON, hiera.yaml, metadata.json, Puppetfile, *.conf"


def kind_of(path: str, data_directories: tuple[str, ...] = ()) -> str | None:
    """Return the kind of a file; None for a kind of file that cannot be checked.

    >>> kind_of("m/metadata.json"), kind_of("c/data/a.yaml", ("c/data",)), kind_of("README")
    ('module metadata', 'Hiera data in YAML', None)
    >>> kind_of("m/lib/puppet/type/x.rb"), kind_of("m/spec/classes/x_spec.rb")
    ('Ruby code of a module', None)
    """
    directory, name = os.path.split(path)
    extension = os.path.splitext(name)[1]
    if extension in IN_DATA and name not in NAMES:
        if any(directory == one or directory.startswith(f"{one}/") for one in data_directories):
            return IN_DATA[extension]
    if extension == ".rb" and not LIBRARY.search(path):
        return None
    if name == "metadata.json" and os.path.basename(directory) == "tasks":
        return JSON
    return NAMES.get(name) or EXTENSIONS.get(extension)
