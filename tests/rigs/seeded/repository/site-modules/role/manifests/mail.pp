# A node with the job "mail".
class role::mail {
  include profile::base
  include profile::mail
}
