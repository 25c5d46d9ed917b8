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
