# Node names matched by segment
# node: web.example.com
# rules: node-names-by-segment at 4
node 'web' {
  notify { 'web': }
}
node default { notify { 'other': } }
