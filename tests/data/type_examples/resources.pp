resources { 'host':
  purge => true,
}
