archive { '/tmp/application.tar.gz':
  source        => 'https://downloads.example.com/application-1.4.tar.gz',
  checksum      => '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  checksum_type => 'sha256',
  extract       => true,
  extract_path  => '/opt',
  creates       => '/opt/application-1.4',
}
