import 'nodes.pp'

File { owner => 'root' }
