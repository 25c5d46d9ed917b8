# += made a new variable
# rules: append at 7, append at 8, append at 9
$packages = ['vim']
$path = '/opt'
$options = { 'a' => 'x' }
class tools {
  $packages += ['git']
  $path += '/bin'
  $options += { 'b' => 'y' }
  notify { $packages: message => "${path} ${options['a']}${options['b']}" }
}
include tools
