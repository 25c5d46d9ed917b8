logical_volume { 'www':
  ensure       => present,
  volume_group => 'data',
  size         => '20G',
}
