# A server of the application.
class role::application {
  include profile::base
  include profile::application
}
