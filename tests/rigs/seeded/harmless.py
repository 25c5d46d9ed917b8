"""Changes that break nothing: ``bunraku ci`` must pass, without a new finding."""

from __future__ import annotations

from rigs.seeded.changes import Edit, Harmless

PROFILES = "site-modules/profile/manifests"
HARMLESS = [
    Harmless("comment", [Edit(f"{PROFILES}/base.pp", "  include chrony\n", "  # The time comes first.\n  include chrony\n")]),
    Harmless("comment in data", [Edit("data/common.yaml", "rsyslog::port", "# The usual port.\nrsyslog::port")]),
    Harmless("comment in hiera.yaml", [Edit("hiera.yaml", "hierarchy:", "# From the node to all nodes.\nhierarchy:")]),
    Harmless("blank lines", [Edit("modules/cache/manifests/service.pp", "class cache::service {\n", "class cache::service {\n\n")]),
    Harmless("order of keys", [Edit("data/roles/cache.yaml", "  timeout: 300\n  databases: 4\n", "  databases: 4\n  timeout: 300\n")]),
    Harmless("quotes in data", [Edit("data/roles/mail.yaml", "postfix::origin: example.com", 'postfix::origin: "example.com"')]),
    Harmless("flow of YAML", [Edit("data/roles/vpn.yaml", "profile::vpn::users:\n  - ada\n  - grace\n", "profile::vpn::users: [ada, grace]\n")]),
    Harmless("moved code", [
        Edit("modules/chrony/manifests/init.pp", "  package { 'chrony':\n    ensure => installed,\n  }\n\n", ""),
        Edit("modules/chrony/manifests/init.pp", "    subscribe => File[$configuration],\n  }\n", "    subscribe => File[$configuration],\n  }\n\n  package { 'chrony':\n    ensure => installed,\n  }\n"),
    ]),
    Harmless("renamed class", [
        Edit(f"{PROFILES}/cache.pp", "class profile::cache", "class profile::memory"),
        Edit(f"{PROFILES}/cache.pp", moved_to=f"{PROFILES}/memory.pp"),
        Edit("site-modules/role/manifests/cache.pp", "profile::cache", "profile::memory"),
    ]),
    Harmless("renamed parameter", [
        Edit("modules/rsyslog/manifests/server.pp", "  Integer[1] $days = 30,\n", "  Integer[1] $age = 30,\n"),
        Edit("modules/rsyslog/manifests/server.pp", "# @param days\n", "# @param age\n"),
        Edit("modules/rsyslog/manifests/server.pp", "${directory} ${days}", "${directory} ${age}"),
        Edit("data/roles/logs.yaml", "rsyslog::server::days", "rsyslog::server::age"),
    ]),
    Harmless("renamed source", [
        Edit("modules/rsyslog/files/prune-logs.sh", moved_to="modules/rsyslog/files/prune.sh"),
        Edit("modules/rsyslog/manifests/server.pp", "rsyslog/prune-logs.sh", "rsyslog/prune.sh"),
    ]),
    Harmless("renamed template", [
        Edit("site-modules/profile/templates/openvpn.conf.epp", moved_to="site-modules/profile/templates/vpn.conf.epp"),
        Edit(f"{PROFILES}/vpn.pp", "profile/openvpn.conf.epp", "profile/vpn.conf.epp"),
    ]),
    Harmless("documents", [Edit("README.md", "", "# The control repository\n"), Edit("docs/nodes.md", "", "# Nodes\n\n    include role::nope\n")]),
    Harmless("unit test", [Edit("site-modules/role/spec/classes/vpn_spec.rb", "", "# frozen_string_literal: true\n\nrequire 'spec_helper'\n\ndescribe 'role::vpn' do\n  it { is_expected.to compile }\nend\n")]),
    Harmless("changed unit test", [Edit("site-modules/role/spec/classes/mail_spec.rb", "to compile", "to compile.with_all_deps")]),
    Harmless("extracted profile", [
        Edit(f"{PROFILES}/base.pp", "  include chrony\n", "  include profile::time\n"),
        Edit(f"{PROFILES}/time.pp", "", "# The time.\nclass profile::time {\n  include chrony\n}\n"),
    ]),
    Harmless("new value", [Edit("data/roles/logs.yaml", "days: 90", "days: 120")]),
    Harmless("new key with a reader", [
        Edit("data/common.yaml", "mail_greeting:", "log_greeting: logs\nmail_greeting:"),
        Edit(f"{PROFILES}/logs.pp", "  include rsyslog::server\n", "  include rsyslog::server\n\n  notify { lookup('log_greeting'): }\n"),
    ]),
    Harmless("value for a node", [Edit("data/nodes/cache01.example.com.yaml", "", "cache::memory: 1gb\n")]),
    Harmless("new node definition", [Edit("manifests/site.pp", "node /^vpn\\d+\\./ {", "node 'new.example.com' {\n  include role::mail\n}\n\nnode /^vpn\\d+\\./ {")]),
    Harmless("resource in a loop", [Edit("modules/cache/manifests/install.pp", "  package { $cache::package:\n    ensure => installed,\n  }\n", "  [$cache::package].each |$name| {\n    package { $name:\n      ensure => installed,\n    }\n  }\n")]),
    Harmless("defined type with a default", [Edit(f"{PROFILES}/account.pp", "'/bin/bash',\n", "'/bin/bash',\n  Boolean $managed = true,\n"), Edit(f"{PROFILES}/account.pp", "managehome => true", "managehome => $managed"), Edit(f"{PROFILES}/account.pp", "#   The program that starts at login.\n", "#   The program that starts at login.\n#\n# @param managed\n#   Whether the home directory is made.\n")]),
    Harmless("changed template", [Edit("site-modules/profile/templates/openvpn.conf.epp", "# <%=", "# users: <%=")]),
    Harmless("changed source", [Edit("modules/rsyslog/files/conf.d/30-mail.conf", "mail.*", "mail.info")]),
    Harmless("new file in a directory", [Edit("modules/rsyslog/files/conf.d/40-cron.conf", "", "cron.* /var/log/cron.log\n")]),
    Harmless("removed file in a directory", [Edit("modules/rsyslog/files/conf.d/20-format.conf")]),
    Harmless("secret that is wrapped", [Edit("modules/backup/manifests/init.pp", "epp('backup/backup.conf.epp', { 'target' => $target, 'account' => $account })", "Sensitive(epp('backup/backup.conf.epp', { 'target' => $target, 'account' => $account }))")]),
    Harmless("editor's file", [Edit(".editorconfig", "", "root = true\n")]),
    Harmless("stricter type", [Edit("modules/rsyslog/manifests/server.pp", "Integer[1] $days", "Integer[1, 3650] $days")]),
    Harmless("changed fact of a branch", [Edit("modules/cache/manifests/params.pp", "    default: {", "    'Debian', default: {")]),
]  # fmt: skip
