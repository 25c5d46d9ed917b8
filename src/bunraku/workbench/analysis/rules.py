"""The rules of the analysis, for options and for the table in ``docs/check.md``."""

from __future__ import annotations

from bunraku.base.records import record


@record(frozen=True)
class Rule:
    """A rule: what it reports, how severe that is, and code that it reports.

    The example is ``manifests/site.pp`` beside the modules in :data:`EXAMPLE_MODULES`, or another file
    in an environment with these modules and :data:`EXAMPLE_DATA`.
    """

    description: str
    severity: str
    example: str
    file: str = "manifests/site.pp"


EXAMPLE_MODULES = {
    "ntp/manifests/init.pp": "class ntp(String $server = 'pool.ntp.org') { }",
    "ntp/manifests/pool.pp": "define ntp::pool(Integer $port, String $iface = 'eth0') { }",
    "ntp/manifests/inner.pp": "class ntp::inner { assert_private() }",
    "ntp/templates/ntp.conf.epp": "server a",
    "ntp/templates/pool.epp": "<%- | Integer $port = 123 | -%> port <%= $port %>",
    "ntp/files/motd": "welcome",
    "logrotate/manifests/init.pp": "class logrotate { }",
    "web/metadata.json": '{"name": "a-web", "version": "1.0.0", "author": "a", "license": "MIT", '
    '"source": "a", "dependencies": [{"name": "a/ntp"}]}',
    "web/templates/web.conf.epp": "server <%= $ntp::server %>",
    "ntp/types/port.pp": "type Ntp::Port = Integer[1, 65535]",
    "ntp/functions/servers.pp": "function ntp::servers() { [] }",
}
"""The files of the modules that the examples use."""
EXAMPLE_DATA = {
    "hiera.yaml": """version: 5
hierarchy:
  - { name: common, path: common.yaml }
  - name: secrets
    path: secrets.eyaml
    lookup_key: eyaml_lookup_key
    options: { pkcs7_private_key: /keys/private.pem, pkcs7_public_key: /keys/public.pem }
""",
    "modules/ntp/hiera.yaml": "version: 5",
    "/keys/private.pem": "another key",
    "/keys/public.pem": "another key",
}
"""The files of the environment of examples of data."""
COMMON = "data/common.yaml"

