"""Write docs/testing-failures.md: ten failing tests with the messages of bunraku's plugin and rspec-puppet.

Both suites are written into a temporary directory and run for real; rspec-puppet, Puppet and RSpec must be
installed (Debian: ruby-rspec-puppet). Without ``--write`` the page is compared.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "testing-failures.md"
PLUGIN = "bunraku.workbench.testing.pytest_plugin"

FILES = {
    "ntp/metadata.json": json.dumps(
        {
            "name": "example-ntp",
            "version": "1.0.0",
            "author": "example",
            "license": "Apache-2.0",
            "source": "https://example.com/ntp",
            "dependencies": [],
        }
    ),
    "ntp/manifests/init.pp": """\
class ntp (
  Array[String] $servers = ['0.pool.example.com', '1.pool.example.com'],
  Boolean $monitor = false,
  Boolean $loop = false,
) {
  contain ntp::install
  contain ntp::config
  contain ntp::service
  Class['ntp::install'] -> Class['ntp::config'] -> Class['ntp::service']
  if $monitor {
    include ntp::monitor
  }
  if $loop {
    Class['ntp::service'] -> Class['ntp::install']
  }
}
""",
    "ntp/manifests/install.pp": "class ntp::install {\n  package { 'ntp': ensure => installed }\n}\n",
    "ntp/manifests/config.pp": """\
class ntp::config {
  file { '/etc/ntp.conf':
    mode    => '0644',
    owner   => 'root',
    content => epp('ntp/ntp.conf.epp', { 'servers' => $ntp::servers }),
  }
  if $facts['os']['family'] == 'RedHat' {
    file { '/etc/ntp/step-tickers': content => '' }
  }
}
""",
    "ntp/manifests/service.pp": """\
class ntp::service {
  service { 'ntp':
    ensure => running,
    enable => true,
  }
}
""",
    "ntp/manifests/monitor.pp": "class ntp::monitor {\n  file { '/etc/monitor.d/ntp': content => 'check' }\n}\n",
    "ntp/templates/ntp.conf.epp": """\
<%- | Array[String] $servers | -%>
driftfile /var/lib/ntp/drift
<% $servers.each |$server| { -%>
server <%= $server %> iburst
<% } -%>
""",
}
TEXT = (
    r'"driftfile /var/lib/ntp/drift\nserver 0.pool.example.com iburst\n'
    r'server 2.pool.example.com iburst\n"'
)
CASES = [
    (
        "A parameter has another value",
        'catalog = compile("ntp")\nassert catalog.contains("File[/etc/ntp.conf]", mode="0640", owner="root")',
        "is_expected.to contain_file('/etc/ntp.conf').with(mode: '0640', owner: 'root')",
        "",
    ),
    (
        "A title is misspelt",
        'assert compile("ntp").contains("File[/etc/ntpd.conf]")',
        "is_expected.to contain_file('/etc/ntpd.conf')",
        "",
    ),
    (
        "A condition was false",
        'assert compile("ntp").contains("File[/etc/ntp/step-tickers]")',
        "is_expected.to contain_file('/etc/ntp/step-tickers')",
        "",
    ),
    (
        "A class on the way is missing",
        'assert compile("ntp").contains("File[/etc/monitor.d/ntp]")',
        "is_expected.to contain_file('/etc/monitor.d/ntp')",
        "",
    ),
    (
        "The order is the opposite",
        'assert compile("ntp").contains("Package[ntp]").that_requires("Service[ntp]")',
        "is_expected.to contain_package('ntp').that_requires('Service[ntp]')",
        "",
    ),
    (
        "A change is not passed on",
        'assert compile("ntp").contains("File[/etc/ntp.conf]").that_notifies("Service[ntp]")',
        "is_expected.to contain_file('/etc/ntp.conf').that_notifies('Service[ntp]')",
        "",
    ),
    (
        "A text differs",
        f'text = {TEXT}\nassert compile("ntp").contains("File[/etc/ntp.conf]", content=text)',
        f"text = {TEXT}\nis_expected.to contain_file('/etc/ntp.conf').with_content(text)",
        "",
    ),
    (
        "The code does not compile",
        'assert compile("ntp", params={"servers": "a.example.com"}).compiles()',
        "is_expected.to compile.with_all_deps",
        "{ servers: 'a.example.com' }",
    ),
    (
        "The relationships form a cycle",
        'assert compile("ntp", params={"loop": True}).compiles()',
        "is_expected.to compile.with_all_deps",
        "{ loop: true }",
    ),
    (
        "A number of resources is another one",
        'assert compile("ntp").count("File") == 2',
        "is_expected.to have_file_resource_count(2)",
        "",
    ),
]
FACTS = '{"os": {"family": "Debian", "name": "Debian"}}'
HEAD = """\
# Ten failures beside rspec-puppet's

