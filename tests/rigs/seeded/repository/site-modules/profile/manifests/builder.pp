# A machine that builds and tests.
#
# @param executors
#   The number of builds at a time.
#
# @param token
#   The password for the server of the builds.
class profile::builder (
  Integer[1] $executors,
  Sensitive[String[1]] $token,
) {
  $limit = $executors ? {
    1       => 'low',
    default => 'high',
  }

  file { '/etc/builder.conf':
    ensure  => file,
    owner   => 'root',
    mode    => '0600',
    content => Sensitive("executors = ${executors}\nload = ${limit}\ntoken = ${token.unwrap}\n"),
  }

  exec { 'register builder':
    command => 'builder register',
    path    => ['/usr/local/bin', '/usr/bin'],
    creates => '/var/lib/builder/registered',
    require => File['/etc/builder.conf'],
  }
}
