loginctl_user { 'anna':
  linger => enabled,
}
