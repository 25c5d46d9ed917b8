$package = $facts['os']['family'] ? {
  'RedHat' => 'httpd',
  'Suse'   => 'apache2',
}
