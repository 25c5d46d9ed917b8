puppetdb_conn_validator { 'puppetdb':
  puppetdb_server => 'puppetdb.example.com',
  puppetdb_port   => 8081,
  test_url        => '/pdb/meta/v1/version',
  timeout         => 60,
}
