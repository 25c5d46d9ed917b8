node /^web\d+\./ {
  include role::web
}

node /^app\d+\./ {
  include role::application
}

node /^db\d+\./ {
  include role::database
}

node /^lb\d+\./ {
  include role::loadbalancer
}

node /^mon\d+\./ {
  include role::monitoring
}

node /^log\d+\./ {
  include role::logs
}

node /^mail\d+\./ {
  include role::mail
}

node /^cache\d+\./ {
  include role::cache
}

node /^vpn\d+\./ {
  include role::vpn
}

node /^build\d+\./ {
  include role::builder
}
