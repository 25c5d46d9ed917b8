vcsrepo { '/srv/application':
  ensure   => latest,
  provider => git,
  source   => 'https://git.example.com/application.git',
  revision => 'main',
  user     => 'www-data',
}
