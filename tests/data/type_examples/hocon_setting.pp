hocon_setting { 'jruby-puppet.max-active-instances':
  ensure => present,
  path   => '/etc/puppetlabs/puppetserver/conf.d/puppetserver.conf',
  value  => 4,
}
