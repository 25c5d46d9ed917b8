"""Calls of functions in whole manifests: the requests to Puppet, and their surroundings.

Used by the tool that records (``tests/record/record_functions_manifests.py``) and by the test. The
files of ``tests/data/functions_modules`` lie at ``ROOT`` on the machine that records; the test
reads them as a dictionary.
"""

from __future__ import annotations

import json
import subprocess
from contextlib import AbstractContextManager
from itertools import product
from pathlib import Path
from typing import Any

from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine

SOURCE = Path(__file__).parents[1] / "data" / "functions_modules"
ROOT = "/tmp/bunraku_functions"
STDLIB = "/usr/share/puppet/modules"
MODULEPATH = [f"{ROOT}/modules", STDLIB]
FACTS: dict[str, Any] = {
    "level": "high",
    "networking": {"fqdn": "n.example.com", "ip": "10.0.0.5"},
    "os": {"name": "Debian", "family": "Debian", "release": {"major": "12"}},
    "list": ["a", {"k": "v"}],
}
Case = tuple[str, str, dict[str, Any]]


class Place(DictionaryWorld):
    """The files as a dictionary; programs run as they are, from where they really lie."""

    def run(self, command: list[str], directory: str | None = None) -> str:
        """See :class:`bunraku.world.protocol.World`."""
        own = [part.replace(ROOT, str(SOURCE)) for part in command]
        return Machine().run(own).replace(str(SOURCE), ROOT)

    def temporary_file(self, content: bytes) -> AbstractContextManager[str]:
        """See :class:`bunraku.world.protocol.World`; programs find it."""
        return Machine().temporary_file(content)


def place(version: str = "8.5.0") -> Place:
    """The files of the cases, and the standard library in a version."""
    files = {
        f"{ROOT}/{path.relative_to(SOURCE)}": path.read_bytes()
        for path in SOURCE.rglob("*")
        if path.is_file()
    }
    fields = {"name": "puppetlabs-stdlib", "version": version, "author": "a", "license": "l"}
    fields |= {"summary": "s", "source": "u"}
    text = json.dumps({**fields, "dependencies": []}).encode()
    files[f"{STDLIB}/stdlib/metadata.json"] = text
    alias = b"type Stdlib::%s = Variant[Array, Hash, String, Numeric, Boolean, Undef]\n"
    files[f"{STDLIB}/stdlib/types/anything.pp"] = alias % b"Anything"
    return Place(files, time=1_500_000_000.0)


def lay_out() -> None:
    """Put the files where the recording Puppet looks for them."""
    subprocess.run(["rm", "-rf", ROOT], check=True)
    subprocess.run(["cp", "-r", str(SOURCE), ROOT], check=True)


