$facts_like = { 'family' => 'Debian', 'version' => '12.4', 'memory' => 2048 }
case $facts_like['family'] {
  'RedHat', 'Suse': { $package = 'httpd' }
  /^Deb/: { $package = 'apache2' notify { "matched ${0}": } }
  default: { fail('unknown') }
}
$major = $facts_like['version'] ? { /^(\d+)\./ => Integer($1), default => 0 }
package { $package: ensure => $major ? { Integer[12] => 'latest', default => 'present' } }
unless $major < 10 { notify { 'new enough': } } else { notify { 'old': } }
if 'db' in ['web', 'db'] and !('mail' in ['web']) { notify { 'in': } } elsif true { notify { 'never': } }
$size = if $facts_like['memory'] > 1024 { 'big' } else { 'small' }
notify { $size: message => { 'shifted' => 1 << 4, 'rest' => 7 % 3, 'negative' => -7 / 2, 'float' => 7 / 2.0 } }
$merged = { 'a' => 1 } + { 'b' => 2 } - 'a'
[$first, [$second, $third]] = [1, [2, 3]]
notify { "merged ${merged} ${first}${second}${third}": }