RULES = {
    "UNKNOWN_CLASS": Rule(
        "a class that its module does not define, in `include`, `contain`, `require`, `class { … }` "
        "and `inherits`",
        "error",
        "include ntp::servr",
    ),
    "UNKNOWN_RESOURCE_TYPE": Rule(
        "a resource type or defined type that nothing defines",
        "error; a warning for a name without `::` if a module is missing",
        "ntp::pol { 'a': port => 123 }",
    ),
    "UNKNOWN_FUNCTION": Rule(
        "a function that nothing defines",
        "error; a warning for a name without `::` if a module is missing",
        "notice(ntp::server())",
    ),
    "UNKNOWN_TYPE": Rule(
        "a data type that nothing defines",
        "error in the type of a parameter, for a module that is there; else a warning",
        "class role(Ntp::Prt $_port) { }",
    ),
    "UNKNOWN_PARAMETER": Rule(
        "a parameter that the class, defined type or resource type does not have",
        "error",
        "class { 'ntp': sever => 'ntp.example.com' }",
    ),
    "MISSING_PARAMETER": Rule(
        "a resource of a defined type without a required parameter, unless defaults, an override or "
        "a collector in the checked files set it; a class without a required parameter that no data has",
        "error for a defined type if the main manifests are checked, too, and for `class { … }` in an "
        "environment whose data can all be read; else a warning",
        "ntp::pool { 'a': iface => 'eth1' }",
    ),
    "INVALID_PARAMETERS": Rule(
        "a value that does not fit the type of its parameter: in a resource of a class or defined type, "
        "as a default, in defaults, overrides and collectors, and in Hiera data. The value can be a literal, a variable "
        "that is assigned before, a call with a declared result, …",
        "error; a warning for virtual resources, for values that an override replaces, for defaults of "
        "resources, for a default where code or data gives the parameter a value, and for data that is merged",
        "ntp::pool { 'a': port => '123' }",
    ),
    "INVALID_RESOURCE_VALUE": Rule(
        "a value that no resource of the type accepts, for types that come with Puppet: in resources, their titles, "
        "defaults, overrides and collectors, in hashes of `* =>` and of `create_resources`. The value can be a literal, "
        "a variable that is assigned before, or a parameter of type `Enum`",
        "error; a warning for virtual resources, for values that an override or a collector may replace, and for "
        "values that defaults, overrides and collectors set",
        "service { 'ntpd': ensure => started }",
    ),
    "TYPE_MISMATCH": Rule(
        "an argument of a function, or the result of a function in Puppet, that cannot be of the "
        "declared type",
        "error; a warning for `undef` as the default of a parameter",
        "notice(join('a', ','))",
    ),
    "ILLEGAL_ARGUMENT_COUNT": Rule(
        "a call of a function in Puppet with too many or too few arguments",
        "error",
        "notice(ntp::servers(1))",
    ),
    "INVALID_TEMPLATE_PARAMETERS": Rule(
        "a value for a parameter that an EPP template does not have, a required one without a value, or a "
        "value that cannot be of its type",
        "error; a warning for an unknown parameter whose value may be undef, which is ignored",
        "notice(epp('ntp/pool.epp', { prot => 123 }))",
    ),
    "UNKNOWN_QUERY_ATTRIBUTE": Rule(
        "an attribute in the query of a collector that its type does not have",
        "warning",
        "Ntp::Pool <<| prot == 123 |>>",
    ),
    "FILE_NOT_FOUND": Rule(
        "a file that `template`, `epp`, `file` or `source => 'puppet:///modules/…'` reads and that its "
        "module does not have",
        "error; for `source` a warning, because the agent fails and not the compile",
        "notice(epp('ntp/ntp.cnf.epp'))",
    ),
    "SOURCE_WITHOUT_MODULES": Rule(
        "a `source` that names a file of a module without `modules/`, unless the file of the setting "
        "`fileserverconfig` has a mount of that name",
        "warning",
        "file { '/m': source => 'puppet:///ntp/motd' }",
    ),
    "PRIVATE_NAME": Rule(
        "a class or defined type that calls `assert_private`, used outside of its module",
        "warning",
        "include ntp::inner",
    ),
    "UNREACHABLE_CODE": Rule(
        "code behind `fail`, `return`, `break` or `next` in the same block",
        "warning",
        "class role { fail('no') include ntp }",
    ),
    "UNREACHABLE_OPTION": Rule(
        "an option of a `case` or selector, or a condition of an `elsif`, that one above it always "
        "precedes",
        "warning",
        "case $facts['kernel'] { 'Linux': { } /inux/: { } 'linux': { } default: { } }",
    ),
    "CONSTANT_CONDITION": Rule(
        "a condition that is always true or always false: literals, comparisons of literals, "
        "an expression compared with itself, a string as a condition",
        "warning",
        "if $facts['kernel'] == $facts['kernel'] { include ntp }",
    ),
    "COMPARISON_NOT_POSSIBLE": Rule(
        "`<`, `<=`, `>` and `>=` between literals that have no order",
        "error",
        "if 'a' < 1 { include ntp }",
    ),
    "NOT_NUMERIC": Rule(
        "arithmetic with a literal that is not a number",
        "error",
        "notice(1 + 'one')",
    ),
    "DIV_BY_ZERO": Rule(
        "a division by a literal zero",
        "error",
        "class role(Integer $size) { notice($size / 0) }",
    ),
    "OPERATOR_NOT_APPLICABLE": Rule(
        "arithmetic with literals of kinds that the operator does not have",
        "error",
        "notice(1.5 << 2)",
    ),
    "MISSING_OPTION": Rule(
        "a `case` or selector without default that misses values of a parameter of type `Enum`, "
        "`Boolean`, or a type made of these",
        "warning",
        "class role(Boolean $up) { case $up { true: { include ntp } } }",
    ),
    "SELECTOR_WITHOUT_DEFAULT": Rule(
        "a selector with literal options only and without default",
        "warning",
        "class role { notice($facts['kernel'] ? { 'Linux' => 1 }) }",
    ),
    "UNKNOWN_VARIABLE": Rule(
        "a variable that nothing sets: neither the code before it, an inherited class, top scope nor a "
        "fact; `$::name` only if it is nearly the name of a fact",
        "error for `$class::name` of a known class with `strict_variables`; else a warning",
        "include ntp\nnotice($ntp::sever)",
    ),
    "ILLEGAL_REASSIGNMENT": Rule(
        "a variable that is set although it certainly has a value in the same scope",
        "error",
        "$a = 1\n$a = 2\nnotice($a)",
    ),
    "UNKNOWN_MEMBER": Rule(
        "a key that a hash does not have, and that is nearly one which it has: of a variable whose hash "
        "the code or a `Struct` shows, and of a parameter of an EPP template; not of a hash from Hiera data",
        "warning",
        "$pool = { 'port' => 1 }\nnotice($pool['prot'])",
    ),
    "UNUSED_VARIABLE": Rule(
        "a variable that neither code, templates and Ruby functions of the module, nor other modules and "
        "Hiera data read",
        "warning",
        "class role { $a = 1 }",
    ),
    "UNUSED_PARAMETER": Rule(
        "a parameter that nothing reads; of a lambda, only if it is the only one; names that "
        "begin with `_` are left out",
        "warning",
        "class role($a) { include ntp }",
    ),
    "SHADOWED_VARIABLE": Rule(
        "a parameter or variable of a lambda with the name of a variable around it",
        "warning",
        "$a = [1]\n$a.each |$a| { notice($a) }",
    ),
    "INHERITANCE_CYCLE": Rule(
        "a class that inherits from itself through others",
        "error",
        "class a inherits b { }\nclass b inherits a { }",
    ),
    "CLASS_CYCLE": Rule(
        "classes that `require` or `contain` each other: the agent finds a cycle",
        "warning",
        "class a { require b }\nclass b { contain a }",
    ),
    "INCLUDE_CYCLE": Rule(
        "classes that include each other, so the order of evaluation depends on where it begins",
        "warning",
        "class a { include b }\nclass b { include a }",
    ),
    "DEPENDENCY_CYCLE": Rule(
        "relationships in one body, with literal titles, that form a cycle, also with the class that "
        "contains the resource",
        "warning, because the agent fails and not the compile in Puppet",
        "file { '/a': require => File['/b'] }\nfile { '/b': }\nFile['/a'] -> File['/b']",
    ),
    "UNKNOWN_FACT_VALUE": Rule(
        "a text that is compared with a fact (`os.family`, `os.name`, `os.distro.id`, `os.distro.codename`, "
        "`kernel`, `virtual`) and that is nearly a value which systems have",
        "warning",
        "case $facts['os']['family'] { 'Debain': { include ntp } default: { } }",
    ),
    "LEGACY_FACT": Rule(
        "a legacy fact such as `$osfamily`, `$facts['ipaddress']` or `@fqdn`, unless "
        "`include_legacy_facts` is set",
        "warning",
        "notice($facts['osfamily'])",
    ),
    "REMOVED_FUNCTION": Rule(
        "a function that only older versions of Puppet or of the module stdlib have",
        "error; a warning if a module is missing",
        "extlookup('ntp_server')",
    ),
    "UNDECLARED_DEPENDENCY": Rule(
        "an installed module that the code of a module uses, and that its `metadata.json` does not list",
        "warning",
        "class web { include ntp, logrotate }",
        "modules/web/manifests/init.pp",
    ),
    "UNUSED_DEPENDENCY": Rule(
        "an installed module in the dependencies of `metadata.json` that nothing in the module uses or names",
        "warning",
        "listen 80",
        "modules/web/templates/web.conf.epp",
    ),
    "UNSATISFIED_DEPENDENCY": Rule(
        "an installed module, or the language, in a version that `metadata.json` excludes",
        "warning",
        '{"name": "a-web", "version": "1.0.0", "author": "a", "license": "MIT", "source": "a", '
        '"dependencies": [], "requirements": [{"name": "puppet", "version_requirement": "< 8.0.0"}]}',
        "modules/web/metadata.json",
    ),
    "MISSING_FIXTURE": Rule(
        "a dependency of `metadata.json` that `.fixtures.yml` does not name",
        "warning",
        "fixtures: { forge_modules: { stdlib: puppetlabs/stdlib } }",
        "modules/web/.fixtures.yml",
    ),
    "UNKNOWN_FIXTURE_KEY": Rule(
        "a key that `.fixtures.yml` cannot have",
        "warning",
        "fixtures: { forge_modules: { ntp: a/ntp }, symlink: { } }",
        "modules/web/.fixtures.yml",
    ),
    "MODULE_NOT_INSTALLED": Rule(
        "a module that code uses and that is not on the modulepath; reported once",
        "warning",
        "include apache",
    ),
    # -- Hiera -------------------------------------------------------------------------------------
    "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND": Rule(
        "a level of hiera.yaml with a function that nothing defines",
        "error; a warning if a module is missing",
        "version: 5\nhierarchy:\n  - { name: common, path: common.yaml, data_hash: yaml_dat }\n",
        "hiera.yaml",
    ),
    "HIERA_UNKNOWN_PARAMETER": Rule(
        "a key of a class that has no such parameter, and that no code looks up",
        "warning",
        "ntp::sever: ntp.example.com",
        COMMON,
    ),
    "HIERA_UNUSED_KEY": Rule(
        "a key that nothing reads: no class parameter, no `lookup` or `hiera` in manifests, templates and "
        "Ruby functions, no interpolation. A call with a computed key can read every key that it may be",
        "warning",
        "ntp::servr::port: 123",
        COMMON,
    ),
    "HIERA_UNUSED_FILE": Rule(
        "a file in a directory of data that no level of `hiera.yaml` names",
        "warning",
        "ntp::server: a",
        "data/nodes/a.yaml",
    ),
    "LOOKUP_NOT_FOUND": Rule(
        "a call of `lookup` or `hiera` without default for a key that no data has; not checked where some data "
        "cannot be read, or without an environment",
        "error",
        "notice(lookup('site::server'))",
        "manifests/nodes.pp",
    ),
    "HIERA_UNKNOWN_KEY": Rule(
        "an interpolation of a key that no data has",
        "warning",
        "ntp::server: \"%{lookup('site::server')}\"",
        COMMON,
    ),
    "HIERA_BAD_INTERPOLATION": Rule(
        "an interpolation of neither a variable nor a function of Hiera",
        "warning",
        'ntp::server: "%{lookup(server)}"',
        COMMON,
    ),
    "HIERA_INVALID_KEY": Rule(
        "an interpolation with an invalid key",
        "error",
        "ntp::server: \"%{facts['fqdn']}\"",
        COMMON,
    ),
    "HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING": Rule(
        "an alias that is not the whole value",
        "error",
        "ntp::server: \"a.%{alias('ntp::server')}\"",
        COMMON,
    ),
    "HIERA_UNUSED_OPTIONS": Rule(
        "`lookup_options` of a key that no data has, or of a pattern that no key matches",
        "warning",
        "lookup_options: { 'ntp::server': { merge: first } }",
        COMMON,
    ),
    "HIERA_UNKNOWN_OPTION": Rule(
        "an option of a key other than `merge` and `convert_to`",
        "warning",
        "{ 'ntp::server': a, lookup_options: { 'ntp::server': { convert: String } } }",
        COMMON,
    ),
    "HIERA_UNKNOWN_STRATEGY": Rule(
        "an unknown merge strategy in `lookup_options`",
        "error",
        "{ 'ntp::server': a, lookup_options: { 'ntp::server': { merge: dep } } }",
        COMMON,
    ),
    "HIERA_STRATEGY_MISSING": Rule(
        "options of a merge without a strategy",
        "error",
        "{ 'ntp::server': a, lookup_options: { 'ntp::server': { merge: { knockout_prefix: '--' } } } }",
        COMMON,
    ),
    "HIERA_BAD_MERGE_OPTION": Rule(
        "an option that the merge strategy does not have",
        "error",
        "{ 'ntp::server': a, lookup_options: { 'ntp::server': { merge: { strategy: deep, knockout: x } } } }",
        COMMON,
    ),
    "HIERA_BAD_PATTERN": Rule(
        "an invalid regular expression in `lookup_options`",
        "error",
        "lookup_options: { '^ntp::(': { merge: first } }",
        COMMON,
    ),
    "HIERA_LOOKUP_OPTIONS_NO_HASH": Rule(
        "`lookup_options`, or those of a key, that are not a hash",
        "error",
        "lookup_options: 1",
        COMMON,
    ),
    "HIERA_FOREIGN_LOOKUP_OPTIONS": Rule(
        "`lookup_options` of a module for keys of others",
        "error",
        "lookup_options: { 'web::port': { merge: first } }",
        "modules/ntp/data/common.yaml",
    ),
    "HIERA_CONVERT_TYPE": Rule(
        "a `convert_to` that is not a type",
        "error",
        "{ 'ntp::server': a, lookup_options: { 'ntp::server': { convert_to: 'string' } } }",
        COMMON,
    ),
    "HIERA_DECRYPTION_FAILED": Rule(
        "an encrypted value that the keys on this machine cannot decrypt; not checked without keys",
        "error",
        "ntp::server: ENC[PKCS7,MIIB]",
        "data/secrets.eyaml",
    ),
    "HIERA_NOT_DECRYPTED": Rule(
        "an encrypted value in a level that does not open it",
        "warning",
        "ntp::server: ENC[PKCS7,MIIB]",
        COMMON,
    ),
}
"""The rules by their codes."""
