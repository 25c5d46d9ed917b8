# Names were relative to the namespace
# rules: relative-names at 7, relative-names at 8, relative-names at 9, relative-names at 10
class app::service($port = 80) { notify { "service ${port}": } }
class service { notify { 'another': } }
define app::site() { notify { "site ${name}": } }
class app {
  include service
  site { 'one': }
  $port = $service::port
  notify { "at ${port}": require => Class['service'] }
}
include app
