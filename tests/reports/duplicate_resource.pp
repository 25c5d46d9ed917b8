package { 'curl': ensure => installed }

define tool {
  package { $name: ensure => installed }
}

tool { 'curl': }
