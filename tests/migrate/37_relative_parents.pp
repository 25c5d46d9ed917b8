# Names of parents and in function arguments were relative
# rules: relative-names at 3, relative-names at 6
class app::web inherits base {
  notify { "web ${root}": }
}
class app { create_resources('site', { 'one' => {} }) include app::web }
class app::base { $root = '/srv/app' }
class base { $root = '/srv' }
define app::site() { notify { "site ${title}": } }
include app
