# Capitals came before lower-case letters
# rules: letter-case-in-order at 3
if 'Zebra' < 'ant' { notify { 'bytes': } }
if 'ant' < 'bee' { notify { 'order': } }
