PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE environments (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO environments VALUES(1,'staging');
INSERT INTO environments VALUES(2,'production');
CREATE TABLE producers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO producers VALUES(1,'puppet.example.com');
CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,
    certname TEXT NOT NULL UNIQUE,
    deactivated INTEGER,
    expired INTEGER,
    latest_report_id INTEGER,
    catalog_inputs_timestamp INTEGER,
    catalog_inputs_uuid TEXT,
    expires_facts INTEGER,
    expires_facts_updated INTEGER
) STRICT;
INSERT INTO nodes VALUES(1,'web-00000.example.com',NULL,NULL,1,NULL,NULL,NULL,NULL);
INSERT INTO nodes VALUES(2,'database-00001.example.com',NULL,NULL,2,NULL,NULL,NULL,NULL);
CREATE TABLE catalogs (
    node_id INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
    hash TEXT NOT NULL,
    version TEXT NOT NULL,
    transaction_uuid TEXT,
    catalog_uuid TEXT,
    code_id TEXT,
    job_id TEXT,
    environment_id INTEGER REFERENCES environments,
    producer_id INTEGER REFERENCES producers,
    producer_timestamp INTEGER NOT NULL,
    timestamp INTEGER NOT NULL
) STRICT;
INSERT INTO catalogs VALUES(1,'b9c7620a1d09aa9d79003d07b7cb41903e8de1b9','1767225600','09910c4c-9741-5fa4-a131-543807d6a0e7','09910c4c-9741-5fa4-a131-543807d6a0e7',NULL,NULL,1,1,999999999003,999999999003);
INSERT INTO catalogs VALUES(2,'1ddb405a50c105c88cd6fa8eba24ef601cae8b11','1767225600','0d9ac43b-1f43-5449-8064-bdfc69f63163','0d9ac43b-1f43-5449-8064-bdfc69f63163',NULL,NULL,2,1,1000000000000,1000000000000);
CREATE TABLE resources (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    exported INTEGER NOT NULL,
    tags TEXT NOT NULL,
    file TEXT,
    line INTEGER,
    parameters TEXT NOT NULL
) STRICT;
INSERT INTO resources VALUES(1,X'28f244df7e86969b61e8aed8a31e6203e86e99e9','File','/srv/file-0000',0,'["class", "file", "role", "web"]','/etc/puppetlabs/code/modules/role/manifests/init.pp',2,'{"mode": "0644", "owner": "root", "ensure": "present", "content": "line 0 for web-00000.example.com\n", "require": "Class[Role::Web]"}');
INSERT INTO resources VALUES(2,X'2a3030efd45c74ca24996fdbb938be5070177c9e','Package','/srv/package-0001',0,'["class", "package", "role", "web"]','/etc/puppetlabs/code/modules/role/manifests/init.pp',3,'{"mode": "0644", "owner": "root", "ensure": "present", "content": "line 1 for web\n", "require": "Class[Role::Web]"}');
INSERT INTO resources VALUES(3,X'c33178f1a962fdf18c8ed3b2cc8cad1e3ce15883','Stage','main',0,'["stage"]',NULL,NULL,'{}');
INSERT INTO resources VALUES(4,X'd6e05f25c07d740a6b1370a1529c1f39ebc63e2f','Class','Role::Web',0,'["class", "role"]','/etc/puppetlabs/code/modules/role/manifests/init.pp',1,'{}');
INSERT INTO resources VALUES(5,X'843e657b6d4a07b8cd8a4a4e3d5a4ce2fc8a03f2','File','/srv/file-0000',0,'["class", "database", "file", "role"]','/etc/puppetlabs/code/modules/role/manifests/init.pp',2,'{"mode": "0644", "owner": "root", "ensure": "present", "content": "line 0 for database-00001.example.com\n", "require": "Class[Role::Database]"}');
INSERT INTO resources VALUES(6,X'9628b36d331ae57b657aeb067634c3556ce41ff6','Package','/srv/package-0001',0,'["class", "database", "package", "role"]','/etc/puppetlabs/code/modules/role/manifests/init.pp',3,'{"mode": "0644", "owner": "root", "ensure": "present", "content": "line 1 for database\n", "require": "Class[Role::Database]"}');
INSERT INTO resources VALUES(7,X'cf643adb24256c44ef5ad02a9a603b7b5803fbb4','Class','Role::Database',0,'["class", "role"]','/etc/puppetlabs/code/modules/role/manifests/init.pp',1,'{}');
CREATE TABLE resource_tags (
    tag TEXT NOT NULL,
    resource_id INTEGER NOT NULL REFERENCES resources ON DELETE CASCADE,
    PRIMARY KEY (tag, resource_id)
) STRICT, WITHOUT ROWID;
INSERT INTO resource_tags VALUES('class',1);
INSERT INTO resource_tags VALUES('file',1);
INSERT INTO resource_tags VALUES('role',1);
INSERT INTO resource_tags VALUES('web',1);
INSERT INTO resource_tags VALUES('class',2);
INSERT INTO resource_tags VALUES('package',2);
INSERT INTO resource_tags VALUES('role',2);
INSERT INTO resource_tags VALUES('web',2);
INSERT INTO resource_tags VALUES('stage',3);
INSERT INTO resource_tags VALUES('class',4);
INSERT INTO resource_tags VALUES('role',4);
INSERT INTO resource_tags VALUES('class',5);
INSERT INTO resource_tags VALUES('database',5);
INSERT INTO resource_tags VALUES('file',5);
INSERT INTO resource_tags VALUES('role',5);
INSERT INTO resource_tags VALUES('class',6);
INSERT INTO resource_tags VALUES('database',6);
INSERT INTO resource_tags VALUES('package',6);
INSERT INTO resource_tags VALUES('role',6);
INSERT INTO resource_tags VALUES('class',7);
INSERT INTO resource_tags VALUES('role',7);
CREATE TABLE catalog_resources (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    resource_id INTEGER NOT NULL REFERENCES resources,
    PRIMARY KEY (node_id, resource_id)
) STRICT, WITHOUT ROWID;
INSERT INTO catalog_resources VALUES(1,1);
INSERT INTO catalog_resources VALUES(1,2);
INSERT INTO catalog_resources VALUES(1,3);
INSERT INTO catalog_resources VALUES(2,3);
INSERT INTO catalog_resources VALUES(1,4);
INSERT INTO catalog_resources VALUES(2,5);
INSERT INTO catalog_resources VALUES(2,6);
INSERT INTO catalog_resources VALUES(2,7);
CREATE TABLE edges (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    relationship TEXT NOT NULL,
    source_type TEXT NOT NULL,
    source_title TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_title TEXT NOT NULL
) STRICT;
INSERT INTO edges VALUES(1,X'0c003b9ce2a149e996636e2a95ba734ddd2bb67e','contains','Class','Role::Web','File','/srv/file-0000');
INSERT INTO edges VALUES(2,X'1450b42e688f41d769278b0bf73434ee669da8d4','contains','Class','Role::Web','Package','/srv/package-0001');
INSERT INTO edges VALUES(3,X'bdb31b689950b66c8e066f59a8eecf05cc975cff','contains','Stage','main','Class','Role::Web');
INSERT INTO edges VALUES(4,X'01b681233d3a5614399629fd596f84ff95c4f98f','contains','Class','Role::Database','File','/srv/file-0000');
INSERT INTO edges VALUES(5,X'53dc54a1d02d81c468172fcfa65ca6418da9ecf4','contains','Class','Role::Database','Package','/srv/package-0001');
INSERT INTO edges VALUES(6,X'96cc066f4181ab1a889806b5ffc69dde0938b3da','contains','Stage','main','Class','Role::Database');
CREATE TABLE catalog_edges (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    edge_id INTEGER NOT NULL REFERENCES edges,
    PRIMARY KEY (node_id, edge_id)
) STRICT, WITHOUT ROWID;
INSERT INTO catalog_edges VALUES(1,1);
INSERT INTO catalog_edges VALUES(1,2);
INSERT INTO catalog_edges VALUES(1,3);
INSERT INTO catalog_edges VALUES(2,4);
INSERT INTO catalog_edges VALUES(2,5);
INSERT INTO catalog_edges VALUES(2,6);
CREATE TABLE catalog_inputs (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (node_id, type, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE factsets (
    node_id INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
    hash TEXT NOT NULL,
    environment_id INTEGER REFERENCES environments,
    producer_id INTEGER REFERENCES producers,
    producer_timestamp INTEGER NOT NULL,
    timestamp INTEGER NOT NULL
) STRICT;
INSERT INTO factsets VALUES(1,'f61e18fb6d833da38ca6d1fad0d729c9361fb0a7',1,1,999999999003,999999999003);
INSERT INTO factsets VALUES(2,'f9355649698fea9f454f91039558a99f53ab1071',2,1,1000000000000,1000000000000);
CREATE TABLE fact_values (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    number ANY,
    text TEXT
) STRICT;
INSERT INTO fact_values VALUES(1,X'1bb271c240347d99e121b3697ae9dcf5d88b02da','memory','{"system": {"total_bytes": 1073741824}}',NULL,NULL);
INSERT INTO fact_values VALUES(2,X'7f41d286842d83ca0d1e1a014c35e977a88503c0','fqdn','"web-00000.example.com"',NULL,'web-00000.example.com');
INSERT INTO fact_values VALUES(3,X'ab1e9c7dbdf970a7cadfe5cd4194db300dff816e','ipaddress','"10.0.0.1"',NULL,'10.0.0.1');
INSERT INTO fact_values VALUES(4,X'bf90c28853ee7cf7f5d29be53af5f472bbb7a48b','kernel','"Linux"',NULL,'Linux');
INSERT INTO fact_values VALUES(5,X'd47d5f822ddfb1745e3371861f59a865e3898f47','networking','{"fqdn": "web-00000.example.com", "interfaces": {"eth0": {"ip": "10.0.0.1", "mac": "52:54:00:00:00:00", "mtu": 1500, "bindings": [{"address": "10.0.0.1", "netmask": "255.255.255.0"}]}, "eth1": {"ip": "10.0.0.2", "mac": "52:54:00:00:00:01", "mtu": 1500, "bindings": [{"address": "10.0.0.2", "netmask": "255.255.255.0"}]}, "eth2": {"ip": "10.0.0.3", "mac": "52:54:00:00:00:02", "mtu": 1500, "bindings": [{"address": "10.0.0.3", "netmask": "255.255.255.0"}]}, "eth3": {"ip": "10.0.0.4", "mac": "52:54:00:00:00:03", "mtu": 1500, "bindings": [{"address": "10.0.0.4", "netmask": "255.255.255.0"}]}}}',NULL,NULL);
INSERT INTO fact_values VALUES(6,X'eda7bafdfe9df5125530b28f0277e57797a4861b','is_virtual','true',NULL,NULL);
INSERT INTO fact_values VALUES(7,X'1e661cf3bf70dc234fc9215d1cef2219ef3d5c69','ipaddress','"10.0.1.1"',NULL,'10.0.1.1');
INSERT INTO fact_values VALUES(8,X'5a0bf3126bb0ba76be9cc52a4e3da8db57c4589c','fqdn','"database-00001.example.com"',NULL,'database-00001.example.com');
INSERT INTO fact_values VALUES(9,X'7f6e3185a98ca272b1d7de973269bd9d9fdccf85','memory','{"system": {"total_bytes": 2147483648}}',NULL,NULL);
INSERT INTO fact_values VALUES(10,X'a1d6c3f7a85378e95240887d413a70e6dabb2842','networking','{"fqdn": "database-00001.example.com", "interfaces": {"eth0": {"ip": "10.0.1.1", "mac": "52:54:00:00:01:00", "mtu": 1500, "bindings": [{"address": "10.0.1.1", "netmask": "255.255.255.0"}]}, "eth1": {"ip": "10.0.1.2", "mac": "52:54:00:00:01:01", "mtu": 1500, "bindings": [{"address": "10.0.1.2", "netmask": "255.255.255.0"}]}, "eth2": {"ip": "10.0.1.3", "mac": "52:54:00:00:01:02", "mtu": 1500, "bindings": [{"address": "10.0.1.3", "netmask": "255.255.255.0"}]}, "eth3": {"ip": "10.0.1.4", "mac": "52:54:00:00:01:03", "mtu": 1500, "bindings": [{"address": "10.0.1.4", "netmask": "255.255.255.0"}]}}}',NULL,NULL);
INSERT INTO fact_values VALUES(11,X'fc79d6cbbd53d91a86fcfeaea58052ad91c03697','is_virtual','false',NULL,NULL);
CREATE TABLE facts (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    value_id INTEGER NOT NULL REFERENCES fact_values,
    PRIMARY KEY (node_id, value_id)
) STRICT, WITHOUT ROWID;
INSERT INTO facts VALUES(1,1);
INSERT INTO facts VALUES(1,2);
INSERT INTO facts VALUES(1,3);
INSERT INTO facts VALUES(1,4);
INSERT INTO facts VALUES(2,4);
INSERT INTO facts VALUES(1,5);
INSERT INTO facts VALUES(1,6);
INSERT INTO facts VALUES(2,7);
INSERT INTO facts VALUES(2,8);
INSERT INTO facts VALUES(2,9);
INSERT INTO facts VALUES(2,10);
INSERT INTO facts VALUES(2,11);
CREATE TABLE fact_paths (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    encoded TEXT NOT NULL,
    name TEXT NOT NULL,
    depth INTEGER NOT NULL,
    kind TEXT NOT NULL
) STRICT;
INSERT INTO fact_paths VALUES(1,'["fqdn"]','fqdn','fqdn',0,'string');
INSERT INTO fact_paths VALUES(2,'["ipaddress"]','ipaddress','ipaddress',0,'string');
INSERT INTO fact_paths VALUES(3,'["is_virtual"]','is_virtual','is_virtual',0,'boolean');
INSERT INTO fact_paths VALUES(4,'["kernel"]','kernel','kernel',0,'string');
INSERT INTO fact_paths VALUES(5,'["memory", "system", "total_bytes"]','memory#~system#~total_bytes','memory',2,'integer');
INSERT INTO fact_paths VALUES(6,'["networking", "fqdn"]','networking#~fqdn','networking',1,'string');
INSERT INTO fact_paths VALUES(7,'["networking", "interfaces", "eth0", "bindings", 0, "address"]','networking#~interfaces#~eth0#~bindings#~0#~address','networking',5,'string');
INSERT INTO fact_paths VALUES(8,'["networking", "interfaces", "eth0", "bindings", 0, "netmask"]','networking#~interfaces#~eth0#~bindings#~0#~netmask','networking',5,'string');
INSERT INTO fact_paths VALUES(9,'["networking", "interfaces", "eth0", "ip"]','networking#~interfaces#~eth0#~ip','networking',3,'string');
INSERT INTO fact_paths VALUES(10,'["networking", "interfaces", "eth0", "mac"]','networking#~interfaces#~eth0#~mac','networking',3,'string');
INSERT INTO fact_paths VALUES(11,'["networking", "interfaces", "eth0", "mtu"]','networking#~interfaces#~eth0#~mtu','networking',3,'integer');
INSERT INTO fact_paths VALUES(12,'["networking", "interfaces", "eth1", "bindings", 0, "address"]','networking#~interfaces#~eth1#~bindings#~0#~address','networking',5,'string');
INSERT INTO fact_paths VALUES(13,'["networking", "interfaces", "eth1", "bindings", 0, "netmask"]','networking#~interfaces#~eth1#~bindings#~0#~netmask','networking',5,'string');
INSERT INTO fact_paths VALUES(14,'["networking", "interfaces", "eth1", "ip"]','networking#~interfaces#~eth1#~ip','networking',3,'string');
INSERT INTO fact_paths VALUES(15,'["networking", "interfaces", "eth1", "mac"]','networking#~interfaces#~eth1#~mac','networking',3,'string');
INSERT INTO fact_paths VALUES(16,'["networking", "interfaces", "eth1", "mtu"]','networking#~interfaces#~eth1#~mtu','networking',3,'integer');
INSERT INTO fact_paths VALUES(17,'["networking", "interfaces", "eth2", "bindings", 0, "address"]','networking#~interfaces#~eth2#~bindings#~0#~address','networking',5,'string');
INSERT INTO fact_paths VALUES(18,'["networking", "interfaces", "eth2", "bindings", 0, "netmask"]','networking#~interfaces#~eth2#~bindings#~0#~netmask','networking',5,'string');
INSERT INTO fact_paths VALUES(19,'["networking", "interfaces", "eth2", "ip"]','networking#~interfaces#~eth2#~ip','networking',3,'string');
INSERT INTO fact_paths VALUES(20,'["networking", "interfaces", "eth2", "mac"]','networking#~interfaces#~eth2#~mac','networking',3,'string');
INSERT INTO fact_paths VALUES(21,'["networking", "interfaces", "eth2", "mtu"]','networking#~interfaces#~eth2#~mtu','networking',3,'integer');
INSERT INTO fact_paths VALUES(22,'["networking", "interfaces", "eth3", "bindings", 0, "address"]','networking#~interfaces#~eth3#~bindings#~0#~address','networking',5,'string');
INSERT INTO fact_paths VALUES(23,'["networking", "interfaces", "eth3", "bindings", 0, "netmask"]','networking#~interfaces#~eth3#~bindings#~0#~netmask','networking',5,'string');
INSERT INTO fact_paths VALUES(24,'["networking", "interfaces", "eth3", "ip"]','networking#~interfaces#~eth3#~ip','networking',3,'string');
INSERT INTO fact_paths VALUES(25,'["networking", "interfaces", "eth3", "mac"]','networking#~interfaces#~eth3#~mac','networking',3,'string');
INSERT INTO fact_paths VALUES(26,'["networking", "interfaces", "eth3", "mtu"]','networking#~interfaces#~eth3#~mtu','networking',3,'integer');
CREATE TABLE fact_leaves (
    value_id INTEGER NOT NULL REFERENCES fact_values ON DELETE CASCADE,
    path_id INTEGER NOT NULL REFERENCES fact_paths,
    value TEXT NOT NULL,
    number ANY,
    text TEXT,
    PRIMARY KEY (value_id, path_id)
) STRICT, WITHOUT ROWID;
INSERT INTO fact_leaves VALUES(1,5,'1073741824',1073741824,NULL);
INSERT INTO fact_leaves VALUES(2,1,'"web-00000.example.com"',NULL,'web-00000.example.com');
INSERT INTO fact_leaves VALUES(3,2,'"10.0.0.1"',NULL,'10.0.0.1');
INSERT INTO fact_leaves VALUES(4,4,'"Linux"',NULL,'Linux');
INSERT INTO fact_leaves VALUES(5,6,'"web-00000.example.com"',NULL,'web-00000.example.com');
INSERT INTO fact_leaves VALUES(5,7,'"10.0.0.1"',NULL,'10.0.0.1');
INSERT INTO fact_leaves VALUES(5,8,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(5,9,'"10.0.0.1"',NULL,'10.0.0.1');
INSERT INTO fact_leaves VALUES(5,10,'"52:54:00:00:00:00"',NULL,'52:54:00:00:00:00');
INSERT INTO fact_leaves VALUES(5,11,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(5,12,'"10.0.0.2"',NULL,'10.0.0.2');
INSERT INTO fact_leaves VALUES(5,13,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(5,14,'"10.0.0.2"',NULL,'10.0.0.2');
INSERT INTO fact_leaves VALUES(5,15,'"52:54:00:00:00:01"',NULL,'52:54:00:00:00:01');
INSERT INTO fact_leaves VALUES(5,16,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(5,17,'"10.0.0.3"',NULL,'10.0.0.3');
INSERT INTO fact_leaves VALUES(5,18,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(5,19,'"10.0.0.3"',NULL,'10.0.0.3');
INSERT INTO fact_leaves VALUES(5,20,'"52:54:00:00:00:02"',NULL,'52:54:00:00:00:02');
INSERT INTO fact_leaves VALUES(5,21,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(5,22,'"10.0.0.4"',NULL,'10.0.0.4');
INSERT INTO fact_leaves VALUES(5,23,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(5,24,'"10.0.0.4"',NULL,'10.0.0.4');
INSERT INTO fact_leaves VALUES(5,25,'"52:54:00:00:00:03"',NULL,'52:54:00:00:00:03');
INSERT INTO fact_leaves VALUES(5,26,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(6,3,'true',NULL,NULL);
INSERT INTO fact_leaves VALUES(7,2,'"10.0.1.1"',NULL,'10.0.1.1');
INSERT INTO fact_leaves VALUES(8,1,'"database-00001.example.com"',NULL,'database-00001.example.com');
INSERT INTO fact_leaves VALUES(9,5,'2147483648',2147483648,NULL);
INSERT INTO fact_leaves VALUES(10,6,'"database-00001.example.com"',NULL,'database-00001.example.com');
INSERT INTO fact_leaves VALUES(10,7,'"10.0.1.1"',NULL,'10.0.1.1');
INSERT INTO fact_leaves VALUES(10,8,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(10,9,'"10.0.1.1"',NULL,'10.0.1.1');
INSERT INTO fact_leaves VALUES(10,10,'"52:54:00:00:01:00"',NULL,'52:54:00:00:01:00');
INSERT INTO fact_leaves VALUES(10,11,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(10,12,'"10.0.1.2"',NULL,'10.0.1.2');
INSERT INTO fact_leaves VALUES(10,13,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(10,14,'"10.0.1.2"',NULL,'10.0.1.2');
INSERT INTO fact_leaves VALUES(10,15,'"52:54:00:00:01:01"',NULL,'52:54:00:00:01:01');
INSERT INTO fact_leaves VALUES(10,16,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(10,17,'"10.0.1.3"',NULL,'10.0.1.3');
INSERT INTO fact_leaves VALUES(10,18,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(10,19,'"10.0.1.3"',NULL,'10.0.1.3');
INSERT INTO fact_leaves VALUES(10,20,'"52:54:00:00:01:02"',NULL,'52:54:00:00:01:02');
INSERT INTO fact_leaves VALUES(10,21,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(10,22,'"10.0.1.4"',NULL,'10.0.1.4');
INSERT INTO fact_leaves VALUES(10,23,'"255.255.255.0"',NULL,'255.255.255.0');
INSERT INTO fact_leaves VALUES(10,24,'"10.0.1.4"',NULL,'10.0.1.4');
INSERT INTO fact_leaves VALUES(10,25,'"52:54:00:00:01:03"',NULL,'52:54:00:00:01:03');
INSERT INTO fact_leaves VALUES(10,26,'1500',1500,NULL);
INSERT INTO fact_leaves VALUES(11,3,'false',NULL,NULL);
CREATE TABLE packages (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    provider TEXT NOT NULL,
    UNIQUE (name, version, provider)
) STRICT;
CREATE TABLE node_packages (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    package_id INTEGER NOT NULL REFERENCES packages,
    PRIMARY KEY (node_id, package_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE reports (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    type TEXT NOT NULL,
    status TEXT,
    noop INTEGER,
    noop_pending INTEGER,
    corrective_change INTEGER,
    puppet_version TEXT NOT NULL,
    report_format INTEGER NOT NULL,
    configuration_version TEXT NOT NULL,
    start_time INTEGER NOT NULL,
    end_time INTEGER NOT NULL,
    receive_time INTEGER NOT NULL,
    producer_timestamp INTEGER NOT NULL,
    environment_id INTEGER REFERENCES environments,
    producer_id INTEGER REFERENCES producers,
    transaction_uuid TEXT,
    catalog_uuid TEXT,
    code_id TEXT,
    job_id TEXT,
    cached_catalog_status TEXT
) STRICT;
INSERT INTO reports VALUES(1,'bfb6ff4972e7915d7c9eee285cc92075a4f971fc',1,'agent','unchanged',1,0,NULL,'8.10.0',12,'1767225600',999999979003,999999999003,999999999003,999999999003,1,1,'09910c4c-9741-5fa4-a131-543807d6a0e7','09910c4c-9741-5fa4-a131-543807d6a0e7',NULL,NULL,'not_used');
INSERT INTO reports VALUES(2,'0b153882708b50684893de0cc7121da270850cfd',2,'agent','changed',0,0,NULL,'8.10.0',12,'1767225600',999999980000,1000000000000,1000000000000,1000000000000,2,1,'0d9ac43b-1f43-5449-8064-bdfc69f63163','0d9ac43b-1f43-5449-8064-bdfc69f63163',NULL,NULL,'not_used');
CREATE TABLE report_details (
    report_id INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
    metrics TEXT NOT NULL,
    logs TEXT NOT NULL
) STRICT;
INSERT INTO report_details VALUES(1,'[{"name": "total", "value": 20, "category": "resources"}, {"name": "changed", "value": 0, "category": "resources"}, {"name": "failed", "value": 0, "category": "resources"}, {"name": "skipped", "value": 0, "category": "resources"}, {"name": "total", "value": 0, "category": "changes"}, {"name": "total", "value": 0, "category": "events"}, {"name": "success", "value": 0, "category": "events"}, {"name": "failure", "value": 0, "category": "events"}, {"name": "noop", "value": 0, "category": "events"}, {"name": "config_retrieval", "value": 2.25, "category": "time"}, {"name": "total", "value": 19.5, "category": "time"}, {"name": "file", "value": 0.0, "category": "time"}, {"name": "package", "value": 0.125, "category": "time"}, {"name": "service", "value": 0.25, "category": "time"}, {"name": "user", "value": 0.375, "category": "time"}, {"name": "exec", "value": 0.5, "category": "time"}]','[{"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.003Z", "level": "notice", "source": "Puppet", "message": "step 0 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.004Z", "level": "notice", "source": "Puppet", "message": "step 1 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.005Z", "level": "notice", "source": "Puppet", "message": "step 2 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.006Z", "level": "notice", "source": "Puppet", "message": "step 3 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.007Z", "level": "notice", "source": "Puppet", "message": "step 4 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.008Z", "level": "notice", "source": "Puppet", "message": "step 5 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.009Z", "level": "notice", "source": "Puppet", "message": "step 6 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.010Z", "level": "notice", "source": "Puppet", "message": "step 7 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.011Z", "level": "notice", "source": "Puppet", "message": "step 8 of a run that is unchanged"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:29.012Z", "level": "notice", "source": "Puppet", "message": "step 9 of a run that is unchanged"}]');
INSERT INTO report_details VALUES(2,'[{"name": "total", "value": 20, "category": "resources"}, {"name": "changed", "value": 5, "category": "resources"}, {"name": "failed", "value": 0, "category": "resources"}, {"name": "skipped", "value": 0, "category": "resources"}, {"name": "total", "value": 5, "category": "changes"}, {"name": "total", "value": 5, "category": "events"}, {"name": "success", "value": 5, "category": "events"}, {"name": "failure", "value": 0, "category": "events"}, {"name": "noop", "value": 0, "category": "events"}, {"name": "config_retrieval", "value": 2.25, "category": "time"}, {"name": "total", "value": 19.5, "category": "time"}, {"name": "file", "value": 0.0, "category": "time"}, {"name": "package", "value": 0.125, "category": "time"}, {"name": "service", "value": 0.25, "category": "time"}, {"name": "user", "value": 0.375, "category": "time"}, {"name": "exec", "value": 0.5, "category": "time"}]','[{"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.000Z", "level": "notice", "source": "Puppet", "message": "step 0 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.001Z", "level": "notice", "source": "Puppet", "message": "step 1 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.002Z", "level": "notice", "source": "Puppet", "message": "step 2 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.003Z", "level": "notice", "source": "Puppet", "message": "step 3 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.004Z", "level": "notice", "source": "Puppet", "message": "step 4 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.005Z", "level": "notice", "source": "Puppet", "message": "step 5 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.006Z", "level": "notice", "source": "Puppet", "message": "step 6 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.007Z", "level": "notice", "source": "Puppet", "message": "step 7 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.008Z", "level": "notice", "source": "Puppet", "message": "step 8 of a run that is changed"}, {"file": null, "line": null, "tags": ["notice"], "time": "2001-09-09T01:46:30.009Z", "level": "notice", "source": "Puppet", "message": "step 9 of a run that is changed"}]');
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    report_id INTEGER NOT NULL REFERENCES reports ON DELETE CASCADE,
    status TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    resource_type TEXT NOT NULL,
    resource_title TEXT NOT NULL,
    property TEXT,
    name TEXT,
    old_value TEXT NOT NULL,
    new_value TEXT NOT NULL,
    corrective_change INTEGER,
    message TEXT,
    file TEXT,
    line INTEGER,
    containment_path TEXT,
    containing_class TEXT
) STRICT;
INSERT INTO events VALUES(1,2,'success',999999980000,'File','/srv/file-0000','content','content_changed','"{sha256}0"','"{sha256}1"',NULL,'content changed ''{sha256}0'' to ''{sha256}1'' in /srv/file-0000','/etc/puppetlabs/code/modules/role/manifests/init.pp',2,'["Stage[main]", "Role", "File"]','File');
INSERT INTO events VALUES(2,2,'success',999999980000,'Package','/srv/package-0001','content','content_changed','"{sha256}0"','"{sha256}1"',NULL,'content changed ''{sha256}0'' to ''{sha256}1'' in /srv/package-0001','/etc/puppetlabs/code/modules/role/manifests/init.pp',3,'["Stage[main]", "Role", "Package"]','Package');
INSERT INTO events VALUES(3,2,'success',999999980000,'Service','/srv/service-0002','content','content_changed','"{sha256}0"','"{sha256}1"',NULL,'content changed ''{sha256}0'' to ''{sha256}1'' in /srv/service-0002','/etc/puppetlabs/code/modules/role/manifests/init.pp',4,'["Stage[main]", "Role", "Service"]','Service');
INSERT INTO events VALUES(4,2,'success',999999980000,'User','/srv/user-0003','content','content_changed','"{sha256}0"','"{sha256}1"',NULL,'content changed ''{sha256}0'' to ''{sha256}1'' in /srv/user-0003','/etc/puppetlabs/code/modules/role/manifests/init.pp',5,'["Stage[main]", "Role", "User"]','User');
INSERT INTO events VALUES(5,2,'success',999999980000,'Exec','/srv/exec-0004','content','content_changed','"{sha256}0"','"{sha256}1"',NULL,'content changed ''{sha256}0'' to ''{sha256}1'' in /srv/exec-0004','/etc/puppetlabs/code/modules/role/manifests/init.pp',6,'["Stage[main]", "Role", "Exec"]','Exec');
CREATE INDEX nodes_inactive ON nodes (id) WHERE deactivated IS NOT NULL OR expired IS NOT NULL;
CREATE INDEX resources_exported ON resources (exported) WHERE exported;
CREATE INDEX resource_tags_by_resource ON resource_tags (resource_id);
CREATE INDEX catalog_resources_by_resource ON catalog_resources (resource_id, node_id);
CREATE INDEX catalog_edges_by_edge ON catalog_edges (edge_id, node_id);
CREATE INDEX facts_by_value ON facts (value_id, node_id);
CREATE INDEX node_packages_by_package ON node_packages (package_id, node_id);
CREATE INDEX reports_by_node ON reports (node_id, end_time);
CREATE INDEX reports_by_end_time ON reports (end_time);
CREATE INDEX reports_by_producer_timestamp ON reports (producer_timestamp);
CREATE INDEX events_by_report ON events (report_id, status);
CREATE INDEX events_by_status ON events (status, timestamp);
CREATE INDEX resources_by_reference ON resources (type, title);
CREATE INDEX resources_by_title ON resources (title);
CREATE INDEX fact_values_by_text ON fact_values (name, text) WHERE text IS NOT NULL;
CREATE INDEX fact_values_by_number ON fact_values (name, number);
CREATE UNIQUE INDEX fact_paths_by_path ON fact_paths (path, kind);
CREATE INDEX fact_leaves_by_text ON fact_leaves (path_id, text) WHERE text IS NOT NULL;
CREATE INDEX fact_leaves_by_number ON fact_leaves (path_id, number);
COMMIT;
