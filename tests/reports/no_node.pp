node 'web1.example.com' { }
node 'web02.example.com' { }
