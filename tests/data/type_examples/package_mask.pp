package_mask { 'app-misc/screen':
  version => '>=5.0',
  target  => 'screen',
}
