package_unmask { 'app-misc/screen':
  version => '=5.0.1',
}
