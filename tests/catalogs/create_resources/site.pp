$files = { '/a' => { 'content' => 'A' }, '/b' => { 'content' => 'B', 'mode' => '0600' }, '/c' => {} }
create_resources(file, $files, { 'ensure' => 'file', 'mode' => '0644' })
define d ($value, Array $list = []) { notify { "${name}=${value}${list}": } }
create_resources('d', { 'one' => { 'value' => 1 }, 'two' => { 'value' => 'x', 'list' => [1, 2] } })
class k ($p, $q = 'q') { notify { "${p}${q}": } }
create_resources('class', { 'k' => { 'p' => 'P' } })
create_resources('@notify', { 'virtual' => { 'message' => 'v' }, 'unseen' => {} })
realize Notify['virtual']
$names = ['x', 'y', 'z']
$names.each |$i, $n| { notify { $n: message => "${i}", require => $i ? { 0 => undef, default => Notify[$names[$i - 1]] } } }
ensure_packages_like { 'p': }
define ensure_packages_like { unless defined(Package[$name]) { package { $name: } } }
package { 'p2': }
ensure_packages_like { 'p2': }
