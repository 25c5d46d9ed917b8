# The empty string was false
# rules: truth-of-empty-string at 5, truth-of-empty-string at 8
$name_of_proxy = ''
$title_text = 'set'
if $name_of_proxy {
  notify { 'proxy': message => 'there is a proxy' }
}
unless $name_of_proxy { notify { 'direct': } }
if $title_text { notify { 'titled': } }
