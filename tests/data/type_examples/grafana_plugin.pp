grafana_plugin { 'grafana-clock-panel':
  ensure => '2.1.3',
}
