node base {
  include ssh
}

node 'old01.example.com' inherits base {
  users::account { 'alice': uid => 1001 }
}
