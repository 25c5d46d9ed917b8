# Back up directories every night.
#
# @param repository where restic keeps its data
# @param hour when the backup starts
# @param directories what is backed up
class backup (
  String[1] $repository,
  Backup::Hour $hour,
  Array[String[1]] $directories = ['/etc'],
) {
  package { 'restic':
    ensure => installed,
  }

  $directories.each |$directory| {
    backup::job { $directory:
      repository => $repository,
      hour       => $hour,
    }
  }
}
