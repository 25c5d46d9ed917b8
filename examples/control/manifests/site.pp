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
