# The last of two equal keys won
# rules: duplicate-keys at 4
$ports = {
  'http'  => '80',
  'https' => '443',
  'http'  => '8080',
}
notify { "port ${ports['http']} ${ports['https']}": }
