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
