# Nodes could inherit from other nodes
# node: web.example.com
# rules: node-inheritance at 7
node base {
  notify { 'base': }
}
node 'web.example.com' inherits base {
  notify { 'web': }
}