# -- requests ------------------------------------------------------------------------------------
ANYTHING = """\
|1|'a'|undef|[]|{}|1.5|true|'a', 'b'|[1], [2]|{a => 1}|/x/|Integer|default|'a', 1, 2|Sensitive('a')
['a', ['b']]|''|'é'|-1|'a', 'b', 'c'|{a => 1}, 'a'|Notify['x']|[undef]|'/nosuch/passwd'
'm/a.txt'|true, false, true|Timestamp(0)|SemVer('1.0.0')"""
CLASSES = """\
|'m'|'M'|'::m'|'m::b'|'nosuch'|Class['m']|Class['M']|Class['nosuch']|['m', 'm::b']|[['m'], []]|[]|{}|1
true|undef|''|Class|File['/a']|'m', 'm::b'|'m', ['m::b', Class['n']]|['m', undef]|'m b'|default
Sensitive('m')|/m/|'m::needs'|'m::fails'|'m::d'|Resource['class', 'm']|Class['m', 'm::b']|'n'|Integer
'm:b'|'m::'|'main'|'settings'|Type[Class['m']]|String|'m', 'm'|"m\\n"|['m', 'nosuch']"""
DEFINED = """\
|'m'|'::m'|'M'|'nosuch'|'m::d'|'M::D'|'file'|'File'|'notify'|'notice'|'each'|'md5'|'m::reader'|'$x'
'$y'|'$::x'|'$m::x'|'$facts'|Class['m']|Class['nosuch']|Notify['a']|Notify['b']|File|Notify|M::D
M::D['t']|Nosuch|Nosuch['a']|''|1|undef|[]|['m']|'m', 'nosuch'|'nosuch', 'nosuch2'|Type[Class['m']]
Type[File]|Type[M::D]|Type[Class['nosuch']]|'Notify[a]'|'Notify[b]'|Integer|'Integer'|String|'main'
Class|Type|CatalogEntry|Resource|Resource['notify', 'a']|Resource['nosuch']|'Class'|true|default
'M::Small'|'m::small'|'Class[M]'|'$'|'$facts::x'|'settings'|'return'|'lookup'|'class'|'node'
Notify['a', 'b']|Type[Notify['a']]|'m::needs'|'::notify'|'import'|'template'"""
TAGS = """\
|'a'|'A'|'a', 'b'|['a', ['b']]|'a b'|''|1|1.5|true|undef|{a => 1}|'a::b'|'é'|'a.b-c_d'|'-a'|Class['m']
Notify['x']|[]|default|'x'|'k'|'class'|'notify'|'K'|'::a'|'a:b'|Sensitive('a')|['k', 'class']|['k', 'z']
"a\\n"|'0'|'_a'|'.a'|'m'|'node'|'default'|'main'"""
REALIZED = """\
|Notify['a']|Notify['b']|Notify['a'], Notify['b']|[Notify['a'], [Notify['b']]]|Notify['a', 'b']
Notify['none']|Class['m']|Class['nosuch']|'a'|'Notify[a]'|'notify[a]'|1|undef|[]|{}|Notify|File['/a']
User['u']|['Notify[a]']|M::D['v']|default|true|Resource['notify', 'a']|Notify['real']|'Notify'|''"""
FAILED = """\
|'a'|'a', 'b'|1|[1, 'a']|{a => 1}|undef|''|true|1.5|/x/|Integer|default|Sensitive('x')|'a\\nb'|"é"
Notify['x']|'a', undef, 'b'|['a', ['b', undef]]|'%s'|'100%'|"a\\nb"|Timestamp(0)|[], {}"""
RESOURCES = """\
'notify', {'a' => {}}|'notify', {'a' => {'message' => 'x'}, 'b' => {}}|'Notify', {'a' => {}}
'@notify', {'a' => {}}|'@@notify', {'a' => {}}|'m::d', {'t' => {'p' => 1}}|'M::D', {'t' => {'n' => 2}}
'::m::d', {'t' => {}}|'m::d', {'t' => {'n' => 'x'}}|'m::d', {'t' => {'none' => 1}}|'class', {'m' => {}}
'class', {'m' => {'x' => 2}}|'class', {'m' => {'none' => 2}}|'class', {'m::needs' => {}}
'class', {'m::needs' => {'must' => 1}}|'class', {'nosuch' => {}}|'nosuch', {'a' => {}}|'nosuch', {}
'notify', {}|'notify', undef|'notify', []|'notify'||'notify', {'a' => undef}|'notify', {'a' => 1}
'notify', {'a' => 'b'}|'notify', {'a' => []}|'notify', {1 => {}}|'notify', {'' => {}}|1, {}|undef, {}
'notify', {['a', 'b'] => {'message' => 'm'}}|'notify', {'a' => {'nosuch' => 1}}|'', {'a' => {}}
'notify', {'a' => {'message' => 'x'}}, {'message' => 'y'}|'notify', {'a' => {}}, {'message' => 'y'}
'notify', {'a' => {}}, {}|'notify', {'a' => {}}, undef|'notify', {'a' => {}}, 1|'notify', {'a' => {}}, {}, {}
'file', {'/a' => {'ensure' => 'file', 'mode' => '0644'}, '/b' => {'ensure' => 'absent'}}|Notify, {'a' => {}}
'file', {'/a' => {'require' => Notify['z']}}|'notify', {'z' => {'message' => 'twice'}}|'@m::d', {'t' => {}}
'notify', {'a' => {'tag' => ['x', 'y']}}|'notify', {'a' => {'before' => 'Notify[z]'}}|'@class', {'m' => {}}
'notify', {'a' => {'message' => undef}}, {'message' => 'y'}|'notify', {'a' => {'noop' => true}}
'stage', {'late' => {}}|'user', {'u' => {'groups' => ['a', 'b']}}|'file', {'rel' => {}}
'notify', {'a' => {'message' => Sensitive('s')}}|'notify', {1.5 => {}}|'notify', {true => {}}
'notify', {'a' => {1 => 2}}|'@ notify', {'a' => {}}|'notify[x]', {'a' => {}}|'node', {'a' => {}}
'm::d', {'t' => {}}, {'p' => 'common', 'n' => 3}|['notify'], {'a' => {}}|'@@@notify', {'a' => {}}"""
KEYS = """\
'string'|'empty'|'nothing'|'yes'|'number'|'first'|'list'|'hash'|'nested'|'nested.a.b.0'|'nested.a.b.2.z'
'nested.a.nosuch'|'nested.a.b.9'|'dotted.key'|"'dotted.key'"|'"dotted.key"'|'interpolated'|'aliased'
'bad_alias'|'nosuch'|'m::x'|'m::list'|'m::deep'|'m::typed'|'m::only'|'m::only.1'|'m::nosuch'|'nosuch::x'
'lookup_options'|''|1|undef|[]|{}|['nosuch', 'string']|['nosuch', 'nosuch2']|['list']|'list.0'|'list.x'
'string.x'|'::string'|true|default|'number.0'|'nested.'|'.a'|'a..b'|"nested.'a'.b"|'hash.b'|[1]|'mixed'"""
LOOKUPS = """\
|'list', Array|'list', Hash|'number', String|'number', Integer|'string', String, 'first'|'list', Array, 'unique'
'list', undef, 'unique'|'hash', Hash, 'hash'|'hash', Hash, 'deep'|'hash', undef, 'nosuch'|'hash', 'deep'
'string', undef, 'unique'|'string', undef, 'hash'|'hash', undef, 'unique'|'m::deep', undef, 'first'
'm::deep', undef, 'hash'|'m::list', undef, 'first'|'nosuch', String, 'first', 'dflt'|'nosuch', undef, undef, 'd'
'nosuch', Integer, undef, 'd'|'nosuch', undef, undef, undef|'string', undef, undef, 'd'|'nosuch', {}
'nosuch', {'default_value' => 'd'}|'nosuch', {'default_value' => undef}|'string', {'default_value' => 'd'}
'nosuch', {'default_values_hash' => {'nosuch' => 'h'}}|'string', {'override' => {'string' => 'o'}}
'string', {'override' => {'string' => undef}}|'list', {'merge' => 'unique', 'value_type' => Array[String]}
'list', {'merge' => 'unique', 'value_type' => Array[Integer]}|{'name' => 'string'}|{'name' => 'nosuch'}
{'name' => 'nosuch', 'default_value' => 5}|{'name' => 'hash', 'merge' => {'strategy' => 'deep'}}|{}
{'name' => 'm::deep', 'merge' => {'strategy' => 'deep', 'knockout_prefix' => '--'}}|{'nosuch' => 1}
{'name' => 'm::deep', 'merge' => {'strategy' => 'deep', 'sort_merged_arrays' => true}}
{'name' => ['nosuch', 'string']}|{'name' => 'string', 'nosuch' => 1}|'hash', undef, {'strategy' => 'hash'}
'hash', undef, {'strategy' => 'nosuch'}|'hash', undef, {'strategy' => 'deep', 'nosuch' => 1}
'hash', undef, {}|'list', undef, 'deep'|'nested', undef, 'deep'|'string', 1|'string', String, 1
'string', String, 'first', 'd', 'e'|'nosuch', {'value_type' => Integer, 'default_value' => 'x'}
{'name' => 'list', 'value_type' => Integer}|'classes', undef, 'unique'|'m::typed', Integer|'m::typed', String
'mixed', Array[Variant[String, Integer]]|'nested.a', undef, 'deep'|'m::list', undef, 'deep'
'nosuch', {'override' => {'nosuch.a' => 1}}|'x.y', {'override' => {'x' => {'y' => 3}}}
'x.y', {'default_values_hash' => {'x' => {'y' => 3}}}|'nosuch', {'default_values_hash' => {}}"""
LOOKUP_BLOCKS = """\
'nosuch'|'string'|['nosuch', 'no2']|'nosuch', Integer|'nosuch', String|{'name' => 'nosuch'}|'nosuch', {}
'nosuch', {'default_value' => 'd'}|'nosuch', String, 'first'|'nosuch', String, 'first', 'd'"""
OLD = """\
|'string'|'list'|'hash'|'nosuch'|'nosuch', 'd'|'string', 'd'|'nosuch', undef|'nosuch', 'd', 'high'
'string', 'd', 'nosuch'|'list', [], 'common'|'list', [], ['common']|'nested.a.b.0'|'m::x'|'m::list'|1|undef|[]
['string']|['nosuch', 'd']|['list', 'd', 'common']|'classes'|'one_class'|'no_class'|'nothing'|'yes'|'number'
'float'|'interpolated'|'aliased'|'bad_alias'|'a', 'b', 'c', 'd'|{}|''|'first'|'nosuch', []|'nosuch', {}
'nosuch', 'm'|'mixed'|'empty'|'lookup_options'|'nosuch', ['m', 'm::b']|'hash', {}|'list', 1|'hash', 'x'"""
INLINE = """\
|''|'a'|'<%= 1 + 2 %>'|'<%= $x %>'|'<%= $y %>'|'<%= $x %>', {'x' => 2}|'<%= $z %>', {'z' => [1, undef]}|1
'<% | $a | %><%= $a %>', {'a' => 1}|'<%- | $a | -%><%= $a %>'|'<%- | $a = 5 | -%><%= $a %>'|undef
'<%- | Integer $a | -%><%= $a %>', {'a' => 'x'}|'<%- | $a | -%><%= $a %>', {'a' => 1, 'b' => 2}
'<%- | $a | -%><%= $x %>', {'a' => 1}|"<%- [1,2].each |$i| { -%>\\n<%= $i %>\\n<%- } -%>\\n"|'<%# no %>yes'
'<%%= 1 %%>'|'a <%- 1 -%> b'|"a  <%- 1 -%>  \\n b"|"a  <% 1 %>  \\n b"|'<%= 1'|'%>'|'<%= fail("x") %>'
'<%= $x %>', {}|'<%= $x %>', undef|'a', {}, 1|'a', 1|'a', {1 => 2}|'a', {'A' => 2}|'a', {'a b' => 2}
'<%= $a %>', {'a' => Sensitive('s')}|'<%- | Sensitive $a | -%><%= $a.unwrap %>', {'a' => Sensitive('s')}
'<% $q = 1 %><%= $q %>'|'<% if $x == 1 { %>one<% } else { %>other<% } %>'|'<%= undef %>|<%= [1, [2]] %>'
'<%= {a => 1} %>'|'<%= "a\\nb" %>'|'<%- | *$a | -%>x'|'<%= $module_name %>'|'<% return("r") %>x'
'<%= $facts["level"] %>'|'<%= notice("in") %>'|'<%= include m %>'|"<%- | $a | -%>\\n<%= $a %>\\n", {'a' => 1}
'<%- | Optional[Integer] $a = 3 | -%><%= $a %>', {'a' => undef}|'<%= $title %>'|'<%- | | -%>x', {'a' => 1}
'<%= [1,2,3].map |$i| { $i * 2 } %>'|'<% [1,2].each |$i| { %><%= $i %>,<% } %>'|'<% } %>'|'<% notify {"n": } %>'"""
EPP = """\
|'m/plain.epp'|'m/typed.epp'|'m/typed.epp', {'a' => 1}|'m/typed.epp', {'a' => 'x'}|'m/none.epp'|'nosuch/x.epp'
'm/typed.epp', {'a' => 1, 'b' => 'B', 'c' => 2}|'m/typed.epp', {'a' => 1, 'd' => 2}|'m/nosuch.epp'|'m'|''
'm/none.epp', {}|'m/none.epp', {'a' => 1}|'m/sees.epp'|'m/sees.epp', {'x' => 5}|'m/secret.epp'|1|undef
'm/secret.epp', {'s' => Sensitive('p')}|'m/secret.epp', {'s' => 'p'}|'m/fails.epp'|'m/broken.epp'
'm/loop.epp', {'items' => [1, 'two']}|'m/loop.epp', {'items' => []}|'m/loop.epp', {'items' => undef}
'm/loop.epp', {'items' => 3}|'m/loop'|'/tmp/bunraku_functions/modules/m/templates/plain.epp'|'/nosuch.epp'
'm/plain.epp', {'a' => 1}|'m/plain.epp', {'facts' => 1}|'m/plain.epp', 1|'m/plain.epp', {}, {}|'m/t.erb'
'm/templates/plain.epp'|['m/plain.epp']|'m/plain.epp', {1 => 2}|'m/typed.epp', {'a' => 1, 'b' => undef}
'm/typed.epp', {'b' => 'x'}|'../m/plain.epp'|'m/../plain.epp'|'M/plain.epp'"""
FILES = """\
|'m/a.txt'|'m/nosuch'|'nosuch/a.txt'|'m/sub/b.bin'|'m/empty'|'m'|''|'/'|'m/'|'m/sub'|1|undef|[]|{}|true
'm/nosuch', 'm/a.txt'|['m/nosuch', 'm/a.txt']|'m/a.txt', 'm/empty'|'/tmp/bunraku_functions/data/list.yaml'
'/nosuch/file'|'/nosuch/file', 'm/a.txt'|'a.txt'|'m//a.txt'|'m/../a.txt'|['m/a.txt']|'M/a.txt'
'/tmp/bunraku_functions'|'m/a.txt', 1|[['m/a.txt']]|['m/nosuch']|default|Sensitive('m/a.txt')|'m/a.txt', []
'm/plain.epp'|'m/nosuch.epp'|'m/t.erb'|['m/nosuch', 'm/t.erb']|'m/nosuch', 'm/t.erb'|'m', 'n'|'nosuch', 'm'
['nosuch', 'n']|'stdlib'|['nosuch', 'nosuch2']|'m::b'|'M'"""
PROGRAMS = """\
|'ROOT/exec/show'|'ROOT/exec/show', 'a', 'b c'|'ROOT/exec/show', 1, true|'ROOT/exec/fails'|'ROOT/exec/nosuch'
'show'|'./show'|''|1|undef|[]|['ROOT/exec/show', 'a']|'ROOT/exec/show', ['a', 'b']|'ROOT/exec/show', undef
'ROOT/exec/show', ''|'ROOT/../bunraku_functions/exec/show'|'/bin/e cho'|'ROOT/exec/show', '$HOME'|'/tmp'
'ROOT/exec/show', "a'b"|'ROOT/exec/show', '*'|'ROOT/exec/show;ls'|'ROOT/exec/show a'|'/bin/true'|'/bin/false'
'ROOT/exec/show', {'a' => 1}|'ROOT/exec/show', 'é'|'ROOT/exec/show', "a\\nb"|'ROOT/exec/show', 1.5|{}|true"""
JSON_FILES = "good bad list empty nosuch"
YAML_FILES = "good bad list empty alias symbol text nosuch"
FLOWS = """\
[1,2,3].map |$x| {{ if $x == 2 {{ {0} }} $x }}|with(1) |$x| {{ {0} 2 }}|function f() {{ {0} 6 }} f()
function f() {{ [1,2].each |$x| {{ {0} }} 6 }} f()|call('{1}')|call('{1}', 1)|call('{1}', 1, 2)|{0}
[1,2,3].filter |$x| {{ if $x == 2 {{ {0} }} true }}|[1,2,3].reduce |$m, $x| {{ if $x == 3 {{ {0} }} $m + $x }}
{{a=>1,b=>2}}.map |$k, $v| {{ if $k == 'b' {{ {0} }} $v }}|[[1,2],[3]].map |$x| {{ $x.map |$y| {{ {0} $y }} }}
[1,2,3].each |$x| {{ notice($x) if $x == 2 {{ {0} }} }}|[1,2].any |$x| {{ {0} }}|[1,2].all |$x| {{ {0} }}
Integer[1,4].slice(2) |$x| {{ if 3 in $x {{ {0} }} notice($x) }}|1.then |$x| {{ {0} 5 }}|undef.lest || {{ {0} 5 }}
function f($x) {{ if $x > 2 {{ {0} }} f($x + 1) }} f(1)|[3,1].sort |$a, $b| {{ {0} }}|if true {{ {0} }}
Integer[1,9].step(3) |$x| {{ if $x == 4 {{ {0} }} notice($x) }}|[1,2].tree_each |$p| {{ {0} }}
case 1 {{ 1: {{ {0} }} default: {{ 5 }} }}|[1,2].group_by |$x| {{ {0} }}|[1,2].partition |$x| {{ {0} true }}
[1,2].reverse_each |$x| {{ {0} }}|[1,2].index |$x| {{ {0} true }}|5.with |$x| {{ [1].each |$y| {{ {0} }} 7 }}"""
TEXTS = {
    "annotate": None,
    "call": """\
'abs', -1|'nosuch'|'nosuch', 1|'split', 'a,b', ','|'notice', 'x'|''|1|undef||'abs'|'abs', 'x'|Deferred('abs', [-3])
Deferred('nosuch')|'m::nosuch'|'::abs', -1|'Abs', -1|'fail', 'x'|'include', 'm'|'defined', 'm'|'call', 'abs', -2
Deferred('abs', [-3]), 1|['abs', -1]|'if'|'size', 'abc'|'upcase', ['a']|'Integer', '1'|'new', Integer, '1'""",
    "convert_to": """\
'1', Integer|'x', Integer|1, String|[1], Hash|{a => 1}, Array|'1'|'1', 'Integer'|'1.5', Float|undef, Integer
1, String, '%x'|'0x1f', Integer, 16|[[1, 2]], Hash|'a', Sensitive|'1', Numeric|1, Boolean|'yes', Boolean
'abc', Array|'1.2.3', SemVer|'a', Regexp|1, Timespan|'', Integer|1.9, Integer|-1, Optional[Integer]|'5', Any""",
    "digest": None,
    "getvar": """\
'x'|'::x'|'nosuch'|'facts'|'facts.level'|'facts.list.0'|'facts.list.1.k'|'facts.nosuch'|'facts.nosuch', 5|''
'nosuch', 'd'|'nosuch.a', 'd'|'facts.list.9', 'd'|1|undef||'m::x'|'x.y'|'X'|'x y'|'facts::level'|'h.a.b'|'h.a'
'h.a.c', 1|'$x'|'x', 1|'x', 1, 2|'h."a"'|"h.'a'.b"|'h..a'|'arr.-1'|'arr.1'|'a-b'|'settings::environment'|'0'""",
    "import": None,
    "keys": None,
    "values": None,
    "new": """\
Integer|Integer, '1'|Integer, 'x'|'Integer', '1'|String, 1|Array, 1|Hash, [[1, 2]]|Boolean, 'true'|Float, '1.5'
Any, 1|Notify, 'a'|undef|1||Sensitive, 1|Regexp, 'a'|Timestamp, 0|SemVer, '1.0.0'|URI, 'http://a'|Binary, 'aGk='
Optional[Integer], '1'|Variant[Integer, String], '1'|Type, 'Integer'|Struct[{a => Integer}], {a => 1}|Undef
Tuple[Integer], [1]|Enum['a'], 'a'|Numeric, '0x1f'|Integer, '11', 2|Collection, []|Callable|M::Small, '5'
M::Small, 10|Default|Iterator, [1]|Init[Integer], '7'|Type[Integer], 'Integer'|Class, 'm'|Object, {}""",
    "strftime": """\
Timestamp(0), '%F %T'|Timestamp(0), '%s', 'UTC'|Timestamp(0), '%F %T %z', 'Europe/Berlin'|Timestamp(0), ''
Timestamp(0), '%H', '+05:30'|Timestamp(0), '%Z', 'EST'|Timestamp(0), '%q'|Timespan(90061), '%D %H:%M:%S'
Timespan(1.5), '%S.%L'|Timespan(-5), '%-S'|Timestamp(0)|1, '%F'|'%%'|undef, '%F'|Timestamp(0), 1|'x', 'y', 'z'|
Timestamp(0), '%F', 'Nowhere/None'|Timestamp(1.25), '%N %3N %L'|Timestamp(0), '%a %A %b %B %j %u %w %U'
Timestamp(0), '%-d %e %l %I %p %P'|Timestamp(0), '%C %y %G %g %V'|Timestamp(0), '%c %x %X %D %R %r %v %+'
Timestamp(0), '%^a %10Y %-m %010e %_m'|Timestamp(0), 'é %F'|Timespan(0), 'plain'|Timespan(5), '%z'""",
}


