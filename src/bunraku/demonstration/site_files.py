"""The files of ``bunraku server demo``: an environment, rules of access, settings."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bunraku.world.whole_files import make_folders, write_whole

SERVER = "localhost"
NODES = ("web1.demo.test", "web2.demo.test")
FILES: Mapping[str, str] = {
    "etc/puppet.conf": """\
[main]
certname = localhost
dns_alt_names = localhost
keylength = 2048
ssldir = FOLDER/ssl
cadir = FOLDER/ca
vardir = FOLDER/server
environmentpath = FOLDER/environments
basemodulepath = FOLDER/modules
""",
    "auth.conf": """\
authorization: {
  version: 1
  rules: [
    { name: "a node itself", sort-order: 1, allow: "$2", match-request: {
        path: "^/puppet/v3/(catalog|node|report|facts)/([^/]+)$", type: regex } }
    { name: "certificates", sort-order: 2, allow-unauthenticated: true, match-request: {
        path: "^/puppet-ca/v1/certificate(/|_request|_revocation_list/ca)", type: regex } }
    { name: "files", sort-order: 3, allow: "*", match-request: {
        path: "^/puppet/v3/(file_|environments)", type: regex } }
    { name: "status", sort-order: 4, allow-unauthenticated: true, match-request: {
        path: "/status/v1", type: path } }
    { name: "all the rest", sort-order: 5, allow: "localhost", match-request: {
        path: "/", type: path } }
  ]
}
""",
    "environments/production/manifests/site.pp": """\
# The agents change files below FOLDER/roots only.
node default {
  include demo
}
""",
    "modules/demo/manifests/init.pp": """\
class demo {
  $root = "FOLDER/roots/${trusted['certname']}"
  file { [$root, "${root}/neighbours"]: ensure => directory }
  file { "${root}/motd":
    content => "Welcome to ${trusted['certname']} (${facts['os']['name']}).\\n",
  }
  file { "${root}/served.txt": source => 'puppet:///modules/demo/served.txt' }

  # Each node exports itself and collects the others from PuppetDB.
  @@demo::neighbour { $trusted['certname']: }
  Demo::Neighbour <<| title != $trusted['certname'] |>>
}
""",
    "modules/demo/manifests/neighbour.pp": """\
define demo::neighbour {
  file { "FOLDER/roots/${trusted['certname']}/neighbours/${title}":
    content => "exported by ${title}\\n",
  }
}
""",
    "modules/demo/files/served.txt": "This file comes from the file server.\n",
    "modules/demo/facts.d/demo.txt": "demo=a fact of the module demo\n",
}
"""Path → content; ``FOLDER`` stands for the directory of the demonstration."""


def write_files(folder: str) -> None:
    """Write the files below a folder; OSError if that fails."""
    for name, text in FILES.items():
        path = os.path.join(folder, name)
        make_folders(os.path.dirname(path), 0o755)
        write_whole(path, text.replace("FOLDER", folder).encode(), mode=0o644)
    for node in NODES:
        make_folders(os.path.join(folder, "nodes", node), 0o755)
    make_folders(os.path.join(folder, "roots"), 0o755)


def node_options(folder: str, node: str) -> list[str]:
    """Return the options with which an agent keeps all that it writes below the folder."""
    own = os.path.join(folder, "nodes", node)
    names = ("confdir", "vardir", "publicdir", "rundir", "logdir", "codedir")
    return [word for name in names for word in (f"--{name}", os.path.join(own, name))]
