class Web {
  $Port = 80
  $1 = 'x'
  file { '/a': mode => 0644, mode => '0600' }
}
$x += 1
