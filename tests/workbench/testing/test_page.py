"""The tests that ``docs/testing.md`` shows pass in a module for which they are written."""

from __future__ import annotations

import json
import re
from pathlib import Path

from support.plugin_runs import run_tests

PAGE = Path(__file__).parents[3] / "docs" / "testing.md"
EXAMPLES = re.findall(r"^```python\n(.*?)```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
METADATA = {
    "name": "example-ntp",
    "version": "1.0.0",
    "author": "a",
    "license": "MIT",
    "source": "s",
    "dependencies": [],
    "operatingsystem_support": [
        {"operatingsystem": "Debian", "operatingsystemrelease": ["11"]},
        {"operatingsystem": "Rocky", "operatingsystemrelease": ["9"]},
    ],
}
NTP = """
class ntp(
  Array[String] $servers = [],
  String $package = $facts.get('os.family', 'Debian') ? { 'Debian' => 'ntp', default => 'ntpd' },
) {
  package { $package: } -> file { '/etc/ntp.conf': } ~> service { 'ntp': }
}
"""
MODULES = {
    "apache": "class apache { } define apache::mod { }",
    "apache/mod/ssl": "class apache::mod::ssl(Boolean $ssl_compression) { apache::mod { 'ssl': } }",
    "ssh/server": "class ssh::server { @@sshkey { \"${trusted['certname']}_rsa\": key => 'BBBB', type => 'ssh-rsa' } }",
    "ssh/knownhosts": "class ssh::knownhosts { Sshkey <<| |>> }",
    "profile/proxy": """
class profile::proxy {
  $found = puppetdb_query('inventory[certname] { resources { type = "Class" and title = "Profile::Web" } and facts.role = "web" }')
  file { '/etc/members': content => $found.map |$node| { "${node['certname']}\\n" }.join }
}
""",
}


def write_module(root: Path) -> None:
    """Write a module with what the examples of the page name."""
    files = {"metadata.json": json.dumps(METADATA), "manifests/init.pp": NTP}
    for name, code in MODULES.items():
        module, _, rest = name.partition("/")
        files[f"spec/fixtures/modules/{module}/manifests/{rest or 'init'}.pp"] = code
    backup = PAGE.parents[1] / "examples/module"
    for path in backup.rglob("*"):
        if path.is_file():
            place = f"spec/fixtures/modules/backup/{path.relative_to(backup)}"
            files[place] = path.read_text(encoding="utf-8")
    for number, code in enumerate(EXAMPLES):
        files[f"tests/test_example_{number}.py"] = code
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_examples_of_the_page_pass(tmp_path):
    assert len(EXAMPLES) >= 7
    write_module(tmp_path)
    done = run_tests(tmp_path, "-q", "--bunraku-update", "tests")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b1[0-9] passed", done.stdout), done.stdout
    assert "skipped" not in done.stdout
