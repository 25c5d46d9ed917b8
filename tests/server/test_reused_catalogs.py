"""Catalogs that need no compile: each answer equals that of a compile, whatever was edited before."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import zlib
from collections import Counter
from itertools import count
from random import Random

import pytest

from bunraku.base.disk_cache import DiskCache
from bunraku.base.records import replace
from bunraku.server.catalogs import common
from bunraku.server.compiling.jobs import Job
from bunraku.server.interface import answer
from bunraku.server.metrics import lines as metric_lines
from support.control_repository import FILES, NODES, edit, edit_facts, write
from support.killable_server import KillableServer
from support.ruby import HAS_RUBY, needs_ruby
from support.server_service import children, content, request, site_service

EDITS = int(os.environ.get("BUNRAKU_SERVER_EDITS", "300"))
SEED = int(os.environ.get("BUNRAKU_EDITS_SEED", "17"))
KILLS = float(os.environ.get("BUNRAKU_SERVER_KILLS", "0"))
"""The share of requests during which the server or its compile processes are killed."""
EDITS_OF_A_SERVER = 100
LENGTH = 13
"""The number of parts of an entry on disk."""
CLI_CLIENT = "puppet.example.test"
"""A client whose certificate may administer the server."""
RICH = ["rich_json", "json"]
MORE = """
if $facts['queries'] {
  $rows = puppetdb_query('resources[certname, title] { type = "Notify" and exported = true order by certname, title }')
  notify { "rows ${rows}": }
  $reports = puppetdb_query('reports[certname, status] { order by certname }')
  notify { "reports ${reports}": }
}
if $facts['clock'] { include profile::times }
if $facts['secret'] { file { '/secret': content => Sensitive("x ${lookup('greeting')}") } }
@@notify { "of ${trusted['certname']}": message => String($facts['site']) }
if $facts['collects'] { Notify <<| |>> }
if $facts['ruby'] { include profile::ruby }
if $facts['function'] { notify { "by a function ${profile::shown($facts['site'])}": } }
if $facts['static'] { file { '/static': source => 'puppet:///modules/profile/raw' } }
if $facts['library'] { include profile::library }
if $facts['impure'] { notify { 'impure': message => inline_template('<%= rand.class %>') } }
notify { "extension ${trusted['extensions']}": }
notify { "tier of the classifier ${getvar('::class_tier')}": }
"""
METHODS = """<% def shown(v) v == true ? 'yes' : v.to_s end -%>
<% given = scope.lookupvar('given') -%>
<% given.keys.sort.each do |key| -%>
<%= key %> <%= shown(given[key]) %> <%= shown(@owner) %> <%= scope['facts']['tier'] if @tier %>
<% end -%>
<%= scope.function_old_style([@tier.to_s]) %>
"""
OLD_STYLE = """module Puppet::Parser::Functions
  newfunction(:old_style, :type => :rvalue) do |args|
    require 'ipaddr'
    IPAddr.new('10.0.0.7').to_range.first.to_s + args[0]
  end
end
"""
"""A template that only Ruby can render, with the same text for the same variables."""
BY_RUBY = """class profile::ruby(Hash $given = {'b' => $facts['site'], 'a' => true}) {
  notify { 'by Ruby': message => template('profile/methods.erb') }
}
"""
TIMES = """class profile::times($limit = 86400) {
  $before = Integer(Timestamp().strftime('%s')) - $limit
  $since = Integer(pick($facts['last_update'], 5))
  if $since < $before { notify { "older than a day, in ${strftime(Timestamp(), '%Y')}": } }
  notify { "in the language: ${profile::is_late($since)}": }
}
"""
IS_LATE = """function profile::is_late(Integer $since) >> Boolean {
  $since + 86400 < Integer(strftime('%s'))
}
"""
"""Code that compares the time; what it yields stays the same for years."""
SHOWN = """Puppet::Functions.create_function(:'profile::shown') do
  require 'ipaddr'
  def shown(value)
    text = IPAddr.new('10.0.0.1').succ.to_s
    "#{text} #{value} #{call_function('profile::other', closure_scope['site'])}"
  end
