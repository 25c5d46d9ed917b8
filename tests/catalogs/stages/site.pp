stage { 'pre': before => Stage['main'] }
stage { 'post': }
Stage['main'] -> Stage['post']
class early { notify { 'early': } include helper }
class helper { notify { 'helper': } }
class late ($word = 'late') { notify { $word: } }
class usual { notify { 'usual': } }
class { 'early': stage => 'pre' }
class { 'late': stage => post, word => 'later' }
include usual
# A parameter with the name of a metaparameter counts as one, also where its value is the default.
class late1($x = 1, $stage = 'late', $y = 2) { notify { 'late1': } include late2 }
class late2($x = 1, $stage = 'late') { notify { 'late2': } }
class late3 inherits late1 { }
class late4($stage = undef) { }
class tagged1($tag = ['one', 'two']) { notify { 'tagged1': } }
define tagged2($tag = 'three') { notify { "tagged2 ${title}": } }
stage { 'late': require => Stage['main'] }
include late1, late4, tagged1, late3
tagged2 { 'by default': }
tagged2 { 'as given': tag => 'four' }
