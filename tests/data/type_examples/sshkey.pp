sshkey { 'db1.example.com':
  type         => 'ssh-ed25519',
  key          => 'AAAAC3NzaC1lZDI1NTE5AAAAIDs1Q2hbZ0m0nQm3Yk0m5m2bqk0mB9k8oQ1vJtq5sR4x',
  host_aliases => ['db1'],
}
