tag 'top', 'Two Words' =~ /x/ ? { true => 'x', default => 'site' }
class outer::inner { notify { 'inner': tag => ['mine', 'other::thing'] } if tagged('site') { notify { 'saw site': } } }
define outer::thing { notify { "thing ${name}": } tag 'late' }
class outer { tag 'outer_tag' include outer::inner outer::thing { 'T': tag => 'given' } }
node 'testnode.example.com' { include outer notify { 'in node': } }
Notify <| tag == 'mine' |> { loglevel => 'info' }
Notify <| tag == 'outer::thing' |> { loglevel => 'warning' }
