"""The rules of the analysis, for options and for the table in ``docs/check.md``."""

from __future__ import annotations

from bunraku.base.records import record


@record(frozen=True)
class Rule:
    """A rule: what it reports, how severe that is, and code that it reports.

    The example is ``manifests/site.pp`` beside the modules in :data:`EXAMPLE_MODULES`.
    """

    description: str
    severity: str
    example: str


EXAMPLE_MODULES = {
    "ntp/manifests/init.pp": "class ntp(String $server = 'pool.ntp.org') { }",
    "ntp/manifests/pool.pp": "define ntp::pool(Integer $port, String $iface = 'eth0') { }",
    "ntp/manifests/inner.pp": "class ntp::inner { assert_private() }",
    "ntp/templates/ntp.conf.epp": "server a",
    "ntp/files/motd": "welcome",
    "ntp/types/port.pp": "type Ntp::Port = Integer[1, 65535]",
    "ntp/functions/servers.pp": "function ntp::servers() { [] }",
}
"""The files of the modules that the examples use."""

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
        "class role(Ntp::Prt $port) { }",
    ),
    "UNKNOWN_PARAMETER": Rule(
        "a parameter that the class, defined type or resource type does not have",
        "error",
        "class { 'ntp': sever => 'ntp.example.com' }",
    ),
    "MISSING_PARAMETER": Rule(
        "a resource of a defined type without a required parameter, unless defaults, an override or "
        "a collector in the checked files set it",
        "error if the main manifests are checked, too; else a warning",
        "ntp::pool { 'a': iface => 'eth1' }",
    ),
    "INVALID_PARAMETERS": Rule(
        "a value that no value of its parameter's type can be: in a resource of a class or defined type, "
        "as a default, in defaults, overrides and collectors. The value can be a literal, a variable "
        "that is assigned before, a call with a declared result, …",
        "error; a warning for virtual resources, for values that an override replaces, for defaults of "
        "resources and for `undef` as the default of a parameter",
        "ntp::pool { 'a': port => '123' }",
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
    "FILE_NOT_FOUND": Rule(
        "a file that `template`, `epp`, `file` or `source => 'puppet:///modules/…'` reads and that its "
        "module does not have",
        "error; for `source` a warning, because the agent fails and not the compile",
        "notice(epp('ntp/ntp.cnf.epp'))",
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
    "MODULE_NOT_INSTALLED": Rule(
        "a module that code uses and that is not on the modulepath; reported once",
        "warning",
        "include apache",
    ),
}
"""The rules by their codes."""
