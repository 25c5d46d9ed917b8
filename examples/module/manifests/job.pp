# One backup job.
define backup::job (
  String[1] $repository,
  Backup::Hour $hour,
) {
  $id = backup::slug($title)

  file { "/etc/cron.d/backup-${id}":
    ensure  => file,
    content => epp('backup/cron.epp', {
      'directory'  => $title,
      'repository' => $repository,
      'hour'       => $hour,
    }),
    require => Package['restic'],
  }
}
