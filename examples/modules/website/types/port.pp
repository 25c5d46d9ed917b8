# A port that a web server may listen on without being root.
type Website::Port = Integer[1024, 65535]
