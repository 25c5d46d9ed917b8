"""The resource type ``file_line`` of the module stdlib: single lines of files."""
