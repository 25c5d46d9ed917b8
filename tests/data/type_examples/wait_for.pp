wait_for { 'the application answers':
  query             => 'curl -fsS http://localhost:8080/health',
  regex             => 'ready',
  polling_frequency => 2,
  max_retries       => 30,
}
