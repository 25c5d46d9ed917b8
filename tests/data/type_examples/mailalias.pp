mailalias { 'root':
  recipient => ['ops@example.com'],
}
