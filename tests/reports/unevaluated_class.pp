class app::params { $port = 80 }
class app { notice($app::params::port) }
include app