Ten tests that fail, each with the message of [bunraku's plugin for pytest](testing.md) and of rspec-puppet {version}. Both suites test the
same module `ntp`; the messages are those of real runs, without tracebacks. `tests/tools/write_failures_page.py --write` renews the
page.
"""


def write_suites(folder: Path) -> None:
    """Write the module and both suites."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    module = folder / "ntp"
    (module / "tests").mkdir()
    (module / "spec" / "classes").mkdir(parents=True)
    (module / "tests" / "test_ntp.py").write_text(python_suite(), encoding="utf-8")
    (module / "spec" / "classes" / "ntp_spec.rb").write_text(ruby_suite(folder), encoding="utf-8")


def python_suite() -> str:
    """Return the tests for pytest."""
    head = f"import pytest\n\npytestmark = pytest.mark.puppet(facts={FACTS})\n"
    tests = []
    for number, (_, python, _, _) in enumerate(CASES):
        body = "\n".join(f"    {line}" for line in python.splitlines())
        tests.append(f"\n\ndef test_{number}(compile):\n{body}\n")
    return head + "".join(tests)


def ruby_suite(folder: Path) -> str:
    """Return the examples for rspec-puppet."""
    head = f"""\
require 'rspec-puppet'
RSpec.configure do |c|
  c.module_path = '{folder}'
  c.manifest = '{folder}/none.pp'
end
describe 'ntp' do
  let(:facts) {{ {{ 'os' => {{ 'family' => 'Debian', 'name' => 'Debian' }} }} }}
"""
    examples = []
    for number, (_, _, ruby, params) in enumerate(CASES):
        given = f"    let(:params) {{ {params} }}\n" if params else ""
        examples.append(
            f"  context '{number}' do\n{given}    it '{number}' do\n      {ruby}\n    end\n  end\n"
        )
    return head + "".join(examples) + "end\n"


def messages_of_pytest(folder: Path) -> list[str]:
    """Return the message of each test, from the report of pytest."""
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-q"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "120"}
    environment.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(
        [*command, "--tb=short", "--color=no", "tests"],
        cwd=folder / "ntp",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    parts = re.split(r"^_+ test_(\d+) _+$", done.stdout, flags=re.MULTILINE)[1:]
    found = {int(number): text for number, text in zip(parts[::2], parts[1::2], strict=True)}
    return [lines_of_error(found[number]) for number in range(len(CASES))]


def lines_of_error(text: str) -> str:
    """Return the lines of pytest's report that belong to the error."""
    lines = [line[4:] for line in text.splitlines() if line.startswith("E   ")]
    return "\n".join(lines)


def messages_of_rspec(folder: Path) -> list[str]:
    """Return the message of each example, from the report of RSpec."""
    done = subprocess.run(
        ["rspec", "--format", "json", "spec"],
        cwd=folder / "ntp",
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout[done.stdout.index('{"version"') :].splitlines()[0])
    found = {one["description"]: one["exception"]["message"] for one in report["examples"]}
    return [found[str(number)].strip("\n") for number in range(len(CASES))]


def version_of_rspec_puppet() -> str:
    """Return the version of rspec-puppet."""
    program = "puts Gem::Specification.find_by_name('rspec-puppet').version"
    done = subprocess.run(["ruby", "-e", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def page(ours: list[str], theirs: list[str], version: str) -> str:
    """Return the text of the page."""
    parts = [HEAD.format(version=version)]
    for (title, python, ruby, params), own, other in zip(CASES, ours, theirs, strict=True):
        given = f"let(:params) {{ {params} }}\n" if params else ""
        parts.append(
            f"\n## {title}\n\n```python\n{python}\n```\n\n```text\n{own}\n```\n\nrspec-puppet:\n\n"
            f"```ruby\n{given}{ruby}\n```\n\n```text\n{other}\n```\n"
        )
    return "".join(parts)


def ours_on_page(text: str) -> list[str]:
    """Return the messages of the plugin that a page shows."""
    return re.findall(
        r"^```python\n.*?^```\n\n```text\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL
    )


def in_suites() -> tuple[list[str], list[str]]:
    """Run both suites and return their messages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write_suites(folder)
        both = messages_of_pytest(folder), messages_of_rspec(folder)
        return tuple([one.replace(str(folder), "/work") for one in part] for part in both)


def main() -> int:
    """Write or compare the page."""
    text = page(*in_suites(), version_of_rspec_puppet())
    if "--write" in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    return 0 if PAGE.read_text(encoding="utf-8") == text else 1


if __name__ == "__main__":
    raise SystemExit(main())
