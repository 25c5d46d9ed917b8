docker_stack { 'shop':
  ensure        => present,
  compose_files => ['/srv/shop/docker-compose.yml'],
}
