class web {
  package { 'nginx': }
  -> service { 'nginx': }
  ~> Exec['reload nginx']
}
include web
exec { 'reload-nginx': command => '/usr/sbin/nginx -s reload' }
