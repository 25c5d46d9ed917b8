mysql_database { 'shop':
  ensure  => present,
  charset => 'utf8mb4',
  collate => 'utf8mb4_unicode_ci',
}
