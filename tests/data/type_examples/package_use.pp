package_use { 'app-editors/vim':
  use    => ['python', '-X'],
  target => 'editors',
}
