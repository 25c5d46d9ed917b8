# A node's name could be the first part of it.
# node: web.example.com
# rules: node-names-by-segment at 4
node 'web' {
  notify { 'web': }
}
node default { notify { 'other': } }
