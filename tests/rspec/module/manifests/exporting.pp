# Exports a resource that it does not collect.
class things::exporting {
  @@file { '/exported': content => 'x' }
  @file { '/virtual': content => 'y' }
  file { '/real': content => 'z' }
}
