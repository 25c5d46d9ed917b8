node 'web01.example.com' {
  include role::webserver
}
