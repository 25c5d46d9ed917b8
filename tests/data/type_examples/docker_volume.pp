docker_volume { 'data':
  ensure  => present,
  driver  => 'local',
  options => ['type=tmpfs', 'device=tmpfs'],
}
