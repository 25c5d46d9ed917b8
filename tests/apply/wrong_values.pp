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
alternative_entry { '/usr/bin/vim.basic': ensure => present, altlink => '/usr/bin/editor', altname => 'editor', priority => 50 }
alternative_entry { '/usr/bin/vim.basic:/usr/bin/editor': altname => 'editor', priority => '50' }
alternative_entry { 'vim': altlink => '/usr/bin/editor', altname => 'editor', priority => 10 }
alternative_entry { 'vim': name => '/usr/bin/vim', altlink => '/usr/bin/vi', altname => 'vi', priority => 10 }
alternative_entry { '/usr/bin/vim': altlink => 'editor', altname => 'editor', priority => 10 }
alternative_entry { '/usr/bin/vim': altlink => '/usr/bin/editor', altname => 'editor', priority => 'high' }
alternative_entry { '/usr/bin/vim': altlink => '/usr/bin/editor', altname => 'editor', priority => '0x1f' }
alternative_entry { '/usr/bin/vim': altlink => '/usr/bin/editor', altname => 'editor', priority => '08' }
alternative_entry { '/usr/bin/vim': altlink => '/usr/bin/editor', altname => 'editor', priority => '' }
alternative_entry { '/usr/bin/vim': altlink => '/usr/bin/editor', altname => 'editor', priority => 1.5 }
alternative_entry { '/usr/bin/vim': altlink => '/usr/bin/editor', altname => 'editor', priority => true }
alternative_entry { '/usr/bin/vim': altlink => '/usr/bin/editor', altname => 'editor', priority => [1, 'x'] }
alternative_entry { '/usr/bin/vim': ensure => latest }
alternative_entry { '/usr/bin/vim': ensure => absent }
alternative_entry { '/usr/bin/vim': altlink => ['/usr/bin/a', '/usr/bin/b'] }
alternative_entry { '/usr/bin/vim': provider => [] }
alternatives { 'editor': path => '/usr/bin/vim.basic' }
alternatives { 'editor': path => 'vim.basic' }
alternatives { 'editor': path => ['/usr/bin/vim', '/usr/bin/nano'] }
alternatives { 'editor': mode => auto }
alternatives { 'editor': mode => 'auto', path => '/usr/bin/vim.basic', provider => dpkg }
alternatives { 'editor': mode => 'manual', provider => dpkg }
alternatives { 'editor': mode => 'manual', path => '/usr/bin/vim.basic', provider => dpkg }
alternatives { 'editor': mode => 'automatic', provider => dpkg }
alternatives { 'editor': mode => true, provider => dpkg }
alternatives { 'editor': mode => [], provider => dpkg }
alternatives { 'editor': mode => ['auto', 'manual'], provider => dpkg }
alternatives { 'editor': provider => 'update' }
alternatives { 'my editor': path => '/usr/bin/vim.basic' }
apt_key { '6F6B15509CF8E59E6E469F327F438280EF8D349F': ensure => present, source => 'https://apt.example.org/key.gpg', weak_ssl => true }
apt_key { '0x7F438280EF8D349F': }
apt_key { '0xEF8D349F': ensure => absent }
apt_key { 'EF8D349': }
apt_key { 'example key': }
apt_key { '6f6b15509cf8e59e6e469f327f438280ef8d349g': }
apt_key { 'a': id => '7F438280EF8D349F', content => 'key', options => 'http-proxy="http://proxy:3128"' }
apt_key { 'a': id => '7F438280EF8D349F', content => 'key', source => '/etc/key.gpg' }
apt_key { 'EF8D349F': ensure => absent, refresh => true }
apt_key { 'EF8D349F': refresh => 'yes' }
apt_key { 'EF8D349F': refresh => 'often' }
apt_key { 'EF8D349F': weak_ssl => 1 }
apt_key { 'EF8D349F': source => 'key.gpg' }
apt_key { 'EF8D349F': source => 'puppet:///modules/apt/key.gpg' }
apt_key { 'EF8D349F': source => '/etc/key.gpg' }
apt_key { 'EF8D349F': server => 'hkps://keys.openpgp.org:443' }
apt_key { 'EF8D349F': server => 'keys' }
apt_key { 'EF8D349F': server => 'ldap://keys.example.org' }
apt_key { 'EF8D349F': ensure => installed }
archive { '/tmp/a.tar.gz': ensure => present, source => 'https://example.org/a.tar.gz', extract => true, extract_path => '/opt', creates => '/opt/a', cleanup => false }
archive { 'a.tar.gz': source => 'https://example.org/a.tar.gz' }
archive { 'a': path => '/tmp/a.tar.gz', source => '/srv/a.tar.gz' }
archive { '/tmp/a.tar.gz': source => 'example.org/a.tar.gz' }
archive { '/tmp/a.tar.gz': source => 's3://bucket/a.tar.gz', download_options => ['--region', 'eu-west-1'] }
archive { '/tmp/a.tar.gz': source => '/srv/a', extract => 'maybe' }
archive { '/tmp/a.tar.gz': source => '/srv/a', extract => true, extract_path => 'opt' }
archive { '/tmp/a.tar.gz': source => '/srv/a', target => 'opt' }
archive { '/tmp/a.tar.gz': source => '/srv/a', temp_dir => 'tmp' }
archive { '/tmp/a.tar.gz': source => '/srv/a', checksum => 'xyz', checksum_type => 'md5' }
archive { '/tmp/a.tar.gz': source => '/srv/a', checksum => 'd41d8cd98f00b204e9800998ecf8427e', checksum_type => 'crc' }
archive { '/tmp/a.tar.gz': source => '/srv/a', checksum => 'd41d8cd98f00b204e9800998ecf8427e', checksum_type => 'md5' }
archive { '/tmp/a.tar.gz': source => '/srv/a', digest_string => 'none' }
archive { '/tmp/a.tar.gz': source => '/srv/a', digest_type => 'sha0' }
archive { '/tmp/a.tar.gz': source => '/srv/a', checksum_url => 'sums.txt' }
archive { '/tmp/a.tar.gz': source => '/srv/a', digest_url => 'sums.txt' }
archive { '/tmp/a.tar.gz': source => '/srv/a', checksum_verify => 'no' }
archive { '/tmp/a.tar.gz': source => '/srv/a', url => '/srv/b' }
archive { '/tmp/a.tar.gz': url => '/srv/b' }
archive { '/tmp/a.tar.gz': source => '/srv/a', checksum_url => '/srv/c', digest_url => '/srv/d' }
archive { '/tmp/a.tar.gz': source => '/srv/a', headers => 'X-A: b' }
archive { '/tmp/a.tar.gz': source => '/srv/a', headers => ['X-A: b'] }
archive { '/tmp/a.tar.gz': source => '/srv/a', download_options => { 'a' => 1 } }
archive { '/tmp/a.tar.gz': source => '/srv/a', download_options => '-L' }
archive { '/tmp/a.tar.gz': source => '/srv/a', proxy_server => 'http://proxy:3128' }
archive { '/tmp/a.tar.gz': source => '/srv/a', proxy_server => 'socks5://proxy:1080' }
archive { '/tmp/a.tar.gz': source => '/srv/a', proxy_server => 'proxy host' }
archive { '/tmp/a.tar.gz': source => '/srv/a', proxy_server => 3128 }
archive { '/tmp/a.tar.gz': source => '/srv/a', proxy_type => 'socks' }
archive { '/tmp/a.tar.gz': source => '/srv/a', allow_insecure => 'perhaps' }
archive { '/tmp/a.tar.gz': source => '/srv/a', cleanup => 1 }
archive { '/tmp/a.tar.gz': source => '/srv/a', ensure => latest }
debconf { 'tzdata/Areas': type => 'select', value => 'Europe', seen => true }
debconf { 'tzdata/Areas': value => 'Europe' }
debconf { 'tzdata/Areas': ensure => absent }
debconf { 'tzdata': type => 'select', value => 'Europe' }
debconf { 'areas': item => 'tzdata/Areas', package => 'tzdata', type => 'select', value => 'Europe' }
debconf { 'areas': item => 'TZdata/Areas', type => 'select', value => 'Europe' }
debconf { 'tzdata/Areas': package => 'TZ data', type => 'select', value => 'Europe' }
debconf { 'tzdata/Areas': type => 'choice', value => 'Europe' }
debconf { 'tzdata/Areas': type => 'select', value => 5 }
debconf { 'tzdata/Areas': type => 'boolean', value => true }
debconf { 'tzdata/Areas': type => 'boolean', value => 'true', seen => 'yes' }
debconf { 'tzdata/Areas': type => 'multiselect', value => ['Europe', 'Asia'] }
debconf { 'tzdata/Areas': type => ['select', 'string'], value => 'Europe' }
debconf { 'tzdata/Areas': ensure => purged, type => 'select', value => 'Europe' }
dhparam { '/a': }
dhparam { '/a': ensure => present, size => 2048, fastmode => true, owner => 'root', group => 'ssl_cert', mode => '0640' }
dhparam { 'a': }
dhparam { 'a': path => '/a' }
dhparam { '/a': path => 'a' }
dhparam { '/a': size => 'big' }
dhparam { '/a': size => '2048' }
dhparam { '/a': size => -5 }
dhparam { '/a': size => 0 }
dhparam { '/a': size => 1.5 }
dhparam { '/a': size => '0512' }
dhparam { '/a': fastmode => 'true' }
dhparam { '/a': fastmode => 1 }
dhparam { '/a': owner => 'a b' }
dhparam { '/a': owner => 'www-data' }
dhparam { '/a': owner => 0 }
dhparam { '/a': group => 'a b' }
dhparam { '/a': mode => '640' }
dhparam { '/a': mode => 'u=rw' }
dhparam { '/a': mode => '0999' }
dhparam { '/a': ensure => file }
dhparam { '/a': provider => openssl }
dhparam { '/a': provider => ruby }
docker_compose { 'shop': }
docker_compose { 'shop': ensure => present, compose_files => ['/a.yml'], scale => { 'web' => 2 }, options => ['--verbose'], up_args => '--build', tmpdir => '/tmp' }
docker_compose { 'shop': ensure => running }
docker_compose { 'shop': ensure => true }
docker_compose { 'shop': compose_files => '/a.yml' }
docker_compose { 'shop': compose_files => [] }
docker_compose { 'shop': compose_files => [5, ['/a.yml']] }
docker_compose { 'shop': compose_files => { 'a' => 'b' } }
docker_compose { 'shop': scale => 2 }
docker_compose { 'shop': scale => ['web', 2] }
docker_compose { 'shop': scale => {} }
docker_compose { 'shop': scale => { 'web' => '2' } }
docker_compose { 'shop': scale => { 'web' => true } }
docker_compose { 'shop': scale => { 'web' => 1.5 } }
docker_compose { 'shop': options => '--verbose' }
docker_compose { 'shop': up_args => ['--build'] }
docker_compose { 'shop': up_args => 5 }
docker_compose { 'shop': tmpdir => ['/tmp'] }
docker_compose { 'shop': tmpdir => 'tmp' }
docker_compose { 'shop': name => ['a', 'b'] }
docker_compose { 'shop': provider => ruby }
docker_compose { 'shop': provider => cli }
docker_network { 'front': ensure => present, driver => 'bridge', subnet => ['192.168.1.0/24', '192.168.2.0/24'], gateway => '192.168.1.1' }
docker_network { 'front': ensure => running }
docker_network { 'front': ensure => 'true' }
docker_network { 'front': id => '0123456789ab' }
docker_network { 'front': id => [] }
docker_network { 'front': id => ['a', 'b'] }
docker_network { 'front': driver => ['bridge', 'overlay'], ipam_driver => 'default' }
docker_network { 'front': ip_range => 5, aux_address => { 'a' => '10.0.0.1' }, options => ['a=b'] }
docker_network { 'front net': additional_flags => '--internal' }
docker_network { 'front': driver => default }
docker_network { 'front': provider => 'cli' }
docker_network { 'front': noop => 'maybe' }
docker_stack { 'shop': }
docker_stack { 'shop': ensure => present, compose_files => ['/a.yml', '/b.yml'], up_args => '--prune' }
docker_stack { 'shop': ensure => deployed }
docker_stack { 'shop': compose_files => '/a.yml' }
docker_stack { 'shop': compose_files => [] }
docker_stack { 'shop': compose_files => undef }
docker_stack { 'shop': compose_files => 5 }
docker_stack { 'shop': bundle_file => '/a.dab' }
docker_stack { 'shop': bundle_file => ['/a.dab'] }
docker_stack { 'shop': bundle_file => 5 }
docker_stack { 'shop': up_args => ['--prune'] }
docker_stack { 'shop': up_args => '' }
docker_stack { 'shop': provider => cli }
docker_volume { 'data': ensure => present, driver => 'local', options => ['type=nfs', 'o=addr=10.0.0.1'] }
docker_volume { 'data': ensure => mounted }
docker_volume { 'data': ensure => false }
docker_volume { 'data': mountpoint => '/srv/data' }
docker_volume { 'data': mountpoint => [] }
docker_volume { 'data': driver => [], options => 'type=tmpfs' }
docker_volume { 'my data': driver => 5 }
docker_volume { '/srv/data': }
docker_volume { 'data': options => { 'type' => 'nfs' } }
docker_volume { 'data': provider => 'cli' }
docker_volume { 'data': ensure => ['present', 'absent'] }
docker_volume { 'data': audit => [driver, size] }
filesystem { '/dev/vg0/data': ensure => present, fs_type => 'ext4', options => '-b 4096 -E stride=32', mkfs_cmd => '/sbin/mkfs.ext4' }
filesystem { 'data': ensure => present, fs_type => 'ext4' }
filesystem { 'dev/vg0/data': }
filesystem { 'a': name => '/dev/vg0/data', fs_type => 'xfs' }
filesystem { '/dev/vg0/data': name => 'data' }
filesystem { '/dev/vg0/data': ensure => mounted, fs_type => 'ext4' }
filesystem { '/dev/vg0/data': ensure => absent }
filesystem { '/dev/vg0/data': fs_type => ['ext4', 'xfs'] }
filesystem { '/dev/vg0/data': fs_type => 4, options => ['-q'] }
filesystem { '/dev/vg0/data': ensure => '' }
filesystem { '/dev/vg0/data': provider => 'zfs' }
firewall { '100 allow ssh': proto => 'tcp', dport => 22, jump => 'accept' }
firewall { 'allow ssh': proto => 'tcp', dport => 22, jump => 'accept' }
firewall { '100': proto => 'tcp' }
firewall { '100 allow ssh': name => 'ssh' }
firewall { '100 allow ssh': name => '101 allow ssh', dport => ['22', '2222:2230'] }
firewall { '100 a': ensure => installed }
firewall { '100 a': ensure => absent, proto => 'all' }
firewall { '100 a': ensure => [] }
firewall { '100 a': table => 'Filter' }
firewall { '100 a': table => 'nat', chain => 'PREROUTING', jump => 'DNAT', todest => '10.0.0.1:80' }
firewall { '100 a': chain => '' }
firewall { '100 a': chain => ['INPUT', 'OUTPUT'] }
firewall { '100 a': protocol => 'IPv5' }
firewall { '100 a': protocol => 'ip6tables', source => '2001:db8::/32' }
firewall { '100 a': proto => 'tcpp' }
firewall { '100 a': proto => 'quic' }
firewall { '100 a': proto => 6 }
firewall { '100 a': dport => 'ssh' }
firewall { '100 a': dport => [22, 'http'] }
firewall { '100 a': dport => '20-25' }
firewall { '100 a': sport => { 'from' => 20 } }
firewall { '100 a': source => '' }
firewall { '100 a': destination => 5 }
firewall { '100 a': iniface => 'eth 0' }
firewall { '100 a': outiface => '! eth0' }
firewall { '100 a': state => 'NEU' }
firewall { '100 a': ctstate => ['ESTABLISHED', 'RELATED'] }
firewall { '100 a': ctstate => ['ESTABLISHED', 'OLD'] }
firewall { '100 a': limit => '3 per minute' }
firewall { '100 a': limit => '3/min', burst => 5 }
firewall { '100 a': burst => 0 }
firewall { '100 a': reject => 'icmp-unreachable', jump => 'reject' }
firewall { '100 a': log_level => 9, jump => 'LOG' }
firewall { '100 a': tcp_flags => 'SYN,RST SYN', stat_mode => 'sometimes' }
firewall { '100 a': mac_source => '00:11:22:33:44' }
firewall { '100 a': uid => [0, 1000] }
firewall { '100 a': socket => 'yes' }
firewall { '100 a': week_days => ['Mon', 'Fry'] }
firewall { '100 a': time_start => '25:00' }
firewall { '100 a': ipset => 'blocked' }
firewall { '100 a': ipset => ['blocked src', '! known dst,src'] }
firewall { '100 a': set_mark => 'high' }
firewall { '100 a': toports => 70000 }
firewall { '100 a': dport => default }
firewallchain { 'LOGGING:filter:IPv4': ensure => present, purge => true, ignore => ['-j fail2ban-ssh'] }
firewallchain { 'INPUT:filter:IPv4': policy => 'drop' }
firewallchain { 'INPUT': }
firewallchain { 'INPUT:filter': policy => drop }
firewallchain { 'INPUT:filters:IPv4': }
firewallchain { 'INPUT:filter:IPv5': }
firewallchain { 'MY CHAIN:filter:IPv4': }
firewallchain { 'a': name => 'LOGGING:nat:IPv6' }
firewallchain { 'INPUT:filter:IPv4': name => 'LOGGING' }
firewallchain { 'INPUT:filter:IPv4': policy => 'reject' }
firewallchain { 'INPUT:filter:IPv4': policy => [] }
firewallchain { 'INPUT:filter:IPv4': policy => ['drop', 'accept'] }
firewallchain { 'INPUT:filter:IPv4': purge => 'yes' }
firewallchain { 'INPUT:filter:IPv4': purge => { 'a' => 1 } }
firewallchain { 'INPUT:filter:IPv4': ignore => '' }
firewallchain { 'INPUT:filter:IPv4': ignore => ['-j a', ''] }
firewallchain { 'INPUT:filter:IPv4': ignore => 5 }
firewallchain { 'INPUT:filter:IPv4': ignore_foreign => 'true' }
firewallchain { 'INPUT:filter:IPv4': ensure => purged }
flatpak { 'org.example.App': }
flatpak { 'org.example.App': ensure => installed, remote => 'example', arch => 'x86_64', branch => 'stable' }
flatpak { 'org.example.App': ensure => present }
flatpak { 'org.example.App': ensure => installed, ref => 'org.example.App/x86_64/stable' }
flatpak { 'org.example.App': ensure => absent }
flatpak { 'org.example.App': ensure => uninstalled, ref => 'org.example.App' }
flatpak { 'org.example.App': ensure => latest, remote => 'example' }
flatpak { 'org example': ensure => absent }
flatpak { 'app': name => 5, ensure => absent }
flatpak { 'app': name => '' }
flatpak { 'app': name => 'a/b', ensure => absent }
flatpak { 'app': ensure => absent, arch => 'sparc' }
flatpak { 'app': ensure => absent, arch => aarch64, ref => 'app' }
flatpak { 'app': ensure => absent, branch => '', arch => arm }
flatpak { 'app': ensure => absent, branch => 'a b' }
flatpak { 'app': ensure => absent, branch => 3.2 }
flatpak { 'app': ensure => absent, branch => 'b', ref => 'app' }
flatpak { 'app': ensure => absent, ref => 'a/b/c/d' }
flatpak { 'app': ensure => absent, ref => '/a' }
flatpak { 'app': ensure => absent, ref => 'a//' }
flatpak { 'app': ensure => present, remote => 'my remote' }
flatpak { 'app': ensure => present, remote => '' }
flatpak { 'app': ensure => present, remote => ['a', 'b'] }
flatpak { 'app': ensure => ['present', 'absent'], remote => 'a' }
flatpak { 'app': provider => flatpak }
flatpak { 'app': provider => snap }
flatpak_remote { 'example': }
flatpak_remote { 'example': ensure => present, location => 'https://example.com/a.flatpakrepo', from => true }
flatpak_remote { 'example': ensure => added }
flatpak_remote { 'example': ensure => present }
flatpak_remote { 'my remote': ensure => present }
flatpak_remote { 'a/b': ensure => absent }
flatpak_remote { 'a': name => ['b', 'c'] }
flatpak_remote { 'a': name => 5 }
flatpak_remote { 'a': from => 'maybe', location => 5 }
flatpak_remote { 'a': from => undef, location => ['a', 'b'] }
flatpak_remote { 'a': location => { 'a' => 1 } }
flatpak_remote { 'a': provider => flatpak_remote }
flatpak_remote { 'a': provider => flatpak }
firewalld_direct_chain { 'LOG_DROPS': ensure => present, inet_protocol => 'ipv4', table => 'filter' }
firewalld_direct_chain { 'ipv6:filter:LOG_DROPS': }
firewalld_direct_chain { 'filter:LOG_DROPS': inet_protocol => 'ipv4' }
firewalld_direct_chain { 'ipv4:filter:LOG:DROPS': }
firewalld_direct_chain { 'ipv5:filter:LOG_DROPS': }
firewalld_direct_chain { 'LOG_DROPS': inet_protocol => 'IPv4', table => 'filter' }
firewalld_direct_chain { 'LOG_DROPS': inet_protocol => 'eb', table => 5 }
firewalld_direct_chain { 'LOG_DROPS': inet_protocol => ['ipv4', 'ipv6'], table => 'filter' }
firewalld_direct_chain { 'LOG_DROPS': inet_protocol => 4, table => 'filter' }
firewalld_direct_chain { 'LOG_DROPS': ensure => running, table => 'filter' }
firewalld_direct_chain { 'LOG DROPS': table => 'filter' }
firewalld_direct_chain { 'LOG_DROPS': provider => 'iptables', table => 'filter' }
firewalld_direct_passthrough { '-A OUTPUT -j LOG_DROPS': ensure => present }
firewalld_direct_passthrough { 'forward': inet_protocol => 'ipv6', args => '-A OUTPUT -j LOG_DROPS' }
firewalld_direct_passthrough { 'forward': args => ['-A', 'OUTPUT'] }
firewalld_direct_passthrough { 'forward': args => 5 }
firewalld_direct_passthrough { '-A OUTPUT': inet_protocol => 'ip' }
firewalld_direct_passthrough { '-A OUTPUT': inet_protocol => '' }
firewalld_direct_passthrough { '-A OUTPUT': inet_protocol => ['ipv4'] }
firewalld_direct_passthrough { '-A OUTPUT': inet_protocol => default }
firewalld_direct_passthrough { '-A OUTPUT': ensure => 'yes' }
firewalld_direct_passthrough { '-A OUTPUT': ensure => absent, inet_protocol => 'eb' }
firewalld_direct_passthrough { '-A OUTPUT': provider => 'nft' }
firewalld_direct_purge { 'chain': }
firewalld_direct_purge { 'rule': purge => false }
firewalld_direct_purge { 'passthrough': ensure => purged }
firewalld_direct_purge { 'chain': ensure => purgable }
firewalld_direct_purge { 'chain': ensure => absent }
firewalld_direct_purge { 'chains': }
firewalld_direct_purge { 'a': name => 'rule' }
firewalld_direct_purge { 'rule': name => 'a' }
firewalld_direct_purge { 'rule': name => ['rule', 'chain'] }
firewalld_direct_purge { 'rule': purge => 'yes' }
firewalld_direct_purge { 'rule': purge => 0 }
firewalld_direct_rule { 'ssh out': inet_protocol => 'ipv4', table => 'filter', chain => 'OUTPUT', priority => 1, args => '-p tcp --dport=22 -j ACCEPT' }
firewalld_direct_rule { 'ssh out': }
firewalld_direct_rule { 'ssh out': inet_protocol => 'ipv4 ', table => 'filter' }
firewalld_direct_rule { 'ssh out': inet_protocol => 6 }
firewalld_direct_rule { 'ssh out': inet_protocol => [] }
firewalld_direct_rule { 'ssh out': priority => 'first' }
firewalld_direct_rule { 'ssh out': priority => -1, args => ['-j', 'ACCEPT'] }
firewalld_direct_rule { 'ssh out': table => ['filter', 'nat'], chain => 5 }
firewalld_direct_rule { 'ssh out': ensure => 'purged' }
firewalld_direct_rule { 'ssh out': ensure => absent, args => '-j ACCEPT' }
firewalld_direct_rule { 'ssh out': provider => 'nft' }
firewalld_ipset { 'internal': ensure => present, type => 'hash:net', family => 'inet', entries => ['192.168.0.0/24'], hashsize => 1024, maxelem => '65536', timeout => 0 }
firewalld_ipset { 'internal net': entries => ['10.0.0.1'] }
firewalld_ipset { 'internal-net.1': entries => '10.0.0.1/32' }
firewalld_ipset { 'internal': type => 'hash:ips' }
firewalld_ipset { 'internal': type => 'hash:ip,port,net' }
firewalld_ipset { 'internal': family => 'ipv4' }
firewalld_ipset { 'internal': hashsize => 1000 }
firewalld_ipset { 'internal': hashsize => 'large' }
firewalld_ipset { 'internal': hashsize => 0 }
firewalld_ipset { 'internal': hashsize => '4096' }
firewalld_ipset { 'internal': maxelem => 0 }
firewalld_ipset { 'internal': timeout => -1 }
firewalld_ipset { 'internal': options => 'maxelem=10' }
firewalld_ipset { 'internal': options => { 'maxelem' => '10' } }
firewalld_ipset { 'internal': manage_entries => false, entries => ['10.0.0.1'] }
firewalld_ipset { 'internal': manage_entries => false }
firewalld_ipset { 'internal': manage_entries => 'maybe' }
firewalld_ipset { 'internal': entries => [10] }
firewalld_policy { 'out': ensure => present, ingress_zones => ['ANY'], egress_zones => ['internal'], target => '%%REJECT%%', priority => -10 }
firewalld_policy { 'out': ingress_zones => ['ANY'] }
firewalld_policy { 'out': ingress_zones => ['ANY'], egress_zones => [] }
firewalld_policy { 'out': ingress_zones => ['ANY', 'public'], egress_zones => ['HOST'] }
firewalld_policy { 'out': ingress_zones => 'public', egress_zones => ['HOST'] }
firewalld_policy { 'out': ingress_zones => [5], egress_zones => ['HOST'] }
firewalld_policy { 'out': ensure => absent }
firewalld_policy { 'a policy with a name that is long': ingress_zones => ['ANY'], egress_zones => ['HOST'] }
firewalld_policy { 'out': policy => 'a policy with a name that is long', ingress_zones => ['ANY'], egress_zones => ['HOST'] }
firewalld_policy { 'out': ingress_zones => ['ANY'], egress_zones => ['HOST'], priority => 0 }
firewalld_policy { 'out': ingress_zones => ['ANY'], egress_zones => ['HOST'], priority => 'high' }
firewalld_policy { 'out': ingress_zones => ['ANY'], egress_zones => ['HOST'], priority => '0x10' }
firewalld_policy { 'out': ingress_zones => ['ANY'], egress_zones => ['HOST'], masquerade => 'yes' }
firewalld_policy { 'out': ingress_zones => ['ANY'], egress_zones => ['HOST'], purge_ports => 'all' }
firewalld_policy { 'out': ingress_zones => ['ANY'], egress_zones => ['HOST'], icmp_blocks => 'echo-request', masquerade => true }
firewalld_port { 'web': ensure => present, zone => 'public', port => 8080, protocol => 'tcp' }
firewalld_port { 'web': policy => 'out', port => '8080-8090', protocol => 'udp' }
firewalld_port { 'web': port => 8080, protocol => 'tcp' }
firewalld_port { 'web': zone => 'public', policy => 'out', port => 8080, protocol => 'tcp' }
firewalld_port { '8080': zone => 'public', protocol => 'tcp' }
firewalld_port { 'web': zone => 'public' }
firewalld_port { 'web': zone => ['public', 'dmz'], port => 80 }
firewalld_port { 'web': zone => 'unset', port => 80 }
firewalld_port { 'web': zone => 'public', ensure => open, port => 80 }
firewalld_port { 'web': zone => 'public', ensure => true, port => 80 }
firewalld_port { 'web': zone => 'public', port => { 'from' => 1 }, protocol => 'tcpp' }
firewalld_port { 'web': zone => 'public', provider => 'nft' }
firewalld_rich_rule { 'ssh': ensure => present, zone => 'public', source => '192.168.1.2/32', service => 'ssh', action => 'accept' }
firewalld_rich_rule { 'ssh': service => 'ssh', action => 'accept' }
firewalld_rich_rule { 'ssh': zone => 'public', policy => 'out', service => 'ssh', action => 'accept' }
firewalld_rich_rule { 'ssh': zone => 'public', service => 'ssh', protocol => 'tcp', action => 'accept' }
firewalld_rich_rule { 'ssh': zone => 'public', family => 'ipv5', action => 'accept' }
firewalld_rich_rule { 'ssh': zone => 'public', priority => 32768 }
firewalld_rich_rule { 'ssh': zone => 'public', priority => '-5', action => 'drop' }
firewalld_rich_rule { 'ssh': zone => 'public', priority => 'first' }
firewalld_rich_rule { 'ssh': zone => 'public', priority => 32767 }
firewalld_rich_rule { 'ssh': zone => 'public', source => { 'address' => '10.0.0.1', 'ipset' => 'a' } }
firewalld_rich_rule { 'ssh': zone => 'public', source => { 'ipset' => 'a', 'invert' => true } }
firewalld_rich_rule { 'ssh': zone => 'public', dest => { 'address' => '10.0.0.1', 'ipset' => 'a' } }
firewalld_rich_rule { 'ssh': zone => 'public', action => 'allow' }
firewalld_rich_rule { 'ssh': zone => 'public', action => { 'action' => 'reject', 'type' => 'icmp-admin-prohibited' } }
firewalld_rich_rule { 'ssh': zone => 'public', action => { 'action' => 'reject' } }
firewalld_rich_rule { 'ssh': zone => 'public', action => { 'action' => 'refuse', 'type' => 'a' } }
firewalld_rich_rule { 'ssh': zone => 'public', action => 5 }
firewalld_rich_rule { 'ssh': zone => 'public', masquerade => true, forward_port => { 'port' => '80', 'protocol' => 'tcp', 'to_port' => '8080' } }
firewalld_service { 'ssh': ensure => present, zone => 'public' }
firewalld_service { 'ssh': }
firewalld_service { 'ssh': zone => 'public', policy => 'out' }
firewalld_service { 'ssh': policy => 'out' }
firewalld_service { 'a': service => 'ssh', zone => 'public' }
firewalld_service { 'a': service => ['ssh', 'http'], zone => 'public' }
firewalld_service { 'a': service => 22, zone => 'public' }
firewalld_service { 'ssh': zone => 'public', ensure => running }
firewalld_service { 'ssh': zone => 'public', ensure => [] }
firewalld_service { 'ssh': zone => 'unset', policy => 'unset' }
firewalld_service { 'ssh': zone => 'public', provider => 'cmd' }
firewalld_zone { 'restricted': ensure => present, target => '%%REJECT%%', interfaces => ['eth1'], sources => ['10.0.0.0/8', 'ipset:internal'], purge_ports => true, icmp_blocks => 'echo-request' }
firewalld_zone { 'a zone with a long name': }
firewalld_zone { 'seventeen_letters': }
firewalld_zone { 'public': zone => 'a zone with a long name' }
firewalld_zone { 'public': masquerade => 'yes' }
firewalld_zone { 'public': icmp_block_inversion => 'invert' }
firewalld_zone { 'public': purge_services => 'all' }
firewalld_zone { 'public': purge_rich_rules => true, purge_services => 'false' }
firewalld_zone { 'public': ensure => default }
firewalld_zone { 'public': target => ['ACCEPT', 'DROP'], interfaces => [] }
firewalld_zone { 'public': protocols => ['gre', 5], description => 5 }
firewalld_zone { 'public': provider => 'nft' }
grafana_plugin { 'grafana-clock-panel': ensure => present, repo => 'https://grafana.example.org/plugins', plugin_url => 'https://example.org/a.zip' }
grafana_plugin { 'clock panel': }
grafana_plugin { 'a': name => '' }
grafana_plugin { 'a': name => 'clock-panel' }
grafana_plugin { 'a': ensure => '1.0.2' }
grafana_plugin { 'a': ensure => 'newest' }
grafana_plugin { 'a': ensure => latest }
grafana_plugin { 'a': ensure => absent }
grafana_plugin { 'a': repo => 'plugins' }
grafana_plugin { 'a': repo => 'ftp://example.org' }
grafana_plugin { 'a': plugin_url => 'a.zip' }
grafana_plugin { 'a': repo => 5 }
hocon_setting { 'a': }
hocon_setting { 'a': path => '/a.conf', value => 1 }
hocon_setting { 'a': path => '/a.conf' }
hocon_setting { 'a': value => 1 }
hocon_setting { 'a': ensure => absent }
hocon_setting { 'a': path => '/a.conf', ensure => absent }
hocon_setting { 'a': path => 'a.conf', value => 1 }
hocon_setting { 'a': path => 5, value => 1 }
hocon_setting { 'a': path => ['/a', '/b'], value => 1 }
hocon_setting { 'a': setting => 'b.c', path => '/a.conf', value => undef }
hocon_setting { 'a': setting => ['b', 'c'], path => '/a.conf', value => 1 }
hocon_setting { 'a': path => '/a.conf', value => [] }
hocon_setting { 'a': path => '/a.conf', ensure => file, value => 1 }
hocon_setting { 'a': path => '/a.conf', type => 'list', value => 1 }
hocon_setting { 'a': path => '/a.conf', type => boolean, value => true }
hocon_setting { 'a': path => '/a.conf', type => 'boolean', value => 'true' }
hocon_setting { 'a': path => '/a.conf', type => 'boolean', value => [true] }
hocon_setting { 'a': path => '/a.conf', type => 'boolean', value => [true, false] }
hocon_setting { 'a': path => '/a.conf', type => 'string', value => 5 }
hocon_setting { 'a': path => '/a.conf', type => 'string', value => ['a', 'b'] }
hocon_setting { 'a': path => '/a.conf', type => 'text', value => 5 }
hocon_setting { 'a': path => '/a.conf', type => 'text', value => '{ a : 1 }' }
hocon_setting { 'a': path => '/a.conf', type => 'text', value => { 'a' => 1 } }
hocon_setting { 'a': path => '/a.conf', type => 'number', value => '12' }
hocon_setting { 'a': path => '/a.conf', type => 'number', value => '1.5e3' }
hocon_setting { 'a': path => '/a.conf', type => 'number', value => '0x1F' }
hocon_setting { 'a': path => '/a.conf', type => 'number', value => 'twelve' }
hocon_setting { 'a': path => '/a.conf', type => 'number', value => true }
hocon_setting { 'a': path => '/a.conf', type => 'number', value => [1, 2] }
hocon_setting { 'a': path => '/a.conf', type => 'number', value => 1.5 }
hocon_setting { 'a': path => '/a.conf', type => 'array', value => 'a' }
hocon_setting { 'a': path => '/a.conf', type => 'array', value => ['a'] }
hocon_setting { 'a': path => '/a.conf', type => 'array', value => { 'a' => 1 } }
hocon_setting { 'a': path => '/a.conf', type => 'hash', value => { 'a' => 1 } }
hocon_setting { 'a': path => '/a.conf', type => 'hash', value => ['a', 1] }
hocon_setting { 'a': path => '/a.conf', type => 'hash', value => 'a' }
hocon_setting { 'a': path => '/a.conf', type => 'array_element', value => 'a' }
hocon_setting { 'a': path => '/a.conf', type => 'array_element', ensure => absent }
hocon_setting { 'a': path => '/a.conf', type => ['array', 'hash'], value => ['a'] }
hocon_setting { 'a': path => '/a.conf', type => 5, value => ['a'] }
hocon_setting { 'a': path => '/a.conf', type => [], value => ['a'] }
hocon_setting { 'a': path => '/a.conf', value => default }
hocon_setting { 'a': path => '/a.conf', value => 1, provider => ruby }
hocon_setting { 'a': path => '/a.conf', value => 1, provider => augeas }
k5login { '/root/.k5login': principals => ['admin@EXAMPLE.ORG', 'root@EXAMPLE.ORG'], mode => '0600' }
k5login { 'root/.k5login': principals => 'admin@EXAMPLE.ORG' }
k5login { 'root': path => '/root/.k5login', ensure => absent }
k5login { 'root': path => ['/root/.k5login', '/home/a/.k5login'] }
k5login { '/root/.k5login': mode => 'rw' }
k5login { '/root/.k5login': mode => '0999' }
k5login { '/root/.k5login': mode => 600 }
k5login { '/root/.k5login': principals => 5 }
k5login { '/root/.k5login': principals => [] }
k5login { '/root/.k5login': ensure => file }
k5login { '/root/.k5login': seluser => 'root', selrole => 5 }
k5login { '/root/.k5login': provider => 'file' }
kernel_parameter { 'quiet': ensure => present }
kernel_parameter { 'quiet:normal': }
kernel_parameter { 'quiet:sometimes': }
kernel_parameter { 'vga:default:x': value => 'normal' }
kernel_parameter { 'console': value => ['tty0', 'ttyS1,115200'], bootmode => 'normal' }
kernel_parameter { 'console': value => [], bootmode => 'recovery' }
kernel_parameter { 'console': bootmode => 'safe' }
kernel_parameter { 'console': bootmode => true }
kernel_parameter { 'console': bootmode => ['all', 'normal'] }
kernel_parameter { 'console': ensure => 'set' }
kernel_parameter { 'console': value => { 'a' => 1 }, target => 'grub' }
kernel_parameter { 'console': provider => 'lilo' }
logical_volume { 'data': ensure => present, volume_group => 'vg0', size => '20G', stripes => 2, stripesize => 64, mirror => 1 }
logical_volume { 'vg0/data': volume_group => 'vg0' }
logical_volume { 'data': size => '20G' }
logical_volume { 'data': volume_group => 'vg0' }
logical_volume { 'data': volume_group => 'vg0', size => '20' }
logical_volume { 'data': volume_group => 'vg0', size => '20GB' }
logical_volume { 'data': volume_group => 'vg0', initial_size => 'big' }
logical_volume { 'data': volume_group => 'vg0', size => '1G', initial_size => '2G' }
logical_volume { 'data': volume_group => 'vg0', extents => '50%FREE' }
logical_volume { 'data': volume_group => 'vg0', extents => '50%DISK' }
logical_volume { 'data': volume_group => 'vg0', persistent => 'maybe' }
logical_volume { 'data': volume_group => 'vg0', minor => 256 }
logical_volume { 'data': volume_group => 'vg0', minor => '-1' }
logical_volume { 'data': volume_group => 'vg0', thinpool => 5 }
logical_volume { 'data': volume_group => 'vg0', thinpool => true, poolmetadatasize => '1x' }
logical_volume { 'data': volume_group => 'vg0', stripes => 'two' }
logical_volume { 'data': volume_group => 'vg0', stripesize => 'x' }
logical_volume { 'data': volume_group => 'vg0', readahead => 'fast' }
logical_volume { 'data': volume_group => 'vg0', resize_fs => 'yes' }
logical_volume { 'data': volume_group => 'vg0', mirror => 5 }
logical_volume { 'data': volume_group => 'vg0', mirror => 'two' }
logical_volume { 'data': volume_group => 'vg0', mirrorlog => 'tape' }
logical_volume { 'data': volume_group => 'vg0', alloc => 'random' }
logical_volume { 'data': volume_group => 'vg0', no_sync => 'true', region_size => 'big' }
logical_volume { 'data': volume_group => 'vg0', size_is_minsize => 'maybe' }
loginctl_user { 'alice': linger => enabled }
loginctl_user { 'alice': linger => disabled }
loginctl_user { 'alice': linger => true }
loginctl_user { 'alice': linger => 'on' }
loginctl_user { 'alice': linger => 'Enabled' }
loginctl_user { 'alice': linger => [] }
loginctl_user { 'alice': linger => ['enabled', 'disabled'] }
loginctl_user { 'alice': linger => '' }
loginctl_user { 'alice': linger => 1 }
loginctl_user { 'a b': linger => default }
loginctl_user { 'a': name => 'bob' }
loginctl_user { 'alice': provider => 'dbus' }
mounttab { '/srv': ensure => present, device => '/dev/sdb1', fstype => 'ext4', options => ['rw', 'noatime'], pass => 2, dump => 1, atboot => 'yes' }
mounttab { '/srv/': device => '/dev/sdb1', fstype => 'ext4' }
mounttab { '/srv data': device => '/dev/sdb1', fstype => 'ext4' }
mounttab { '/': device => '/dev/sda1', fstype => 'ext4' }
mounttab { '/srv': device => '/dev/sd b1', fstype => 'ext4' }
mounttab { '/srv': device => '/dev/sdb1', fstype => 'ext 4' }
mounttab { '/srv': device => '/dev/sdb1', options => 'rw,noatime' }
mounttab { '/srv': device => '/dev/sdb1', options => ['rw', 'no atime'] }
mounttab { '/srv': device => '/dev/sdb1', options => [] }
mounttab { '/srv': device => '/dev/sdb1', dump => 5 }
mounttab { '/srv': device => '/dev/sdb1', dump => 'x' }
mounttab { '/srv': device => '/dev/sdb1', atboot => 'maybe' }
mounttab { '/srv': device => '/dev/sdb1', atboot => true }
mounttab { '/srv': device => '/dev/sdb1', ensure => mounted }
mounttab { '/srv': device => '/dev/sdb1', pass => 'x', target => 'etc/fstab' }
mysql_database { 'shop': ensure => present, charset => 'utf8mb4', collate => 'utf8mb4_unicode_ci' }
mysql_database { 'my shop': charset => 'utf8' }
mysql_database { 'shop': charset => 'utf 8' }
mysql_database { 'shop': charset => '' }
mysql_database { 'shop': charset => 5 }
mysql_database { 'shop': charset => [] }
mysql_database { 'shop': charset => ['utf8', 'latin 1'] }
mysql_database { 'shop': collate => ' ' }
mysql_database { 'shop': collate => { 'a' => 1 } }
mysql_database { 'shop': ensure => dropped }
mysql_database { 'shop': ensure => absent, charset => default }
mysql_datadir { '/var/lib/mysql': ensure => present, basedir => '/usr', user => 'mysql', defaults_extra_file => '/etc/mysql/my.cnf', log_error => '/var/log/mysql.log' }
mysql_datadir { 'mysql': datadir => '/var/lib/mysql' }
mysql_datadir { 'var/lib/mysql': }
mysql_datadir { '/var/lib/mysql': basedir => 'usr' }
mysql_datadir { '/var/lib/mysql': basedir => ['/usr', '/opt'] }
mysql_datadir { '/var/lib/mysql': defaults_extra_file => '/etc/mysql/my.conf' }
mysql_datadir { '/var/lib/mysql': defaults_extra_file => 'my.cnf' }
mysql_datadir { '/var/lib/mysql': log_error => 'mysql.log' }
mysql_datadir { '/var/lib/mysql': user => 5, insecure => 'yes' }
mysql_datadir { '/var/lib/mysql': insecure => true }
mysql_datadir { '/var/lib/mysql': ensure => directory }
mysql_datadir { '/var/lib/mysql': log_error => '' }
mysql_grant { 'shop@localhost/shop.*': ensure => present, user => 'shop@localhost', table => 'shop.*', privileges => ['SELECT', 'INSERT'], options => ['GRANT'] }
mysql_grant { 'shop@localhost/shop.*': user => 'shop@localhost', table => 'shop.*', privileges => 'all' }
mysql_grant { 'shop': user => 'shop@localhost', table => 'shop.*', privileges => ['ALL'] }
mysql_grant { 'shop@localhost/shop.*': table => 'shop.*', privileges => ['ALL'] }
mysql_grant { 'shop@localhost/shop.*': user => 'shop@localhost', privileges => ['ALL'] }
mysql_grant { 'shop@localhost/shop.*': user => 'shop@localhost', table => 'shop.*' }
mysql_grant { 'shop@localhost/shop.*': ensure => absent, user => 'shop@localhost', table => 'shop.*' }
mysql_grant { 'shop@localhost/shop': user => 'shop@localhost', table => 'shop', privileges => ['ALL'] }
mysql_grant { 'shop/shop.*': user => 'shop', table => 'shop.*', privileges => ['ALL'] }
mysql_grant { 'shop@localhost/shop.*': user => 'shop@other', table => 'shop.*', privileges => ['ALL'] }
mysql_grant { 'shop@localhost/shop.*': user => 'shop@localhost', table => '', privileges => ['ALL'] }
mysql_grant { 'shop@localhost/shop.*': user => "'shop'@localhost", table => '`shop`.*', privileges => ['SELECT (a, b)'] }
mysql_grant { 'shop@localhost/shop.*': user => 'shop@localhost', table => 'shop.*', privileges => ['ALL'], ensure => granted }
mysql_plugin { 'auth_socket': ensure => present, soname => 'auth_socket.so' }
mysql_plugin { 'auth_socket': soname => 'auth_socket' }
mysql_plugin { 'auth_socket': soname => '/usr/lib/auth_socket.so' }
mysql_plugin { 'auth_socket': soname => 5 }
mysql_plugin { 'auth_socket': soname => 1.5 }
mysql_plugin { 'auth_socket': soname => '' }
mysql_plugin { 'auth_socket': soname => [] }
mysql_plugin { 'auth_socket': soname => ['a.so', 'b'] }
mysql_plugin { 'auth_socket': ensure => loaded }
mysql_plugin { 'auth_socket': ensure => absent }
mysql_plugin { 'auth socket': soname => "a.so\n" }
mysql_user { 'shop@localhost': ensure => present, password_hash => '*0123456789ABCDEF0123456789ABCDEF01234567', max_user_connections => 10 }
mysql_user { 'shop': }
mysql_user { 'shop@local host': }
mysql_user { "'my shop'@localhost": }
mysql_user { 'my-shop@%.example.org': plugin => 'unix_socket' }
mysql_user { '@localhost': }
mysql_user { 'a': name => 'shop@LOCALHOST' }
mysql_user { 'shop@localhost': max_user_connections => 'many' }
mysql_user { 'shop@localhost': max_queries_per_hour => -1 }
mysql_user { 'shop@localhost': max_updates_per_hour => [] }
mysql_user { 'shop@localhost': plugin => '' }
mysql_user { 'shop@localhost': tls_options => ['SSL'] }
mysql_user { 'shop@localhost': tls_options => ["CIPHER 'a'", "ISSUER 'b'"] }
mysql_user { 'shop@localhost': tls_options => ['TLS'] }
mysql_user { 'shop@localhost': tls_options => default }
mysql_user { 'shop@localhost': ensure => locked }
pam { 'unix': ensure => present, service => 'sshd', type => 'auth', control => 'required', module => 'pam_unix.so', arguments => ['nullok'], position => 'before first' }
pam { 'unix': service => 'sshd', type => 'login', control => 'required', module => 'pam_unix.so' }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', optional => 'yes' }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', optional => true }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', control_is_param => 'yes' }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', control_is_param => true, control => '[default=ignore]' }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', position => 'first' }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', position => 'after module pam_deny.so' }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', position => 5 }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', ensure => 'positioned' }
pam { 'unix': service => 'sshd', type => 'auth', module => 'pam_unix.so', ensure => 'moved' }
pam { 'unix': service => 'sshd', type => ['auth', 'session'], module => 'pam_unix.so' }
pam { 'unix': service => 'sshd', type => 'session', module => 'pam_unix.so', arguments => [], provider => 'file' }
physical_volume { '/dev/sdb': ensure => present, force => true, unless_vg => 'vg0' }
physical_volume { 'sdb': ensure => present }
physical_volume { 'a': name => '/dev/sdb1' }
physical_volume { '/dev/sdb': unless_vg => '-vg' }
physical_volume { '/dev/sdb': unless_vg => '' }
physical_volume { '/dev/sdb': unless_vg => 5 }
physical_volume { '/dev/sdb': unless_vg => ['vg0', '-'] }
physical_volume { '/dev/sdb': force => 'yes' }
physical_volume { '/dev/sdb': force => 1 }
physical_volume { '/dev/sdb': force => [] }
physical_volume { '/dev/sdb': ensure => mounted }
physical_volume { '/dev/sdb': provider => 'zfs' }
postgresql_conf { 'port': key => 'port', value => 5432, target => '/etc/postgresql/15/main/postgresql.conf', comment => 'the port' }
postgresql_conf { 'the port': key => 'port', value => '5432', target => '/etc/postgresql/15/main/postgresql.conf' }
postgresql_conf { 'a': key => 'the port', value => '5432', target => '/etc/postgresql.conf' }
postgresql_conf { 'a': key => 'auto_explain.log', value => '', target => '/etc/postgresql.conf' }
postgresql_conf { 'a': key => 'port', value => ' 5432', target => '/etc/postgresql.conf' }
postgresql_conf { 'a': key => 'port', value => true, target => '/etc/postgresql.conf' }
postgresql_conf { 'a': key => 'port', value => 1.5, target => '/etc/postgresql.conf' }
postgresql_conf { 'a': key => 'port', value => '5432', target => 'postgresql.conf' }
postgresql_conf { 'a': key => 'port', value => '5432', target => '/etc/postgresql.ini' }
postgresql_conf { 'a': key => 'port', value => '5432', target => ['/etc/a.conf', '/etc/b.conf'] }
postgresql_conf { 'a': key => 'port', value => '5432', target => [] }
postgresql_conf { 'a': key => 'port', value => '5432', comment => '' }
postgresql_conf { 'a': key => 'port', ensure => 'set' }
postgresql_conn_validator { 'db': host => 'localhost', port => 5432, db_name => 'shop', db_username => 'shop', db_password => 'x', tries => 3, sleep => 1 }
postgresql_conn_validator { 'db': port => 'postgres' }
postgresql_conn_validator { 'db': port => '0x1538' }
postgresql_conn_validator { 'db': port => '5432 ' }
postgresql_conn_validator { 'db': tries => 'many' }
postgresql_conn_validator { 'db': tries => '08' }
postgresql_conn_validator { 'db': tries => 1.5 }
postgresql_conn_validator { 'db': sleep => true }
postgresql_conn_validator { 'db': sleep => '' }
postgresql_conn_validator { 'db': ensure => connected }
postgresql_conn_validator { 'db': ensure => absent }
postgresql_conn_validator { 'db': connect_settings => { 'PGPORT' => '5433' }, run_as => 5, command => ['SELECT 1'] }
postgresql_psql { 'create': command => 'CREATE ROLE shop', unless => "SELECT 1 FROM pg_roles WHERE rolname = 'shop'", db => 'postgres', psql_user => 'postgres' }
postgresql_psql { 'SELECT 1': }
postgresql_psql { 'a': command => 5 }
postgresql_psql { 'a': command => ['SELECT 1', 'SELECT 2'] }
postgresql_psql { 'a': command => 'SELECT 1', refreshonly => 'maybe' }
postgresql_psql { 'a': command => 'SELECT 1', refreshonly => true, sensitive => 'yes' }
postgresql_psql { 'a': command => 'SELECT 1', sensitive => true }
postgresql_psql { 'a': command => 'SELECT 1', cwd => 'tmp' }
postgresql_psql { 'a': command => 'SELECT 1', port => 'five', instance => 5 }
postgresql_psql { 'a': command => 'SELECT 1', environment => 'A' }
postgresql_psql { 'a': command => 'SELECT 1', environment => ['A=1', 'B=2'], search_path => ['a', 'b'] }
postgresql_psql { 'a': command => 'SELECT 1', connect_settings => 'PGHOST=a' }
postgresql_psql { 'a': command => 'SELECT 1', onlyif => [] }
postgresql_replication_slot { 'standby_1': ensure => present }
postgresql_replication_slot { 'standby': ensure => absent }
postgresql_replication_slot { 'Standby': }
postgresql_replication_slot { 'standby one': }
postgresql_replication_slot { 'standby-1': }
postgresql_replication_slot { 'a': name => 'standby.1' }
postgresql_replication_slot { 'a': name => 'standby_2' }
postgresql_replication_slot { 'a': name => 5 }
postgresql_replication_slot { 'a': name => ['a', 'b c'] }
postgresql_replication_slot { 'a': ensure => active }
postgresql_replication_slot { 'a': ensure => 1 }
postgresql_replication_slot { 'a': provider => 'psql' }
puppet_agent_end_run { '8.10.0': end_run => true }
puppet_agent_end_run { '8.10.0': }
puppet_agent_end_run { '8.10.0': end_run => 'no' }
puppet_agent_end_run { '8.10.0': end_run => 'never' }
puppet_agent_end_run { '8.10.0': end_run => 1 }
puppet_agent_end_run { '8.10.0': end_run => [] }
puppet_agent_end_run { '8.10.0': end_run => [true, 'x'] }
puppet_agent_end_run { '8.10.0': end_run => 'TRUE' }
puppet_agent_end_run { 'latest': end_run => default }
puppet_agent_end_run { 'a': name => 5 }
puppet_agent_end_run { '8.10.0': provider => 'gem' }
reboot { 'after': when => refreshed, apply => finished, message => 'new kernel', timeout => 120 }
reboot { 'after': when => 'now' }
reboot { 'after': when => true }
reboot { 'after': apply => 'later' }
reboot { 'after': apply => immediately, onlyif => '/bin/true', unless => ['/bin/false'] }
reboot { 'after': message => '' }
reboot { 'after': message => 5 }
reboot { 'after': message => ['a', 'b'] }
reboot { 'after': timeout => 'soon' }
reboot { 'after': timeout => -5 }
reboot { 'after': timeout => '60' }
reboot { 'after': timeout => 1.5 }
reboot { 'after': provider => 'windows' }
reboot { 'after': provider => 'windows', when => pending }
reboot_notify { 'kernel': reason => 'updated' }
reboot_notify { 'kernel': control_only => true, log_level => 'warning' }
reboot_notify { 'kernel': control_only => 'maybe' }
reboot_notify { 'kernel': control_only => 0 }
reboot_notify { 'kernel': control_only => 'TRUE' }
reboot_notify { 'kernel': log_level => 'loud' }
reboot_notify { 'kernel': log_level => ['info', 'debug'] }
reboot_notify { 'kernel': log_level => 3 }
reboot_notify { 'kernel': ensure => absent }
reboot_notify { 'kernel': ensure => 'requested' }
reboot_notify { 'kernel': reason => ['a', 'b'] }
reboot_notify { 'kernel': reason => 5 }
rvm_gem { 'ruby-3.2.2/bundler': ensure => '2.4.0' }
rvm_gem { 'bundler': }
rvm_gem { 'bundler': ruby_version => 'ruby-3.2.2@site', ensure => latest }
rvm_gem { 'ruby-3.2.2@site/bundler': ensure => installed, source => 'https://rubygems.org' }
rvm_gem { 'ruby-3.2.2/bundler': ensure => '' }
rvm_gem { 'ruby-3.2.2/bundler': ensure => ['2.4.0', '2.3.0'] }
rvm_gem { 'ruby-3.2.2/bundler': ensure => absent }
rvm_gem { 'ruby-3.2.2/bundler': withopts => ['--a'], proxy_url => 5 }
rvm_gem { 'ruby-3.2.2/bundler': ruby_version => 5 }
rvm_gem { '/bundler': }
rvm_gem { 'a': name => 'bundler' }
rvm_gem { 'ruby-3.2.2/bundler': provider => 'rubygems' }
rvm_system_ruby { 'ruby-3.2.2': ensure => present, default_use => true, build_opts => ['--with-openssl'] }
rvm_system_ruby { 'ruby-3.2.2': default_use => 'maybe' }
rvm_system_ruby { 'ruby-3.2.2': default_use => [] }
rvm_system_ruby { 'ruby-3.2.2': autolib_mode => 'enable' }
rvm_system_ruby { 'ruby-3.2.2': autolib_mode => 3 }
rvm_system_ruby { 'ruby-3.2.2': autolib_mode => '3' }
rvm_system_ruby { 'ruby-3.2.2': autolib_mode => 5 }
rvm_system_ruby { 'ruby-3.2.2': autolib_mode => 'on' }
rvm_system_ruby { 'ruby-3.2.2': autolib_mode => ['read', 'fail'] }
rvm_system_ruby { 'ruby-3.2.2': autolib_mode => true }
rvm_system_ruby { 'ruby 3.2.2': proxy_url => 5, no_proxy => ['a'], mount_from => '/a.tgz' }
rvm_system_ruby { 'ruby-3.2.2': ensure => latest }
rvm_system_ruby { 'ruby-3.2.2': provider => 'rbenv' }
selboolean { 'httpd_can_network_connect': value => on, persistent => true }
selboolean { 'httpd_can_network_connect': value => true }
selboolean { 'httpd_can_network_connect': value => 'yes' }
selboolean { 'httpd_can_network_connect': value => 1 }
selboolean { 'httpd_can_network_connect': value => [] }
selboolean { 'httpd_can_network_connect': value => ['on', 'off'] }
selboolean { 'httpd_can_network_connect': value => 'ON' }
selboolean { 'httpd_can_network_connect': value => off, persistent => 'yes' }
selboolean { 'httpd_can_network_connect': value => off, persistent => 1 }
selboolean { 'httpd can': value => off, persistent => false }
selboolean { 'a': name => 'b' }
selboolean { 'a': value => off, provider => 'semanage' }
selinux_fcontext { '/srv/web(/.*)?_a': ensure => present, pathspec => '/srv/web(/.*)?', file_type => 'a', seltype => 'httpd_sys_content_t' }
selinux_fcontext { '/srv/web(/.*)?_f': pathspec => '/srv/web(/.*)?', file_type => 'f', seltype => '<<none>>' }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', file_type => 'all', seltype => 'httpd_sys_content_t' }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', file_type => 'regular file', seltype => 'var_t' }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', file_type => 5, seltype => 'var_t' }
selinux_fcontext { '/srv/web_a': pathspec => 'srv/web', seltype => 'var_t' }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', seltype => '' }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', seltype => '-' }
selinux_fcontext { '/srv/web_a': seltype => 'var_t' }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', seluser => '' }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', seltype => 'var_t', selrange => 's0', selrole => [] }
selinux_fcontext { '/srv/web_a': pathspec => '/srv/web', seltype => 'var_t', ensure => labeled }
selinux_fcontext_equivalence { '/srv/web': ensure => present, target => '/var/www' }
selinux_fcontext_equivalence { 'srv/web': target => '/var/www' }
selinux_fcontext_equivalence { '/srv/web': target => 'var/www' }
selinux_fcontext_equivalence { '/srv/web': }
selinux_fcontext_equivalence { '/srv/web': ensure => absent }
selinux_fcontext_equivalence { '/srv/web/': target => '/var/www/' }
selinux_fcontext_equivalence { '/srv/web': target => ['/var/www', '/opt'] }
selinux_fcontext_equivalence { '/srv/web': target => 5 }
selinux_fcontext_equivalence { 'a': path => '/srv/web', target => '/var/www' }
selinux_fcontext_equivalence { '/srv/web': target => '/var/www', ensure => equal }
selinux_fcontext_equivalence { '/srv/web': target => [], provider => 'file' }
selinux_login { 'alice_staff_u': ensure => present, selinux_login_name => 'alice', selinux_user => 'staff_u', selinux_mlsrange => 's0-s0:c0.c1023' }
selinux_login { 'alice': }
selinux_login { 'alice': selinux_login_name => 'alice' }
selinux_login { 'alice': selinux_user => 'staff_u' }
selinux_login { 'alice': selinux_login_name => 'alice', selinux_user => 5 }
selinux_login { 'alice': selinux_login_name => ['alice', 'bob'], selinux_user => 'staff_u' }
selinux_login { 'alice': selinux_login_name => 'alice', selinux_user => 'staff_u', source => 'remote' }
selinux_login { 'alice': selinux_login_name => 'alice', selinux_user => 'staff_u', source => 'local' }
selinux_login { 'alice': selinux_login_name => 'alice', selinux_user => 'staff_u', ensure => mapped }
selinux_login { 'alice': selinux_login_name => 'alice', ensure => absent }
selinux_login { 'alice': selinux_login_name => '%wheel', selinux_user => '' }
selinux_permissive { 'httpd_t': ensure => present }
selinux_permissive { 'httpd_t': ensure => absent, local => true }
selinux_permissive { 'httpd_t': ensure => enforcing }
selinux_permissive { 'httpd_t': local => 'maybe' }
selinux_permissive { 'httpd_t': local => false }
selinux_permissive { 'httpd_t': local => 1 }
selinux_permissive { 'a': seltype => 'httpd_t' }
selinux_permissive { 'a': seltype => 5 }
selinux_permissive { 'httpd t': }
selinux_permissive { 'httpd_t': ensure => [] }
selinux_permissive { 'httpd_t': provider => 'file' }
selinux_port { 'tcp_8080-8089': ensure => present, seltype => 'http_port_t', protocol => 'tcp', low_port => 8080, high_port => 8089 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => 'tcp', low_port => 8089, high_port => 8080 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => 'sctp', low_port => 8080, high_port => 8080 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => 'tcp', low_port => 0, high_port => 8080 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => 'tcp', low_port => '8080', high_port => 65536 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => 'tcp', low_port => 'http', high_port => 8080 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => 'tcp', low_port => true, high_port => 8080 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', low_port => 8080, high_port => 8080 }
selinux_port { 'tcp_8080': protocol => 'tcp', low_port => 8080, high_port => 8080 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => ['tcp', 'udp'], low_port => 8080, high_port => 8080 }
selinux_port { 'tcp_8080': ensure => absent }
selinux_port { 'tcp_8080': source => 'file', seltype => 'http_port_t', protocol => 'tcp', low_port => 1, high_port => 1 }
selinux_port { 'tcp_8080': seltype => 'http_port_t', protocol => 'tcp', low_port => '0x50', high_port => '80 ' }
selmodule { 'local': ensure => present, selmoduledir => '/usr/share/selinux', syncversion => true }
selmodule { 'local': selmodulepath => 'local.pp' }
selmodule { 'local': selmodulepath => '/etc/selinux/local.pp' }
selmodule { 'local': selmoduledir => 'selinux' }
selmodule { 'local': selmoduledir => '/usr/share/selinux', selmodulepath => '/etc/local.pp' }
selmodule { 'local': syncversion => 'yes' }
selmodule { 'local': syncversion => 1 }
selmodule { 'local': ensure => loaded }
selmodule { 'local': ensure => absent }
selmodule { 'local': selmodulepath => 5 }
selmodule { 'local': selmoduledir => ['/a', '/b'] }
selmodule { 'local': provider => 'semanage' }
shellvar { 'LANG': ensure => present, target => '/etc/default/locale', value => 'C.UTF-8', quoted => 'double' }
shellvar { 'LANG in /etc/default/locale': value => 'C.UTF-8' }
shellvar { 'LANG': target => '/etc/default/locale', quoted => 'never' }
shellvar { 'LANG': target => '/etc/default/locale', quoted => true, value => 'a b' }
shellvar { 'LANG': target => '/etc/default/locale', array_type => 'list' }
shellvar { 'LANG': target => '/etc/default/locale', array_type => 'array', value => ['a', 'b'], array_append => true }
shellvar { 'LANG': target => '/etc/default/locale', array_append => 'yes' }
shellvar { 'LANG': target => '/etc/default/locale', uncomment => 'maybe' }
shellvar { 'LANG': target => '/etc/default/locale', ensure => unset }
shellvar { 'LANG': target => '/etc/default/locale', ensure => 'set' }
shellvar { 'LANG': value => 'C' }
shellvar { 'LANG': target => 'locale', value => 'C' }
shellvar { 'my var': target => '/etc/default/locale', variable => 'LANG', value => { 'a' => 1 } }
shellvar { 'LANG': target => '/etc/default/locale', provider => 'file' }
ssh_config { 'ForwardAgent': ensure => present, value => 'no', host => '*.example.org' }
ssh_config { 'ForwardAgent': value => ['yes', 'no'] }
ssh_config { 'ForwardAgent': value => [] }
ssh_config { 'ForwardAgent': value => true }
ssh_config { 'ForwardAgent': value => 5, target => 'ssh_config' }
ssh_config { 'a b': key => 'ForwardAgent', value => 'yes' }
ssh_config { 'a': key => ['A', 'B'], value => 'yes' }
ssh_config { 'ForwardAgent': ensure => 'set', value => 'no' }
ssh_config { 'ForwardAgent': ensure => absent }
ssh_config { 'ForwardAgent': value => 'no', comment => ['a'] }
ssh_config { 'ForwardAgent': value => 'no', host => ['a', 'b'] }
ssh_config { 'ForwardAgent': value => 'no', provider => 'file' }
ssl_pkey { '/a': }
ssl_pkey { 'a': }
ssl_pkey { '/a': authentication => 'dsa' }
ssl_pkey { '/a': authentication => ec, curve => 'prime256v1', password => 'a', mode => '0640', owner => 'root', group => 'root' }
ssl_pkey { '/a': size => 'big' }
ssl_pkey { '/a': size => '1024 bits' }
ssl_pkey { '/a': size => -1 }
ssl_pkey { '/a': curve => ['a'] }
ssl_pkey { '/a': owner => 'a b' }
ssl_pkey { '/a': mode => 'u=rw' }
sshd_config { 'PermitRootLogin': ensure => present, value => 'no' }
sshd_config { 'AllowGroups': value => ['sshgroups', 'admins'], array_append => true }
sshd_config { 'AllowGroups': value => 'a', array_append => 'yes' }
sshd_config { 'X11Forwarding': value => 'yes', condition => 'Host example.net User root' }
sshd_config { 'X11Forwarding': value => 'yes', condition => { 'Host' => 'example.net' } }
sshd_config { 'X11Forwarding': value => 'yes', condition => 'Host example.net User' }
sshd_config { 'X11Forwarding': value => 'yes', condition => ['Host', 'a'] }
sshd_config { 'X11Forwarding': value => 'yes', condition => 5 }
sshd_config { 'X11Forwarding': value => true }
sshd_config { 'X11Forwarding': value => [], comment => 5 }
sshd_config { 'x': key => 'X11Forwarding', value => 'yes', ensure => 'enabled' }
sshd_config { 'x': key => 'X11Forwarding', value => 'yes', provider => 'file' }
sshd_config_match { 'Host example.net User root': ensure => present }
sshd_config_match { 'Host example.net in /etc/ssh/sshd_config': }
sshd_config_match { 'root': condition => 'User root', position => 'before first match' }
sshd_config_match { 'root': condition => { 'User' => 'root', 'Host' => 'a' } }
sshd_config_match { 'root': condition => 'User' }
sshd_config_match { 'root': condition => ['User', 'root'] }
sshd_config_match { 'root': condition => 'User root', position => 'first' }
sshd_config_match { 'root': condition => 'User root', position => 'after Host a', ensure => positioned }
sshd_config_match { 'root': condition => 'User root', position => true }
sshd_config_match { 'root': condition => 'User root', ensure => 'moved' }
sshd_config_match { 'root': condition => 'User root', comment => [] }
sshd_config_match { 'root': condition => 'User root', provider => 'file' }
sshd_config_subsystem { 'sftp': ensure => present, command => '/usr/lib/openssh/sftp-server' }
sshd_config_subsystem { 'sftp': command => ['internal-sftp', '-u'] }
sshd_config_subsystem { 'sftp': command => [] }
sshd_config_subsystem { 'sftp': command => 5 }
sshd_config_subsystem { 'sftp': command => true, comment => 'files' }
sshd_config_subsystem { 'sftp': }
sshd_config_subsystem { 'sftp': ensure => absent }
sshd_config_subsystem { 'sftp': ensure => enabled }
sshd_config_subsystem { 'sftp': ensure => [], command => 'internal-sftp' }
sshd_config_subsystem { 'my sftp': command => 'internal-sftp', target => 5 }
sshd_config_subsystem { 'sftp': command => 'internal-sftp', provider => 'file' }
swap_file { '/swapfile': ensure => present, size => '1 GB' }
swap_file { 'swapfile': ensure => present }
swap_file { 'a': file => '/swapfile' }
swap_file { '/swapfile': ensure => mounted }
swap_file { '/swapfile': type => 'partition' }
swap_file { '/swapfile': size => 5 }
swap_file { '/swapfile': size => [] }
swap_file { '/swapfile': used => 'all', priority => 'high' }
swap_file { '/swapfile': priority => -2 }
swap_file { '/swapfile': ensure => absent }
swap_file { '/swap file': size => { 'a' => 1 } }
swap_file { '/swapfile': provider => 'windows' }
sysctl { 'vm.swappiness': ensure => present, value => '10', comment => 'less swapping' }
sysctl { 'vm.swappiness': value => 10 }
sysctl { 'vm.swappiness': value => [] }
sysctl { 'vm.swappiness': value => ['10', '20'] }
sysctl { 'vm.swappiness': value => true, target => '/etc/sysctl.d/a.conf' }
sysctl { 'vm.swappiness': value => '10', apply => 'yes' }
sysctl { 'vm.swappiness': value => '10', apply => false, persist => 'maybe' }
sysctl { 'vm.swappiness': value => '10', apply => false, persist => false }
sysctl { 'vm.swappiness': value => '10', silent => 1 }
sysctl { 'vm.swappiness': value => '10', ensure => 'set' }
sysctl { 'vm.swappiness': ensure => absent }
sysctl { 'vm swappiness': value => { 'a' => 1 } }
sysctl { 'vm.swappiness': value => '10', provider => 'file' }
sysctl { 'vm.swappiness': val => '10' }
sysctl_runtime { 'vm.swappiness': val => '10' }
sysctl_runtime { 'vm.swappiness': val => 10 }
sysctl_runtime { 'vm.swappiness': }
sysctl_runtime { 'vm.swappiness': val => [] }
sysctl_runtime { 'vm.swappiness': val => ['1', '2'] }
sysctl_runtime { 'vm.swappiness': val => '' }
sysctl_runtime { 'vm.swappiness': val => true }
sysctl_runtime { 'vm.swappiness': val => { 'a' => 1 } }
sysctl_runtime { 'a': name => 'vm.swappiness', val => default }
sysctl_runtime { 'vm swappiness': val => '10' }
sysctl_runtime { 'vm.swappiness': val => '10', provider => 'augeas' }
sysctl_runtime { 'vm.swappiness': val => '10', loglevel => 'loud' }
tcp_conn_validator { 'web': host => 'localhost', port => 80, try_sleep => 1, timeout => 10 }
tcp_conn_validator { 'localhost:80': }
tcp_conn_validator { 'web': host => 'localhost', port => 'http' }
tcp_conn_validator { 'web': host => ['localhost', 'example.org'], port => 80 }
tcp_conn_validator { 'web': host => 'localhost', port => 80, timeout => 'long' }
tcp_conn_validator { 'web': host => 'localhost', port => 80, timeout => '30' }
tcp_conn_validator { 'web': host => 'localhost', port => 80, timeout => '0x1e' }
tcp_conn_validator { 'web': host => 'localhost', port => 80, try_sleep => '1.5' }
tcp_conn_validator { 'web': host => 'localhost', port => 80, try_sleep => 1.5 }
tcp_conn_validator { 'web': host => 'localhost', port => 80, try_sleep => true }
tcp_conn_validator { 'web': host => 'localhost', port => 80, ensure => absent }
tcp_conn_validator { 'web': host => 'localhost', port => 80, ensure => open }
vcsrepo { '/srv/app': ensure => present, provider => git, source => 'https://example.org/app.git', revision => 'main' }
vcsrepo { 'srv/app': ensure => present, provider => git }
vcsrepo { '/srv/app': ensure => latest, provider => git }
vcsrepo { '/srv/app': ensure => bare, provider => svn, source => 'svn://example.org/app' }
vcsrepo { '/srv/app': ensure => mirror, provider => git, source => { 'origin' => 'https://a', 'other' => 'https://b' } }
vcsrepo { '/srv/app': ensure => cloned, provider => git }
vcsrepo { '/srv/app': provider => 'fossil' }
vcsrepo { '/srv/app': provider => git, revision => 'my branch' }
vcsrepo { '/srv/app': provider => git, revision => 5 }
vcsrepo { '/srv/app': provider => git, revision => ['main', 'other'] }
vcsrepo { '/srv/app': provider => git, depth => 'all', branch => 5 }
vcsrepo { '/srv/app': provider => git, force => 'maybe' }
vcsrepo { '/srv/app': provider => git, submodules => 'yes' }
vcsrepo { '/srv/app': provider => git, safe_directory => 1 }
vcsrepo { '/srv/app': provider => git, umask => '0999' }
vcsrepo { '/srv/app': provider => git, umask => 22 }
vcsrepo { '/srv/app': provider => git, umask => '0027' }
vcsrepo { '/srv/app': provider => git, keep_local_changes => 'no' }
vcsrepo { '/srv/app': provider => git, source => 'https://a', http_proxy => { 'origin' => 'http://proxy' } }
vcsrepo { '/srv/app': provider => svn, source => 'svn://a', trust_server_cert => 'yes' }
vcsrepo { '/srv/app': provider => svn, source => 'svn://a', includes => ['/trunk'] }
vcsrepo { '/srv/app': provider => svn, source => 'svn://a', conflict => 'mine' }
vcsrepo { '/srv/app': provider => svn, source => 'svn://a', includes => ['trunk/a'], conflict => 'theirs-full' }
vcsrepo { '/srv/app': provider => git, skip_hooks => 'never' }
vcsrepo { '/srv/app': provider => cvs, source => ':pserver:a', compression => 7 }
vcsrepo { '/srv/app': provider => cvs, source => ':pserver:a', compression => '0x3' }
vcsrepo { '/srv/app': provider => cvs, source => ':pserver:a', compression => 'high' }
vcsrepo { '/srv/app': provider => bzr, source => 'lp:a', revision => '5' }
vcsrepo { '/srv/app': provider => p4, p4config => '.p4config', source => '//depot/a' }
volume_group { 'vg0': ensure => present, physical_volumes => ['/dev/sdb', '/dev/sdc'], extent_size => '8M' }
volume_group { 'vg/0': physical_volumes => '/dev/sdb' }
volume_group { 'vg0': physical_volumes => 'sdb' }
volume_group { 'vg0': physical_volumes => [] }
volume_group { 'vg0': physical_volumes => ['/dev/sdb', 5] }
volume_group { 'vg0': }
volume_group { 'vg0': physical_volumes => '/dev/sdb', followsymlinks => 'yes' }
volume_group { 'vg0': physical_volumes => '/dev/sdb', createonly => 1 }
volume_group { 'vg0': physical_volumes => '/dev/sdb', createonly => true, extent_size => 'big' }
volume_group { 'vg0': physical_volumes => '/dev/sdb', ensure => active }
volume_group { 'vg0': ensure => absent }
volume_group { 'vg0': physical_volumes => '/dev/sdb', provider => 'zfs' }
wait_for { 'curl -s localhost': exit_code => [0, 22], max_retries => 5, polling_frequency => 0.5, environment => ['A=1'] }
wait_for { 'a': }
wait_for { 'a': seconds => 1, regex => 'x' }
wait_for { 'a': regex => 'up', query => 'systemctl status a' }
wait_for { 'a': regex => 5 }
wait_for { 'a': regex => ['a', 'b'] }
wait_for { 'a': exit_code => 0, query => 5 }
wait_for { 'a': exit_code => 'none', timeout => '10' }
wait_for { 'a': seconds => 'x', environment => 'A' }
wait_for { 'a': seconds => 5, timeout => -1 }
wait_for { 'a': seconds => 5, max_retries => 0 }
wait_for { 'a': seconds => 5, max_retries => 'few' }
wait_for { 'a': seconds => 5, max_retries => '3' }
wait_for { 'a': seconds => 5, polling_frequency => 'fast' }
wait_for { 'a': seconds => 5, polling_frequency => '1e1' }
wait_for { 'a': seconds => 5, polling_frequency => -0.5 }
wait_for { 'a': seconds => 5, refreshonly => 'yes' }
x509_cert { '/a': }
x509_cert { '/a.crt': private_key => 'a.key' }
x509_cert { '/a.crt': template => 'a.cnf' }
x509_cert { '/a.crt': days => 'many' }
x509_cert { '/a.crt': days => 10, force => true, req_ext => 'yes', csr => 'a', ca => 'b', cakey => 'c', cakey_password => 'd', password => 'e' }
x509_cert { '/a.crt': force => 'maybe' }
x509_cert { '/a.crt': force => 'yes' }
x509_cert { '/a.crt': req_ext => 'maybe' }
x509_cert { 'a.crt': private_key => '/a.key' }
x509_cert { '/a.crt': group => 'a-b' }
x509_request { '/a.csr': }
x509_request { 'a.csr': }
x509_request { '/a.csr': private_key => 'a.key' }
x509_request { '/a.csr': template => 'a.cnf' }
x509_request { '/a.csr': force => 'maybe', encrypted => false }
x509_request { '/a.csr': encrypted => 'yes' }
x509_request { '/a.csr': owner => 1 }
x509_request { '/a.csr': mode => '0999' }
x509_request { '/a.csr': template => '/a.cnf', private_key => '/a.key', password => 'a', mode => '0600' }
x509_request { '/a.csr': group => 'a b' }
yumrepo { 'base': ensure => present, descr => 'Base', baseurl => 'https://example.org/base', enabled => true, gpgcheck => 1, gpgkey => 'file:///etc/pki/a' }
yumrepo { 'base': baseurl => 'example.org/base' }
yumrepo { 'base': baseurl => 'https://a/b ftp://c/d' }
yumrepo { 'base': baseurl => 'https://a/b gopher://c/d' }
yumrepo { 'base': baseurl => 'https://example.org/a|b' }
yumrepo { 'base': mirrorlist => 'absent' }
yumrepo { 'base': mirrorlist => 5 }
yumrepo { 'base': enabled => 'maybe' }
yumrepo { 'base': enabled => 'Yes' }
yumrepo { 'base': gpgcheck => 2 }
yumrepo { 'base': failovermethod => 'random' }
yumrepo { 'base': failovermethod => 'roundrobin' }
yumrepo { 'base': http_caching => 'some' }
yumrepo { 'base': timeout => 'long' }
yumrepo { 'base': metadata_expire => '6 hours' }
yumrepo { 'base': metadata_expire => '6h' }
yumrepo { 'base': priority => 0 }
yumrepo { 'base': priority => 'first' }
yumrepo { 'base': throttle => '10K', bandwidth => '1M' }
yumrepo { 'base': throttle => 'slow' }
yumrepo { 'base': bandwidth => 'fast' }
yumrepo { 'base': minrate => -5 }
yumrepo { 'base': cost => 1.5 }
yumrepo { 'base': proxy => 'proxy:3128' }
yumrepo { 'base': proxy => 'http://proxy:3128', proxy_username => 'a', proxy_password => 'b' }
yumrepo { 'base': sslverify => 'no', deltarpm_percentage => 'x' }
yumrepo { 'base': include => 'a b' }
yumrepo { 'base': target => 'base.repo' }
yumrepo { 'base': retries => [], exclude => ['a', 'b'] }
yumrepo { 'base': ensure => installed }
zfs { 'tank/data': ensure => present, mountpoint => '/srv', quota => '10G', compression => 'lz4', recordsize => '1M' }
zfs { 'tank/data': ensure => mounted }
zfs { 'tank/data': ensure => true }
zfs { 'my tank': atime => 'on' }
zfs { 'tank/data': quota => 5, copies => [] }
zfs { 'tank/data': compression => ['on', 'lz4'] }
zfs { 'tank/data': mountpoint => 'srv' }
zfs { 'tank/data': volsize => { 'a' => 1 } }
zfs { 'tank/data': readonly => true, xattr => 'sa' }
zfs { 'tank/data': acltype => 'none', dedup => 'sometimes' }
zfs { 'a': name => 'tank/data', ensure => absent }
zfs { 'tank/data': provider => 'lvm' }
zpool { 'tank': ensure => present, mirror => ['/dev/sdb /dev/sdc', '/dev/sdd /dev/sde'], spare => '/dev/sdf', autoexpand => 'on' }
zpool { 'tank': disk => '/dev/sdb', mirror => '/dev/sdc /dev/sdd' }
zpool { 'tank': disk => '/dev/sdb', raidz => '/dev/sdc /dev/sdd' }
zpool { 'tank': mirror => '/dev/sdb,/dev/sdc' }
zpool { 'tank': raidz => ['/dev/sdb,/dev/sdc'] }
zpool { 'tank': raidz => '/dev/sdb /dev/sdc /dev/sdd', raid_parity => 'raidz2' }
zpool { 'tank': disk => [], mirror => [] }
zpool { 'tank': disk => ['/dev/sdb', 5], log => '/dev/sdg', cache => ['/dev/sdh'] }
zpool { 'tank': ensure => online, disk => '/dev/sdb' }
zpool { 'tank': ensure => absent }
zpool { 'a': pool => 'tank', failmode => 5 }
zpool { 'tank': provider => 'lvm', disk => '/dev/sdb' }
zpool { 'tank': mirror => { 'a' => 1 } }
file_line { 'a': path => true, line => 'b' }
ini_setting { 'a': path => '/a', setting => 'b', show_diff => 'yes' }
ini_setting { 'a': path => { 'a' => 1 }, setting => 'b' }
ini_subsetting { 'a': path => '/a', setting => 'b', subsetting => 'c', show_diff => 'no' }
mailalias { 'a': recipient => 'b', file => false }
schedule { 'a': range => true }
schedule { 'a': range => { 'a' => 1 } }
schedule { 'a': repeat => true }
ssh_authorized_key { 'a': type => 'ssh-rsa', key => 'AAAA', user => 'root', options => true }
tidy { '/tmp': age => true }
tidy { '/tmp': age => ['a', '/b'] }
package { 'a': name => true }
package { 'a': name => default }
user { 'a': purge_ssh_keys => 5 }
user { 'a': purge_ssh_keys => { 'a' => 1 } }
user { 'a': purge_ssh_keys => [5] }
file { '/a': checksum_value => true }
file { '/a': path => true }
host { 'a': ip => '1.2.3.4', name => 5 }
host { 'a': ip => '1.2.3.4', host_aliases => 5 }
host { 'a': ip => '1.2.3.4', name => 'é' }
group { 'a': gid => 'absent' }
group { 'a': gid => default }
group { 'a': gid => '-5' }
resources { 'user': unless_uid => true }
concat_file { '/a': mode => 5 }
concat_file { '/a': path => true }
mount { '/mnt': device => '/dev/sdb1', fstype => 5 }
exec { '/bin/true': provider => [] }
package { 'a': provider => [] }
package { 'vim': provider => true }
package { 'vim': provider => 5 }
package { 'vim': provider => [] }
package { 'vim': provider => ['nosuch', 'apt'] }
package { 'vim': provider => { 'a' => 1 } }
package { 'vim': provider => [['apt']] }
package { 'vim': provider => '' }
exec { '/bin/true': path => { 'a' => 1 } }
exec { '/bin/true': timeout => [] }
mysql_grant { 'a@localhost/b.*': user => 'a@localhost', table => 'b.*', privileges => { 'a' => 1 } }
mysql_user { 'a@localhost': tls_options => { 'a' => 1 } }
puppetdb_conn_validator { 'a': }
puppetdb_conn_validator { 'a': puppetdb_server => 'db', puppetdb_port => '8081', test_url => '/' }
puppetdb_conn_validator { 'a': puppetdb_server => ['db'], puppetdb_port => 8081 }
puppetdb_conn_validator { 'a': timeout => 'soon' }
puppetdb_conn_validator { 'a': timeout => '0x1e' }
puppetdb_conn_validator { 'a': timeout => 1.5 }
puppetdb_conn_validator { 'a': timeout => true }
puppetdb_conn_validator { 'a': timeout => [] }
puppetdb_conn_validator { 'a': use_ssl => 'maybe' }
puppetdb_conn_validator { 'a': ensure => absent }
puppetdb_conn_validator { 'a': ensure => open }
puppetdb_conn_validator { 'a': provider => puppet_https }
puppetdb_conn_validator { 'a': provider => http }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit' }
java_ks { 'A:/b.ks': ensure => latest, certificate => '/a.pem', password_file => '/c' }
java_ks { 'a': target => '/b.ks', certificate_content => 'x', password => Sensitive('changeit'), storetype => jks }
java_ks { 'a:c:/b.ks': ensure => absent, password => 'changeit', certificate => '/a', certificate_content => 'b' }
java_ks { 'a:/b.ks': }
java_ks { 'a:/b.ks': ensure => absent }
java_ks { 'a:/b.ks': ensure => installed, certificate => '/a.pem', password => 'changeit' }
java_ks { 'a:/b.ks': certificate => '/a.pem' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'short' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 123456 }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => true }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => ['changeit', 'short'] }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => { 'a' => 1 } }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', password_file => '/c' }
java_ks { 'a:/b.ks': certificate => '/a.pem', certificate_content => 'x', password => 'changeit' }
java_ks { 'a:/b.ks': certificate => '/a.pem', private_key => '/a', private_key_content => 'x', password => 'changeit' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', storetype => pkcs12 }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', storetype => pkcs12, source_password => 'a' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', storetype => 'bks' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', private_key_type => ed25519 }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', private_key_type => ec, trustcacerts => yes }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', trustcacerts => 'maybe' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', password_fail_reset => 5 }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', destkeypass => 'short' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', destkeypass => 5 }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', destkeypass => ['a'] }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', path => ['/bin', '/usr/bin:/opt/java/bin'] }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', path => 5 }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', keytool_timeout => 'soon' }
java_ks { 'a:/b.ks': name => 5, certificate => '/a.pem', password => 'changeit' }
java_ks { 'a:/b.ks': certificate => '/a.pem', password => 'changeit', provider => openssl }
mysql_login_path { 'local': ensure => present, host => 'db', user => 'root', password => Sensitive('secret'), port => 3306 }
mysql_login_path { 'local-web': ensure => absent }
mysql_login_path { 'local': owner => 'web', socket => '/run/mysql.sock' }
mysql_login_path { 'local': }
mysql_login_path { 'local': ensure => latest }
mysql_login_path { 'local': ensure => [] }
mysql_login_path { 'local': ensure => true }
mysql_login_path { 'local': ensure => present, password => 'secret' }
mysql_login_path { 'local': ensure => present, password => Sensitive('') }
mysql_login_path { 'local': ensure => present, password => Sensitive(5) }
mysql_login_path { 'local': ensure => present, port => '3306' }
mysql_login_path { 'local': ensure => present, port => 65536 }
mysql_login_path { 'local': ensure => present, port => -1 }
mysql_login_path { 'local': ensure => present, host => 5 }
mysql_login_path { 'local': ensure => present, host => ['a', 'b'] }
mysql_login_path { 'local': ensure => present, user => [] }
mysql_login_path { 'local': ensure => present, socket => true }
mysql_login_path { 'local': ensure => present, owner => 5 }
mysql_login_path { 'local': ensure => present, owner => ['root'] }
mysql_login_path { 'local': name => 5, ensure => present }
mysql_login_path { 'local': ensure => present, host => '' }
package_use { 'app-misc/a': use => ['b', '-c', ''], version => '>=1.2_p3-r4', slot => '0/1', target => 'd' }
package_use { 'app-misc/a': }
package_use { 'a': }
package_use { '>=app-misc/a-1': }
package_use { 'app-misc/a:0': }
package_use { 'app-misc/a': ensure => latest }
package_use { 'app-misc/a': use => 'b c' }
package_use { 'app-misc/a': use => 5 }
package_use { 'app-misc/a': use => [] }
package_use { 'app-misc/a': use => { 'b' => 1 } }
package_use { 'app-misc/a': use => true }
package_use { 'app-misc/a': version => 'new' }
package_use { 'app-misc/a': version => 1.2 }
package_use { 'app-misc/a': version => 5 }
package_use { 'app-misc/a': version => ['1', '2'] }
package_use { 'app-misc/a': slot => 'a b' }
package_use { 'app-misc/a': slot => 0 }
package_use { 'app-misc/a': target => 5 }
package_use { 'app-misc/a': target => '' }
package_use { 'app-misc/a': provider => lines }
package_env { 'dev-libs/boost': env => ['a', 'b c'] }
package_env { 'dev-libs/boost': env => 5 }
package_env { 'boost': env => 'a' }
package_env { 'dev-libs/boost': ensure => installed }
package_env { 'dev-libs/boost': version => '=1.2*' }
package_env { 'dev-libs/boost': version => '>=1.2*' }
package_env { 'dev-libs/boost': slot => '' }
package_env { 'dev-libs/boost': slot => '0' }
package_env { 'dev-libs/boost': target => 'boost' }
package_env { 'dev-libs/boost': target => ['a', 'b'] }
package_mask { 'app-admin/chef': }
package_mask { 'app-admin/chef': version => '~1.2' }
package_mask { 'app-admin/chef-1.2': version => '1.2' }
package_mask { 'app-admin/chef*': }
package_mask { '*/*': }
package_mask { 'app-admin/chef': version => '' }
package_mask { 'app-admin/chef': version => '1.2.' }
package_mask { 'app-admin/chef': slot => '0=' }
package_mask { 'app-admin/chef': slot => '*' }
package_mask { 'app-admin/chef': ensure => true }
package_unmask { 'app-admin/chef': }
package_unmask { 'app-admin/chef': ensure => absent }
package_unmask { 'app-admin/': }
package_unmask { '/chef': }
package_unmask { 'app admin/chef': }
package_unmask { 'app-admin/chef': version => '<=cvs.1.2a_alpha' }
package_unmask { 'app-admin/chef': version => '==1' }
package_unmask { 'app-admin/chef': version => true }
package_unmask { 'app-admin/chef': slot => '0:1' }
package_unmask { 'app-admin/chef': slot => [] }
package_keywords { 'app-misc/a': keywords => ['~x86', '-hppa', '**'] }
package_keywords { 'app-misc/a': keywords => '~x86 amd64' }
package_keywords { 'app-misc/a': keywords => ["a\tb"] }
package_keywords { 'app-misc/a': keywords => '' }
package_keywords { 'app-misc/a': keywords => 1 }
package_keywords { 'app-misc/a': keywords => [['a', 'b']] }
package_keywords { 'a/b/c': keywords => 'a' }
package_keywords { 'a_b/c+d': keywords => 'a' }
package_keywords { 'app-misc/a': version => '1', slot => '2', target => '/a' }
package_keywords { 'app-misc/a': version => 'v1' }
package_accept_keywords { 'app-misc/a': accept_keywords => ['~x86', '**'] }
package_accept_keywords { 'app-misc/a': accept_keywords => 'a b' }
package_accept_keywords { 'app-misc/a': accept_keywords => [' '] }
package_accept_keywords { 'app-misc/a': accept_keywords => false }
package_accept_keywords { 'app-misc/a': accept_keywords => absent }
package_accept_keywords { 'app.misc/a': accept_keywords => 'a' }
package_accept_keywords { 'app-misc/a.b': accept_keywords => 'a' }
package_accept_keywords { '-app/a': accept_keywords => 'a' }
package_accept_keywords { 'app-misc/a': version => '>1-r1' }
package_accept_keywords { 'app-misc/a': version => '1-r' }
