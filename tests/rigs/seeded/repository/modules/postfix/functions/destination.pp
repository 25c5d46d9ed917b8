# Return where mail is sent to, as Postfix writes it.
#
# @param host
#   The name of the host.
#
# @param port
#   Where it listens.
#
# @return
#   The host in brackets, with the port.
function postfix::destination(String[1] $host, Integer[1, 65535] $port) >> String[1] {
  "[${host}]:${port}"
}
