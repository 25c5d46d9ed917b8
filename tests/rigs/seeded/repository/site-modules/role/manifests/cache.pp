# A node with the job "cache".
class role::cache {
  include profile::base
  include profile::cache
}
