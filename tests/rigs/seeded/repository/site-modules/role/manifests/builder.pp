# A node with the job "builder".
class role::builder {
  include profile::base
  include profile::builder
}