def pieces(text: str) -> list[str]:
    """The argument lists in a text: separated by bars and line ends."""
    return [piece.replace("ROOT", ROOT) for line in text.split("\n") for piece in line.split("|")]


def bars(text: str) -> list[str]:
    """As :func:`pieces`, for texts in which a bar is a piece of code: two spaces or a line end
    are not; a bar separates only where no bar of a lambda or template stands before its blank.
    """
    found, depth, start, quote = [], 0, 0, ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[at - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif depth == 0 and (letter == "\n" or (letter == "|" and text[at - 1] != " ")):
            found.append(text[start:at])
            start = at + 1
    return [*found, text[start:]]


def value(name: str, lists: list[str], before: str = "") -> list[Case]:
    """A notice of each call's value."""
    return [(name, f"{before}notice(String({name}({one}), '%p'))", {}) for one in lists]


def catalog_cases() -> list[Case]:
    """The functions that work on the catalog."""
    found: list[Case] = []
    for name, one in product(("include", "contain", "require"), pieces(CLASSES)):
        found.append((name, f"class k {{ notice({name}({one})) }}\ninclude k", {}))
        found.append((name, f"notice({name}({one}))\nnotify {{ 'z': }}", {}))
    for name in ("include", "contain", "require"):
        found.append((name, f"define k::d {{ {name}('m') }}\nk::d {{ 'x': }}", {}))
        found.append((name, f"node default {{ {name}('m') }}", {}))
        found.append((name, f"['m', 'm::b'].each |$c| {{ {name}($c) }}", {}))
    ready = "$x = 1\ninclude m\nnotify { 'a': }\nm::d { 't': }\n"
    found += [("defined", f"{ready}notice(defined({one}))", {}) for one in pieces(DEFINED)]
    found += [("create_resources", f"notify {{ 'z': }}\ncreate_resources({one})", {})
              for one in bars(RESOURCES)]  # fmt: skip
    virtual = "@notify { ['a', 'b']: }\n@user { 'u': }\nnotify { 'real': }\n@m::d { 'v': }\n"
    found += [("realize", f"{virtual}realize({one})", {}) for one in pieces(REALIZED)]
    for one in pieces(TAGS):
        found.append(("tag", f"class k {{ tag({one}) notify {{ 'x': }} }}\ninclude k", {}))
        code = f"class k {{ notify {{ 'x': tag => 'a' }} notice(tagged({one})) }}\ninclude k, m"
        found.append(("tagged", code, {}))
        found.append(("tagged", f"include m\ntag('a')\nnotice(tagged({one}))", {}))
    for one in pieces(FAILED):
        found.append(("fail", f"fail({one})", {}))
        found.append(("fail", f"notice(1)\nclass k {{\n  fail({one})\n}}\ninclude k", {}))
        code = f"define k::d {{\n  fail({one})\n}}\n\nk::d {{ 'x': }}"
        found.append(("fail", code, {}))
    return found


def lookup_cases() -> list[Case]:
    """The functions that look data up, and those that read it."""
    found = value("lookup", bars(KEYS) + bars(LOOKUPS))
    found += [
        ("lookup", f"notice(String(lookup({one}) |$k| {{ ['from block', $k] }}, '%p'))", {})
        for one in bars(LOOKUP_BLOCKS)
    ]
    for name, one in product(("hiera", "hiera_array", "hiera_hash"), bars(OLD)):
        found.append((name, f"notice(String({name}({one}), '%p'))", {}))
    found += [("hiera_include", f"hiera_include({one})\nnotice('done')", {}) for one in bars(OLD)]
    for name in ("hiera", "hiera_array", "hiera_hash", "hiera_include"):
        for one in ("'nosuch'", "'list'", "'nosuch', 'high'", "'nosuch', 'high', 1"):
            code = f"notice(String({name}({one}) |$k| {{ ['m', 'm::b'] }}, '%p'))"
            found.append((name, code, {}))
    readers = {
        "yaml": ("yaml_data", "yaml", YAML_FILES),
        "json": ("json_data", "json", JSON_FILES),
        "hocon": ("hocon_data", "conf", "good bad empty null dotted nosuch"),
        "eyaml": ("eyaml_lookup_key", "eyaml", "plain nosuch"),
    }
    others: list[Any] = [
        {},
        {"path": ""},
        {"path": 1},
        {"path": None},
        {"paths": []},
        [],
        "x",
        None,
    ]
    for kind, (name, suffix, files) in readers.items():
        for given in [{"path": f"{ROOT}/data/{one}.{suffix}"} for one in files.split()] + others:
            facts = {"reader": kind, "given": given, "key": "plain"}
            found.append(
                (name, "notice(String(lookup('m::read', undef, undef, 'none'), '%p'))", facts)
            )
        found += value(name, bars(ANYTHING)[:16])
    return found


def other_cases() -> list[Case]:
    """Templates, files, programs, messages, jumps, and a few more lists for simple functions."""
    sight = "$x = 1\n"
    found = value("inline_epp", bars(INLINE), sight) + value("epp", bars(EPP), sight)
    found += [("inline_epp", f"class k {{ $x = 3 notice(inline_epp({one})) }}\ninclude k", {})
              for one in bars(INLINE)[3:8]]  # fmt: skip
    for name in ("file", "binary_file", "find_file", "find_template", "module_directory"):
        found += value(name, pieces(FILES))
    found += value(
        "template", [one for one in pieces(FILES) if ".erb" not in one and ".epp" not in one]
    )
    found += value("generate", pieces(PROGRAMS))
    for level in ("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"):
        found += [(level, f"{level}({one})", {}) for one in pieces(FAILED)]
    for name, jump in (
        ("break", "break()"), ("next", "next()"), ("next", "next(9)"), ("return", "return()"),
        ("return", "return(9)"),
    ):  # fmt: skip
        for one in bars(FLOWS):
            code = one.format(jump, name)
            found.append(
                (name, f"notice({code})" if code[-1] != "}" or "f()" not in code else code, {})
            )
    before = "$x = 1\n$h = {'a' => {'b' => 2}}\n$arr = [1, 2]\ninclude m\n"
    for name, text in TEXTS.items():
        found += value(name, bars(text or ANYTHING), before)
    found += [
        ("lest", f"notice(String(({one}).lest || {{ 'block' }}, '%p'))", {})
        for one in pieces(ANYTHING)
        if one and ", '" not in one and ", 1, " not in one
    ]
    found += value("digest", ["'a'", "'é'", "'a', 'b'", "['a']", "1", "undef", "", "''"])
    return found


STDLIB_MORE = """\
any2array assert_private deprecation is_array is_bool is_hash os_version_gte stdlib::str2resource
str2saltedpbkdf2 validate_absolute_path validate_bool validate_email_address validate_hash
validate_ip_address validate_ipv4_address validate_ipv6_address get_module_path glob
load_module_metadata loadjson loadyaml private str2saltedsha512 validate_cmd
validate_x509_rsa_key_pair stdlib::deferrable_epp validate_augeas"""
SPECIAL = {
    "get_module_path": "'m'|'n'|'nosuch'|'M'|['m']|'m', 'n'",
    "glob": "'ROOT/data/*.json'|['ROOT/exec/*', 'ROOT/nosuch/*']|'ROOT/{data,exec}/[fg]*'|'relative/*'",
    "load_module_metadata": "'m'|'nosuch'|'n', true|'n'|'nosuch', true|'n', false",
    "loadjson": "|".join(f"'ROOT/data/{one}.json'|'ROOT/data/{one}.json', 'd'" for one in JSON_FILES.split()),
    "loadyaml": "|".join(f"'ROOT/data/{one}.yaml'|'ROOT/data/{one}.yaml', 'd'" for one in YAML_FILES.split()),
    "validate_cmd": """\
'good', 'ROOT/exec/check'|'bad', 'ROOT/exec/check'|'bad', 'ROOT/exec/check', 'mine'|'good', 'ROOT/exec/check %'
'good', '/nosuch'|'good', 'ROOT/exec/fails'|'a', '/bin/true'|'a', '/bin/false', 'm'|'a', 'true'|'a', ''""",
    "stdlib::deferrable_epp": """\
'm/typed.epp', {'a' => 1}|'m/plain.epp', {}|'m/typed.epp', {'a' => Deferred('abs', [1])}|'nosuch/x.epp', {}
'm/none.epp', {'a' => Deferred('abs', [1])}|'m/typed.epp', {}""",
    "assert_private": "'mine'",
    "private": "'mine'",
}  # fmt: skip


def stdlib_cases() -> list[Case]:
    """The standard library's functions that look at files, modules or the caller; and more lists."""
    found: list[Case] = []
    for name in STDLIB_MORE.split():
        lists = pieces(ANYTHING) + pieces(SPECIAL.get(name, "''"))
        if name.startswith("validate_") or name in {"assert_private", "private", "deprecation"}:
            found += [(name, f"{name}({one})\nnotice('done')", {}) for one in lists]
        elif name == "str2saltedsha512":
            found += [(name, f"notice(str2saltedsha512({one}).length)", {}) for one in lists]
        else:
            found += value(name, lists)
    for one in ("include n", "include m::inner", "include m::old", "include m::calls_old"):
        found.append(("assert_private" if "n" in one[-5:] else "private", one, {}))
    single = [
        "'a'",
        "''",
        "['a']",
        "[]",
        "[[1]]",
        "'é'",
        "'aaa'",
        "['b', 'b']",
        "[undef]",
        "{a => 1}",
    ]
    found += value(
        "shuffle", single + pieces(ANYTHING)[1:8] + ["'a', 1", "true", "default", "", "5", "5.5"]
    )
    found += [
        ("time", f"notice(type(time({one}), 'generalized'))", {}) for one in pieces(ANYTHING)
    ] + [("time", "notice(time('UTC') - time() < 5)", {})]
    return found


def all_cases() -> list[Case]:
    """Everything that is asked, once."""
    found = [*catalog_cases(), *lookup_cases(), *other_cases(), *stdlib_cases()]
    return list({json.dumps(case): case for case in found}.values())
