# Two backslashes in single quotes were two
# rules: escapes-single-quotes at 3
$share = '\\server\share'
notify { "at ${share}": message => 'C:\windows it\'s' }
