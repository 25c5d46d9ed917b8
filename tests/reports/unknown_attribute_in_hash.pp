$given = { 'onwer' => 'root' }
file {
  '/etc/a':
    owner => 'root';
  '/etc/b':
    * => $given;
}
file { '/etc/c': onwer => 'root' }