end
"""
OTHER = """Puppet::Functions.create_function(:'profile::other') do
  def other(value)
    IPAddr.new('10.0.0.9').to_range.first.to_s + value.to_s
  end
end
"""
KEYED = """<% all = scope.to_hash -%>
<%= all['given'] if all.key?('given') %> <%= all['tier'] %> <%= scope.to_hash['rack'] %> <%= scope.to_hash.key?('site') %>
<% def self_of(v) v end -%>
<%= 'owned' if instance_variables.any? { |one| one.to_s.include?('owner') } %>
"""
"""A template that reads variables by name from all of them, and the names of all."""
BY_LIBRARY = """class profile::library(String $given = 'x') {
  notify { 'keyed': message => template('profile/keyed.erb') }
  notify { "joined ${profile::joined($facts['site'])} ${profile::joined('b')}": }
  notify { "state ${counted($facts['site'])} ${counted('b')}": }
  notify { "files ${profile::files(module_directory('profile'), $facts['site'])}": }
  profile::noop(true)
  notify { 'after noop': }
}
"""
JOINED = """require File.join(File.dirname(__FILE__), '../../..', 'puppet_x/own/more.rb')
require 'puppet_x/own'
Puppet::Functions.create_function(:'profile::joined') do
  def joined(value)
    @calls = @calls.to_i + 1
    facts = closure_scope['facts']
    tier = facts['tier'] if facts.key?('tier')
    Own::Joiner.new('/').join([value, Own::NAMES.first, @calls, facts['os']['family'], tier])
  end
end
"""
COUNTED = """require 'puppet_x/own'
module Puppet::Parser::Functions
  newfunction(:counted, :type => :rvalue) do |args|
    $own_calls = $own_calls.to_i + 1
    "#{Own.count(args[0])} #{$own_calls} #{File.basename(__FILE__)}"
  end
end
"""
OWN = """require_relative 'own/more'
module Own
  NAMES = ['n7']
  @cache = {}
  class << self
    @@calls = 0
    def count(value)
      @@calls += 1
      @cache[value] ||= @@calls
      $own_total = $own_total.to_i + @@calls
      NAMES[0] = "n#{@@calls}"
      "#{@@calls} #{@cache.length} #{$own_total} #{more(value)}"
    end
  end
  class Joiner
    attr_reader :with
    def initialize(with)
      @with = with
    end

    def join(values)
      values.map(&:to_s).join(with)
    end
  end
end
"""
"""Code that keeps values in every way; each compile begins without them."""
OWN_MORE = """module Own
  def self.more(value)
    value.to_s.dump + '!'
  end
end
"""
READS = """Puppet::Functions.create_function(:'profile::files') do
  def files(folder, name)
    path = File.join(folder, 'files', name.to_s)
    found = File.exist?(path) ? File.read(path) : 'none'
    raw = File.join(folder, 'files/raw')
    text = File.file?(raw) ? File.open(raw) { |file| file.readlines.length.to_s } : 'no raw'
    "#{found.length} #{text} #{File.directory?(File.join(folder, 'templates'))}"
  end
end
"""
NOOP_OF = """Puppet::Functions.create_function(:'profile::noop', Puppet::Functions::InternalFunction) do
  dispatch :noop do
    scope_param
    param 'Boolean', :value
  end
  def noop(scope, value)
    def scope.lookupdefaults(type)
      values = super(type)
      values[:noop] = Puppet::Parser::Resource::Param.new(name: :noop, value: true, source: source)
      values
    end
  end
