"""A small control repository, and random edits of it: for tests of what a catalog depends on."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

Files = dict[str, str]
Facts = dict[str, Any]


def facts_of(role: str, family: str, site: str) -> Facts:
    """Return facts of a node: some that the code reads, and some that no code reads."""
    return {
        "role": role,
        "os": {"family": family, "release": {"full": "12.5", "major": "12"}},
        "site": site,
        "networking": {"fqdn": f"{role}.{site}.example.org", "interfaces": {"eth0": {"mtu": 1500}}},
        "memory": {"system": {"total": "4 GiB", "available": "1 GiB"}},
        "uptime": "1 day",
        "mounts": ["/", "/srv"],
    }


NODES = {
    "web01": facts_of("web", "Debian", "a"),
    "web02": facts_of("web", "RedHat", "b"),
    "db01": facts_of("db", "Debian", "a"),
    "mon01": facts_of("mon", "Debian", "b"),
}
FACT_READER = """class profile::facts {
  $name_of_fact = $facts['site'] ? { 'a' => 'tier', default => 'zone' }
  notify { 'by name': message => String($facts[$name_of_fact]) }
  notify { "path ${facts.get('os.release.major', 0)} ${getvar('facts.rack.unit')}": }
  if defined('$owner') { notify { "owner ${owner}": } }
  if 'contact' in $facts { notify { "contact ${::contact}": } }
  $facts['networking']['interfaces'].each |$name, $interface| {
    notify { "interface ${name} ${interface['mtu']}": }
  }
  notify { "seed ${fqdn_rand(1000)}": }
  $mounts.each |$path| { notify { "mount ${path}": } }
  notify { 'template': message => inline_epp('<%= $facts[tier] %> <%= $facts[rack] =~ Hash %>') }
}
"""
"""Code that reads facts in many ways; several facts may be missing."""
HIERA = """version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
- {name: node, path: 'nodes/%{trusted.certname}.yaml'}
- {name: role, path: 'role/%{facts.role}.yaml'}
- {name: family, path: 'os/%{facts.os.family}.yaml'}
- {name: sites, glob: 'sites/%{facts.site}/*.yaml'}
- {name: common, paths: [common.yaml, defaults.json], data_hash: yaml_data}
"""
FILES: Files = {
    "environment.conf": "modulepath = site-modules:modules\n",
    "hiera.yaml": HIERA,
    "manifests/site.pp": "node default { include \"role::${facts['role']}\" }\n",
    "manifests/zz.pp": "notify { 'everywhere': }\n",
    "data/nodes/web01.yaml": "nginx::workers: 9\n",
    "data/role/web.yaml": "nginx::port: 8080\nprofile::web::vhosts: {a: 1, b: 2}\n",
    "data/role/db.yaml": "profile::db::size: 3\n",
    "data/os/Debian.yaml": "base::packages: [apt]\nbase::motd: \"%{lookup('greeting')} Debian\"\n",
    "data/sites/a/x.yaml": "base::resolver: 10.0.0.1\n",
    "data/sites/b/x.yaml": "base::resolver: 10.1.0.1\n",
    "data/common.yaml": "greeting: hello\nbase::packages: [vim]\nunused: 1\n"
    "lookup_options:\n  base::packages: {merge: unique}\n",
    "data/defaults.json": '{"fallback": "x"}\n',
    "site-modules/role/manifests/web.pp": "class role::web { include base include profile::web }\n",
    "site-modules/role/manifests/db.pp": "class role::db { include base include profile::db }\n",
    "site-modules/role/manifests/mon.pp": "class role::mon { include base include profile::mon }\n",
    "site-modules/profile/manifests/web.pp": "class profile::web(Hash $vhosts = {}) {\n"
    "  include nginx\n  $vhosts.each |$name, $n| { profile::vhost { $name: n => $n } }\n"
    "  @@file { \"/checks/${trusted['certname']}\": content => String($nginx::port), tag => 'check' }\n}\n",
    "site-modules/profile/manifests/vhost.pp": "define profile::vhost(Profile::Number $n) {\n"
    "  file { \"/vhosts/${name}\": content => epp('profile/vhost.epp', {'n' => $n}) }\n}\n",
    "site-modules/profile/manifests/db.pp": "class profile::db(Integer $size = 1) {\n"
    "  file { '/db': content => template('profile/db.erb') }\n"
    "  notify { profile::label('db'): }\n  notify { shout('db'): }\n}\n",
    "site-modules/profile/manifests/mon.pp": "class profile::mon { include profile::facts File <<| tag == 'check' |>>\n"
    "  $x = lookup('monitor', undef, undef, 'none') notify { \"monitor ${x}\": }\n"
    "  file { '/raw': content => file('profile/raw', 'profile/other') }\n}\n",
    "site-modules/profile/types/number.pp": "type Profile::Number = Integer[0, 99]\n",
    "site-modules/profile/functions/label.pp": 'function profile::label($x) { "label ${x}" }\n',
    "site-modules/profile/templates/vhost.epp": "<%- | $n | -%>\nvhost <%= $n %>\n",
    "site-modules/profile/templates/db.erb": "size <%= @size %> <%= @facts['role'] %> <%= @owner %>\n"
    "<%= scope['facts']['contact'] %> <%= scope.lookupvar('facts')['memory']['system']['total'] %>\n",
    "site-modules/profile/manifests/facts.pp": FACT_READER,
    "site-modules/profile/files/raw": "raw\n",
    "modules/base/manifests/init.pp": "class base(Array $packages, String $resolver = 'none',\n"
    "  String $motd = 'plain') {\n  package { $packages: }\n  file { '/motd': content => $motd }\n"
    "  notify { $resolver: }\n  if $facts['os']['family'] == 'Debian' { include base::debian }\n}\n",
    "modules/base/manifests/debian.pp": "class base::debian { tuned { 'deb': level => 2 } }\n",
    "modules/base/lib/puppet/type/tuned.rb": "Puppet::Type.newtype(:tuned) do\n"
    "  newparam(:name)\n  newproperty(:level)\nend\n",
    "modules/nginx/manifests/init.pp": "class nginx(Integer $workers = 1, Integer $port = $nginx::params::port)\n"
    "  inherits nginx::params { file { '/nginx': content => \"${workers} ${port} ${extra}\" } }\n",
    "modules/nginx/manifests/params.pp": "class nginx::params { $port = 80 $extra = shout('x') }\n",
    "modules/nginx/lib/puppet/functions/shout.rb": "Puppet::Functions.create_function(:shout) do\n"
    "  dispatch :shout do\n    param 'String', :x\n  end\n  def shout(x)\n    x.upcase + '!'\n  end\nend\n",
    "modules/nginx/hiera.yaml": "version: 5\n",
    "modules/nginx/data/common.yaml": "nginx::port: 81\n",
    "modules/nginx/metadata.json": '{"name": "a-nginx", "version": "1.0.0", "author": "a", '
    '"license": "x", "source": "x", "dependencies": []}\n',
}
SHADOWS = {
    "site-modules/nginx/manifests/init.pp": 'class nginx(Integer $port = 7) { notify { "own ${port}": } }\n',
    "functions/shout.pp": 'function shout($x) { "environment ${x}" }\n',
    "site-modules/profile/lib/puppet/functions/shout.rb": "Puppet::Functions.create_function(:shout) do\n"
    "  dispatch :shout do\n    param 'String', :x\n  end\n  def shout(x)\n    x + '?'\n  end\nend\n",
    "site-modules/profile/lib/puppet/functions/profile/label.rb": "Puppet::Functions.create_function(:'profile::label') do\n"
    "  dispatch :l do\n    param 'String', :x\n  end\n  def l(x)\n    'ruby ' + x\n  end\nend\n",
    "site-modules/profile/lib/puppet/type/tuned.rb": "Puppet::Type.newtype(:tuned) do\n"
    "  newparam(:name)\n  newparam(:level)\nend\n",
    "site-modules/base/manifests/debian.pp": "class base::debian { notify { 'shadow': } }\n",
    "site-modules/nginx/metadata.json": "{}\n",
    "modules/extra/manifests/init.pp": "class extra { }\n",
    "types/number.pp": "type Number = Integer\n",
    "data/nodes/db01.yaml": "base::resolver: 1.1.1.1\n",
    "data/sites/a/a.yaml": "base::resolver: 10.0.0.9\n",
    "data/role/mon.yaml": "monitor: yes\n",
    "data/os/RedHat.yaml": "base::motd: red\n",
    "site-modules/profile/hiera.yaml": "version: 5\n",
    "site-modules/profile/data/common.yaml": "profile::db::size: 77\nforeign: 1\n",
    "modules/nginx/manifests/params/more.pp": "class nginx::params::more { }\n",
    "site-modules/profile/files/other": "other\n",
    "manifests/aa.pp": "notify { 'before': }\n",
    ".resource_types/tuned.pp": "x\n",
}
"""New files that come before others, or are found where nothing was."""
KEYS = ("greeting", "nginx::port", "nginx::workers", "base::packages", "monitor", "unused", "new")
VALUES = (
    *("1", "8081", "[one, two]", "text", "{a: 1}", "~"),
    *('"%{facts.site}"', '"%{facts.tier}"', '"%{facts.os.release.full}"', '"%{::owner}"'),
)


def write(root: Path, old: Files, new: Files) -> None:
    """Change a directory from one state to another; as git does, leave no directory empty."""
    for name in old.keys() - new.keys():
        (root / name).unlink()
        for folder in (root / name).parents:
            if folder == root or any(folder.iterdir()):
                break
            folder.rmdir()
    for name, text in new.items():
        if old.get(name) != text:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def write_facts(folder: Path, facts: dict[str, dict[str, object]]) -> None:
    """Write the facts of the nodes."""
    folder.mkdir(exist_ok=True)
    for node, values in facts.items():
        (folder / f"{node}.json").write_text(json.dumps(values), encoding="utf-8")


# -- edits of facts --------------------------------------------------------------------------------

FACTS: tuple[tuple[tuple[str, ...], tuple[Any, ...]], ...] = (
    (("role",), ("web", "db", "mon")),
    (("site",), ("a", "b", "c")),
    (("os", "family"), ("Debian", "RedHat")),
    (("os", "release", "full"), ("12.5", "12.6", "13.0")),
    (("os", "release", "major"), ("12", "13", 13)),
    (("tier",), ("gold", "silver", {"a": 1}, "")),
    (("zone",), ("z1", "z2", None, False)),
    (("owner",), ("ann", "bob", 7)),
    (("contact",), ("ann", "bob")),
    (("rack",), ("r1", {"unit": 1}, {"unit": 2, "row": 3}, {})),
    (("rack", "row"), (1, 2)),
    (("networking", "fqdn"), ("a.example.org", "b.example.org")),
    (("networking", "ip"), ("10.0.0.1", "10.0.0.2")),
    (("networking", "interfaces", "eth0", "mtu"), (1500, 9000)),
    (("networking", "interfaces", "eth1"), ({"mtu": 1}, {"mtu": 2})),
    (("memory", "system", "total"), ("4 GiB", "8 GiB")),
    (("memory", "system", "available"), tuple(f"{number} MiB" for number in range(50))),
    (("uptime",), tuple(f"{number} days" for number in range(50))),
    (("load",), tuple({"1m": number / 10} for number in range(50))),
    (("mounts",), (["/"], ["/", "/srv"], ["/srv", "/"])),
    (("new",), (1, 2)),
    (("trusted",), ("of no use", 1)),
)
"""Facts by path, with values that they can get: facts that code reads, and others."""


def edit_facts(facts: Facts, random: Random) -> tuple[Facts, str]:
    """Return facts with one that was set, removed or moved to the end; and what was done."""
    facts = deepcopy(facts)
    path, values = random.choice(FACTS)
    *outer, last = path
    inner = facts
    for name in outer:
        if not isinstance(inner.get(name), dict):
            inner[name] = {}
        inner = inner[name]
    done, name = random.random(), ".".join(path)
    if done < 0.2 and path not in NEEDED:
        inner.pop(last, None)
        return facts, f"remove fact {name}"
    if done < 0.3 and last in inner:
        inner[last] = inner.pop(last)
        return facts, f"move fact {name}"
    inner[last] = random.choice(values)
    return facts, f"set fact {name} to {inner[last]!r}"


NEEDED = frozenset({("role",), ("os", "family"), ("mounts",)})
"""Facts without which no node compiles."""


# -- edits -----------------------------------------------------------------------------------------


def change_code(files: Files, random: Random) -> str:
    """Add a resource to a manifest, a line to a template or a Ruby function, or change numbers."""
    name = random.choice(
        [one for one in files if one.endswith((".pp", ".epp", ".erb", ".rb", "raw"))]
    )
    text = files[name]
    number = random.randrange(100)
    if random.random() < 0.3:
        digits = [at for at, letter in enumerate(text) if letter.isdigit()]
        if digits:
            at = random.choice(digits)
            files[name] = text[:at] + str(number % 10) + text[at + 1 :]
            return f"change a number in {name}"
    if name.endswith(".pp") and text.startswith(("class", "define")) and "{ " in text:
        start, brace, end = text.rstrip().rpartition("}")
        files[name] = f'{start} notify {{ "n{number} ${{title}}": }} {brace}{end}\n'
    elif name.endswith(".rb"):
        files[name] = (
            text.replace("'!'", f"'!{number}'").replace("'?'", f"'?{number}'") + "# more\n"
        )
    else:
        files[name] = f"{text}# {number}\n"
    return f"change {name}"


def rename(files: Files, random: Random) -> str:
    """Give a file another name."""
    name = random.choice(sorted(files))
    folder, _, last = name.rpartition("/")
    new = f"{folder}/{random.choice(['x', 'init', 'common', 'other'])}.{last.rpartition('.')[2]}"
    files[new.lstrip("/")] = files.pop(name)
    return f"rename {name} to {new}"


def shadow(files: Files, random: Random) -> str:
    """Add a file that comes before another."""
    name = random.choice(sorted(SHADOWS))
    files[name] = SHADOWS[name]
    return f"add {name}"


def change_data(files: Files, random: Random) -> str:
    """Add or change a key of a data file."""
    name = random.choice([one for one in files if one.endswith(".yaml") and "data/" in one])
    key, value = random.choice(KEYS), random.choice(VALUES)
    lines = [line for line in files[name].splitlines() if not line.startswith(f"{key}:")]
    lines.insert(
        random.choice([0, len(lines)]) if "lookup_options" not in files[name] else 0,
        f"{key}: {value}",
    )
    files[name] = "\n".join(lines) + "\n"
    return f"set {key} to {value} in {name}"


def remove_key(files: Files, random: Random) -> str:
    """Remove the first line of a data file."""
    name = random.choice([one for one in files if one.endswith(".yaml") and "data/" in one])
    files[name] = files[name].partition("\n")[2]
    return f"remove a key from {name}"


def remove(files: Files, random: Random) -> str:
    """Remove a file."""
    name = random.choice(sorted(files))
    del files[name]
    return f"remove {name}"


def change_hiera(files: Files, random: Random) -> str:
    """Change the order of the hierarchy, remove a level or add one."""
    levels = HIERA.splitlines()[3:]
    random.shuffle(levels)
    if random.random() < 0.3:
        levels.pop()
    if random.random() < 0.3:
        levels.insert(0, "- {name: more, path: 'more/%{facts.site}.yaml'}")
    files["hiera.yaml"] = "\n".join([*HIERA.splitlines()[:3], *levels]) + "\n"
    return "change hiera.yaml"


def change_options(files: Files, random: Random) -> str:
    """Change ``lookup_options`` of the common data."""
    merge = random.choice(["unique", "first", "deep"])
    text = files.get("data/common.yaml", "").partition("lookup_options")[0]
    key = random.choice(["base::packages", "profile::web::vhosts", "^unused"])
    files["data/common.yaml"] = f"{text}lookup_options:\n  {key}: {{merge: {merge}}}\n"
    return f"set lookup_options of {key}"


def change_environment(files: Files, random: Random) -> str:
    """Change the modulepath."""
    path = random.choice(["site-modules:modules", "modules:site-modules", "modules", "*modules"])
    files["environment.conf"] = f"modulepath = {path}\n"
    return f"set modulepath = {path}"


def change_metadata(files: Files, random: Random) -> str:
    """Break or repair the metadata of a module."""
    name = "modules/nginx/metadata.json"
    text = random.choice(
        [FILES[name], "{", '{"name": "a-nginx"}', FILES[name].replace("1.0.0", "2.0.0")]
    )
    files[name] = text
    return f"change {name}"


def touch_unused(files: Files, random: Random) -> str:
    """Add a file that no catalog can need."""
    name = random.choice(
        ["README.md", "modules/base/spec/x.rb", "data/nodes/gone.yaml", "modules/base/files/y"]
    )
    files[name] = str(random.random())
    return f"write {name}"


EDITS: tuple[tuple[int, Callable[[Files, Random], str]], ...] = (
    (5, change_code),
    (2, rename),
    (3, shadow),
    (5, change_data),
    (2, remove_key),
    (2, remove),
    (1, change_hiera),
    (1, change_options),
    (1, change_environment),
    (1, change_metadata),
    (2, touch_unused),
)


def edit(files: Files, random: Random) -> str:
    """Change the files; return what was done."""
    weights = [weight for weight, _ in EDITS]
    action = random.choices([action for _, action in EDITS], weights)[0]
    return action(files, random)
