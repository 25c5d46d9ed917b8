class t ($items = { 'a' => [1, 2], 'b' => [] }) {
  $local = 'local'
  file { '/inline': content => inline_epp("<% \$items.each |\$k, \$v| { -%>\n<%= \$k %>: <%= \$v.join(',') %>\n<% } -%>\n") }
  file { '/file': content => epp('t/page.epp', { 'title' => 'T', 'rows' => $items['a'] }) }
  file { '/plain': content => file('t/plain.txt') }
  file { '/source': source => 'puppet:///modules/t/plain.txt' }
  file { '/no arguments': content => epp('t/global.epp') }
}
$top = 'seen'
include t
