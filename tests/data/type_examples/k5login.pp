k5login { '/root/.k5login':
  principals => ['anna/admin@EXAMPLE.COM', 'berta/admin@EXAMPLE.COM'],
  mode       => '600',
}
