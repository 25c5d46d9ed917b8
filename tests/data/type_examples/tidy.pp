tidy { '/var/cache/exports':
  age     => '2w',
  recurse => true,
}
