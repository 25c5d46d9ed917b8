class profile::web (
  Integer $port = 80,
) {
  notify { "listening on ${prot}": }
}
include profile::web
