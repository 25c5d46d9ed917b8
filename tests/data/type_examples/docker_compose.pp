docker_compose { 'shop':
  ensure        => present,
  compose_files => ['/srv/shop/docker-compose.yml'],
  scale         => { 'web' => 2 },
}
