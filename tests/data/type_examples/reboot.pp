package { 'linux-image-amd64':
  ensure => latest,
}
~> reboot { 'new kernel':
  apply   => finished,
  message => 'A new kernel is installed.',
  timeout => 300,
}
