firewalld_zone { 'inner':
  target         => 'DROP',
  sources        => ['10.0.0.0/8'],
  purge_services => true,
}
