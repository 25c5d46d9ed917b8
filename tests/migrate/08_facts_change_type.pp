# Facts were strings
# facts: {"is_virtual": false, "processorcount": 4, "selinux": true}
# rules: facts-change-type at 4, facts-change-type at 5
if $::is_virtual == 'false' { notify { 'metal': } }
if $::is_virtual { notify { 'any text is true': } }
if $::processorcount > 2 { notify { 'big': } }
notify { "selinux ${::selinux}": }
