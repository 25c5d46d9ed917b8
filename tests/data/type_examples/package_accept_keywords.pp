package_accept_keywords { 'app-misc/screen':
  accept_keywords => ['~amd64'],
  version         => '=4.9*',
}
