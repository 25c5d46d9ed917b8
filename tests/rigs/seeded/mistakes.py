"""Mistakes that people make in a control repository; each has one finding at one place."""

from __future__ import annotations

from rigs.seeded.changes import Edit, Mistake

PROFILES = "site-modules/profile/manifests"


def mistake(
    name: str, path: str, old: str, new: str | None, *, at: str, file: str = "", nodes: int = 0
) -> Mistake:
    """Return a mistake of one edit; its finding is in the file of the edit, or in ``file``."""
    return Mistake(name, file or path, at, nodes, [Edit(path, old, new)])


NAMES = [
    mistake("class", f"{PROFILES}/base.pp", "include chrony", "include chronny", at="chronny", nodes=30),
    mistake("function", "modules/postfix/manifests/init.pp", "postfix::destination(", "postfix::destinaton(", at="destinaton", nodes=1),
    mistake("Ruby function", "modules/postfix/manifests/map.pp", "postfix::address(", "postfix::adress(", at="adress", nodes=2),
    mistake("defined type", f"{PROFILES}/vpn.pp", "profile::account {", "profile::acount {", at="acount", nodes=2),
    mistake("resource type", "modules/cache/manifests/config.pp", "cache_setting {", "cache_seting {", at="cache_seting", nodes=2),
    mistake("data type", f"{PROFILES}/web.pp", "Profile::Port $port", "Profile::Prt $port", at="Profile::Prt", nodes=8),
    mistake("parameter of a class", f"{PROFILES}/application.pp", "    workers  => $workers", "    worker   => $workers", at="worker   =>", nodes=4),
    mistake("parameter of a defined type", f"{PROFILES}/web.pp", "    root => $root", "    rot  => $root", at="rot  =>", nodes=8),
    mistake("attribute", "modules/rsyslog/manifests/server.pp", "    hour    => 3", "    hours   => 3", at="hours   =>", nodes=2),
    mistake("variable", "modules/rsyslog/manifests/server.pp", "prune-logs ${directory} ${days}", "prune-logs ${directory} ${day}", at="${day}", nodes=2),
    mistake("variable of a class", "modules/cache/manifests/config.pp", "${cache::memory}", "${cache::memry}", at="memry", nodes=2),
    mistake("variable in EPP", "modules/postfix/templates/main.cf.epp", "<%= $origin %>", "<%= $orign %>", at="$orign", nodes=2),
    mistake("variable in ERB", "modules/rsyslog/templates/remote.conf.erb", "<%= @server %>", "<%= @servr %>", at="@servr"),
    mistake("template", "modules/nginx/manifests/site.pp", "nginx/site.conf.epp", "nginx/sites.conf.epp", at="sites.conf", nodes=8),
    mistake("reference", "modules/nginx/manifests/site.pp", "Package['nginx']", "Package['ngnix']", at="ngnix", nodes=8),
    mistake("reference of a notify", "modules/rsyslog/manifests/init.pp", "template('rsyslog/remote.conf.erb'),\n    notify  => Service['rsyslog']", "template('rsyslog/remote.conf.erb'),\n    notify  => Service['rsyslogd']", at="rsyslogd", nodes=30),
    mistake("role in a node definition", "manifests/site.pp", "role::mail", "role::mial", at="role::mial", nodes=2),
    mistake("fact", "site-modules/profile/templates/motd.epp", "$facts['os']['release']['full']", "$facts['os']['relese']['full']", at="relese", nodes=30),
]  # fmt: skip
VALUES = [
    mistake("wrong type in data", "data/roles/logs.yaml", "days: 90", "days: '90'", at="days:", nodes=2),
    mistake("wrong element in data", "data/roles/mail.yaml", "  - mail\n", "  - mial\n", at="mial", nodes=2),
    mistake("value out of range in data", "data/nodes/mail02.example.com.yaml", "587", "587000", at="relay_port", nodes=1),
    mistake("value that no pattern matches", "data/roles/cache.yaml", "512mb", "512 mb", at="cache::memory", nodes=2),
    mistake("wrong type in code", f"{PROFILES}/vpn.pp", "groups => ['vpn']", "groups => 'vpn'", at="groups =>", nodes=2),
    mistake("value of a nested hash in data", "data/common.yaml", "    hour: 4", "    hour: four", at="hour: four", nodes=30),
    mistake("key of a nested hash in data", "data/common.yaml", "    path: /home", "    paths: /home", at="paths: /home", nodes=30),
    mistake("missing value in data", "data/common.yaml", "rsyslog::port: 514\n", "", file=f"{PROFILES}/base.pp", at="include rsyslog", nodes=30),
    mistake("missing parameter in code", f"{PROFILES}/mail.pp", "    entries => $aliases,\n", "", at="postfix::map {", nodes=2),
    mistake("ensure of a service", "modules/cache/manifests/service.pp", "=> running", "=> started", at="started", nodes=2),
    mistake("mode", "modules/nginx/manifests/nginx.pp".replace("nginx.pp", "init.pp"), "'0644'", "'0698'", at="0698", nodes=8),
    mistake("relative path of a file", "modules/rsyslog/manifests/init.pp", "file { '/etc/logrotate.d/rsyslog'", "file { 'etc/logrotate.d/rsyslog'", at="'etc/logrotate", nodes=30),
    mistake("arguments of a function", "modules/postfix/manifests/init.pp", "($relay, $relay_port)", "($relay)", at="($relay)", nodes=1),
    mistake("command without path", "modules/postfix/manifests/map.pp", "    path        => ['/usr/sbin', '/usr/bin'],\n", "", at="exec {", nodes=2),
    mistake("hour of a cron job", "modules/rsyslog/manifests/server.pp", "minute  => 15", "minute  => 75", at="=> 75", nodes=2),
]  # fmt: skip
STRUCTURE = [
    mistake("duplicate declaration", f"{PROFILES}/cache.pp", "  include cache\n", "  include cache\n  package { 'rsyslog': }\n", file=f"{PROFILES}/cache.pp", at="package {", nodes=2),
    mistake("cycle", "modules/cache/manifests/init.pp", "Class['cache::install'] ->", "Class['cache::service'] -> Class['cache::install'] ->", at="Class['cache::service'] ->", nodes=2),
    mistake("cycle by require", "modules/backup/manifests/init.pp", "    ensure => installed,\n", "    ensure  => installed,\n    require => File['/etc/backup.conf'],\n", at="require => File", nodes=30),
    mistake("node that no definition matches", "manifests/site.pp", "/^vpn\\d+\\./", "/^vpm\\d+\\./", at="node /^vpm", nodes=2),
    mistake("class in the wrong file", f"{PROFILES}/logs.pp", "class profile::logs {", "class profile::log {", at="class profile::log {", nodes=2),
    Mistake("removed class", "site-modules/role/manifests/cache.pp", "include profile::cache", 2, [Edit(f"{PROFILES}/cache.pp")]),
    Mistake("removed template", f"{PROFILES}/vpn.pp", "openvpn.conf.epp", 2, [Edit("site-modules/profile/templates/openvpn.conf.epp")]),
    mistake("removed parameter that data sets", "modules/rsyslog/manifests/server.pp", "  Integer[1] $days = 30,\n", "", file="data/roles/logs.yaml", at="rsyslog::server::days", nodes=2),
    Mistake("renamed parameter that data sets", "data/roles/logs.yaml", "rsyslog::server::days", 0, [
        Edit("modules/rsyslog/manifests/server.pp", "  Integer[1] $days = 30,\n", "  Integer[1] $age = 30,\n"),
        Edit("modules/rsyslog/manifests/server.pp", "# @param days\n", "# @param age\n"),
        Edit("modules/rsyslog/manifests/server.pp", "${directory} ${days}", "${directory} ${age}"),
    ]),
    mistake("relation to a resource that is gone", "modules/backup/manifests/init.pp", "  file { '/etc/backup.conf':", "  file { '/etc/restic.conf':", file="modules/backup/manifests/job.pp", at="require => File['/etc/backup.conf']", nodes=30),
    mistake("required resource in one branch", f"{PROFILES}/vpn.pp", "  package { 'openvpn':\n    ensure => installed,\n  }\n", "  if $facts['os']['family'] == 'Debian' {\n    package { 'openvpn':\n      ensure => installed,\n    }\n  }\n", at="Package['openvpn']", nodes=1),
]  # fmt: skip
FILES = [
    Mistake("renamed source", "modules/rsyslog/manifests/server.pp", "puppet:///modules/rsyslog/prune-logs.sh", 2, [Edit("modules/rsyslog/files/prune-logs.sh", moved_to="modules/rsyslog/files/prune.sh")]),
    Mistake("removed source of a list", "modules/rsyslog/manifests/init.pp", "source => [", 15, [Edit("modules/rsyslog/files/rotate.default")]),
    Mistake("renamed directory of a source", "modules/rsyslog/manifests/init.pp", "rsyslog/conf.d'", 30, [
        Edit("modules/rsyslog/files/conf.d/20-format.conf", moved_to="modules/rsyslog/files/rules/20-format.conf"),
        Edit("modules/rsyslog/files/conf.d/30-mail.conf", moved_to="modules/rsyslog/files/rules/30-mail.conf"),
    ]),
    mistake("misspelt source", f"{PROFILES}/account.pp", "profile/profile.sh", "profile/profiles.sh", at="profiles.sh", nodes=2),
    mistake("line ends of a script", "site-modules/profile/files/restore.sh", "#!/bin/sh\n", "#!/bin/sh\r\n", at="#!/bin/sh"),
    mistake("byte order mark in a script", "modules/rsyslog/files/prune-logs.sh", "#!/bin/sh", "\ufeff#!/bin/sh", at="#!/bin/sh"),
]  # fmt: skip
DATA = [
    mistake("misspelt key", "data/roles/cache.yaml", "cache::settings:", "cache::setings:", at="cache::setings"),
    mistake("misspelt key without default", "data/roles/vpn.yaml", "profile::vpn::network", "profile::vpn::netwrk", at="netwrk", nodes=2),
    mistake("misspelt key of a lookup", f"{PROFILES}/mail.pp", "'mail_greeting'", "'mail_greting'", at="mail_greting", nodes=2),
    mistake("YAML syntax", "data/roles/mail.yaml", "profile::mail::aliases:\n", "profile::mail::aliases: {\n", at="aliases: {", nodes=2),
    mistake("tab in YAML", "data/common.yaml", "    path: /etc\n", "\tpath: /etc\n", at="\tpath", nodes=30),
    mistake("missing space in YAML", "data/roles/vpn.yaml", "network: 10", "network:10", at="network:10", nodes=2),
    mistake("duplicate key", "data/common.yaml", "rsyslog::port: 514\n", "rsyslog::port: 514\nrsyslog::server: log02.example.com\n", at="log02", nodes=0),
    mistake("strategy of a merge", "data/common.yaml", "merge: unique", "merge: uniqe", at="uniqe", nodes=2),
    mistake("option of a key", "data/common.yaml", "    convert_to: Sensitive", "    convert_too: Sensitive", at="convert_too", nodes=30),
    mistake("unknown variable in data", "data/common.yaml", "%{facts.networking.fqdn}", "%{facts.networking.fdqn}", at="fdqn"),
    mistake("unknown function in data", "data/roles/mail.yaml", "web@%{facts.datacentre}", "web@%{lokup('domain')}", at="lokup", nodes=2),
    mistake("lookup of an unknown key in data", "data/roles/mail.yaml", "web@%{facts.datacentre}", "web@%{lookup('domain')}", at="lookup("),
    mistake("unreachable level", "hiera.yaml", "datacentres/%{facts.datacentre}.yaml", "datacentres/%{facts.datacenter}.yaml", at="facts.datacenter}", nodes=30),
    mistake("misspelt directory of a level", "hiera.yaml", "nodes/%{", "node/%{", at="node/%{"),
    mistake("missing datadir", "hiera.yaml", "datadir: data", "datadir: dta", at="dta", nodes=30),
    mistake("syntax of hiera.yaml", "hiera.yaml", "  - name: datacentre\n", "  - name: datacentre: x\n", at="datacentre: x", nodes=30),
    mistake("key of hiera.yaml", "hiera.yaml", "  data_hash: yaml_data", "  datahash: yaml_data", at="datahash", nodes=30),
    mistake("backend of hiera.yaml", "hiera.yaml", "data_hash: yaml_data", "data_hash: yml_data", at="yml_data", nodes=30),
    mistake("misspelt path of common data", "hiera.yaml", "path: common.yaml", "path: comon.yaml", at="comon", nodes=30),
]  # fmt: skip
SECRETS = [
    mistake("unwrapped parameter", f"{PROFILES}/builder.pp", 'Sensitive("executors = ${executors}\\nload = ${limit}\\ntoken = ${token.unwrap}\\n")', '"executors = ${executors}\\nload = ${limit}\\ntoken = ${token.unwrap}\\n"', at='content => "executors', nodes=2),
    mistake("unwrapped in a define", "modules/postgresql/manifests/role.pp", "Sensitive($statement)", "$statement", at="content => $statement", nodes=4),
    mistake("unwrapped in a hash", f"{PROFILES}/backup.pp", "=> $password,", "=> $password.unwrap,", at="=> $password.unwrap", nodes=30),
    mistake("secret in a message", f"{PROFILES}/builder.pp", "  exec {", '  notify { "token ${token.unwrap}": }\n\n  exec {', at="notify {", nodes=2),
    mistake("private key in data", "data/roles/vpn.yaml", "profile::vpn::users:", "profile::vpn::key: |\n  -----BEGIN RSA PRIVATE KEY-----\n  MIIEpAIBAAKCAQEA0m5kX1mZ4s8c\n  -----END RSA PRIVATE KEY-----\nprofile::vpn::users:", at="BEGIN RSA"),
    mistake("password in data", "data/roles/builder.yaml", "profile::builder::executors: 2\n", "profile::builder::executors: 2\nprofile::database::password: hunter2\n", at="hunter2"),
    mistake("private key in a file", "site-modules/profile/files/restore.sh", "", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n-----END OPENSSH PRIVATE KEY-----\n", at="BEGIN OPENSSH"),
    mistake("broken encrypted value", "data/roles/builder.yaml", "ENC[PKCS7,MIIB", "ENC[PKCS7,MIIC", at="profile::builder::token", nodes=2),
]  # fmt: skip
SYNTAX = [
    mistake("missing brace", f"{PROFILES}/mail.pp", "    entries => $aliases,\n  }\n", "    entries => $aliases,\n", at="$greeting = ", nodes=2),
    mistake("missing comma", "modules/chrony/manifests/init.pp", "    ensure    => running,", "    ensure    => running", at="enable    =>", nodes=30),
    mistake("invalid EPP", "modules/chrony/templates/chrony.conf.epp", "<% } -%>\n", "<% -%>\n", at="makestep", nodes=30),
    mistake("invalid ERB", "modules/rsyslog/templates/remote.conf.erb", "<%- end -%>", "<%- ned -%>", at="ned", nodes=30),
    mistake("invalid Ruby", "modules/postfix/lib/puppet/functions/postfix/address.rb", "text.strip.downcase", "text.strip.downcase)", at="downcase)", nodes=2),
    mistake("invisible character", "modules/cache/manifests/params.pp", "'redis-server'\n      $service", "'redis-\u200bserver'\n      $service", at="'redis-\u200bserver'"),
    mistake("invisible character in a name", "data/roles/cache.yaml", "cache::memory", "cache\u200b::memory", at="memory", nodes=2),
    mistake("conflict marker", "data/roles/logs.yaml", "rsyslog::server::days: 90\n", "<<<<<<< HEAD\nrsyslog::server::days: 90\n=======\nrsyslog::server::days: 60\n>>>>>>> x\n", at="<<<<<<<", nodes=2),
]  # fmt: skip
POLICIES = [
    mistake("policy on modes", "modules/rsyslog/manifests/init.pp", "file { '/etc/logrotate.d/rsyslog':\n    ensure => file,\n    mode   => '0644'", "file { '/etc/logrotate.d/rsyslog':\n    ensure => file,\n    mode   => '0666'", at="file { '/etc/logrotate", nodes=30),
    mistake("policy on commands", f"{PROFILES}/builder.pp", "    creates => '/var/lib/builder/registered',\n", "", at="exec {", nodes=2),
    mistake("legacy fact", "modules/cache/manifests/params.pp", "$facts['os']['family']", "$facts['osfamily']", at="osfamily", nodes=2),
]  # fmt: skip
MISTAKES = [*NAMES, *VALUES, *STRUCTURE, *FILES, *DATA, *SECRETS, *SYNTAX, *POLICIES]
