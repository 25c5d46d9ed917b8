postgresql_replication_slot { 'standby1':
  ensure => present,
}
