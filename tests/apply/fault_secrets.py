"""A run whose programs note what they get: no secret may be an argument, or in a file that others can read.

The programs stand for the real ones, come first in the search path, and succeed without doing anything.
"""

from __future__ import annotations

from apply.fault_machine import Machine
from apply.fault_trials import FAULTS, fault
from apply.fault_types import MODULES, declare

__all__ = ["FAULTS"]
SECRET = "S3CR3T-of-all"
URL = f"https://anna:{SECRET}@127.0.0.1:9/a"
PROGRAMS = (
    "apt-get", "apt-key", "chpasswd", "curl", "debconf-communicate", "docker", "flatpak", "gem", "git", "grafana-cli", "hg",
    "keytool", "mysql", "npm", "openssl", "pip", "psql", "rvm", "svn", "useradd", "usermod", "wget", "yum",
)  # fmt: skip
FOLDER = "/stub"
"""The directory of the programs and their notes; it is not searched for secrets."""
PROGRAM = f"""\
#!/bin/sh
printf '%s ' "$0" "$@" >> {FOLDER}/arguments
echo >> {FOLDER}/arguments
setpriv --reuid=nobody --regid=nogroup --clear-groups \\
    grep -rls -f {FOLDER}/secret /tmp /var /srv /root /etc /run /proc/[0-9]*/cmdline >> {FOLDER}/readable 2> /dev/null
exit 0
"""
"""A program that notes its arguments, and the files and arguments with the secret that the user nobody can read."""
TYPES = (
    "apt_key", "archive", "debconf", "docker_compose", "flatpak_remote", "grafana_plugin", "hocon_setting", "ini_setting",
    "java_ks", "mysql_login_path", "mysql_user", "postgresql_conn_validator", "postgresql_psql", "rvm_gem",
    "rvm_system_ruby", "ssl_pkey", "vcsrepo", "x509_cert", "x509_request",
)  # fmt: skip
MANIFEST = f"""
$secret = '{SECRET}'
$url = '{URL}'
$login = {{ username => 'anna', password => $secret, cookie => "a=${{secret}}", headers => [Sensitive("X-Token: ${{secret}}")] }}
['curl', 'wget'].each |$program| {{
  archive {{ "/srv/${{program}}.tar": source => $url, provider => $program, proxy_server => $url, * => $login }}
}}
['git', 'svn', 'hg'].each |$program| {{
  vcsrepo {{ "/srv/url-${{program}}": ensure => present, provider => $program, source => $url }}
}}
['svn', 'hg'].each |$program| {{
  vcsrepo {{ "/srv/${{program}}":
    ensure => present, provider => $program, source => 'https://127.0.0.1:9/a', basic_auth_username => 'anna', basic_auth_password => $secret,
  }}
}}
['pip', 'gem', 'npm'].each |$program| {{
  package {{ "${{program}}-a": ensure => present, provider => $program, source => $url }}
  package {{ "${{program}}-b": ensure => present, provider => $program, install_options => [{{ '--proxy' => $url }}] }}
}}
apt_key {{ '0123456789ABCDEF0123456789ABCDEF01234567': source => $url }}
debconf {{ 'work': package => 'work', item => 'work/password', type => 'password', value => Sensitive($secret) }}
docker_compose {{ 'work': ensure => present, compose_files => ['/srv/compose.yml'], up_args => Sensitive($secret) }}
exec {{ 'secret': command => Sensitive("/usr/bin/env echo ${{secret}} > /dev/null"), environment => Sensitive(["A=${{secret}}"]) }}
file {{ '/srv/secret': content => Sensitive($secret), mode => '0600' }}
flatpak_remote {{ 'work': ensure => present, location => $url }}
grafana_plugin {{ 'work': ensure => present, plugin_url => $url }}
hocon_setting {{ 'work.key': path => '/srv/work.conf', value => Sensitive($secret) }}
ini_setting {{ 'work': path => '/srv/work.ini', section => 'a', setting => 'b', value => Sensitive($secret) }}
java_ks {{ 'web:/srv/web.ks':
  ensure => latest, certificate => '/srv/certificate', private_key_content => "-----BEGIN\\n${{secret}}\\n-----END",
  password => $secret, destkeypass => $secret, source_password => $secret,
}}
mysql_login_path {{ 'work': ensure => present, password => Sensitive($secret) }}
mysql_user {{ 'work@localhost': password_hash => "*${{secret}}" }}
postgresql_conn_validator {{ 'work': psql_path => '{FOLDER}/bin/psql', db_password => $secret, tries => 1 }}
postgresql_psql {{ 'work':
  command => Sensitive("ALTER ROLE a PASSWORD '${{secret}}'"), psql_path => '{FOLDER}/bin/psql', connect_settings => Sensitive({{ 'PGPASSWORD' => $secret }}),
}}
rvm_system_ruby {{ 'ruby-3.2.2': ensure => present, proxy_url => $url }}
rvm_gem {{ 'ruby-3.2.2/json': ensure => present, source => $url }}
ssl_pkey {{ '/srv/work.key': ensure => present, password => $secret }}
x509_cert {{ '/srv/work.crt': ensure => present, password => $secret, cakey_password => $secret, ca => '/srv/certificate', cakey => '/srv/ca.key' }}
x509_request {{ '/srv/work.csr': ensure => present, password => $secret }}
user {{ 'work': ensure => present, password => $secret }}
"""
FEWEST = 12
"""The different programs that the run calls, at least: the others are refused the secret, or read their state in files."""


@fault(
    "programs that get passwords: arguments, files that others can read, output, reports and state"
)
def secrets_of_programs(machine: Machine) -> str:
    lay_out(machine)
    path = f"{FOLDER}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    ended = machine.apply(
        MANIFEST, "--debug", "--show_diff", "--modulepath", MODULES, "--logdest", "console,/var/log/work.json",
        environment={"PATH": path},
    )  # fmt: skip
    machine.check(ended.code in {2, 4, 6}, f"exit code {ended.code}: {ended.output[-1500:]}")
    shown = [line for line in ended.output.splitlines() if SECRET in line]
    machine.check(not shown, f"the output shows the secret: {shown[:3]}")
    machine.check_no_secrets([SECRET], but=["passwords.dat"])
    arguments = machine.path(f"{FOLDER}/arguments").read_text().splitlines()
    found = [line for line in arguments if SECRET in line]
    machine.check(not found, f"arguments show the secret: {found[:3]}")
    readable = sorted(set(machine.path(f"{FOLDER}/readable").read_text().split()))
    machine.check(not readable, f"other users can read the secret in {readable}")
    programs = {line.split()[0] for line in arguments}
    machine.check(len(programs) >= FEWEST, f"only these programs ran: {sorted(programs)}")
    return f"{len(arguments)} calls of {len(programs)} programs"


def lay_out(machine: Machine) -> None:
    """Write the programs, and the files that the resources read or change."""
    declare(machine, *TYPES)
    for name in PROGRAMS:
        machine.write(f"{FOLDER}/bin/{name}", PROGRAM, 0o755)
    machine.write(f"{FOLDER}/secret", SECRET + "\n")
    machine.write("/srv/compose.yml", "services: {web: {image: a}}\n")
    machine.write(
        "/srv/certificate", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
    )
    for name in ("ca.key", "work.conf", "work.ini"):
        machine.write(f"/srv/{name}", "", 0o600)
