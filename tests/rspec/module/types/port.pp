type Things::Port = Integer[1, 65535]
