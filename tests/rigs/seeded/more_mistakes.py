"""Mistakes that were written after the first rules; four of them shaped later ones."""

from __future__ import annotations

from rigs.seeded.changes import Edit, Mistake
from rigs.seeded.mistakes import PROFILES, mistake

MORE = [
    mistake("contained class", "modules/cache/manifests/init.pp", "contain cache::service", "contain cache::servce", at="cache::servce", nodes=2),
    mistake("inherited class", "modules/cache/manifests/init.pp", "inherits cache::params", "inherits cache::parms", at="cache::parms", nodes=2),
    mistake("collected type", f"{PROFILES}/loadbalancer.pp", "Haproxy::Backend <<|", "Haproxy::Backnd <<|", at="Backnd", nodes=2),
    mistake("exported type", f"{PROFILES}/logs.pp", "@@monitoring::check", "@@monitoring::chek", at="chek", nodes=2),
    mistake("attribute of a package", "modules/backup/manifests/init.pp", "    ensure => installed,\n", "    ensur  => installed,\n", at="ensur ", nodes=30),
    mistake("enable of a service", "modules/chrony/manifests/init.pp", "    enable    => true,", "    enable    => 'yes',", at="'yes'", nodes=30),
    mistake("type of a file's ensure", "modules/haproxy/manifests/init.pp", "    ensure  => directory,\n", "    ensure  => dir,\n", at="=> dir,", nodes=2),
    mistake("balance in data", "data/roles/loadbalancer.yaml", "leastconn", "leastcon", at="leastcon", nodes=2),
    mistake("text for a number in data", "data/roles/builder.yaml", "executors: 2", "executors: two", at="two", nodes=2),
    mistake("hash for a list in data", "data/datacentres/ams.yaml", "chrony::servers:\n  - ntp1.ams.example.com\n  - ntp2.ams.example.com\n", "chrony::servers:\n  first: ntp1.ams.example.com\n", at="chrony::servers", nodes=15),
    mistake("path in data", "data/os/Debian.yaml", "chrony::configuration: /etc", "chrony::configuration: etc", at="chrony::configuration", nodes=15),
    mistake("parameter of a template", "modules/chrony/manifests/init.pp", "{ 'servers' => $servers }", "{ 'server' => $servers }", at="'server' =>", nodes=30),
    mistake("function in a template", "site-modules/profile/templates/openvpn.conf.epp", "$users.join(', ')", "$users.jion(', ')", at="jion", nodes=2),
    mistake("title of a subscribe", f"{PROFILES}/vpn.pp", "subscribe => File['/etc/openvpn/server.conf']", "subscribe => File['/etc/openvpn/servr.conf']", at="servr.conf", nodes=2),
    mistake("before a class that is not there", f"{PROFILES}/cache.pp", "before => Class['cache::config']", "before => Class['cache::conf']", at="cache::conf'", nodes=2),
    mistake("relationship of classes that is a cycle", f"{PROFILES}/logs.pp", "  include rsyslog::server\n", "  include rsyslog::server\n\n  Service['rsyslog'] -> Package['rsyslog']\n", at="Service['rsyslog'] ->", nodes=2),
    mistake("second class declaration", f"{PROFILES}/mail.pp", "  include postfix\n", "  include postfix\n  class { 'postfix':\n    origin => 'example.org',\n  }\n", at="class { 'postfix'", nodes=2),
    mistake("second file", f"{PROFILES}/builder.pp", "  exec {", "  file { '/etc/motd':\n    ensure => file,\n  }\n\n  exec {", at="file { '/etc/motd'", nodes=2),
    Mistake("removed function", "modules/postfix/manifests/init.pp", "postfix::destination(", 1, [Edit("modules/postfix/functions/destination.pp")]),
    Mistake("removed type alias", f"{PROFILES}/web.pp", "Profile::Port", 8, [Edit("site-modules/profile/types/port.pp")]),
    Mistake("removed data of a system", f"{PROFILES}/base.pp", "include chrony", 15, [Edit("data/os/RedHat.yaml")]),
    mistake("operator", "modules/cache/manifests/params.pp", "case $facts['os']['family'] {", "case $facts['os']['family'] == {", at="== {", nodes=2),
    mistake("quote", "site-modules/profile/manifests/builder.pp", "=> 'high',", "=> 'high,", at="'high,", nodes=2),
    mistake("alias of a key", "data/roles/mail.yaml", "postfix::origin: example.com", "postfix::origin: \"%{alias('domain')}\"", at="postfix::origin", nodes=2),
    mistake("trusted fact", "hiera.yaml", "trusted.certname", "trusted.cername", at="cername", nodes=0),
    mistake("option of a hierarchy", "hiera.yaml", '    path: "nodes/', '    pth: "nodes/', at="pth:", nodes=30),
    mistake("private key of ssh in code", f"{PROFILES}/builder.pp", "  exec {", "  $key = '-----BEGIN OPENSSH PRIVATE KEY-----'\n  notice($key)\n\n  exec {", at="BEGIN OPENSSH"),
    mistake("password in plain text", "data/roles/database.yaml", "postgresql::settings:\n", "profile::application::password: 'Sommer2026'\npostgresql::settings:\n", at="Sommer2026"),
    mistake("secret in a command", f"{PROFILES}/builder.pp", "'builder register'", '"builder register ${token.unwrap}"', at="builder register ${token.unwrap}", nodes=2),
    mistake("file that everybody writes", f"{PROFILES}/backup.pp", "'0755'", "'0777'", at="file { '/usr/local/bin/restore'", nodes=30),
]  # fmt: skip
