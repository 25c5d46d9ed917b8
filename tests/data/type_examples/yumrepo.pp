yumrepo { 'tools':
  descr    => 'Tools for all hosts',
  baseurl  => 'https://packages.example.com/el/$releasever/$basearch/',
  enabled  => '1',
  gpgcheck => '1',
  gpgkey   => 'file:///etc/pki/rpm-gpg/RPM-GPG-KEY-tools',
}

yumrepo { 'old-tools':
  ensure => absent,
}
