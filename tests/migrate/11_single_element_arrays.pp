# An array of one became its element.
# rules: single-element-arrays at 6
$groups = ['wheel']
user { 'anna':
  ensure => present,
  groups => $groups,
  require => [Notify['first']],
}
notify { 'first': }
