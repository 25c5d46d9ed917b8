# Some words were not reserved
# rules: reserved-words at 4
$kind = {
  'of' => private,
}
notify { "${kind['of']}": }