end
"""
FUNCTIONS = "site-modules/profile/lib/puppet/functions/profile"
LIBRARY = "site-modules/profile/lib/puppet_x/own"
OLD_FUNCTIONS = "site-modules/profile/lib/puppet/parser/functions"
ADDED = {
    "site-modules/profile/manifests/library.pp": BY_LIBRARY,
    "site-modules/profile/templates/keyed.erb": KEYED,
    f"{FUNCTIONS}/joined.rb": JOINED,
    f"{FUNCTIONS}/files.rb": READS,
    f"{OLD_FUNCTIONS}/counted.rb": COUNTED,
    f"{FUNCTIONS}/noop.rb": NOOP_OF,
    f"{LIBRARY}.rb": OWN,
    f"{LIBRARY}/more.rb": OWN_MORE,
    "site-modules/profile/lib/puppet/parser/functions/old_style.rb": OLD_STYLE,
    f"{FUNCTIONS}/shown.rb": SHOWN,
    f"{FUNCTIONS}/other.rb": OTHER,
    "manifests/more.pp": MORE,
    "site-modules/profile/manifests/ruby.pp": BY_RUBY,
    "site-modules/profile/manifests/times.pp": TIMES,
    "site-modules/profile/functions/is_late.pp": IS_LATE,
    "site-modules/profile/templates/methods.erb": METHODS,
}
CLASSIFIER = "#!/bin/sh\ncat '{folder}/nodes/'\"$1\"\n"
FLAGS = (
    "queries",
    "clock",
    "secret",
    "collects",
    "ruby",
    "impure",
    "static",
    "function",
    "library",
)
NEW = re.compile(
    rb'"(catalog_uuid|version|transaction_uuid|job_id|producer_timestamp)":("[^"]*"|\d+|null)'
)


def version_command(folder):
    """A program that prints the version of the code."""
    command = folder / "version"
    command.write_text(f"#!/bin/sh\ncat '{folder}/code_id'\n")
    command.chmod(0o755)
    (folder / "code_id").write_text("v1")
    return command


class World:
    """The world of a server, which random edits change."""

    def __init__(self, folder, seed: int) -> None:
        self.random = Random(seed)
        self.folder = folder
        self.files = {name: dict(FILES) for name in ("production", "other")}
        self.facts = {node: {**facts, "collects": True} for node, facts in NODES.items()}
        self.trusted = {node: {} for node in NODES}
        self.classes = dict.fromkeys(NODES, "{parameters: {class_tier: gold}}")
        self.settings: dict[str, object] = {}
        self.days = count(1)
        self.is_broken = False
        self.edits: Counter[str] = Counter()
        for name, files in self.files.items():
            files.update(ADDED)
            write(self.root(name), {}, files)
        script = folder / "classify"
        script.write_text(CLASSIFIER.format(folder=folder))
        script.chmod(0o755)
        (folder / "nodes").mkdir()
        (folder / "trees").mkdir()
        for node in NODES:
            self.write_classes(node)

    def root(self, name):
        return self.folder / "code/environments" / name

    def write_classes(self, node) -> None:
        (self.folder / "nodes" / node).write_text(self.classes[node])

    def job(self, service, node: str, checksums: str | None = None) -> Job:
        trusted = {"authenticated": "remote", "certname": node, "extensions": self.trusted[node]}
        return Job(
            "catalog",
            node,
            "production",
            {**service.settings.given, **self.settings},
            facts=self.facts[node],
            trusted=trusted,
            formats=RICH,
            transaction_uuid=f"00000000-0000-0000-0000-{next(self.days):012}",
            job_id=self.random.choice([None, "7"]),
            checksum_types=checksums,
            **common(service),
        )

    # -- edits -------------------------------------------------------------------------------------

    def change(self, service) -> str:
        """Change something; return what was done."""
        action = self.restore if self.is_broken and self.random.random() < 0.6 else self.action()
        self.edits[action.__name__] += 1
        return action(service)

    def action(self):
        """Return the method of a random kind of change."""
        actions = (
            *((self.change_code, 8), (self.change_facts, 6), (self.change_flag, 2)),
            *((self.change_certificate, 1), (self.change_classes, 2), (self.change_settings, 1)),
            *((self.switch, 1), (self.deactivate, 1), (self.report, 1), (self.nothing, 4)),
            *((self.flush, 1), (self.change_function, 1), (self.deploy, 1), (self.change_time, 1)),
            (self.change_version, 1),
            *((self.change_library, 1), (self.change_read_file, 1)),
        )
        return self.random.choices([one for one, _ in actions], [one for _, one in actions])[0]

    def change_code(self, _service) -> str:
        name = self.random.choice(["production", "production", "other"])
        before = dict(self.files[name])
        done = edit(self.files[name], self.random)
        write(self.root(name), before, self.files[name])
        return f"{name}: {done}"

    def restore(self, _service) -> str:
        self.settings = {}
        for node in NODES:
            self.facts[node] = {**NODES[node], **dict.fromkeys(FLAGS, self.random.random() < 0.3)}
            self.classes[node] = "{parameters: {class_tier: gold}}"
            self.write_classes(node)
        for name, before in self.files.items():
            self.files[name] = {**FILES, **ADDED}
            write(self.root(name), before, self.files[name])
        return "restore all"

    def change_facts(self, _service) -> str:
        node = self.random.choice(list(NODES))
        self.facts[node], done = edit_facts(self.facts[node], self.random)
        return f"{node}: {done}"

    def change_flag(self, _service) -> str:
        node, flag = self.random.choice(list(NODES)), self.random.choice(FLAGS)
        self.facts[node] = {**self.facts[node], flag: not self.facts[node].get(flag)}
        return f"{node}: {flag} is {self.facts[node][flag]}"

    def change_certificate(self, _service) -> str:
        node = self.random.choice(list(NODES))
        self.trusted[node] = {"pp_role": self.random.choice(["a", "b"])}
        return f"{node}: {self.trusted[node]}"

    def change_classes(self, _service) -> str:
        node = self.random.choice(list(NODES))
        self.classes[node] = self.random.choice(
            [
                "{parameters: {class_tier: silver}}",
                "{parameters: {class_tier: gold}, classes: [nginx]}",
                "{classes: {base: {motd: classified}}}",
                "{environment: other}",
                "{classes: [none]}",
            ]
        )
        self.write_classes(node)
        return f"{node}: {self.classes[node]}"

    def change_settings(self, _service) -> str:
        terminus = {"node_terminus": "exec", "external_nodes": str(self.folder / "classify")}
        choices = [
            {},
            terminus,
            terminus,
            {"strict": "error"},
            {"strict_variables": True},
            {"environment_timeout": "0"},
            {**terminus, "environment_timeout": "0"},
        ]
        self.settings = self.random.choice(choices)
        return f"settings {self.settings}"

    def switch(self, _service) -> str:
        one, two, aside = self.root("production"), self.root("other"), self.folder / "aside"
        one.rename(aside)
        two.rename(one)
        aside.rename(two)
        self.files = {"production": self.files["other"], "other": self.files["production"]}
        return "switch the environments"

    def deploy(self, _service) -> str:
        """Put a copy of an environment in its place by a link, with other code."""
        name = self.random.choice(["production", "other"])
        root, tree = self.root(name), self.folder / f"trees/{next(self.days)}"
        shutil.copytree(root, tree, symlinks=True)
        before = dict(self.files[name])
        done = edit(self.files[name], self.random)
        write(tree, before, self.files[name])
        link = self.folder / "link"
        link.symlink_to(tree)
        if not root.is_symlink():
            root.rename(self.folder / f"trees/{next(self.days)}")
        link.replace(root)
        return f"deploy {name}: {done}"

    def change_function(self, _service) -> str:
        """Change a function in Ruby, also to one that does more than compute."""
        name = self.random.choice(["production", "other"])
        file, text = self.random.choice([("shown", SHOWN), ("other", OTHER)])
        text = text.replace("10.0.0", f"10.0.{self.random.randrange(3)}")
        if self.random.random() < 0.3:
            text = text.replace("IPAddr.new(", "[Time.now].clear; IPAddr.new(", 1)
        before = dict(self.files[name])
        self.files[name] = {**before, f"{FUNCTIONS}/{file}.rb": text}
        write(self.root(name), before, self.files[name])
        return f"{name}: function {file}"

    def change_version(self, _service) -> str:
        """Change the version of the code, which is in the catalogs."""
        version = f"v{next(self.days)}"
        (self.folder / "code_id").write_text(version)
        return f"version {version}"

    def change_library(self, _service) -> str:
        """Change a file that functions require, add one that is found before, or let it do more than compute."""
        name = self.random.choice(["production", "other"])
        before = dict(self.files[name])
        files = dict(before)
        if self.random.random() < 0.3:
            shadow = "site-modules/a_first/lib/puppet_x/own.rb"
            if shadow in files:
                del files[shadow]
            else:
                files[shadow] = OWN.replace("'n7'", "'shadow'").replace(
                    "own/more", "../../../profile/lib/puppet_x/own/more"
                )
        else:
            text = OWN_MORE.replace("'!'", f"'!{self.random.randrange(3)}'")
            files[f"{LIBRARY}/more.rb"] = text
            more = "[rand].clear\n" if self.random.random() < 0.3 else ""
            files[f"{FUNCTIONS}/joined.rb"] = JOINED.replace(
                "    facts =", f"    {more}    facts ="
            )
        self.files[name] = files
        write(self.root(name), before, files)
        return f"{name}: library"

    def change_read_file(self, _service) -> str:
        """Add, change or remove a file that Ruby code reads."""
        name = self.random.choice(["production", "other"])
        before = dict(self.files[name])
        path = f"site-modules/profile/files/{self.random.choice('ab')}"
        files = {**before, path: "x" * self.random.randrange(3)}
        if path in before and self.random.random() < 0.5:
            del files[path]
        self.files[name] = files
        write(self.root(name), before, files)
        return f"{name}: {path}"

    def change_time(self, _service) -> str:
        """Change the fact that code compares with the time."""
        node = self.random.choice(list(NODES))
        value = self.random.choice([5, 10**9, 10**10, 3 * 10**10])
        self.facts[node] = {**self.facts[node], "last_update": value, "clock": True}
        return f"{node}: last_update is {value}"

    def flush(self, service) -> str:
        service.flushes.add(self.random.choice([None, "production"]))
        return "flush"

    def nothing(self, _service) -> str:
        return "nothing"

    def send(self, service, command: str, version: str, node: str, payload: object) -> None:
        words = {"command": command, "version": version, "certname": node}
        words["producer-timestamp"] = self.time()
        service.command(words, json.dumps(payload).encode())

    def time(self) -> str:
        return f"2036-01-01T00:00:{next(self.days) % 60:02}.000Z"

    def deactivate(self, service) -> str:
        node = self.random.choice(list(NODES))
        payload = {"certname": node, "producer_timestamp": "2036-01-01T00:00:00.000Z"}
        self.send(service, "deactivate_node", "3", node, payload)
        return f"deactivate {node}"

    def report(self, service) -> str:
        node = self.random.choice(list(NODES))
        now = self.time()
        payload = {
            "certname": node,
            "puppet_version": "7",
            "report_format": 12,
            "noop": False,
            "configuration_version": "1",
            "start_time": now,
            "end_time": now,
            "producer_timestamp": now,
            "producer": "x",
            "transaction_uuid": None,
            "environment": "production",
            "status": self.random.choice(["failed", "changed"]),
            "resources": [],
            "metrics": [],
            "logs": [],
            "catalog_uuid": None,
            "code_id": None,
            "job_id": None,
            "cached_catalog_status": None,
            "noop_pending": False,
            "corrective_change": False,
        }
        self.send(service, "store_report", "8", node, payload)
        return f"report of {node}"


def without_new(content: bytes) -> bytes:
    """A rendered catalog without what is new in each answer."""
    return NEW.sub(rb'"\1":new', content)


def comparable(result) -> dict[str, object]:
    fields = ("format", "status", "message", "plain", "environment", "lines")
    found = {name: getattr(result, name) for name in fields}
    return {**found, "body": without_new(result.body), "stored": without_new(result.stored)}


def different(*results) -> list[str]:
    """The parts of the catalogs that one of them has and the other has not."""
    one, two = (set(part.body.split(b'{"type"')) for part in results)
    return [part.decode() for part in (*(one - two), b"in place of", *(two - one))]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tmp_path.chmod(0o700)
    return tmp_path


def compare_after_edits(
    world: World, server: KillableServer, edits: int, reused: Counter[object]
) -> None:
    """Change something and compare the answers of a server with compiles, again and again."""
    done: list[str] = []
    for number in range(edits):
        done.append(world.change(server))
        server.settle()
        node = world.random.choice(list(NODES))
        job = world.job(server, node, world.random.choice([None, "sha256"]))
        if world.random.random() < KILLS:
            server.disturb(job, world.random)
        first = server.result_at_last(job) if KILLS else server.result(job)
        second = server.result_at_last(replace(job, reuses=False))
        assert comparable(first) == comparable(second), "\n".join(
            [f"{number} {job.node} {first.reused} {first.why}", *different(first, second), *done]
        )
        world.is_broken = first.status != 200
        reused[first.reused or first.cause or str(first.status)] += 1
        assert not second.reused
        if first.reused:
            assert str(job.transaction_uuid).encode() in first.stored
        server.store(job, first if world.random.random() < 0.5 else second)


def test_each_answer_equals_that_of_a_compile(folder):
    world = World(folder, SEED)
    reused: Counter[object] = Counter()
    command = version_command(folder)
    for at in range(EDITS // EDITS_OF_A_SERVER):
        options = {"code_id_command": str(command), "behind": at % 2 == 1}
        with KillableServer(folder, **options) as server:
            compare_after_edits(world, server, EDITS_OF_A_SERVER, reused)
            reused.update(server.kills)
        print(dict(reused), dict(world.edits), flush=True)
    assert reused[True] >= EDITS / 10, reused


@needs_ruby
def test_a_template_that_only_computes_needs_no_compile_though_ruby_renders_it(folder):
    world = World(folder, SEED)
    world.facts["web01"].update(ruby=True)
    with site_service(folder) as service:
        found = []
        for change in ({}, {"uptime": "9 days"}, {"owner": "x"}, {"impure": True}, {}):
            world.facts["web01"].update(change)
            result = service.result(world.job(service, "web01"), lambda: False)
            assert result.status == 200, result.message
            found.append((result.reused, result.why))
        messages = [text for level, text in service.log.lines if level == "info"]
        assert [one for one in messages if "is compiled" in one] == [
            f"The catalog of web01 is compiled: {found[-1][1]}"
        ]
    line = next(at for at, one in enumerate(MORE.split("\n"), 1) if "rand.class" in one)
    file = world.root("production") / "manifests/more.pp"
    by_ruby = f"the inline template calls rand (line:1) at {file}:{line}"
    assert found == [
        (False, "no catalog of such a request is stored"),
        (True, ""),
        (False, "the fact owner changed"),
        (False, by_ruby),
        (False, by_ruby),
    ]


@needs_ruby
def test_code_that_keeps_values_or_reads_all_by_keys_needs_no_compile(folder):
    world = World(folder, SEED)
    world.facts["web01"].update(library=True)
    world.settings = {"environment_timeout": "0"}
    profile = world.root("production") / "site-modules/profile"
    found = []
    edits = [None, None, "files/a", "lib/puppet_x/own/more.rb", "tier", "tier", None]
    with site_service(folder) as service:
        for number, edit_ in enumerate(edits):
            world.facts["web01"]["uptime"] = str(number)
            if edit_ == "tier":
                world.facts["web01"][edit_] = str(number)
            elif edit_ is not None:
                with (profile / edit_).open("a") as file:
                    file.write("# more\n")
            first = service.result(world.job(service, "web01"), lambda: False)
            second = service.result(
                replace(world.job(service, "web01"), reuses=False), lambda: False
            )
            assert first.status == 200, first.message
            assert comparable(first) == comparable(second)
            found.append((first.reused, first.why))
    assert found == [
        (False, "no catalog of such a request is stored"),
        (True, ""),
        (False, f"{profile}/files/a changed"),
        (False, f"{profile}/lib/puppet_x/own/more.rb changed"),
        (False, "the keys of facts changed"),
        (False, "the fact tier changed"),
        (True, ""),
    ]


@needs_ruby
def test_functions_in_ruby_that_only_compute_need_no_compile(folder):
    world = World(folder, SEED)
    world.facts["web01"].update(function=True)
    world.settings = {"environment_timeout": "0"}
    functions = world.root("production") / FUNCTIONS
    found = []
    with site_service(folder) as service:
        for change in (None, None, "shown", "other", "impure", None, "pure", None):
            if change in ("shown", "other"):
                path = functions / f"{change}.rb"
                path.write_text(path.read_text().replace("10.0.0", "10.1.1"))
            elif change is not None:
                text = (
                    OTHER
                    if change == "pure"
                    else OTHER.replace("value.to_s", "Time.now.class.to_s")
                )
                (functions / "other.rb").write_text(text)
            world.facts["web01"]["uptime"] = str(len(found))
            first = service.result(world.job(service, "web01"), lambda: False)
            second = service.result(
                replace(world.job(service, "web01"), reuses=False), lambda: False
            )
            assert first.status == 200, first.message
            assert comparable(first) == comparable(second)
            found.append((first.reused, first.why))
    shown, other = (f"{functions / name}.rb changed" for name in ("shown", "other"))
    line = next(at for at, one in enumerate(MORE.split("\n"), 1) if "profile::shown" in one)
    file = world.root("production") / "manifests/more.pp"
    impure = f"the function profile::other uses Time ({functions}/other.rb:3) at {file}:{line}"
    assert found == [
        (False, "no catalog of such a request is stored"),
        (True, ""),
        (False, shown),
        (False, other),
        (False, impure),
        (False, impure),
        (False, other),
        (True, ""),
    ]


def test_a_secret_stays_in_the_memory_of_the_process(folder):
    world = World(folder, SEED)
    world.facts["db01"].update(secret=True)
    with site_service(folder) as service:
        job = world.job(service, "db01")
        found = [service.result(job, lambda: False) for _ in range(2)]
        assert [one.reused for one in found] == [False, True]
        assert b"x hello" in found[1].body
        assert b"x hello" not in found[1].stored
    with site_service(folder) as service:
        found = [service.result(world.job(service, node), lambda: False) for node in ("db01",)]
        assert not found[0].reused


def test_compile_processes_share_a_secret_that_the_disk_does_not_show(folder):
    world = World(folder, SEED)
    world.facts["db01"].update(secret=True)
    others = set(children(os.getpid()))
    with site_service(folder) as service:
        job = world.job(service, "db01")
        first = service.result(job, lambda: False)
        (keeper,) = set(children(os.getpid())) - others
        (process,) = children(keeper)
        os.kill(process, signal.SIGKILL)  # another one takes its place
        second = service.result(job, lambda: False)
    assert (first.reused, second.reused) == (False, True)
    assert b"x hello" in second.body
    cache = [path.read_bytes() for path in (folder / "cache").rglob("*") if path.is_file()]
    assert len(cache) > 1
    assert not any(b"x hello" in one for one in cache)


def test_another_server_reuses_what_is_on_disk(folder):
    world = World(folder, SEED)
    for expected in (False, True):
        with site_service(folder) as service:
            assert service.result(world.job(service, "db01"), lambda: False).reused is expected


def damage(folder) -> int:
    """Change the catalogs that are kept on disk; return their number."""
    cache = DiskCache(folder / "cache/bunraku")
    number = 0
    for path in (folder / "cache/bunraku/code").glob("*.data"):
        data = cache.read_data(path.stem)
        if isinstance(data, tuple) and len(data) == LENGTH:
            wrong = tuple(
                zlib.compress(zlib.decompress(one).replace(b"everywhere", b"elsewhere!"))
                for one in data[-5]
            )
            cache.write_data(path.stem, (*data[:-5], wrong, *data[-4:]))
            number += 1
    return number


def test_a_wrong_catalog_is_found_by_verifying(folder):
    world = World(folder, SEED)
    with site_service(folder) as service:
        right = service.result(world.job(service, "db01"), lambda: False)
    assert damage(folder) == 1
    with site_service(folder, verify_catalogs=1) as service:
        for cause in ("wrong", ""):
            found = service.result(world.job(service, "db01"), lambda: False)
            assert (found.reused, found.cause) == (False, cause)
            assert without_new(found.body) == without_new(right.body)
        errors = [text for level, text in service.log.lines if level == "err"]
        assert len(errors) == 1
        assert errors[0].startswith("The stored catalog of db01 differs from a compiled one")


def test_the_metrics_count_why_catalogs_are_compiled(folder):
    world = World(folder, SEED)
    with site_service(folder) as service:
        for site in ("a", "a", "b"):
            world.facts["mon01"]["site"] = site
            service.result(world.job(service, "mon01"), lambda: False)
        lines = [one for one in metric_lines(service) if one.startswith("bunraku_catalogs_total{")]
    assert lines == [
        f'bunraku_catalogs_total{{cause="{cause}"}} 1' for cause in ("facts", "new", "reused")
    ]


def test_the_server_explains_why_a_catalog_was_compiled(folder):
    world = World(folder, SEED)
    path = "/puppet-admin-api/v1/catalog-explanations"
    found = []
    with site_service(folder) as service:
        for change in ({}, {"uptime": "9"}, {"site": "x"}, {"clock": True}, {"impure": True}):
            world.facts["web01"].update(change)
            service.result(world.job(service, "web01"), lambda: False)
            explained = answer(service, request("GET", f"{path}/web01", client=CLI_CLIENT))
            found.append(json.loads(content(explained)))
        assert answer(service, request("GET", f"{path}/db01", client=CLI_CLIENT)).status == 404
        assert answer(service, request("GET", f"{path}/A..", client=CLI_CLIENT)).status == 400
        assert answer(service, request("GET", f"{path}/web01", client="web01")).status == 403
    causes = [one["cause"] for one in found]
    assert causes == ["new", "", "facts", "facts", "facts" if not HAS_RUBY else "unrepeatable"]
    assert [one["reused"] for one in found] == [False, True, False, False, False]
    depends = found[1]["depends"]
    assert depends == found[0]["depends"]
    assert {"directories", "facts", "files", "keys", "queries"} <= depends.keys()
    assert found[3]["depends"]["times"] == 3
    assert found[4]["depends"] == {}
    file = world.root("production") / "manifests/more.pp"
    assert f"calls rand (line:1) at {file}:" in found[4]["reason"]


def test_a_server_can_compile_each_catalog(folder):
    world = World(folder, SEED)
    with site_service(folder, reuse_catalogs=False) as service:
        job = world.job(service, "db01")
        assert not any(service.result(job, lambda: False).reused for _ in range(2))


def test_a_static_catalog_follows_the_files_that_it_describes(folder):
    world = World(folder, SEED)
    command = version_command(folder)
    source = world.root("production") / "modules/base/files/motd"
    site = world.root("production") / "manifests/static.pp"
    site.write_text("file { '/static': source => 'puppet:///modules/base/motd' }\n")
    found = []
    with site_service(folder, code_id_command=str(command)) as service:
        for version, text in enumerate(("one", "one", "two", "two"), 2):
            source.parent.mkdir(exist_ok=True)
            source.write_text(text)
            (folder / "code_id").write_text(f"v{version}")
            first, second = (
                service.result(
                    replace(world.job(service, "db01", "sha256"), **change), lambda: False
                )
                for change in ({}, {"reuses": False})
            )
            assert comparable(first) == comparable(second)
            assert b"content_uri" in first.body
            assert f'"code_id":"v{version}"'.encode() in first.body
            assert f'"code_id":"v{version}"'.encode() in first.stored
            found.append((first.reused, first.why))
    assert found == [
        (False, "no catalog of such a request is stored"),
        (True, ""),
        (False, "a file that the static catalog describes changed"),
        (True, ""),
    ]
