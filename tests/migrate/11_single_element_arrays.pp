# An array with one element became the element
# rules: single-element-arrays at 6
$groups = ['wheel']
user { 'anna':
  ensure => present,
  groups => $groups,
  require => [Notify['first']],
}
notify { 'first': }
