class m(Integer $port, Array[String] $hosts = []) { }
