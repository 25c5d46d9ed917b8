# A server that the load balancer sends requests to.
#
# @param datacentre
#   The datacentre of the server; its load balancer collects the resource.
#
# @param address
#   The address of the server.
#
# @param port
#   Where the server listens.
define haproxy::backend (
  String[1] $datacentre,
  String[1] $address,
  Integer[1, 65535] $port,
) {
  file { "/etc/haproxy/conf.d/${title}.cfg":
    ensure  => file,
    mode    => '0644',
    content => "# ${datacentre}\nbackend www\n  server ${title} ${address}:${port} check\n",
    notify  => Service['haproxy'],
  }
}
