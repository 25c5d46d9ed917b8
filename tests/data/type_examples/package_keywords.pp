package_keywords { 'app-misc/screen':
  keywords => ['~amd64'],
}
