File { owner => 'root', mode => '0644' }
Exec { path => ['/bin', '/usr/bin'], logoutput => 'on_failure' }
class one {
  File { owner => 'one' }
  file { '/one': }
  file { '/one/mode': mode => '0600' }
  include two
  three { 'in one': }
}
class two { file { '/two': } exec { 'true': } }
define three { file { "/three/${name}": } File { group => 'three' } }
include one
file {
  default: ensure => file, content => 'default';
  '/x': ;
  '/y': content => 'y', owner => undef;
  ['/z1', '/z2']: * => { 'mode' => '0600', 'backup' => false };
}
