# Installs the package.
class things::install {
  package { $things::package:
    ensure => installed,
    tag    => ['first', 'second'],
  }
}
