# Files could be imported
# rules: import at 3
import 'imported/more.pp'
notify { 'here': }
