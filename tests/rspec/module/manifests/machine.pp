# Shows the name of the server.
class things::machine {
  notify { 'server': message => $server_facts['servername'] }
}
