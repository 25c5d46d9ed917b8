# '' and undef were equal
# rules: empty-string-is-undef at 4, empty-string-is-undef at 8
$owner = undef
if $owner == '' {
  notify { 'nobody': }
}
case $owner {
  '':      { notify { 'empty': } }
  default: { notify { 'full': } }
}
