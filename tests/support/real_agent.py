"""A site served by ``bunraku server``, and real agents that run on it."""

from __future__ import annotations

import http.client
import json
import os
import ssl
import subprocess
import sys
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

from support.server_process import ServerProcess

SERVER = "puppet.example.test"
FILES = {
    "environments/production/manifests/site.pp": """
        node /^plain|^waiting|^curious|^leaves|^stays/ {
          notify { "plain for ${trusted['certname']}": }
        }
        node /^files/ { include demo }
        node /^types/ { include demo::types }
        node /^facts/ {
          notify { "fact in ruby: ${facts['demo_ruby']}; external: ${facts['demo_text']}": }
        }
        node /^fails/ {
          file { "${facts['demo_target']}/before": ensure => file }
          fail('this node is meant to fail')
        }
        node /^broken/ {
          exec { 'fails here': command => '/bin/false' }
          notify { 'goes on': }
        }
        node /^exports/ {
          @@notify { "exported by ${trusted['certname']}": tag => 'greeting' }
          Notify <<| tag == 'greeting' |>>
        }
        """,
    "environments/testing/manifests/site.pp": "notify { 'this is testing': }\n",
    "environments/production/modules/demo/manifests/init.pp": """
        class demo {
          $target = $facts['demo_target']
          file { "${target}/tree":
            ensure => directory, recurse => true, ignore => '*.bak',
            source => 'puppet:///modules/demo/tree',
          }
          file { "${target}/one":
            source => ['puppet:///modules/demo/absent', 'puppet:///modules/demo/one.txt'],
            mode   => '0640',
          }
        }
        """,
    "environments/production/modules/demo/manifests/types.pp": """
        class demo::types {
          include stdlib
          $target = $facts['demo_target']
          file { "${target}/lines": ensure => file, content => "old\\n", replace => false }
          -> file_line { 'added': path => "${target}/lines", line => 'added by file_line' }
          concat { "${target}/parts": }
          concat::fragment { 'second':
            target => "${target}/parts", content => "second\\n", order => '20',
          }
          concat::fragment { 'first':
            target => "${target}/parts", content => "first\\n", order => '10',
          }
        }
        """,
    "environments/production/modules/demo/lib/facter/demo.rb": """
        Facter.add('demo_ruby') { setcode { 'from ruby' } }
        """,
    "environments/production/modules/demo/facts.d/demo.txt": "demo_text=from text\n",
    "environments/production/modules/demo/files/one.txt": "one\n",
    "environments/production/modules/demo/files/tree/f1": "one\n",
    "environments/production/modules/demo/files/tree/f2": "two\n" * 50_000,
    "environments/production/modules/demo/files/tree/sub/f3": "three\n",
    "environments/production/modules/demo/files/tree/f4.bak": "ignored\n",
    "autosign.conf": "*.auto.example.test\n",
    "puppetserver/conf.d/ca.conf": "certificate-authority: { allow-auto-renewal: true }\n",
}
MODULES = ("stdlib", "concat")
"""The modules that the nodes use; each of their plugins is a request of every agent."""


def write_files(root: Path, modules: Path) -> None:
    """Write the files of the site below a directory, with links to the modules that it uses."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "environments/testing/modules").mkdir()
    (root / "modules").mkdir()
    for name in MODULES:
        (root / "modules" / name).symlink_to(modules / name)


def last_report(database: Path, node: str) -> dict[str, object]:
    """Return the newest report of a node in a database of ``bunraku puppetdb``."""
    query = f'reports {{ certname = "{node}" order by end_time desc limit 1 }}'
    program = [sys.executable, "-m", "bunraku", "query", "--format", "json"]
    done = subprocess.run(
        [*program, "--storedconfigs", str(database), query],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)
    assert found, f"no report of {node}"
    return found[0]


class Site:
    """A running server with its own authority and database, in a directory."""

    def __init__(self, root: Path, modules: Path) -> None:
        self.root = root
        write_files(root, modules)
        self.directories = [
            *("--confdir", str(root / "etc")),
            *("--ssldir", str(root / "ssl"), "--cadir", str(root / "ca")),
        ]
        self.log = root / "log"
        self.server = ServerProcess(
            [
                *self.directories,
                *("--vardir", str(root / "var"), "--certname", SERVER),
                *("--set", "dns_alt_names=localhost", "--autosign", str(root / "autosign.conf")),
                *("--environmentpath", str(root / "environments")),
                *("--basemodulepath", str(root / "modules")),
            ],
            self.log,
        )
        self.port = self.server.address[1]

    def __enter__(self) -> Site:
        return self

    def __exit__(self, *_error: object) -> None:
        code = self.server.stop()
        assert code == 0, self.server.reported()
        assert "Traceback" not in self.server.reported()

    def ca(self, *arguments: str) -> str:
        """Run ``bunraku ca`` on the directory of the running server; return the output."""
        program = [sys.executable, "-m", "bunraku", "ca"]
        done = subprocess.run(
            [*program, arguments[0], *self.directories, *arguments[1:]],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def report(self, node: str) -> dict[str, object]:
        """Return the newest report of a node in the server's database."""
        return last_report(self.root / "var/bunraku/puppetdb.sqlite", node)


@dataclass(frozen=True)
class Run:
    """The end of a run of an agent."""

    code: int
    output: str


class Agent:
    """A real agent with its own directories; it changes files below ``target`` only."""

    def __init__(self, command: list[str], name: str, site: Site, home: Path) -> None:
        self.command = command
        self.name = name
        self.site = site
        self.home = home
        self.target = home / "target"
        self.target.mkdir(parents=True)

    def run(self, *options: str) -> Run:
        """Run the agent once; return its exit code and its output."""
        directories = ("conf", "code", "var", "ssl", "public", "run", "log")
        places = [word for name in directories for word in (f"--{name}dir", str(self.home / name))]
        done = subprocess.run(
            [
                *self.command,
                *("--test", "--color", "false", "--server", "localhost"),
                *("--serverport", str(self.site.port), "--certname", self.name),
                *("--keylength", "2048"),
                *places,
                *options,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={**os.environ, "FACTER_demo_target": str(self.target), "LC_ALL": "C.UTF-8"},
        )
        return Run(done.returncode, done.stdout)

    def ask(self, method: str, path: str) -> tuple[int, str]:
        """Send a request with the agent's certificate; return status and body."""
        context = ssl.create_default_context(cafile=str(self.home / "ssl/certs/ca.pem"))
        context.load_cert_chain(
            self.home / f"ssl/certs/{self.name}.pem",
            self.home / f"ssl/private_keys/{self.name}.pem",
        )
        connection = http.client.HTTPSConnection("localhost", self.site.port, context=context)
        connection.request(method, urllib.parse.quote(path, "/?=&"), headers={"Accept": "*/*"})
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        connection.close()
        return response.status, text
