# A node with the job "logs".
class role::logs {
  include profile::base
  include profile::logs
}
