"""The resource type ``java_ks`` of the module java_ks: entries of keystores of Java."""
