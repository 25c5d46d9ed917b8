# Resources with wrong values, and some with right ones: one resource on a line.
# tests/record/record_refusals.py records what Puppet says of each.
exec { '/bin/true': }
exec { 'true': }
exec { 'true': path => '/bin' }
exec { 'true': provider => shell }
exec { '/bin/true': command => 5 }
exec { '/bin/true': command => [] }
exec { '/bin/true': command => { a => 1 } }
exec { '/bin/true': cwd => 'tmp' }
exec { '/bin/true': cwd => ['/tmp', '/var'] }
exec { '/bin/true': creates => 'tmp/x' }
exec { '/bin/true': creates => ['/tmp/x', 'y'] }
exec { '/bin/true': environment => 'A' }
exec { '/bin/true': environment => ['A=1', true] }
exec { '/bin/true': umask => '0999' }
exec { '/bin/true': umask => 22 }
exec { '/bin/true': umask => '022' }
exec { '/bin/true': timeout => 'long' }
exec { '/bin/true': timeout => true }
exec { '/bin/true': timeout => '5' }
exec { '/bin/true': tries => 0 }
exec { '/bin/true': tries => 'many' }
exec { '/bin/true': tries => [] }
exec { '/bin/true': try_sleep => -1 }
exec { '/bin/true': try_sleep => 'x' }
exec { '/bin/true': logoutput => sometimes }
exec { '/bin/true': logoutput => on_failure }
exec { '/bin/true': refreshonly => 'yes' }
exec { '/bin/true': unless => 'test -e /a' }
exec { '/bin/true': onlyif => ['/bin/a', 'b'] }
exec { '/bin/true': refresh => 'reload' }
exec { '/bin/true': provider => windows }
exec { '/bin/true': provider => power }
exec { '/bin/true': path => 5 }
exec { '/bin/true': noop => 'maybe' }
exec { '/bin/true': noop => true }
exec { '/bin/true': loglevel => 'loud' }
exec { '/bin/true': loglevel => verbose }
exec { '/bin/true': audit => [returns, size] }
exec { '/bin/true': audit => all }
exec { '/bin/true': tries => default }
exec { '/bin/true': try_sleep => default }
exec { '/bin/true': timeout => default }
exec { '/bin/true': umask => default }
notify { 'a': }
notify { 'a': withpath => 'yes' }
notify { 'a': withpath => true }
notify { 'a': message => { a => [1] } }
service { 'a': ensure => running }
service { 'a': ensure => 'runing' }
service { 'a': ensure => true }
service { 'a': enable => 'maybe' }
service { 'a': enable => true }
service { 'a': hasstatus => 'perhaps' }
service { 'a': hasrestart => 5 }
service { 'a': provider => 'none' }
service { 'a': path => 5 }
notify { 'a': message => 5 }
notify { 'a': loglevel => 'noisy' }
notify { 'a': withpath => 1 }
notify { 'a': noop => 'often' }
notify { 'a': noop => 0 }
notify { 'a': audit => 'size' }
notify { 'a': message => [] }
service { 'a': enable => 'yes' }
service { 'a': ensure => 'started' }
service { 'a': ensure => [running, stopped] }
service { 'a': enable => [true, false] }
service { 'a': hasstatus => 'yes' }
service { 'a': hasrestart => 'no' }
service { 'a': provider => ['systemd'] }
file { 'a': }
file { 'a/b': ensure => file }
file { '/a': mode => '0999' }
file { '/a': mode => 644 }
file { '/a': mode => 'rw' }
file { '/a': mode => 'u+z' }
file { '/a': mode => '00000644' }
file { '/a': mode => '' }
file { '/a': mode => 'u=rw,g=r,o=r' }
file { '/a': mode => ['0644', '0600'] }
file { '/a': ensure => 'fil' }
file { '/a': ensure => 5 }
file { '/a': ensure => true }
file { '/a': ensure => link }
file { '/a': ensure => link, target => '/b' }
file { '/a': ensure => link, content => 'x' }
file { '/a': ensure => directory, content => 'x' }
file { '/a': ensure => directory, source => '/b' }
file { '/a': content => 'x', source => '/b' }
file { '/a': content => 'x', target => '/b' }
file { '/a': source => '/b', target => '/c' }
file { '/a': content => 5 }
file { '/a': content => ['a', 'b'] }
file { '/a': content => true }
file { '/a': source => 'b' }
file { '/a': source => 'ftp://host/x' }
file { '/a': source => 'puppet://host:bad/x' }
file { '/a': source => ['/b', 'c'] }
file { '/a': source => 'file://host/x' }
file { '/a': source => 'http://host/x', recurse => true }
file { '/a': recurse => 'maybe' }
file { '/a': recurse => inf }
file { '/a': recurse => remote }
file { '/a': recurse => 2 }
file { '/a': recurselimit => 'x' }
file { '/a': recurselimit => -1 }
file { '/a': recurselimit => '3', recurse => true }
file { '/a': max_files => 'many' }
file { '/a': max_files => 1000, recurse => true }
file { '/a': links => 'keep' }
file { '/a': purge => 'yes', recurse => true }
file { '/a': purge => true }
file { '/a': force => 'perhaps' }
file { '/a': replace => 'never' }
file { '/a': replace => 'no' }
file { '/a': backup => 5 }
file { '/a': backup => 'a/b' }
file { '/a': backup => true }
file { '/a': backup => ['.bak'] }
file { '/a': checksum => 'crc' }
file { '/a': checksum => 'md5lite', content => 'x' }
file { '/a': checksum => none, content => 'x' }
file { '/a': checksum => mtime, content => 'x' }
file { '/a': checksum_value => 'abc', content => 'x' }
file { '/a': checksum_value => 'abc', source => '/b' }
file { '/a': checksum => mtime, checksum_value => 'x', source => '/b' }
file { '/a': owner => [] }
file { '/a': owner => '' }
file { '/a': group => true }
file { '/a': owner => -1 }
file { '/a': ignore => 5 }
file { '/a': ignore => { a => 1 } }
file { '/a': show_diff => 'often' }
file { '/a': validate_cmd => 5 }
file { '/a': validate_replacement => 5 }
file { '/a': source_permissions => 'all' }
file { '/a': sourceselect => 'some' }
file { '/a': path => 'rel' }
file { '/a': path => ['/b', '/c'] }
file { '/a': path => 5 }
file { '/a': selrange => 's0' }
file { '/a': selinux_ignore_defaults => 'x' }
file { '/a': ctime => 'x' }
file { '/a': provider => 'nowhere' }
file { '/a': provider => 'windows' }
file { '/a': staging_location => 'x' }
file { '/': ensure => directory }
file { '/a/': ensure => directory }
file { '/a': mode => default }
file { '/a': mode => { a => 1 } }
file { '/a': mode => true }
file { '/a': content => default }
file { '/a': recurselimit => default }
file { '/a': backup => default }
filebucket { 'a': path => 'rel' }
filebucket { 'a': path => ['/a', '/b'] }
filebucket { 'a': path => '/a', server => 'x' }
filebucket { 'a': path => false }
filebucket { 'a': server => 'x', port => 'y' }
filebucket { 'a': port => 5 }
filebucket { 'a': noop => 'x' }
filebucket { 'a': path => 5 }
filebucket { 'a': path => '' }
filebucket { 'a': loglevel => 'x' }
tidy { 'a': }
tidy { '/a': age => '1x' }
tidy { '/a': age => 'x' }
tidy { '/a': age => '1d' }
tidy { '/a': age => 5 }
tidy { '/a': age => -1 }
tidy { '/a': size => '1x' }
tidy { '/a': size => '10m' }
tidy { '/a': type => 'btime' }
tidy { '/a': matches => '*.log' }
tidy { '/a': matches => '*.log', recurse => true }
tidy { '/a': recurse => 'deep' }
tidy { '/a': recurse => 'inf' }
tidy { '/a': recurse => -1 }
tidy { '/a': recurse => '2' }
tidy { '/a': recurse => true }
tidy { '/a': rmdirs => 'x' }
tidy { '/a': backup => 5 }
tidy { '/a': path => 'rel' }
tidy { '/a': path => ['/a', '/b'] }
tidy { '/a': max_files => 'x' }
file_line { 'a': }
file_line { 'a': path => '/a' }
file_line { 'a': line => 'x' }
file_line { 'a': path => 'rel', line => 'x' }
file_line { 'a': path => '/a', line => 'x', ensure => 'gone' }
file_line { 'a': path => '/a', ensure => absent }
file_line { 'a': path => '/a', ensure => absent, match => 'x' }
file_line { 'a': path => '/a', ensure => absent, match => 'x', match_for_absence => true }
file_line { 'a': path => '/a', line => 'x', match => 'y' }
file_line { 'a': path => '/a', line => 'x', match => '(' }
file_line { 'a': path => '/a', line => 'xy', match => 'x', after => 'z' }
file_line { 'a': path => '/a', line => 'x', multiple => 'y' }
file_line { 'a': path => '/a', line => 'x', replace => 'y' }
file_line { 'a': path => '/a', line => 5 }
file_line { 'a': path => ['/a'], line => 'x' }
file_line { 'a': path => '/a', line => 'x', append_on_no_match => 'y' }
file_line { 'a': path => '/a', line => 'x', replace_all_matches_not_matching_line => 'y' }
file_line { 'a': path => '/a', line => 'x', replace_all_matches_not_matching_line => true }
file_line { 'a': path => '/a', line => 'x', encoding => 5 }
package { 'a': ensure => 'present' }
package { 'a': ensure => '' }
package { 'a': ensure => true }
package { 'a': ensure => false }
package { 'a': ensure => 5 }
package { 'a': ensure => 1.5 }
package { 'a': ensure => [] }
package { 'a': ensure => ['1', '2'] }
package { 'a': ensure => 'held' }
package { 'a': mark => 'keep' }
package { 'a': mark => hold, ensure => absent }
package { 'a': mark => hold, ensure => purged }
package { 'a': mark => hold }
package { 'a': provider => 'bpt' }
package { 'a': provider => ['apt'] }
package { 'a': source => 5, provider => dpkg }
package { 'a': name => ['b', 'c'] }
package { 'a': name => 5 }
package { 'a': configfiles => 'erase' }
package { 'a': allow_virtual => 'some' }
package { 'a': allowcdrom => 'x' }
package { 'a': reinstall_on_refresh => 'x' }
package { 'a': enable_only => 'x' }
package { 'a': install_options => 5 }
package { 'a': uninstall_options => { a => 1 } }
package { 'a': adminfile => 'rel' }
package { 'a': responsefile => 'rel' }
package { 'a': package_settings => 5 }
package { 'a': flavor => 'x' }
package { 'a': category => 'x' }
package { 'a': instance => 'x' }
package { 'a': status => 'x' }
user { 'a': ensure => 'here' }
user { 'a': ensure => true }
user { 'a': uid => 'x' }
user { 'a': uid => -1 }
user { 'a': uid => '1000' }
user { 'a': uid => [1, 2] }
user { 'a': uid => 1.5 }
user { 'a': gid => 'staff' }
user { 'a': gid => -5 }
user { 'a': gid => '' }
user { 'a': home => 'rel' }
user { 'a': home => '/home/a/' }
user { 'a': home => 5 }
user { 'a': home => ['/a', '/b'] }
user { 'a': shell => 'bash' }
user { 'a': shell => '/bin/nope' }
user { 'a': shell => '' }
user { 'a': groups => 'a,b' }
user { 'a': groups => 5 }
user { 'a': groups => '5' }
user { 'a': groups => '' }
user { 'a': groups => ['x', 7] }
user { 'a': membership => 'some' }
user { 'a': comment => 5 }
user { 'a': comment => "two\nlines" }
user { 'a': password => 'a:b' }
user { 'a': password => ['x'] }
user { 'a': password => '' }
user { 'a': password_max_age => 'x' }
user { 'a': password_max_age => '90' }
user { 'a': password_min_age => 1.5 }
user { 'a': password_warn_days => 'x' }
user { 'a': password_warn_days => '7' }
user { 'a': expiry => 'soon' }
user { 'a': expiry => '2030-1-1' }
user { 'a': expiry => '2030-01-01' }
user { 'a': expiry => absent }
user { 'a': system => 'x' }
user { 'a': allowdupe => 'x' }
user { 'a': managehome => 'x' }
user { 'a': purge_ssh_keys => 'x' }
user { 'a': purge_ssh_keys => ['rel'] }
user { 'a': purge_ssh_keys => ['%h/x'] }
user { 'a': purge_ssh_keys => true }
user { 'a': purge_ssh_keys => true, home => '/home/a' }
user { 'a': keys => 'x' }
user { 'a': attributes => 'x' }
user { 'a': attribute_membership => 'x' }
user { 'a': roles => 'x,y' }
user { 'a': role_membership => 'x' }
user { 'a': profiles => 'x' }
user { 'a': profile_membership => 'x' }
user { 'a': salt => 5 }
user { 'a': iterations => 'x' }
user { 'a': provider => 'nis' }
user { 'a': loginclass => 'x' }
user { 'a': loginclass => 5 }
group { 'a': ensure => 'here' }
group { 'a': ensure => false }
group { 'a': gid => 'x' }
group { 'a': gid => '' }
group { 'a': gid => '1000' }
group { 'a': gid => -1 }
group { 'a': gid => [1] }
group { 'a': gid => 1.5 }
group { 'a': gid => true }
group { 'a': members => 'a,b' }
group { 'a': members => '' }
group { 'a': auth_membership => 'x' }
group { 'a': allowdupe => 'x' }
group { 'a': system => 'x' }
group { 'a': provider => 'nis' }
group { 'a': attributes => 'x' }
group { 'a': attribute_membership => 'some' }
resources { 'user': purge => 'x' }
resources { 'user': purge => true }
resources { 'user': purge => true, unless_system_user => 'x' }
resources { 'user': unless_system_user => -5 }
resources { 'user': unless_system_user => 500 }
resources { 'user': unless_uid => 'x' }
resources { 'user': unless_uid => [1, 'b'] }
resources { 'user': unless_uid => 5 }
resources { 'nosuch': purge => true }
resources { 'exec': purge => true }
resources { 'file': purge => true }
resources { 'notify': purge => true }
resources { 'host': purge => true, unless_uid => 5 }
resources { 'package': purge => true }
resources { 'mount': purge => 1 }
cron { 'a': }
cron { 'a': command => '/bin/a' }
cron { 'a': command => '/bin/a', minute => 60 }
cron { 'a': command => '/bin/a', minute => '*/5' }
cron { 'a': command => '/bin/a', minute => 'x' }
cron { 'a': command => '/bin/a', minute => -1 }
cron { 'a': command => '/bin/a', hour => 24 }
cron { 'a': command => '/bin/a', hour => ['1', '25'] }
cron { 'a': command => '/bin/a', hour => '1-30' }
cron { 'a': command => '/bin/a', monthday => 0 }
cron { 'a': command => '/bin/a', monthday => 32 }
cron { 'a': command => '/bin/a', month => 13 }
cron { 'a': command => '/bin/a', month => 'Foo' }
cron { 'a': command => '/bin/a', month => 'jan' }
cron { 'a': command => '/bin/a', weekday => 8 }
cron { 'a': command => '/bin/a', weekday => 'Someday' }
cron { 'a': command => '/bin/a', weekday => 'mon' }
cron { 'a': command => '/bin/a', special => 'often' }
cron { 'a': command => '/bin/a', special => 'daily' }
cron { 'a': command => '/bin/a', special => 'daily', hour => 5 }
cron { 'a': command => '/bin/a', special => '' }
cron { 'a': command => '/bin/a', environment => 'A' }
cron { 'a': command => '/bin/a', environment => ['A=1', 'B'] }
cron { 'a': command => '/bin/a', environment => 5 }
cron { 'a': command => 5 }
cron { 'a': command => ['/bin/a', '/bin/b'] }
cron { 'a': command => "/bin/a\n/bin/b" }
cron { 'a': command => '/bin/a', user => 5 }
cron { 'a': command => '/bin/a', ensure => 'x' }
cron { 'a': command => '/bin/a', target => 'x' }
cron { 'a': command => '/bin/a', provider => 'x' }
cron { 'a': command => '/bin/a', name => 5 }
host { 'a': ip => '1.2.3' }
host { 'a': ip => '1.2.3.400' }
host { 'a': ip => '::1' }
host { 'a': ip => ':::1' }
host { 'a': ip => 5 }
host { 'a': ip => ['1.2.3.4', '1.2.3.5'] }
host { 'a b': ip => '1.2.3.4' }
host { 'a_b': ip => '1.2.3.4' }
host { '-a': ip => '1.2.3.4' }
host { 'a.': ip => '1.2.3.4' }
host { 'a': ip => '1.2.3.4', host_aliases => 'b c' }
host { 'a': ip => '1.2.3.4', host_aliases => '' }
host { 'a': ip => '1.2.3.4', host_aliases => ['b', 'c d'] }
host { 'a': ip => '1.2.3.4', host_aliases => ['b', ''] }
host { 'a': ip => '1.2.3.4', comment => "a\nb" }
host { 'a': ip => '1.2.3.4', comment => 5 }
host { 'a': ip => '1.2.3.4', ensure => 'x' }
host { 'a': ip => '1.2.3.4', ensure => true }
host { 'a': ip => '1.2.3.4', target => 'rel' }
host { 'a': ip => '1.2.3.4', provider => 'x' }
mailalias { 'a': recipient => 'b' }
mailalias { 'a': recipient => 5 }
mailalias { 'a': recipient => [] }
mailalias { 'a': recipient => 'b', file => '/c' }
mailalias { 'a': file => 'rel' }
mailalias { 'a': file => 5 }
mailalias { 'a': file => ['/a', '/b'] }
mailalias { 'a': recipient => 'b', ensure => 'x' }
mailalias { 'a': recipient => 'b', target => 'rel' }
mailalias { 'A': recipient => 'b' }
mailalias { 'a': recipient => 'b', ensure => 5 }
mailalias { 'a': recipient => 'b', noop => 'x' }
sshkey { 'a': type => 'rsa' }
sshkey { 'a': type => 'nokey', key => 'x' }
sshkey { 'a': key => 'x' }
sshkey { 'a': type => 'rsa', key => 'a b' }
sshkey { 'a,b': type => 'rsa', key => 'x' }
sshkey { 'a b': type => 'rsa', key => 'x' }
sshkey { 'a': type => 'rsa', key => 'x', host_aliases => 'a b' }
sshkey { 'a': type => 'rsa', key => 'x', host_aliases => 'a,b' }
sshkey { 'a': type => 'rsa', key => 'x', host_aliases => ['b', 'c,d'] }
sshkey { 'a': type => 'rsa', key => 5 }
sshkey { 'a': type => 'rsa', key => 'x', ensure => 'y' }
sshkey { 'a': type => 'rsa', key => 'x', ensure => true }
sshkey { 'a': type => 'ed25519', key => 'x', target => 'rel' }
sshkey { 'a': type => 'rsa', key => 'x', provider => 'y' }
sshkey { 'a@b': type => 'rsa', key => 'x' }
sshkey { 'a': type => ['rsa', 'dsa'], key => 'x' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA' }
ssh_authorized_key { 'a': type => 'rsa', key => 'AAAA' }
ssh_authorized_key { 'a': user => 'b' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa' }
ssh_authorized_key { 'a': user => 'b', key => 'AAAA' }
ssh_authorized_key { 'a': user => 'b', type => 'x', key => 'AAAA' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AA AA' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => '' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 5 }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', options => 'x=y' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', options => 'a b' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', options => ['a="b"', 'c=d'] }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', options => '' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', options => 5 }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', target => 'rel' }
ssh_authorized_key { 'a': user => 5, type => 'rsa', key => 'AAAA' }
ssh_authorized_key { 'a': ensure => 'x', user => 'b', type => 'rsa', key => 'AAAA' }
ssh_authorized_key { 'a': ensure => absent }
ssh_authorized_key { 'a': ensure => absent, user => 'b' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', provider => 'x' }
ssh_authorized_key { 'a': user => 'b', type => 'rsa', key => 'AAAA', drop_privileges => 'x' }
ssh_authorized_key { "a\nb": user => 'b', type => 'rsa', key => 'AAAA' }
mount { '/mnt': device => '/dev/x', fstype => 'ext4', ensure => 'on' }
mount { '/mnt': device => '/dev/x', fstype => 'ext4', ensure => true }
mount { 'mnt': device => '/dev/x' }
mount { '/m nt': device => '/dev/x' }
mount { '/mnt/': device => '/dev/x' }
mount { '/mnt': device => '/dev/a b' }
mount { '/mnt': device => 5 }
mount { '/mnt': device => '' }
mount { '/mnt': fstype => 'ext 4' }
mount { '/mnt': fstype => '' }
mount { '/mnt': options => 'a b' }
mount { '/mnt': options => '' }
mount { '/mnt': options => 5 }
mount { '/mnt': pass => 'x' }
mount { '/mnt': pass => -1 }
mount { '/mnt': dump => 3 }
mount { '/mnt': dump => 'x' }
mount { '/mnt': dump => '1' }
mount { '/mnt': atboot => 'x' }
mount { '/mnt': atboot => true }
mount { '/mnt': remounts => 'x' }
mount { '/mnt': target => 'rel' }
mount { '/mnt': provider => 'x' }
mount { '/mnt': blockdevice => 'x y' }
mount { '/mnt': name => 'rel' }
schedule { 'a': range => 'x' }
schedule { 'a': range => '2 - 4' }
schedule { 'a': range => '25 - 26' }
schedule { 'a': range => '2:70 - 4' }
schedule { 'a': range => ['1 - 2', 'x'] }
schedule { 'a': range => 5 }
schedule { 'a': range => '22:00 - 04:00' }
schedule { 'a': period => 'yearly' }
schedule { 'a': period => [daily, weekly] }
schedule { 'a': periodmatch => 'x' }
schedule { 'a': repeat => 'x' }
schedule { 'a': repeat => 0 }
schedule { 'a': repeat => -1 }
schedule { 'a': repeat => '2' }
schedule { 'a': repeat => 2 }
schedule { 'a': repeat => 2, periodmatch => number }
schedule { 'a': repeat => 2, periodmatch => distance }
schedule { 'a': repeat => 2, period => daily, periodmatch => number }
schedule { 'a': weekday => 'Someday' }
schedule { 'a': weekday => 7 }
schedule { 'a': weekday => 8 }
schedule { 'a': weekday => 'mon' }
schedule { 'a': weekday => ['mon', 'x'] }
schedule { 'a': weekday => true }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', value => 'v' }
ini_setting { 'a': path => 'rel', section => 's', setting => 'k', value => 'v' }
ini_setting { 'a': section => 's', setting => 'k', value => 'v' }
ini_setting { 'a': path => '/a', section => 's', value => 'v' }
ini_setting { 'a': path => '/a', setting => 'k', value => 'v' }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', ensure => 'x' }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', ensure => 5 }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', value => 5 }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', value => ['a', 'b'] }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', value => true }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', show_diff => 'x' }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', show_diff => 'md5' }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', refreshonly => 'x' }
ini_setting { 'a': path => '/a', section => 5, setting => 'k' }
ini_setting { 'a': path => '/a', section => 's', setting => 5 }
ini_setting { 'a': path => 5, section => 's', setting => 'k' }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', force_new_section_creation => 'x' }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', indent_width => 'x' }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', key_val_separator => 5 }
ini_setting { 'a': path => '/a', section => 's', setting => 'k', key_val_separator => '' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', value => 'v' }
ini_subsetting { 'a': path => 'rel', section => 's', setting => 'k', subsetting => 'x', value => 'v' }
ini_subsetting { 'a': section => 's', setting => 'k', subsetting => 'x' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', ensure => 'y' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', quote_char => 'y' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', quote_char => '' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', insert_type => 'y' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', use_exact_match => 'y' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', show_diff => 'y' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', value => 5 }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', value => ['a', 'b'] }
ini_subsetting { 'a': path => 5, section => 's', setting => 'k', subsetting => 'x' }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', subsetting_separator => 5 }
ini_subsetting { 'a': path => '/a', section => 's', setting => 'k', subsetting => 'x', delete_if_empty => 'y' }
concat_file { '/a': }
concat_file { 'a': }
concat_file { 'a': path => 'rel' }
concat_file { 'a': path => 5 }
concat_file { '/a': ensure => 'x' }
concat_file { '/a': ensure => true }
concat_file { '/a': order => 'x' }
concat_file { '/a': format => 'xml' }
concat_file { '/a': format => 'json' }
concat_file { '/a': force => 'x' }
concat_file { '/a': replace => 'x' }
concat_file { '/a': ensure_newline => 'x' }
concat_file { '/a': backup => 5 }
concat_file { '/a': show_diff => 'x' }
concat_file { '/a': mode => '0999' }
concat_file { '/a': owner => 5 }
concat_file { '/a': tag => 5 }
concat_file { '/a': selinux_ignore_defaults => 'x' }
concat_file { '/a': validate_cmd => 5 }
concat_fragment { 'a': target => '/a', content => 'x' }
concat_fragment { 'a': }
concat_fragment { 'a': content => 'x' }
concat_fragment { 'a': target => '/a' }
concat_fragment { 'a': target => '/a', content => 'x', source => '/b' }
concat_fragment { 'a': target => '/a', content => 5 }
concat_fragment { 'a': target => '/a', content => ['a'] }
concat_fragment { 'a': target => '/a', content => true }
concat_fragment { 'a': target => 5, content => 'x' }
concat_fragment { 'a': target => '/a', content => 'x', order => 'a/b' }
concat_fragment { 'a': target => '/a', content => 'x', order => "a\nb" }
concat_fragment { 'a': target => '/a', content => 'x', order => 'a:b' }
concat_fragment { 'a': target => '/a', content => 'x', order => 5 }
concat_fragment { 'a': target => '/a', content => 'x', order => 1.5 }
concat_fragment { 'a': target => '/a', content => 'x', order => ['1'] }
concat_fragment { 'a': target => '/a', source => 5 }
concat_fragment { 'a': target => '/a', source => 'rel' }
concat_fragment { 'a': tag => 'x', content => 'y' }
anchor { 'a': }
anchor { 'a': noop => 'x' }
anchor { 'a': loglevel => 'x' }
anchor { 'a': audit => 'x' }
anchor { 'a': audit => ['name'] }
anchor { 'a': name => 5 }
anchor { 'a': name => ['b'] }
anchor { 'a': noop => 'no' }
anchor { 'a': noop => 1 }
anchor { 'a': loglevel => 5 }
anchor { 'a': loglevel => '' }
anchor { 'a': audit => 5 }
service { 'a': schedule => 'daily' }
augeas { 'a': }
augeas { 'a': changes => 'set /files/a b' }
augeas { 'a': context => '/files/etc', changes => 5 }
augeas { 'a': changes => { a => 1 } }
augeas { 'a': onlyif => 'get x' }
augeas { 'a': onlyif => ['match x size > 0'] }
augeas { 'a': force => 'yes' }
augeas { 'a': force => 'often' }
augeas { 'a': type_check => 'x' }
augeas { 'a': lens => 'Hosts.lns' }
augeas { 'a': incl => '/etc/hosts' }
augeas { 'a': lens => 'Hosts.lns', incl => '/etc/hosts' }
augeas { 'a': load_path => 5 }
augeas { 'a': load_path => ['/a', 'b'] }
augeas { 'a': root => 'rel' }
augeas { 'a': returns => 1 }
augeas { 'a': show_diff => 'x' }
augeas { 'a': provider => 'ruby' }
