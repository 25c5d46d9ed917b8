"""The texts of new files; ``%(name)s`` and other names in them are replaced."""

from __future__ import annotations

METADATA = """\
{
  "name": "%(full_name)s",
  "version": "0.1.0",
  "author": "%(author)s",
  "license": "Apache-2.0",
  "summary": "%(summary)s",
  "source": "https://example.com/%(full_name)s",
  "dependencies": [],
  "operatingsystem_support": [
    {
      "operatingsystem": "Debian",
      "operatingsystemrelease": ["12", "13"]
    },
    {
      "operatingsystem": "RedHat",
      "operatingsystemrelease": ["8", "9"]
    }
  ],
  "requirements": [
    {
      "name": "puppet",
      "version_requirement": ">= 7.0.0 < 9.0.0"
    }
  ]
}
"""
MODULE_README = """\
# %(name)s

%(summary)s

    include %(name)s

`bunraku docs` writes the reference, `bunraku test` runs the tests.
"""
CHANGELOG = """\
# Changelog

## 0.1.0

* The first release.
"""
MODULE_HIERA = """\
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: operating system
    path: "os/%%{facts.os.family}.yaml"
  - name: common
    path: common.yaml
"""
MODULE_DATA = """\
---
%(name)s::ensure: present
"""
FIXTURES = """\
---
fixtures:
  forge_modules: {}
"""
MODULE_IGNORED = """\
/pkg/
/spec/fixtures/modules/
__pycache__/
.pytest_cache/
"""
MODULE_CLASS = """\
# @summary Manage %(name)s.
#
# @example Declare the class
#   include %(name)s
#
# @param ensure
#   Whether it is there.
class %(name)s (
  Enum['present', 'absent'] $ensure,
) {
  file { '/etc/%(name)s.conf':
    ensure  => $ensure,
    mode    => '0644',
    content => "# Managed by Puppet.\\n",
  }
}
"""
MODULE_TEST = """\
\"\"\"Tests of the class %(name)s.\"\"\"

import pytest


@pytest.mark.on_supported_os
def test_defaults(compile):
    catalog = compile("%(name)s")
    assert catalog.compiles()
    assert catalog.contains("File[/etc/%(name)s.conf]", ensure="present")


def test_absent(compile):
    catalog = compile("%(name)s", params={"ensure": "absent"})
    assert catalog.contains("File[/etc/%(name)s.conf]", ensure="absent")
"""
CLASS = """\
# @summary What the class %(name)s manages.
#
# @example Declare the class
#   include %(name)s
class %(name)s {
}
"""
CLASS_TEST = """\
\"\"\"Tests of the class %(name)s.\"\"\"


def test_defaults(compile):
    assert compile("%(name)s").compiles()
"""
DEFINE = """\
# @summary What an instance of %(name)s manages.
#
# @example Declare an instance
#   %(name)s { '/etc/example': }
#
# @param ensure
#   Whether it is there.
define %(name)s (
  Enum['present', 'absent'] $ensure = 'present',
) {
  file { $title:
    ensure => $ensure,
    mode   => '0644',
  }
}
"""
DEFINE_TEST = """\
\"\"\"Tests of the defined type %(name)s.\"\"\"


def test_defaults(compile):
    catalog = compile(define="%(name)s", title="/etc/example")
    assert catalog.compiles()
    assert catalog.contains("File[/etc/example]", ensure="present")
"""
FUNCTION = """\
# @summary What the function %(name)s returns.
#
# @param value
#   What it is computed from.
#
# @return
#   The value.
function %(name)s(Any $value) >> Any {
  $value
}
"""
FUNCTION_TEST = """\
\"\"\"Tests of the function %(name)s.\"\"\"


def test_value(compile):
    assert compile.call("%(name)s", 1) == 1
"""
TYPE = """\
# @summary Which values %(type)s accepts.
type %(type)s = Pattern[/\\A[a-z]+\\z/]
"""
TYPE_TEST = """\
\"\"\"Tests of the type %(type)s.\"\"\"


def test_values(compile):
    assert compile.accepts("%(type)s", "word")
    assert not compile.accepts("%(type)s", "")
"""
ENVIRONMENT = """\
modulepath = site-modules:modules:$basemodulepath
"""
SITE_HIERA = """\
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: node
    path: "nodes/%%{trusted.certname}.yaml"
  - name: operating system
    path: "os/%%{facts.os.family}.yaml"
  - name: common
    path: common.yaml
"""
SITE_DATA = """\
---
profile::base::message: Managed by Puppet
"""
SITE = """\
node default {
  include role::base
}
"""
ROLE = """\
# @summary What every node is.
class role::base {
  include profile::base
}
"""
PROFILE = """\
# @summary What every node has.
#
# @param message
#   The message of the day.
class profile::base (
  String[1] $message,
) {
  file { '/etc/motd':
    ensure  => file,
    mode    => '0644',
    content => "${message}\\n",
  }
}
"""
PUPPETFILE = """\
forge 'https://forgeapi.puppet.com'
"""
FACTS = """\
---
kernel: Linux
networking:
  domain: example.com
  fqdn: node1.example.com
  hostname: node1
os:
  family: Debian
  name: Debian
  release:
    full: "12"
    major: "12"
"""
SITE_TEST = """\
\"\"\"Tests of the nodes.\"\"\"


def test_message(compile):
    catalog = compile(host="node1.example.com")
    assert catalog.compiles()
    assert catalog.contains("File[/etc/motd]", content="Managed by Puppet\\n")
"""
SITE_IGNORED = """\
/modules/
__pycache__/
.pytest_cache/
"""
SITE_README = """\
# %(name)s

Roles, profiles and data of this site.

    bunraku modules install     the modules of the Puppetfile
    bunraku ci                  check a change: its files and the catalogs of all nodes
    bunraku test                the tests in tests/

`facts/` has the facts of each node, one file a node.
"""
OF_CLASS = """\
\"\"\"Tests of the class %(name)s.\"\"\"


def test_compiles(compile):
    assert compile("%(name)s"%(parameters)s).compiles()
"""
OF_DEFINE = """\
\"\"\"Tests of the defined type %(name)s.\"\"\"


def test_compiles(compile):
    assert compile(define="%(name)s", title="example"%(parameters)s).compiles()
"""
OF_FUNCTION = """\
\"\"\"Tests of the function %(name)s.\"\"\"


def test_value(compile):
    compile.call("%(name)s"%(arguments)s)
"""
OF_TYPE = """\
\"\"\"Tests of the type %(type)s.\"\"\"


def test_values(compile):
    assert compile.accepts("%(type)s", %(value)s)
"""
