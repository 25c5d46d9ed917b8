# A directory that is copied each night.
#
# @param path
#   The directory.
#
# @param hour
#   When the copy begins.
#
# @param ensure
#   Whether the job exists.
define backup::job (
  Pattern[/\A\//] $path,
  Integer[0, 23] $hour = 2,
  Enum['present', 'absent'] $ensure = 'present',
) {
  cron { "backup ${title}":
    ensure  => $ensure,
    command => "restic backup ${path}",
    user    => 'root',
    hour    => $hour,
    minute  => 0,
    require => File['/etc/backup.conf'],
  }
}
