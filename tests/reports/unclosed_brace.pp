node default {
  if $facts['os']['family'] == 'Debian' {
    include apt
}
